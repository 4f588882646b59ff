"""Findings as scripts in the native words of the solver at fault, one module a solver.

In reading order: ``task`` (what a script is written of), ``recording`` (what a backend calls of its
library becomes lines), ``libraries`` (a module each), ``apart`` (which calls them, in a process
of its own where that may end), ``writing`` (the whole script).
"""

from __future__ import annotations

from harness.hunting.scripts.writing import (
    MOST_RUNS,
    count_lines,
    drop_settings,
    shows_fault,
    write_script,
)

__all__ = ["MOST_RUNS", "count_lines", "drop_settings", "shows_fault", "write_script"]
