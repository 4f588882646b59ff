"""Structures in which variables must differ and nothing else."""

import pytest

from modelling.all_different import foreign, groups, values
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.problem import Structure


def structure(*constraints, domains=((1, 2), (2, 3), (1, 5))):
    return Structure(("a", "b", "c"), domains, constraints)


def test_groups_stand_in_the_order_of_the_constraints_and_once():
    said = structure(
        AllDifferent((2, 0)), NotEqual((0, 1)), AllDifferent((0, 2)), AllDifferent((1,))
    )
    assert foreign(said) is None
    assert groups(said) == ((2, 0), (0, 1))


def test_the_first_other_constraint_is_told():
    linear = Linear((0, 1), (1, 1), "==", 3)
    assert foreign(structure(NotEqual((0, 1)), linear, linear)) == (1, linear)
    assert groups(structure(NotEqual((0, 1)), linear)) == ((0, 1),)


def test_a_class_derived_from_one_makes_no_group():
    class Weaker(AllDifferent):
        """Means less."""

    assert foreign(structure(Weaker((0, 1)))) == (0, Weaker((0, 1)))
    assert groups(structure(Weaker((0, 1)))) == ()


@pytest.mark.parametrize(("domains", "all_of_them"), [(((3, 4), (1,), ()), (1, 3, 4))])
def test_values_are_those_of_all_domains(domains, all_of_them):
    assert values(structure(domains=domains)) == all_of_them
    assert values(Structure((), (), ())) == ()
