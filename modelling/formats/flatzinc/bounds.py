"""Bounds for variables that are declared without any (``var int: x``).

They follow from the constraints at the root: an inequality bounds a variable once all others in it
are bounded, a definition its result once the arguments are, a guard its index, a table its columns.
Each end of a domain is derived once, from the first constraint that gives one, so that the time is
linear in the size of the constraints, and no solution is lost. What is left without an end is for
the caller to refuse.

Words
-----
end     a variable with a sign: ``(x, 1)`` is the greatest value of x, ``(x, -1)`` its least
rule    gives one end of a variable once other ends are known
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.terms import ANY, Affine, Function, affine, bounds
from modelling.vocabulary.formulas.linear import parts_of, within

End = tuple[int, int]
Range = tuple[int | None, int | None]


class _Sum(NamedTuple):
    """``sum(factor * variable) <= constant``."""

    factors: dict[int, int]
    constant: int


class _Result(NamedTuple):
    """A variable is equal to a function."""

    variable: int
    function: Function


class _BoundsPropagation:
    """The rules that wait for ends, and the ends that are new."""

    def __init__(self, ranges: dict[int, Range], domains: list[Sequence[int] | None]) -> None:
        self.ranges = ranges
        self.domains = domains
        self.waiting: dict[End, list[int]] = defaultdict(list)
        self.rules: list[_Sum | _Result] = []
        self.missing: list[int] = []
        self.new: deque[End] = deque()

    def add(self, rule: _Sum | _Result) -> None:
        """Wait for the ends that a rule needs."""
        wanted = [end for end in _needed(rule) if self.end(end) is None]
        number = len(self.rules)
        self.rules.append(rule)
        self.missing.append(len(wanted))
        for end in wanted:
            self.waiting[end].append(number)
        self._look(number)

    def end(self, end: End) -> int | None:
        """Sign times the greatest or least value, if that is known."""
        variable, sign = end
        found = self.ranges.get(variable)
        if found is None:
            domain = self.domains[variable]
            if not domain:
                return 0
            return sign * domain[-1 if sign > 0 else 0]
        value = found[sign > 0]
        return None if value is None else sign * value

    def narrow(self, end: End, most: int) -> None:
        """Let ``sign * variable <= most``, unless that end is known."""
        variable, sign = end
        if variable in self.ranges and self.ranges[variable][sign > 0] is None:
            low, high = self.ranges[variable]
            self.ranges[variable] = (low, most) if sign > 0 else (-most, high)
            self.new.append(end)

    def run(self) -> None:
        """Follow the rules until nothing new comes."""
        while self.new:
            for number in self.waiting.pop(self.new.popleft(), ()):
                self.missing[number] -= 1
                self._look(number)

    def _look(self, number: int) -> None:
        rule, missing = self.rules[number], self.missing[number]
        if isinstance(rule, _Result):
            if not missing:
                low, high = bounds(rule.function, _KnownBounds(self))
                self.narrow((rule.variable, 1), high)
                self.narrow((rule.variable, -1), -low)
        elif missing <= 1:
            self._bound_by_sum(rule, missing)

    def _bound_by_sum(self, rule: _Sum, missing: int) -> None:
        """What is left to each variable whose other end is not known, if all others take least."""
        least, open_ = 0, None
        for variable, factor in rule.factors.items():
            sign = -1 if factor > 0 else 1
            end = self.end((variable, sign))
            if end is None:
                if open_ is not None:
                    return
                open_ = variable
            else:
                least -= abs(factor) * end
        for variable in (open_,) if open_ is not None else tuple(rule.factors):
            if variable not in self.ranges:
                continue
            factor = rule.factors[variable]
            sign = 1 if factor > 0 else -1
            own = 0 if variable == open_ else -abs(factor) * (self.end((variable, -sign)) or 0)
            self.narrow((variable, sign), (rule.constant - (least - own)) // abs(factor))


class _KnownBounds(Sequence[Sequence[int]]):
    """The domains as far as they are known, for the bounds of functions."""

    def __init__(self, search: _BoundsPropagation) -> None:
        self.search = search

    def __getitem__(self, variable: Any) -> Any:
        found = self.search.ranges.get(variable)
        if found is None:
            return self.search.domains[variable]
        low, high = found
        assert low is not None
        assert high is not None
        return (low, high) if low <= high else ()

    def __len__(self) -> int:
        return len(self.search.domains)


def derive_bounds(
    domains: list[Sequence[int] | None], constraints: Iterable[Constraint]
) -> dict[int, Range]:
    """For each variable whose domain is None its least and greatest value, None where open."""
    ranges: dict[int, Range] = {i: (None, None) for i, d in enumerate(domains) if d is None}
    if not ranges:
        return ranges
    search = _BoundsPropagation(ranges, domains)
    for constraint in constraints:
        if any(variable in ranges for variable in constraint.scope):
            for rule in _rules(search, constraint):
                search.add(rule)
    search.run()
    return ranges


def _rules(search: _BoundsPropagation, constraint: Constraint) -> Iterator[_Sum | _Result]:
    left = [constraint]
    while left:
        made = left.pop()
        if type(made) is core.And:
            left.extend(made.formulas)
        elif type(made) is core.Linear:
            yield from _sums(made)
        elif type(made) is core.Define and isinstance(made.function, Function):
            left.extend(made.function.guards())
            variable, factor, offset = affine(made.result)
            if variable is not None and (factor, offset) == (1, 0):
                yield _Result(variable, made.function)
        elif type(made) is core.Table and made.allowed and made.tuples:
            _bound_by_columns(search, made)
        else:
            left.extend(_places_and_counts(made))


def _places_and_counts(made: Constraint) -> Iterator[core.Linear]:
    """Bounds that some constraints set for each of their terms, as a place, a number or a load."""
    if isinstance(made, (core.Circuit, core.SubCircuit)):
        limited = [(term, len(made.next) - 1) for term in made.next]
    elif isinstance(made, core.Inverse):
        limited = [(term, len(made.f) - 1) for term in (*made.f, *made.g)]
    elif isinstance(made, core.GlobalCardinality):
        limited = [(term, len(made.terms)) for term in made.counts]
    elif isinstance(made, core.BinPacking):
        limited = [(term, len(made.limits) - 1) for term in made.items]
        if made.relation == "==":
            limited += [(term, sum(made.sizes)) for term in made.limits]
    else:
        return
    for term, most in limited:
        yield from within(term, 0, most)


def _sums(linear: core.Linear) -> Iterator[_Sum]:
    parts = parts_of(linear)
    if parts is None:
        return
    constant = linear.constant - parts[1]
    factors = {variable: factor for variable, factor in parts[0].items() if factor}
    if linear.relation in ("<=", "<", "=="):
        yield _Sum(factors, constant - (linear.relation == "<"))
    if linear.relation in (">=", ">", "=="):
        turned = {variable: -factor for variable, factor in factors.items()}
        yield _Sum(turned, -constant - (linear.relation == ">"))


def _bound_by_columns(search: _BoundsPropagation, table: core.Table) -> None:
    for column, term in enumerate(table.terms):
        values = [row[column] for row in table.tuples]
        if not isinstance(term, (Affine, Function)) and ANY not in values:
            search.narrow((term, 1), max(values))
            search.narrow((term, -1), -min(values))


def _needed(rule: _Sum | _Result) -> Iterable[End]:
    if isinstance(rule, _Result):
        return [(variable, sign) for variable in rule.function.scope for sign in (-1, 1)]
    return [(variable, -1 if factor > 0 else 1) for variable, factor in rule.factors.items()]
