"""Handlers of tours."""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Posted, Propagate, post_linear
from backends.propagation.kernel.layout import DOMAIN, FIXED
from backends.propagation.propagators.graphs import chains, component, connectivity
from modelling.constraints import Circuit, SubCircuit
from modelling.terms import Terms


def post_circuit(draft: Draft, constraint: Circuit) -> None:
    """Successors that differ, no tour that is too short, one component."""
    if len(constraint.next) == 1:
        draft.possible = False
        return
    nodes = successors(draft, constraint.next)
    n = len(nodes)
    draft.circuits.append(nodes)
    _post(draft, chains.no_subtour, nodes, FIXED, [0] * n, 1)
    _post(draft, connectivity.connected, nodes, DOMAIN, connectivity.scratch_of(n), 2)


def post_subcircuit(draft: Draft, constraint: SubCircuit) -> None:
    """Successors that differ, no second tour, one component."""
    nodes = successors(draft, constraint.next)
    n = len(nodes)
    _post(draft, chains.no_second_tour, nodes, DOMAIN, [0] * n, 1)
    _post(draft, component.one_component, nodes, DOMAIN, component.scratch_of(n), 2)


def successors(draft: Draft, terms: Terms) -> list[int]:
    """Variables whose values are nodes and differ."""
    nodes = [draft.view(term) for term in terms]
    for node in dict.fromkeys(nodes):
        post_linear(draft, ">=", [(node, 1)], 0)
        post_linear(draft, "<=", [(node, 1)], len(nodes) - 1)
    if len(set(nodes)) < len(nodes):
        draft.possible = False
    else:
        draft.groups.append([(node, 0) for node in nodes])
    return nodes


def _post(
    draft: Draft,
    propagate: Propagate,
    nodes: Sequence[int],
    events: int,
    scratch: Sequence[int],
    priority: int,
) -> None:
    draft.post(
        Posted(propagate, tuple(nodes), (events,) * len(nodes), (), (), scratch, priority, False)
    )


HANDLERS: Handlers = {
    Circuit: Handler(post_circuit, arguments="affine"),
    SubCircuit: Handler(post_subcircuit, arguments="affine"),
}
