"""Programs that tests need and that may be missing: skips, the line that counts them, a second run.

A test that needs a program calls ``require_program``, or skips with the message of a backend that
names the program. The run ends with one line that counts these skips by program. The option
``--skipped-before`` selects the tests that the last run skipped, so that a machine can run them
after an installation without the rest of the suite.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable

import pytest

CACHE_KEY = "concord/skipped"
PROGRAM = re.compile(r"\bprogram '?([\w.-]+)'?")


def require_program(name: str) -> str:
    """The path of a program; the test is skipped if the PATH has none of that name."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"needs the program {name}, which is not installed")
    return path


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The reason of a report of a skip."""
    longrepr = report.longrepr
    reason = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
    return reason.removeprefix("Skipped: ")


def count_missing_programs(reasons: Iterable[str]) -> str:
    """The line that counts the tests which need a missing program; empty if there is none.

    >>> count_missing_programs(["needs the program java, which is not installed", "needs Windows"])
    '1 test skipped for want of a program: java 1'
    """
    matches = filter(None, map(PROGRAM.search, reasons))
    programs = Counter(match[1] for match in matches)
    if not programs:
        return ""
    number = programs.total()
    counts = ", ".join(f"{name} {count}" for name, count in sorted(programs.items()))
    return f"{number} test{'s' * (number != 1)} skipped for want of a program: {counts}"


def was_skipped(node: str, skipped: Iterable[str]) -> bool:
    """Whether a test, or the file that has it, is among the nodes that were skipped."""
    return any(node == one or node.startswith(f"{one}::") for one in skipped)
