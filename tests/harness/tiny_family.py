"""The families of the tests: that of the trials that ship, and one with an output."""

from __future__ import annotations

from dataclasses import replace

from harness.selftest import tiny
from modelling.problem import Problem


class Tiny(tiny.Tiny):
    """The same, by a name of the tests."""


class First(Tiny):
    """The same, with solutions that are distinguished by their first value."""

    name = "first"

    def problem(self, text: str) -> Problem:
        problem = super().problem(text)
        return replace(problem, structure=replace(problem.structure, output=(0,)))
