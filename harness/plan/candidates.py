"""Whom a comparison asks: groups of solvers by their kind, and the candidates that fit a question.

Words
-----
group       a word that means several backends: a kind (``cp``, ``sat``, ``mip``, ...),
            ``installed`` or ``all``. The group ``sat`` is the backend ``sat``: it has no other
offer       a backend with what is known of it before it is asked: its kind, whether it is here,
            whether it refuses, and how much of the problem it takes natively
native      a constraint that the backend hands to its solver as it is, without rewriting it first
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from backends.interface import registry
from backends.interface.api import Refused
from backends.interface.evidence.families import WAYS
from backends.interface.shipped import CANDIDATES, KINDS, SHIPPED, SPECIAL
from harness.plan.expansion import Expansion, make_empty_error
from modelling.errors import BackendUnavailable, ConcordError, UnknownBackend
from modelling.wording import did_you_mean
from puzzles.family import Instance, family
from puzzles.sets.reading import Entry

if TYPE_CHECKING:
    from harness.plan.experiment import Experiment
    from modelling.problem import Problem

ALL, INSTALLED = "all", "installed"
GROUPS = (ALL, INSTALLED, *KINDS)

MOSTLY = 0.5
"""The part of the constraints that a solver must take natively to be asked unnamed."""

LEAST = 2
"""With fewer candidates there is nothing to compare: some are asked that rewrite most."""

BUDGET = 50.0
"""Seconds of a comparison for which no time is given: with what is before and after, a minute."""

LONGEST = 30.0
"""Seconds of a job at most, unless they are given."""

MOST_READ = 2000
MOST_STATED = 20
LONGEST_STATED = 2_000_000
"""Instances that are read to see what is asked, how many of them are stated, and the most
characters that one of these may have: the answer is worth no long wait."""


@dataclass(frozen=True)
class Offer:
    """A backend before it is asked.

    ``missing`` says what to install where it is not here; it is empty otherwise. ``refused`` is the
    part of the problems that it would not take, ``native`` the part of all constraints that are
    native, each from 0 to 1.
    """

    name: str
    kind: str
    missing: str = ""
    refused: float = 0.0
    native: float = 1.0


@dataclass(frozen=True)
class Choice:
    """Who is asked, and why others are not; each with a word of explanation."""

    asked: tuple[Offer, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> list[str]:
        """The backends that are asked."""
        return [offer.name for offer in self.asked]

    @property
    def text(self) -> str:
        """One line: who is asked, who is not, and why."""
        asked = [
            one.name if one.kind in (one.name, "") else f"{one.name} ({one.kind})"
            for one in self.asked
        ]
        reasons: dict[str, list[str]] = {}
        for name, why in self.left_out:
            reasons.setdefault(why, []).append(name)
        left = [f"{', '.join(names)} ({why})" for why, names in reasons.items()]
        end = f"; left out: {', '.join(left)}" if left else ""
        return f"asked: {', '.join(asked)}{end}"


def choose_candidates(offers: Iterable[Offer]) -> Choice:
    """The first offer of each kind that is here, refuses nothing and takes most of it natively.

    The order of ``offers`` is that of preference. Among several problems a kind may refuse a few:
    where each offer of it does, the one that refuses least, less than half, is asked, but for kinds
    that are ``SPECIAL``. Where fewer than ``LEAST`` are left, those that rewrite most of the
    problem are asked as well, the most native ones first. An offer is mentioned as left out if it
    refuses or rewrites; one that is missing, if nobody of its kind is asked.
    """
    given = list(offers)
    usable = [one for one in given if not one.missing]
    native = [one for one in usable if one.native >= MOSTLY]
    asked: dict[str, Offer] = {}
    for one in native:
        if not one.refused:
            asked.setdefault(one.kind, one)
    for one in sorted(native, key=lambda one: one.refused):
        if one.refused < MOSTLY and one.kind not in SPECIAL:
            asked.setdefault(one.kind, one)
    for one in sorted(usable, key=lambda one: -one.native):
        if len(asked) < LEAST and not one.refused:
            asked.setdefault(one.kind, one)
    chosen = [one for one in given if asked.get(one.kind) is one]
    left = [(one.name, why) for one in given if (why := _explain_absence(one, asked))]
    return Choice(tuple(chosen), tuple(left))


def _explain_absence(one: Offer, asked: dict[str, Offer]) -> str:
    """Why an offer is not asked, in a word or two; empty where that needs no mention."""
    taken = asked.get(one.kind)
    if taken is one:
        return ""
    if one.missing:
        return "" if taken else "not installed"
    if one.refused:
        return "refuses" if one.refused == 1 else "refuses some"
    if one.native < MOSTLY:
        return "rewrites most"
    return ""


def settle(
    experiment: Experiment,
    named: Sequence[Any] | None,
    seconds: float | None = None,
    budget: float | None = None,
) -> Choice | None:
    """Have an experiment ask those that are named, or the candidates that fit its sets, in time.

    Groups among the names are expanded. Where neither names nor seconds are given, all jobs
    together have ``BUDGET`` seconds; without ``seconds``, a job has its part of the budget. The
    choice is returned where it was made here. Raises ExperimentError where no instance can be read,
    BackendUnavailable where nobody can be asked.
    """
    choice, survey = None, None
    if named is None:
        survey = look_at_sets(experiment)
        choice = choose_candidates(list_offers(survey.problems))
        if not choice.asked:
            raise BackendUnavailable(f"no solver is installed that takes this: {choice.text}")
        experiment.backends = choice.names
        if seconds is None and budget is None:
            budget = BUDGET
    else:
        experiment.backends = expand_groups(named)
        ensure_instances(experiment)
    experiment.budget = budget
    if seconds is not None:
        experiment.seconds = seconds
    elif budget is not None:
        survey = survey or look_at_sets(experiment)
        jobs = survey.instances * len(experiment.backends) * experiment.repeat
        experiment.seconds = share_budget(budget, jobs)
    return choice


def share_budget(budget: float, jobs: int) -> float:
    """The limit in seconds of each of ``jobs`` that have a budget together.

    All of them may use it up, but for a fifth that starting takes; where there are many, most take
    far less, and each may take a tenth of the budget. The limit is ``LONGEST`` seconds at most.
    """
    return float(f"{min(max(budget / 10, 0.8 * budget / max(jobs, 1)), LONGEST):.2g}")


# --- what is offered ------------------------------------------------------------------------


def list_offers(problems: Sequence[Problem]) -> list[Offer]:
    """What each of ``CANDIDATES`` would do with these problems, in the order of preference."""
    return [make_offer(name, problems) for name in CANDIDATES]


def make_offer(name: str, problems: Sequence[Problem]) -> Offer:
    """What a backend would do with these problems; its solver is imported, and not started."""
    kind = registry.find_kind(name)
    try:
        backend = registry.get(name)
    except (BackendUnavailable, UnknownBackend) as error:  # or a way that does not lead there
        return Offer(name, kind, missing=str(error))
    refusals = sum(isinstance(backend.accepts(problem), Refused) for problem in problems)
    kinds = [type(one) for problem in problems for one in problem.structure.constraints]
    native = sum(one in backend.native for one in kinds) / len(kinds) if kinds else 1.0
    return Offer(name, kind, refused=refusals / max(len(problems), 1), native=native)


class Survey(NamedTuple):
    """What a look at the sets of an experiment shows: some problems, and how many instances."""

    problems: list[Problem]
    instances: int


def look_at_sets(experiment: Experiment) -> Survey:
    """The first problem of each set and family of an experiment, as far as it can be stated.

    What cannot be read or stated is left to the run, which says so. The number of instances is
    ``MOST_READ`` where there are more. Raises ExperimentError where there is none.
    """
    first: dict[tuple[str, str], Instance] = {}
    number = 0
    for item in islice(_read_sets(experiment), MOST_READ):
        number += isinstance(item, Instance)
        if isinstance(item, Instance) and len(item.text) <= LONGEST_STATED:
            first.setdefault((item.set, item.family), item)
    found: list[Problem] = []
    for one in islice(first.values(), MOST_STATED):
        try:
            found.append(family(one.family).problem(one.text))
        except ConcordError:
            continue
    return Survey(found, number)


def ensure_instances(experiment: Experiment) -> None:
    """Raise ExperimentError where no instance of an experiment can be read; reads until one is."""
    for item in _read_sets(experiment):
        if isinstance(item, Instance):
            return


def _read_sets(experiment: Experiment) -> Iterator[Entry]:
    """All instances and bad lines; raises ExperimentError at the end if there was no instance."""
    alone = replace(experiment, backends=[SHIPPED[0].name], witness=[])  # any: nobody is asked
    alone.source = experiment.source
    is_empty, first_fault = True, None
    for item in Expansion(alone).instances():
        if isinstance(item, Instance):
            is_empty = False
        else:
            first_fault = first_fault or item
        yield item
    if is_empty:
        raise make_empty_error(experiment.name, first_fault)


# --- groups ---------------------------------------------------------------------------------


def expand_groups(names: Iterable[Any]) -> list[Any]:
    """The names with each group replaced by its backends; tables stay as they are.

    A group leaves out who is not installed, but for ``all``. A backend is listed once. Raises
    BackendUnavailable for a group of which nothing is installed, UnknownBackend for one with
    options.
    """
    found: list[Any] = []
    for name in names:
        if isinstance(name, str):
            _ensure_no_mistaken_group(name)
        found += list_group(name) if isinstance(name, str) and name in GROUPS else [name]
    return [one for place, one in enumerate(found) if one not in found[:place]]


def _ensure_no_mistaken_group(name: str) -> None:
    """Raise UnknownBackend for a group with options, and for a word that is nearly a group."""
    head, colon, _ = name.partition(":")
    if head in registry.names() or name in GROUPS:
        return
    if head in GROUPS:
        raise UnknownBackend(f"{name!r}: {head} is a group, which has no options; name its solvers")
    near = did_you_mean(name, GROUPS)
    if near and not colon and not did_you_mean(name, registry.names()):
        known = ", ".join(GROUPS)
        raise UnknownBackend(f"no backend or group is called {name!r}{near} (groups: {known})")


def list_group(word: str) -> list[str]:
    """The backends that a group means, in the order in which they ship.

    A way to several solvers is replaced by those that are here, each once: a solver that is there
    without the way is not reached by it as well.
    """
    members: list[str] = []
    remedies: list[str] = []
    for entry in SHIPPED:
        if (missing := registry.missing(entry)) and word != ALL:
            remedies += [missing] if word in (INSTALLED, entry.kind) else []
            continue
        solvers = [one.partition(" ")[0] for one in registry.list_solvers(entry)]
        for solver in solvers or [""]:
            name = f"{entry.name}:{solver}" if solver else entry.name
            if word in (ALL, INSTALLED, entry.find_kind(solver)) and not _is_there(name, members):
                members.append(name)
    if not members:
        raise BackendUnavailable(f"no solver of the group {word} is installed: {remedies[0]}")
    return members


def _is_there(name: str, members: Sequence[str]) -> bool:
    """Whether a way leads to a solver that is a member already."""
    if name.partition(":")[0] not in WAYS:
        return False
    family = registry.known_family(name)
    return any(registry.known_family(one) == family for one in members)
