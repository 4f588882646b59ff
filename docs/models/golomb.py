"""Golomb ruler: marks of which no two pairs are equally far apart; the shortest ruler (CSPLib 6).

With 6 marks it has length 17.
"""

from itertools import combinations

import concord

MARKS = 6

m = concord.Model()
mark = m.ints(MARKS, 0, MARKS**2, "mark")
m.add(mark[0] == 0)
m.add(concord.increasing(mark, strict=True))
m.add(concord.all_different(b - a for a, b in combinations(mark, 2)))
m.add(mark[1] - mark[0] < mark[-1] - mark[-2])  # of a ruler and its mirror image one
m.minimize(mark[-1])

if __name__ == "__main__":
    best = m.optimum(backend="cpsat")
    print(best)
    assert best.objective == 17
