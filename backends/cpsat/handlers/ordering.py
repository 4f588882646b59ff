"""Chains, lexicographic order and precedence, by enforced comparisons and clauses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backends.cpsat.handlers.guards import fits
from backends.cpsat.views import Literal, Literals, Views, negation
from backends.interface.handlers import Handler, Handlers
from modelling.terms import Term
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence


def all_equal(model: Views, constraint: AllEqual, enforced: Literals = ()) -> None:
    """Each is equal to the next."""
    _chain(model, constraint.terms, "==", enforced)


def increasing(model: Views, constraint: Increasing, enforced: Literals = ()) -> None:
    """Each is so related to the next."""
    _chain(model, constraint.terms, constraint.relation, enforced)


def _chain(model: Views, terms: Sequence[Term], relation: str, enforced: Literals) -> None:
    for pair in pairwise(terms):
        model.compare(model.total(pair, (1, -1)), relation, 0, enforced)


def lex(model: Views, constraint: Lex, enforced: Literals = ()) -> None:
    """Each two neighbours, a flag for each place before the last: the rows agree up to there.

    Where a flag is false and the one before it true, the first row is less there. So flags are
    determined by the rows, and all of them are false where the constraint need not hold.
    """
    for one, other in pairwise(constraint.rows):
        equal_allowed = len(one) < len(other) if constraint.strict else len(one) <= len(other)
        pairs = list(zip(one, other, strict=False))
        if not pairs and not equal_allowed:
            model.forbid(enforced)
        agree = tuple(enforced)
        for pair in pairs[:-1]:
            difference, flag = model.total(pair, (1, -1)), model.literal()
            model.compare(difference, "==", 0, [flag])
            model.compare(difference, "<", 0, (*agree, negation(flag)))
            for before in agree:
                model.clause((negation(flag), before))
            agree = (flag,)
        for pair in pairs[-1:]:
            relation = "<=" if equal_allowed else "<"
            model.compare(model.total(pair, (1, -1)), relation, 0, agree)


def precedence(model: Views, constraint: Precedence, enforced: Literals = ()) -> None:
    """For each value and place, whether it occurs before that place."""
    for value, later in dict.fromkeys(pairwise(constraint.values)):
        seen: Literal = False
        for place, term in enumerate(constraint.terms, 1):
            model.clause((negation(model.equals(term, later)), seen), enforced)
            if place < len(constraint.terms):
                seen = model.any_of((seen, model.equals(term, value)))


ORDERING: Handlers = {
    AllEqual: Handler(all_equal, ("root", "half"), fits, arguments="affine"),
    Increasing: Handler(increasing, ("root", "half"), fits, arguments="affine"),
    Lex: Handler(lex, ("root", "half"), fits, arguments="affine"),
    Precedence: Handler(precedence, ("root", "half"), fits, arguments="affine"),
}
