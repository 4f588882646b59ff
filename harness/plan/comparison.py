"""What ``compare`` is given, or takes without being told, in the form that an experiment has.

Names, files and tables stay as they are. Problems and instances become tables that hold their
texts, by their names, so that the experiment can be written down, sent to workers and resumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from backends.interface import registry
from harness.plan.experiment import Experiment
from harness.plan.reading import load
from modelling.errors import BackendUnavailable
from modelling.problem import Problem
from puzzles.family import Instance
from puzzles.stated import instance

PROBLEMS = "problems"
"""What the set of the problems that were given is called."""

FASTEST = "compiled"
"""Taken where it is installed; not missed elsewhere, since it answers some problems only."""


def plan_comparison(sets: Any, backends: Any, witness: Any = None, **settings: Any) -> Experiment:
    """The experiment that ``compare`` runs; without ``sets`` some of each set that ships."""
    return Experiment(
        name="compare",
        sets=choose_sets(sets) or load("quickstart").sets,
        backends=list_items(backends),
        witness=list_items(witness),
        warm_ups=1,
        **settings,
    )


def default_backends() -> tuple[list[str], list[str]]:
    """The default backends that can be used here, and for each that cannot, what to install.

    They are those of the quickstart: the four kinds, and what it adds to them.
    """
    usable: list[str] = []
    hints: list[str] = []
    for name in [*load("quickstart").names(), FASTEST]:
        try:
            registry.get(name)
        except BackendUnavailable as error:
            if name != FASTEST and str(error) not in hints:
                hints.append(str(error))
        else:
            usable.append(name)
    return usable, hints


def list_items(given: Any) -> list[Any]:
    """What was given one by one, or as one alone; a path is the file that it leads to."""
    alone = isinstance(given, str | Mapping | Problem | Instance)
    items = [given] if alone or not isinstance(given, Iterable) else list(given)
    return [str(item) if isinstance(item, Path) else item for item in items if item is not None]


def choose_sets(given: Any) -> list[Any]:
    """The sets of an experiment; problems and instances come together, by family."""
    found: list[Any] = []
    texts: dict[str, dict[str, str]] = {}
    for name, item in _named(given):
        one = instance(item, name) if isinstance(item, Problem) else item
        if not isinstance(one, Instance):
            found.append(one)
            continue
        if one.family not in texts:
            texts[one.family] = {}
            found.append({"name": _set_name(one), "family": one.family, "texts": texts[one.family]})
        texts[one.family][_unused(name or one.name, texts[one.family])] = one.text
    return found


def _named(given: Any) -> Iterable[tuple[str, Any]]:
    """Each item with the name that it was given; instances have one of their own."""
    if isinstance(given, Mapping) and _holds_problems(given):
        return [(str(name), item) for name, item in given.items()]
    items = list_items(given)
    return [
        (f"problem-{number}" if isinstance(item, Problem) else "", item)
        for number, item in enumerate(items, 1)
    ]


def _holds_problems(given: Mapping[Any, Any]) -> bool:
    """Whether it maps names to problems; if not, it is a table as in an experiment's file."""
    return bool(given) and all(isinstance(item, Problem | Instance) for item in given.values())


def _set_name(one: Instance) -> str:
    return PROBLEMS if one.family == "problem" else f"{one.family.rpartition(':')[2]}-given"


def _unused(name: str, used: Mapping[str, str]) -> str:
    """The name, with a number after it if another item has it already."""
    number, unused = 1, name
    while unused in used:
        number += 1
        unused = f"{name} ({number})"
    return unused
