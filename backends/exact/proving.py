"""Exact with proofs: ``exact:proof=check``. Each search to the end has a proof by cutting planes.

The formula that is checked is what the handlers gave to Exact, kept by ``Noting``; not what Exact
writes of it. Its proof names inequalities by their number in that order, and Booleans as x1, x2,
... in theirs. ``proof-assumptions=0`` keeps Exact from steps that no rule of its proofs shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backends.exact.backend import Exact, ExactSession
from backends.exact.formula import ExactRecipe
from backends.interface.api import StoppedBy
from backends.interface.proofs import MOST_EXCLUDED, Refutation, Row, read_proof
from backends.interface.session import Call, SessionReport
from modelling.problem import Assignment, Objective, Problem

NAME = "log"
"""What Exact is given; it adds ``.proof``, and ``.formula`` for a file that is not read."""

MOST_PROBED = 300
"""Most Booleans among which Exact looks for pairs that exclude each other, and for what a literal
implies. Each pair is a line of the proof: 79,000 of 83,000 lines for a job shop of 9 tasks, whose
proof without them was checked in seconds, and 43,000 of 58,000 for a ruler of 7 marks. Where there
are few Booleans they pay: pigeonhole 7 is not solved in time without them."""

LOOKS_FOR_PAIRS = ("inp-atmostone", "inp-probing")
"""Exact's options that look for them."""


class Noting:
    """Passes on to Exact what it is given, and keeps the formula: ``rows``."""

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        self.numbers: dict[str, int] = {}
        self.rows: list[Row] = []
        self.waiting: list[tuple[Any, ...]] | None = []

    def start(self) -> None:
        """Give Exact the constraints that were put off. They come after the objective, from which
        it leaves out what they fix, without a word in the proof."""
        waiting, self.waiting = self.waiting or [], None
        for constraint in waiting:
            self.solver.addConstraint(*constraint)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.solver, name)

    def addVariable(self, name: str) -> None:  # noqa: N802 - as Exact calls it
        self.numbers[name] = len(self.numbers) + 1
        self.solver.addVariable(name)

    def addConstraint(  # noqa: N802
        self,
        terms: Sequence[tuple[int, str]],
        low: bool = False,
        least: int = 0,
        high: bool = False,
        most: int = 0,
    ) -> None:
        """An inequality for each bound, as Exact counts them."""
        pairs = [(self.numbers[name], weight) for weight, name in terms]
        if low:
            self.rows.append((pairs, least))
        if high:
            self.rows.append(([(number, -weight) for number, weight in pairs], -most))
        if self.waiting is not None:
            self.waiting.append((terms, low, least, high, most))
        else:
            self.solver.addConstraint(terms, low, least, high, most)


class ProvingExact(Exact):
    """Complete; as ``Exact``. Proofs are checked for at most ``proof_seconds``."""

    def __init__(self, name: str, proof_seconds: int) -> None:
        super().__init__(name)
        self.capabilities = replace(self.capabilities, certifies=True)
        self.proof_seconds = proof_seconds

    def open(self, recipe: ExactRecipe, call: Call) -> ProvingSession:
        """A formula of the instance, and a folder for its proof."""
        folder = TemporaryDirectory(prefix="concord-exact-")
        try:
            more = [("proof-log", str(Path(folder.name, NAME))), ("proof-assumptions", "0")]
            if _count(call.problem) > MOST_PROBED:
                more += [(name, "0") for name in LOOKS_FOR_PAIRS if name not in self.parameters]
            noting = Noting(self.make(call, *more))
            session = ProvingSession(noting, recipe.pose(noting, call.problem), call)
        except BaseException:
            folder.cleanup()
            raise
        session.folder, session.seconds = folder, self.proof_seconds
        return session


class ProvingSession(ExactSession):
    """One search of one formula, whose proof is read when Exact has let go of it."""

    folder: TemporaryDirectory[str]
    seconds: int
    ended = False
    than: int | None = None
    value: int | None = None

    def __init__(self, solver: Any, formula: Any, call: Call) -> None:
        super().__init__(solver, formula, call)
        self.excluded: list[Assignment] = []
        self.excluding: list[Row] = []
        self.ending = SessionReport()

    def next(self) -> Assignment | StoppedBy:
        self.solver.start()
        found = super().next()
        self.ended = found == "exhausted"
        return found

    def exclude(self, values: Assignment) -> None:
        if len(self.excluded) <= MOST_EXCLUDED:
            on = range(len(values)) if self.call.on is None else self.call.on
            names = list(dict.fromkeys(self.formula.names(on)))
            true = self.solver.getLastSolutionFor(names) if names else ()
            pairs = [
                (-self.solver.numbers[name] if is_true else self.solver.numbers[name], 1)
                for name, is_true in zip(names, true, strict=True)
            ]
            self.excluded.append(values)
            if pairs:
                self.excluding.append((pairs, 1))
        super().exclude(values)

    def improve(self, objective: Objective, than: int) -> None:
        super().improve(objective, than)
        self.than = than

    def fix(self, objective: Objective, value: int) -> None:
        super().fix(objective, value)
        self.value = value

    def close(self) -> None:
        """Exact ends its proof when it is freed."""
        self.ending = super().report()
        noting: Noting = self.solver
        noting.solver = None
        if self.ended:
            self.ending = self.ending._replace(refutations=(self._refutation(noting),))
        self.folder.cleanup()

    def report(self) -> SessionReport:
        return self.ending

    def _refutation(self, noting: Noting) -> Refutation:
        """The formula as the handlers made it, and the proof that Exact has written."""
        proof, missing = read_proof(Path(self.folder.name, f"{NAME}.proof"))
        if len(self.excluded) > MOST_EXCLUDED:
            missing = f"more than {MOST_EXCLUDED:,} solutions are not checked again"
        return Refutation(
            (),
            excluded=tuple(self.excluded),
            than=self.than,
            value=self.value,
            proof=None if missing else proof,
            missing=missing,
            seconds=self.seconds,
            model=lambda: self._write(noting),
            literals=lambda: self._pins(noting),
            rows=lambda: [*noting.rows, *self.excluding],
        )

    def _write(self, noting: Noting) -> bytes:
        """The formula as the checker reads it."""
        lines = []
        if self.than is not None and self.objective is not None:
            sign = 1 if self.objective.sense == "minimize" else -1
            scope, factors = self.objective.scope, self.objective.coefficients
            weights, constant = self.formula.weigh(scope, factors)
            pairs = [(noting.numbers[name], sign * weight) for name, weight in weights.items()]
            lines += [f"min: {_sum(pairs)} ;", f"than: {sign * (self.than - constant)}"]
        lines += [f"{_sum(pairs)} >= {degree} ;" for pairs, degree in noting.rows]
        lines += [f"excluded: {_sum(pairs)} >= {degree} ;" for pairs, degree in self.excluding]
        return "\n".join(lines).encode()

    def _pins(self, noting: Noting) -> list[Mapping[int, tuple[int, ...]]]:
        """For each variable and value the Booleans that are true then, and those that are not."""
        found: list[Mapping[int, tuple[int, ...]]] = []
        for literals in self.formula.literals:
            names = sorted({name for weights, _ in literals.values() for name in weights})
            found.append(
                {
                    value: tuple(
                        [noting.numbers[n] * (1 if own.get(n) == 1 else -1) for n in names]
                    )
                    for value, (own, _) in literals.items()
                }
            )
        return found


def _count(problem: Problem) -> int:
    """How many Booleans values have."""
    return sum(len(domain) for domain in problem.domains() if len(domain) > 2)


def _sum(pairs: Iterable[tuple[int, int]]) -> str:
    return " ".join(
        [f"{weight:+d} {'~' if literal < 0 else ''}x{abs(literal)}" for literal, weight in pairs]
    )
