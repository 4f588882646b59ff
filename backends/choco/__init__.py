"""Choco behind the common interface, by pychoco: ``choco:OPTION,OPTION``. Classical constraint
programming: propagation and backtracking, by default without learning.

search  ``default`` Choco's own (domain size over weighted degree, last conflict first); ``first``
        variables in their order; ``smallest`` the fewest values first; ``conflicts``
        conflict-history search; ``random`` any variable and value, by ``Limits.seed``. All but
        ``default`` and ``random`` try the least value first
workarounds  ``kept`` (default), or ``dropped``: known faults of Choco are not avoided

Other words are Choco's settings (``parameters``), such as ``choco:max_learnt_clauses=1000``.

Modules: ``model`` makes Choco's model of a structure and an instance, ``guards`` decides which
instances are given natively. ``comparisons``, ``tables``, ``formulas``, ``counting``,
``functions``, ``graphs`` and ``scheduling`` pose constraints. ``handlers`` has the table of all
handlers, ``unguarded`` those with Choco's known faults, ``backend`` the search.

pychoco has no way to take a model back to where it was, so a model is built at each call, over the
values that are open there; what is kept of a structure is what has to be posed. Limits: seconds,
``nodes`` and ``conflicts`` (failures) are Choco's own. The seed is for random search; threads are
ignored. Choco gives a bound on an optimum only when the optimum is proven.
"""

from __future__ import annotations

from backends.choco.backend import OPTIONS, make
from backends.choco.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
