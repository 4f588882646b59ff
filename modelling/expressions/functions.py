"""Every constraint and function of the vocabulary, as a function of expressions.

``bind`` makes one of a class: its arguments are those of the class, in which expressions and
integers may stand for terms, conditions for formulas, and nested sequences, arrays and generators
for lists of these. A class of a file in ``modelling/vocabulary`` is bound to its name in lower case
(``AllDifferent`` as ``all_different``). ``SPELLINGS`` lists the classes with another name,
``OPERATORS`` those that operators write.
"""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.expressions.arrays import flat_items
from modelling.expressions.blocks import Block
from modelling.expressions.expression import (
    Call,
    Combination,
    Condition,
    Expression,
    common_space,
    join,
    operand,
    to_formula,
    to_term,
)
from modelling.expressions.space import Space
from modelling.terms import ANY, Fielded, Function, Kind, fields_of

OPERATORS = frozenset({"And", "Or", "Not", "Linear", "Sum", "NotEqual", "Define", "Truth"})
"""What operators write; a condition is a number already."""

SPELLINGS = {
    "NValue": ("nvalue",),
    "SubCircuit": ("subcircuit",),
    "GlobalCardinality": ("global_cardinality", "cardinality"),
    "Precedence": ("precedence", "precede"),
    "Quotient": ("truncated",),
    "Element2D": ("element_2d",),
    "NoOverlap2D": ("no_overlap_2d",),
}
"""Names that are not the class's in lower case, or not it alone."""


def bind(kind: type[Any]) -> Callable[..., Any]:
    """A class of constraints or functions, as a function of expressions.

    A user's class will do. Where its first field is a list, its items may be given one by
    one: ``all_different(x, y, z)``.
    """
    is_function = issubclass(kind, Function)
    if not (is_function or issubclass(kind, Constraint)):
        raise ModelError(f"{kind.__name__} is no class of constraints or functions")
    typed = issubclass(kind, Fielded)
    names = [field.name for field in fields_of(kind)] if typed else ["scope"]
    kinds = {field.name: field.kind for field in fields_of(kind)} if typed else {}
    kinds = kinds or {"scope": Kind.TERMS}

    def call(*arguments: Any, **named: Any) -> Any:
        if kinds[names[0]] is Kind.TERMS and arguments and _is_item(arguments[0]):
            arguments = (arguments,)
        if len(arguments) > len(names):
            raise ModelError(
                f"{call.__name__} takes {len(names)} arguments ({', '.join(names)}), not "
                f"{len(arguments)}"
            )
        given = dict(zip(names, arguments, strict=False)) | named
        spaces: list[Expression] = []
        fields = {
            name: _read_field(kinds.get(name, Kind.TEXT), value, spaces)
            for name, value in given.items()
        }
        try:
            made = kind(**fields)
        except TypeError as error:  # of its constructor: too few arguments, an unknown one
            raise ModelError(f"{call.__name__} takes {', '.join(names)}: {error}") from None
        space: Space | None = common_space(*spaces)
        return Call(space, made) if is_function else Condition(space, made)

    call.__name__ = call.__qualname__ = spell(kind)[0]
    call.__doc__ = kind.__doc__
    call.__signature__ = inspect.signature(kind)  # type: ignore[attr-defined] # as help() shows it
    return call


def spell(kind: type[Any]) -> tuple[str, ...]:
    """What a class is called as a function."""
    words = re.findall(r"[A-Z]+(?![a-z])[0-9]*[A-Z]?|[A-Z][a-z]+", kind.__name__)
    return SPELLINGS.get(kind.__name__) or ("_".join(words).lower(),)


def _is_item(value: Any) -> bool:
    return isinstance(value, Expression) or not isinstance(value, (Iterable, Block))


def _read_field(kind: Kind, value: Any, spaces: list[Expression]) -> Any:
    """What a field of this kind holds for an argument; expressions are noted in ``spaces``."""
    if value is None or kind is Kind.TEXT:
        return value
    if kind is Kind.TERM:
        return _term(operand(value, "a constraint's argument"), spaces)
    if kind is Kind.TERMS:
        return tuple([_term(item, spaces) for item in flat_items(value)])
    if kind is Kind.MATRIX:
        return tuple([tuple([_term(item, spaces) for item in flat_items(row)]) for row in value])
    if kind is Kind.FORMULA:
        return _formula(value, spaces)
    if kind is Kind.FORMULAS:
        return tuple([_formula(item, spaces) for item in flat_items(value)])
    if kind is Kind.INT:
        return _integer(value)
    if kind is Kind.INTS:
        return tuple(map(_integer, [value] if _is_item(value) else value))
    return tuple([tuple([_integer(item) for item in row]) for row in value])


def _term(item: Any, spaces: list[Expression]) -> Any:
    if isinstance(item, Expression):
        spaces.append(item)
    return to_term(item)


def _formula(item: Any, spaces: list[Expression]) -> Any:
    if isinstance(item, Expression):
        spaces.append(item)
    return to_formula(item)


def _integer(value: Any) -> Any:
    """A constant; a star in a row of a table is one too."""
    if isinstance(value, str) and value == ANY:
        return value
    try:
        return int(operator.index(value))
    except TypeError:
        raise ModelError(f"{value!r} stands where an integer must") from None


# --- written out ---------------------------------------------------------------------------------


def sum_(values: Any) -> Any:
    """The sum of expressions, arrays and generators of them; Python's ``sum`` does it too."""
    items = list(flat_items(values))
    terms = tuple(item for item in items if isinstance(item, Expression))
    constant = sum(item for item in items if not isinstance(item, Expression))
    if not terms:
        return constant
    return Combination(common_space(*terms), terms, (1,) * len(terms), constant)


def all_(conditions: Any) -> Condition:
    """That all of them hold; of none, it is true."""
    return join(core.And, flat_items(conditions))


def any_(conditions: Any) -> Condition:
    """That one of them holds at least; of none, it is false."""
    return join(core.Or, flat_items(conditions))


def lex_less(one: Any, other: Any) -> Any:
    """That ``one`` comes before ``other`` in lexicographic order."""
    return lex((one, other), strict=True)


def lex_less_equal(one: Any, other: Any) -> Any:
    """That ``one`` comes before ``other`` in lexicographic order, or is equal."""
    return lex((one, other))


def decreasing(terms: Any, strict: bool = False) -> Any:
    """That each is at least the next; greater, if ``strict``."""
    return increasing(terms, strict, True)


# --- bound ---------------------------------------------------------------------------------------

mdd = bind(core.MDD)
regular = bind(core.Regular)
bin_packing = bind(core.BinPacking)
count = bind(core.Count)
global_cardinality = bind(core.GlobalCardinality)
cardinality = global_cardinality
nvalue = bind(core.NValue)
all_different = bind(core.AllDifferent)
all_equal = bind(core.AllEqual)
clauses = bind(core.Clauses)
implies = bind(core.Implies)
iff = bind(core.Iff)
xor = bind(core.Xor)
table = bind(core.Table)
if_then_else = bind(core.IfThenElse)
distance = bind(core.Distance)
element = bind(core.Element)
element_2d = bind(core.Element2D)
minimum = bind(core.Minimum)
maximum = bind(core.Maximum)
product = bind(core.Product)
truncated = bind(core.Quotient)
remainder = bind(core.Remainder)
circuit = bind(core.Circuit)
inverse = bind(core.Inverse)
subcircuit = bind(core.SubCircuit)
increasing = bind(core.Increasing)
lex = bind(core.Lex)
precedence = bind(core.Precedence)
precede = precedence
cumulative = bind(core.Cumulative)
no_overlap = bind(core.NoOverlap)
no_overlap_2d = bind(core.NoOverlap2D)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        function.__name__: function
        for function in (
            *(all_, any_, sum_, implies, iff, xor, clauses, table, if_then_else),
            *(element, element_2d, minimum, maximum, product, truncated, remainder, distance),
            *(all_different, all_equal, count, nvalue, global_cardinality, bin_packing),
            *(increasing, decreasing, lex, lex_less, lex_less_equal, precedence, regular, mdd),
            *(circuit, subcircuit, inverse, cumulative, no_overlap, no_overlap_2d),
        )
    },
    "cardinality": cardinality,
    "precede": precede,
}
"""All functions by the name under which ``concord`` has them; a test asks that none is missing."""
