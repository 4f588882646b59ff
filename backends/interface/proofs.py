"""What a solver shows for its claim that no further solution exists: formulas, each with a proof.

A solver that ``certifies`` (``Capabilities``) sees ``Call.certify``; a session that searched to the
end returns what it refuted in its report. The driver adds that to the result, and whoever asked
checks it, outside the clock: ``backends.proofs``.

Words
-----
refutation  a formula in clauses, and a proof in DRAT that no assignment satisfies it; or a model of
            constraints, and a proof by inferences; or pseudo-Boolean inequalities, and a proof by
            cutting planes
excluded    solutions that clauses of the formula exclude: they had been found before
certificate what became of the proofs of an answer
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from modelling.problem import Assignment
from modelling.rewriting import Rewritten
from modelling.working_folder import find_in_working_folder

SECONDS = 60
"""The default limit on the time of a check, in seconds."""

MEMORY_MB = 4000
"""Addresses that the checker may use."""

MOST_BYTES = 1_000_000_000
"""A longer proof is not kept."""

MOST_EXCLUDED = 100_000
"""Most solutions that are remembered to be checked."""


INSTALL = "pip install 'solver-concord[proof]'"


def missing() -> str:
    """Why no proof can be checked here; empty if it can."""
    if place := find_in_working_folder("dratify"):
        return f"{place} in the working folder hides dratify, which checks proofs; rename it"
    return "" if find_spec("dratify") is not None else f"dratify is not installed: {INSTALL}"


Row = tuple[Sequence[tuple[int, int]], int]
"""A pseudo-Boolean inequality: literals with their weights, and what the true ones must reach."""


def read_proof(file: Path) -> tuple[bytes, str]:
    """The proof that a solver has written to a file, and why it is missing."""
    try:
        size = file.stat().st_size
        if size > MOST_BYTES:
            return b"", f"its proof is longer than {MOST_BYTES:,} bytes"
        return file.read_bytes(), ""
    except OSError as error:
        return b"", f"its proof cannot be read: {error.strerror}"


@dataclass(frozen=True, eq=False)
class Refutation:
    """One formula without a model, and how that is shown.

    ``clauses``, ``blocks``  the formula: lists of clauses, and arrays of clauses that end with a 0;
                they are those that the encoder made, whatever the solver was given
    ``excluded``  the solutions that some of these clauses exclude
    ``than``      others of them say that the objective is better than this
    ``value``     others say that the objective is this
    ``proof``     DRAT as the solver wrote it; None, if it wrote none
    ``binary``    in which of the two forms of DRAT
    ``missing``   why the proof is missing
    ``seconds``   how long its check may take
    ``model``     in place of clauses: writes the problem for the checker of inferences, whose
                format the proof then has (``backends.proofs.inferences``); or with ``rows`` the
                formula for the checker of cutting planes (``backends.proofs.cutting_planes``)
    ``literals``  for each variable that was posed the literals that each of its values makes true
    ``rows``      the inequalities of that formula, and those that exclude solutions
    ``rewritten`` how the problem became what was posed; these three for the check of the encoding
    """

    clauses: tuple[Iterable[Sequence[int]], ...]
    blocks: tuple[Any, ...] = ()
    excluded: tuple[Assignment, ...] = ()
    than: int | None = None
    value: int | None = None
    proof: bytes | None = None
    binary: bool = False
    missing: str = ""
    seconds: float = SECONDS
    model: Callable[[], bytes] | None = None
    literals: Callable[[], Sequence[Mapping[int, Sequence[int]]]] | None = None
    rows: Callable[[], Sequence[Row]] | None = None
    rewritten: Rewritten | None = None

    def formula(self) -> bytes:
        """The model; or all clauses as 32-bit integers of this machine, each ended by a 0."""
        if self.model is not None:
            return self.model()
        single = array("i", chain.from_iterable((*clause, 0) for clause in chain(*self.clauses)))
        return b"".join(
            (single.tobytes(), *(block.astype("=i4").tobytes() for block in self.blocks))
        )

    def of_declared(self, rewritten: Rewritten) -> Refutation:
        """The same with the excluded solutions on the declared variables."""
        excluded = tuple(map(rewritten.project, self.excluded))
        return replace(self, excluded=excluded, rewritten=rewritten)


EncodingState = Literal["", "enumerated", "agreed", "unchecked", "wrong"]
"""What became of the check of an encoding: each group of clauses was enumerated, or a second engine
agreed where that would take too long; or neither; or it loses a solution."""

CertificateState = Literal["", "checked", "rejected", "unchecked"]


class Certificate(NamedTuple):
    """What became of the proofs of an answer: nothing (empty) where none is due.

    ``said`` has the checker, or why a proof is rejected, or why it was not checked; ``steps`` and
    ``size`` (bytes) are those of all its proofs, ``seconds`` what all of it took. ``encoding`` is
    what became of the check that the clauses lose no solution of the problem, the weakest of all
    its formulas, and ``encoding_said`` by what means, or why not.
    """

    state: CertificateState = ""
    said: str = ""
    steps: int = 0
    size: int = 0
    seconds: float = 0.0
    encoding: EncodingState = ""
    encoding_said: str = ""


NO_CERTIFICATE = Certificate()
"""That of an answer without proofs."""
