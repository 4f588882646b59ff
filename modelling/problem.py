"""Structures and problems: the input of every solver.

Words
-----
structure     the part that all instances of a family and size share: variables in a fixed order
              with their base domains, the constraints, optionally an objective
base domain   the values a variable may take before any given; any integers, ascending, gaps and
              negatives included
problem       a structure and, for each variable, which positions of its base domain are still
              open: the givens of one instance
mask          those positions as an integer; bit k set means ``domain[k]`` is open. None stands for
              all of them, where a domain is too large to be listed
output        the variables that distinguish solutions; without it, all of them
assignment    one value per variable, in the structure's order

The division lets a backend encode a structure once and pose each instance by its masks alone.

Edge cases have one answer each: no variables means exactly one, empty, solution (unless a
constraint over no variables is false); an empty domain means none; an unconstrained variable
multiplies the count by the size of its domain.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from numbers import Real
from typing import Any, Literal, NamedTuple, cast

from modelling.constraint import Constraint
from modelling.definedness import can_be_undefined
from modelling.errors import ModelError
from modelling.stopping import watched
from modelling.terms import Fielded, Function, Term, canonical, evaluate, substitute, variables_of
from modelling.vocabulary.formulas.linear import Sum

Assignment = tuple[int, ...]

LISTED = 1 << 20
"""A domain given as a ``range`` of at most this many values is kept as a tuple of them."""


@dataclass(frozen=True, init=False)
class Objective:
    """Minimise or maximise a term.

    ``Objective(sense, scope, coefficients)`` is short for the term ``Sum(scope, coefficients)``.
    A structure refuses a term that its base domains can leave undefined.
    """

    sense: Literal["minimize", "maximize"]
    term: Term

    def __init__(
        self,
        sense: Literal["minimize", "maximize"],
        term: Any = None,
        coefficients: Iterable[int] | None = None,
        *,
        scope: Iterable[Any] | None = None,
    ) -> None:
        if sense not in ("minimize", "maximize"):
            raise ModelError(f"objective sense {sense!r}; use minimize or maximize")
        if coefficients is not None:
            variables, factors = tuple(term if scope is None else scope), tuple(coefficients)
            if len(variables) != len(factors):
                raise ModelError(
                    f"objective: {len(variables)} variables but {len(factors)} coefficients"
                )
            if len(set(variables)) != len(variables):
                raise ModelError("objective: a variable stands twice; add its coefficients")
            term = Sum(variables, factors)
        elif term is None or scope is not None:
            raise ModelError("objective: give a term, or a scope and its coefficients")
        object.__setattr__(self, "sense", sense)
        object.__setattr__(self, "term", term)

    @property
    def is_linear(self) -> bool:
        """Whether it is ``sum(coefficient * variable)`` over distinct variables."""
        return type(self.term) is Sum and self.term.is_plain

    @property
    def scope(self) -> tuple[Any, ...]:
        """The variables on which it depends, each once."""
        return tuple(dict.fromkeys(variables_of(self.term)))

    @property
    def coefficients(self) -> tuple[int, ...]:
        """The coefficients of the scope's variables; ModelError unless it ``is_linear``."""
        if not self.is_linear:
            raise ModelError("this objective is no sum over distinct variables: rewrite it first")
        return cast(Sum, self.term).coefficients

    def value(self, assignment: Sequence[int]) -> int:
        """The objective at a full assignment (of values in the base domains)."""
        term = self.term
        if type(term) is Sum and term.is_plain:  # nearly always, and asked for every solution
            return sum(map(operator.mul, term.coefficients, [assignment[v] for v in term.terms]))
        found = evaluate(term, assignment)
        if found is None:
            raise ModelError(f"the objective is undefined at {tuple(assignment)!r}")
        return found

    def better(self, value: int, than: int) -> bool:
        """Whether ``value`` is strictly better than ``than``."""
        return value < than if self.sense == "minimize" else value > than

    def canonical(self) -> tuple[Any, ...]:
        """Nested tuples that identify it."""
        if self.is_linear:
            return "Objective", self.sense, self.scope, self.coefficients
        return "Objective", self.sense, canonical(self.term)


class Phase(NamedTuple):
    """A part of a search that a problem states: ``variables``, the word for the one that
    comes next, and the word for its value. They are MiniZinc's words, as in
    ``int_search(x, first_fail, indomain_min)``."""

    variables: tuple[int, ...]
    choice: str
    values: str


@dataclass(frozen=True)
class Structure:
    """Variables with base domains, constraints, and optionally an objective; immutable.

    ``names[i]`` and ``domains[i]`` (ascending, no value twice) belong to variable ``i``; a domain
    may be given as a ``range``, and is kept as one if it is too large to be listed (``LISTED``).
    Constraints and objective refer to variables by position.
    """

    names: tuple[str, ...]
    domains: tuple[tuple[int, ...], ...]
    constraints: tuple[Constraint, ...]
    objective: Objective | None = None
    output: tuple[int, ...] | None = None
    uncountable: str = ""
    """Why solutions cannot be counted: what distinguishes them is unknown. Empty elsewhere."""
    search: tuple[Phase, ...] = field(default=(), compare=False)
    """How its author would search, phase by phase; the meaning, and the digest, are the same."""

    def __post_init__(self) -> None:
        if len(self.names) != len(self.domains):
            raise ModelError(f"{len(self.names)} names for {len(self.domains)} domains")
        if len(set(self.names)) != len(self.names):
            twice = next(n for n in self.names if self.names.count(n) > 1)
            raise ModelError(f"two variables are called {twice!r}")
        given = self.domains
        if not all(type(domain) is tuple for domain in given):
            object.__setattr__(self, "domains", tuple(map(_listed, given)))
        checked = set()  # a domain that many variables share is checked once
        for name, domain, before in zip(self.names, self.domains, given, strict=True):
            if id(before) not in checked:
                _check_domain(name, before if isinstance(before, range) else domain)
                checked.add(id(before))
        for kind in set(map(type, self.constraints)):
            _check_meaning(kind)
        size = len(self.names)
        for constraint in self.constraints:
            for position in constraint.scope:
                if type(position) is not int or not 0 <= position < size:
                    self._check_positions(type(constraint).__name__, constraint.scope)
            if not constraint.is_plain:
                _check_within(constraint)
        if self.objective:
            self._check_positions("Objective", self.objective.scope)
            if can_be_undefined(self.objective.term, self.domains):
                raise ModelError(
                    "the objective has no value for some values of the base domains; let a "
                    "constraint say where it is defined, and the objective be a term that always is"
                )
        if self.output is not None:
            object.__setattr__(self, "output", tuple(self.output))
            self._check_positions("output", self.output)
            if len(set(self.output)) != len(self.output):
                raise ModelError("a variable stands twice in the output; name each once")
        for phase in self.search:
            self._check_positions("search", phase.variables)

    def _check_positions(self, owner: str, scope: Iterable[Any]) -> None:
        size = len(self.names)
        for position in scope:
            if type(position) is not int or not 0 <= position < size:
                raise ModelError(
                    f"{owner} refers to variable {position!r}, "
                    f"but the positions are 0 to {size - 1}"
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
        rest: list[Any] = [self.objective.canonical() if self.objective else None]
        if self.output is not None:
            rest.append(("output", *self.output))
        if self.uncountable:
            rest.append(("uncountable", self.uncountable))
        domains = _as_tuple([repr(domain) for domain in watched(self.domains)])
        constraints = _as_tuple([repr(one.canonical()) for one in watched(self.constraints)])
        content = f"({self.names!r}, {domains}, {constraints}, {', '.join(map(repr, rest))})"
        return blake2b(content.encode(), digest_size=16).hexdigest()

    @cached_property
    def full_masks(self) -> tuple[int, ...]:
        """One mask per variable with its whole base domain open.

        The mask of a domain that is a ``range``, too large to be listed, is None.
        """
        ranges = set(self.ranges)
        made: dict[int, int] = {}  # a mask is as long as its domain: many share one
        masks = [
            None if i in ranges else made.setdefault(len(domain), (1 << len(domain)) - 1)
            for i, domain in enumerate(self.domains)
        ]
        return cast(tuple[int, ...], tuple(masks))

    @cached_property
    def ranges(self) -> tuple[int, ...]:
        """The variables whose domains are too large to be listed."""
        return tuple(i for i, domain in enumerate(self.domains) if isinstance(domain, range))

    @cached_property
    def positions(self) -> tuple[Mapping[int, int], ...]:
        """For each variable, value -> position in its base domain; equal domains share theirs."""
        known: dict[Any, Mapping[int, int]] = {}
        for domain in self.domains:
            if domain not in known:
                known[domain] = (
                    _Places(domain)
                    if isinstance(domain, range)
                    else {value: k for k, value in enumerate(domain)}
                )
        return tuple([known[domain] for domain in self.domains])

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


def _as_tuple(texts: Sequence[str]) -> str:
    """The texts of some items as Python writes a tuple of them."""
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


class _Places(Mapping[int, int]):
    """Value -> position in a range, without listing it."""

    def __init__(self, domain: range) -> None:
        self._domain = domain

    def __getitem__(self, value: int) -> int:
        if value not in self._domain:
            raise KeyError(value)
        return self._domain.index(value)

    def __iter__(self) -> Iterator[int]:
        return iter(self._domain)

    def __len__(self) -> int:
        return len(self._domain)


def _listed(domain: Sequence[int]) -> Any:
    """Return a tuple, or a range that is too large for one."""
    return domain if isinstance(domain, range) and len(domain) > LISTED else tuple(domain)


def _check_domain(name: str, domain: Sequence[int]) -> None:
    if isinstance(domain, range):
        if domain.step < 0:
            raise ModelError(f"the domain of {name} must be ascending, each value once: {domain!r}")
        return
    if any(a >= b for a, b in itertools.pairwise(domain)):
        raise ModelError(f"the domain of {name} must be ascending, each value once: {domain!r}")
    for value in domain:
        if type(value) is not int:
            raise ModelError(f"the domain of {name} holds {value!r}, which is not an integer")


def _check_meaning(kind: type) -> None:
    """Raise ModelError unless a class is a Constraint and defines its meaning."""
    if not issubclass(kind, Constraint):
        raise ModelError(f"a {kind.__name__} stands where a constraint must stand")
    if not kind.has_meaning():
        raise ModelError(f"{kind.__name__} must define holds(values)")


def _check_within(item: Any) -> None:
    """Check the constraints within a formula and its terms; a plain one has none."""
    if isinstance(item, Fielded):
        for part in item.parts():
            if not isinstance(part, Function):
                _check_meaning(type(part))
            if not part.is_plain:
                _check_within(part)


def check_size(size: Any) -> None:
    """Raise ModelError unless ``size`` is a number above 0."""
    is_number = isinstance(size, Real) and not isinstance(size, bool)
    if not is_number or not 0 < size < math.inf:
        raise ModelError(f"the size {size!r} is not a number above 0; give one, such as size=12")


MOST_DECIMAL_BITS = 14_284
"""The longest number that Python writes in decimal (4,300 digits)."""


@dataclass(frozen=True)
class Problem:
    """A structure and one mask per variable over the positions of its base domain.

    ``size`` is how large its author calls it, among others of its kind: the number of queens, of
    jobs. Tables and plots order instances by it; nothing else depends on it.
    """

    structure: Structure
    masks: tuple[int, ...]
    size: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.size is not None:
            check_size(self.size)
        if len(self.masks) != self.structure.size:
            raise ModelError(f"{len(self.masks)} masks for {self.structure.size} variables")
        try:
            for mask, full in zip(self.masks, self.structure.full_masks, strict=True):
                if mask & ~full:
                    raise ModelError(f"mask {mask:#x} reaches beyond a base domain ({full:#x})")
        except TypeError:  # None, for all values, is rare: others need not pay for it
            self._fill_masks()

    def _fill_masks(self) -> None:
        """Replace None by the mask of all values, where the domain is listed."""
        structure, masks = self.structure, list(self.masks)
        for i, (mask, full) in enumerate(zip(masks, structure.full_masks, strict=True)):
            if mask is None:
                masks[i] = full
            elif mask.bit_length() > len(structure.domains[i]) or mask < 0:
                raise ModelError(f"mask {mask:#x} reaches beyond the domain of variable {i}")
        object.__setattr__(self, "masks", tuple(masks))

    @cached_property
    def digest(self) -> str:
        """32 hexadecimal digits that identify the instance."""
        masks: tuple[object, ...] = self.masks
        if any(mask is not None and mask.bit_length() > MOST_DECIMAL_BITS for mask in self.masks):
            masks = tuple(mask if mask is None else f"{mask:#x}" for mask in self.masks)
        content = f"{self.structure.digest}{masks!r}"
        return blake2b(content.encode(), digest_size=16).hexdigest()

    def domain(self, variable: int) -> tuple[int, ...]:
        """The values that are still open for ``variable``, ascending."""
        mask = self.masks[variable]
        if mask is None:
            raise ModelError(
                f"the domain of {self.structure.names[variable]} is too large to be listed"
            )
        base = self.structure.domains[variable]
        if mask == self.structure.full_masks[variable]:
            return tuple(base)  # the tuple itself, where it is one
        if mask and not mask & (mask - 1):
            return (base[mask.bit_length() - 1],)
        return tuple([v for k, v in enumerate(base) if mask >> k & 1])

    def values(self, variable: int) -> tuple[int, ...] | range:
        """As ``domain``, but return the range of a domain that is too large to be listed."""
        if self.masks[variable] is None:
            return cast(range, self.structure.domains[variable])
        return self.domain(variable)

    def domains(self) -> tuple[tuple[int, ...], ...]:
        """The open values of every variable."""
        structure = self.structure
        if not structure.ranges and self.masks == structure.full_masks:
            return structure.domains  # type: ignore[return-value]  # tuples, but for ranges
        return tuple(map(self.domain, range(self.structure.size)))

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


def build_problem(
    domains: Mapping[str, Iterable[int]],
    constraints: Iterable[Constraint] = (),
    *,
    objective: Objective | None = None,
    givens: Mapping[str, int] | None = None,
    output: Iterable[Any] | None = None,
    size: float | None = None,
) -> Problem:
    """Return a problem from variables by name and domains as any iterables.

    Scopes, terms and formulas, and the output may name variables or give positions. ``size`` is
    that of the ``Problem``.

    >>> from modelling.constraints import AllDifferent, Linear
    >>> problem = build_problem({"x": range(3), "y": range(3)},
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
        tuple(map(ascending, domains.values())),
        tuple(c.mapped(position) for c in constraints),
        objective and Objective(objective.sense, substitute(objective.term, position)),
        None if output is None else tuple(map(position, output)),
    )
    made = structure.problem({position(name): value for name, value in (givens or {}).items()})
    return replace(made, size=size)


def runs_of(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of consecutive values; ``values`` are ascending."""
    if isinstance(values, range) and values.step == 1:
        yield from [(values[0], values[-1])] if values else ()
        return
    first = before = None
    for value in values:
        if first is None or before is None:
            first = value
        elif value != before + 1:
            yield first, before
            first = value
        before = value
    if first is not None and before is not None:
        yield first, before


def ascending(domain: Iterable[int]) -> Any:
    """The values of a domain in order, each once; a range that is too large for a tuple."""
    if isinstance(domain, range) and len(domain) > LISTED:
        return domain if domain.step > 0 else domain[::-1]
    return tuple(sorted(set(domain)))


def __getattr__(name: str) -> Any:
    """``build_problem`` by its former name, with a warning."""
    if name != "state":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import warnings

    warnings.warn("state is called build_problem now", DeprecationWarning, 2)
    return build_problem
