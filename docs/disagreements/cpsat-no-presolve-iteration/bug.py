from ortools.sat.python import cp_model

model = cp_model.CpModel()
x = model.new_int_var(0, 0, "x")
model.add_allowed_assignments([x], [(0,)])
solver = cp_model.CpSolver()
for iterations in (1, 0):
    solver.parameters.max_presolve_iterations = iterations
    print(iterations, solver.status_name(solver.solve(model)))
