from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y = model.new_int_var(1, 3, "x"), model.new_int_var(0, 44, "y")
square = model.new_int_var(0, 44 * 44, "square")
model.add_multiplication_equality(square, [y, y])
model.maximize(x * 2**58 + y - square)
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
print(solver.status_name(solver.solve(model)), round(solver.objective_value))
print(solver.value(x) * 2**58 + solver.value(y) - solver.value(square), 3 * 2**58)
