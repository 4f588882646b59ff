"""Whether two problems are the same but for names, and whether a format has words for it.

What a format says in another order or with another sign is the same. After ``normalise``, sums are
compared with their first coefficient positive and divided by what divides all, sums over 0 and 1 in
the normal form of pseudo-Boolean solvers (literals with positive weights, saturated), tables by the
set of their tuples, diagrams but for the names of nodes, what no value fulfils as false, and
constraints as a multiset. ``has_words_for`` is asked of formats with a profile; the others are
judged by what they state themselves: a problem that was read, written and read again.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from modelling.constraint import Constraint
from modelling.constraints import FALSE, MDD, TRUE, Iff, Linear, Table
from modelling.problem import Problem
from modelling.rewriting import Declined, rewrite
from modelling.rewriting.normalise import normalise, simplify_term
from modelling.terms import Domains, bounds
from modelling.vocabulary.comparisons import RELATIONS, mirror
from modelling.vocabulary.formulas.linear import Sum

WITH_PROFILE = ("flatzinc", "xcsp3")
"""Formats with constraints of their own; ``PROFILE`` lists those that they can write."""


def is_same(one: Problem, other: Problem) -> bool:
    """Whether two problems are the same but for names, order and signs."""
    return one.domains() == other.domains() and _canonical(one) == _canonical(other)


def find_change(one: Problem, other: Problem) -> str:
    """Constraints of the one alone, and those of the other instead."""
    parts = [_canonical(problem) for problem in (one, other)]
    alone = [_classes(mine[0], theirs[0]) for mine, theirs in (parts, parts[::-1])]
    if any(alone):
        return " -> ".join(" ".join(names) or "nothing" for names in alone)
    return "the objective" if parts[0][1] != parts[1][1] else "domains"


def _classes(mine: list[str], theirs: list[str]) -> list[str]:
    missing = Counter(mine) - Counter(theirs)
    return sorted({re.split(r"\W+", text.lstrip("('"))[0] for text in missing})


def _canonical(problem: Problem) -> tuple[Any, ...]:
    structure, domains = normalise(problem.structure), problem.domains()
    objective = structure.objective
    output = structure.output
    return (
        sorted(repr(_plain(c, domains)) for c in structure.constraints if not _says_nothing(c)),
        None if objective is None else (objective.sense, repr(simplify_term(objective.term))),
        list(range(structure.size)) if output is None else sorted(output),
    )


def _says_nothing(constraint: Constraint) -> bool:
    empty = isinstance(constraint, Table) and not constraint.allowed and not constraint.tuples
    return constraint == TRUE or empty


def _plain(constraint: Constraint, domains: Domains) -> Any:
    if isinstance(constraint, Iff):
        pair = [_true_where(part, domains) for part in (constraint.one, constraint.other)]
        if None not in pair:
            constraint = Linear(tuple(pair), (1, -1), "==", 0)
    if constraint == FALSE or _is_beyond_bounds(constraint, domains):
        return "False"
    if isinstance(constraint, Table):
        return "Table", constraint.terms, sorted(map(repr, constraint.tuples)), constraint.allowed
    if isinstance(constraint, MDD):
        nodes: dict[int, int] = {}
        for start, _, end in constraint.transitions:
            nodes.setdefault(start, len(nodes))
            nodes.setdefault(end, len(nodes))
        moves = sorted((nodes[a], value, nodes[b]) for a, value, b in constraint.transitions)
        return "MDD", constraint.terms, moves
    return _plain_sum(constraint, domains) if isinstance(constraint, Linear) else constraint


def _true_where(formula: Any, domains: Domains) -> Any:
    """The variable over 0 and 1 that is 1 where ``formula`` holds, or None."""
    if not isinstance(formula, Linear) or not formula.is_plain:
        return None
    rest = (formula.coefficients, formula.relation, formula.constant)
    return formula.terms[0] if rest == ((1,), "==", 1) and _is_boolean(formula, domains) else None


def _is_boolean(constraint: Linear, domains: Domains) -> bool:
    return constraint.is_plain and all(domains[v] == (0, 1) for v in constraint.terms)  # type: ignore[index]


def _plain_sum(constraint: Linear, domains: Domains) -> tuple[Any, ...]:
    pairs = list(zip(constraint.terms, constraint.coefficients, strict=True))
    relation, bound = constraint.relation, constraint.constant
    if relation in "<>":
        bound += 1 if relation == ">" else -1
        relation += "="
    boolean = _is_boolean(constraint, domains)
    if boolean and relation in ("<=", ">="):
        sign = 1 if relation == ">=" else -1
        return _saturated([(v, sign * factor) for v, factor in pairs], sign * bound)
    if boolean and len(pairs) == 1 and relation == "!=" and bound in (0, pairs[0][1]):
        relation, bound = "==", pairs[0][1] - bound
    parts = sorted((repr(term), factor) for term, factor in pairs)
    divisor = math.gcd(bound, *constraint.coefficients) or 1
    parts, bound = [(term, factor // divisor) for term, factor in parts], bound // divisor
    if parts and parts[0][1] < 0:
        parts = [(term, -factor) for term, factor in parts]
        relation, bound = mirror(relation), -bound
    return "Linear", parts, relation, bound


def _is_beyond_bounds(constraint: Constraint, domains: Domains) -> bool:
    """Whether it is a sum that is too small or too large at any value of its variables."""
    if not isinstance(constraint, Linear) or constraint.relation in ("==", "!="):
        return False
    if not all(domains[v] for v in constraint.scope):
        return False
    ends = bounds(Sum(constraint.terms, constraint.coefficients), domains)
    return not any(RELATIONS[constraint.relation](end, constraint.constant) for end in ends)


def _saturated(pairs: Sequence[tuple[Any, int]], least: int) -> tuple[Any, ...]:
    """A sum over 0 and 1 that is at least ``least``, over literals (``~x`` is 1 where x is 0)."""
    least -= sum(factor for _, factor in pairs if factor < 0)
    found = [(f"x{v}" if factor > 0 else f"~x{v}", min(abs(factor), least)) for v, factor in pairs]
    divisor = math.gcd(*(factor for _, factor in found)) or 1
    return "Sum", sorted((x, f // divisor) for x, f in found), -(-least // divisor)


def has_words_for(form: str, problem: Problem) -> bool:
    """Whether a format with a profile has words for every constraint and domain of ``problem``.

    A domain without a value, and a table without a tuple inside the domains, no format can say.
    """
    structure = problem.structure
    profile = importlib.import_module(f"modelling.formats.{form}").PROFILE
    found = rewrite(structure, profile)
    return (
        not isinstance(found, Declined)
        and found.structure.names == structure.names
        and found.structure.constraints == normalise(structure).constraints
        and all(problem.domains())
        and not any(_has_no_tuple(c, problem) for c in structure.constraints)
    )


def _has_no_tuple(constraint: Constraint, problem: Problem) -> bool:
    if not isinstance(constraint, Table) or not constraint.is_plain or not constraint.allowed:
        return False
    given = problem.domains()
    domains = [given[v] for v in constraint.terms]
    return not any(map(partial(_fits, domains), constraint.tuples))


def _fits(domains: Sequence[Sequence[int]], entries: Sequence[Any]) -> bool:
    """Whether each entry that is a number is a value of its variable."""
    pairs = zip(domains, entries, strict=True)
    return all(not isinstance(entry, int) or entry in domain for domain, entry in pairs)
