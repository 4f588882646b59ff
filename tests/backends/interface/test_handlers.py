"""Handlers of solvers that are given a text."""

import pytest

from backends.interface.handlers import handlers_of, post, profile_of
from modelling.constraints import AllDifferent, Linear
from modelling.errors import MissingHandler
from modelling.formats import minizinc, xcsp3
from modelling.problem import build_problem

X = build_problem({"x": range(2), "y": range(2)}, [AllDifferent(("x", "y"))]).structure


@pytest.mark.parametrize("profile", [minizinc.PROFILE, xcsp3.PROFILE])
def test_rewriting_is_told_what_a_format_says(profile):
    told = profile_of(handlers_of(profile))
    assert set(told.natives) == set(profile.natives)


def test_what_a_format_does_not_say_is_not_skipped():
    handlers = handlers_of(minizinc.PROFILE)
    post(handlers, None, X, "mine")
    of_sums = {Linear: handlers[Linear]}
    with pytest.raises(MissingHandler, match="AllDifferent"):
        post(of_sums, None, X, "mine")
