"""Permutations and circuits over literals, automata over integers."""

from __future__ import annotations

from collections.abc import Sequence

from backends.cpsat.handlers.guards import fits
from backends.cpsat.views import Literals, Views
from backends.interface.handlers import Handler, Handlers
from modelling.rewriting.profile import Variables
from modelling.terms import Term
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit


def inverse(model: Views, constraint: Inverse, enforced: Literals = ()) -> None:
    """``f[i] == j`` and ``g[j] == i`` are one."""
    nodes = range(len(constraint.f))
    for term in (*constraint.f, *constraint.g):
        model.within(term, nodes, enforced)
    for i, x in enumerate(constraint.f):
        for j, y in enumerate(constraint.g):
            model.equate(model.equals(x, j), model.equals(y, i), enforced)


def lengths_agree(constraint: Inverse, variables: Variables) -> bool:
    """Lists of unequal lengths are never inverses; that needs no solver."""
    return len(constraint.f) == len(constraint.g) and fits(constraint, variables)


def circuit(model: Views, constraint: Circuit, enforced: Literals = ()) -> None:
    """CP-SAT's circuit over an arc for each successor."""
    _circuit(model, constraint.next, False, enforced)


def subcircuit(model: Views, constraint: SubCircuit, enforced: Literals = ()) -> None:
    """The same with an arc from each node to itself, for those that are left out."""
    _circuit(model, constraint.next, True, enforced)


def _circuit(model: Views, successors: Sequence[Term], loops: bool, enforced: Literals) -> None:
    nodes = range(len(successors))
    arcs = []
    for node, term in enumerate(successors):
        allowed = [other for other in nodes if loops or other != node]
        model.within(term, allowed, enforced)
        having = [(other, model.equals(term, other)) for other in allowed]
        arcs += [(node, other, literal) for other, literal in having if literal is not False]
    if arcs:
        model.post(model.model.add_circuit(arcs), enforced)
    else:
        model.forbid(enforced)


def two_nodes(constraint: Circuit, variables: Variables) -> bool:
    """Whether there are at least two nodes; the answer for fewer needs no solver."""
    return len(constraint.next) > 1 and fits(constraint, variables)


def regular(model: Views, constraint: Regular, enforced: Literals = ()) -> None:
    """CP-SAT's automaton. Its handler takes it at the root only: where an enforced one need not
    hold, its states are free, and solutions are repeated (docs/disagreements.md)."""
    automaton = model.model.add_automaton(
        model.expressions_of(constraint.terms),
        constraint.start,
        list(dict.fromkeys(constraint.finals)),
        list(dict.fromkeys(constraint.transitions)),
    )
    model.post(automaton, enforced)


def is_deterministic(constraint: Regular, variables: Variables) -> bool:
    """CP-SAT's automaton takes no state with two ways for one value, and nothing empty."""
    arcs = set(constraint.transitions)
    alone = len({arc[:2] for arc in arcs}) == len(arcs)
    there = bool(constraint.terms and arcs and constraint.finals)
    return there and alone and fits(constraint, variables)


GRAPHS: Handlers = {
    Inverse: Handler(inverse, ("root", "half"), lengths_agree, arguments="affine"),
    Circuit: Handler(circuit, ("root", "half"), two_nodes, arguments="affine"),
    SubCircuit: Handler(subcircuit, ("root", "half"), fits, arguments="affine"),
    Regular: Handler(regular, ("root",), is_deterministic, arguments="affine"),
}
