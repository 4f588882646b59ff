from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y = (model.new_int_var(0, 2, name) for name in "xy")
solver, seen, found = cp_model.CpSolver(), cp_model.CpSolverSolutionCallback(), []


def note():
    found.append((seen.value(x), seen.value(y)))
    if len(found) == 100:
        seen.stop_search()


seen.on_solution_callback = note
solver.parameters.enumerate_all_solutions = True
solver.parameters.use_probing_search = True
solver.solve(model, seen)
print(len(found), len(set(found)))
