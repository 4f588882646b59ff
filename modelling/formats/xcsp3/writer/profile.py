"""What XCSP3-core expresses as it is; everything else is rewritten.

Words
-----
measured    a function of a list, as a count, that XCSP3 has as a constraint with a condition on it:
            it can be compared with a constant or a variable at the root, and occurs nowhere else
shifted     terms that are variables less one and the same number, as ``startIndex`` expresses it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from modelling import constraints as core
from modelling.constraint import Constraint, Predicate
from modelling.formats.xcsp3.reader.generic import is_layered
from modelling.formats.xcsp3.writer.wording import EXPRESSIONS, is_expression
from modelling.rewriting.profile import Mode, Native, Profile, Variables
from modelling.terms import ANY, Affine, Fresh, Function, Term, Terms, bounds, is_constant
from modelling.vocabulary.comparisons import mirror


@dataclass(frozen=True)
class Tour(Predicate):
    """XCSP3's circuit: ``SubCircuit`` with at least one node in it."""

    xcsp3: ClassVar[str] = "circuit"

    next: Terms

    def relates(self, next: Sequence[int]) -> bool:  # noqa: A002 (the field's standard name)
        return core.SubCircuit.relates(self, next) and any(  # type: ignore[arg-type]
            successor != node for node, successor in enumerate(next)
        )

    def expand(self, fresh: Fresh) -> Constraint:
        return core.And((core.SubCircuit(self.next), some_inside(self.next)))


def some_inside(terms: Sequence[Term]) -> core.Or:
    """That one of the nodes is not its own successor."""
    return core.Or(tuple(core.Linear((term,), (1,), "!=", node) for node, term in enumerate(terms)))


# --- what terms are ------------------------------------------------------------------------------


def are_variables(terms: Sequence[Term]) -> bool:
    """Whether all are plain variables, and there is one."""
    return bool(terms) and all(type(term) is int for term in terms)


def are_constants(terms: Sequence[Term]) -> bool:
    """Whether all are constants, and there is one."""
    return bool(terms) and all(map(is_constant, terms))


def are_alike(terms: Sequence[Term]) -> bool:
    """Whether all are variables or all are constants."""
    return are_variables(terms) or are_constants(terms)


def shift_of(terms: Sequence[Term]) -> int | None:
    """The number that is taken off variables; None if they are not shifted."""
    found = None
    for term in terms:
        shift = 0
        if isinstance(term, Affine):
            if term.variable is None or term.factor != 1:
                return None
            shift = -term.offset
        elif isinstance(term, Function):
            return None
        if found not in (None, shift):
            return None
        found = shift
    return found


def _are_natural(terms: Sequence[Term], variables: Variables) -> bool:
    """Whether none can be negative."""
    return all(bounds(term, variables.domains)[0] >= 0 for term in terms)


def _are_expressions(terms: Sequence[Term], variables: Variables) -> bool:
    """Whether terms make a list; it has no constants, which parsers refuse beside others."""
    return not any(map(is_constant, terms)) and all(
        is_expression(term, variables.domains) for term in terms
    )


class Measured(NamedTuple):
    """A measured function, and what it is compared with."""

    function: Function
    relation: str
    operand: Term


def measured(item: Constraint) -> Measured | None:
    """A constraint as the comparison of one measured function, if it is that."""
    if isinstance(item, core.Define):
        return Measured(item.function, "==", item.result) if _is_measured(item.function) else None
    if not isinstance(item, core.Linear) or len(item.terms) not in (1, 2):
        return None
    if not _is_measured(item.terms[0]) or item.coefficients[0] not in (1, -1):
        return None
    sign = item.coefficients[0]
    relation = item.relation if sign == 1 else mirror(item.relation)
    if len(item.terms) == 1:
        return Measured(item.terms[0], relation, Affine(None, 0, sign * item.constant))
    if item.coefficients[1] != -sign or item.constant or type(item.terms[1]) is not int:
        return None
    return Measured(item.terms[0], relation, item.terms[1])


def _is_measured(term: Term) -> bool:
    return isinstance(
        term, (core.Count, core.NValue, core.Minimum, core.Maximum, core.Element, core.Element2D)
    )


def says_measured(found: Measured, variables: Variables) -> bool:
    """Whether XCSP3 has a constraint for it."""
    function, operand = found.function, found.operand
    if not (type(operand) is int or is_constant(operand)):
        return False
    if isinstance(function, core.Count):
        if len(function.terms) < 2 or not _are_expressions(function.terms, variables):
            return False
        return are_constants(function.values) or (
            are_variables(function.values) and are_variables(function.terms)
        )
    if isinstance(function, (core.NValue, core.Minimum, core.Maximum)):
        if len(function.terms) < 2:
            return False
        if isinstance(function, core.NValue) and function.except_:
            return are_variables(function.terms)
        return _are_expressions(function.terms, variables)
    if isinstance(function, core.Element):
        return are_alike(function.terms) and shift_of([function.index]) is not None
    assert isinstance(function, core.Element2D)
    cells = [cell for row in function.matrix for cell in row]
    indices = shift_of([function.row]), shift_of([function.column])
    wide = len(function.matrix) > 1 and len(function.matrix[0]) > 1
    return wide and are_alike(cells) and None not in indices


# --- guards --------------------------------------------------------------------------------------


def says_linear(item: Any, variables: Variables) -> bool:
    """A sum of expressions, each once, or a measured function.

    Without terms, it is written as false or true.
    """
    found = measured(item)
    if found is not None and says_measured(found, variables):
        return True
    once = item.is_plain or len(set(item.terms)) == len(item.terms)
    return once and _are_expressions(item.terms, variables)


def says_formula(item: Any, variables: Variables) -> bool:
    """An expression; or a definition that is an equation of one."""
    if isinstance(item, core.Define):
        found = measured(item)
        if found is not None and says_measured(found, variables):
            return True
        both = item.result, item.function
        return all(is_expression(term, variables.domains) for term in both)
    return is_expression(item, variables.domains)


def says_table(item: Any, variables: Variables) -> bool:
    """A table over variables; without tuples, it is written as false or true."""
    whole = len(item.terms) == 1 and (ANY,) in item.tuples
    return are_variables(item.terms) and not whole


def says_all_different(item: Any, variables: Variables) -> bool:
    """A list of two expressions or more; where values are excepted, of variables."""
    if item.except_ and not are_variables(item.terms):
        return False
    return says_list(item, variables)


def says_list(item: Any, variables: Variables) -> bool:
    """A list of two expressions or more."""
    return len(item.terms) > 1 and _are_expressions(item.terms, variables)


def says_regular(item: Any, variables: Variables) -> bool:
    """An automaton over variables whose start and final states have transitions."""
    begins = any(arc[0] == item.start for arc in item.transitions)
    return are_variables(item.terms) and begins and bool(reached_finals(item))


def reached_finals(item: core.Regular) -> list[int]:
    """The final states that a transition leads to, or that are the start."""
    reached = {item.start, *(arc[2] for arc in item.transitions)}
    return [state for state in dict.fromkeys(item.finals) if state in reached]


def says_mdd(item: Any, variables: Variables) -> bool:
    """A diagram in layers with one root, over variables.

    A value leads from a node to one other: of two, cosoco 2.6.1, ACE 2.6 and Choco 4.10.15 take
    one and lose the solutions of the other.
    """
    arcs = item.transitions
    roots = {arc[0] for arc in arcs} - {arc[2] for arc in arcs}
    if len({arc[:2] for arc in arcs}) < len(set(arcs)):
        return False
    return are_variables(item.terms) and len(roots) == 1 and is_layered(arcs, len(item.terms))


def says_cardinality(item: Any, variables: Variables) -> bool:
    """Variables, distinct values, and occurrences that are all variables or all constants."""
    once = len(set(item.values)) == len(item.values)
    natural = not are_constants(item.counts) or _are_natural(item.counts, variables)
    return are_variables(item.terms) and once and are_alike(item.counts) and natural


def says_lex(item: Any, variables: Variables) -> bool:
    """Two lists of variables at least, of one length."""
    rows = item.rows
    return len(rows) > 1 and len(set(map(len, rows))) == 1 and all(map(are_variables, rows))


def says_increasing(item: Any, variables: Variables) -> bool:
    """Two variables at least."""
    return len(item.terms) > 1 and are_variables(item.terms)


def says_precedence(item: Any, variables: Variables) -> bool:
    """Variables, and distinct values."""
    once = len(set(item.values)) == len(item.values)
    return are_variables(item.terms) and once and bool(item.values)


def says_inverse(item: Any, variables: Variables) -> bool:
    """Two lists of one length, each shifted."""
    alike = len(item.f) == len(item.g) > 0
    return alike and shift_of(item.f) is not None and shift_of(item.g) is not None


def says_circuit(item: Any, variables: Variables) -> bool:
    """A shifted list of two nodes at least."""
    return len(item.next) > 1 and shift_of(item.next) is not None


def says_cumulative(item: Any, variables: Variables) -> bool:
    """Starts that are variables; durations and demands all variables or all constants; nothing that
    can be negative."""
    natural = (*item.durations, *item.demands, item.capacity)
    return (
        are_variables(item.starts)
        and are_alike(item.durations)
        and are_alike(item.demands)
        and are_alike((item.capacity,))
        and _are_natural(natural, variables)
    )


def says_no_overlap(item: Any, variables: Variables) -> bool:
    """Starts that are variables, lengths that are all variables or all constants, none negative."""
    natural = are_alike(item.lengths) and _are_natural(item.lengths, variables)
    return are_variables(item.starts) and natural


def says_no_overlap_2d(item: Any, variables: Variables) -> bool:
    """The same of both dimensions."""
    corners, lengths = (*item.xs, *item.ys), (*item.widths, *item.heights)
    return are_variables(corners) and are_alike(lengths) and _are_natural(lengths, variables)


def says_bin_packing(item: Any, variables: Variables) -> bool:
    """Items that are variables, in the bins that there are, whose limits are all variables or all
    constants."""
    if not (are_variables(item.items) and are_alike(item.limits)):
        return False
    ends = [bounds(term, variables.domains) for term in item.items]
    return all(low >= 0 and high < len(item.limits) for low, high in ends)


def says_clauses(item: Any, variables: Variables) -> bool:
    """Clauses over 0/1 variables, none of them empty."""
    plain = all(type(term) is int for term in item.terms) and not item.literals.has_empty
    ends = (bounds(term, variables.domains) for term in item.terms)
    return plain and all(low >= 0 and high <= 1 for low, high in ends)


# --- the profile ---------------------------------------------------------------------------------

ANYWHERE: frozenset[Mode] = frozenset({"root", "half", "full"})
ROOT: frozenset[Mode] = frozenset({"root"})
_AT_ROOT: dict[type[Any], Any] = {
    core.Linear: says_linear,
    core.Table: says_table,
    core.AllEqual: says_list,
}
_MEASURED = (core.Count, core.NValue, core.Element, core.Element2D)
_GUARDS: dict[type[Constraint], Any] = {
    core.Regular: says_regular,
    core.MDD: says_mdd,
    core.GlobalCardinality: says_cardinality,
    core.Lex: says_lex,
    core.Increasing: says_increasing,
    core.Precedence: says_precedence,
    core.Inverse: says_inverse,
    core.Circuit: says_circuit,
    Tour: says_circuit,
    core.Cumulative: says_cumulative,
    core.NoOverlap: says_no_overlap,
    core.NoOverlap2D: says_no_overlap_2d,
    core.BinPacking: says_bin_packing,
    core.Clauses: says_clauses,
}

PROFILE = Profile(
    (
        *(
            Native(
                kind, ANYWHERE, "nested", when=_AT_ROOT.get(kind, says_formula), within=says_formula
            )
            for kind in EXPRESSIONS
        ),
        *(Native(kind, ROOT, "nested", when=says_formula) for kind in _MEASURED),
        Native(core.AllDifferent, ROOT, "nested", when=says_all_different),
        *(Native(kind, ROOT, "affine", when=guard) for kind, guard in _GUARDS.items()),
    ),
    objective="term",
)
"""What XCSP3-core says, and where."""
