"""An experiment taken apart into jobs: instance x backend x repeat, in their order of execution.

A million jobs take as little memory as a thousand: instances stream by once, on their way into the
store, and a job is only its place in a permutation until it is needed.

Words
-----
index       an instance's place among those that were read, from 0
round       the jobs of one repeat; a round ends before the next one begins
code        a job as one number: ``(repeat * instances + index) * backends + backend``
share       the part of the jobs that one of several runs takes over (``--shard i/N``)
"""

from __future__ import annotations

import random
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from backends.interface.api import Limits
from backends.interface.registry import keeps_state
from harness.job import Job, Question, Role, warm_up_limit
from harness.plan.answers import Stated, StatedAnswers, make_record
from harness.plan.checking import check
from harness.plan.experiment import Experiment, SetChoice
from harness.record import Record
from modelling.errors import ExperimentError, InputError, InstanceError
from puzzles.family import Instance, has_objective
from puzzles.sets.reading import Entry, draw_sample, read_set, read_sizes, read_texts, take

MOST_JOBS = 10**8
"""Their order takes 8 bytes each, and the store a hundred times that."""


class Share(NamedTuple):
    """Share ``number`` (from 1) of ``of``."""

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Share:
        """``2/8`` is the second of eight; raises ExperimentError."""
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ExperimentError(
                f"{text!r} does not name a share; write i/N with i from 1 to N, as in 2/8 for the "
                "second of eight"
            )
        return cls(int(found[1]), int(found[2]))


def make_empty_error(name: str, first: InstanceError | None) -> ExperimentError:
    """That an experiment, if it has a name, has no instance; ``first`` is its first bad line."""
    said = f"; the first bad line: {first}" if first else ""
    return ExperimentError(f"{name}{': ' if name else ''}there is no instance to run{said}")


def longest_job(seconds: float | None, warm_ups: int) -> float:
    """How long a job with this limit and its warm-ups take at most."""
    return (seconds or 0.0) + (warm_ups * warm_up_limit(seconds) if warm_ups else 0.0)


def longest_duration(seconds: Mapping[str, float], longest: float, slots: int) -> float:
    """An upper bound of the time for all jobs: ``seconds`` by backend, ``longest`` for one job.

    A slot is idle only while a sequence runs that others wait for, or beside the last job (Graham,
    Bounds for certain multiprocessing anomalies, 1966).
    """
    total = sum(seconds.values())
    alone = sum(each for name, each in seconds.items() if keeps_state(name))
    return min(total, (total + (slots - 1) * (alone + longest)) / slots)


class PlannedJob(NamedTuple):
    """A job with the index of its instance; ``number`` is that of the whole experiment."""

    number: int
    instance: int
    backend: str
    question: Question
    limits: Limits
    repeat: int
    role: Role = "timed"


class Totals(NamedTuple):
    """How many jobs there are, and how many seconds they take at worst."""

    jobs: int
    seconds: float


class _Part(NamedTuple):
    start: int
    question: Question
    limits: Limits


class Expansion:
    """The jobs of an experiment, which is checked here: first all ``instances()``, then ``jobs()``.

    A set that cannot be read at all is an ExperimentError. An instance's jobs are all in one share,
    so that what is compared ran on one machine; a sequence is never divided.
    """

    def __init__(self, experiment: Experiment, share: Share = Share()) -> None:
        self.experiment = check(experiment)
        self.share = share
        self._called = self.experiment.name_sets()
        self._instances = 0
        self._backends = self.experiment.names()
        self._parts: list[_Part] = []
        self.answers = StatedAnswers(self.experiment)

    def instances(self) -> Iterator[Entry]:
        """Every instance of the sets, and the lines that cannot be read, in their order."""
        asked = self.experiment
        for number, choice in enumerate(asked.choices()):
            question, limits = asked.question(choice), asked.limits(choice)
            choosy = asked.optima(choice) == "possible"
            self._parts.append(_Part(self._instances, question, limits))
            try:
                for item in self._read(choice):
                    if choosy and isinstance(item, Instance):
                        self._begin_part(item, question, limits)
                    if isinstance(item, Instance):
                        self.answers.match(self._instances, item)
                        self._instances += 1
                    if len(self) > MOST_JOBS:
                        raise asked.source.error(
                            ("repeat",),
                            f"{self._instances} instances x {len(self._backends)} backends x "
                            f"{asked.repeat} repeats are more than {MOST_JOBS} jobs",
                        )
                    yield item
            except ExperimentError:
                raise
            except (InputError, OSError) as error:
                raise asked.source.error(("sets", number), str(error)) from error

    def _begin_part(self, item: Instance, question: Question, limits: Limits) -> None:
        """The question; an instance without an objective is asked for a solution, not the best."""
        if not has_objective(item):
            question = Question(question.limit, question.keep)
        if question != self._parts[-1].question:
            self._parts.append(_Part(self._instances, question, limits))

    def _read(self, choice: SetChoice) -> Iterator[Entry]:
        asked, family = self.experiment, choice.family or ""
        most, sample = asked.setting(choice, "limit"), asked.setting(choice, "sample")
        for source in choice.sources():
            if choice.sizes is not None:
                entries: Iterator[Entry] = read_sizes(source, family, choice.sizes)
            elif choice.texts is not None:
                entries = read_texts(source, family, choice.texts)
            else:
                entries = read_set(source, choice.family, choice.data or (), self._called[source])
            if most is not None:
                entries = take(entries, most)
            if sample is not None:
                chance = random.Random(f"{asked.seed} {self._called[source]}")
                entries = draw_sample(entries, sample, chance)
            yield from entries

    def __len__(self) -> int:
        """How many jobs the whole experiment has, all shares together."""
        return self._instances * len(self._backends) * self.experiment.repeat

    def jobs(self) -> Iterator[PlannedJob]:
        """The jobs of the share, by their numbers."""
        backends = self._backends
        starts = [part.start for part in self._parts]
        here = [self._list_here(0, self._instances, backend) for backend in range(len(backends))]
        for number, code in enumerate(self._list_codes(), 1):
            rest, backend = divmod(code, len(backends))
            repeat, index = divmod(rest, self._instances)
            if index in here[backend]:
                part = self._parts[bisect_right(starts, index) - 1]
                yield PlannedJob(
                    number, index, backends[backend], part.question, part.limits, repeat + 1
                )
        for number, stated in self._list_stated():
            asked = stated.origin, stated.question, Limits(), stated.repeat
            yield PlannedJob(number, stated.place, *asked, "stated")

    def records(self) -> Iterator[Record]:
        """Those of the answers that were stated: nothing is run for them."""
        for number, stated in self._list_stated():
            yield make_record(stated.answer, number)

    def _list_stated(self) -> Iterator[tuple[int, Stated]]:
        """The answers to instances of the share; their numbers are beyond those of witnesses."""
        backends = range(len(self._backends))
        here = [self._list_here(0, self._instances, backend) for backend in backends]
        beyond = len(self) * (1 + len(self.experiment.witness))
        for number, stated in enumerate(self.answers.found, beyond + 1):
            if any(stated.place in indices for indices in here):
                yield number, stated

    def totals(self) -> Totals:
        """The jobs of the share, and an upper bound of the seconds that they run.

        Every job takes all of its time, and so does a warm-up before each: each kill brings a new
        worker, which warms up anew. Starting workers, the grace at a limit, judging and witnesses
        are not in it.
        """
        number, each, longest = 0, [0.0] * len(self._backends), 0.0
        stops = [*(part.start for part in self._parts[1:]), self._instances]
        for part, stop in zip(self._parts, stops, strict=True):
            seconds = longest_job(part.limits.seconds, self.experiment.warm_ups)
            for backend in range(len(self._backends)):
                jobs = len(self._list_here(part.start, stop, backend)) * self.experiment.repeat
                number += jobs
                each[backend] += jobs * seconds
                longest = max(longest, seconds if jobs else 0.0)
        by_name = dict(zip(self._backends, each, strict=True))
        seconds = longest_duration(by_name, longest, self.experiment.jobs)
        budget = self.experiment.budget
        return Totals(number, seconds if budget is None else min(seconds, budget))

    def _list_here(self, start: int, stop: int, backend: int) -> range:
        """Those of the indices from ``start`` to ``stop`` that are in the share."""
        place, of = self.share.number - 1, self.share.of
        if keeps_state(self._backends[backend]):
            return range(start, stop if backend % of == place else start)
        return range(start + (place - start) % of, stop, of)

    def _list_codes(self) -> array[int]:
        """The codes in order of execution.

        Round by round, so that no worker need see an instance twice, and within a round a seeded
        shuffle, so that backends interleave and a slow hour of the machine falls on all of them
        alike; of the places that a sequence got, its first job takes the first, and so on. With a
        budget the jobs of an instance follow each other, so that its end leaves whole instances.
        """
        order, size = array("Q"), self._instances * len(self._backends)
        chance = random.Random(self.experiment.seed)
        for repeat in range(self.experiment.repeat):
            codes = array("Q", range(repeat * size, (repeat + 1) * size))
            if self.experiment.order == "random" and self.experiment.budget is None:
                chance.shuffle(codes)
            elif self.experiment.order == "random":
                codes = _shuffle_in_blocks(codes, len(self._backends), chance)
            order += codes
        backends = len(self._backends)
        for number, name in enumerate(self._backends):
            if not keeps_state(name):
                continue
            at = [i for i, code in enumerate(order) if code % backends == number]
            for i, code in zip(at, sorted(order[i] for i in at), strict=True):
                order[i] = code
        return order


def _shuffle_in_blocks(codes: array[int], size: int, chance: random.Random) -> array[int]:
    """The blocks of ``size`` codes in another order, and those of each block as well."""
    starts = list(range(0, len(codes), size))
    chance.shuffle(starts)
    shuffled = array("Q")
    for start in starts:
        block = codes[start : start + size]
        chance.shuffle(block)
        shuffled += block
    return shuffled


def plan_jobs(jobs: Iterable[Job]) -> tuple[list[Instance], list[PlannedJob]]:
    """Jobs made by hand in the form that a store takes: instances, and jobs that refer to them."""
    known: dict[Instance, int] = {}
    planned = []
    for job in jobs:
        instance = Instance(job.family, job.instance, job.text, job.source, job.set)
        asked = (job.backend, job.question, job.limits, job.repeat, job.role)
        planned.append(PlannedJob(job.number, known.setdefault(instance, len(known)), *asked))
    return list(known), planned
