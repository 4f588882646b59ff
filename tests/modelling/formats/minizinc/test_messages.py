"""What MiniZinc says becomes an error in the user's file, without lines of files."""

import pytest

from modelling.errors import InstanceError
from modelling.formats.minizinc import read
from modelling.formats.minizinc.messages import explain
from modelling.formats.minizinc.origins import find_origin
from tests.missing_programs import require_program

FILES = {"/copy/model.mzn": "m.mzn", "/copy/data-0.dzn": "d.dzn"}
SECRET = "password = swordfish 12345;"


@pytest.mark.parametrize(
    ("said", "place", "cause"),
    [
        (
            "/copy/model.mzn:3.16:\nconstraint x = = 2;\n    ^\nError: syntax error, unexpected =",
            "m.mzn:3:16",
            "MiniZinc: syntax error, unexpected = (with the data of d.dzn)",
        ),
        ("Error: type error: wrong\n/copy/data-0.dzn:2.1-5", "d.dzn:2:1", "type error: wrong"),
        (
            "Error: assertion failed: n is\nsmall\n/lib/std.mzn:9.1\n  in call 'assert'\n"
            "/copy/model.mzn:4.2\n  in call 'f'",
            "m.mzn:4:2",
            "assertion failed: n is small",
        ),
        ("Error: JSON parsing error\n/copy/data-0.dzn:0.10", "d.dzn:1:10", "JSON parsing error"),
        ("Segmentation fault", "m.mzn:1:1", "without naming an error"),
        ("", "m.mzn:1:1", "without naming an error"),
    ],
)
def test_the_place_is_that_of_the_users_file(said, place, cause):
    error = explain(said, FILES, "m.mzn")
    assert error.place == place
    assert cause in error.cause
    assert "/copy" not in str(error)


@pytest.mark.parametrize(
    "quoted",
    [
        f"{SECRET}\n    ^^^^\n",
        f"{SECRET}\n",
        f"Error: {SECRET}\n    ^^^^\n",
        f"{SECRET}\n{SECRET}\n    ^\n",
        f"/x:1.1\n{SECRET}\n",
    ],
)
def test_no_line_of_a_file_is_shown(quoted):
    said = "(included from file '/copy/model.mzn')\n/home/secret:1.5-10:\n"
    said += f"{quoted}Error: syntax error, unexpected identifier `swordfish'"
    error = explain(said, FILES, "m.mzn")
    assert "swordfish" not in str(error)
    assert error.place == "/home/secret:1:5"
    assert error.cause.startswith("MiniZinc: syntax error in a file outside the model's folder")


def test_the_lines_of_variables_and_constraints_are_found():
    flat = b"var 1..3: x:: output_var;\nconstraint a(x);\nconstraint b(x);\nsolve satisfy;\n"
    table = "x\tx\tm|3|11|3|12|id|x;\n1\t1\tlib|9|9|9|9;m|7|12|7|23|bin;\n"
    assert [find_origin(flat, n, table, "m") for n in (1, 2, 3, 4, 9)] == [
        (3, 11),
        (1, 1),
        (7, 12),
        (1, 1),
        (1, 1),
    ]


# --- with MiniZinc -------------------------------------------------------------------------------

MODELS = [
    ("int: n = 3;\nconstraint 1 = = 2;\nsolve satisfy;", "m.mzn:2:16", "syntax error"),
    ("var 1..3: x;\nconstraint x = y;\nsolve satisfy;", "m.mzn:2:16", "undefined identifier `y'"),
    ("int: n;\nvar 1..n: x;\nsolve satisfy;", "m.mzn:1:1", "name its file of data after the model"),
    ('\ninclude "none.mzn";\nsolve satisfy;', "m.mzn:2:1", "Cannot open file 'none.mzn'"),
    ('var 1..3: x;\nconstraint assert(false, "no");\nsolve satisfy;', "m.mzn:2:12", "failed: no"),
    ("var 1..3: x;\n\n  var 0.0..3.0: y;\nsolve satisfy;", "m.mzn:3:17", "'y' is a float"),
    (
        "var 1..3: x;\nvar 0.0..3.0: y;\n\nconstraint y * y >= 2.0;\nsolve satisfy;",
        "m.mzn:2:15",
        "'y' is a float",
    ),
    ('include "lib.mzn";\nsolve satisfy;', "lib.mzn:2:5", "syntax error, unexpected"),
]
"""Wrong models, where they are wrong, and why."""


def test_minizinc_names_the_line_of_the_model(tmp_path, monkeypatch):
    require_program("minizinc")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.mzn").write_text("% a library\nint a b;\n")
    for text, place, cause in MODELS:
        with pytest.raises(InstanceError) as caught:
            read(text.encode(), "m.mzn")
        assert (caught.value.place, cause in caught.value.cause) == (place, True), text


def test_minizinc_names_the_line_of_the_data():
    require_program("minizinc")
    model = b"int: n;\narray[1..n] of int: w;\nsolve satisfy;"
    for data, line in (
        (b"n = 3;\nw = [1,2 3];", 2),
        (b'n = "a";\nw = [];', 1),
        (b"n = 1;\nw = [1];\nm = 4;", 3),
        (b"n = 1;\nn = 2;\nw = [1];", 2),
    ):
        with pytest.raises(InstanceError) as caught:
            read(model, "m.mzn", [("d.dzn", data)])
        assert caught.value.place.startswith(f"d.dzn:{line}:"), data
    with pytest.raises(InstanceError, match=r"^m\.mzn:2:1: .* \(with the data of d\.dzn\)$"):
        read(model, "m.mzn", [("d.dzn", b"n = 3;\nw = [1];")])


def test_minizinc_shows_no_line_of_a_file_outside(tmp_path, monkeypatch):
    require_program("minizinc")
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    for path in ("../secret", tmp_path / "secret"):
        text = f'include "{path}";\nvar 1..3: x;\nsolve satisfy;'
        with pytest.raises(InstanceError, match=r"secret:1:\d+: .*syntax error") as caught:
            read(text.encode(), "m.mzn")
        assert not any(word in str(caught.value) for word in ("password", "swordfish", "12345"))


def test_a_model_that_contradicts_itself_has_no_solution():
    require_program("minizinc")
    from backends.interface import registry
    from backends.interface.api import Solutions

    problem = read(b"var 1..3: x;\nconstraint x > 10;\nsolve satisfy;", "m.mzn")
    assert registry.get("propagation").solve(problem, Solutions(1)).status == "UNSATISFIABLE"


@pytest.mark.parametrize(
    "text", [b"", b" \n", b"% a comment\n/* and\nanother */\n", b"\xef\xbb\xbf"]
)
def test_an_empty_model_is_an_error(text):
    with pytest.raises(InstanceError, match=r"m\.mzn:1:1: the file is empty: .* no variables"):
        read(text, "m.mzn", [])


def test_a_model_without_variables_is_an_error():
    require_program("minizinc")
    with pytest.raises(InstanceError, match="the model has no variables: there is nothing"):
        read(b"int: n = 3;\nconstraint n > 2;\nsolve satisfy;\n", "m.mzn", [])
    assert read(b"var 1..1: x;\nsolve satisfy;\n", "m.mzn", []).structure.size == 1


def test_an_error_says_which_data_are_empty():
    require_program("minizinc")
    with pytest.raises(InstanceError, match=r"`n' must be defined.*; m\.dzn is empty"):
        read(b"int: n;\nvar 1..n: x;\nsolve satisfy;\n", "m.mzn", [("m.dzn", b"% none yet\n")])
