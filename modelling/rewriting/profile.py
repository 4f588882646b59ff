"""What a backend takes natively, how, and under which condition: the input of rewriting.

Words
-----
native      taken as it is, without a rewrite
mode        in which place: ``root`` (it must hold), ``half`` (``b => c``), ``full`` (``b <=> c``)
arguments   over which terms: ``plain`` (distinct variables, no newer fields), ``affine`` (also
            affine terms and constants), ``nested`` (functions and formulas too, if each is native)
guard       a function that says of an instance whether it is taken: so nativeness may depend on
            domains (a divisor without 0)

A function is native as ``Define(variable, function)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal, Protocol

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.terms import Domains, Fielded, Function
from modelling.vocabulary.functions.define import Define

Mode = Literal["root", "half", "full"]
Arguments = Literal["plain", "affine", "nested"]


class Variables(Protocol):
    """What a guard may look at: a structure, or one that is being made."""

    @property
    def domains(self) -> Domains:
        """The base domain of each variable, ascending."""
        ...


Guard = Callable[[Any, Variables], bool]


@dataclass(frozen=True)
class Native:
    """One class that a backend takes."""

    kind: type[Constraint] | type[Function]
    modes: frozenset[Mode] = frozenset({"root"})
    arguments: Arguments = "plain"
    repeats: bool = True
    """Whether a variable may occur twice (it never does in plain arguments)."""
    when: Guard | None = None
    """A function of a module, which a digest can name: no lambda."""
    within: Guard | None = None
    """The same, for a constraint that is a part of another or half or fully reified; by default
    ``when``."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "modes", frozenset(self.modes))
        if any("<" in getattr(guard, "__qualname__", "") for guard in (self.when, self.within)):
            raise ModelError(
                f"the guard of {self.kind.__name__} must be a function of a module, so that its "
                "name can stand for it"
            )

    def described(self) -> tuple[Any, ...]:
        """Nested tuples that distinguish it from all others."""
        kind = self.kind
        guards = [
            "" if guard is None else f"{guard.__module__}.{guard.__qualname__}"
            for guard in (self.when, self.within)
        ]
        name = f"{kind.__module__}.{kind.__qualname__}"
        return name, tuple(sorted(self.modes)), self.arguments, self.repeats, *guards


@dataclass(frozen=True)
class Profile:
    """All that rewriting has to know of a backend; a value: two that are equal are rewritten alike.

    ``objective``: ``linear`` takes ``sum(coefficient * variable)`` only, ``term`` any variable or
    affine term. ``output``: whether an output of some of the variables is taken.
    ``narrows``: whether auxiliaries get the bounds that order implies (``order``).
    """

    natives: tuple[Native, ...]
    objective: Literal["linear", "term"] = "linear"
    output: bool = False
    narrows: bool = True

    @classmethod
    def of_plain(cls, kinds: Iterable[type[Constraint]]) -> Profile:
        """A backend that takes these at the root, over distinct variables."""
        return cls(tuple(Native(kind) for kind in sorted(kinds, key=lambda kind: kind.__name__)))

    @cached_property
    def digest(self) -> str:
        """32 hexadecimal digits; equal profiles, equal digests."""
        wide = () if self.narrows else ("wide",)  # a later field: older digests stay
        content = tuple(n.described() for n in self.natives), self.objective, self.output, *wide
        return blake2b(repr(content).encode(), digest_size=16).hexdigest()

    @cached_property
    def _by_kind(self) -> dict[type, Native]:
        return {native.kind: native for native in self.natives}

    def native(self, kind: type) -> Native | None:
        """How a class is taken. Exact types: a subclass may mean something else."""
        return self._by_kind.get(kind)

    def takes(self, constraint: Constraint, mode: Mode, variables: Variables) -> bool:
        """Whether ``constraint`` is native in this mode without a rewrite."""
        item: Constraint | Function = constraint
        if type(constraint) is Define and isinstance(constraint.function, Function):
            item = constraint.function
            if isinstance(constraint.result, Function):
                return False
        native = self._by_kind.get(type(item))
        if native is None or mode not in native.modes:
            return False
        if not (item.is_plain or isinstance(item, Fielded)):
            return native.arguments != "plain" and self._guarded(
                native, constraint, mode, variables
            )
        if not self._takes_arguments(item, native, variables):
            return False
        return self._guarded(native, constraint, mode, variables)

    def _guarded(
        self, native: Native, constraint: Constraint, mode: Mode, variables: Variables
    ) -> bool:
        within = mode != "root" and native.within is not None
        guard = native.within if within else native.when
        return guard is None or guard(constraint, variables)

    def _takes_arguments(
        self, item: Constraint | Function, native: Native, variables: Variables
    ) -> bool:
        if native.arguments == "plain":
            return item.is_plain
        if not native.repeats and not item.is_plain:
            assert isinstance(item, Fielded)
            if len(list(item._variables())) > len(item.scope):
                return False
        if native.arguments == "affine":
            return not item.parts()
        return all(self._takes_part(part, variables) for part in item.parts())

    def _takes_part(self, part: Any, variables: Variables) -> bool:
        if isinstance(part, Constraint):
            return self.takes(part, "full", variables)
        native = self._by_kind.get(type(part))
        return native is not None and self._takes_arguments(part, native, variables)
