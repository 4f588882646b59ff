"""Variables x1, x2, ... that are 0 or 1, as formats of Booleans number them."""

from __future__ import annotations

from collections.abc import Callable

from modelling.errors import InstanceError

MOST_VARIABLES = 20_000_000
"""More variables are refused: their names alone would take gigabytes."""

MOST_UNUSED = 1_000_000
"""Most variables of a file that is too short to name them all."""


def names_of(variables: int) -> tuple[str, ...]:
    """``x1``, ``x2``, ..."""
    return tuple([f"x{k}" for k in range(1, variables + 1)])


def check_variables(variables: int, size: int, where: Callable[[], str]) -> None:
    """Refuse a number of variables that a few bytes claim; ``where`` is asked for the place."""
    if variables > MOST_VARIABLES or variables > max(MOST_UNUSED, size):
        raise InstanceError(
            f"{variables} variables in a file of {size} bytes; at most {MOST_VARIABLES} are taken, "
            f"and more than {MOST_UNUSED} only of a file that can name them all",
            where(),
        )
