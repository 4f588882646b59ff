"""toulbar2 behind the common interface, by pytoulbar2: ``toulbar2:OPTION``. Cost function networks:
branch and bound over tables of costs, in which what is forbidden costs too much.

search  ``complete`` toulbar2's own hybrid best-first search; ``vns`` variable neighbourhood search,
        which begins with the first solution that depth-first search finds: it finds and improves,
        and proves nothing

Modules: ``network`` makes a cost function network of an instance. ``differences``, ``sums`` and
``tables`` pose constraints. ``handlers`` has the table of all handlers, ``timer`` the limit on
time, ``backend`` the search.

toulbar2 answers when its search is over: solutions are given all at once, and an optimum has no
incumbents before the end. It cannot be taken back to where it was, so a network is made at each
call. Limits: seconds are kept (``timer``), but not while it prepares the search; ``conflicts`` are
backtracks, which neighbourhood search does not keep. toulbar2 has no limit on nodes, and no
threads. The seed is for neighbourhood search and ties. Options are global to the thread, and each
call sets them back; one network lives at a time.
"""

from __future__ import annotations

from backends.toulbar2.backend import OPTIONS, make
from backends.toulbar2.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
