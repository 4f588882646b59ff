"""Who takes part: what is installed and takes the problems, in the order of preference.

The first of each kind of solver comes first (``harness.plan.candidates``), then the others: where
time is too short for all, each kind has had its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from time import perf_counter

from backends.interface.shipped import CANDIDATES
from harness.advise.halving import FINALISTS, Exclusion, choose_places
from harness.plan.candidates import (
    LONGEST_STATED,
    MOSTLY,
    Offer,
    choose_candidates,
    make_offer,
)
from harness.plan.checking import find_causes
from modelling.problem import Problem
from puzzles.family import Instance, family

SAMPLE = 3
"""Instances by which candidates are chosen: stating more would take the time of a round."""


def choose_field(
    instances: Iterable[Instance], named: Sequence[str] | None = None, until: float = inf
) -> tuple[list[str], list[Exclusion]]:
    """Those of the ``named`` that can be used here, and why others cannot.

    Without names, those that are installed and take the instances for the most part natively. To
    know that, solvers are imported; after ``until``, on the clock ``perf_counter``, no more are.
    """
    if named is not None:
        return _choose_named(named)
    offers = _list_offers(_sample(list(instances)), until)
    first = choose_candidates(offers).names
    others = [
        one.name
        for one in offers
        if not one.missing and not one.refused and one.native >= MOSTLY and one.name not in first
    ]
    out = [
        Exclusion(one.name, "refuses them" if one.refused == 1 else "refuses some")
        for one in offers
        if one.refused and one.name not in first
    ]
    return [*first, *others], out


def _list_offers(problems: Sequence[Problem], until: float) -> list[Offer]:
    """What candidates would do with the problems; of the first ones, if time runs out."""
    offers: list[Offer] = []
    for name in CANDIDATES:
        if perf_counter() > until and sum(not one.missing for one in offers) >= FINALISTS:
            break
        offers.append(make_offer(name, problems))
    return offers


def _choose_named(named: Sequence[str]) -> tuple[list[str], list[Exclusion]]:
    causes = find_causes(named)
    usable = [name for name in named if name not in causes]
    return usable, [Exclusion(name, cause) for name, cause in causes.items()]


def _sample(instances: list[Instance]) -> list[Problem]:
    """The problems of some instances, from the smallest to the largest that is soon stated."""
    short = [one for one in instances if len(one.text) <= LONGEST_STATED]
    if not short:
        return []
    places = choose_places([len(one.text) for one in short], min(SAMPLE, len(short)))
    return [family(short[place].family).problem(short[place].text) for place in places]
