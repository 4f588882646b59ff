"""The instances that advice is asked about, under unique names."""

from __future__ import annotations

from typing import Any

from backends.interface import registry
from harness.plan.candidates import expand_groups
from harness.plan.expansion import Expansion
from harness.plan.reading import list_items, plan_comparison
from modelling.errors import InputError, InstanceError
from puzzles.family import Instance
from puzzles.sets.toml_positions import Source

SOURCE = Source("advise")
"""What errors name where no command line was."""


def expand(sets: Any, candidates: Any, source: Source, **settings: Any) -> Expansion:
    """The experiment about ``sets`` that nobody runs: what is asked, and of whom."""
    named = list_items(candidates)
    experiment = plan_comparison(sets, expand_groups(named) or registry.names()[:1], **settings)
    experiment.source = source
    return Expansion(experiment)


def read_instances(expansion: Expansion) -> tuple[dict[str, Instance], list[InstanceError]]:
    """The instances of an experiment by their names, and the lines that cannot be read.

    Raises InputError where none can be read.
    """
    found: dict[str, Instance] = {}
    faults = []
    for item in expansion.instances():
        if isinstance(item, InstanceError):
            faults.append(item)
            continue
        name, again = item.name, 1
        while name in found:
            again += 1
            name = f"{item.name} ({again})"
        found[name] = item
    if not found:
        first = f"; the first bad line: {faults[0]}" if faults else ""
        raise InputError(f"nothing to advise on: no instance can be read{first}")
    return found, faults
