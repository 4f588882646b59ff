"""Travelling salesman: the shortest tour through all cities.

``after[k]`` is the city after city k; a circuit makes one tour of them. The instance is FIVE of J.
Burkardt's collection TSP; the shortest tour has length 19.
"""

import concord

DISTANCES = [
    [0, 3, 4, 2, 7],
    [3, 0, 4, 6, 3],
    [4, 4, 0, 5, 8],
    [2, 6, 5, 0, 6],
    [7, 3, 8, 6, 0],
]
N = len(DISTANCES)

m = concord.Model()
after = m.ints(N, 0, N - 1, "after")
m.add(concord.circuit(after))
m.minimize(sum(concord.array(DISTANCES[k])[after[k]] for k in range(N)))

if __name__ == "__main__":
    best = m.optimum(backend="cpsat")
    print(best)
    assert best.objective == 19
