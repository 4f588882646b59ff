"""The problem as the checker of inferences is given it: domains, constraints, an objective.

``docs/engine.md`` has the format. What is written is the structure that the driver has made of the
problem, constraint by constraint: not what the handlers have made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from backends.interface.handlers import Condition
from modelling.constraint import Constraint
from modelling.constraints import (
    AllDifferent,
    Circuit,
    Clauses,
    Cumulative,
    Define,
    Element,
    Linear,
    Maximum,
    Minimum,
    NoOverlap,
    NotEqual,
    Or,
    Product,
    Table,
)
from modelling.problem import Objective
from modelling.terms import Affine, Term, affine
from modelling.vocabulary.comparisons import RELATIONS
from modelling.vocabulary.formulas.clauses import Block

ALWAYS = "linear <= 0"


def write_term(term: Term, sign: int = 1) -> str:
    """``3x5+2``, or a constant; with -1 for ``sign`` its opposite."""
    variable, factor, offset = affine(term)
    factor, offset = sign * factor, sign * offset
    if variable is None or not factor:
        return str(offset)
    number = {1: "", -1: "-"}.get(factor, str(factor))
    return f"{number}x{variable}" + (f"{offset:+d}" if offset else "")


def write_terms(terms: Iterable[Term], sign: int = 1) -> str:
    """Terms, one a word."""
    return " ".join([write_term(term, sign) for term in terms])


def write_sum(
    terms: Sequence[Term], coefficients: Sequence[int], relation: str, constant: int
) -> str:
    """A comparison of a sum, over distinct variables, with ``<=``, ``==`` or ``!=``."""
    sign = -1 if relation in (">", ">=") else 1
    pairs = []
    for term, coefficient in zip(terms, coefficients, strict=True):
        variable, factor, offset = affine(term)
        constant -= coefficient * offset
        if variable is not None:
            pairs.append((variable, sign * coefficient * factor))
    constant *= sign
    if relation in ("<", ">"):
        constant -= 1
    words = [write_term(Affine(variable, factor, 0)) for variable, factor in merge(pairs)]
    kept = relation if relation in ("==", "!=") else "<="
    return " ".join(["linear", *words, kept, str(constant)])


def merge(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each variable once, with the sum of its factors, where that is not 0."""
    factors: dict[int, int] = {}
    for variable, factor in pairs:
        factors[variable] = factors.get(variable, 0) + factor
    return [(variable, factor) for variable, factor in factors.items() if factor]


def write_literal(part: Linear) -> str | bool:
    """A comparison of one term as a literal, or its truth value."""
    ((term, coefficient),) = zip(part.terms, part.coefficients, strict=True)
    variable, factor, offset = affine(term)
    factor, value, relation = (
        coefficient * factor,
        part.constant - coefficient * offset,
        part.relation,
    )
    if variable is None or not factor:
        return RELATIONS[relation](0, value)
    if relation in ("<", ">"):
        relation, value = relation + "=", value + (1 if relation == ">" else -1)
    if relation in ("==", "!="):
        if value % factor:
            return relation == "!="
        return f"x{variable}{relation}{value // factor}"
    if (relation == ">=") == (factor > 0):
        return f"x{variable}>={-(-value // factor)}"
    return f"x{variable}<={value // factor}"


def _write_linear(constraint: Linear) -> str:
    return write_sum(
        constraint.terms, constraint.coefficients, constraint.relation, constraint.constant
    )


def _write_not_equal(constraint: NotEqual) -> str:
    return write_sum(constraint.terms, (1, -1), "!=", 0)


def _write_different(constraint: AllDifferent) -> str:
    return f"different {write_terms(constraint.terms)}"


def _write_table(constraint: Table) -> str:
    kind = "table" if constraint.allowed else "forbidden"
    rows = " ".join([str(cell) for row in constraint.tuples for cell in row])
    return f"{kind} {write_terms(constraint.terms)} : {rows}"


def _write_circuit(constraint: Circuit) -> str:
    return f"circuit {write_terms(constraint.next)}"


def _write_or(constraint: Or) -> str:
    literals = list(map(write_literal, constraint.formulas))
    if True in literals:
        return ALWAYS
    return " ".join(["clause", *[literal for literal in literals if isinstance(literal, str)]])


def _write_clause(constraint: Clauses) -> str:
    parts = [
        Linear((constraint.terms[abs(k) - 1],), (1,), "!=" if k > 0 else "==", 0)
        for clause in constraint.literals
        for k in clause
    ]
    return _write_or(Or(tuple(parts)))


def _write_no_overlap(constraint: NoOverlap) -> str:
    tasks = _write_rows(constraint.starts, constraint.lengths)
    return f"no_overlap {'strict' if constraint.strict else 'plain'} {tasks}"


def _write_cumulative(constraint: Cumulative) -> str:
    tasks = _write_rows(constraint.starts, constraint.durations, constraint.demands)
    return f"cumulative {write_term(constraint.capacity)} {tasks}"


def _write_rows(*columns: Sequence[Term]) -> str:
    return " ".join(["/".join(map(write_term, row)) for row in zip(*columns, strict=True)])


def _write_element(result: Term, function: Element) -> str:
    return f"element {write_terms((result, function.index, *function.terms))}"


def _write_maximum(result: Term, function: Maximum) -> str:
    return f"maximum {write_terms((result, *function.terms))}"


def _write_minimum(result: Term, function: Minimum) -> str:
    """As the maximum of what is negated."""
    return f"maximum {write_terms((result, *function.terms), -1)}"


def _write_product(result: Term, function: Product) -> str:
    return f"product {write_terms((result, *function.terms))}"


FUNCTIONS: Mapping[type, Callable[[Term, Any], str]] = {
    Element: _write_element,
    Maximum: _write_maximum,
    Minimum: _write_minimum,
    Product: _write_product,
}
CONSTRAINTS: Mapping[type, Callable[[Any], str]] = {
    AllDifferent: _write_different,
    Circuit: _write_circuit,
    Clauses: _write_clause,
    Cumulative: _write_cumulative,
    Linear: _write_linear,
    NoOverlap: _write_no_overlap,
    NotEqual: _write_not_equal,
    Or: _write_or,
    Table: _write_table,
}


def write_constraint(constraint: Constraint, condition: Condition | None = None) -> str:
    """A constraint as the checker reads it, without its name."""
    if isinstance(constraint, Define):
        function = constraint.function
        return FUNCTIONS[type(function)](constraint.result, function)
    text = CONSTRAINTS[type(constraint)](constraint)
    if condition is None:
        return text
    kind = "iff" if condition.full else "if"
    return f"{kind} x{condition.variable}=={condition.value} {text}"


def parts_of(constraint: Constraint) -> Iterator[Constraint]:
    """Clauses one by one, so that each has a name; any other constraint as it is."""
    if isinstance(constraint, Clauses):
        for clause in constraint.literals:
            terms = tuple([constraint.terms[abs(k) - 1] for k in clause])
            signs = [k if literal > 0 else -k for k, literal in enumerate(clause, 1)]
            yield Clauses(terms, Block((signs,)))
    else:
        yield constraint


def write_domain(variable: int, domain: Sequence[int]) -> str:
    """The values of a variable, ascending, as runs."""
    return " ".join([f"var x{variable}", *[_write_run(*run) for run in runs_of(domain)]])


def _write_run(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def runs_of(domain: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of values without a gap."""
    if isinstance(domain, range) and domain.step == 1:
        if len(domain):
            yield domain[0], domain[-1]
        return
    first = last = None
    for value in domain:
        if last is not None and first is not None and value > last + 1:
            yield first, last
            first = None
        first, last = value if first is None else first, value
    if first is not None and last is not None:
        yield first, last


def write_objective(objective: Objective, bound: int) -> str:
    """What is claimed: that the objective is never at most ``bound``, with the sign of
    minimising."""
    sign = 1 if objective.sense == "minimize" else -1
    factors = [sign * factor for factor in objective.coefficients]
    words = write_sum(objective.scope, factors, "<=", bound).split()
    return " ".join(["objective", *words[1:]])
