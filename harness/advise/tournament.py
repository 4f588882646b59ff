"""Round after round until one candidate is ahead, or the time is up: within the seconds given.

The time counts from ``begun``, on the clock ``perf_counter``. A part of it is kept for what follows
a round: ending workers, judging answers, making the tables. Ctrl-C ends the tournament, and what is
known so far is the advice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

from harness.advise.advice import Begun, Ended, Event
from harness.advise.deadline import TimeUp, stop_at
from harness.advise.halving import (
    MOST_INSTANCES,
    Exclusion,
    Known,
    Round,
    asks_more,
    exclude,
    is_decided,
    plan_round,
    says_nothing,
)
from harness.advise.rounds import (
    UNTRIED,
    Result,
    Time,
    carry_out,
    plan_experiment,
    read_result,
)
from modelling.errors import StoreError
from puzzles.family import Instance

START = 0.5
"""Seconds that a start is taken for until one has been seen."""

AFTER, LEAST_AFTER = 1.5, 0.5
"""Seconds that are kept for what follows a round until that has been seen, and then at least."""

AFTER_PART = 0.02
"""The part of the whole time that is kept beside that: what ends a long round varies more."""

SLOWER = 2.0
"""What follows a round may take this many times as long as after the last one."""

MOST_SLOWDOWN = 10.0
"""A machine is believed to be this busy at most, until a start has been seen."""

CLOSING, CLOSING_PART = 0.3, 0.01
"""Seconds that are kept for the end of all, and the part of the whole time: a result that cannot be
read before is left out."""

MOST_OF_IT = 0.5
"""The part of what is left that a round may take at most, if others are to follow."""


class Tournament:
    """``run`` the rounds; ``results`` are those that came to something.

    ``instances`` have unique names and ``sizes``, ``candidates`` are in the order of preference:
    who comes first is left where nothing tells two apart, or time is too short for all. The rounds
    are runs in ``folder``. ``settings`` are those of their experiments.
    """

    def __init__(
        self,
        instances: Mapping[str, Instance],
        candidates: Sequence[str],
        seconds: float,
        folder: Path,
        sizes: Sequence[Any],
        *,
        begun: float | None = None,
        slowdown: float = 1.0,
        on_event: Callable[[Event], None] = lambda event: None,
        **settings: Any,
    ) -> None:
        self.instances = instances
        self.folder = folder
        self.seconds = seconds
        self.results: list[Result] = []
        self.out: list[Exclusion] = []
        self.is_interrupted = False
        self._field = list(candidates)
        self._sizes = sizes
        self._slots = int(settings.get("jobs", 1))
        self._settings = settings
        self._on_event = on_event
        self._begun = perf_counter() if begun is None else begun
        self._least_after = LEAST_AFTER + AFTER_PART * seconds
        slowdown = min(max(slowdown, 1.0), MOST_SLOWDOWN)
        self._after = min(AFTER * slowdown + AFTER_PART * seconds, seconds / 5)
        self._known = Known(START * slowdown, {})
        self._number = 0
        self._is_late = False  # whether a result could not be read in time
        self._was_hard = self._is_hard = False  # whether nobody solved anything in a round

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return perf_counter() - self._begun

    def run(self) -> None:
        """Run the rounds; Ctrl-C ends them."""
        asked: Round | None = None
        try:
            while (asked := self._plan()) is not None:
                self._number += 1
                self._on_event(Begun(self._number, asked, len(self.instances)))
                begun = perf_counter()
                result = self._carry_out(asked)
                if result is None and (self.is_interrupted or self._is_hard or self._is_late):
                    break
                if result is None:  # starts take longer than any other round could tell
                    self._known = Known(perf_counter() - begun, self._known.times)
                    self._is_hard = True
                    continue
                self.results.append(result)
                self._settle(result)
                if self.is_interrupted or self._is_over(result):
                    break
        except KeyboardInterrupt:
            self.is_interrupted = True
            if asked is not None:
                self._salvage(asked)

    def _salvage(self, asked: Round) -> None:
        """Take what is known of a round that Ctrl-C ended amid judging or counting."""
        place = self.folder / f"round-{self._number}"
        if self.results and self.results[-1].run.folder == place:
            return
        with suppress(KeyboardInterrupt, StoreError):  # there may be no run yet
            if (result := read_result(place, list(self.instances), asked)) is not None:
                self.results.append(result)
                self._settle(result)

    def _plan(self) -> Round | None:
        left = self.seconds - self._after - self.elapsed
        asked = plan_round(self._field, self._sizes, left, self._known, self._slots, self._is_hard)
        last = self.results[-1].asked if self.results else None
        if asked and last and last.is_final and not self._is_hard and not asks_more(asked, last):
            return None
        if asked is not None:
            late = [name for name in self._field if name not in asked.field]
            if late:
                self.out += [Exclusion(name, UNTRIED) for name in late]
                self._on_event(Ended(self._number, self.out[-len(late) :], asked.field))
        return asked

    def _carry_out(self, asked: Round) -> Result | None:
        """Run a round, and learn from it how long starts take, and what follows a round.

        None if time was up, or Ctrl-C came, before any job had ended.
        """
        left = self.seconds - self._after - self.elapsed
        folder = self.folder / f"round-{self._number}"
        experiment = plan_experiment(asked, self.instances, **self._settings)
        started = perf_counter()
        part = 1.0 if asked.is_final else MOST_OF_IT
        ending = carry_out(experiment, folder, Time(started + part * left, started + left))
        self.is_interrupted = ending.is_interrupted
        closing = CLOSING + CLOSING_PART * self.seconds
        end = self._begun + self.seconds - closing if self.results else None  # one is needed
        try:
            with stop_at(end):
                result = read_result(folder, list(self.instances), asked, ending.is_whole)
        except TimeUp:
            self._is_late = True
            return None
        if result is None:
            return None
        tried = len(result.summary)
        start = (ending.last - started - result.worked / self._slots) / tried
        self._known = Known(max(start, 0.0), {**self._known.times, **result.times})
        self._after = self._least_after + SLOWER * (perf_counter() - ending.end)
        return result

    def _settle(self, result: Result) -> None:
        field, out = exclude(result.standings, result.asked.keep)
        self._was_hard, self._is_hard = self._is_hard, says_nothing(result.standings)
        if result.asked.is_final and not self._is_hard:
            out = []  # both are named
        else:
            self._field = field
        self.out += out
        self._on_event(Ended(self._number, out, tuple(field)))

    def _is_over(self, result: Result) -> bool:
        asked_all = len(result.asked.places) == min(len(self.instances), MOST_INSTANCES)
        done = asked_all and result.is_whole and is_decided(result.standings)
        is_cut = not self._is_hard and not result.is_whole
        is_last = result.asked.is_final and (self._was_hard or is_cut)
        return done or is_last or not self._field
