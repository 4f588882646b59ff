"""``concord solve``: what goes wrong with one puzzle costs its own line alone."""

import sys

import pytest

from harness.streams.solving import SolveRequest, solve

PUZZLE = "1234341.....4321"
SOLVED = "1234341221434321"

FRAGILE = """
from dataclasses import replace
from backends.propagation import make
from modelling.errors import BackendUnavailable, ProgramFailed

class Fragile:
    name, family, native = "fragile", "fragile", frozenset()

    def __init__(self):
        self.honest = make("")
        self.calls = 0

    def accepts(self, problem):
        return self.honest.accepts(problem)

    def solve(self, *asked):
        self.calls += 1
        if self.calls == 2:
            raise ProgramFailed("it ended without an answer")
        if self.calls == 3:
            raise BackendUnavailable("it is no longer there")
        found = self.honest.solve(*asked)
        if self.calls == 4:
            wrong = tuple(tuple(v % 4 + 1 for v in values) for values in found.solutions)
            return replace(found, solutions=wrong)
        return found
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_fails_on_one_puzzle_answers_the_others(tmp_path, monkeypatch, jobs):
    (tmp_path / "fragile.py").write_text(FRAGILE, encoding="utf-8")
    (tmp_path / "some.txt").write_text(f"{PUZZLE}\n" * 6, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "fragile", raising=False)
    answers = list(solve("some.txt", None, SolveRequest("py:fragile:Fragile"), jobs))
    told = [line for answer in answers for line in answer.lines]
    assert told == [SOLVED, "# error", "# error", "# error", SOLVED, SOLVED]
    troubles = [answer.trouble for answer in answers if answer.trouble]
    assert troubles[0] == "some.txt:2: it ended without an answer"
    assert troubles[1] == "some.txt:3: it is no longer there"
    assert troubles[2].startswith("some.txt:4: fragile answered wrongly: ")
    assert len(troubles) == 3
