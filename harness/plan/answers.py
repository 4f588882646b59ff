"""Answers that come with instances: a file says what is known of each, and by whom it is stated.

They are claims like those of solvers, and may be wrong like those: the store holds them as jobs
that ended before the run began, of the role ``stated``; the judge reconciles them with the rest.
docs/sets.md is the reference of the file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from backends.interface.api import Status
from harness.job import Question
from harness.plan.experiment import Experiment
from harness.plan.reading import convert_to
from harness.record import Record
from modelling.errors import ExperimentError
from modelling.wording import did_you_mean
from puzzles import sets
from puzzles.family import Instance
from puzzles.sets.toml_positions import Source, read_toml

IN_FOLDER = "answers.toml"
"""The file of a folder of instances that holds their answers, found by itself."""

STATED = "stated by "
"""Prefix of the origin of an answer, where other rows have the name of a backend."""

MOST_NAMES = 100_000
"""Most names of instances that are remembered, to tell the nearest one."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is stated of one instance; ``objective`` is a value that is reached, ``bound`` one that
    none is beyond, ``count`` the number of all solutions."""

    status: Literal["satisfiable", "unsatisfiable", "optimal", "unknown"]
    instance: str | None = None
    file: str | None = None
    set: str | None = None
    optimum: int | None = None
    objective: int | None = None
    bound: int | None = None
    sense: Literal["minimize", "maximize"] | None = None
    count: Annotated[int, Meta(ge=1)] | None = None
    stated: Annotated[str, Meta(min_length=1)] | None = None

    def find_fault(self) -> str:
        """What is wrong with it as a whole; empty if nothing is."""
        numbers = ("optimum", "objective", "bound", "sense", "count")
        given = [name for name in numbers if getattr(self, name) is not None]
        if self.instance is None and self.file is None:
            return "name an instance or a file, whose path is from here"
        if (self.status == "optimal") != (self.optimum is not None):
            return "status = 'optimal' and the key optimum belong together"
        if self.status == "unsatisfiable" and given:
            return f"what is unsatisfiable has no {given[0]}"
        if self.status == "unknown" and (self.bound is None or {"objective", "count"} & set(given)):
            return "status = 'unknown' says nothing but a bound"
        return ""


class AnswersFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of answers."""

    answer: Annotated[list[Answer], Meta(min_length=1)]


_STATUSES: dict[str, Status] = {
    "satisfiable": "SATISFIABLE",
    "unsatisfiable": "UNSATISFIABLE",
    "optimal": "OPTIMUM",
    "unknown": "UNKNOWN",
}


def make_record(answer: Answer, job: int = 0) -> Record:
    """The answer as a record that nothing was run for."""
    is_exhausted = answer.status == "unsatisfiable" or answer.count is not None
    return Record(
        job=job,
        outcome="finished",
        status=_STATUSES[answer.status],
        stopped_by="exhausted" if is_exhausted else "",
        count=answer.count or int(answer.status in ("satisfiable", "optimal")),
        objective=answer.objective if answer.optimum is None else answer.optimum,
        bound=answer.bound,
        stated_sense=answer.sense or "",
    )


def find_question(answer: Answer) -> Question:
    """The question that it answers."""
    is_value = any(v is not None for v in (answer.optimum, answer.objective, answer.bound))
    return Question(None if answer.count and not is_value else 1, 1, is_value)


@dataclass(eq=False)
class _Placed:
    """An answer with its place, and the instances that it belongs to."""

    answer: Answer
    source: Source
    number: int
    of: list[Instance] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The instance that it is about."""
        return self.answer.instance or self.answer.file or ""

    def say(self, cause: str) -> ExperimentError:
        """What is wrong with it, and where."""
        return self.source.error(("answer", self.number), cause)


class Stated(NamedTuple):
    """An answer to the instance that has this ``place``; ``repeat`` counts those alike."""

    place: int
    answer: Answer
    origin: str
    question: Question
    repeat: int


class StatedAnswers:
    """The answers of an experiment's file, and of the folders among its sets."""

    def __init__(self, experiment: Experiment) -> None:
        self._by_key: dict[str, list[_Placed]] = {}
        self._placed: list[_Placed] = []
        self._names: dict[str, None] = {}
        self._alike: Counter[tuple[int, str, str]] = Counter()
        self.found: list[Stated] = []
        if experiment.answers is not None:
            try:
                self._add(Path(experiment.answers))
            except FileNotFoundError:
                cause = f"there is no file {experiment.answers}"
                raise experiment.source.error(("answers",), cause) from None
        for choice in experiment.choices():
            for name in choice.sources():
                if not sets.ships(name) and os.path.isfile(Path(name) / IN_FOLDER):  # or too long
                    self._add(Path(name) / IN_FOLDER)

    def _add(self, path: Path) -> None:
        data, source = read_toml(path)
        read = convert_to(AnswersFile, data, source, answer=Answer)
        for number, answer in enumerate(read.answer):
            placed = _Placed(answer, source, number)
            if fault := answer.find_fault():
                raise placed.say(fault)
            key = os.path.realpath(path.parent / answer.file) if answer.file else placed.name
            self._by_key.setdefault(key, []).append(placed)
            self._placed.append(placed)

    def match(self, place: int, item: Instance) -> None:
        """Find the answers to the instance that has this place."""
        if not self._by_key:
            return
        if len(self._names) < MOST_NAMES:
            self._names[item.name] = None
        path, _, line = item.source.rpartition(":")
        path = os.path.realpath(path if line.isdigit() else item.source)
        for placed in (*self._by_key.get(path, ()), *self._by_key.get(item.name, ())):
            answer = placed.answer
            if answer.instance not in (None, item.name) or answer.set not in (None, item.set):
                continue
            if any(same.text != item.text for same in placed.of):
                raise placed.say(f"there are several instances {placed.name!r}; say which of them")
            if any(same.set == item.set for same in placed.of):
                continue  # it is asked another question as well
            placed.of.append(item)
            origin = STATED + (answer.stated or placed.source.name)
            question = find_question(answer)
            self._alike[place, origin, question.text] += 1
            repeat = self._alike[place, origin, question.text]
            self.found.append(Stated(place, answer, origin, question, repeat))

    def list_unmatched(self) -> Iterator[ExperimentError]:
        """For each answer that belongs to no instance, its place and what may be meant."""
        for placed in self._placed:
            if not placed.of:
                of_set = f" in the set {placed.answer.set!r}" if placed.answer.set else ""
                hint = did_you_mean(placed.name, self._names)
                yield placed.say(f"no instance {placed.name!r}{of_set} is asked about{hint}")
