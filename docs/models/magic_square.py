"""Magic square: the numbers 1 to 9 in a square, with equal sums of rows, columns and diagonals.

There is one of order 3, and it can be turned and mirrored into 8.
"""

import concord

N = 3
TOTAL = N * (N * N + 1) // 2

m = concord.Model()
x = m.ints((N, N), 1, N * N, "x")
m.add(concord.all_different(x))
m.add(sum(row) == TOTAL for row in x)
m.add(sum(column) == TOTAL for column in x.T)
m.add(sum(x[k, k] for k in range(N)) == TOTAL)
m.add(sum(x[k, N - 1 - k] for k in range(N)) == TOTAL)

if __name__ == "__main__":
    print(m.solve())
    assert m.count() == 8
    m.add(x[0, 0] < x[0, 2], x[0, 0] < x[2, 0], x[0, 0] < x[2, 2], x[0, 2] < x[2, 0])
    assert [s["x"] for s in m.solutions()] == [[[2, 9, 4], [7, 5, 3], [6, 1, 8]]]
