"""What Python would take silently for something else, and what to write instead.

Python asks for a truth value in many places: ``if``, ``and``, ``or``, ``not``, chained comparisons,
``in``, ``min``, ``max``, ``all``, ``any``, ``assert``. An expression has none before the model is
solved, so that each of them raises, rather than post half of what was meant.
"""

from __future__ import annotations

from typing import Any, NoReturn

from modelling.errors import ModelError


def refuse_truth(shown: str) -> NoReturn:
    """Raise: an expression was asked for its truth value."""
    raise ModelError(
        f"{shown} is neither true nor false before the model is solved. Write & for `and`, | for "
        "`or`, ~ for `not`, (each comparison in parentheses); a.implies(b) for `if`; "
        "x.between(1, 3) for `1 <= x <= 3`; (a == b) & (b == c) for `a == b == c`; x.isin(values) "
        "for `in`; concord.minimum, maximum, all_ and any_ for min, max, all and any"
    )


def refuse_index(shown: str) -> NoReturn:
    """Raise: an expression was used as an index of a list, in range() or int()."""
    raise ModelError(
        f"{shown} has no value before the model is solved, and cannot be an index of a list or an "
        "argument of range() or int(). Write concord.array(values)[x] for `values[x]`"
    )


def refuse_hash(shown: str) -> NoReturn:
    """Raise: an expression that is not a variable was put into a set or dict."""
    raise ModelError(
        f"{shown} cannot be in a set or a key of a dict: only variables can, for two expressions "
        "are not compared by ==. Use a list, or a key of your own"
    )


def refuse_division(x: str, y: str, sign: str, ends: tuple[int, int, int, int]) -> NoReturn:
    """Raise: ``//`` or ``%`` where rounding down and towards zero may differ, or y may be 0."""
    x_low, x_high, y_low, y_high = ends
    instead = "concord.truncated(x, y)" if sign == "//" else "concord.remainder(x, y)"
    raise ModelError(
        f"{x} {sign} {y}: the dividend is from {x_low} to {x_high} and the divisor from {y_low} to "
        f"{y_high}, but {sign} takes dividends of at least 0 and divisors of at least 1, where all "
        f"solvers round alike. Narrow the domains, or write {instead}, which rounds towards zero "
        "(remainder: the sign of x) and makes the constraint false where y is 0"
    )


def refuse_condition(shown: str, low: int, high: int) -> NoReturn:
    """Raise: a condition is expected, but the integer can be other than 0 and 1."""
    raise ModelError(
        f"{shown} is an integer from {low} to {high}, where a condition must stand; compare it, as "
        f"in {shown} != 0, or let it be 0 or 1 only, as Model.bool does"
    )


def refuse_power(shown: str, exponent: Any) -> NoReturn:
    """Raise: an exponent that is not a constant of at least 0."""
    raise ModelError(
        f"{shown} ** {exponent!r}: the exponent must be an integer of at least 0. For a variable "
        "exponent write concord.array([1, 2, 4, 8])[x], the powers one by one"
    )


def refuse_fraction(shown: str) -> NoReturn:
    """Raise: ``/`` was used."""
    raise ModelError(
        f"{shown} is an integer, and / gives fractions: write // (rounding down), or multiply the "
        "other side"
    )


def refuse_operand(value: Any, owner: str) -> NoReturn:
    """Raise: the other operand of an expression is not an integer."""
    if isinstance(value, float) or type(value).__name__.startswith("float"):
        raise ModelError(
            f"{value!r} beside {owner}: variables are integers, and so are all numbers here; "
            "write an integer, or multiply both sides until all are"
        )
    if hasattr(value, "__len__") and not isinstance(value, (str, bytes)):
        raise ModelError(
            f"{value!r} beside {owner} is not one integer; write concord.array(values) to combine "
            "each of its items, or x.isin(values)"
        )
    raise ModelError(f"{value!r} beside {owner} is no integer and no expression")


def refuse_depth() -> NoReturn:
    """Raise: functions within functions, some hundreds deep."""
    raise ModelError(
        "functions are nested too deeply, as by e = abs(e - x) in a long loop. Give an inner one a "
        "variable: z = m.int(least, most); m.add(z == e); then continue with z"
    ) from None
