"""Small instances: what stands between <variables> and <constraints>, and who satisfies them."""

from dataclasses import replace
from itertools import product

import pytest

from modelling.brute_force import solutions
from modelling.errors import InstanceError
from modelling.formats.xcsp3 import read


def instance(variables, constraints, objectives=""):
    objectives = objectives and f"<objectives>{objectives}</objectives>"
    kind = "COP" if objectives else "CSP"
    return (
        f'<instance format="XCSP3" type="{kind}">\n<variables>{variables}</variables>\n'
        f"<constraints>{constraints}</constraints>\n{objectives}</instance>"
    )


@pytest.fixture
def state():
    """Reads variables, constraints and objectives as a problem."""

    def stated(variables, constraints="", objectives=""):
        return read(instance(variables, constraints, objectives).encode(), "small.xml")

    return stated


@pytest.fixture
def says(state):
    """Whether what is read has the assignments of which an independent predicate is true; some
    must satisfy it and some must not, lest the case prove nothing."""

    def compared(variables, constraints, predicate):
        problem = state(variables, constraints)
        problem = replace(problem.structure, output=None).problem()
        every = list(product(*problem.domains()))
        wanted = [values for values in every if predicate(*values)]
        assert 0 < len(wanted) < len(every)
        assert list(solutions(problem)) == wanted
        return problem

    return compared


@pytest.fixture
def refuses(state):
    """The message with which something is refused; it begins with the place."""

    def refused(variables, constraints="", objectives=""):
        with pytest.raises(InstanceError) as told:
            state(variables, constraints, objectives)
        assert told.value.place.startswith("small.xml:")
        assert str(told.value).startswith(told.value.place)
        return told.value.cause

    return refused
