"""Texts that programs are given: a way back for every form of variable, and what is left out."""

from __future__ import annotations

import random

import pytest

import concord
from backends.interface.programs import formulas
from backends.interface.programs.answers.reader import Garbled
from backends.interface.programs.texts import DIALECTS
from modelling.brute_force import solutions
from modelling.formats import find_format
from modelling.problem import Problem


def problems() -> list[Problem]:
    m = concord.Model()
    x, y = m.ints(2, 0, 3, "x")
    z, b = m.int([-4, 0, 7], name='odd name = 3: "q"'), m.bool("b")
    m.add(x + y <= 3, (z > 0).implies(b == 1), x * y != 2)
    plain = m.problem()
    n = concord.Model()
    wide = n.int(-200, 200, "wide")
    n.add(abs(wide) >= 198, wide != 199)
    p = concord.Model()
    bits = p.ints(3, 0, 1, "x")
    p.add(sum(bits) >= 1)
    masked = Problem(plain.structure, (0b101, 0b1110, 0b110, 0b10))
    far = n.problem()
    ends = Problem(far.structure, (0b111 | 0b101 << 398,))
    return [plain, far, p.problem(), masked, ends]


@pytest.mark.parametrize("problem", problems())
@pytest.mark.parametrize("name", ["dimacs", "opb"])
def test_every_solution_of_a_formula_leads_back_and_can_be_left_out(
    problem: Problem, name: str
) -> None:
    dialect = DIALECTS[name]
    form = find_format(dialect.name)
    every = sorted(solutions(problem))
    left = list(every)
    random.Random(1).shuffle(left)
    text = dialect.write(problem, False)
    while True:
        again = form.read("".join(text.pieces()).encode(), "text")
        found = concord.solve(again, concord.Solutions(None, keep=None), backend="sat")
        shown = {
            text.values({k for k, value in enumerate(model, 1) if value})
            for model in found.solutions
        }
        assert sorted(shown) == sorted(left)
        assert found.count == len(left)  # each once
        if not left:
            break
        for values in left[: len(left) // 2 + 1]:
            text.exclude(values, range(problem.structure.size))
        left = left[len(left) // 2 + 1 :]


@pytest.mark.parametrize("name", ["xcsp3", "flatzinc"])
def test_every_solution_by_names_leads_back_and_can_be_left_out(name: str) -> None:
    dialect = DIALECTS[name]
    form = find_format(dialect.name)
    for problem in problems():
        text = dialect.write(problem, False)
        every = sorted(solutions(problem))
        for values in every[:3]:
            text.exclude(values, range(problem.structure.size))
        again = form.read("".join(text.pieces()).encode(), "text")
        assert concord.solve(again, concord.Solutions(None)).count == len(every) - len(every[:3])


def test_literals_that_contradict_each_other_are_no_value() -> None:
    text = DIALECTS["dimacs"].write(problems()[0], False)
    with pytest.raises(Garbled, match="no value, or two"):
        text.values(set())


def test_a_variable_that_is_not_shown_has_any_value_and_an_odd_one_is_refused() -> None:
    problem = problems()[2]
    text = DIALECTS["flatzinc"].write(problem, False)
    first = next(iter("".join(text.pieces()).split("var ")[1].split(": ")[1].split()))
    assert text.values({}) == (0, 0, 0)
    assert text.values({first: "true"}) == (1, 0, 0)
    with pytest.raises(Garbled, match=f"a solution has {first} = 'maybe'"):
        text.values({first: "maybe"})


@pytest.mark.parametrize("name", ["dimacs", "opb"])
def test_many_closed_values_are_written_as_a_smaller_domain(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formulas, "MOST_CLOSED", 2)
    for problem in problems():
        text = DIALECTS[name].write(problem, False)
        again = find_format(DIALECTS[name].name).read("".join(text.pieces()).encode(), "text")
        found = concord.solve(again, concord.Solutions(None, keep=None), backend="sat")
        models = [{k for k, one in enumerate(m, 1) if one} for m in found.solutions]
        assert sorted(map(text.values, models)) == sorted(solutions(problem))


def test_the_objective_of_opb_is_written_for_an_optimum_alone() -> None:
    m = concord.Model()
    x = m.ints(2, 0, 3, "x")
    m.add(x[0] + x[1] >= 3)
    m.maximize(x[0] - 2 * x[1])
    for optimum in (True, False):
        text = "".join(DIALECTS["opb"].write(m.problem(), optimum).pieces())
        assert ("min:" in text) == optimum


def test_an_answer_may_name_a_whole_array() -> None:
    m = concord.Model()
    m.ints((2, 2), 0, 9, "x")
    text = DIALECTS["xcsp3"].write(m.problem(), False)
    answer = "<list> x[][] </list> <values> 4 3 2 1 </values> </instantiation>"
    sighting = text.reader(False).line(f"v <instantiation> {answer}")
    assert text.values(sighting) == (4, 3, 2, 1)
