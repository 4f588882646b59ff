"""What the end of a run says."""

from types import SimpleNamespace

import pytest

from backends.interface.programs.answers.dimacs import Dimacs
from backends.interface.programs.answers.flatzinc import FlatZinc
from backends.interface.programs.answers.xcsp3 import Xcsp3
from backends.interface.programs.endings import (
    find_contradiction,
    find_fault,
    has_finished,
    without_last_again,
)


def test_a_last_solution_that_is_printed_again_at_the_end_was_not_found_twice():
    def printed():
        yield from "abcc"  # found twice while it may search: that is for the count to tell
        process.asked_to_end = True
        yield "c"

    process = SimpleNamespace(asked_to_end=False)
    assert list(without_last_again(printed(), process)) == ["a", "b", "c", "c"]


COMPLETE = "d COMPLETE EXPLORATION"
SHOWN = "v <instantiation> <list> x </list> <values> 1 </values> </instantiation>"


def xcsp3(*lines):
    reader = Xcsp3()
    for line in lines:
        reader.line(line)
    return reader


def flatzinc(*lines, optimum=False):
    reader = FlatZinc(frozenset({"x"}), optimum)
    for line in lines:
        reader.line(line)
    return reader


NOTHING = [
    xcsp3("s UNKNOWN", COMPLETE),
    xcsp3("s UNSUPPORTED", COMPLETE),
    xcsp3(COMPLETE),
    flatzinc("=====UNKNOWN=====", "=========="),
    flatzinc("=====ERROR=====", "==========", optimum=True),
    flatzinc("=====UNSATorUNBOUNDED=====", "=========="),
    flatzinc("==========", "=====UNKNOWN=====", optimum=True),
    flatzinc("=========="),
]


@pytest.mark.parametrize("reader", NOTHING)
@pytest.mark.parametrize("question", ["one", "all", "optimum"])
def test_without_a_solution_only_the_word_unsatisfiable_finishes(reader, question):
    assert not has_finished(reader, question, set())


@pytest.mark.parametrize("question", ["one", "all", "optimum"])
def test_the_word_unsatisfiable_finishes(question):
    for reader in (
        xcsp3("s UNSATISFIABLE"),
        xcsp3("s UNSATISFIABLE", COMPLETE),
        flatzinc("=====UNSATISFIABLE=====", "=========="),
    ):
        assert has_finished(reader, question, set())
        assert not find_fault(reader, question, set(), False)


@pytest.mark.parametrize("question", ["all", "optimum"])
def test_after_solutions_a_complete_search_finishes_unless_another_word_is_said(question):
    found = ("x = 1;", "----------", "==========")
    for lines in ((SHOWN, COMPLETE, "s SATISFIABLE"), ("s SATISFIABLE", SHOWN, COMPLETE)):
        assert has_finished(xcsp3(*lines), question, {None})
    assert has_finished(flatzinc(*found, optimum=question == "optimum"), question, {None})
    for reader in (
        xcsp3(SHOWN, COMPLETE, "s UNKNOWN"),
        xcsp3("s SATISFIABLE", SHOWN, COMPLETE, "s TIMEOUT"),
        flatzinc("=====UNKNOWN=====", *found, optimum=question == "optimum"),
    ):
        assert not has_finished(reader, question, {None})


def test_a_solution_that_breaks_off_is_missing_in_what_is_complete():
    reader = xcsp3(SHOWN, COMPLETE, "s SATISFIABLE")
    reader.open = True
    assert not has_finished(reader, "all", {None})


def test_an_optimum_is_of_the_value_that_is_told():
    for end in (["s OPTIMUM FOUND"], ["s SATISFIABLE", COMPLETE]):
        reader = xcsp3("o 5", SHOWN, *end)
        assert has_finished(reader, "optimum", {7, 5})
        assert not has_finished(reader, "optimum", {7})
        assert "shows no solution of that value" in find_fault(reader, "optimum", {7}, False)
        assert not find_fault(reader, "optimum", {7, 5}, False)


def test_unsatisfiable_after_a_solution_is_a_contradiction_unless_all_were_asked_for():
    reader = Dimacs()
    reader.line("s UNSATISFIABLE")
    assert find_contradiction(reader, "one", {None})
    assert find_contradiction(reader, "optimum", {3})
    assert not find_contradiction(reader, "all", {None})
    assert not find_contradiction(reader, "one", set())
