from ortools.sat.python import cp_model

model = cp_model.CpModel()
x = model.new_int_var_from_domain(cp_model.Domain.from_values([0, 2, 3, 4]), "x")
y = model.new_int_var(2, 3, "y")
z = model.new_int_var_from_domain(cp_model.Domain.from_values([2, 4, 5, 6]), "z")
products = sorted({a * b for a in (0, 2, 3, 4) for b in (2, 4, 5, 6)})
product = model.new_int_var_from_domain(cp_model.Domain.from_values(products), "product")
model.add_multiplication_equality(product, [z, x])
model.add(product > 0)
model.add_allowed_assignments([x, y], [(2, 2), (3, 3)])
model.add_allowed_assignments([z, y], [(2, 2), (2, 3), (4, 2), (5, 2), (6, 2)])
solver, seen, found = cp_model.CpSolver(), cp_model.CpSolverSolutionCallback(), []
seen.on_solution_callback = lambda: found.append(tuple(map(seen.value, (x, y, z))))
solver.parameters.enumerate_all_solutions = True
solver.solve(model, seen)
print(len(found), len(set(found)))
