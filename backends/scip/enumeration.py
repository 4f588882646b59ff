"""Every solution once, by a constraint handler of SCIP that is content with none.

SCIP asks it whenever the relaxation's solution is integral and keeps all rows. While a column that
distinguishes solutions is open in this part of the tree, the handler branches on it. Once all are
settled, the solution is the only one there: it is taken, and the part is cut off. So nothing is
added to the program, and where these columns determine all others nothing is found twice. (Where
they do not, SCIP may have branched on another column before, and what was taken is remembered.)

That takes a search that removes no solutions: presolving, heuristics, dual reductions, symmetry and
restarts are off, as in SCIP's own settings for counting (``SCIP_PARAMEMPHASIS_COUNTER``; "How to
use SCIP to count or enumerate" in its documentation), and locks in both directions say that any
value may matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from backends.integer_programs.listening import Listener

LAST = -1_000_000
"""Its priority: after rows and integrality."""


def prepare(library: Any, model: Any) -> None:
    """Settings under which no solution is lost."""
    model.setEmphasis(library.SCIP_PARAMEMPHASIS.COUNTER)
    model.setPresolve(library.SCIP_PARAMSETTING.OFF)
    model.setParam("misc/allowstrongdualreds", False)
    model.setParam("misc/allowweakdualreds", False)


@lru_cache(maxsize=1)
def enumerator_class(library: Any) -> Any:
    """The handler; made here because its base class is imported when it is needed."""
    result = library.SCIP_RESULT
    refused, cut_off, branched = result.INFEASIBLE, result.CUTOFF, result.BRANCHED

    class Enumerator(library.Conshdlr):  # type: ignore[misc]  # the library is imported lazily
        def __init__(self, columns: Sequence[Any], taken: Callable[[], bool]) -> None:
            self.columns = columns
            self.taken = taken
            self.branching: list[Any] = []
            self.listener = Listener(self._settle)
            self.result = cut_off

        def consinitsol(self, constraints: Any) -> None:
            self.branching = [self.model.getTransformedVar(column) for column in self.columns]

        def consenfolp(self, constraints: Any, useful: int, infeasible: bool) -> Any:
            return {"result": self._enforce()}

        def consenfops(
            self, constraints: Any, useful: int, infeasible: bool, objective_infeasible: bool
        ) -> Any:
            return {"result": refused if infeasible else self._enforce()}

        def conscheck(self, *arguments: Any) -> Any:
            return {"result": refused}

        def conslock(self, constraint: Any, kind: Any, positive: int, negative: int) -> None:
            for column in self.columns:
                self.model.addVarLocksType(column, kind, positive + negative, positive + negative)

        def _enforce(self) -> Any:
            self.result = cut_off
            if not self.listener.stopped and not self.listener.callback():
                self.model.interruptSolve()
            return self.result

        def _settle(self) -> bool:
            for column in self.branching:
                if column.getUbLocal() - column.getLbLocal() > 0.5:
                    self.model.branchVar(column)
                    self.result = branched
                    return True
            return self.taken()

    return Enumerator
