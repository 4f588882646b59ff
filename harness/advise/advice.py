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
from harness.plan.experiment import Experiment
from harness.plan.reading import outline

if TYPE_CHECKING:
    from harness.report.run import Run

TOML = "advice.toml"


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
    round that it rests on, by rank; ``excluded`` who was out before. ``seconds`` is what it took,
    ``limit`` that of each job. ``experiment`` compares both on all instances, and lies as TOML in
    ``folder``, beside the rounds. ``run`` is the run that it rests on.
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


def _drop_endless(value: Any) -> Any:
    """None for a number that JSON does not have."""
    return None if isinstance(value, float) and not isfinite(value) else value
