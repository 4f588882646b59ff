"""A Boolean that implies a sum: of its 29 solutions OR-Tools 9.12 finds 27 twice, with presolve."""

import concord

model = concord.Model()
x, y, z = model.ints(3, 0, 2, "x")
p = model.int(0, 1, "p")
model.add((p == 1).implies(2 * x + 3 * y + 5 * z == 12))
