"""Car sequencing: cars of several classes on a line whose stations keep pace with few of an option.

At most ``most`` of each ``span`` neighbours may have it. The instance is that of M. Dincbas,
H. Simonis and P. Van Hentenryck (ECAI 1988): ten cars of six classes; it has six solutions.
"""

import concord

CARS = [1, 1, 2, 2, 2, 2]
OPTIONS = [  # most, span, and which classes have the option
    (1, 2, [1, 0, 0, 0, 1, 1]),
    (2, 3, [0, 0, 1, 1, 0, 1]),
    (1, 3, [1, 0, 0, 0, 1, 0]),
    (2, 5, [1, 1, 0, 1, 0, 0]),
    (1, 5, [0, 0, 1, 0, 0, 0]),
]
N = sum(CARS)

m = concord.Model()
line = m.ints(N, 0, len(CARS) - 1, "line")
m.add(concord.cardinality(line, range(len(CARS)), CARS))
for most, span, having in OPTIONS:
    classes = [k for k, has in enumerate(having) if has]
    m.add(concord.count(line[k : k + span], classes) <= most for k in range(N - span + 1))

if __name__ == "__main__":
    found = m.solutions(backend="cpsat")
    print(*sorted(str(solution) for solution in found), sep="\n")
    assert len(found) == 6
    assert [0, 1, 5, 2, 4, 3, 3, 4, 2, 5] in [solution["line"] for solution in found]
