"""What the compiled kernels share: why a search ended, what it counts, and ``UNLIMITED``."""

from __future__ import annotations

EXHAUSTED, ENOUGH, NODE_LIMIT = 1, 2, 3
"""Why a search ended: nothing is left; as many solutions as asked; as many guesses as allowed."""

NODES, GUESSES, FAILURES, PROPAGATIONS, PEAK_DEPTH = range(5)
"""Places in an array of statistics (int64): states propagated to their end; branchings;
contradictions; sweeps (9x9) or domains changed; the greatest number of open alternatives."""

STATISTICS = 5
UNLIMITED = (1 << 63) - 1
