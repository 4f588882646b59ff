"""Taillard's shops: how they are drawn from two seeds, and the files that they come in.

E. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research
64, 1993: durations are drawn from 1 to 99 with the first seed, job by job; each job's order of
machines is then shuffled with the second. Numbers come from Bratley, Fox and Schrage's generator
x := 16807 x mod (2**31 - 1), so that the field's instances are given by their seeds.

A file has, for each instance, a heading of words and a line with the numbers of jobs and machines
(seeds and bounds may follow), then the word ``Times`` and a line of durations for each job, then
``Machines`` and a line of machines, from 1, for each job. Headings are whatever lines begin with a
letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from modelling.errors import InputError, InstanceError
from puzzles.formats import label, place
from puzzles.lines import list_filled_lines, read_number, split_words

MODULUS, FACTOR = 2**31 - 1, 16807
LARGEST = 99
MOST_JOBS = MOST_MACHINES = 100
MOST_OPERATIONS = 2000
MOST_DURATION = 100_000

Operations = tuple[tuple[int, int], ...]
"""The machine, from 0, and the duration of each operation of a job."""


class Shop(NamedTuple):
    """An instance of a file, and the line at which its numbers begin."""

    name: str
    line: int
    jobs: tuple[Operations, ...]


class Draws:
    """Whole numbers within bounds, drawn from a seed; as in the paper, in floating point."""

    def __init__(self, seed: int) -> None:
        if not 0 < seed < MODULUS:
            raise InputError(f"a seed of {seed}; Taillard's seeds go from 1 to {MODULUS - 1}")
        self._state = seed

    def between(self, least: int, most: int) -> int:
        """The next number."""
        self._state = self._state * FACTOR % MODULUS
        return least + int(self._state / MODULUS * (most - least + 1))


def draw_shop(
    jobs: int, machines: int, time_seed: int, machine_seed: int
) -> tuple[Operations, ...]:
    """The instance of these seeds; each job visits each machine once."""
    check_size(jobs, machines)
    times, orders = Draws(time_seed), Draws(machine_seed)
    durations = [[times.between(1, LARGEST) for _ in range(machines)] for _ in range(jobs)]
    visits = []
    for _ in range(jobs):
        order = list(range(machines))
        for k in range(machines):
            other = orders.between(k, machines - 1)
            order[k], order[other] = order[other], order[k]
        visits.append(order)
    return tuple(tuple(zip(*job, strict=True)) for job in zip(visits, durations, strict=True))


def check_size(jobs: int, machines: int) -> None:
    """Raises ``InputError`` for what is not a shop, or is too large a one."""
    if not (1 <= jobs <= MOST_JOBS and 1 <= machines <= MOST_MACHINES):
        raise InputError(f"no shop of {jobs} jobs and {machines} machines")
    if jobs * machines > MOST_OPERATIONS:
        raise InputError(f"{jobs * machines} operations; there are at most {MOST_OPERATIONS}")


def is_heading(line: str) -> bool:
    """Whether a line begins with a letter or with what headings are underlined with."""
    return line.lstrip()[:1].isalpha() or line.lstrip()[:1] in tuple("#+*-=")


def read_taillard(lines: Iterable[str], source: str) -> Iterator[Shop]:
    """Yield the instances of a file; raise ``InstanceError`` at a bad one."""
    rows = list_filled_lines(lines)
    at, found = 0, 0
    while True:
        while at < len(rows) and is_heading(rows[at][1]):
            at += 1
        if at == len(rows):
            break
        shop, at = _read_one(rows, at, source)
        found += 1
        yield shop._replace(name=f"{label(source)}-{found}")
    if not found:
        raise InstanceError("there is no shop in the file", place(source, 1, 1))


def read_plain_rows(
    lines: Iterable[str], source: str, shop: str, what: str
) -> tuple[int, int, list[tuple[int, str]]]:
    """The line at which a file of one instance begins, the number of machines, and the line of
    each job."""
    rows = [row for row in list_filled_lines(lines) if not is_heading(row[1])]
    if not rows:
        raise InstanceError(f"there is no {shop} in the file", place(source, 1, 1))
    line = rows[0][0]
    jobs, machines = read_sizes(rows[0], source)
    if len(rows) != jobs + 1:
        cause = f"{len(rows) - 1} lines of {what} follow, and not one for each of {jobs} jobs"
        raise InstanceError(cause, place(source, line, 1))
    return line, machines, rows[1:]


def _read_one(rows: Sequence[tuple[int, str]], at: int, source: str) -> tuple[Shop, int]:
    jobs, machines = read_sizes(rows[at], source)
    line = rows[at][0]
    durations, at = _read_block(rows, at + 1, source, jobs, machines, "a duration")
    every = _read_block(rows, at, source, jobs, machines, "a machine")
    visits, at = every
    return Shop(
        "",
        line,
        tuple(
            tuple((machine - 1, duration) for machine, duration in zip(*job, strict=True))
            for job in zip(visits, durations, strict=True)
        ),
    ), at


def read_sizes(row: tuple[int, str], source: str) -> tuple[int, int]:
    """The numbers of jobs and machines, with which a line begins."""
    line, text = row
    words = split_words(text)
    if len(words) < 2:
        cause = "expected the number of jobs and the number of machines, as in '10 5'"
        raise InstanceError(cause, place(source, line, words[0][1]))
    limits = ("the number of jobs", MOST_JOBS), ("the number of machines", MOST_MACHINES)
    jobs, machines = (
        read_number(word, what, 1, most, place(source, line, column))
        for (word, column), (what, most) in zip(words[:2], limits, strict=True)
    )
    if jobs * machines > MOST_OPERATIONS:
        cause = f"{jobs * machines} operations; there are at most {MOST_OPERATIONS}"
        raise InstanceError(cause, place(source, line, 1))
    return jobs, machines


def read_row(row: tuple[int, str], source: str, many: int, what: str, most: int) -> tuple[int, ...]:
    """The next numbers, as many as make a line."""
    line, text = row
    words = split_words(text)
    if len(words) != many:
        cause = f"{len(words)} numbers where there must be {many}; each is {what}"
        raise InstanceError(cause, place(source, line, words[0][1]))
    least = 1 if what == "a machine" else 0
    return tuple(
        read_number(word, what, least, most, place(source, line, column)) for word, column in words
    )


def _read_block(
    rows: Sequence[tuple[int, str]], at: int, source: str, jobs: int, machines: int, what: str
) -> tuple[list[tuple[int, ...]], int]:
    """A line for each job, after headings, and where the next line is."""
    while at < len(rows) and is_heading(rows[at][1]):
        at += 1
    if at + jobs > len(rows):
        cause = f"the file ends; {jobs} lines of {machines} numbers should follow, each {what}"
        raise InstanceError(cause, place(source, rows[-1][0], 1))
    most = machines if what == "a machine" else MOST_DURATION
    block = [read_row(row, source, machines, what, most) for row in rows[at : at + jobs]]
    if what == "a machine":
        for row, visited in zip(rows[at:], block, strict=False):
            if len(set(visited)) < machines:
                raise InstanceError("a machine occurs twice in a job", place(source, row[0], 1))
    return block, at + jobs
