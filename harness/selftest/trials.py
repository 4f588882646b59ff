"""Which liar is asked what, beside which honest solvers, so that its lie shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from backends.conformance.liars import (
    attacks,
    claims,
    disguises,
    forgeries,
    liar,
    moments,
    nuisances,
    optima,
    solutions,
    sometimes,
    times,
    values,
    wires,
    work,
)
from harness.selftest.tiny import Tiny

HONEST = ("propagation", "sat")

FAMILY = "py:harness.selftest.tiny:Tiny"

MANY, ANOTHER = "3 4 -", "3 5 4"
"""24 and 6 solutions, of which 10 are shown."""

BEST, LEAST = "3 4 - max", "3 5 - min"

SLOW_S = 0.05
"""How slow those are that lie about their times."""

Liars = tuple[type[liar.Liar], ...]


@dataclass(frozen=True)
class Trial:
    """Some liars and the honest beside them are asked the same of the same instances.

    ``asks`` are keys of an experiment. ``about`` says what the lies are about: ``answers``,
    ``times``, ``rivals`` or ``records``.
    """

    liars: Liars
    texts: tuple[str, ...] = (MANY, ANOTHER)
    asks: dict[str, Any] = field(default_factory=dict)
    about: str = "answers"


def _find_chosen() -> str:
    """The first instance that ``OneInAThousand`` lies about."""
    texts = (f"2 {high} {total}" for high in range(4, 90) for total in range(1, 2 * high - 2))
    return next(text for text in texts if sometimes.is_chosen(Tiny().problem(text)))


ONE = (
    *(claims.NeverReads, claims.StoppedByNobody, solutions.WrongValue, solutions.ManyDigits),
    *(solutions.OutsideDomain, solutions.TooShort, solutions.TrueForOne, solutions.FloatForInteger),
    *(solutions.ChangesTheProblem, solutions.FalseUnsatisfiable, solutions.ProofOfAnother),
    *(times.LongPhases, times.NegativePhase, disguises.OwnResult, disguises.ChangedAfterwards),
    disguises.SilencesTheCheck,
    *(values.LazySolutions, values.EqualToAll, values.TimeWithoutNumber, values.PaintsTheScreen),
    *(nuisances.FloodsTheWire, nuisances.WarmsUpTwice, nuisances.ShoutsAtLength),
    *(nuisances.PaintsItsVersion, nuisances.EmptiesTheTemporaries, nuisances.PromisesAMountain),
)
FORGED = (
    *(forgeries.ForgesProof, forgeries.AnswersForAnother, forgeries.CallsItselfLost),
    *(forgeries.OwnDigest, forgeries.BlamesItsRivals, forgeries.ForgesUsage),
    *(wires.WritesTheWire, wires.AsksForTheTimeOfAProof, wires.AnswersInAChild),
    *(work.OutlivesItsWorker, work.AsksItsServant, moments.TellsHalf),
)
TWO = (
    *(
        claims.ShowsOneOfTwo,
        claims.CallsItEnough,
        solutions.HiddenDuplicate,
        solutions.ExhaustedTooEarly,
    ),
    disguises.OwnNumber,
)
ALL = (
    *(claims.Boasts, claims.BoastsAndShows, claims.EmptyDigest, claims.WrongDigest),
    *(
        solutions.DroppedSolution,
        solutions.Duplicate,
        solutions.CountsOneMore,
        solutions.CountsOneLess,
    ),
    *(
        solutions.ExhaustedHalfway,
        sometimes.Fickle,
        claims.Twin,
        claims.OtherTwin,
        claims.Pretender,
    ),
    *(disguises.StopsUnseen, solutions.TooManyRepeats),
    *(values.WordForAll, values.CountsTwins, wires.BoastsOnTheBoard),
)
FIRST_BEST = (optima.WrongOptimum, optima.FalseObjective)
BOUNDS = (
    *(optima.BoundTooTight, optima.FalseIncumbent, optima.WorseIncumbent, optima.FalseBoundAtFirst),
    times.ForgesHistory,
)
EARLIER = (moments.WorksBeforeItsClock, moments.CallsItFlattening, moments.HidesBehindAThread)
LATER = (times.CachedRepeat, times.SolvesInWarmUps, times.StopsTheClock, work.WorksInTheDigest)
STORE = (
    *(attacks.EditsTheStore, attacks.RemovesFromTheStore, attacks.HoldsTheStore),
    *(times.ForgesRecords, times.SkipsItself),
)
SLOW = ("slow 0.5 3 4 -", "slow 0.5 3 5 4", "slow 0.5 3 6 -")
THREE = (MANY, ANOTHER, "3 6 -")


def list_trials() -> Iterator[Trial]:
    """All trials; each liar that ships is in one of them."""
    seed = {"solver_seed": sometimes.BAD_SEED, "count": "all"}
    yield Trial(ONE, asks={"count": 1})
    yield Trial(FORGED, asks={"count": 1})
    yield Trial((sometimes.OneInAThousand,), (MANY, _find_chosen()), {"count": 1})
    yield Trial((solutions.AnotherInstance,), ("2 3 3", "2 4 5", "2 3 1"), {"count": 1})
    yield Trial((solutions.OverlooksTheLast,), ("3 4 6", "3 5 9"), {"count": 1})
    yield Trial(TWO, asks={"count": 2})
    yield Trial(ALL, asks={"count": "all"})
    yield Trial((sometimes.OneBadSeed,), asks=seed)
    yield Trial(FIRST_BEST, (BEST, "3 5 - max"), {"optimum": True})
    yield Trial(BOUNDS, (BEST, LEAST), {"optimum": True})
    yield Trial(LATER, asks={"count": 1, "repeat": 2, "warm_ups": 1}, about="times")
    yield Trial(EARLIER, asks={"count": 1}, about="times")
    yield Trial((attacks.StopsItsRivals,), THREE, {"count": 1}, about="rivals")
    yield Trial((attacks.KillsItsRivals,), THREE, {"count": 1}, about="rivals")
    yield Trial((work.BurnsWhileIdle,), SLOW, {"count": 1})
    yield Trial(STORE, THREE, {"count": 1}, about="records")
