"""PSPLIB's files of projects with one mode (``.sm``): sections, each below a heading.

Rows of asterisks are between them, rows of hyphens below the names of columns. What is read: the
number of jobs, ``PRECEDENCE RELATIONS``, ``REQUESTS/DURATIONS`` and ``RESOURCEAVAILABILITIES``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from modelling.errors import InstanceError
from puzzles.formats import place
from puzzles.lines import read_number, split_words

Rows = Sequence[tuple[int, str]]
Job = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The duration, the demands, the jobs that wait, from 0."""


def read_project(
    rows: Rows, source: str, most_jobs: int, most_duration: int, most_capacity: int
) -> tuple[tuple[int, ...], list[Job]]:
    """The capacities and the jobs, without the first and the last; raises ``InstanceError``."""
    jobs = _read_count(rows, source, "jobs", 3, most_jobs + 2)
    for kind in ("nonrenewable", "doubly constrained"):  # resources that are used up are not read
        _read_count(rows, source, kind, 0, 0)
    # jobnr, modes, successors; jobnr, mode, duration, demands; capacities
    waiting = _read_section(rows, source, "PRECEDENCE RELATIONS", 3)
    using = _read_section(rows, source, "REQUESTS/DURATIONS", 4)
    (available,) = _read_section(rows, source, "RESOURCEAVAILABILITIES", 1)[:1]
    where, words = available
    capacities = tuple(
        read_number(word, "a capacity", 0, most_capacity, place(source, where, column))
        for word, column in words
    )
    successors = [_read_successors(row, source, jobs, k) for k, row in enumerate(waiting, 1)]
    uses = [_read_use(row, source, capacities, most_duration, k) for k, row in enumerate(using, 1)]
    for found, section in ((successors, "PRECEDENCE RELATIONS"), (uses, "REQUESTS/DURATIONS")):
        if len(found) != jobs:
            cause = f"{len(found)} jobs are listed below {section}, not {jobs}"
            raise InstanceError(cause, place(source, _find(rows, source, section), 1))
    for k in (0, -1):
        if any(uses[k][1]) or uses[k][0]:
            cause = (
                f"job {k % jobs + 1} stands for the {'end' if k else 'beginning'}, and is no job"
            )
            raise InstanceError(
                f"{cause}: it must take neither time nor resources", place(source, using[k][0], 1)
            )
    return capacities, [
        (duration, demands, tuple(s - 2 for s in waits if s < jobs))
        for (duration, demands), waits in zip(uses[1:-1], successors[1:-1], strict=True)
    ]


def _read_count(rows: Rows, source: str, what: str, least: int, most: int) -> int:
    """The number after the colon of the line that begins so."""
    for line, text in rows:
        found = re.match(rf"[\s-]*{what}\b[^:]*:\s*(\S+)", text)
        if found:
            where = place(source, line, found.start(1) + 1)
            return read_number(found[1], f"the number of {what}", least, most, where)
    raise InstanceError(f"there is no line '{what} : N'", place(source, 1, 1))


def _find(rows: Rows, source: str, section: str) -> int:
    for line, text in rows:
        if text.strip().startswith(section):
            return line
    raise InstanceError(
        f"there is no section {section}", place(source, rows[-1][0] if rows else 1, 1)
    )


def _read_section(
    rows: Rows, source: str, section: str, least: int
) -> list[tuple[int, list[tuple[str, int]]]]:
    """The rows of numbers up to the next asterisks, each with its line."""
    begin = _find(rows, source, section)
    found = []
    for line, text in rows:
        if line <= begin or not text.strip():
            continue
        if text.lstrip().startswith("*"):
            break
        words = split_words(text)
        if not words[0][0].isdigit():
            continue
        if len(words) < least:
            cause = f"{len(words)} numbers, where there are at least {least}"
            raise InstanceError(cause, place(source, line, words[0][1]))
        found.append((line, words))
    if not found:
        raise InstanceError(f"the section {section} is empty", place(source, begin, 1))
    return found


def _read_successors(
    row: tuple[int, list[tuple[str, int]]], source: str, jobs: int, job: int
) -> tuple[int, ...]:
    line, words = row

    def number(k: int, what: str, least: int, most: int) -> int:
        word, column = words[k]
        return read_number(word, what, least, most, place(source, line, column))

    number(0, "the number of the job", job, job)
    number(1, "how many modes there are (one only is read)", 1, 1)
    many = number(2, "how many jobs wait", 0, jobs)
    if many and job == jobs:
        cause = f"job {job} stands for the end, and {many} jobs wait for it; write 0 and no jobs"
        raise InstanceError(cause, place(source, line, words[2][1]))
    if len(words) != 3 + many:
        cause = f"{len(words) - 3} jobs follow, not {many}"
        raise InstanceError(cause, place(source, line, words[2][1]))
    return tuple(number(k, "a job that waits", 2, jobs) for k in range(3, 3 + many))


def _read_use(
    row: tuple[int, list[tuple[str, int]]],
    source: str,
    capacities: tuple[int, ...],
    most_duration: int,
    job: int,
) -> tuple[int, tuple[int, ...]]:
    line, words = row
    if len(words) != 3 + len(capacities):
        cause = f"{len(words) - 3} demands, and {len(capacities)} capacities at the end of the file"
        raise InstanceError(cause, place(source, line, words[0][1]))
    places = [place(source, line, column) for _, column in words]
    read_number(words[0][0], "the number of the job", job, job, places[0])
    read_number(words[1][0], "the mode", 1, 1, places[1])
    duration = read_number(words[2][0], "a duration", 0, most_duration, places[2])
    return duration, tuple(
        read_number(word, "the use of a resource", 0, capacity, where)
        for (word, _), capacity, where in zip(words[3:], capacities, places[3:], strict=True)
    )
