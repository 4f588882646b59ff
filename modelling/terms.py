"""Terms: what constraints are about. And fields: what constraints and functions are made of.

Words
-----
term        an integer that depends on the variables: a variable, given as its position (or, before
            ``state`` has resolved it, as its name); an ``Affine`` view of one; a ``Function``
constant    ``Affine(None, 0, c)``; a bare ``int`` is always a variable
undefined   a function may have no value, as an element beyond its array; ``None`` stands for that
field       what a constraint or function is made of; its annotation says its *kind*
plain       over distinct variables, each occurring once as itself, and without any of the fields
            that came later: what every backend has always taken

The kinds, as they are written in annotations: ``Term``, ``Terms`` and ``Matrix`` (rows of terms),
``Int`` and ``Ints``, ``Rows`` (tuples of integers, in which ``ANY`` stands for every value),
``Formula`` and ``Formulas`` (constraints), ``Text``; each also with ``| None``. From them follow
the variables of a constraint, substitution, evaluation and the canonical text, so that no class
writes any of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from itertools import chain
from operator import is_not
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Protocol, Self

from modelling.errors import ModelError

if TYPE_CHECKING:
    import random

ANY = "*"
"""In a row of a table: every value."""

Environment = Mapping[Any, int] | Sequence[int]
"""Variable -> value; an assignment in the structure's order will do."""

Domains = Sequence[Sequence[int]]
"""The base domain of each variable, ascending."""


class Kind(Enum):
    """What a field holds."""

    TERM = "Term"
    TERMS = "Terms"
    MATRIX = "Matrix"
    INT = "Int"
    INTS = "Ints"
    ROWS = "Rows"
    FORMULA = "Formula"
    FORMULAS = "Formulas"
    TEXT = "Text"


Term = Annotated[Any, Kind.TERM]
Terms = Annotated[tuple[Any, ...], Kind.TERMS]
Matrix = Annotated[tuple[tuple[Any, ...], ...], Kind.MATRIX]
Int = Annotated[int, Kind.INT]
Ints = Annotated[tuple[int, ...], Kind.INTS]
Rows = Annotated[tuple[tuple[Any, ...], ...], Kind.ROWS]
Formula = Annotated[Any, Kind.FORMULA]
Formulas = Annotated[tuple[Any, ...], Kind.FORMULAS]
Text = Annotated[str, Kind.TEXT]

_MANY = frozenset({Kind.TERMS, Kind.INTS, Kind.FORMULAS})
_NESTED = frozenset({Kind.ROWS, Kind.MATRIX})
_OF_TERMS = frozenset({Kind.TERM, Kind.TERMS, Kind.MATRIX})
_OF_FORMULAS = frozenset({Kind.FORMULA, Kind.FORMULAS})
_SPEAKING = _OF_TERMS | _OF_FORMULAS


class Affine(NamedTuple):
    """``factor * variable + offset``; without a variable, the constant ``offset``."""

    variable: Any
    factor: int
    offset: int


def constant(value: int) -> Affine:
    """The term that is always ``value``."""
    return Affine(None, 0, value)


def constants(*values: int) -> tuple[Affine, ...]:
    """The terms that are always these values."""
    return tuple(map(constant, values))


def is_constant(term: Term) -> bool:
    """Whether ``term`` is written as a constant."""
    return isinstance(term, Affine) and term.variable is None


def affine(term: Term) -> Affine:
    """A variable or affine term as an ``Affine`` whose factor is 0 only without a variable."""
    if not isinstance(term, Affine):
        return Affine(term, 1, 0)
    if term.variable is None or term.factor == 0:
        return constant(term.offset)
    return term


def shortest(term: Affine) -> Term:
    """The same term, a variable by itself where it is one."""
    term = affine(term)
    return term.variable if term.factor == 1 and term.offset == 0 else term


# --- fields --------------------------------------------------------------------------------------


class Field(NamedTuple):
    """A field of a class of constraints or functions; ``later`` is what it must be to be left out
    of the canonical text (``NEVER``: nothing), so that older digests survive new fields."""

    name: str
    kind: Kind
    optional: bool
    later: Any


NEVER = object()


def later(default: Any) -> Any:
    """A field that a class was given after digests had been taken: absent while it is default."""
    return field(default=default, metadata={"later": True})


def _read_fields(cls: Any) -> tuple[Field, ...]:
    found = []
    for made in fields(cls):
        if made.init:
            kind, optional = _kind_of(made.type)
            absent = made.default if made.metadata.get("later") else NEVER
            found.append(Field(made.name, kind, optional, absent))
    return tuple(found)


fields_of: Callable[[Any], tuple[Field, ...]] = cache(_read_fields)
"""The fields that the constructor of a class takes, with their kinds; read once."""


def _kind_of(annotation: Any) -> tuple[Kind, bool]:
    """The kind that an annotation names; one that names none is data, kept as it is (``Text``)."""
    if isinstance(annotation, str):
        words = [word.strip().rpartition(".")[2] for word in annotation.split("|")]
        kinds = [kind for kind in Kind if kind.value in words]
        return (kinds or [Kind.TEXT])[0], "None" in words
    choices = (annotation, *getattr(annotation, "__args__", ()))
    kinds = [m for c in choices for m in getattr(c, "__metadata__", ()) if isinstance(m, Kind)]
    return (kinds or [Kind.TEXT])[0], type(None) in choices


class _Shape(NamedTuple):
    """What is found out once about the fields of a class.

    ``speaking`` are the fields that contain variables. ``terms`` is the one field of terms, if no
    other field contains variables. ``later`` are the fields that came later, ``first`` the others.
    """

    tuples: tuple[str, ...]
    rows: tuple[str, ...]
    speaking: tuple[tuple[str, Kind], ...]
    terms: str
    later: tuple[tuple[str, Any], ...]
    first: tuple[str, ...]


def _read_shape(cls: Any) -> _Shape:
    known = fields_of(cls)
    speaking = [f for f in known if f.kind in _SPEAKING]
    alone = len(speaking) == 1 and speaking[0].kind is Kind.TERMS and not speaking[0].optional
    return _Shape(
        tuple(f.name for f in known if f.kind in _MANY),
        tuple(f.name for f in known if f.kind in _NESTED),
        tuple((f.name, f.kind) for f in speaking),
        speaking[0].name if alone else "",
        tuple((f.name, f.later) for f in known if f.later is not NEVER),
        tuple(f.name for f in known if f.later is NEVER),
    )


_shape_of: Callable[[Any], _Shape] = cache(_read_shape)
_set = object.__setattr__


class Fielded:
    """What constraints and functions share: typed fields, and all that follows from them."""

    scope: tuple[Any, ...]
    is_plain: bool

    def settle_fields(self) -> None:
        """Make tuples of sequences, and derive ``scope`` and ``is_plain``.

        Families make thousands of constraints, nearly all over plain variables: these come first.
        """
        shape = _shape_of(type(self))
        for name in shape.tuples:
            value = getattr(self, name)
            if type(value) is not tuple and value is not None:
                _set(self, name, tuple(value))
        for name in shape.rows:
            _set(self, name, tuple(map(tuple, getattr(self, name))))
        self._settle_scope(shape)

    def _settle_scope(self, shape: _Shape) -> None:
        if shape.terms:
            scope = getattr(self, shape.terms)
            kinds = set(map(type, scope))
            kinds.discard(int)
            compound = kinds and any(issubclass(kind, (Affine, Function)) for kind in kinds)
            if not compound and len(set(scope)) == len(scope):
                _set(self, "scope", scope)
                _set(self, "is_plain", not (shape.later and self._has_later()))
                return
        _set(self, "scope", tuple(dict.fromkeys(self._variables())))
        _set(self, "is_plain", False)

    def _has_later(self) -> bool:
        """Whether a field that came later holds anything but its default."""
        later = _shape_of(type(self)).later
        return any(getattr(self, name) != absent for name, absent in later)

    def settle_scope(self) -> None:
        """Derive ``scope`` and ``is_plain`` anew, of fields that are tuples already."""
        self._settle_scope(_shape_of(type(self)))

    def present_fields(self) -> Iterator[tuple[Field, Any]]:
        """Each field with what it holds, without those that hold None."""
        for made in fields_of(type(self)):
            value = getattr(self, made.name)
            if value is not None:
                yield made, value

    def terms_within(self) -> Iterator[Term]:
        """The terms in the fields themselves, not those within formulas."""
        for made, value in self.present_fields():
            if made.kind is Kind.TERM:
                yield value
            elif made.kind is Kind.TERMS:
                yield from value
            elif made.kind is Kind.MATRIX:
                yield from chain.from_iterable(value)

    def formulas_within(self) -> Iterator[Any]:
        """The constraints in the fields themselves."""
        for made, value in self.present_fields():
            if made.kind is Kind.FORMULA:
                yield value
            elif made.kind is Kind.FORMULAS:
                yield from value

    def parts(self) -> tuple[Any, ...]:
        """The functions and constraints in the fields, functions first."""
        functions: list[Any] = []
        formulas: list[Any] = []
        for name, kind in _shape_of(type(self)).speaking:
            value = getattr(self, name)
            if kind is Kind.FORMULA and value is not None:
                formulas.append(value)
            elif kind is Kind.FORMULAS and value is not None:
                formulas += value
            elif value is not None:
                terms = (value,) if kind is Kind.TERM else value
                terms = chain.from_iterable(value) if kind is Kind.MATRIX else terms
                functions += [term for term in terms if isinstance(term, Function)]
        return (*functions, *formulas)

    def size(self) -> int:
        """How many terms and numbers are written, those within included."""
        own = 0
        for made, value in self.present_fields():
            if made.kind is Kind.ROWS:
                own += len(value) * len(value[0]) if value else 0
            elif made.kind is Kind.MATRIX:
                own += sum(map(len, value))
            else:
                own += len(value) if made.kind in _MANY else 1
        within: int = sum(part.size() for part in self.parts())
        return own + within

    def expanded_size(self) -> int:
        """About the ``size`` of what ``expand`` would give, without making it."""
        return 3 * self.size()

    def _variables(self) -> Iterator[Any]:
        for name, kind in _shape_of(type(self)).speaking:
            value = getattr(self, name)
            if value is None:
                continue
            if kind is Kind.TERM:
                yield from variables_of(value)
            elif kind is Kind.FORMULA:
                yield from value.scope
            elif kind is Kind.FORMULAS:
                for formula in value:
                    yield from formula.scope
            else:
                for term in value if kind is Kind.TERMS else chain.from_iterable(value):
                    yield from variables_of(term)

    def rebuilt(
        self, of_term: Callable[[Term], Term], of_formula: Callable[[Any], Any] | None = None
    ) -> Self:
        """A copy with every term, and every constraint within, replaced by what a function makes
        of it; itself where that is what was there. A copy rather than a call of the class, whose
        subclasses may be made otherwise."""
        changed: list[tuple[str, Any]] = []
        for name, kind, _, _ in fields_of(type(self)):
            of = of_term if kind in _OF_TERMS else of_formula if kind in _OF_FORMULAS else None
            value = getattr(self, name)
            if of is None or value is None:
                continue
            if kind in _MANY:
                new = tuple([of(one) for one in value])
                if any(map(is_not, new, value)):
                    changed.append((name, new))
            elif kind is Kind.MATRIX:
                new = tuple([tuple([of(one) for one in row]) for row in value])
                if any(any(map(is_not, *rows)) for rows in zip(new, value, strict=True)):
                    changed.append((name, new))
            else:
                new = of(value)
                if new is not value:
                    changed.append((name, new))
        if not changed:
            return self
        made = copy(self)
        for name, new in changed:
            object.__setattr__(made, name, new)
        made.__post_init__()
        return made

    def __post_init__(self) -> None:
        self.settle_fields()

    def evaluated(self, environment: Environment) -> list[Any] | None:
        """The fields with terms as integers and formulas as truth values; None if a term is
        undefined."""
        found: list[Any] = []
        for name, kind, _, _ in fields_of(type(self)):
            value = getattr(self, name)
            if value is not None:
                if kind is Kind.TERM:
                    value = evaluate(value, environment)
                    if value is None:
                        return None
                elif kind is Kind.TERMS:
                    value = [evaluate(term, environment) for term in value]
                    if None in value:
                        return None
                elif kind is Kind.MATRIX:
                    value = [[evaluate(term, environment) for term in row] for row in value]
                    if any(None in row for row in value):
                        return None
                elif kind is Kind.FORMULA:
                    value = is_true(value, environment)
                elif kind is Kind.FORMULAS:
                    value = [is_true(formula, environment) for formula in value]
            found.append(value)
        return found

    def substituted(self, replace: Callable[[Any], Term]) -> Self:
        """The same over other terms: ``replace`` gives the term that stands for a variable."""
        return self.rebuilt(lambda term: substitute(term, replace), lambda c: c.mapped(replace))


def forget_consequences(
    cls: type, base: type, meanings: Sequence[str], consequences: Sequence[str]
) -> None:
    """Let a subclass with a meaning of its own inherit nothing that follows from another meaning.

    Where ``cls`` defines one of ``meanings`` anew, those of ``consequences`` that it does not
    define are those of ``base`` again.
    """
    own = cls.__dict__
    if any(name in own for name in meanings):
        for name in consequences:
            if name not in own:
                setattr(cls, name, getattr(base, name))


@dataclass(frozen=True)
class Function(Fielded):
    """An integer that depends on terms or formulas; subclasses define ``value``.

    A function that can be undefined says when in ``guards``, and ``totalised`` is the same function
    wherever it is defined, and defined everywhere.
    """

    xcsp3: ClassVar[str] = ""
    minizinc: ClassVar[str] = ""
    EDGES: ClassVar[tuple[tuple[tuple[Any, ...], int | None], ...]]
    WITHOUT: ClassVar[Mapping[str, str]] = MappingProxyType({})

    scope: tuple[Any, ...] = field(init=False, repr=False, compare=False)
    is_plain: bool = field(init=False, repr=False, compare=False)

    def __init_subclass__(cls) -> None:
        consequences = ("guards", "totalised", "simplified", "bounds", "expand")
        forget_consequences(cls, Function, ("value",), consequences)

    def value(self, *fields: Any) -> int | None:
        """The value for evaluated fields (terms as integers, formulas as truth values)."""
        raise NotImplementedError(f"{type(self).__name__} must define value(*fields)")

    def value_at(self, environment: Environment) -> int | None:
        """The value where the variables have these values; None: undefined."""
        found = self.evaluated(environment)
        return None if found is None else self.value(*found)

    def mapped(self, replace: Callable[[Any], Term]) -> Self:
        """The same function of other terms."""
        return self.substituted(replace)

    def guards(self) -> tuple[Any, ...]:
        """Constraints that together say where the function is defined, if its arguments are."""
        return ()

    def totalised(self) -> Function:
        """A function without guards that agrees with this one where that is defined."""
        return self

    def simplified(self) -> Term:
        """A simpler term of the same value, or the function itself; its arguments are simple."""
        return self

    def bounds(self, domains: Domains) -> tuple[int, int]:
        """The least and greatest value it can have, or a wider interval."""
        raise NotImplementedError(f"{type(self).__name__} must define bounds(domains)")

    def expand(self, result: Term, fresh: Fresh) -> Any:
        """A formula of simpler constraints: the function is defined and equals ``result``.

        ``fresh`` returns a term that is equal to a total function. None means that the function
        has no such formula.
        """
        return None

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Function:
        """A random one for the laws; ``terms`` is a ``modelling.laws.drawing.Drawer``."""
        raise NotImplementedError(f"{cls.__name__} must define draw(rng, terms)")


class Fresh(Protocol):
    """What ``expand`` may ask for: ``fresh(function)`` is the variable, or a term, that is equal to
    a total function; it is defined whether or not the formula holds."""

    def __call__(self, function: Function) -> Term:
        """The term that is equal to ``function``."""
        ...

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and greatest value of a term over the base domains, or a wider interval."""
        ...


# --- terms ---------------------------------------------------------------------------------------


def variables_of(term: Term) -> Iterator[Any]:
    """The variables of a term, in order, perhaps with repeats."""
    if isinstance(term, Affine):
        if term.variable is not None:
            yield term.variable
    elif isinstance(term, Function):
        yield from term.scope
    else:
        yield term


def evaluate(term: Term, environment: Environment) -> int | None:
    """The value of a term; None: undefined."""
    if isinstance(term, Affine):
        if term.variable is None:
            return term.offset
        return term.factor * environment[term.variable] + term.offset
    if isinstance(term, Function):
        return term.value_at(environment)
    return environment[term]


def is_true(constraint: Any, environment: Environment) -> bool:
    """Whether a constraint holds where the variables have these values."""
    holds: bool = constraint.holds([environment[v] for v in constraint.scope])
    return holds


def substitute(term: Term, replace: Callable[[Any], Term]) -> Term:
    """``term`` with ``replace(variable)`` in the place of each variable."""
    if isinstance(term, Function):
        return term.mapped(replace)
    if not isinstance(term, Affine):
        return replace(term)
    if term.variable is None:
        return term
    new = replace(term.variable)
    if isinstance(new, Function):
        raise ModelError(
            f"{type(new).__name__} cannot be put into an affine term: give it a variable of its own"
        )
    inner = affine(new)
    return Affine(
        inner.variable, term.factor * inner.factor, term.factor * inner.offset + term.offset
    )


def bounds(term: Term, domains: Domains) -> tuple[int, int]:
    """The least and greatest value of a term over the base domains, or a wider interval.

    A variable without values counts as 0: no solution exists, so any interval is right.
    """
    if isinstance(term, Function):
        return term.bounds(domains)
    variable, factor, offset = affine(term)
    if variable is None:
        return offset, offset
    domain = domains[variable]
    if not domain:
        return offset, offset
    ends = factor * domain[0] + offset, factor * domain[-1] + offset
    return min(ends), max(ends)


def canonical(item: Any) -> Any:
    """Nested tuples whose ``repr`` is the same in all Python versions and differs between terms."""
    if isinstance(item, Affine):
        return ("Affine", *item)
    if isinstance(item, Function):
        return (name_of(type(item)), *canonical_fields(item))
    return item


def canonical_fields(item: Fielded) -> list[Any]:
    """The fields as canonical values, without those that came later and are absent."""
    if item.is_plain:
        return [getattr(item, name) for name in _shape_of(type(item)).first]
    kinds = fields_of(type(item))
    found = []
    for name, kind, _, absent in kinds:
        value = getattr(item, name)
        if value == absent:
            continue
        if value is not None:
            if kind is Kind.TERM:
                value = canonical(value)
            elif kind is Kind.TERMS:
                value = tuple([canonical(term) for term in value])
            elif kind is Kind.MATRIX:
                value = tuple([tuple([canonical(term) for term in row]) for row in value])
            elif kind is Kind.FORMULA:
                value = value.canonical()
            elif kind is Kind.FORMULAS:
                value = tuple([formula.canonical() for formula in value])
        found.append(value)
    return found


_OWN_PACKAGE = __name__.partition(".")[0]


def name_of(kind: type) -> str:
    """The name of a class; with its module, unless it is of the vocabulary."""
    if kind.__module__.partition(".")[0] == _OWN_PACKAGE:
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"
