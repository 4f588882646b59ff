"""What the end of a run says. Only what a program prints counts: an end without a claim, or a
solution that breaks off, is not an answer; and an end must be consistent with what was shown.

Words
-----
costs    what the solutions that were shown cost, None without objective; empty where none was
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Protocol, TypeVar

from backends.interface.programs.answers.reader import Reader

Sighting = TypeVar("Sighting")


class Ending(Protocol):
    """A process that knows whether it was asked to end."""

    asked_to_end: bool


def without_last_again(sightings: Iterable[Sighting], process: Ending) -> Iterator[Sighting]:
    """Solutions as they are printed, without a repeat of the last one by a program that was asked
    to end. cosoco 2.6.1 prints such a repeat at times; it did not find the solution twice."""
    last = None
    for sighting in sightings:
        if not (process.asked_to_end and sighting == last):
            yield sighting
        last = sighting


def find_fault(reader: Reader, question: str, costs: Set[int | None], own_time_over: bool) -> str:
    """Why the end of a run that ended by itself is not an answer; empty if it is one."""
    if reader.open:
        return "its output breaks off within a solution"
    if not reader.claim and not own_time_over:
        return f"it ended without an answer: {reader.missing}"
    if reader.claim in ("SATISFIABLE", "OPTIMUM") and not costs:
        return (
            f"it says {reader.native} and shows no solution; some programs do so when they are "
            "told to by an option, and some write it to a file"
        )
    stated = reader.objective if question == "optimum" else None
    proves = reader.claim == "OPTIMUM" or reader.complete
    if proves and costs and stated is not None and stated not in costs:
        return f"it says {reader.native}, value {stated}, and shows no solution of that value"
    return ""


def find_contradiction(reader: Reader, question: str, costs: Set[int | None]) -> str:
    """What is wrong however a run has ended; empty if nothing is. A program that was to show all
    solutions may say of what is left that it is unsatisfiable."""
    if reader.claim == "UNSATISFIABLE" and costs and question != "all":
        return f"it shows a solution and says {reader.native}"
    return ""


def has_finished(reader: Reader, question: str, costs: Set[int | None]) -> bool:
    """Whether it says that nothing is left.

    Without a solution only the word UNSATISFIABLE says so: that a search is complete says nothing
    of what was found, and any other word takes it back.
    """
    if reader.open:
        return False
    if reader.claim == "UNSATISFIABLE":
        return True
    if reader.unsure or not costs:
        return False
    if question != "optimum":
        return reader.complete
    is_shown = reader.objective is None or reader.objective in costs
    return is_shown and (reader.complete or reader.claim == "OPTIMUM")
