"""Permutations, circuits, automata, and what is ordered."""

from __future__ import annotations

from backends.choco.guards import fits, within
from backends.choco.model import Made, Model, moved
from backends.interface.libraries.formulas import Builder
from backends.interface.magnitudes import values_of
from modelling.rewriting.profile import Guard, Variables
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence


def inverse(model: Model, constraint: Inverse) -> Made:
    """Choco's own."""
    return [model.model.inverse_channeling(model.terms(constraint.f), model.terms(constraint.g))]


def are_places(constraint: Inverse, variables: Variables) -> bool:
    """Two lists of one length, whose values are all places."""
    size = len(constraint.f)
    return size == len(constraint.g) and within((*constraint.f, *constraint.g), size, variables)


def circuit(model: Model, constraint: Circuit) -> Made:
    """Choco's own."""
    return [model.model.circuit(model.terms(constraint.next))]


def subcircuit(model: Model, constraint: SubCircuit) -> Made:
    """Choco's own, of any length."""
    length = model.model.intvar(0, len(constraint.next))
    return [model.model.sub_circuit(model.terms(constraint.next), 0, length)]


def are_nodes(constraint: Circuit | SubCircuit, variables: Variables) -> bool:
    """Two nodes at least, and all values are nodes."""
    size = len(constraint.next)
    return size > 1 and within(constraint.next, size, variables)


def regular(model: Model, constraint: Regular) -> Made:
    """An automaton over characters: values are moved to where the least one is 0."""
    used = {value for _, value, _ in constraint.transitions}
    least = min(used)
    states: dict[int, int] = {}
    automaton = model.choco.FiniteAutomaton()
    for state in (constraint.start, *(s for a, _, b in constraint.transitions for s in (a, b))):
        if state not in states:
            states[state] = automaton.add_state()
    automaton.set_initial_state(states[constraint.start])
    for state, value, to in dict.fromkeys(constraint.transitions):
        automaton.add_transition(states[state], states[to], value - least)
    automaton.set_final(*[states[state] for state in set(constraint.finals) if state in states])
    terms = model.terms(moved(term, -least) for term in constraint.terms)
    return [model.model.regular(terms, automaton)]


def is_deterministic(constraint: Regular, variables: Variables) -> bool:
    """No state has two ways for one value, a final one can be reached, and every value that a term
    may have is a character that some transition has or is beyond them."""
    arcs = set(constraint.transitions)
    alone = len({arc[:2] for arc in arcs}) == len(arcs)
    states = {constraint.start, *(to for _, _, to in arcs)}
    there = bool(constraint.terms and arcs) and not states.isdisjoint(constraint.finals)
    if not (there and alone):
        return False
    low, high = min(arc[1] for arc in arcs), max(arc[1] for arc in arcs)
    values = {value for term in constraint.terms for value in values_of(term, variables)}
    return high - low < 1 << 15 and all(low <= value <= low + (1 << 15) for value in values)


def all_equal(model: Model, constraint: AllEqual) -> Made:
    """Choco's own."""
    return [model.model.all_equal(model.terms(constraint.terms))]


def increasing(model: Model, constraint: Increasing) -> Made:
    """Choco's own, of terms that rise by 1 at least where it is strict."""
    terms = model.terms(constraint.terms)
    make = model.model.decreasing if constraint.decreasing else model.model.increasing
    return [make(terms, int(constraint.strict))]


def lex(model: Model, constraint: Lex) -> Made:
    """Choco's own chain."""
    make = model.model.lex_chain_less if constraint.strict else model.model.lex_chain_less_eq
    return [make(*map(model.terms, constraint.rows))]


def rows_are_equally_long(constraint: Lex, variables: Variables) -> bool:
    """Choco compares rows of one length."""
    lengths = set(map(len, constraint.rows))
    alike = len(constraint.rows) > 1 and len(lengths) == 1 and 0 not in lengths
    return alike and fits(constraint, variables)


def precedence(model: Model, constraint: Precedence) -> Made:
    """Choco's own chain."""
    terms = model.terms(constraint.terms)
    return [model.model.int_value_precede_chain(terms, list(constraint.values))]


def values_differ(constraint: Precedence, variables: Variables) -> bool:
    """There are at least two values, and no value is repeated."""
    values = constraint.values
    alone = len(values) > 1 and len(set(values)) == len(values)
    return alone and bool(constraint.terms) and fits(constraint, variables)


GRAPHS: dict[type, tuple[Builder, Guard]] = {
    Inverse: (inverse, are_places),
    Circuit: (circuit, are_nodes),
    AllEqual: (all_equal, fits),
    Increasing: (increasing, fits),
    Lex: (lex, rows_are_equally_long),
    Precedence: (precedence, values_differ),
}
ROOT_ONLY: dict[type, tuple[Builder, Guard]] = {
    SubCircuit: (subcircuit, are_nodes),
    Regular: (regular, is_deterministic),
}
"""The length of a subcircuit would be free where it need not hold; a reified automaton ends the
process at times, on a solution that violates it (docs/disagreements.md)."""
