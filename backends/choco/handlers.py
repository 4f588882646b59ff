"""The table of all that Choco takes.

Choco reifies any constraint: its Choco constraints are posted, or a Boolean implies them or is
equivalent to them. Every Boolean made here is equivalent to something, so that solutions can be
counted.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.choco.comparisons import COMPARISONS
from backends.choco.counting import COUNTED, COUNTING
from backends.choco.formulas import AT_ROOT as FORMULAS_AT_ROOT
from backends.choco.formulas import FORMULAS
from backends.choco.functions import FUNCTIONS
from backends.choco.graphs import GRAPHS, ROOT_ONLY
from backends.choco.scheduling import AT_ROOT as TASKS_AT_ROOT
from backends.choco.scheduling import IMPLIED, SCHEDULING
from backends.choco.tables import TABLES
from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import Builder, Builders, handler
from modelling.rewriting.profile import Guard

_REIFIED: Mapping[type, tuple[Builder, Guard | None]] = {
    **COMPARISONS,
    **TABLES,
    **COUNTING,
    **GRAPHS,
    **SCHEDULING,
}
_DEFINED = {**FUNCTIONS, **COUNTED, **ROOT_ONLY}
BUILDERS: Builders = {
    **FORMULAS,
    **{kind: builder for kind, (builder, _) in {**_REIFIED, **IMPLIED}.items()},
}
"""What a formula may contain or imply."""

HANDLERS: Handlers = {
    **{kind: handler(*it, at_root=TASKS_AT_ROOT.get(kind)) for kind, it in _REIFIED.items()},
    **{kind: handler(*it, modes=("root", "half")) for kind, it in IMPLIED.items()},
    **{kind: handler(*it, modes=("root",)) for kind, it in _DEFINED.items()},
    **{
        kind: handler(it, arguments="nested", repeats=True, at_root=FORMULAS_AT_ROOT.get(kind))
        for kind, it in FORMULAS.items()
    },
}
