"""Answers of programs, line by line, and what each format makes of them."""

from __future__ import annotations

from time import perf_counter
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


@pytest.mark.parametrize(
    "text",
    [
        *("v 1 0 2 0", "v one", "v 1 -", "v 1.0 0", "v 1_0 0", "v \u0663 0"),
        *(f"v {'1' * 5000} 0", "v 1 2\nv -1 0"),
    ],
)
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


def test_a_model_of_opb_gives_a_variable_one_value() -> None:
    with pytest.raises(Garbled, match="a model has 2 both true and false"):
        read(Opb(), "v x1 x2\nv -x2\ns SATISFIABLE")
    assert read(Opb(), "v x1 -x2\nc\nv -x1 x2") == [{1}, {2}]


@pytest.mark.parametrize(
    "first_and_second",
    [
        ("SATISFIABLE", "UNSATISFIABLE"),
        ("UNSATISFIABLE", "OPTIMUM FOUND"),
        ("UNSATISFIABLE", "UNKNOWN"),
        ("UNSATISFIABLE", "UNSUPPORTED"),
        ("UNKNOWN", "OPTIMUM FOUND"),
    ],
)
@pytest.mark.parametrize("make", [Dimacs, DimacsFile, Opb, Xcsp3])
def test_two_claims_that_contradict_each_other(
    make: type[Reader], first_and_second: tuple[str, str]
) -> None:
    for first, second in (first_and_second, first_and_second[::-1]):
        with pytest.raises(Garbled, match="it says both"):
            read(make(), f"s {first}\ns {second}")


def test_only_the_very_word_is_a_claim() -> None:
    for words in (
        "UNSATISFIABLE" + " " * 300 + "not",
        "UNSATISFIABLE" + "!" * 300,
        "unsatisfiable",
    ):
        reader = Dimacs()
        reader.line(f"s {words}")
        assert (reader.claim, reader.unsure) == ("UNKNOWN", True)
        assert len(reader.native) <= 200


def test_a_solution_outlives_the_word_unknown() -> None:
    reader = Opb()
    assert read(reader, "s SATISFIABLE\nv x1\ns UNKNOWN") == [{1}]
    assert (reader.claim, reader.unsure) == ("SATISFIABLE", True)


def test_of_what_is_printed_beside_a_file_only_claims_are_read() -> None:
    reader = Dimacs()
    for line in ("v a b", "o x", "UNSATISFIABLE", "s UNSATISFIABLE"):
        reader.status(line)
    assert (reader.claim, reader.open) == ("UNSATISFIABLE", False)
    flat = FlatZinc(frozenset("x"), optimum=False)
    for line in ("x = 1;", "==========", "====================", "=====UNKNOWN====="):
        flat.status(line)
    assert (flat.claim, flat.complete, flat.open) == ("UNKNOWN", False, False)


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
    reader = Xcsp3({"x": (4,), "y": (2, 2), "z": (3,)})
    text = (
        "v <instantiation> <list> x[] y[][1] b z[1..2] </list> <values> 1x3 4 5 6 7 8 9 </values>"
    )
    names = ["x[0]", "x[1]", "x[2]", "x[3]", "y[0][1]", "y[1][1]", "b", "z[1]", "z[2]"]
    assert read(reader, f"{text} </instantiation>") == [dict(zip(names, "111456789", strict=True))]


@pytest.mark.parametrize(
    "name",
    [
        *("z[]", "x[][]", "x[0..4]", "x[2..1]", "x[a..3]", "x[..]"),
        *(f"x[0..{'1' * 5000}]", "x[0..\u0663]"),
    ],
)
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
        "v <instantiation> <list> x </list> <values> 1x200000000 </values> </instantiation>",
        f"v <list> x </list> <values> 0x{'1' * 5000} </values> </instantiation>",
        "v <list> x </list> <values> 0x </values> </instantiation>",
        "v <list> x </list> <values 1 </instantiation>",
        "v <list> x </list> <list> <values> 1 </instantiation>",
        "v </instantiation> <list> x </list> <values> 1 </values>",
    ],
)
def test_xcsp3_that_cannot_be_read(text: str) -> None:
    with pytest.raises(Garbled, match="a solution has") as caught:
        read(Xcsp3(), text)
    assert len(str(caught.value)) < 300


def test_xcsp3_counts_before_it_makes_a_list() -> None:
    few = "<list> x[] </list> <values> 0x200000000 0x999999999 </values> </instantiation>"
    with pytest.raises(Garbled, match="6 variables and 1199999999 values"):
        read(Xcsp3({"x": (6,)}), f"v {few}")
    many = f"<list> {'x[] ' * 1000} </list> <values> 0x900000000 </values> </instantiation>"
    with pytest.raises(Garbled, match="a solution has 101001 variables and 900000000 values"):
        read(Xcsp3({"x": (100_000,)}), f"v {many}")


def test_xcsp3_gives_a_variable_one_value() -> None:
    text = "v <list> x[] x[0] </list> <values> 4 5 {} </values> </instantiation>"
    assert read(Xcsp3({"x": (2,)}), text.format(4)) == [{"x[0]": "4", "x[1]": "5"}]
    with pytest.raises(Garbled, match=r"'x\[0\]' with two values, '4' and '6'"):
        read(Xcsp3({"x": (2,)}), text.format(6))


def test_many_elements_of_xcsp3_are_read_once_each() -> None:
    start = perf_counter()
    for text in (
        "<list>" * 1_000_000,
        "<list></list>" * 500_000,
        "<list></list><values>" * 300_000,
    ):
        with pytest.raises(Garbled, match="a solution has a list and values"):
            Xcsp3().line(f"v {text}</instantiation>")
    assert perf_counter() - start < 5


def test_elements_of_xcsp3_may_have_attributes_and_others_beside_them() -> None:
    text = """
        v <instantiation id="s" type="solution"> <note> 1 </note>
        v <list startIndex="0"> x
        v </list> <b/> <values a="1"> 7 </values> <c> </c>
        v </instantiation>
    """
    assert read(Xcsp3(), text) == [{"x": "7"}]


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


@pytest.mark.parametrize(
    ("text", "claim", "complete", "unsure"),
    [
        ("=====UNKNOWN=====\n==========", "UNKNOWN", True, True),
        ("x = 1;\n----------\n==========\n=====ERROR=====", "SATISFIABLE", True, True),
        ("x = 1;\n----------\n==========\nx = 2;\n----------", "SATISFIABLE", False, False),
        ("==========", "", True, False),
        ("==================", "", False, False),
    ],
)
def test_what_takes_back_that_flatzinc_is_complete(
    text: str, claim: str, complete: bool, unsure: bool
) -> None:
    reader = FlatZinc(frozenset({"x"}), optimum=False)
    read(reader, text)
    assert (reader.claim, reader.complete, reader.unsure) == (claim, complete, unsure)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("x = 1;\n----------\n==========", "OPTIMUM"),
        ("x = 1;\n----------\n==========\nx = 2;\n----------", "SATISFIABLE"),
        ("=====UNKNOWN=====\nx = 1;\n----------\n==========", "SATISFIABLE"),
        ("=====UNKNOWN=====\n==========", "UNKNOWN"),
    ],
)
def test_when_flatzinc_tells_an_optimum(text: str, claim: str) -> None:
    reader = FlatZinc(frozenset({"x"}), optimum=True)
    read(reader, text)
    assert reader.claim == claim


@pytest.mark.parametrize(
    "text",
    [
        "=====UNSATISFIABLE=====\n=====UNKNOWN=====",
        "=====UNKNOWN=====\n=====UNSATISFIABLE=====",
        "x = 1;\n----------\n=====UNSATISFIABLE=====",
        "x = 1;\nx = 2;\n----------",
        f"x = {'1' * 5000};",
    ],
)
def test_flatzinc_that_cannot_be_read(text: str) -> None:
    with pytest.raises(Garbled, match=r"it says both|a solution has x") as caught:
        read(FlatZinc(frozenset({"x"}), optimum=False), text)
    assert len(str(caught.value)) < 300


def test_words_of_flatzinc_are_shown_short_and_clean() -> None:
    reader = FlatZinc(frozenset(), optimum=False)
    reader.line("=====UNKNOWN=====")
    reader.line(f"=====\x1b[2J{'A' * 100_000}=====")
    assert reader.native.startswith("?[2JA")
    assert len(reader.native) == 200


def test_statistics_of_flatzinc_are_finite_and_not_too_many() -> None:
    reader = FlatZinc(frozenset(), optimum=False)
    for value in ("1e999", "9" * 30, "9" * 4000, "1e300", "--1", "nan"):
        reader.line(f"%%%mzn-stat: nodes={value}")
    assert not reader.statistics
    for number in range(1000):
        name = "".join("abcdefghij"[int(figure)] for figure in str(number))
        reader.line(f"%%%mzn-stat: {name}={number}")
    reader.line("%%%mzn-stat: a=7")
    assert len(reader.statistics) == 200
    assert reader.statistics["a"] == 7


def test_a_bound_of_flatzinc_may_be_of_any_size() -> None:
    reader = FlatZinc(frozenset(), optimum=True)
    for value in ("1e999", "9" * 4000, "0.5"):
        reader.line(f"%%%mzn-stat: objectiveBound={value}")
    assert reader.bound is None
    reader.line(f"%%%mzn-stat: objectiveBound={'9' * 350}")
    assert reader.bound == 10**350 - 1
