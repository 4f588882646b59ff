"""Social golfers: nobody plays in one group with the same person twice (CSPLib 10).

Nine golfers in groups of three: in four weeks everybody has met everybody, so there are at most
four.
"""

from itertools import combinations

import concord

GROUPS, SIZE, WEEKS = 3, 3, 4
GOLFERS = GROUPS * SIZE


def build(weeks=WEEKS):
    m = concord.Model()
    group = m.ints((weeks, GOLFERS), 0, GROUPS - 1, "group")
    for week in group:
        m.add(concord.count(week, k) == SIZE for k in range(GROUPS))
        m.add(concord.precede(week, range(GROUPS)))  # groups have no names of their own
    for one, other in combinations(range(GOLFERS), 2):
        m.add(sum(week[one] == week[other] for week in group) <= 1)
    m.add(group[0, k] == k // SIZE for k in range(GOLFERS))  # nor have golfers
    return m


m = build()

if __name__ == "__main__":
    found = m.solve(backend="cpsat")
    print(found)
    group = found["group"]
    for one, other in combinations(range(GOLFERS), 2):
        assert sum(week[one] == week[other] for week in group) == 1
    assert build(WEEKS + 1).solve(backend="cpsat") is None
