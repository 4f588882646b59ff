"""Which findings have one cause: those of one solver with one fault, that the same parts show.

A wrong answer is asked for again with less: without options, then without each constraint, without
objective and output. What is left when the fault would go away names the cause. The end of a
process is named by its last words. A dispute with another solver alone that is gone when both are
asked again is named by that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import get_args

from backends.interface import registry
from harness.hunting.findings import Fault
from harness.hunting.fuzzing.coverage import find_placed
from harness.hunting.fuzzing.drawing.configurations import list_items
from harness.hunting.judging.answers import Wrong
from harness.hunting.judging.asked import Asked
from modelling.problem import Problem

NOTHING = "nothing in particular"
LONGEST_NAME = 80
MOST_TRIALS = 60
"""Questions that a reduction asks at most."""


@dataclass(frozen=True)
class Cause:
    """What findings have in common; ``parts`` are classes with positions, and options."""

    solver: str
    fault: Fault
    parts: tuple[str, ...]

    def __str__(self) -> str:
        parts = ", ".join(self.parts) or NOTHING
        return f"{self.solver}: {self.fault} with {parts}"


def read_cause(text: str) -> Cause:
    """The cause that a text names."""
    for fault in get_args(Fault):
        solver, found, parts = text.partition(f": {fault} with ")
        if found:
            return Cause(solver, fault, () if parts == NOTHING else tuple(parts.split(", ")))
    raise ValueError(f"{text!r} names no cause")


def group(found: Mapping[str, int]) -> dict[str, list[str]]:
    """The causes that none of the others explains, each with those that it explains.

    A cause explains those of the same solver whose parts include its own: one bug may show as
    several faults, and with more around it. The end of a process explains nothing else.
    """
    causes = sorted(map(read_cause, found), key=lambda one: (len(one.parts), -found[str(one)]))
    groups: dict[str, list[str]] = {}
    heads: list[Cause] = []
    for cause in causes:
        head = next((one for one in heads if _explains(one, cause)), None)
        if head is None:
            heads.append(cause)
            groups[str(cause)] = []
        else:
            groups[str(head)].append(str(cause))
    return groups


def _explains(one: Cause, other: Cause) -> bool:
    if one.solver != other.solver or {one.fault, other.fault} & {"crash", "hang"}:
        return False
    return set(one.parts) <= set(other.parts)


def name_folder(cause: str) -> str:
    """The name of a folder for the findings of a cause, given as its text."""
    name = re.sub(r"[^A-Za-z0-9_.@=]+", "-", cause).strip("-")
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}-{blake2b(cause.encode(), digest_size=4).hexdigest()}"


def find_cause(asked: Asked, wrong: Wrong, base: str) -> Cause:
    """The cause of a wrong answer to a question that was reduced; ``base`` is the backend as the
    user names it."""
    head, release, _ = registry.split(asked.backend)
    solver = head if release is None else f"{head}@{release}"
    if solver in ("py", "command"):
        solver = base
    if wrong.fault in ("crash", "hang"):
        return Cause(solver, wrong.fault, (_normalise(wrong.note),))
    if wrong.witness:  # it could not be asked again about less
        return Cause(solver, wrong.fault, (f"no oracle, by {wrong.authority}",))
    placed = find_placed(asked.problem.structure)
    inner = {name for name, position in placed if position not in ("root", "objective")}
    parts = sorted({name for name, _ in placed} - {"Truth"} if not inner else _join(placed))
    options = sorted({re.sub(r"=-?[\d.]+$", "", item) for item in list_items(asked.backend, base)})
    return Cause(solver, wrong.fault, (*parts, *options))


def _normalise(note: str) -> str:
    """The first line of what was said, without numbers and folders, which differ from problem to
    problem."""
    bare = re.sub(r"(/[^\s/]+)+/", "", note.partition("\n")[0])
    return re.sub(r"-?\d+", "N", bare)[:100]


def _join(placed: frozenset[tuple[str, str]]) -> set[str]:
    """The classes, those within others by the outer one too."""
    return {
        name if position in ("root", "objective") else f"{name} in {position}"
        for name, position in placed
    }


def reduce(asked: Asked, base: str, is_faulty: Callable[[Asked], bool]) -> Asked:
    """A question with less in it that shows the same fault, by ``is_faulty``."""
    trials = MOST_TRIALS
    changed = True
    while changed and trials > 0:
        changed = False
        for smaller in _list_smaller(asked, base):
            trials -= 1
            if is_faulty(smaller):
                asked, changed = smaller, True
                break
            if trials <= 0:
                break
    return asked


def _list_smaller(asked: Asked, base: str) -> Iterator[Asked]:
    if asked.backend != base:
        yield replace(asked, backend=base)
        items = list_items(asked.backend, base)
        separator = "," if ":" in base else ":"
        for left in items if len(items) > 1 else []:
            rest = ",".join(item for item in items if item != left)
            yield replace(asked, backend=f"{base}{separator}{rest}")
    structure, masks = asked.problem.structure, asked.problem.masks
    for place in range(len(structure.constraints)):
        kept = (*structure.constraints[:place], *structure.constraints[place + 1 :])
        yield replace(asked, problem=Problem(replace(structure, constraints=kept), masks))
    if structure.objective is not None and not asked.question.optimum:
        yield replace(asked, problem=Problem(replace(structure, objective=None), masks))
    if structure.output is not None:
        yield replace(asked, problem=Problem(replace(structure, output=None), masks))
