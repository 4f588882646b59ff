"""Nonogram: a picture of which the lengths of the runs in each row and column are known.

Each line must be accepted by an automaton that reads its runs. This heart is the only picture.
"""

import concord

ROWS = [[2, 2], [7], [7], [5], [3], [1]]
COLUMNS = [[2], [4], [5], [5], [5], [4], [2]]


def automaton(runs):
    """Transitions (state, value, state) from state 0, and the final state."""
    arcs, state = [(0, 0, 0)], 0
    for number, run in enumerate(runs):
        if number:
            arcs += [(state, 0, state + 1), (state + 1, 0, state + 1)]
            state += 1
        for _ in range(run):
            arcs.append((state, 1, state + 1))
            state += 1
    return [*arcs, (state, 0, state)], 0, [state]


m = concord.Model()
picture = m.bools((len(ROWS), len(COLUMNS)), "picture")
m.add(concord.regular(row, *automaton(runs)) for row, runs in zip(picture, ROWS, strict=True))
m.add(concord.regular(col, *automaton(runs)) for col, runs in zip(picture.T, COLUMNS, strict=True))

if __name__ == "__main__":
    (only,) = m.solutions()
    for row in only["picture"]:
        print("".join(".#"[value] for value in row))
    assert only["picture"][0] == [0, 1, 1, 0, 1, 1, 0]
    assert only["picture"][5] == [0, 0, 0, 1, 0, 0, 0]
