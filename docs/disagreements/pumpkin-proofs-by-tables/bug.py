from pathlib import Path

import pumpkin_solver
from pumpkin_solver.constraints import Table

model = pumpkin_solver.Model(proof="table.drcp")
x, y, z = (model.new_integer_variable(0, 2, name=f"x{k}") for k in range(3))
rows = [[0, 1], [1, 2], [2, 0]]
for one, other in ((x, y), (y, z), (z, y)):
    model.add_constraint(Table([one, other], rows, model.new_constraint_tag()))
print(model.satisfy())
del model
print(*Path("table.drcp").read_text().splitlines()[:2], sep="\n")
