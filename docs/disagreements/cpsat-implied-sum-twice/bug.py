from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y, z = (model.new_int_var(0, 2, name) for name in "xyz")
p = model.new_bool_var("p")
model.add(2 * x + 3 * y + 5 * z == 12).only_enforce_if(p)
solver, seen = cp_model.CpSolver(), cp_model.CpSolverSolutionCallback()
found = []
seen.on_solution_callback = lambda: found.append(tuple(map(seen.value, (x, y, z, p))))
solver.parameters.enumerate_all_solutions = True
solver.solve(model, seen)
print(len(found), len(set(found)))
