from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y = model.new_int_var(-1, 1, "x"), model.new_int_var(0, 2, "y")
least, below = model.new_int_var(-1, 1, "least"), model.new_bool_var("below")
model.add_min_equality(least, [x, y - 1])
model.add(least < 0).only_enforce_if(below)
model.add(least >= 0).only_enforce_if(~below)
model.add(below == 0)
solver = cp_model.CpSolver()
print(solver.status_name(solver.solve(model)), *map(solver.value, (x, y)))
