"""Successive halving: short rounds for many candidates, long ones for the few that are left.

Each round asks all candidates that are left about the same instances, with the same limit. The
worse half is out after it, and also who is clearly behind. So time goes where the decision is
close. This is the algorithm of Jamieson and Talwalkar, Non-stochastic best arm identification and
hyperparameter optimization (AISTATS 2016), with these differences: a round of which time is left
gives it to the later ones, since solvers end before their limits; the number of instances grows as
well as the limit; a wrong answer ends a candidate at once.

Nothing is run here: values in, values out. All times are in seconds.

Words
-----
field     the candidates that are left
start     to start a worker and to load and warm up its solver: part of the time, and of no result
final     the last round, between the two that are left
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil, floor, inf, isnan
from typing import Any, NamedTuple

FINALISTS = 2

SHORTEST = 0.4
"""The shortest limit of a job, if a round has several instances: a shorter one measures how
solvers start, not how they search."""

MOST_INSTANCES = 12
"""More instances than these make no decision clearer that must be made within a minute."""

LEAST_PART = 0.2
"""The part of what is left that a round plans to use even if starts seem to take all of it."""

USED = 0.75
"""The part of its time that a round plans to use: starts may take longer than those before."""

MOST_REPEATS = 3

HOPE = 3.0
"""A round asks this many times the instances that would fit if no job ended before its limit: most
do, and of what time cuts off, the instances that all have answered count."""

STARTS = 0.4
"""The part of the time that starts may take, unless even a single cut from the whole field to the
final takes more."""

MOST_STARTS = 0.6
"""The part of the time that starts of one round may take; who would take more is not tried."""

BEHIND = 3.0
"""Who takes this many times as long as the best one, or longer, is out before the better half is
full."""

NOTHING = 100.0
"""Per cent from the best known objective that a candidate without a solution counts as."""

SHORT = 0.02
"""Who takes less is not behind by a factor: the starts of a search say little about its end."""

LONG = 10.0
"""A ratio that needs no decimals."""

CLEAR = 1.5
"""A difference by this factor needs no further round."""

WORSE = 1.0
"""Per cent from the best known objective; a solution that is further off is a worse one."""


class Round(NamedTuple):
    """What is run next: the ``places`` of the instances, and the ``limit`` of each job.

    At most ``keep`` candidates are left after it.
    """

    field: tuple[str, ...]
    places: tuple[int, ...]
    limit: float
    repeats: int = 1
    keep: int = FINALISTS

    @property
    def is_final(self) -> bool:
        """Whether nobody is out after it."""
        return len(self.field) <= FINALISTS


class Standing(NamedTuple):
    """What a candidate came to in a round.

    ``solved`` counts instances, of ``asked``; ``par2`` is the mean of the times, with twice the
    limit for what is not solved; ``to_best`` is the mean distance from the best known objective in
    per cent, nan where none was asked for. ``fault`` says why a candidate is out in any case,
    ``note`` what became of the instances that it did not solve.
    """

    name: str
    solved: int
    asked: int
    par2: float
    to_best: float = float("nan")
    fault: str = ""
    note: str = ""


class Exclusion(NamedTuple):
    """A candidate that is out, and why."""

    name: str
    why: str


class Known(NamedTuple):
    """What earlier rounds have shown: what a start takes, and the time of each candidate for each
    instance that it solved, by name and by the instance's place."""

    start: float
    times: Mapping[tuple[str, int], float]


def plan_round(
    field: Sequence[str],
    sizes: Sequence[Any],
    left: float,
    known: Known,
    slots: int = 1,
    is_hard: bool = False,
) -> Round | None:
    """The next round with ``left`` seconds for it and all later ones; None if no time is left.

    ``sizes`` are those of the instances, to be compared with each other; ``slots`` jobs run at a
    time. Each round that may follow gets an equal part of what the starts leave. Where that is too
    little for ``SHORTEST`` a job, fewer instances are asked, but one at the least; since most jobs
    end early, ``HOPE`` times as many as would fit otherwise. ``is_hard``: nobody has solved
    anything so far, so the smallest instances come first, and jobs are expected to take all their
    time.
    """
    if left <= 0 or slots * left <= known.start:
        return None
    if known.start > 0:
        field = field[: max(FINALISTS, floor(MOST_STARTS * slots * left / known.start))]
    fields = _divide(len(field), STARTS * slots * left / max(known.start, 1e-6))
    part = USED * (slots * left - known.start * sum(fields)) / len(fields)
    part = max(part, LEAST_PART * slots * left)
    shortest = max(SHORTEST, known.start / 2)  # a machine on which starts take long is slow
    fitting = part / len(field) / shortest
    most = min(len(sizes), MOST_INSTANCES)
    sure, hoped = (max(1, min(most, floor(times * fitting))) for times in (1.0, HOPE))
    places = choose_places(sizes, sure, is_hard)
    if not is_hard:
        places += [one for one in choose_places(sizes, hoped) if one not in places]
    expected = [known.times.get((name, place), inf) for name in field for place in places]
    limit = max(find_limit(expected, part), min(shortest, part / len(field)))
    repeats = 1
    if len(fields) == 1 and max(expected) < inf:
        once = sum(expected) + known.start * len(field)
        repeats = max(1, min(MOST_REPEATS, floor(slots * left / 2 / once)))
    return Round(tuple(field), tuple(places), limit, repeats, (*fields, FINALISTS)[1])


def asks_more(one: Round, before: Round) -> bool:
    """Whether a final asks more than one that was carried out: instances, or repeats of all."""
    more = len(one.places) - len(before.places)
    return more > 0 or (more == 0 and one.repeats > before.repeats)


def _divide(number: int, starts: float) -> list[int]:
    """How many candidates the rounds have, with at most this number of starts: ``[7, 4, 2]``.

    Half of each is left, or a third, and so on, by how many starts there may be.
    """
    for factor in range(2, max(number, 3)):
        fields = [number]
        while fields[-1] > FINALISTS:
            fields.append(max(FINALISTS, ceil(fields[-1] / factor)))
        if sum(fields) <= starts:
            break
    return fields


def find_limit(expected: Collection[float], part: float) -> float:
    """The largest limit with which jobs that take ``expected`` end within ``part`` in all.

    What needs less than its share leaves the rest to the others. ``inf`` is expected of a job of
    which nothing is known. The limit is ``part`` at most.
    """
    left, jobs = part, len(expected)
    for seconds in sorted(expected):
        if seconds * jobs > left:
            return left / jobs
        left -= seconds
        jobs -= 1
    return part


def choose_places(sizes: Sequence[Any], number: int, is_hard: bool = False) -> list[int]:
    """The places of ``number`` instances of those that have these sizes, the largest first.

    Sizes are spread evenly. One alone is larger than most, of three the middle one; several have
    the largest and the smallest among them, since small ones do not tell who wins on large ones.
    ``is_hard``: the smallest come first.
    """
    ordered = sorted(range(len(sizes)), key=lambda place: sizes[place], reverse=True)
    last = len(ordered) - 1
    if is_hard:
        return ordered[::-1][:number]
    if number == 1:
        return [ordered[floor(last / 4 + 0.5)]]
    spread = [round(last * step / (number - 1)) for step in range(min(number, len(ordered)))]
    return [ordered[step] for step in spread]


def exclude(standings: Sequence[Standing], keep: int) -> tuple[list[str], list[Exclusion]]:
    """Who is left, the best first, and who is out after a round; ``standings`` are ranked.

    The first ``keep`` are left, of them those that are not clearly behind; two at least, if as many
    have no fault. Where a round says nothing, all without a fault are left.
    """
    fit = [one for one in standings if not one.fault]
    if says_nothing(standings):
        keep = len(fit)
    left = [
        one
        for place, one in enumerate(fit)
        if place < FINALISTS or (place < keep and not is_behind(one, fit[0]))
    ]
    out = [
        Exclusion(one.name, one.fault or explain_rank(one, left[0]))
        for one in standings
        if one not in left
    ]
    return [one.name for one in left], out


def says_nothing(standings: Sequence[Standing]) -> bool:
    """Whether nobody without a fault has solved anything, or has found any solution."""
    fit = [one for one in standings if not one.fault]
    return all(not one.solved and not one.to_best < NOTHING for one in fit)


def is_behind(one: Standing, best: Standing) -> bool:
    """Whether a candidate is so far behind that no other instance would bring it forward."""
    if one.solved < best.solved:
        return True
    return _is_worse(one, best) or one.par2 >= BEHIND * max(best.par2, SHORT)


def is_decided(standings: Sequence[Standing]) -> bool:
    """Whether the first one has solved all instances, and leads the second one clearly."""
    fit = [one for one in standings if not one.fault]
    if not fit or fit[0].solved < fit[0].asked:
        return False
    return len(fit) == 1 or fit[1].solved < fit[0].solved or fit[1].par2 >= CLEAR * fit[0].par2


def explain_rank(one: Standing, best: Standing) -> str:
    """Why a candidate is behind the best one, in a few words."""
    if one.solved < best.solved:
        note = f" ({one.note})" if one.note else ""
        return f"solved {one.solved} of {one.asked}{note}"
    if _is_worse(one, best):
        return f"solutions {one.to_best:.3g}% from the best"
    if one.par2 > best.par2 > 0:
        ratio = one.par2 / best.par2
        return f"{ratio:.1f}x as long" if ratio < LONG else f"{ratio:.0f}x as long"
    return "not better"


def _is_worse(one: Standing, best: Standing) -> bool:
    gap, least = (0.0 if isnan(each.to_best) else each.to_best for each in (one, best))
    return gap > least + WORSE
