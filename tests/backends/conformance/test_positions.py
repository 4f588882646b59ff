"""Every class of the vocabulary in every position, answered by every solver as by the oracle."""

import pytest

from backends.conformance.positions import POSITIONS, ask_position, draw_position
from modelling.vocabulary import VOCABULARY
from tests.backends.solver_checks import find_or_skip

DRAWS = {
    "cpsat": (1,),
    "propagation": (1,),
    "python_constraint": (1,),
    "sat": (1,),
}
"""The numbers of the problems that are drawn for each class and position."""

LONG_DRAWS = {
    "bitwuzla": (3,),
    "choco": (6,),
    "clingo": (3,),
    "cpsat": range(2, 12),
    "cpsat:booleans": range(1, 12),
    "cpsat:presolve=on": range(2, 12),
    "cpsat:booleans,presolve=on": range(2, 12),
    "exact": (1,),
    "highs": (1,),
    "mathopt:gscip": (1,),
    "pumpkin": (2,),
    "python_constraint": range(2, 30),
    "scip": (4,),
    "toulbar2": (2,),
    "z3": (3,),
}

ROWS = [
    *(pytest.param(*row, id=row[0]) for row in DRAWS.items()),
    *(
        pytest.param(*row, id=f"{row[0]}-long", marks=pytest.mark.once)
        for row in LONG_DRAWS.items()
    ),
]


@pytest.mark.parametrize(("name", "numbers"), ROWS)
def test_every_class_is_right_in_every_position(name, numbers):
    backend = find_or_skip(name)
    wrong = []
    for number in numbers:
        for kind in VOCABULARY:
            for position in POSITIONS:
                answered = ask_position(backend, draw_position(kind, position, number))
                found = [answered.refused] if answered.refused else answered.faults
                wrong += [f"{kind.__name__}, {position}, problem {number}: {one}" for one in found]
    assert not wrong, "\n".join(wrong[:5])
