"""Problems of any classes, as formats that say few of these must say all."""

from __future__ import annotations

import random

from modelling.errors import ModelError
from modelling.formats import find_format
from modelling.laws.drawing import Drawer, draw_constraint, draw_domains, structure_over
from modelling.problem import Objective, Problem, Structure
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.formulas.linear import Sum


def draw_problem(seed: str, objectives: float = 1.0, outputs: float = 0.0) -> Problem:
    """Up to three constraints; some variables are narrowed. The shares have an objective, an
    output."""
    rng = random.Random(seed)
    while True:
        domains = draw_domains(rng, 60)
        drawer = Drawer(rng, domains)
        made = [
            draw_constraint(rng, rng.choice(VOCABULARY), drawer) for _ in range(rng.randint(0, 3))
        ]
        objective = output = None
        if rng.random() < objectives:
            term = Sum(tuple(drawer.term() for _ in range(3)), (2, -3, 1))
            objective = Objective(rng.choice(("minimize", "maximize")), term)
        if rng.random() < outputs:
            output = tuple(rng.sample(range(len(domains)), rng.randint(0, len(domains))))
        names = structure_over(domains, ()).names
        try:
            structure = Structure(names, domains, tuple(made), objective, output)
        except ModelError:
            continue  # the objective has no value for some values
        masks = [m & rng.getrandbits(9) if rng.random() < 0.2 else m for m in structure.full_masks]
        return Problem(structure, tuple(masks))


def written(name: str, problem: Problem) -> str:
    """The text of a format."""
    return "".join(find_format(name).write(problem))
