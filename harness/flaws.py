"""What is impossible in a record, whoever wrote it: it is named, and its job does not rank.

The same is asked of an answer when it arrives from a worker, and of a record when it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
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

UNTIMED = (INSIDE, "proof")
"""Phases that are not part of the time of a job, or lie inside another one."""

LONGEST = 1e9
"""No job takes so many seconds, or so many megabytes."""


def find_flaw(fields: Mapping[str, Any]) -> str:
    """What is impossible in a record of these ``CHECKED`` fields; empty for nothing."""
    outcome, status = fields["outcome"], fields["status"]
    if outcome not in OUTCOMES:
        return f"there is no outcome {outcome!r}"
    if status is not None and status not in STATUSES:
        return f"there is no status {status!r}"
    for name in AMOUNTS:
        value = fields[name]
        if value is not None and not _is_amount(value):
            return f"{name} is {value!r}"
    for name in COUNTS:
        value = fields[name]
        if isinstance(value, str):  # a whole number that no cell holds
            value = int(value) if value.isdigit() else -1
        if value is not None and (not isinstance(value, int) or value < 0):
            return f"{name} is {fields[name]!r}"
    wall_s, elapsed_s = fields["wall_s"] or 0.0, fields["elapsed_s"] or 0.0
    if elapsed_s and wall_s > _most(elapsed_s):
        return f"wall_s is {wall_s:.6f}, and the supervisor waited {elapsed_s:.6f} s"
    if outcome == "error":  # an answer that was refused for its phases, say: they are kept
        return ""
    return _find_phase_flaw(fields["phases"] or {}, wall_s)


def _find_phase_flaw(phases: Mapping[str, Any], wall_s: float) -> str:
    for name, value in phases.items():
        if not _is_amount(value):
            return f"the phase {name} took {value!r} s"
    inside = phases.get(INSIDE, 0.0)
    if inside > _most(wall_s):
        return f"the first solution came after {inside:.6f} s, of {wall_s:.6f} s in all"
    total = sum(value for name, value in phases.items() if name not in UNTIMED)
    if total > _most(wall_s):
        return f"its phases add up to {total:.6f} s, and wall_s is {wall_s:.6f}"
    return ""


def _is_amount(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and isfinite(value) and 0 <= value < LONGEST  # type: ignore[arg-type, operator]


def _most(seconds: float) -> float:
    return seconds * (1 + TOLERANCE) + TOLERANCE_S
