from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y, most = (model.new_int_var(0, 2, name) for name in ("x", "y", "most"))
model.add_max_equality(most, [x, y])
solver, seen = cp_model.CpSolver(), cp_model.CpSolverSolutionCallback()
found = []
seen.on_solution_callback = lambda: found.append(tuple(map(seen.value, (x, y, most))))
solver.parameters.enumerate_all_solutions = True
solver.parameters.linearization_level = 2
solver.solve(model, seen)
print(len(found), len(set(found)))
