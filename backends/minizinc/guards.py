"""What MiniZinc and the solvers behind it are not given natively, by release.

``tests/backends/minizinc`` asks the releases, so that one that does better is noticed.
"""

from __future__ import annotations

from typing import Any

from backends.minizinc.solvers import InstalledSolver
from modelling.constraints import Linear
from modelling.formats.minizinc import PROFILE
from modelling.formats.minizinc.releases import read_release
from modelling.problem import Structure
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.functions.multiplication import Quotient, Remainder

GECODE: dict[type, tuple[int, int]] = {Quotient: (6, 4), Remainder: (6, 4), NValue: (6, 3)}
"""From which release of Gecode on a function is native. ``div`` and ``mod`` accept wrong values
if a variable is repeated in one (https://github.com/Gecode/gecode/issues/170), as it may be once
MiniZinc has replaced equal variables. Debian's library of 6.2 lacks ``nvalue`` as MiniZinc 2.6.4
calls it. Gecode's global cardinality loses solutions with the annotation ``:: domain``
(https://github.com/Gecode/gecode/issues/166), which is never written."""


COMPILER: dict[type, tuple[int, int, int]] = {Quotient: (2, 6, 5), Remainder: (2, 6, 5)}
"""The same for releases of MiniZinc: up to 2.6.4, which was tried, its compiler forgets in a
division that an index within it is outside its array (``docs/disagreements.md``)."""


def find_hole(structure: Structure) -> str:
    """Why a domain that is too large to be listed may lose a value between its ends; else empty.

    MiniZinc writes a domain with a hole to FlatZinc value by value.
    """
    large = set(structure.ranges)
    waiting: list[tuple[Any, bool]] = [(c, True) for c in structure.constraints] if large else []
    while waiting:
        part, is_root = waiting.pop()
        waiting += [(inner, False) for inner in part.parts()]
        if type(part) is not Linear or large.isdisjoint(part.scope):
            continue
        if part.relation == "!=" or (part.relation == "==" and not is_root):
            name = structure.names[next(v for v in part.scope if v in large)]
            return (
                f"the domain of {name} is too large to be listed, as MiniZinc does with one that "
                f"loses a value to {part.relation}"
            )
    return ""


def find_native(solver: InstalledSolver, release: str) -> frozenset[type]:
    """The classes that a MiniZinc says, without those that it or the solver gets wrong."""
    wrong = {kind for kind, since in COMPILER.items() if read_release(release) < since}
    if solver.word == "gecode":
        own = read_release(solver.version)
        wrong |= {kind for kind, since in GECODE.items() if own < since}
    return frozenset(native.kind for native in PROFILE.natives if native.kind not in wrong)
