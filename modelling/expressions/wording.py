"""Terms and constraints of the core as a person would write them, shortened, for messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelling.constraint import Constraint
from modelling.terms import Affine, Fielded, Function
from modelling.vocabulary.formulas.connectives import And, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum

MOST = 6
"""Most parts of a sum or list that are shown."""
DEEPEST = 3

_SIGNS = {And: " & ", Or: " | ", Xor: " ^ "}


def show(item: Any, names: Sequence[str], depth: int = 0) -> str:
    """``x + 2*y <= 7``, ``AllDifferent(x, y, z)``; what is nested deeply or long is ``...``."""
    if depth > DEEPEST:
        return "..."
    if isinstance(item, Affine):
        if item.variable is None:
            return str(item.offset)
        return _sum([(item.variable, item.factor)], item.offset, names, depth)
    if type(item) is Sum:
        return _sum(list(zip(item.terms, item.coefficients, strict=True)), 0, names, depth)
    if type(item) is Linear:
        left = _sum(list(zip(item.terms, item.coefficients, strict=True)), 0, names, depth)
        return f"{left} {item.relation} {item.constant}"
    if type(item) in _SIGNS:
        if not item.formulas:
            return str(type(item) is And)
        shown = [f"({show(part, names, depth + 1)})" for part in item.formulas[:MOST]]
        return _SIGNS[type(item)].join(shown) + _more(item.formulas, _SIGNS[type(item)])
    if isinstance(item, (Function, Constraint)):
        return f"{type(item).__name__}({_fields(item, names, depth)})"
    return names[item] if isinstance(item, int) else str(item)


def _fields(item: Any, names: Sequence[str], depth: int) -> str:
    if not isinstance(item, Fielded):
        return _list(item.scope, names, depth)
    shown = []
    for field, value in item.present_fields():
        speaks = field.kind.value.startswith(("Term", "Formula", "Matrix"))
        if not speaks:
            shown.append(_list(value, ()) if isinstance(value, tuple) else str(value))
        elif isinstance(value, tuple) and not isinstance(value, Affine):
            listed = _list(value, names, depth)
            shown.append(listed if field.name in ("terms", "formulas") else f"[{listed}]")
        else:
            shown.append(show(value, names, depth + 1))
    return ", ".join(shown)


def _list(values: Sequence[Any], names: Sequence[str], depth: int = 0) -> str:
    """Terms if there are names for them, else numbers and texts."""
    if not names:
        return f"[{', '.join(map(str, values[:MOST]))}{_more(values, ', ')}]"
    shown = []
    for value in values[:MOST]:
        if isinstance(value, tuple) and not isinstance(value, Affine):
            shown.append(f"[{_list(value, names, depth)}]")
        else:
            shown.append(show(value, names, depth + 1))
    return ", ".join(shown) + _more(values, ", ")


def _more(values: Sequence[Any], sign: str) -> str:
    return f"{sign}..." if len(values) > MOST else ""


def _sum(pairs: list[tuple[Any, int]], offset: int, names: Sequence[str], depth: int) -> str:
    text = ""
    for term, factor in pairs[:MOST]:
        if isinstance(term, Affine) and term.variable is None:
            offset += factor * term.offset
            continue
        shown = show(term, names, depth + 1)
        if " " in shown and not shown.endswith(")"):
            shown = f"({shown})"
        size = shown if abs(factor) == 1 else f"{abs(factor)}*{shown}"
        if text:
            text += f" - {size}" if factor < 0 else f" + {size}"
        else:
            text = f"-{size}" if factor < 0 else size
    text += _more(pairs, " + ")
    if offset and text:
        return text + (f" - {-offset}" if offset < 0 else f" + {offset}")
    return text or str(offset)
