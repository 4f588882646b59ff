"""Answers of programs, line by line, and what each format makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from backends.interface.programs.answers.dimacs import Dimacs, DimacsFile
from backends.interface.programs.answers.flatzinc import FlatZinc
from backends.interface.programs.answers.opb import Opb
from backends.interface.programs.answers.reader import Garbled, Reader
from backends.interface.programs.answers.xcsp3 import Xcsp3


def read(reader: Reader, text: str) -> list[Any]:
    """The sightings."""
    lines = text.strip().splitlines()
    found = [reader.line(line.strip()) for line in lines]
    return [one for one in (*found, reader.end()) if one is not None]


def test_dimacs() -> None:
    reader = Dimacs()
    assert read(reader, "c hi\nv 1 -2\nv 3 0\ns SATISFIABLE\nv -1 0") == [{1, 3}, set()]
    assert (reader.claim, reader.native, reader.open) == ("SATISFIABLE", "SATISFIABLE", False)


@pytest.mark.parametrize("text", ["v 1 0 2 0", "v one", "v 1 -", "v 1.0 0"])
def test_dimacs_that_cannot_be_read(text: str) -> None:
    with pytest.raises(Garbled, match="a model has"):
        read(Dimacs(), text)


def test_a_model_that_is_not_ended_is_open() -> None:
    reader = Dimacs()
    assert not read(reader, "s SATISFIABLE\nv 1 2")
    assert reader.open


@pytest.mark.parametrize(
    ("text", "claim", "sightings"),
    [
        ("SAT\n1 -2 0", "SATISFIABLE", [{1}]),
        ("UNSAT", "UNSATISFIABLE", []),
        ("INDET", "UNKNOWN", []),
        ("s SATISFIABLE\nv 1 2 0", "SATISFIABLE", [{1, 2}]),
        ("", "", []),
    ],
)
def test_a_file_of_dimacs(text: str, claim: str, sightings: list[set[int]]) -> None:
    reader = DimacsFile()
    assert read(reader, text) == sightings
    assert reader.claim == claim


def test_opb_with_objectives_on_the_way() -> None:
    reader = Opb()
    text = "o 7\nv x1 -x2\nv ~x3\no 5\nc and\nv -x1 x2\ns OPTIMUM FOUND"
    assert read(reader, text) == [{1}, {2}]
    assert (reader.claim, reader.objective, reader.objectives) == ("OPTIMUM", 5, 2)


def test_opb_names_its_variables() -> None:
    with pytest.raises(Garbled, match="literals such as x1 and -x2, not 'y1'"):
        read(Opb(), "v x1 y1")


@pytest.mark.parametrize(
    "first_and_second",
    [("SATISFIABLE", "UNSATISFIABLE"), ("UNSATISFIABLE", "OPTIMUM FOUND")],
)
def test_two_claims_that_contradict_each_other(first_and_second: tuple[str, str]) -> None:
    for first, second in (first_and_second, first_and_second[::-1]):
        with pytest.raises(Garbled, match="it says both"):
            read(Opb(), f"s {first}\ns {second}")


def test_xcsp3_in_lines_and_short_forms() -> None:
    reader = Xcsp3()
    text = """
        o 12
        v <instantiation type="solution" cost="12"> <list> x y[0] y[1] </list>
        v <values> 1 0x2 </values> </instantiation>
        d COMPLETE EXPLORATION
        s OPTIMUM FOUND
    """
    assert read(reader, text) == [{"x": "1", "y[0]": "0", "y[1]": "0"}]
    assert (reader.claim, reader.complete, reader.objective) == ("OPTIMUM", True, 12)


def test_xcsp3_shows_the_last_solution_a_second_time() -> None:
    one = "v <instantiation> <list> x </list> <values> 1 </values> </instantiation>"
    assert len(read(Xcsp3(), f"{one}\ns SATISFIABLE\n{one}")) == 1
    assert len(read(Xcsp3(), f"s SATISFIABLE\n{one}")) == 1


def test_xcsp3_names_variables_of_an_array_together() -> None:
    reader = Xcsp3({"x": (4,), "y": (2, 2)})
    text = (
        "v <instantiation> <list> x[] y[][1] b x[1..2] </list> <values> 1x3 4 5 6 7 8 9 </values>"
    )
    assert read(reader, f"{text} </instantiation>") == [
        {
            "x[0]": "1",
            "x[1]": "8",
            "x[2]": "9",
            "x[3]": "4",
            "y[0][1]": "5",
            "y[1][1]": "6",
            "b": "7",
        }
    ]


@pytest.mark.parametrize("name", ["z[]", "x[][]", "x[0..4]", "x[2..1]", "x[a..3]", "x[..]"])
def test_xcsp3_names_no_array_that_there_is(name: str) -> None:
    text = f"v <instantiation> <list> {name} </list> <values> 1 </values> </instantiation>"
    with pytest.raises(Garbled, match=r"a solution has (the index|.*no such array)"):
        read(Xcsp3({"x": (4,)}), text)


def test_xcsp3_names_more_than_it_has_values_for() -> None:
    text = f"v <instantiation> <list> {'x[] ' * 1000}</list> <values> 1 </values> </instantiation>"
    with pytest.raises(Garbled, match="2 variables and 1 values"):
        read(Xcsp3({"x": (1_000_000,)}), text)


@pytest.mark.parametrize(
    "text",
    [
        "v <instantiation> <list> x y </list> <values> 1 </values> </instantiation>",
        "v <instantiation> x = 1 </instantiation>",
        "v <instantiation> <list> x </list> <values> 1x99999999999 </values> </instantiation>",
    ],
)
def test_xcsp3_that_cannot_be_read(text: str) -> None:
    with pytest.raises(Garbled, match="a solution has"):
        read(Xcsp3(), text)


FLAT = """
    x = 3;
    b = true;
    xs = array1d(1..2, [1, 2]);
    %%%mzn-stat: objectiveBound=7
    ----------
    %%%mzn-stat: nodes=12
    %%%mzn-stat: peakDepth=4
    %%%mzn-stat: solveTime=0.25
    %%%mzn-stat-end
    ==========
"""


def test_flatzinc_with_statistics() -> None:
    reader = FlatZinc(frozenset({"x", "b"}), optimum=True)
    assert read(reader, FLAT) == [{"x": "3", "b": "true"}]
    assert (reader.claim, reader.complete, reader.bound) == ("OPTIMUM", True, 7)
    assert reader.statistics == {"nodes": 12, "peak_depth": 4, "solve_time": 0.25}


@pytest.mark.parametrize(
    ("text", "claim", "complete"),
    [
        ("=====UNSATISFIABLE=====", "UNSATISFIABLE", True),
        ("=====UNKNOWN=====", "UNKNOWN", False),
        ("=====UNSATorUNBOUNDED=====", "UNKNOWN", False),
        ("=====ERROR=====", "UNKNOWN", False),
        ("x = 1;\n----------", "SATISFIABLE", False),
        ("x = 1;\n----------\n=====UNKNOWN=====", "SATISFIABLE", False),
        ("x = 1;", "", False),
        ("Error: Registry: Constraint fzn_circuit not found", "", False),
    ],
)
def test_what_flatzinc_says(text: str, claim: str, complete: bool) -> None:
    reader = FlatZinc(frozenset({"x"}), optimum=False)
    read(reader, text)
    assert (reader.claim, reader.complete) == (claim, complete)
    assert reader.open == (text == "x = 1;")
