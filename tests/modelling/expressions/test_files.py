"""Models in files: found by name, told apart by digest, refused with file and line."""

import sys

import pytest

from modelling.errors import ModelError
from modelling.expressions.files import complete, find_models, find_problem, is_place
from modelling.problem import Structure

GOOD = """
import beside
import concord

m = concord.Model()
x = m.ints(beside.SIZE, 0, 3, "x")
m.add(concord.all_different(x))

other = concord.Model()

def build():
    made = concord.Model()
    made.int(0, 5, "z")
    return made

def fails():
    return 1 // 0

number = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(GOOD)
    (tmp_path / "beside.py").write_text("SIZE = 3\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("beside", None)
    find_problem.cache_clear()


def test_all_models_or_one_are_found(folder):
    before = list(sys.path)
    found = find_models("mine.py")
    assert [text.partition("@")[0] for text in found] == ["py:mine.py:m", "py:mine.py:other"]
    (text,) = find_models("mine.py:m")
    assert text in found
    (built,) = find_models("./mine.py:build")
    assert built.startswith("py:mine.py:build@")
    assert find_problem(built).structure.names == ("z",)
    assert sys.path == before


def test_a_text_leads_to_the_problem_and_has_its_digest(folder):
    ((text, problem),) = find_models("mine.py:m").items()
    assert is_place(text)
    assert text.endswith(f"@{problem.digest}")
    assert find_problem(text).digest == problem.digest
    assert find_problem(text) is find_problem(text)
    assert complete(text) == text
    assert complete("py:mine.py:m") == text


def test_a_file_that_says_something_else_by_now_is_refused(folder):
    (text,) = find_models("mine.py:m")
    (folder / "mine.py").write_text(GOOD + "# a remark\n")
    assert complete("py:mine.py:m") == text
    (folder / "mine.py").write_text(GOOD.replace("0, 3", "0, 4"))
    with pytest.raises(ModelError, match=r"mine.py: the model m is another one than it was"):
        find_problem(text)
    assert complete("py:mine.py:m") != text
    find_problem(complete("py:mine.py:m"))


def test_a_path_may_have_any_signs(folder):
    strange = folder / "a folder #1; 100%"
    strange.mkdir()
    (strange / "my: model@home.py").write_text("import concord\nm = concord.Model()\n")
    (text,) = find_models("a folder #1; 100%/my: model@home.py")
    assert not set(" #;") & set(text)
    assert isinstance(find_problem(text).structure, Structure)


@pytest.mark.parametrize(
    ("source", "place", "match"),
    [
        ("x = 1\ny = x +\n", "bad.py", r"bad.py:2: SyntaxError: invalid syntax"),
        ("x = 1\n\ny = z\n", "bad.py", r"bad.py:3: NameError: name 'z' is not defined"),
        ("def f():\n    return 1 // 0\n\nf()\n", "bad.py", r"bad.py:2: ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "bad.py", r"bad.py:2: SystemExit: 3"),
        ("import nothing_of_the_kind\n", "bad.py", r"bad.py:1: ModuleNotFoundError"),
        (
            "import concord\nm = concord.Model()\nx = m.int(0, 3)\nif x > 1: pass\n",
            "bad.py",
            r"bad.py:4: .* neither true nor false",
        ),
        ("x = 1\n", "bad.py", r"bad.py has no concord.Model at its head"),
        (GOOD, "bad.py:number", r"number is no concord.Model, .*models there: m, other"),
        (GOOD, "bad.py:missing", r"missing is no concord.Model"),
        (GOOD, "bad.py:fails", r"bad.py:17: ZeroDivisionError"),
        ("", "absent.py", r"absent.py cannot be read: No such file"),
    ],
)
def test_errors_name_file_and_line(folder, source, place, match):
    (folder / "bad.py").write_text(source)
    with pytest.raises(ModelError, match=match):
        find_models(place)


@pytest.mark.parametrize("text", ["py:", "py:mine.py", "py::m", "py:mine.py:1", "py:mine.py:m@"])
def test_texts_that_name_no_model(folder, text):
    with pytest.raises(ModelError):
        find_problem(text)
