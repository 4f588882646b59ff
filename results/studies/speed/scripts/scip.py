"""pyscipopt: ``Model``, ``addVar``, ``quicksum``, ``addCons``; a column of 0 and 1 for each value.

A solution is cut off by a row over its columns, and the model is solved anew, as documentation has
it of changes to a solved problem (``freeTransform``). For all solutions of the queens that takes
minutes, so there a constraint handler rejects each solution and adds its row.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from results.studies.speed.small_models import (
    HOLES,
    LEADING,
    LETTERS,
    LONGEST,
    MARKS,
    PIGEONS,
    QUEENS,
    UNITS,
    WEIGHTS,
    Grids,
    Script,
    Solutions,
)


def _silent() -> Any:
    from pyscipopt import Model

    model = Model()
    model.hideOutput()
    return model


def _choices(model: Any, values: list[range]) -> list[dict[int, Any]]:
    """For each variable a column for each of its values, of which one is 1."""
    from pyscipopt import quicksum

    found = [{value: model.addVar(vtype="B") for value in domain} for domain in values]
    for ones in found:
        model.addCons(quicksum(ones.values()) == 1)
    return found


def _read(model: Any, choices: list[dict[int, Any]]) -> tuple[int, ...]:
    return tuple(
        next(value for value, one in ones.items() if model.getVal(one) > 0.5) for ones in choices
    )


def queens() -> Script:
    """At most one in each row and on each diagonal; a handler that is content with no solution."""
    import pyscipopt

    library: Any = pyscipopt
    quicksum, result = library.quicksum, library.SCIP_RESULT

    class Collector(library.Conshdlr):  # type: ignore[misc]
        def __init__(self, columns: list[dict[int, Any]]) -> None:
            self.columns = columns
            self.found: set[tuple[int, ...]] = set()

        def look(self, solution: Any) -> list[Any]:
            value = self.model.getSolVal
            ones = [
                next((row, one) for row, one in column.items() if value(solution, one) > 0.5)
                for column in self.columns
            ]
            self.found.add(tuple(row for row, _ in ones))
            return [one for _, one in ones]

        def conscheck(self, constraints: Any, solution: Any, *arguments: Any) -> Any:
            self.look(solution)
            return {"result": result.INFEASIBLE}

        def consenfolp(self, *arguments: Any) -> Any:
            self.model.addCons(quicksum(self.look(None)) <= QUEENS - 1)
            return {"result": result.CONSADDED}

        def conslock(self, constraint: Any, kind: Any, positive: int, negative: int) -> None:
            for column in self.columns:
                for one in column.values():
                    self.model.addVarLocksType(one, kind, positive + negative, positive + negative)

    def solve() -> Solutions:
        model = _silent()
        columns = _choices(model, [range(QUEENS)] * QUEENS)
        for row in range(QUEENS):
            model.addCons(quicksum(column[row] for column in columns) == 1)
        for sign in (1, -1):
            for line in range(-QUEENS, 2 * QUEENS):
                on = [c[line - sign * i] for i, c in enumerate(columns) if line - sign * i in c]
                if len(on) > 1:
                    model.addCons(quicksum(on) <= 1)
        model.setEmphasis(library.SCIP_PARAMEMPHASIS.COUNTER)
        model.setPresolve(library.SCIP_PARAMSETTING.OFF)
        handler = Collector(columns)
        model.includeConshdlr(
            handler, "all", "", enfopriority=-1000000, chckpriority=-1000000, needscons=False
        )
        model.optimize()
        return list(handler.found)

    return solve


def sudoku(limit: int) -> Grids:
    """Each value once in each unit."""
    from pyscipopt import quicksum

    def solve(text: str) -> list[str]:
        model = _silent()
        cells = _choices(model, [range(1, 10)] * 81)
        for unit in UNITS:
            for value in range(1, 10):
                model.addCons(quicksum(cells[i][value] for i in unit) == 1)
        for cell, sign in zip(cells, text, strict=True):
            if sign != ".":
                model.fixVar(cell[int(sign)], 1)
        found: list[str] = []
        while len(found) < limit:
            model.optimize()
            if model.getStatus() != "optimal":
                break
            values = _read(model, cells)
            found.append("".join(map(str, values)))
            if len(found) < limit:
                model.freeTransform()
                model.addCons(quicksum(cells[i][v] for i, v in enumerate(values)) <= 80)
        return found

    return solve


def send_more() -> Script:
    """One equation over the values."""
    from pyscipopt import quicksum

    def solve() -> Solutions:
        model = _silent()
        letters = _choices(model, [range(int(x in LEADING), 10) for x in LETTERS])
        for value in range(10):
            model.addCons(quicksum(ones[value] for ones in letters if value in ones) <= 1)
        total = quicksum(
            WEIGHTS[x] * value * one
            for x, ones in zip(LETTERS, letters, strict=True)
            for value, one in ones.items()
        )
        model.addCons(total == 0)
        model.optimize()
        return [_read(model, letters)]

    return solve


def golomb() -> Script:
    """A column for each value of each distance."""
    from pyscipopt import quicksum

    def solve() -> Solutions:
        model = _silent()
        marks = [model.addVar(vtype="I", lb=0, ub=LONGEST if i else 0) for i in range(MARKS)]
        for one, other in pairwise(marks):
            model.addCons(other - one >= 1)
        pairs = list(combinations(range(MARKS), 2))
        distances = _choices(model, [range(1, LONGEST + 1)] * len(pairs))
        for (i, j), ones in zip(pairs, distances, strict=True):
            model.addCons(
                marks[j] - marks[i] == quicksum(value * one for value, one in ones.items())
            )
        for value in range(1, LONGEST + 1):
            model.addCons(quicksum(ones[value] for ones in distances) <= 1)
        model.setObjective(marks[-1], "minimize")
        model.optimize()
        return [tuple(round(model.getVal(mark)) for mark in marks)]

    return solve


def pigeons() -> Script:
    """No two in a hole."""

    def solve() -> Solutions:
        model = _silent()
        holes = _choices(model, [range(1, HOLES + 1)] * PIGEONS)
        for one, other in combinations(holes, 2):
            for hole in one:
                model.addCons(one[hole] + other[hole] <= 1)
        model.optimize()
        return [] if model.getStatus() == "infeasible" else [_read(model, holes)]

    return solve
