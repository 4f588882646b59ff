"""Comparisons of sums as clauses, each by the technique that suits it or that is forced.

Words
-----
unless      literals of which one may be true instead: the tail of every clause
technique   ``diagram``, ``totalizer``, ``counter``, ``adder`` (option ``sums``). What has one term,
            or two, or is a clause needs none of them

diagram     sums that have to hold, over direct encodings (``linear``)
totalizer   sums of which a literal is asked, or over steps, while their partial sums are few
counter     by its name only: it is best for no kind of sum (``results/reference/sat_encodings``)
adder       what is left: it alone grows with the digits of the numbers
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backends.sat.cnf import Cnf, Literals
from backends.sat.gates import disjunction
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer, View
from backends.sat.integers.log import Log
from backends.sat.sums import adder, counter, totalizer
from backends.sat.sums.comparison import Comparison
from backends.sat.sums.diagram import DiagramTooLarge
from backends.sat.sums.linear import linear
from backends.sat.sums.merging import Weighted

TECHNIQUES = ("auto", "diagram", "totalizer", "counter", "adder")

MOST_EDGES = 100_000
"""A diagram of more edges is left to the adder."""

MOST_MERGED = 20_000
"""A totalizer of more clauses is left to the adder, unless it is forced."""

MOST_FORCED = 1_000_000
"""A technique that is forced writes no more clauses than this for a sum; then the adder does."""

MOST_PAIRED = 1 << 16
"""Two terms are compared value by value if the one with fewer values has at most this many."""

MOST_DIRECT = 100
"""Two direct encodings of at most this many values are compared by a diagram."""

MOST_DRAWN = 1000
"""A diagram is over domains of at most this many values."""

FEW = 16
"""The same where a term has digits only, of which each step is made."""

_Merging = Callable[[Cnf, Sequence[Weighted], int | None], Integer]
_MERGING: Mapping[str, tuple[_Merging, Callable[[Sequence[Weighted], int | None], int]]] = {
    "totalizer": (totalizer.total, totalizer.clauses),
    "counter": (counter.total, counter.clauses),
}


class Writer:
    """Writes comparisons to a formula; sums and literals that it has written it uses again."""

    def __init__(self, cnf: Cnf, technique: str) -> None:
        self.cnf = cnf
        self.technique = technique
        self._literals: dict[tuple[object, ...], int] = {}
        self._totals: dict[tuple[object, ...], Integer] = {}

    def post(self, comparison: Comparison | bool, unless: Sequence[int] = ()) -> None:
        """Let it hold, or one of ``unless``."""
        if isinstance(comparison, bool):
            if not comparison:
                self.cnf.say(*unless)
            return
        known = self._known(comparison)
        if known is not None:
            self.cnf.say(known, *unless)
        elif (clause := as_clause(comparison)) is not None:
            self.cnf.say(*clause, *unless)
        elif len(comparison.terms) == 1:
            self.cnf.say(self._of_one(comparison), *unless)
        elif not unless and self._is_direct(comparison) and self._draw(comparison):
            pass
        elif len(comparison.terms) == 2 and self._is_paired(comparison):
            self._pair(comparison, unless)
        elif unless or not self._draw(comparison):
            self.cnf.say(self._compared(comparison), *unless)

    def literal(self, comparison: Comparison | bool) -> int:
        """The literal that is true exactly where it holds."""
        if isinstance(comparison, bool):
            return self.cnf.true if comparison else -self.cnf.true
        if len(comparison.terms) == 1:
            return self._of_one(comparison)
        known = self._known(comparison)
        if known is None:
            known = self._literals[comparison.key] = self._new_literal(comparison)
        return known

    def _known(self, comparison: Comparison) -> int | None:
        known = self._literals.get(comparison.key)
        if known is None:
            known = self._literals.get(comparison.negated().key)
            known = None if known is None else -known
        return known

    def _new_literal(self, comparison: Comparison) -> int:
        clause, opposite = as_clause(comparison), comparison.negated()
        if clause is not None:
            return disjunction(self.cnf, clause)
        clause = as_clause(opposite)
        if clause is not None:
            return -disjunction(self.cnf, clause)
        if len(comparison.terms) == 2 and self._is_paired(comparison):
            whether = self.cnf.new()
            self._pair(comparison, [-whether])
            self._pair(opposite, [whether])
            return whether
        return self._compared(comparison)

    def _of_one(self, comparison: Comparison) -> int:
        ((factor, integer),) = comparison.terms
        view = View(integer, factor, 0)
        if comparison.relation == "<=":
            return -view.step(comparison.constant + 1)
        equal = view.value_literal(comparison.constant)
        return equal if comparison.relation == "==" else -equal

    # --- two terms, value by value ---

    def _is_paired(self, comparison: Comparison) -> bool:
        """Whether two terms are few enough in values to be compared one by one."""
        (_, one), (_, other) = comparison.terms
        fewer = min(len(one.domain), len(other.domain))
        small = self.technique != "adder" or fewer <= 2
        return small and fewer <= (
            FEW if isinstance(one, Log) or isinstance(other, Log) else MOST_PAIRED
        )

    def _pair(self, comparison: Comparison, unless: Sequence[int]) -> None:
        one, other = sorted(
            (View(integer, factor, 0) for factor, integer in comparison.terms),
            key=lambda view: view.size,
        )
        constant = comparison.constant
        if comparison.relation == "<=":
            for value in one:
                self.cnf.say(-one.step(value), -other.step(constant - value + 1), *unless)
        elif comparison.relation == "!=":
            for value in one:
                partner = other.value_literal(constant - value)
                if partner != -self.cnf.true:
                    self.cnf.say(-one.value_literal(value), -partner, *unless)
        else:
            self._pair_equal(one, other, constant, unless)

    def _pair_equal(self, one: View, other: View, constant: int, unless: Sequence[int]) -> None:
        if isinstance(one.integer, Direct) and isinstance(other.integer, Direct):
            for view, partner in ((one, other), (other, one)):
                for value in view:
                    literal = partner.value_literal(constant - value)
                    self.cnf.say(-view.value_literal(value), literal, *unless)
            return
        for value in one:
            self.cnf.say(-one.step(value), -other.step(constant - value + 1), *unless)
            self.cnf.say(one.step(value + 1), other.step(constant - value), *unless)

    # --- several terms, by a technique ---

    def _is_direct(self, comparison: Comparison) -> bool:
        """Whether two terms have value literals and few values, so that a diagram is shortest."""
        integers = [integer for _, integer in comparison.terms]
        small = all(isinstance(i, Direct) and len(i.domain) <= MOST_DIRECT for i in integers)
        return len(integers) == 2 and small

    def _draw(self, comparison: Comparison) -> bool:
        """Whether the comparison was written as a diagram."""
        integers = [integer for _, integer in comparison.terms]
        if self.technique not in ("auto", "diagram") or any(
            isinstance(integer, Log) or len(integer.domain) > MOST_DRAWN for integer in integers
        ):
            return False
        scope = [integer.value_literals() for integer in integers]
        factors = [factor for factor, _ in comparison.terms]
        return self.draw(scope, factors, comparison.relation, comparison.constant)

    def draw(
        self, scope: Sequence[Literals], factors: Sequence[int], relation: str, constant: int
    ) -> bool:
        """Write a sum over value literals as a diagram, and whether that was done."""
        if self.technique not in ("auto", "diagram"):
            return False
        most = MOST_FORCED if self.technique == "diagram" else MOST_EDGES
        try:
            linear(self.cnf, scope, factors, relation, constant, most)
        except DiagramTooLarge:
            return False
        return True

    def _compared(self, comparison: Comparison) -> int:
        """The literal, by the sum itself as an integer."""
        low, high = comparison.ends
        constant = comparison.constant
        if comparison.relation == "<=" and high - constant <= constant - low:
            return -self._compared_below(comparison.negated())
        return self._compared_below(comparison)

    def _compared_below(self, comparison: Comparison) -> int:
        """The same for a bound that is nearer to the least than to the greatest sum."""
        constant = comparison.constant
        total = self._total(comparison.terms, constant + 1 - comparison.ends[0])
        if comparison.relation == "<=":
            return -total.step(constant + 1)
        equal = total.value_literal(constant)
        return equal if comparison.relation == "==" else -equal

    def _total(self, terms: Sequence[Weighted], cap: int) -> Integer:
        key = (cap, *sorted((id(integer), factor) for factor, integer in terms))
        uncapped = (None, *key[1:])
        found = self._totals.get(key) or self._totals.get(uncapped)
        if found is not None:
            return found
        technique = self._technique(terms, cap)
        if technique == "adder":
            found = self._totals[uncapped] = adder.total(self.cnf, terms)
        else:
            total, _ = _MERGING[technique]
            found = self._totals[key] = total(self.cnf, terms, cap)
        return found

    def _technique(self, terms: Sequence[Weighted], cap: int) -> str:
        forced = self.technique if self.technique in _MERGING else ""
        if self.technique == "adder":
            return "adder"
        name, most = forced or "totalizer", MOST_FORCED if forced else MOST_MERGED
        _, clauses = _MERGING[name]
        digits_only = any(isinstance(i, Log) and len(i.domain) > FEW for _, i in terms)
        return "adder" if digits_only or clauses(terms, cap) > most else name


def as_clause(comparison: Comparison) -> list[int] | None:
    """The literals of which one at least is true, if that is all that it says."""
    if comparison.relation != "<=":
        return None
    if any(len(integer.domain) != 2 for _, integer in comparison.terms):
        return None
    views = [View(integer, factor, 0) for factor, integer in comparison.terms]
    _, high = comparison.ends
    nearest = min(view.high - view.low for view in views)
    if high - nearest > comparison.constant:
        return None
    return [-view.step(view.high) for view in views]
