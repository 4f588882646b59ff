"""CPMpy: its models become Problems.

``reading``                            a model as a Problem
``operators``, ``global_constraints``  what it reads by

The package ``cpmpy`` is an extra: it is imported when one of these functions is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from modelling.errors import InputError
from modelling.problem import Problem


def require_cpmpy() -> None:
    """Raise InputError, with what to install, where CPMpy is missing."""
    if find_spec("cpmpy") is None:
        raise InputError("CPMpy is not installed: pip install 'solver-concord[cpmpy]'")


def from_cpmpy(model: Any) -> Problem:
    """A CPMpy model as a Problem: its variables under their names, its constraints and objective.

    Raises ModelError for what Concord has no word for, and for two variables of one name.
    """
    require_cpmpy()
    from modelling.formats.cpmpy import reading

    return reading.from_cpmpy(model)


def to_cpmpy(problem: Problem) -> Any:
    """A Problem as a CPMpy model, with its variables under their names.

    What CPMpy cannot express directly is rewritten. Auxiliary variables are called ``_1``, ``_2``,
    ... The others determine them, so that solutions correspond one to one. Raises ModelError for
    what cannot be expressed.
    """
    require_cpmpy()
    from modelling.formats.cpmpy.writing import make_model

    return make_model(problem)


def write(problem: Problem) -> Iterator[str]:
    """Python source of such a model, ``model``; CPMpy itself is not needed to write it."""
    from modelling.formats.cpmpy.writing import write_source

    return write_source(problem)
