import sys

from pumpkin_solver import Model, constraints

model = Model()
x, y = (model.new_integer_variable(-2, 1) for _ in range(2))
tag = model.new_constraint_tag()
if sys.argv[1:] == ["tasks"]:
    model.add_constraint(constraints.Cumulative([x, y], [2, 1], [1, 2], 2, tag))
else:
    model.add_constraint(constraints.LessThanOrEquals([x.scaled(0), y], 0, tag))
while type(result := model.satisfy()).__name__ == "Satisfiable":
    row = [result._0.int_value(variable) for variable in (x, y)]
    print(row)
    tag = model.new_constraint_tag()
    model.add_constraint(constraints.NegativeTable([x, y], [row], tag))
    if model.is_inconsistent():
        break
