"""The parameters of Choco that a backend's name may set: the keywords of pychoco's ``Model``.

They are Choco's settings. What its search branches on is the option ``search``.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature

from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import OUTPUT, Kind, Parameter, Parameters

REFUSED = {
    "lcg": "with it Choco misses solutions, or ends the process (seen with pychoco 0.4.0)",
    "name": "it says nothing to Choco",
    "warn_user": OUTPUT,
    "print_*": OUTPUT,
}

KINDS: Mapping[type, Kind] = {bool: "switch", int: "integer"}

LEAST: Mapping[str, int] = {"min_card_size_for_sum_decomp": 3}
"""Below this Choco ends the process on some sums (docs/disagreements.md)."""

MOST = (1 << 31) - 1
"""The largest integer of Java, in which pychoco hands numbers on."""


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """The keywords, with the types of their defaults."""
    library = import_library("choco", "pychoco.model")
    keywords = signature(library.Model).parameters.values()
    return {
        one.name: Parameter(
            one.name, KINDS.get(type(one.default), "text"), least=LEAST.get(one.name, 0), most=MOST
        )
        for one in keywords
        if one.kind is one.POSITIONAL_OR_KEYWORD
    }


PARAMETERS = Parameters("choco", find_parameters, REFUSED)
