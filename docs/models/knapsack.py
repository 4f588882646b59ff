"""Knapsack: which things to take, so that they are worth most and not too heavy together.

The instance is P01 of J. Burkardt's collection KNAPSACK_01; its optimum is 309.
"""

import concord

CAPACITY = 165
WEIGHTS = [23, 31, 29, 44, 53, 38, 63, 85, 89, 82]
PROFITS = [92, 57, 49, 68, 60, 43, 67, 84, 87, 72]

m = concord.Model()
take = m.bools(len(WEIGHTS), "take")
m.add(sum(take * WEIGHTS) <= CAPACITY)
m.maximize(sum(take * PROFITS))

if __name__ == "__main__":
    best = m.optimum(backend="cpsat")
    print(best)
    assert best.objective == 309
    assert best["take"] == [1, 1, 1, 1, 0, 1, 0, 0, 0, 0]
