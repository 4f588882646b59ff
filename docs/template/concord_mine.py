"""A solver of my own: backtracking, which asks each constraint whether it holds."""

from __future__ import annotations

import concord


class Solver:
    """Finds all solutions, in the order of the values; it does not optimise."""

    name = "mine"
    native = frozenset({concord.Constraint})  # any constraint, by its definition
    optimises = False

    def accepts(self, problem):
        """Whether it takes the problem, and if not, why."""
        if problem.structure.output is not None:
            return concord.Refused("it tells solutions apart by all variables")
        return concord.Accepted()

    def solve(self, problem, ask=concord.Solutions(1), limits=concord.Limits(), sink=None):
        """Search; ``Collector`` counts the solutions and says when there are enough."""
        if not isinstance(ask, concord.Solutions) or problem.structure.output is not None:
            raise concord.Unsupported(self.name, "this question")
        found, domains = concord.Collector(ask, sink), problem.domains()
        due = [[] for _ in range(len(domains) + 1)]  # by how many values a constraint waits for
        for constraint in problem.structure.constraints:
            due[max(constraint.scope, default=-1) + 1].append(constraint)

        def search(values):
            """Whether to continue after the solutions that begin with these values."""
            if not all(c.holds([values[v] for v in c.scope]) for c in due[len(values)]):
                return True
            if len(values) == len(domains):
                return found.add(values)
            return all(search((*values, value)) for value in domains[len(values)])

        search(())
        return found.result("exhausted")


def make(options=""):
    """What the entry point names: it is given what follows the colon of ``mine:OPTIONS``."""
    if options:
        raise ValueError(f"mine:{options}: the solver has no options; write mine")
    return Solver()
