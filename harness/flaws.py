"""What is impossible in a record, whoever wrote it: it is named, and its job does not rank.

The same is asked of an answer when it arrives from a worker, and of a record when it is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from backends.interface.api import Status
from backends.interface.evidence.answer import INSIDE, TOLERANCE, TOLERANCE_S
from harness.record import OUTCOMES

STATUSES = get_args(Status)

TIMES = ("wall_s", "elapsed_s", "cpu_s", "import_s", "warm_up_s")
AMOUNTS = (*TIMES, "peak_memory_mb", "baseline_memory_mb", "memory_increment_mb")
COUNTS = ("count", "repeats", "proof_bytes", "left_behind")
CHECKED = ("outcome", "status", "phases", *AMOUNTS, *COUNTS)
"""The fields of a record that are looked at."""

UNTIMED = (INSIDE, "proof", "flatten")
"""Phases that are not part of the time of a job, or lie inside another one."""

LONGEST = 1e9
"""No job takes this many seconds, or megabytes."""

_AMOUNTS_END = 3 + len(AMOUNTS)
_NUMBERS = (float, int)


def find_flaw(fields: Sequence[Any]) -> str:
    """What is impossible in a record of these ``CHECKED`` fields; empty for nothing."""
    outcome, status, phases = fields[:3]
    if outcome not in OUTCOMES:
        return f"unknown outcome {outcome!r}"
    if status is not None and status not in STATUSES:
        return f"unknown status {status!r}"
    amounts, counts = fields[3:_AMOUNTS_END], fields[_AMOUNTS_END:]
    for name, value in zip(AMOUNTS, amounts, strict=True):
        # Neither infinity nor NaN is between the two.
        if value is not None and (type(value) not in _NUMBERS or not 0 <= value < LONGEST):
            return f"{name} is {value!r}"
    for name, value in zip(COUNTS, counts, strict=True):
        is_count = type(value) is int and value >= 0
        # A cell has a number that SQLite cannot hold as text.
        if not is_count and value is not None and not (isinstance(value, str) and value.isdigit()):
            return f"{name} is {value!r}"
    if outcome == "error":  # an answer that was refused for its phases, say: they are kept
        return ""
    wall_s, elapsed_s = fields[3] or 0.0, fields[4] or 0.0
    if elapsed_s and wall_s > _most(elapsed_s):
        return f"wall_s is {wall_s:.6f}, and the supervisor waited {elapsed_s:.6f} s"
    return _find_phase_flaw(phases or {}, _most(wall_s))


def _find_phase_flaw(phases: Mapping[str, Any], most: float) -> str:
    total = 0.0
    for name, value in phases.items():
        if type(value) not in _NUMBERS or not 0 <= value < LONGEST:
            return f"the phase {name} took {value!r} s"
        if name not in UNTIMED:
            total += value
        elif name == INSIDE and value > most:
            return f"the first solution came after {value:.6f} s, later than the end"
    if total > most:
        return f"its phases add up to {total:.6f} s, more than the job took"
    return ""


def _most(seconds: float) -> float:
    return seconds * (1 + TOLERANCE) + TOLERANCE_S
