"""The search that learns, interpreted, with notes: ``M[NOTES]`` has the ``Notes`` of a search.

Every function is that of the search. A few are wrapped, where something becomes known: a change
without a decision, an explanation, a learned clause, clauses written anew, and the end.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from backends.propagation.encode.arena import Form
from backends.propagation.encode.draft import Propagate
from backends.propagation.forms import pure_learning_form
from backends.propagation.kernel.facts import (
    LEARNING_HEAD,
    M_CLAUSE_TOP,
    M_CLAUSES,
    M_FULL,
    MOST,
    REMOVED,
    WITHOUT,
)
from backends.propagation.kernel.layout import M_DEPTH, M_STOPPED
from backends.propagation.learning import domains
from backends.propagation.learning.analyse import analyse
from backends.propagation.learning.clauses import renew_clauses
from backends.propagation.learning.domains import log_bound, log_removal
from backends.propagation.learning.explanations import explanation_of
from backends.propagation.learning.layout import CLAUSE_LITERALS
from backends.propagation.learning.reasons import explain
from backends.propagation.learning.search import exclude_decisions, search, settle
from backends.propagation.proving.notes import Notes
from backends.propagation.rebinding import Binding

_log_bound: Any = log_bound
_log_removal: Any = log_removal
_explain: Any = explain
NOTES = LEARNING_HEAD - 1
"""The cell of M that nothing else uses."""
FOUND = "solutions were found, of which notes say nothing"


def noting(M: Any) -> Notes | None:
    """The notes of a search that has a proof so far."""
    notes: Notes = M[NOTES]
    return None if notes.missing else notes


def note_bound(S: Any, M: Any, slot: int, value: int, former: int, reason: int) -> bool:
    """``log_bound``."""
    if M[M_DEPTH] == 0 and (notes := noting(M)):
        literal = slot, value
        if reason & REMOVED:
            literal = (slot & -4) + WITHOUT, -former if slot & 3 == MOST else former
        notes.changed(S, M, literal, reason)
    found: bool = _log_bound(S, M, slot, value, former, reason)
    return found


def note_removal(S: Any, M: Any, x: int, value: int, reason: int) -> bool:
    """``log_removal``."""
    if M[M_DEPTH] == 0 and (notes := noting(M)):
        notes.changed(S, M, (4 * x + WITHOUT, value), reason)
    found: bool = _log_removal(S, M, x, value, reason)
    return found


def note_explanation(
    S: Any, T: Any, M: Any, reason: int, slot: int, value: int, place: int, out: int
) -> int:
    """``explain``."""
    n: int = _explain(S, T, M, reason, slot, value, place, out)
    if notes := noting(M):
        pairs = [(M[k], M[k + 1]) for k in range(out, out + 2 * n, 2)]
        notes.explained(S, M, reason, (slot, value), place, pairs)
    return n


def note_learned(S: Any, T: Any, M: Any) -> int:
    """``analyse``."""
    notes = noting(M)
    if notes is None:
        return int(inner(analyse)(S, T, M))
    notes.hints.clear()
    n: int = inner(analyse)(S, T, M)
    if M[M_STOPPED]:
        return n
    c = M[M_CLAUSE_TOP]
    first = M[M_CLAUSES] + c + CLAUSE_LITERALS
    notes.learned(c, [(M[k], M[k + 1]) for k in range(first, first + 2 * n, 2)])
    return n


def note_renewal(S: Any, T: Any, M: Any, worst: int) -> bool:
    """``renew_clauses``."""
    notes = noting(M)
    if notes is None:
        return bool(inner(renew_clauses)(S, T, M, worst))
    notes.begin_renewal(M)
    consistent: bool = inner(renew_clauses)(S, T, M, worst)
    notes.end_renewal(S, M, consistent or M[M_FULL] != 0)
    return consistent


def note_end(S: Any, T: Any, M: Any) -> bool:
    """``settle``."""
    consistent: bool = inner(settle)(S, T, M)
    is_refuted = not consistent and M[M_DEPTH] == 0 and M[M_FULL] == 0 and M[M_STOPPED] == 0
    if is_refuted and (notes := noting(M)):
        if notes.renewed:
            notes.renewed = []
        else:
            notes.failed(S, M)
    return consistent


def note_exclusion(S: Any, T: Any, M: Any) -> bool:
    """``exclude_decisions``, which notes have no lines for."""
    notes: Notes = M[NOTES]
    notes.give_up(FOUND)
    consistent: bool = inner(exclude_decisions)(S, T, M)
    return consistent


BELOW = Binding(
    {log_bound: note_bound, log_removal: note_removal}, {}, {}, lambda function, made: made
)
NOTING = Binding(
    {
        explain: note_explanation,
        analyse: note_learned,
        renew_clauses: note_renewal,
        settle: note_end,
        exclude_decisions: note_exclusion,
    },
    domains.SUBSTITUTES,
    {},
    lambda function, made: made,
    BELOW,
)


@cache
def inner(function: Any) -> Any:
    """A function that is wrapped, without its wrapper; what it calls is wrapped."""
    return NOTING.rebound(function)


@cache
def noting_form() -> Form:
    """The search that learns, interpreted, with notes."""
    return pure_learning_form()._replace(
        call=NOTING.bound, search=NOTING.bound(search), explain=_explanation
    )


def _explanation(propagate: Propagate) -> Any:
    """What is called to explain a propagator; 0 if nothing is."""
    found = explanation_of(propagate)
    return 0 if found is None else NOTING.bound(found)
