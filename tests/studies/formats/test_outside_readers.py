"""The study of other programs that read our files: what they print is understood, lies are found,
and those that are installed agree on some problems."""

from __future__ import annotations

from math import prod

import pytest

from backends.conformance.oracle import consult
from modelling.constraints import Linear
from modelling.problem import Objective, Structure
from results.studies.formats import outside_readers as study
from results.studies.formats.known_differences import Difference, find_cause
from results.studies.formats.outsiders import (
    READERS,
    Answer,
    find_reader,
    parse_flatzinc,
    parse_xcsp3,
    say_as_model,
    with_builtins_only,
)

PAIR = Structure(("x", "y", "z"), ((0, 1), (0, 1), (5, 6)), (Linear((0, 1), (1, 1), "==", 1),))


def test_output_of_flatzinc_solvers() -> None:
    said = "x = 1;\nb = true;\n----------\nx = -2;\nb = false;\n----------\n"
    found = parse_flatzinc(f"{said}==========\n", "solutions")
    assert found == Answer(({"x": "1", "b": "1"}, {"x": "-2", "b": "0"}), complete=True)
    assert parse_flatzinc("=====UNSATISFIABLE=====\n", "solutions") == Answer(complete=True)
    assert parse_flatzinc("----------\n==========\n", "solutions").sightings == ({},)
    for broken in (said, "Error: type error\n", ""):
        assert parse_flatzinc(broken, "solutions").failure


def test_output_of_competitions() -> None:
    one = "v <instantiation><list> x y </list>\nv <values> 1x2 </values></instantiation>\n"
    two = "v <instantiation><list> x y </list>\nv <values> 3 * </values></instantiation>\n"
    first, second = {"x": "1", "y": "1"}, {"x": "3", "y": "*"}
    every = parse_xcsp3(f"c talk\n{one}{two}s SATISFIABLE\n{two}d FOUND 2\n", "solutions")
    assert every == Answer((first, second), complete=True)
    assert parse_xcsp3(f"s SATISFIABLE\n{one}", "solutions").sightings == (first,)
    assert parse_xcsp3(f"o 3\n{one}o 4\ns OPTIMUM FOUND\n{two}", "optimum").sightings[-1] == second
    assert parse_xcsp3(f"s UNSATISFIABLE\n{one}s SATISFIABLE\n", "solutions").sightings == ()
    for broken in ("s UNKNOWN\n", "s UNSUPPORTED\n", "! ERROR\n", ""):
        assert parse_xcsp3(broken, "solutions").failure
    assert parse_xcsp3(f"{one}s SATISFIABLE\n", "optimum").failure


def shown(*pairs: tuple[int, int]) -> Answer:
    return Answer(tuple({"x": str(x), "y": str(y), "z": "*"} for x, y in pairs), complete=True)


def test_what_differs_is_found() -> None:
    problem = PAIR.problem()
    assert len(consult(problem).expected) == 4

    def fault(answer: Answer, gaps: bool = True) -> str:
        return study.find_fault(problem, answer, "solutions", gaps)

    assert fault(shown((0, 1), (1, 0))) == ""
    assert fault(shown((0, 1), (1, 0)), gaps=False) == "shows no value of z"
    assert fault(shown((0, 1))) == "loses 2 of 4 and invents 0"
    assert fault(shown((0, 1), (1, 0), (1, 1))) == "loses 0 of 4 and invents 2"
    assert fault(shown((0, 1), (1, 0), (1, 0))) == "repeats 2 of 4"
    assert fault(Answer(failure="it crashed")) == "no answer: it crashed"


def test_wrong_optima_are_found() -> None:
    structure = Structure(PAIR.names, PAIR.domains, PAIR.constraints, Objective("minimize", 0))
    problem, worse = structure.problem(), shown((0, 1), (1, 0))
    assert study.find_fault(problem, worse, "optimum", True) == "ends with (1, 0, 5)"
    best = Answer(({"x": "0", "y": "1", "z": "5"},), complete=True)
    assert study.find_fault(problem, best, "optimum", False) == ""
    assert "finds none" in study.find_fault(problem, Answer(complete=True), "optimum", True)


def test_flatzinc_as_a_model() -> None:
    text = "predicate fzn_table_int(array [int] of var int: xs);\nvar 0..1: x;\n"
    model = say_as_model(text)
    assert model.startswith('include "fzn_table_int.mzn";\npredicate fzn_table_int(')
    assert model.endswith("var 0..1: x;\n")
    assert with_builtins_only(text) is None
    assert with_builtins_only("var 0..1: x;\n") == "var 0..1: x;\n"


def test_only_the_listed_release_is_excused() -> None:
    fault, text = "no answer: No variable in your model", "<instance>"
    one = Difference(0, "solutions", fault, text, "")
    assert find_cause("ace", "2.6", one)
    assert not find_cause("ace", "2.7", one)
    assert not find_cause("choco", "2.6", one)
    assert not find_cause("ace", "2.6", Difference(0, "solutions", "loses 1 of 2", text, ""))


@pytest.mark.once
@pytest.mark.parametrize("name", READERS)
def test_installed_readers_agree(name: str) -> None:
    reader = find_reader(name)
    if isinstance(reader, str):
        pytest.skip(reason=reader)
    problems = 4 if name in ("ace", "choco") else 20
    tally = study.examine(reader, problems, 3, optima=True, processes=1)
    assert tally.asked["solutions"] == problems
    assert tally.equal["solutions"] > problems // 2
    assert list(study.list_unknown(tally)) == []


VARIABLES = """<instance format="XCSP3" type="CSP"><variables>
<var id="x"> 1 3 4 </var><var id="y"> 1..4 </var><var id="z"> 1..4 </var><var id="w"> 2..4 </var>
</variables><constraints>"""
END = "</constraints></instance>"
TWICE = "<maximum><list> y z y </list><condition> (ge,2) </condition></maximum>"
NVALUE = """include "nvalue_fn.mzn";
var {1, 3, 4}: x; var 1..4: y; var 1..4: z; var 2..4: w;
constraint nvalue([x, y, z, w]) = 4;
"""
OUTSIDE = """var {1, 3, 4}: x; var 1..4: y; var 1..4: z; var 2..4: w;
constraint bool2int((array2d(0..0, 0..0, [x])[y, 7] div y) <= 7) = 1;
"""
WRONG = [
    ("ace", "2.6", f"{VARIABLES}<allDifferent> x y z w </allDifferent>{END}", 14),
    ("ace", "2.6", f"{VARIABLES}{TWICE}{END}", 135),
    ("cosoco", "2.6.1", f"{VARIABLES}{TWICE}{END}", 135),
    ("cosoco", "2.6.1", f"{VARIABLES}<intension> lt(mul(0,y),0) </intension>{END}", 0),
    ("minizinc", "2.6.4", NVALUE, 14),
    ("minizinc", "2.6.4", OUTSIDE, 0),
]


@pytest.mark.once
@pytest.mark.parametrize(("name", "release", "text", "count"), WRONG)
def test_known_differences(
    request: pytest.FixtureRequest, name: str, release: str, text: str, count: int
) -> None:
    reader = find_reader(name)
    if isinstance(reader, str):
        pytest.skip(reason=reader)
    if reader.version == release:
        request.applymarker(pytest.mark.xfail(strict=True, reason=f"{name} {release} fails there"))
    answer = reader.ask(text, "solutions")
    sizes = {"x": 3, "y": 4, "z": 4, "w": 3}
    total = sum(
        prod(size for variable, size in sizes.items() if one.get(variable, "*") == "*")
        for one in answer.sightings
    )
    assert (answer.complete, total) == (True, count)
