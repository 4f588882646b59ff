"""Which constraints the solver that learns takes natively, and how each is posted.

What can be clauses becomes clauses: they explain themselves. All else that has a propagator with an
explanation is posted as by the solver that does not learn.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode import clauses, counting, graphs, handlers
from backends.propagation.encode.arena import is_interval
from backends.propagation.encode.clauses import literal_of, post_clause
from backends.propagation.encode.draft import OPPOSITE, Draft
from backends.propagation.kernel.facts import LEAST, MOST
from backends.propagation.learning import scheduling
from backends.propagation.learning.memory import Literal
from backends.propagation.learning.tours import post_reduced_costs
from backends.propagation.propagators.formulas.clauses import EQUAL, NOT_EQUAL
from modelling.constraints import (
    AllDifferent,
    Circuit,
    Element,
    Element2D,
    Linear,
    Maximum,
    Minimum,
    NotEqual,
    Product,
    Table,
)
from modelling.rewriting.profile import Variables
from modelling.terms import Affine, affine


def post_sum(draft: Draft, constraint: Linear, condition: Condition | None = None) -> None:
    """A clause where a sum of truth values says no more; two where a condition is equivalent to a
    comparison of one variable; else a propagator."""
    if condition is None:
        clause = clause_of(draft, constraint)
        if clause is not None:
            draft.clauses.append(clause)
            return
    elif post_literal(draft, constraint, condition):
        return
    handlers.post_sum(draft, constraint, condition)


def post_literal(draft: Draft, constraint: Linear, condition: Condition) -> bool:
    """Post that a condition implies, or is, a comparison of one variable; False, and nothing
    posted, for other comparisons."""
    if len(constraint.terms) > 1:
        return False
    variable, factor, offset = affine(constraint.terms[0])
    coefficient = constraint.coefficients[0]
    if variable is None or factor * coefficient == 0 or is_interval(draft.domains[variable]):
        return False
    term = Affine(variable, coefficient * factor, coefficient * offset)
    b, value, is_full = condition
    literal = literal_of(term, constraint.relation, constraint.constant)
    post_clause(draft, [(b, NOT_EQUAL, value), literal])
    if is_full:
        opposite = literal_of(term, OPPOSITE[constraint.relation], constraint.constant)
        post_clause(draft, [(b, EQUAL, value), opposite])
    return True


def clause_of(draft: Draft, constraint: Linear) -> list[Literal] | None:
    """The literals one of which a sum over 0 and 1 requires; None if it says more."""
    sign = {">=": 1, ">": 1, "<=": -1, "<": -1}.get(constraint.relation)
    if sign is None:
        return None
    constant = sign * constraint.constant
    if constraint.relation in "<>":
        constant += 1
    literals = []
    for term, coefficient in zip(constraint.terms, constraint.coefficients, strict=True):
        variable, factor, offset = affine(term)
        constant -= sign * coefficient * offset
        if variable is None or factor * coefficient == 0:
            continue
        weight = sign * coefficient * factor
        if abs(weight) != 1 or tuple(draft.domains[variable]) != (0, 1):
            return None
        if weight == 1:
            literals.append((4 * variable + LEAST, 1))
        else:
            literals.append((4 * variable + MOST, 0))
            constant += 1
    if constant != 1 or len({slot >> 2 for slot, _ in literals}) < len(literals):
        return None
    return literals


def post_all_different(draft: Draft, constraint: AllDifferent) -> None:
    """As without learning; and where there are as many values as variables, each is taken."""
    counting.post_all_different(draft, constraint)
    terms = [draft.shifted(term) for term in constraint.terms]
    if all((term.factor, term.constant) == (1, 0) for term in terms):
        post_taken(draft, [term.variable for term in terms])


def post_taken(draft: Draft, variables: Sequence[int]) -> None:
    """Each value is that of a variable, where different variables are just as many."""
    domains = [draft.domains[v] for v in variables]
    if any(len(domain) > len(variables) or is_interval(domain) for domain in domains):
        return
    having: dict[int, list[int]] = {}
    for v, domain in zip(variables, domains, strict=True):
        for value in domain:
            having.setdefault(value, []).append(v)
    if len(having) == len(variables):
        for value, of in having.items():
            post_clause(draft, [(v, EQUAL, value) for v in of])


def post_tour(draft: Draft, constraint: Circuit) -> None:
    """As without learning; and each node is the successor of one."""
    graphs.post_circuit(draft, constraint)
    if draft.possible:
        post_taken(draft, [draft.view(term) for term in constraint.next])


def post_circuit(draft: Draft, constraint: Circuit) -> None:
    """A tour, and a bound of its length."""
    post_tour(draft, constraint)
    if draft.possible:
        post_reduced_costs(draft, constraint)


def is_plain_difference(constraint: AllDifferent, variables: Variables) -> bool:
    """Whether no value is excepted."""
    return not constraint.except_


NATIVE = (NotEqual, Table, Element, Element2D, Minimum, Maximum, Product)
"""What is posted as by the solver that does not learn."""

HANDLERS: Handlers = {
    **{kind: handlers.HANDLERS[kind] for kind in NATIVE},
    **scheduling.HANDLERS,
    **clauses.HANDLERS,
    AllDifferent: Handler(post_all_different, arguments="affine", when=is_plain_difference),
    Circuit: Handler(post_circuit, arguments="affine"),
    Linear: Handler(post_sum, modes=("root", "half", "full"), arguments="affine"),
}
