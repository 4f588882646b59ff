"""Structures and problems: what is asked of every solver, stated once.

Words
-----
structure     the part that all instances of a family and size share: variables in a fixed order
              with their base domains, the constraints, optionally an objective
base domain   the values a variable may take before any given; any integers, ascending, gaps and
              negatives included
problem       a structure and, for each variable, which positions of its base domain are still
              open: the givens of one instance
mask          those positions as an integer; bit k set means ``domain[k]`` is open
assignment    one value per variable, in the structure's order

The division lets a backend encode a structure once and pose each instance by its masks alone.

Edge cases have one answer each: no variables means exactly one, empty, solution (unless a
constraint over no variables is false); an empty domain means none; an unconstrained variable
multiplies the count by the size of its domain.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal

from modelling.constraints import Constraint
from modelling.errors import ModelError

Assignment = tuple[int, ...]

_OWN_PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class Objective:
    """Minimise or maximise ``sum(coefficient * value)`` over ``scope`` (positions)."""

    sense: Literal["minimize", "maximize"]
    scope: tuple[Any, ...]
    coefficients: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", tuple(self.scope))
        object.__setattr__(self, "coefficients", tuple(self.coefficients))
        if self.sense not in ("minimize", "maximize"):
            raise ModelError(f"objective sense {self.sense!r}; use minimize or maximize")
        if len(self.scope) != len(self.coefficients):
            raise ModelError(
                f"objective: {len(self.scope)} variables but {len(self.coefficients)} coefficients"
            )
        if len(set(self.scope)) != len(self.scope):
            raise ModelError("objective: a variable stands twice; add its coefficients")

    def value(self, assignment: Sequence[int]) -> int:
        """The objective at a full assignment."""
        pairs = zip(self.coefficients, self.scope, strict=True)
        return sum(coefficient * assignment[v] for coefficient, v in pairs)

    def better(self, value: int, than: int) -> bool:
        """Whether ``value`` is strictly better than ``than``."""
        return value < than if self.sense == "minimize" else value > than


@dataclass(frozen=True)
class Structure:
    """Variables with base domains, constraints, and optionally an objective; immutable.

    ``names[i]`` and ``domains[i]`` (ascending, no value twice) belong to variable ``i``.
    Constraints and objective refer to variables by position.
    """

    names: tuple[str, ...]
    domains: tuple[tuple[int, ...], ...]
    constraints: tuple[Constraint, ...]
    objective: Objective | None = None

    def __post_init__(self) -> None:
        if len(self.names) != len(self.domains):
            raise ModelError(f"{len(self.names)} names for {len(self.domains)} domains")
        if len(set(self.names)) != len(self.names):
            twice = next(n for n in self.names if self.names.count(n) > 1)
            raise ModelError(f"two variables are called {twice!r}")
        for name, domain in zip(self.names, self.domains, strict=True):
            _check_domain(name, domain)
        scoped: list[Constraint | Objective] = list(self.constraints)
        if self.objective:
            scoped.append(self.objective)
        for constraint in self.constraints:
            if type(constraint).holds is Constraint.holds:
                raise ModelError(f"{type(constraint).__name__} must define holds(values)")
        for owner in scoped:
            for position in owner.scope:
                if type(position) is not int or not 0 <= position < len(self.names):
                    raise ModelError(
                        f"{type(owner).__name__} refers to variable {position!r}, "
                        f"but the positions are 0 to {len(self.names) - 1}"
                    )

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.names)

    @cached_property
    def digest(self) -> str:
        """32 hexadecimal digits that identify the structure; equal structures, equal digests."""
        content = (
            self.names,
            self.domains,
            tuple(_canonical(constraint) for constraint in self.constraints),
            _canonical(self.objective) if self.objective else None,
        )
        return blake2b(repr(content).encode(), digest_size=16).hexdigest()

    @cached_property
    def full_masks(self) -> tuple[int, ...]:
        """One mask per variable with its whole base domain open."""
        return tuple((1 << len(domain)) - 1 for domain in self.domains)

    @cached_property
    def positions(self) -> tuple[Mapping[int, int], ...]:
        """For each variable, value -> position in its base domain."""
        return tuple({value: k for k, value in enumerate(domain)} for domain in self.domains)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Variable name -> position."""
        return {name: i for i, name in enumerate(self.names)}

    def problem(self, givens: Mapping[int, int] | None = None) -> Problem:
        """The instance in which each variable of ``givens`` (position -> value) has that value."""
        masks = list(self.full_masks)
        for variable, value in (givens or {}).items():
            position = self.positions[variable].get(value)
            if position is None:
                raise ModelError(
                    f"{self.names[variable]} = {value}: the value is not in its base domain"
                )
            masks[variable] = 1 << position
        return Problem(self, tuple(masks))


def _check_domain(name: str, domain: tuple[int, ...]) -> None:
    if any(a >= b for a, b in itertools.pairwise(domain)):
        raise ModelError(f"the domain of {name} must be ascending, each value once: {domain!r}")
    for value in domain:
        if type(value) is not int:
            raise ModelError(f"the domain of {name} holds {value!r}, which is not an integer")


def _canonical(item: Any) -> tuple[Any, ...]:
    """A dataclass as nested tuples whose ``repr`` is the same in every Python version.

    A constraint of somebody else's is told by its full name, and may keep what it means in plain
    attributes too.
    """
    kind = type(item)
    compared = tuple(getattr(item, f.name) for f in fields(item) if f.compare)
    if kind.__module__.partition(".")[0] == _OWN_PACKAGE:
        return kind.__name__, *compared
    known = {f.name for f in fields(item)}
    plain = tuple(
        (name, value)
        for name, value in sorted(getattr(item, "__dict__", {}).items())
        if name not in known and not isinstance(getattr(kind, name, None), cached_property)
    )
    return f"{kind.__module__}.{kind.__qualname__}", *compared, *plain


@dataclass(frozen=True)
class Problem:
    """A structure and one mask per variable over the positions of its base domain."""

    structure: Structure
    masks: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.masks) != self.structure.size:
            raise ModelError(f"{len(self.masks)} masks for {self.structure.size} variables")
        for mask, full in zip(self.masks, self.structure.full_masks, strict=True):
            if mask & ~full:
                raise ModelError(f"mask {mask:#x} reaches beyond a base domain ({full:#x})")

    @cached_property
    def digest(self) -> str:
        """32 hexadecimal digits that identify the instance."""
        content = f"{self.structure.digest}{self.masks!r}"
        return blake2b(content.encode(), digest_size=16).hexdigest()

    def domain(self, variable: int) -> tuple[int, ...]:
        """The values that are still open for ``variable``, ascending."""
        mask = self.masks[variable]
        return tuple(v for k, v in enumerate(self.structure.domains[variable]) if mask >> k & 1)

    def domains(self) -> tuple[tuple[int, ...], ...]:
        """The open values of every variable."""
        return tuple(self.domain(variable) for variable in range(self.structure.size))

    def named(self, assignment: Sequence[int]) -> dict[str, int]:
        """A solution by the names of the variables: ``{"x": 1, "y": 2}``."""
        names = self.structure.names
        if len(assignment) != len(names):
            raise ModelError(f"{len(assignment)} values for {len(names)} variables")
        return dict(zip(names, assignment, strict=True))

    def narrowed(self) -> list[int]:
        """The variables whose open values are fewer than their base domain."""
        pairs = zip(self.masks, self.structure.full_masks, strict=True)
        return [i for i, (mask, full) in enumerate(pairs) if mask != full]


def state(
    domains: Mapping[str, Iterable[int]],
    constraints: Iterable[Constraint] = (),
    *,
    objective: Objective | None = None,
    givens: Mapping[str, int] | None = None,
) -> Problem:
    """A problem in the terms a person writes: variables by name, domains as any iterables.

    Scopes may name variables or give positions.

    >>> from modelling.constraints import AllDifferent, Linear
    >>> problem = state({"x": range(3), "y": range(3)},
    ...                 [AllDifferent(("x", "y")), Linear(("x", "y"), (1, 1), "==", 2)])
    >>> problem.domains()
    ((0, 1, 2), (0, 1, 2))
    """
    names = tuple(domains)
    index = {name: i for i, name in enumerate(names)}

    def position(variable: Any) -> int:
        if isinstance(variable, int):
            return variable
        if variable not in index:
            raise ModelError(f"no variable is called {variable!r}; there are: {', '.join(names)}")
        return index[variable]

    structure = Structure(
        names,
        tuple(tuple(sorted(set(domain))) for domain in domains.values()),
        tuple(c.over([position(v) for v in c.scope]) for c in constraints),
        objective
        and Objective(
            objective.sense, tuple(position(v) for v in objective.scope), objective.coefficients
        ),
    )
    return structure.problem({position(name): value for name, value in (givens or {}).items()})
