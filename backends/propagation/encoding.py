"""From a structure to what the search works on; built once and reused for every instance.

All values that occur in any base domain are sorted into one list; a domain is a set of positions
in it. Constraints become rivals (who must differ from whom) and propagators with the variables
that wake them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backends.interface.handlers import Handler, Handlers, post
from backends.propagation.all_different import AllDifferentPropagator
from backends.propagation.automaton import has_few_arcs, make_automaton
from backends.propagation.linear import LinearAtMostPropagator, LinearNotEqualPropagator, Terms
from backends.propagation.state import Propagator, State
from backends.propagation.table import NegativeTablePropagator, TablePropagator
from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Objective, Problem, Structure
from modelling.vocabulary.automata.regular import Regular


@dataclass(frozen=True)
class Encoding:
    """``values[k]`` is the value of bit k; ``uniform`` when every base domain is ``values``.

    ``possible`` is false when a constraint over no variables is violated.
    """

    values: tuple[int, ...]
    uniform: bool
    bits: tuple[tuple[int, ...], ...]
    rivals: tuple[tuple[int, ...], ...]
    propagators: tuple[Propagator, ...]
    on_change: tuple[tuple[int, ...], ...]
    on_fix: tuple[tuple[int, ...], ...]
    possible: bool

    def state(self, problem: Problem, more: Sequence[Propagator] = ()) -> State:
        """A fresh state for one instance of the encoded structure, with further propagators."""
        on_change = self.on_change
        if more:
            watchers = _watchers(len(on_change), more, len(self.propagators))
            on_change = tuple([a + b for a, b in zip(on_change, watchers, strict=True)])
        propagators = (*self.propagators, *more) if more else self.propagators
        return State(self.domains(problem), self.rivals, propagators, on_change, self.on_fix)

    def better(self, objective: Objective) -> LinearAtMostPropagator:
        """A propagator that lets the objective be anything, until its ``constant`` is lowered.

        For maximising it bounds the objective with its sign turned.
        """
        sign = 1 if objective.sense == "minimize" else -1
        pairs = zip(objective.scope, objective.coefficients, strict=True)
        terms = tuple((variable, sign * factor) for variable, factor in pairs if factor)
        largest = max(map(abs, self.values), default=0)
        most = sum(abs(factor) for _, factor in terms) * largest
        return LinearAtMostPropagator(terms, most, self.values)

    def domains(self, problem: Problem) -> list[int]:
        """The masks over base domains as masks over all values."""
        if self.uniform:
            return list(problem.masks)
        translated = []
        for mask, bits in zip(problem.masks, self.bits, strict=True):
            domain = 0
            for k, bit in enumerate(bits):
                if mask >> k & 1:
                    domain |= bit
            translated.append(domain)
        return translated


@dataclass
class PropagationDraft:
    """What the handlers add to: who must differ from whom, and the propagators."""

    structure: Structure
    values: tuple[int, ...]
    rivals: list[set[int]]
    changing: list[Propagator] = field(default_factory=list)
    fixing: list[Propagator] = field(default_factory=list)
    possible: bool = True


def begin(structure: Structure) -> PropagationDraft:
    """The variables of a structure, and nothing that binds them."""
    values = tuple(sorted({value for domain in structure.domains for value in domain}))
    return PropagationDraft(structure, values, [set() for _ in range(structure.size)])


def finish(draft: PropagationDraft) -> Encoding:
    """The encoding of what was posed."""
    structure, values = draft.structure, draft.values
    position = {value: k for k, value in enumerate(values)}
    for variable, those in enumerate(draft.rivals):
        those.discard(variable)
    return Encoding(
        values=values,
        uniform=all(domain == values for domain in structure.domains),
        bits=tuple(tuple(1 << position[v] for v in domain) for domain in structure.domains),
        rivals=tuple(tuple(sorted(those)) for those in draft.rivals),
        propagators=(*draft.changing, *draft.fixing),
        on_change=_watchers(structure.size, draft.changing, 0),
        on_fix=_watchers(structure.size, draft.fixing, len(draft.changing)),
        possible=draft.possible,
    )


def encode(structure: Structure) -> Encoding:
    """The encoding of a structure that ``HANDLERS`` take."""
    draft = begin(structure)
    post(HANDLERS, draft, structure, "propagation")
    return finish(draft)


def _differ(draft: PropagationDraft, constraint: AllDifferent | NotEqual) -> None:
    for variable in constraint.scope:
        draft.rivals[variable].update(constraint.scope)
    if len(constraint.scope) > 2:
        draft.changing.append(AllDifferentPropagator(constraint.scope))


def _linear(draft: PropagationDraft, constraint: Linear) -> None:
    on_change, on_fix = linear(constraint, draft.values)
    draft.changing.extend(on_change)
    draft.fixing.extend(on_fix)
    if not (on_change or on_fix or _constant_holds(constraint)):
        draft.possible = False


def _table(draft: PropagationDraft, constraint: Table) -> None:
    position = {value: k for k, value in enumerate(draft.values)}
    rows = [
        tuple(position[value] for value in row)
        for row in constraint.tuples
        if all(value in position for value in row)
    ]
    if constraint.allowed:
        draft.changing.append(TablePropagator(constraint.scope, rows))
    else:
        draft.fixing.append(NegativeTablePropagator(constraint.scope, rows))


def _regular(draft: PropagationDraft, constraint: Regular) -> None:
    draft.changing.append(make_automaton(constraint, draft.values))


HANDLERS: Handlers = {
    AllDifferent: Handler(_differ),
    NotEqual: Handler(_differ),
    Linear: Handler(_linear),
    Table: Handler(_table),
    Regular: Handler(_regular, when=has_few_arcs),
}


def linear(constraint: Linear, values: Sequence[int]) -> tuple[list[Propagator], list[Propagator]]:
    """The propagators of a Linear constraint: those woken by a change, those by a fixed value."""
    terms: Terms = tuple(
        (v, c) for v, c in zip(constraint.scope, constraint.coefficients, strict=True) if c
    )
    if not terms:
        return [], []
    negated: Terms = tuple((v, -c) for v, c in terms)
    constant = constraint.constant
    at_most = {
        "<=": [LinearAtMostPropagator(terms, constant, values)],
        "<": [LinearAtMostPropagator(terms, constant - 1, values)],
        ">=": [LinearAtMostPropagator(negated, -constant, values)],
        ">": [LinearAtMostPropagator(negated, -constant - 1, values)],
        "==": [
            LinearAtMostPropagator(terms, constant, values),
            LinearAtMostPropagator(negated, -constant, values),
        ],
    }
    if constraint.relation == "!=":
        return [], [LinearNotEqualPropagator(terms, constant, values)]
    return list(at_most[constraint.relation]), []


def _constant_holds(constraint: Linear) -> bool:
    """Whether a Linear with coefficients 0 only is true, whatever the values."""
    return constraint.holds([0] * len(constraint.scope))


def _watchers(
    size: int, propagators: Sequence[Propagator], first: int
) -> tuple[tuple[int, ...], ...]:
    watchers: list[list[int]] = [[] for _ in range(size)]
    for number, propagator in enumerate(propagators, first):
        for variable in propagator.scope:
            watchers[variable].append(number)
    return tuple(map(tuple, watchers))
