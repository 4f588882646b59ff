"""An experiment taken apart into jobs: instance x backend x repeat, in their order of execution.

A million jobs take as little memory as a thousand: instances stream by once, on their way into the
store, and a job is no more than its place in a permutation until it is needed.

Words
-----
entry       an instance, or a line of the input that could not be read
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
from harness.job import Job, Question, Role, warm_up_limit
from harness.plan import instances
from harness.plan.experiment import Experiment, SetChoice, check, in_sequence, question
from harness.plan.instances import Named
from modelling.errors import ExperimentError, InputError, PuzzleError
from puzzles import sets

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
                f"{text!r} is no share; write i/N with i from 1 to N, as in 2/8 for the second of "
                "eight"
            )
        return cls(int(found[1]), int(found[2]))


def at_most(seconds: float | None, warm_ups: int) -> float:
    """How long a job with this limit and its warm-ups take at most."""
    return (seconds or 0.0) + (warm_ups * warm_up_limit(seconds) if warm_ups else 0.0)


def at_worst(seconds: Mapping[str, float], longest: float, slots: int) -> float:
    """An upper bound of the time for jobs of so many seconds by backend, one at most ``longest``.

    A slot is idle only while a sequence runs that others wait for, or beside the last job (Graham,
    Bounds for certain multiprocessing anomalies, 1966).
    """
    total = sum(seconds.values())
    alone = sum(each for name, each in seconds.items() if in_sequence(name))
    return min(total, (total + (slots - 1) * (alone + longest)) / slots)


class Placed(NamedTuple):
    """A job whose instance is told by its index; ``number`` is that of the whole experiment."""

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


class Expansion:
    """The jobs of an experiment: first all ``entries()``, then ``jobs()``.

    A set that cannot be read at all is an ExperimentError. An instance's jobs are all in one share,
    so that what is compared ran on one machine; a sequence is never divided.
    """

    def __init__(self, experiment: Experiment, share: Share = Share()) -> None:
        check(experiment)
        self.experiment = experiment
        self.share = share
        self.instances = 0
        self._backends = experiment.names()
        self._parts: list[_Part] = []

    def entries(self) -> Iterator[Named | PuzzleError]:
        """Every instance of the sets, and the lines that cannot be read, in their order."""
        sources: dict[str, str] = {}
        asked: set[tuple[str, str]] = set()
        for number, choice in enumerate(self.experiment.choices()):
            part = _part(self.experiment, choice, self.instances)
            self._parts.append(part)
            try:
                for source, entries in _sources(choice):
                    self._note(source, part.question, asked, sources)
                    chosen = _first(entries, part.most)
                    if part.sample is not None:
                        seed = f"{self.experiment.seed} {instances.label(source)}"
                        chosen = _sampled(chosen, part.sample, random.Random(seed))
                    for item in chosen:
                        self.instances += isinstance(item, Named)
                        self._check_number()
                        yield item
            except (InputError, OSError) as error:
                raise self.experiment.error(("sets", number), str(error)) from error

    def _check_number(self) -> None:
        if len(self) > MOST_JOBS:
            raise self.experiment.error(
                ("repeat",),
                f"{self.instances} instances x {len(self._backends)} backends x "
                f"{self.experiment.repeat} repeats are more than {MOST_JOBS} jobs",
            )

    @staticmethod
    def _note(
        source: str, question: Question, asked: set[tuple[str, str]], sources: dict[str, str]
    ) -> None:
        """Raise ExperimentError for what is asked twice, and for two files of one name."""
        name = instances.label(source)
        if sources.setdefault(name, source) != source or (name, question.text) in asked:
            raise ExperimentError(
                f"{name!r} is there twice with the same question (as a member of a collection, "
                "or as two files of one name); leave one out, or rename the file"
            )
        asked.add((name, question.text))

    def __len__(self) -> int:
        """How many jobs the whole experiment has, all shares together."""
        return self.instances * len(self._backends) * self.experiment.repeat

    def jobs(self) -> Iterator[Placed]:
        """The jobs of the share, by their numbers."""
        backends = self._backends
        starts = [part.start for part in self._parts]
        for number, code in enumerate(self._order(), 1):
            rest, backend = divmod(code, len(backends))
            repeat, index = divmod(rest, self.instances)
            if self._is_here(index, backend):
                part = self._parts[bisect_right(starts, index) - 1]
                limits = part.limits
                yield Placed(number, index, backends[backend], part.question, limits, repeat + 1)

    def totals(self) -> Totals:
        """The jobs of the share, and an upper bound of the seconds that they run.

        Every job takes all of its time, and so does a warm-up before each: each kill brings a new
        worker, which warms up anew. Starting workers, the grace at a limit, judging and witnesses
        are not in it.
        """
        number, each, longest = 0, [0.0] * len(self._backends), 0.0
        stops = [*(part.start for part in self._parts[1:]), self.instances]
        for part, stop in zip(self._parts, stops, strict=True):
            seconds = at_most(part.limits.seconds, self.experiment.warm_ups)
            for backend in range(len(self._backends)):
                jobs = self._number_here(part.start, stop, backend) * self.experiment.repeat
                number += jobs
                each[backend] += jobs * seconds
                longest = max(longest, seconds if jobs else 0.0)
        by_name = dict(zip(self._backends, each, strict=True))
        return Totals(number, at_worst(by_name, longest, self.experiment.jobs))

    def _number_here(self, start: int, stop: int, backend: int) -> int:
        """How many of the indices from ``start`` to ``stop`` are in the share."""
        number, of = self.share
        if in_sequence(self._backends[backend]):
            return stop - start if backend % of == number - 1 else 0
        return (stop + of - number) // of - (start + of - number) // of

    def _is_here(self, index: int, backend: int) -> bool:
        number, of = self.share
        whole = in_sequence(self._backends[backend])
        return (backend if whole else index) % of == number - 1

    def _order(self) -> array[int]:
        """The codes in order of execution.

        Round by round, so that no worker need see an instance twice, and within a round a seeded
        shuffle, so that backends interleave and a slow hour of the machine falls on all of them
        alike; of the places that a sequence got, its first job takes the first, and so on.
        """
        order, size = array("Q"), self.instances * len(self._backends)
        chance = random.Random(self.experiment.seed)
        for repeat in range(self.experiment.repeat):
            codes = array("Q", range(repeat * size, (repeat + 1) * size))
            if self.experiment.order == "random":
                chance.shuffle(codes)
            order += codes
        backends = len(self._backends)
        for number, name in enumerate(self._backends):
            if not in_sequence(name):
                continue
            at = [i for i, code in enumerate(order) if code % backends == number]
            for i, code in zip(at, sorted(order[i] for i in at), strict=True):
                order[i] = code
        return order


def listed(
    jobs: Iterable[Job], bad: Iterable[PuzzleError] = ()
) -> tuple[list[Named | PuzzleError], list[Placed]]:
    """Jobs made by hand in the form that a store takes: entries, and jobs that refer to them."""
    known: dict[Named, int] = {}
    placed = [
        Placed(job.number, known.setdefault(_named(job), len(known)), *_asked(job)) for job in jobs
    ]
    return [*known, *bad], placed


def _named(job: Job) -> Named:
    return Named(job.set, job.instance, job.family, job.text, job.source)


def _asked(job: Job) -> tuple[str, Question, Limits, int, Role]:
    return job.backend, job.question, job.limits, job.repeat, job.role


def expand(experiment: Experiment) -> tuple[list[Job], list[PuzzleError]]:
    """All jobs in their order of execution, and the lines that could not be read."""
    expansion = Expansion(experiment)
    entries = list(expansion.entries())
    named = [item for item in entries if isinstance(item, Named)]
    jobs = [_job(placed, named[placed.instance]) for placed in expansion.jobs()]
    return jobs, [item for item in entries if isinstance(item, PuzzleError)]


def _job(placed: Placed, named: Named) -> Job:
    return Job(
        number=placed.number,
        set=named.set,
        instance=named.name,
        family=named.family,
        text=named.text,
        backend=placed.backend,
        question=placed.question,
        limits=placed.limits,
        repeat=placed.repeat,
        source=named.source,
    )


class _Part(NamedTuple):
    """What holds for the instances of one choice, the first of which has the index ``start``."""

    start: int
    question: Question
    limits: Limits
    most: int | None
    sample: int | None


def _part(experiment: Experiment, choice: SetChoice, start: int) -> _Part:
    limits = Limits(
        experiment.seconds if choice.seconds is None else choice.seconds,
        seed=experiment.solver_seed,
        threads=experiment.threads,
    )
    most = experiment.limit if choice.limit is None else choice.limit
    sample = experiment.sample if choice.sample is None else choice.sample
    return _Part(start, question(experiment, choice), limits, most, sample)


def _sources(choice: SetChoice) -> Iterator[tuple[str, Iterator[Named | PuzzleError]]]:
    """The sets that a choice stands for."""
    if choice.sizes is not None:
        assert choice.family is not None
        yield choice.called, instances.of_sizes(choice.called, choice.family, choice.sizes)
        return
    if choice.texts is not None:
        assert choice.family is not None
        yield choice.called, instances.of_texts(choice.called, choice.family, choice.texts)
        return
    for name in sets.members(choice.name):
        yield name, instances.of(name, choice.family)


def _sampled(
    entries: Iterator[Named | PuzzleError], number: int, chance: random.Random
) -> Iterator[Named | PuzzleError]:
    """``number`` instances of all, each as likely as any other, in their order; and all bad lines.

    A reservoir (algorithm R: Vitter, Random sampling with a reservoir, 1985): a set is read once,
    and no more of it is kept than the sample.
    """
    kept: list[tuple[int, Named]] = []
    seen = 0
    for item in entries:
        if not isinstance(item, Named):
            yield item
            continue
        seen += 1
        if len(kept) < number:
            kept.append((seen, item))
            continue
        place = chance.randrange(seen)
        if place < number:
            kept[place] = seen, item
    yield from (item for _, item in sorted(kept))


def _first(
    entries: Iterator[Named | PuzzleError], most: int | None
) -> Iterator[Named | PuzzleError]:
    """The first ``most`` instances, and the bad lines up to there."""
    taken = 0
    for item in entries:
        if isinstance(item, Named):
            if taken == most:
                return
            taken += 1
        yield item
