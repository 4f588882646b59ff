"""The instances that advice is asked about, under unique names."""

from __future__ import annotations

from harness.plan.expansion import Expansion
from modelling.errors import InputError, InstanceError
from puzzles.family import Instance


def read_instances(expansion: Expansion) -> tuple[dict[str, Instance], list[InstanceError]]:
    """The instances of an experiment by their names, and the lines that cannot be read.

    Raises InputError where there is no instance.
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
        raise InputError(f"there is no instance to advise on{first}")
    return found, faults
