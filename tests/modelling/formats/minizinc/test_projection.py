"""Counts of MiniZinc models are those of the texts that MiniZinc prints.

Each model is one that counts by variables got wrong, or might: hidden values, functions in the
output, texts that run into each other.
"""

import subprocess

import pytest

from backends.interface import registry
from backends.interface.api import Optimum, Solutions
from modelling.errors import Unsupported
from modelling.formats.minizinc import projection
from modelling.formats.minizinc.output_model import OutputModel
from modelling.formats.minizinc.reading import read
from tests.missing_programs import require_program

pytestmark = pytest.mark.once  # MiniZinc flattens each model

MODELS = {
    "opt Booleans": r"var opt bool: x; var opt bool: y; constraint x /\ y;",
    "opt integers": r"var opt 1..3: x; var 0..2: y; constraint absent(x) \/ deopt(x) > y;",
    "array of opt": (
        "array[1..4] of var opt 1..2: x; constraint sum(i in 1..4)(bool2int(occurs(x[i]))) = 2;"
    ),
    "sum alone": "array[1..4] of var 0..9: x; output [show(sum(x))];",
    "sum of many": (
        r'array[1..7] of var 0..9: x; constraint sum(x) < 4; output ["total \(sum(x))\n"];'
    ),
    "comparison": "var 0..5: x; output [show(x > 3)];",
    "nothing": "var 0..3: x; output [];",
    "constant": r'var 0..3: x; output ["done\n"];',
    "hidden variable": "var 0..3: x; var 0..3: y; constraint x < y; output [show(x)];",
    "hidden in array": "array[1..3] of var 0..2: x; constraint sum(x) = 3; output [show(x[2])];",
    "two numbers without a sign between": "var 1..12: x; var 1..12: y; output [show(x), show(y)];",
    "two numbers with a blank": r'var 1..12: x; var 1..12: y; output [show(x), " ", show(y)];',
    "board": (
        r'include "alldifferent.mzn"; array[1..4] of var 1..4: q; constraint alldifferent(q); '
        r'output [if fix(q[i]) = j then "Q" else "." endif ++ if j = 4 then "\n" else "" endif '
        r"| i, j in 1..4];"
    ),
    "parity in a loop": (
        "array[1..5] of var 0..3: x; "
        'output [if fix(x[i]) mod 2 = 0 then "e" else "o" endif | i in 1..5];'
    ),
    "every other": (
        "array[1..5] of var 0..2: x; constraint sum(x) = 5; "
        'output [show(x[i]) ++ " " | i in 1..5 where i mod 2 = 1];'
    ),
    "conditional text": (
        r'var bool: b; var 1..4: x; output [if fix(b) then "x = \(x)" else "none" endif];'
    ),
    "enum": "enum C = {red, green, blue}; array[1..2] of var C: c; constraint c[1] != c[2];",
    "enum shown": (
        r'enum C = {red, green, blue}; var C: c; var C: d; constraint c < d; output ["\(c)\n"];'
    ),
    "default output": "var 0..3: x; var int: z = x * x; var 0..1: h;",
    "function of two": r'var 0..4: x; var 0..4: y; output ["max \(max(x, y)), min \(min(x, y))"];',
    "difference": "var 0..4: x; var 0..4: y; output [show(abs(x - y))];",
    "own function": (
        r'function string: half(int: a) = "half \(a div 2)"; var 0..9: x; output [half(fix(x))];'
    ),
    "product of many": (
        r'array[1..6] of var 1..5: x; constraint sum(x) = 10; output ["\(product(x))"];'
    ),
    "matrix": "array[1..2, 1..3] of var 0..1: x; constraint sum(x) = 3; output [show2d(x)];",
    "matrix in a loop": (
        r"array[1..2, 1..2] of var 0..2: x; "
        r'output ["\(x[i, j])" ++ if j = 2 then "\n" else "," endif | i in 1..2, j in 1..2];'
    ),
    "joined": r'array[1..3] of var 1..3: x; output [join("-", [show(x[i]) | i in 1..2])];',
    "optimum is not shown": r'var 0..4: x; var 0..4: cost = 4 - x; output ["\(x div 2)"];',
    "set": "var set of 1..3: s; constraint card(s) = 2;",
    "size of a set": "var set of 1..4: s; output [show(card(s))];",
    "element": r'array[1..4] of int: p = [3, 1, 3, 2]; var 1..4: i; output ["price \(p[i])"];',
    "implied by another": r'var 0..3: x; var 0..3: y; constraint y = x; output ["\(x) \(y)"];',
    "negative numbers": (
        r'var -3..3: x; var -3..3: y; constraint x + y > 0; output ["(\(x);\(y))"];'
    ),
    "bool shown as number": "var bool: a; var bool: b; output [show(bool2int(a) + bool2int(b))];",
    "unsatisfiable": "var 0..3: x; constraint x > 3; output [show(x)];",
    "two output items": r'var 0..2: x; var 0..2: y; output ["x \(x)\n"]; output ["y \(y > 1)\n"];',
}


def count_texts(program: str, path: str) -> int:
    """How many texts MiniZinc prints by Gecode."""
    command = [program, "-a", "--solver", "gecode", "--soln-sep", "\x1e", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.count("\x1e")


def read_model(path, text):
    text = text if "solve" in text else f"{text}\nsolve satisfy;\n"
    path.write_text(text)
    return read(text.encode(), str(path))


@pytest.mark.parametrize("name", MODELS)
def test_counts_are_those_of_minizinc(name, tmp_path):
    program = require_program("minizinc")
    path = tmp_path / "model.mzn"
    problem = read_model(path, MODELS[name])
    assert not problem.structure.uncountable
    found = registry.get("propagation").solve(problem, Solutions(None))
    assert found.count == count_texts(program, str(path))


def test_variables_have_the_names_of_the_model(tmp_path):
    require_program("minizinc")
    text = "array[1..2, 0..1] of var 1..3: x; constraint x[1, 0] < x[2, 1]; var bool: b;"
    problem = read_model(tmp_path / "m.mzn", text)
    assert problem.structure.names == ("x[1,0]", "x[1,1]", "x[2,0]", "x[2,1]", "b")


def test_what_cannot_be_told_apart_is_not_counted(tmp_path):
    """The text of a nested loop over 12 variables; one solution and the optimum are still asked."""
    require_program("minizinc")
    text = """
        array[1..12] of var 1..9: x;
        solve maximize x[1];
        output [concat([if fix(x[i]) > j then "*" else "" endif | i in 1..12]) | j in 1..9];
    """
    problem = read_model(tmp_path / "m.mzn", text)
    backend = registry.get("propagation")
    assert "MiniZinc shows two solutions with one text once" in problem.structure.uncountable
    for ask in (Solutions(2), Solutions(None)):
        with pytest.raises(Unsupported, match="with one text once"):
            backend.solve(problem, ask)
    assert backend.solve(problem, Solutions(1)).count == 1
    assert backend.solve(problem, Optimum()).objective == 9


def test_not_every_piece_of_a_long_text_is_printed(tmp_path, monkeypatch):
    """Each takes a process, and a model is read by every worker."""
    require_program("minizinc")
    monkeypatch.setattr(projection, "MOST_PRINTED", 2)
    text = """array[1..4] of var 0..1: x; solve satisfy;
      output [if fix(x[i]) > fix(x[i + 1]) then "a" else "b" endif | i in 1..3];"""
    structure = read(text.encode(), str(tmp_path / "long.mzn")).structure
    assert "more than 2 pieces such as" in structure.uncountable


def test_an_output_model_is_taken_apart():
    model = OutputModel(
        """
        output (["x = ", show(x), ";\\n"]
                ++ [if fix(q[i]) = 1 then "a" ++ "b" else "" endif | i in S]);
        int: x; set of int: S = 1..n; int: n = 3; % a comment; with a sign
        array [S] of int: q; opt int: o = f(a, x);
        function opt int: f(int: a, int: b) = if a > 0 then b else <> endif; int: a;
        """
    )
    pieces = list(model.pieces())
    assert [piece.is_literal for piece in pieces] == [True, False, True, False]
    assert pieces[3].is_array
    assert model.reach(pieces[1].names) == {"x"}
    assert model.reach(pieces[3].names) == {"q"}
    assert model.reach(["o"]) == {"a", "x"}
    assert not model.reach(["S", "n"])
