"""A solver for tests alone: counts solutions from the constraints, sharing no code with backends.

Depth-first; it branches on the cell with the fewest values or, in a unit with as many values as
cells, on the value with the fewest places.
"""

from modelling.constraints import AllDifferent, Linear
from modelling.problem import Problem


def count(problem: Problem, limit: int = 10**6) -> int:
    """The number of solutions, up to ``limit``."""
    return len(solve(problem, limit))


def solve(problem: Problem, limit: int = 10**6) -> list[tuple[int, ...]]:
    """Solutions, at most ``limit`` of them."""
    structure = problem.structure
    groups = [c.scope for c in structure.constraints if isinstance(c, AllDifferent)]
    linears = [c for c in structure.constraints if isinstance(c, Linear)]
    apart = [c for c in linears if c.relation == "!=" and c.coefficients == (1, -1)]
    equations = [c for c in linears if c.relation == "=="]
    assert len(groups) + len(apart) + len(equations) == len(structure.constraints)
    shifted: list[set[tuple[int, int]]] = [set() for _ in structure.names]
    for scope in groups:
        for v in scope:
            shifted[v].update((w, 0) for w in scope if w != v)
    for c in apart:  # x - y != k
        x, y = c.scope
        shifted[x].add((y, -c.constant))
        shifted[y].add((x, c.constant))
    full = [
        scope
        for scope in groups
        if len({v for x in scope for v in structure.domains[x]}) == len(scope)
    ]
    domains = [set(domain) for domain in problem.domains()]
    fixed: list[int | None] = [None] * len(domains)
    found: list[tuple[int, ...]] = []

    def assign(variable, value):
        """What was removed, or None when a domain ran empty (then nothing stays removed)."""
        removed = [(variable, other) for other in domains[variable] if other != value]
        for neighbour, shift in shifted[variable]:
            if fixed[neighbour] is None and value + shift in domains[neighbour]:
                removed.append((neighbour, value + shift))
        for v, x in removed:
            domains[v].discard(x)
        fixed[variable] = value
        return removed

    def possible():
        if any(not domain for domain in domains):
            return False
        for c in equations:
            ranges = [
                sorted((k * min(domains[v]), k * max(domains[v])))
                for k, v in zip(c.coefficients, c.scope, strict=True)
            ]
            if not sum(r[0] for r in ranges) <= c.constant <= sum(r[1] for r in ranges):
                return False
        return True

    def branch():
        best = min(
            ([(v, x) for x in domains[v]] for v in range(len(domains)) if fixed[v] is None),
            key=len,
            default=None,
        )
        if best is None or len(best) <= 1:
            return best
        for scope in full:
            places: dict[int, list[tuple[int, int]]] = {}
            for v in scope:
                for x in domains[v]:
                    places.setdefault(x, []).append((v, x))
            if len(places) < len(scope):
                return []
            choice = min(
                (p for p in places.values() if fixed[p[0][0]] is None), key=len, default=best
            )
            if len(choice) < len(best):
                best = choice
                if len(best) == 1:
                    break
        return best

    def search():
        choices = branch()
        if choices is None:
            found.append(tuple(fixed))
            return
        for variable, value in choices:
            removed = assign(variable, value)
            if possible():
                search()
            fixed[variable] = None
            for v, x in removed:
                domains[v].add(x)
            if len(found) >= limit:
                return

    if possible():
        search()
    return found
