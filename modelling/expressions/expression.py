"""Expressions: integers and conditions over the variables of a model, as people write them.

Words
-----
expression    an integer that depends on variables: a variable, a combination, a call, a condition
combination   a sum of expressions with coefficients and a constant, kept as it was written
call          a function of the vocabulary over expressions, kept as the core's term
condition     an expression that holds or not, and counts as 1 or 0
flatten       take a combination apart into distinct terms, their coefficients and a constant

A structure contains none of these. It contains the core's terms and constraints, in which a bare
integer is a variable's position. Here integers are constants.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.expressions import traps
from modelling.expressions.folding import count_leaves
from modelling.expressions.space import Space
from modelling.expressions.wording import show
from modelling.terms import Affine, Function, Term, bounds, constant
from modelling.vocabulary.comparisons import RELATIONS, is_total
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum, equals
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

SMALL = 64
"""A combination of at most this many operands is flattened without looking for repeats."""


class Expression:
    """An integer over variables; operators make other expressions, comparisons make conditions.

    Conditions count as 0 and 1. An integer stands for a condition only where it is 0 or 1 by its
    bounds. Whatever Python would take for a truth value or an index raises ModelError.
    """

    __slots__ = ("_space",)
    __array_ufunc__ = None  # numpy leaves operators to the methods here
    _space: Space | None

    # --- arithmetic ---

    def __add__(self, other: Any) -> Any:
        return _combine(self, 1, other, 1)

    def __radd__(self, other: Any) -> Any:
        if type(other) is int and not other:  # sum() begins with it
            return self
        return _combine(other, 1, self, 1)

    def __sub__(self, other: Any) -> Any:
        return _combine(self, 1, other, -1)

    def __rsub__(self, other: Any) -> Any:
        return _combine(other, 1, self, -1)

    def __neg__(self) -> Any:
        return Combination(self._space, (self,), (-1,), 0)

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        if _is_array(other):
            return NotImplemented
        other = operand(other, self)
        if type(other) is int:
            return Combination(self._space, (self,), (other,), 0)
        return _multiply(self, other)

    __rmul__ = __mul__

    def __pow__(self, exponent: Any) -> Any:
        try:
            exponent = operator.index(exponent)
        except (TypeError, ModelError):
            exponent = exponent if isinstance(exponent, Expression) else repr(exponent)
        if type(exponent) is not int or exponent < 0:
            traps.refuse_power(repr(self), exponent)
        if exponent < 2:
            return self if exponent else 1
        return Call(self._space, Product((to_term(self),) * exponent))

    def __rpow__(self, base: Any) -> Any:
        traps.refuse_power(repr(base), self)

    def __abs__(self) -> Any:
        found, offset = flatten(self)
        if list(found.values()) in ([1, -1], [-1, 1]):  # that of a difference is a distance
            (x, sign), (y, _) = found.items()
            if not offset or not isinstance(x, Function):
                return Call(self._space, Distance(_shifted(x, sign * offset), y))
            if not isinstance(y, Function):
                return Call(self._space, Distance(x, _shifted(y, -sign * offset)))
        return Call(self._space, Distance(to_term(self), constant(0)))

    def __floordiv__(self, other: Any) -> Any:
        return _divide(self, other, "//", self)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divide(other, self, "//", self)

    def __mod__(self, other: Any) -> Any:
        return _divide(self, other, "%", self)

    def __rmod__(self, other: Any) -> Any:
        return _divide(other, self, "%", self)

    def __truediv__(self, other: Any) -> Any:
        traps.refuse_fraction(repr(self))

    __rtruediv__ = __truediv__

    # --- comparisons ---

    def __eq__(self, other: Any) -> Any:
        return _equate(self, other, "==")

    def __ne__(self, other: Any) -> Any:
        return _equate(self, other, "!=")

    def __lt__(self, other: Any) -> Any:
        return _compare(self, other, "<")

    def __le__(self, other: Any) -> Any:
        return _compare(self, other, "<=")

    def __gt__(self, other: Any) -> Any:
        return _compare(self, other, ">")

    def __ge__(self, other: Any) -> Any:
        return _compare(self, other, ">=")

    def between(self, low: Any, high: Any) -> Condition:
        """``low <= self <= high``."""
        return join(And, (self >= low, self <= high))

    def isin(self, values: Iterable[Any]) -> Condition:
        """Whether it is one of ``values``, which may be expressions."""
        values = [operand(value, self) for value in values]
        if all(type(value) is int for value in values):
            rows = tuple((value,) for value in dict.fromkeys(values))
            return Condition(self._space, Table((to_term(self),), rows))
        return join(Or, [self == value for value in values])

    # --- conditions ---

    def __and__(self, other: Any) -> Any:
        return NotImplemented if _is_array(other) else join(And, (self, other))

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return NotImplemented if _is_array(other) else join(Or, (self, other))

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return NotImplemented if _is_array(other) else join(Xor, (self, other))

    __rxor__ = __xor__

    def __invert__(self) -> Condition:
        formula = to_formula(self)
        if type(self) is Variable:
            return Condition(self._space, equals(self.position, 0))
        return Condition(self._space, _opposite(formula))

    def implies(self, other: Any) -> Condition:
        """If this holds, ``other`` does."""
        return Condition(common_space(self, other), Implies(to_formula(self), to_formula(other)))

    def iff(self, other: Any) -> Condition:
        """This holds exactly if ``other`` does."""
        return Condition(common_space(self, other), Iff(to_formula(self), to_formula(other)))

    # --- traps ---

    def __bool__(self) -> bool:
        traps.refuse_truth(repr(self))

    def __index__(self) -> int:
        traps.refuse_index(repr(self))

    def __hash__(self) -> int:
        traps.refuse_hash(repr(self))

    def __repr__(self) -> str:
        names = self._space.names if self._space else ()
        return show(_as_written(self), names)


class Variable(Expression):
    """A variable: the handle by which expressions and solutions know it. It may be a key."""

    __slots__ = ("position",)

    def __init__(self, space: Space, position: int) -> None:
        self._space = space
        self.position = position

    __hash__ = object.__hash__

    @property
    def name(self) -> str:
        """What it is called."""
        assert self._space is not None
        return self._space.names[self.position]


class Combination(Expression):
    """A sum of expressions with coefficients and a constant; ``size`` counts all its operands."""

    __slots__ = ("coefficients", "offset", "operands", "size")
    size: int

    def __init__(
        self,
        space: Space | None,
        operands: tuple[Expression, ...],
        coefficients: tuple[int, ...],
        offset: int,
    ) -> None:
        self._space = space
        self.operands = operands
        self.coefficients = coefficients
        self.offset = offset
        size = 1
        for one in operands:
            size += one.size if type(one) is Combination else 1
        self.size = size


class Call(Expression):
    """A function of the vocabulary."""

    __slots__ = ("term",)

    def __init__(self, space: Space | None, term: Function) -> None:
        self._space = space
        self.term = term


class Condition(Expression):
    """A constraint, as an expression; ``Model.add`` posts it."""

    __slots__ = ("_formula",)
    _formula: Constraint | None

    def __init__(self, space: Space | None, formula: Constraint) -> None:
        self._space = space
        self._formula = formula

    @property
    def formula(self) -> Constraint:
        """The core's constraint."""
        assert self._formula is not None
        return self._formula


class Junction(Condition):
    """``&``, ``|`` or ``^`` of conditions, kept as written until the constraint is asked for."""

    __slots__ = ("kind", "parts")

    def __init__(self, space: Space | None, kind: Any, parts: tuple[Any, ...]) -> None:
        self._space = space
        self._formula = None
        self.kind = kind
        self.parts = parts

    @property
    def formula(self) -> Constraint:
        """Parts of the same kind taken in: ``a & b & c`` is one ``And``."""
        if self._formula is None:
            leaves = count_leaves(self, lambda one: _parts_of(one, self.kind))
            odd = [one for one, times in leaves if self.kind is not Xor or times % 2]
            self._formula = self.kind(tuple([to_formula(one) for one in odd]))
        return self._formula


def _parts_of(item: Any, kind: Any) -> list[tuple[Any, int]] | None:
    if type(item) is Junction and item.kind is kind:
        return [(part, 1) for part in item.parts]
    return None


def join(kind: Any, parts: Iterable[Any]) -> Condition:
    """``And``, ``Or`` or ``Xor`` of conditions, truth values and integers that are 0 or 1."""
    parts = tuple(parts)
    for part in parts:
        if not isinstance(part, Condition):
            to_formula(part)  # raises here, where the mistake is, if it is not a condition
    return Junction(common_space(*parts), kind, parts)


# --- from expressions to the core ----------------------------------------------------------------


def operand(value: Any, owner: Any) -> Any:
    """An expression as it is, an integer of any type as an ``int``; ModelError for all else."""
    if isinstance(value, Expression) or type(value) is int:
        return value
    try:
        return int(operator.index(value))  # of True too
    except TypeError:
        if type(value).__name__ in ("bool", "bool_"):  # numpy's cannot be indices
            return int(value)
        traps.refuse_operand(value, owner if isinstance(owner, str) else repr(owner))


def common_space(*items: Any) -> Space | None:
    """The space of all these expressions; ModelError if they are of different models."""
    found: Space | None = None
    for item in items:
        if isinstance(item, Expression) and item._space is not None:
            if found is not None and item._space is not found:
                raise ModelError(
                    f"{item!r} is of another model than what it is combined with; make all "
                    "variables by one Model"
                )
            found = item._space
    return found


def flatten(*items: Any, factors: tuple[int, ...] = (1, -1)) -> tuple[dict[Term, int], int]:
    """Distinct terms with their coefficients, by first occurrence, and the constant.

    ``items`` are added with ``factors``. A term whose coefficient is 0 stays only if it can be
    undefined. Without recursion: sums are nested as deeply as they are long.
    """
    found: dict[Any, int] = {}
    offset = 0
    left = list(zip(items, factors))[::-1]  # noqa: B905 (there may be fewer items)
    while left:
        item, factor = left.pop()
        kind = type(item)
        if kind is Variable:
            key = item.position
            found[key] = found.get(key, 0) + factor
        elif kind is int:
            offset += factor * item
        elif kind is Combination:
            if item.size > SMALL:
                leaves = count_leaves(item, _operands_of)
                left.extend([(one, factor * times) for one, times in reversed(leaves)])
                continue
            offset += factor * item.offset
            operands, coefficients = item.operands, item.coefficients
            for k in range(len(operands) - 1, -1, -1):
                left.append((operands[k], factor * coefficients[k]))
        else:
            key, times, added = _as_view(item)
            offset += factor * added
            try:
                if times:
                    found[key] = found.get(key, 0) + factor * times
            except RecursionError:
                traps.refuse_depth()
    if 0 in found.values():
        found = {term: c for term, c in found.items() if c or not is_total(term)}
    return found, offset


def _operands_of(item: Any) -> list[tuple[Any, int]] | None:
    if type(item) is Combination:
        pairs: list[tuple[Any, int]] = list(zip(item.operands, item.coefficients, strict=True))
        return [*pairs, (item.offset, 1)] if item.offset else pairs
    return None


def _as_view(item: Expression) -> tuple[Any, int, int]:
    """A call or condition as a term, a factor and an offset: ``~b`` is ``1 - b``."""
    if type(item) is Call:
        return item.term, 1, 0
    assert isinstance(item, Condition)
    formula = item.formula
    if type(formula) is Linear and _is_boolean_literal(formula, item._space):
        (position,) = formula.terms
        return (position, 1, 0) if formula.constant else (position, -1, 1)
    if formula in (TRUE, FALSE):
        return None, 0, int(formula == TRUE)
    return Truth(formula), 1, 0


def _is_boolean_literal(formula: Linear, space: Space | None) -> bool:
    """Whether it is ``b == 0`` or ``b == 1`` of a variable that is 0 or 1."""
    if not formula.is_plain or (formula.coefficients, formula.relation) != ((1,), "=="):
        return False
    known = space is not None and space.is_boolean(formula.terms[0])
    return known and formula.constant in (0, 1)


def to_term(item: Any) -> Term:
    """The core's term for an expression or an integer."""
    if type(item) is Variable:
        return item.position
    if type(item) is Call:
        return item.term
    found, offset = flatten(item)
    if not found:
        return constant(offset)
    if len(found) == 1:
        ((term, factor),) = found.items()
        if not isinstance(term, Function):
            return term if (factor, offset) == (1, 0) else Affine(term, factor, offset)
        if (factor, offset) == (1, 0):
            return term
    return to_sum(found, offset)


def to_sum(found: dict[Term, int], offset: int) -> Sum:
    """Terms with coefficients and a constant as one sum."""
    if offset:
        return Sum((*found, constant(offset)), (*found.values(), 1))
    return Sum(tuple(found), tuple(found.values()))


def to_formula(item: Any) -> Constraint:
    """The core's constraint for a condition, a truth value, or an integer that is 0 or 1."""
    if isinstance(item, Condition):
        return item.formula
    if isinstance(item, Expression):
        low, high = bounds_of(item)
        if low < 0 or high > 1:
            traps.refuse_condition(repr(item), low, high)
        found, offset = flatten(item)
        return _linear(found, offset, "==", 1)
    value = operand(item, "a condition")
    if value not in (0, 1):
        raise ModelError(f"{item!r} is no condition; write True or False, or a comparison")
    return TRUE if value else FALSE


def bounds_of(item: Any) -> tuple[int, int]:
    """The least and greatest value that an expression or integer can have, by base domains."""
    if type(item) is int:
        return item, item
    return bounds(to_term(item), item._space.domains if item._space else ())


# --- how operators make expressions --------------------------------------------------------------


def _is_array(item: Any) -> bool:
    return getattr(item, "is_array", False) is True


def _combine(one: Any, factor: int, other: Any, times: int) -> Any:
    if _is_array(one) or _is_array(other):
        return NotImplemented
    one, other = operand(one, other), operand(other, one)
    if type(other) is int:
        return Combination(one._space, (one,), (factor,), times * other)
    if type(one) is int:
        return Combination(other._space, (other,), (times,), factor * one)
    space = one._space if one._space is other._space else common_space(one, other)
    return Combination(space, (one, other), (factor, times), 0)


def _multiply(one: Expression, other: Expression) -> Expression:
    space = common_space(one, other)
    terms: list[Term] = []
    for item in (one, other):
        term = to_term(item)
        if type(term) is Affine and term.variable is None:
            return Combination(space, (other if item is one else one,), (term.offset,), 0)
        terms.extend(term.terms if type(term) is Product else (term,))
    return Call(space, Product(tuple(terms)))


def _divide(x: Any, y: Any, sign: str, owner: Expression) -> Any:
    if _is_array(x) or _is_array(y):
        return NotImplemented
    x, y = operand(x, owner), operand(y, owner)
    ends = (*bounds_of(x), *bounds_of(y))
    if ends[0] < 0 or ends[2] < 1:
        traps.refuse_division(repr(x), repr(y), sign, ends)
    kind = Quotient if sign == "//" else Remainder
    return Call(common_space(x, y), kind(to_term(x), to_term(y)))


def _shifted(term: Term, offset: int) -> Term:
    return Affine(term, 1, offset) if offset else term


def _compare(one: Expression, other: Any, relation: str) -> Any:
    if _is_array(other):
        return NotImplemented
    other = operand(other, one)
    found, offset = flatten(one, other)
    return Condition(common_space(one, other), _linear(found, offset, relation, 0))


def _linear(found: dict[Term, int], offset: int, relation: str, right: int) -> Constraint:
    bound = right - offset
    if relation == "!=" and not bound and len(found) == 2:
        (one, factor), (other, times) = found.items()
        if type(one) is int and type(other) is int and abs(factor) == 1 and not factor + times:
            return NotEqual((one, other))
    if not found:
        return TRUE if RELATIONS[relation](0, bound) else FALSE
    return Linear(tuple(found), tuple(found.values()), relation, bound)


def _equate(one: Expression, other: Any, relation: str) -> Any:
    """Conditions are equal if both hold or neither does."""
    if _is_array(other):
        return NotImplemented
    other = operand(other, one)
    if isinstance(one, Condition) or isinstance(other, Condition):
        if type(other) is int:
            if other not in (0, 1):
                return Condition(one._space, TRUE if relation == "!=" else FALSE)
            return one if (other == 1) == (relation == "==") else ~one
        if _is_condition(one) and _is_condition(other):
            space, sides = common_space(one, other), (to_formula(one), to_formula(other))
            return Condition(space, Iff(*sides) if relation == "==" else Xor(sides))
    return _compare(one, other, relation)


def _is_condition(item: Expression) -> bool:
    if isinstance(item, Condition):
        return True
    return (
        type(item) is Variable and item._space is not None and item._space.is_boolean(item.position)
    )


def _opposite(formula: Constraint) -> Constraint:
    """Its negation, short where that is a comparison or was negated before."""
    if type(formula) is Not:
        inner: Constraint = formula.formula
        return inner
    if formula in (TRUE, FALSE):
        return FALSE if formula == TRUE else TRUE
    opposite = formula.negated() if type(formula) in (Linear, NotEqual) else None
    return opposite or Not(formula)


def _as_written(item: Expression) -> Any:
    """What ``show`` draws: the core's term or constraint."""
    return item.formula if isinstance(item, Condition) else to_term(item)
