"""What a constraint is: a total predicate over terms. The vocabulary is made of these.

Words
-----
scope       the variables of a constraint, distinct, by first occurrence
values      one value per variable of the scope, in the scope's order
holds       whether the constraint is true of such values: always an answer, never an error. An
            undefined term makes the nearest constraint around it false (as in MiniZinc)
relates     the definition, over evaluated fields: terms as integers, formulas as truth values
negated     the opposite constraint, where there is a simple one
expand      an equivalent formula of simpler constraints, for backends without this one

The checker and the brute-force oracle use ``holds`` and nothing else, so every backend is measured
against these few lines.

There are two ways to write a constraint. ``Predicate`` has typed fields and defines ``relates``;
all of the vocabulary is of this kind. A subclass of ``Constraint`` itself has a scope of distinct
variables and defines ``holds``; it is the short way for a user's constraint, which backends
take as a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from modelling.errors import ModelError
from modelling.terms import (
    Affine,
    Fielded,
    Fresh,
    Function,
    Term,
    canonical_fields,
    forget_consequences,
    name_of,
)

if TYPE_CHECKING:
    import random


@dataclass(frozen=True, eq=False)
class Constraint:
    """A relation over the variables of ``scope``; subclasses define ``holds``.

    A subclass need not be a dataclass, so equal means: of one class, with equal canonical content.
    """

    arity: ClassVar[int | None] = None
    """How many variables the scope must have; None when any number is allowed."""

    is_plain: ClassVar[bool] = False
    """Whether it is one of the vocabulary over distinct variables (see ``modelling.terms``)."""

    scope: tuple[Any, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", tuple(self.scope))
        if len(set(self.scope)) != len(self.scope):
            twice = next(v for v in self.scope if self.scope.count(v) > 1)
            raise ModelError(
                f"{type(self).__name__}: variable {twice!r} stands twice in the scope; "
                "name each variable once"
            )
        self._check_arity(len(self.scope))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Constraint)
        return self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.scope))

    def _check_arity(self, count: int) -> None:
        if self.arity is not None and count != self.arity:
            raise ModelError(f"{type(self).__name__} takes {self.arity} variables, got {count}")

    def holds(self, values: Sequence[int]) -> bool:
        """Whether ``values`` (one per variable of the scope, in that order) satisfy it."""
        raise NotImplementedError(f"{type(self).__name__} must define holds(values)")

    @classmethod
    def has_meaning(cls) -> bool:
        """Whether the class defines its meaning."""
        return cls.holds is not Constraint.holds

    def over(self, scope: Sequence[Any]) -> Self:
        """The same relation over other variables (as many as before).

        It is a copy: a user's class may keep its meaning outside dataclass fields.
        """
        self._check_as_many(scope)
        moved = copy(self)
        object.__setattr__(moved, "scope", tuple(scope))
        moved.__post_init__()
        return moved

    def _check_as_many(self, scope: Sequence[Any]) -> None:
        if len(scope) != len(self.scope):
            raise ModelError(f"{type(self).__name__}: a new scope must have as many variables")

    def mapped(self, replace: Callable[[Any], Term]) -> Self:
        """The same over other terms; a scope takes distinct variables only (ModelError)."""
        scope = [replace(variable) for variable in self.scope]
        for term in scope:
            if isinstance(term, (Affine, Function)):
                raise ModelError(f"{type(self).__name__} takes variables, not the term {term!r}")
        return self.over(scope)

    def parts(self) -> tuple[Any, ...]:
        """The functions and constraints of which it is made."""
        return ()

    def size(self) -> int:
        """How many variables are written."""
        return len(self.scope)

    def negated(self) -> Constraint | None:
        """The opposite, if there is a simple constraint for it."""
        return None

    def simplified(self) -> Constraint:
        """An equivalent simpler constraint, or itself; its arguments are simple."""
        return self

    def expand(self, fresh: Fresh) -> Constraint | None:
        """An equivalent formula of simpler constraints; None if there is none.

        ``fresh`` gives the variable that is equal to a total function. Such a variable is defined
        whether or not the formula holds, so that the formula can be negated and reified.
        """
        return None

    def canonical(self) -> tuple[Any, ...]:
        """Nested tuples that identify it and have the same ``repr`` everywhere.

        A user's class may keep its meaning in plain attributes too.
        """
        kind = type(self)
        compared = tuple(getattr(self, f.name) for f in fields(self) if f.compare)
        return name_of(kind), *compared, *self._plain_attributes()

    def _plain_attributes(self) -> tuple[Any, ...]:
        known = {f.name for f in fields(self)}
        return tuple(
            (name, value)
            for name, value in sorted(getattr(self, "__dict__", {}).items())
            if name not in known
            and not isinstance(getattr(type(self), name, None), cached_property)
        )


NO_SIMPLE_OPPOSITE: Mapping[str, str] = MappingProxyType(
    {"negated": "its opposite is a disjunction of many parts, as that of its expansion is"}
)
"""The reason of a class that expands to a conjunction, and has no ``negated`` (``WITHOUT``)."""

_CONSEQUENCES = ("holds", "negated", "simplified", "expand")


@dataclass(frozen=True)
class Predicate(Fielded, Constraint):
    """A constraint with typed fields over terms, which may repeat; subclasses define ``relates``.

    For the laws (``modelling.laws.checking``) each class defines ``EDGES`` (pairs of constant
    constructor arguments and the truth value), ``draw``, its names in XCSP3 and MiniZinc, and
    ``WITHOUT``: each part that it lacks, with the reason.
    """

    xcsp3: ClassVar[str] = ""
    minizinc: ClassVar[str] = ""
    EDGES: ClassVar[tuple[tuple[tuple[Any, ...], bool], ...]]
    WITHOUT: ClassVar[Mapping[str, str]] = MappingProxyType({})

    scope: tuple[Any, ...] = field(init=False, repr=False, compare=False)
    is_plain: bool = field(init=False, repr=False, compare=False)  # type: ignore[misc]

    def __init_subclass__(cls) -> None:
        forget_consequences(cls, Predicate, ("relates", "holds"), _CONSEQUENCES)

    def __post_init__(self) -> None:
        self.settle_fields()

    def relates(self, *fields: Any) -> bool:
        """The definition: whether evaluated fields are so related."""
        raise NotImplementedError(f"{type(self).__name__} must define relates(*fields)")

    def holds(self, values: Sequence[int]) -> bool:
        found = self.evaluated(dict(zip(self.scope, values, strict=True)))
        return found is not None and self.relates(*found)

    @classmethod
    def has_meaning(cls) -> bool:
        inherited = cls.holds is Predicate.holds and cls.relates is Predicate.relates
        return not inherited

    def over(self, scope: Sequence[Any]) -> Self:
        self._check_as_many(scope)
        return self.mapped(dict(zip(self.scope, scope, strict=True)).__getitem__)

    def mapped(self, replace: Callable[[Any], Term]) -> Self:
        return self.substituted(replace)

    def canonical(self) -> tuple[Any, ...]:
        kind = _name_of(type(self))
        if "." not in kind:
            return kind, *canonical_fields(self)
        return kind, *canonical_fields(self), *self._plain_attributes()

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Constraint:
        """A random one for the laws; ``terms`` is a ``modelling.laws.drawing.Drawer``."""
        raise NotImplementedError(f"{cls.__name__} must define draw(rng, terms)")


_name_of: Callable[[Any], str] = cache(name_of)
