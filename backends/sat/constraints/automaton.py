"""Automata as clauses: a literal for each state before each place, a table for each place.

The rows of a place's table are its arcs: state, value, next state (``table.choose``). The tables
form a chain, so that unit propagation is domain consistent (Quimper and Walsh, "Global grammar
constraints", CP 2006). One first state, and one arc for a state and a value, leave one way: states
and arcs are determined. Where there are several arcs that is not so, and the rewrite takes over.
"""

from __future__ import annotations

from backends.sat.constraints.table import choose
from backends.sat.draft import SatDraft
from modelling.rewriting.profile import Variables
from modelling.vocabulary.automata.regular import Regular

MOST_ARCS = 2_000_000
"""An automaton with more over all places is left to the rewrite, which refuses it by its size."""


def is_deterministic(constraint: Regular, variables: Variables) -> bool:
    """Whether no state has two arcs with one value, and arcs are not too many."""
    arcs = set(constraint.transitions)
    few = len(constraint.terms) * len(arcs) <= MOST_ARCS
    return few and len({arc[:2] for arc in arcs}) == len(arcs)


def regular(draft: SatDraft, constraint: Regular) -> None:
    """Let an automaton accept the values."""
    cnf = draft.cnf
    states = {constraint.start: cnf.true}
    for term, arcs in zip(constraint.terms, constraint.useful_arcs(), strict=True):
        integer = draft.view(term)
        values = {value: integer.value_literal(value) for _, value, _ in arcs}
        values = {value: literal for value, literal in values.items() if literal != -cnf.true}
        after = {state: cnf.new() for state in dict.fromkeys(to for _, _, to in arcs)}
        choose(cnf, (states, values, after), arcs)
        states = after
