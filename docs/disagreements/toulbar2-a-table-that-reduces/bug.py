from itertools import product

from pytoulbar2 import CFN

network = CFN(1)
for name, size in zip("xyzwk", (4, 3, 2, 3, 1), strict=True):
    network.AddVariable(name, [f"v{place}" for place in range(size)])
rows = [[x, y, z, (x + y + z) % 3] for x, y, z in product(range(4), range(3), range(2))]
network.AddCompactFunction(["x", "y", "z", "w"], network.Top, rows, [0] * len(rows))
network.AddFunction(["k", "x"], [0, network.Top, network.Top, network.Top])
network.Solve(allSolutions=100)
print(len(network.GetSolutions()))
