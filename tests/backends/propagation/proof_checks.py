"""Problems whose refutations are proofs of ``propagation:learning``."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from backends.interface.api import Limits, Optimum, Solutions
from backends.interface.registry import get
from modelling.constraints import Linear, Or
from modelling.problem import Objective, Problem, Structure
from results.studies.correctness.inference_lines import Proof


def stated(domains: Sequence[Any], constraints: Sequence[Any], objective: Any = None) -> Problem:
    """A problem with all values open."""
    names = tuple(f"x{k}" for k in range(len(domains)))
    structure = Structure(names, tuple(domains), tuple(constraints), objective)
    return Problem(structure, structure.full_masks)


def prove(problem: Problem) -> Proof | None:
    """The proof that no solution, or none that is better, exists; None if neither is claimed."""
    backend = get("propagation:learning,proof=check,reuse=none")
    ask = Solutions(1) if problem.structure.objective is None else Optimum()
    result = backend.solve(problem, ask, Limits())
    if not result.refutations:
        return None
    (found,) = result.refutations
    assert found.proof is not None, found.missing
    return Proof(found.formula().decode().splitlines(), found.proof.decode().splitlines(), result)


def tightened(rng: random.Random, problem: Problem, constraints: Sequence[Any] = ()) -> Problem:
    """The problem with more constraints, and perhaps an objective."""
    structure = problem.structure
    n = structure.size
    more: list[Any] = [*structure.constraints, *constraints]
    for _ in range(rng.randint(0, 5)):
        scope = rng.sample(range(n), rng.randint(1, min(3, n)))
        factors = tuple(rng.choice((1, -1, 2, -3)) for _ in scope)
        middle = sum(
            f * rng.choice(list(structure.domains[v])) for f, v in zip(factors, scope, strict=True)
        )
        found: Any = Linear(tuple(scope), factors, rng.choice(("<=", ">=", "==", "!=")), middle)
        if len(scope) == 1 and rng.random() < 0.5:
            v = rng.randrange(n)
            value = rng.choice(list(structure.domains[v]))
            found = Or((found, Linear((v,), (1,), rng.choice(("<=", "==", "!=")), value)))
        more.append(found)
    objective = None
    if rng.random() < 0.5:
        factors = tuple(rng.choice((1, -1, 2, 3)) for _ in range(n))
        objective = Objective(rng.choice(("minimize", "maximize")), tuple(range(n)), factors)
    names, domains = structure.names, structure.domains
    return Problem(Structure(names, domains, tuple(more), objective), problem.masks)
