"""Warehouse location: which warehouses to open, and which of them supplies each store (CSPLib 34).

The instance is that of P. Van Hentenryck (The OPL Optimization Programming Language, 1999): each
open warehouse costs 30, and the best plan 383.
"""

import concord

FIXED = 30
CAPACITIES = [1, 4, 2, 1, 3]
COSTS = [
    [20, 24, 11, 25, 30],
    [28, 27, 82, 83, 74],
    [74, 97, 71, 96, 70],
    [2, 55, 73, 69, 61],
    [46, 96, 59, 83, 4],
    [42, 22, 29, 67, 59],
    [1, 5, 73, 59, 56],
    [10, 73, 13, 43, 96],
    [93, 35, 63, 85, 46],
    [47, 65, 55, 71, 95],
]

m = concord.Model()
supplier = m.ints(len(COSTS), 0, len(CAPACITIES) - 1, "supplier")
for warehouse, capacity in enumerate(CAPACITIES):
    m.add(concord.count(supplier, warehouse) <= capacity)
costs = concord.array(COSTS)
supply = sum(costs[store, supplier[store]] for store in range(len(COSTS)))
m.minimize(supply + FIXED * concord.nvalue(supplier))

if __name__ == "__main__":
    best = m.optimum(backend="cpsat")
    print(best)
    assert best.objective == 383
