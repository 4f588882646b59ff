"""Answers known from elsewhere, as the sets that ship tell them, found by two solvers each.

Each line of a set of these families ends in what is known: how many solutions, ``satisfiable``, or
``optimum N``. Solutions are checked by the family's own rules, and the best by its own value.
"""

import re
from importlib import resources

import pytest

from backends.interface.api import Optimum, Solutions
from backends.interface.registry import get
from modelling.check import violations
from puzzles.family import Valued, family
from puzzles.lines import LineFamily
from puzzles.sets import instances, sets

pytestmark = pytest.mark.once  # whole sets, by two solvers each

SETS = [s.name for s in sets() if s.family and isinstance(family(s.family), LineFamily)]

USUAL = "cpsat", "sat"
OTHERS = {
    "costas-6": ("propagation", "sat"),
    "langford-3-9": ("propagation", "sat"),
    "magic-4": ("propagation", "sat"),
    "corner-4": ("propagation", "cpsat"),
    "burma14": ("cpsat",),  # and dynamic programming: tests/puzzles/routing/test_routing.py
}
"""Which two solvers find it, where it is not the usual two: the third one is much faster."""

HARD_QG = ("qg5-7", "qg3-6", "qg3-7", "qg3-8", "qg5-8", "qg6-8")
ONCE = {
    "magic-4",
    "golomb-8",
    "series-8",
    "costas-7",
    "corner-4",
    "queen6_6",
    *HARD_QG,
    "golfers-3-3-5",
    "burma14",
    "random-15",
    "random-20",
    "killer-9-large",
    "kenken-7",
    "still-7",
}
"""What takes a second or more."""
LONG = (pytest.mark.once, pytest.mark.timeout(900))


def read_sets():
    for name in SETS:
        lines = (resources.files("puzzles.sets") / f"{name}.txt").read_text().splitlines()
        for entry in instances(name):
            _, shown, why = lines[int(entry.source.split(":")[1]) - 1].split("#", 2)
            assert shown.strip() == entry.name
            marks = LONG if entry.name in ONCE else ()
            yield pytest.param(entry, why, id=entry.name, marks=marks)


@pytest.mark.parametrize(("entry", "why"), list(read_sets()))
def test_it_is_what_the_set_tells(entry, why):
    kind = family(entry.family)
    problem = kind.problem(entry.text)
    for name in OTHERS.get(entry.name, USUAL):
        backend = get(name)
        optimum = re.search(r"\boptimum (\d+)", why)
        if optimum:
            assert isinstance(kind, Valued)
            result = backend.solve(problem, Optimum())
            assert (result.status, result.objective) == ("OPTIMUM", int(optimum[1]))
            assert kind.value(entry.text, result.solutions[0]) == int(optimum[1])
        elif re.search(r"\bsatisfiable\b", why):
            result = backend.solve(problem, Solutions(1))
            assert result.count == 1
        else:
            number = re.search(r"\b(no|one|\d+) solutions?\b", why)
            assert number, f"nothing is known of {entry.name}"
            result = backend.solve(problem, Solutions(None))
            assert result.exhausted
            words = {"no": 0, "one": 1}
            assert result.count == (words[number[1]] if number[1] in words else int(number[1]))
        for values in result.solutions:
            assert kind.check(entry.text, values) == []
            assert violations(problem, values) == []


@pytest.mark.parametrize("name", SETS)
def test_names_are_names(name):
    names = [entry.name for entry in instances(name)]
    assert len(set(names)) == len(names)
