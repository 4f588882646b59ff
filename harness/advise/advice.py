"""What a tournament came to: which solver to take, what that rests on, and how to repeat it.

The evidence is that of the last round that says something: of the final, or where time ended that
before all candidates had been asked about one instance, of the round before. The sentence about it
is that of every run (``harness.report.sentences``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.advise.halving import Exclusion, Round, Standing
from harness.advise.text import Lines, hang
from harness.plan.experiment import Experiment
from harness.plan.reading import outline
from harness.report.table_text import format_cell, format_figure
from modelling.wording import plural

if TYPE_CHECKING:
    from harness.report.run import Run

TOML = "advice.toml"

LONGEST_TOML = 7
"""Lines of an experiment that are shown; of a longer one the path alone."""

MOST_NAMED = 4
"""Candidates of a round that are named; more are a number, since each is named when it is out."""


class Begun(NamedTuple):
    """A round has begun; there are ``instances`` in all."""

    number: int
    asked: Round
    instances: int


class Ended(NamedTuple):
    """A round has ended: who is out after it, and who is left, the best first.

    Round 0 is the choice of candidates.
    """

    number: int
    out: Sequence[Exclusion]
    left: Sequence[str]


Event = Begun | Ended


@dataclass(frozen=True)
class Advice:
    """Which solver to take, and why.

    ``solver`` is empty where no candidate solved anything, and ``runner_up`` where there is none.
    ``ratio`` is how many times as long as the solver the runner-up takes, over the instances that
    both solved, between ``low`` and ``high`` (95%; nan of too few). ``standings`` are those of the
    round that it rests on, by rank, about ``asked`` of the ``instances``; ``excluded`` who was out
    before. ``seconds`` is what it took, ``limit`` that of each job. ``experiment`` compares both on
    all instances, and lies as TOML in ``folder``, beside the rounds. ``run`` is the run that it
    rests on.
    """

    solver: str
    runner_up: str
    evidence: str
    ratio: float
    low: float
    high: float
    standings: tuple[Standing, ...]
    excluded: tuple[Exclusion, ...]
    asked: int
    instances: int
    limit: float
    seconds: float
    given: float
    interrupted: bool
    folder: Path
    experiment: Experiment | None
    run: Run | None = field(default=None, repr=False)

    @property
    def toml(self) -> str:
        """The experiment that repeats the comparison, as TOML; empty without a solver."""
        return "" if self.experiment is None else outline(self.experiment)

    @property
    def path(self) -> Path:
        """Where the TOML lies."""
        return self.folder / TOML

    def as_table(self) -> dict[str, Any]:
        """What JSON has of it."""
        return {
            "solver": self.solver,
            "runner_up": self.runner_up,
            "evidence": self.evidence,
            **{name: _drop_endless(getattr(self, name)) for name in ("ratio", "low", "high")},
            "standings": [
                {key: _drop_endless(value) for key, value in one._asdict().items()}
                for one in self.standings
            ],
            "excluded": [one._asdict() for one in self.excluded],
            **{
                name: _drop_endless(getattr(self, name))
                for name in ("asked", "instances", "limit", "seconds", "given", "interrupted")
            },
            "folder": str(self.folder),
            "toml": self.toml,
        }

    def __str__(self) -> str:
        return "\n".join(write_advice(self))


def _drop_endless(value: Any) -> Any:
    """None for a number that JSON does not have."""
    return None if isinstance(value, float) and not isfinite(value) else value


# --- as text ------------------------------------------------------------------------------------


def describe_event(event: Event, width: int = 80) -> Lines:
    """What is begun, or who is out and why."""
    if isinstance(event, Begun):
        return _describe_begun(event, width)
    return _describe_ended(event, width)


def _describe_begun(event: Begun, width: int) -> Lines:
    asked, number = event.asked, len(event.asked.places)
    of = plural(number, "instance")
    if number < event.instances:
        of = f"{number} of {event.instances} instances"
    repeats = f", {plural(asked.repeats, 'repeat')}" if asked.repeats > 1 else ""
    limit = f"{format_figure(asked.limit)} s a job at most"
    names = ", ".join(asked.field) if len(asked.field) <= MOST_NAMED else ""
    names = names or f"{len(asked.field)} candidates"
    return hang(f"round {event.number}", f"{names}; {of}, {limit}{repeats}", width)


def _describe_ended(event: Ended, width: int) -> Lines:
    reasons: dict[str, list[str]] = {}
    for one in event.out:
        reasons.setdefault(one.why, []).append(one.name)
    said = [f"{', '.join(names)} {format_cell(why)}" for why, names in reasons.items()]
    return hang("  out", "; ".join(said), width) if said else []


def write_advice(advice: Advice, width: int = 80) -> Lines:
    """The advice in lines of at most ``width`` columns, but for a path or TOML."""
    lines = [_say(advice), *hang("evidence", advice.evidence, width)]
    runner_up = next((one for one in advice.standings if one.name == advice.runner_up), None)
    if runner_up is not None:
        lines += hang("next", _describe_standing(runner_up), width)
    if advice.excluded:
        lines += hang("out", ", ".join(one.name for one in advice.excluded), width, most=2)
    lines += hang("measured", _describe_measure(advice), width)
    if advice.toml:
        lines += hang("repeat", f"concord run {advice.path}", width)
        toml = advice.toml.splitlines()
        if len(toml) <= LONGEST_TOML and all(len(line) + 2 <= width for line in toml):
            lines += [f"  {line}" for line in toml]
    return lines


def _say(advice: Advice) -> str:
    if not advice.solver:
        return "No solver can be recommended."
    return f"Use {advice.solver}."


def _describe_standing(one: Standing) -> str:
    text = f"{one.name}, {one.solved} of {one.asked} solved, PAR-2 {format_figure(one.par2)} s"
    if one.to_best > 0:
        text += f", solutions {format_figure(one.to_best)}% from the best"
    return text


def _describe_measure(advice: Advice) -> str:
    of = plural(advice.instances, "instance")
    if advice.asked < advice.instances:
        of = f"{advice.asked} of {of}"
    limit = f", {format_figure(advice.limit)} s a job at most" if advice.asked else ""
    end = "; ended by Ctrl-C" if advice.interrupted else ""
    return f"{of}{limit}; {advice.seconds:.1f} s of {advice.given:g} s{end}"
