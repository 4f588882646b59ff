"""What the solvers behind MiniZinc are not given natively, by their releases.

``tests/backends/minizinc`` asks the releases, so that one that does better is noticed.
"""

from __future__ import annotations

from backends.minizinc.solvers import Found, read_release
from modelling.formats.minizinc import PROFILE
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.functions.multiplication import Quotient, Remainder

GECODE: dict[type, tuple[int, int]] = {Quotient: (6, 4), Remainder: (6, 4), NValue: (6, 3)}
"""From which release of Gecode on a function is native. ``div`` and ``mod`` accept wrong values
where a variable stands twice in one (https://github.com/Gecode/gecode/issues/170), as it may once
MiniZinc has replaced equal variables; Debian's library of 6.2 lacks ``nvalue`` as MiniZinc 2.6.4
calls it. Its global cardinality loses solutions where ``:: domain`` stands after it
(https://github.com/Gecode/gecode/issues/166), which is never written."""


COMPILER: dict[type, tuple[int, int, int]] = {Quotient: (2, 6, 5), Remainder: (2, 6, 5)}
"""The same for releases of MiniZinc: up to 2.6.4, which was tried, its compiler forgets in a
division that an index within it is outside its array (``docs/disagreements.md``)."""


def find_native(solver: Found, release: str) -> frozenset[type]:
    """The classes that a MiniZinc says, without those that it or the solver gets wrong."""
    wrong = {kind for kind, since in COMPILER.items() if read_release(release) < since}
    if solver.word == "gecode":
        own = read_release(solver.version)
        wrong |= {kind for kind, since in GECODE.items() if own < since}
    return frozenset(native.kind for native in PROFILE.natives if native.kind not in wrong)
