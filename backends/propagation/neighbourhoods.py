"""Large neighbourhood search: most variables keep the values of the best solution, the others are
searched again for a better one.

It is incomplete: it never says that a solution is the best one, or that there is none (Shaw, *Using
constraint programming and local search methods to solve vehicle routing problems*, CP 1998).

A neighbourhood leaves variables open that are drawn by lot, or, every second time, those that
constraints connect with one that is drawn. Where it is searched to its end in vain the next one is
larger, and where that takes too many nodes, smaller. A variable that is the objective is always
open. Without a limit of seconds the search ends after ``MOST_FRUITLESS`` neighbourhoods in vain.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from backends.interface.api import Ask, Limits, Optimum, Solutions, StoppedBy
from backends.interface.session import Call, Capabilities
from backends.propagation import solver
from backends.propagation.encode.arena import Form, Search, set_domain
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.search import EXHAUSTED, FULL, GROW
from backends.propagation.solver import (
    INTERVALS,
    STATISTICS,
    Configuration,
    Encoding,
    Propagation,
    PropagationSession,
)
from modelling.problem import Assignment, Objective, Structure

FIRST_SHARE, LEAST_SHARE = 0.2, 0.02
"""The part of the variables that is open in the first neighbourhood, and in the smallest."""
LARGER, SMALLER = 1.05, 0.98
"""How the part changes after a neighbourhood that was too small, and one that was too large."""
FEWEST_OPEN = 2
NODES = 1000
"""Nodes after which a neighbourhood is left."""
MOST_FRUITLESS = 2000
WIDEST = 64
"""A constraint of more variables connects none: it would connect all."""


class Neighbourhoods(Propagation):
    """Incomplete; statistics: those of all searches together."""

    capabilities = Capabilities(
        family="propagation", improves=True, proves=False, intervals=INTERVALS
    )

    def open(self, encoding: Encoding, call: Call) -> NeighbourhoodSession:
        """A search for one solution, and around the best one from then on."""
        return NeighbourhoodSession(self.configuration, self.form, encoding, call)

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """It finds one solution, and better ones."""
        if isinstance(ask, Optimum) or (isinstance(ask, Solutions) and ask.limit == 1):
            return None
        return str(ask), "neighbourhood search is incomplete and finds a single solution at most"


class NeighbourhoodSession(PropagationSession):
    """One search; ``search`` is that of the first solution, to which the others add what they
    count."""

    def __init__(
        self, configuration: Configuration, form: Form, encoding: Encoding, call: Call
    ) -> None:
        super().__init__(configuration, form, encoding, call)
        structure = call.problem.structure
        self.lots = Random(configuration.seed)
        self.incumbent: Assignment | None = None
        self.share = FIRST_SHARE
        self.fruitless = 0
        scope = structure.objective.scope if structure.objective else ()
        self.always_open = set(scope) if len(scope) == 1 else set()
        self.connected = connect(structure)
        self.clean = None if self.search is None else self.search.S.copy()

    def next(self) -> Assignment | StoppedBy:
        found = super().next() if self.incumbent is None else self._search_around(self.incumbent)
        if isinstance(found, tuple):
            self.incumbent = found
            self.fruitless = 0
        return "gave_up" if found == "exhausted" else found

    def improve(self, objective: Objective, than: int) -> None:
        sign = 1 if objective.sense == "minimize" else -1
        self.bounds.append(sign * than - 1)

    def _search_around(self, best: Assignment) -> Assignment | StoppedBy:
        """A better solution than the best one."""
        limit = self.call.limits.nodes
        while not self.call.deadline.passed:
            if limit is not None and self._count(at.M_NODES) >= limit:
                return "gave_up"
            if self.call.limits.seconds is None and self.fruitless >= MOST_FRUITLESS:
                return "gave_up"
            self._compile_if_it_pays()
            search = self._begin_around(best)
            why = GROW
            while why == GROW:
                why = self._search_slice(search, NODES)
                if why == GROW:
                    search = self._grow(search)
            self._add(search)
            if why == FULL:
                (found,) = solver.take_solutions(search)
                return found
            self.fruitless += 1
            factor = LARGER if why == EXHAUSTED else SMALLER
            self.share = min(1.0, max(LEAST_SHARE, self.share * factor))
        return "time"

    def _compile_if_it_pays(self) -> None:
        """Continue compiled where the interpreted search has taken long."""
        if self._pays_to_compile():
            self.is_patient = False
            if self._can_compile:
                counted = {place: self._count(place) for place in STATISTICS.values()}
                self.form = self._compiled_form()
                self.compiled = self.form.name
                self.search = self._begin()
                assert self.search is not None
                self.clean = self.search.S.copy()
                for place, number in counted.items():
                    self.search.M[place] = number

    def _begin_around(self, best: Assignment) -> Search:
        """The arrays in which the variables outside of a neighbourhood keep the best values."""
        assert self.clean is not None
        arena = self.encoding.arena(self.form, self.objective, self.call.declared)
        S: Any = self.clean.copy()
        open_variables = self.always_open | set(self._draw())
        for v, value in enumerate(best):
            x = arena.places[v]
            if v in open_variables:
                S[x + at.PHASE] = value
            else:
                set_domain(S, x, (value,), self.form)
        settings = self._settings()._replace(solutions=1, restarts=0, turns=1)
        M = arena.memory(settings._replace(nogoods=False, orders=False))
        M[at.M_BOUND] = self.bounds[-1]
        return Search(S, arena.T, M)

    def _draw(self) -> Iterator[int]:
        """The variables of a neighbourhood."""
        size = self.call.problem.structure.size
        number = min(size, max(FEWEST_OPEN, round(self.share * size)))
        if self.lots.random() < 0.5:
            return iter(self.lots.sample(range(size), number))
        return self._draw_connected(number)

    def _draw_connected(self, number: int) -> Iterator[int]:
        """Variables near to one another; where no more are connected, further ones by lot."""
        size = self.call.problem.structure.size
        order = self.lots.sample(range(size), size)
        seen: set[int] = set()
        for start in order:
            waiting = [start]
            for v in waiting:
                if v in seen:
                    continue
                seen.add(v)
                yield v
                if len(seen) == number:
                    return
                near = [y for y in self.connected[v] if y not in seen]
                self.lots.shuffle(near)
                waiting += near

    def _count(self, place: int) -> int:
        return 0 if self.search is None else int(self.search.M[place])

    def _add(self, search: Search) -> None:
        """Add what a search has counted to the first one."""
        assert self.search is not None
        own, more = self.search.M, search.M
        for name, place in STATISTICS.items():
            if name == "peak_depth":
                own[place] = max(own[place], more[place])
            else:
                own[place] += more[place]


def connect(structure: Structure) -> list[list[int]]:
    """For each variable those that share a constraint with it."""
    found: list[dict[int, None]] = [{} for _ in structure.domains]
    for constraint in structure.constraints:
        scope = dict.fromkeys(constraint.scope)
        if len(scope) <= WIDEST:
            for v in scope:
                found[v].update(scope)
    return [[y for y in near if y != v] for v, near in enumerate(found)]
