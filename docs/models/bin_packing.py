"""Bin packing: as few bins as will hold all things.

The instance is P01 of J. Burkardt's collection BIN_PACKING. The things weigh three bins' capacity
together, but the heaviest cannot be made up to a full bin, so that four are needed.
"""

import concord

CAPACITY = 100
WEIGHTS = [70, 60, 50, 33, 33, 33, 11, 7, 3]
BINS = 5

m = concord.Model()
place = m.ints(len(WEIGHTS), 0, BINS - 1, "place")
m.add(concord.bin_packing(place, WEIGHTS, "<=", [CAPACITY] * BINS))
m.add(concord.precede(place, range(BINS)))  # bins are opened one after the other
m.minimize(concord.maximum(place) + 1)

if __name__ == "__main__":
    best = m.optimum(backend="cpsat")
    print(best)
    assert best.objective == 4
