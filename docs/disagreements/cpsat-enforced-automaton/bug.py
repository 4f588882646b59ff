from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y, b = (model.new_bool_var(name) for name in "xyb")
arcs = [(0, 0, 0), (0, 1, 1), (1, 0, 0)]
model.add_automaton([x, y], 0, [0, 1], arcs).only_enforce_if(b)
solver, seen = cp_model.CpSolver(), cp_model.CpSolverSolutionCallback()
found = []
seen.on_solution_callback = lambda: found.append(tuple(map(seen.value, (x, y, b))))
solver.parameters.enumerate_all_solutions = True
solver.solve(model, seen)
print(len(found), len(set(found)))
