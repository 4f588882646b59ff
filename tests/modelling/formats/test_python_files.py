"""Models in files: found by name, told apart by digest, refused with file and line."""

import sys

import pytest

from modelling.errors import ModelError
from modelling.formats import python_files
from modelling.formats.python_files import (
    complete,
    find_models,
    find_problem,
    is_place,
    name_place,
    split_place,
)
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


def test_a_declared_size_is_in_the_text(folder):
    (folder / "sized.py").write_text("import concord\nm = concord.Model(size=12)\n")
    (text,) = find_models("sized.py")
    assert text.endswith(" size=12")
    assert find_problem(text).size == 12
    assert complete("py:sized.py:m") == complete(text) == text
    assert name_place(text) == "sized:m"


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
        (GOOD, "bad.py:number", r"number is neither a concord.Model .*models there: m, other"),
        (GOOD, "bad.py:missing", r"missing is neither a concord.Model"),
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


SEVERAL = """
import concord
from itertools import count

def one(size):
    m = concord.Model()
    m.add(concord.all_different(m.ints(size, 1, size, "x")))
    return m

MODELS = [one(2), one(3)]
SIZES = {"small/est": one(2), 7: one(4)}
NESTED = {"easy": {"a": one(2)}, "hard": [one(3), one(4)]}
PLAIN = concord.problem({"z": range(3)}, [])
EMPTY = []
TWICE = {1: one(2), "1": one(3)}
MIXED = [one(2), 3]

def drawn():
    for size in (2, 3, 4):
        yield one(size)

def endless():
    return (one(2) for _ in count())

def fails():
    yield one(2)
    raise ValueError("no more")
"""


def keys_of(place):
    return ["/".join(split_place(text)[1:]) for text in find_models(place)]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("MODELS", ["MODELS/1", "MODELS/2"]),
        ("SIZES", ["SIZES/small/est", "SIZES/7"]),
        ("NESTED", ["NESTED/easy/a", "NESTED/hard/1", "NESTED/hard/2"]),
        ("drawn", ["drawn/1", "drawn/2", "drawn/3"]),
        ("PLAIN", ["PLAIN"]),
    ],
)
def test_a_name_may_hold_several_models(folder, name, keys):
    (folder / "many.py").write_text(SEVERAL)
    assert keys_of(f"many.py:{name}") == keys
    for text, problem in find_models(f"many.py:{name}").items():
        assert find_problem(text).digest == problem.digest
        assert " " not in text
        assert name_place(text).startswith(f"many:{name}")


def test_without_a_name_single_models_come_before_collections(folder):
    (folder / "many.py").write_text(SEVERAL)
    assert keys_of("many.py") == ["PLAIN"]
    (folder / "many.py").write_text(SEVERAL.replace("PLAIN = ", "_PLAIN = "))
    with pytest.raises(ModelError, match="two keys are written '1'"):
        find_models("many.py")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("TWICE", "two keys are written '1'"),
        ("MIXED", "int is not a model; give concord.Models, Problems or models of CPMpy"),
        ("endless", "endless has more than 3 models"),
        ("fails", r"many.py:\d+: ValueError: no more"),
        ("MODEL", "did you mean 'MODELS'"),
        ("EMPTY", "EMPTY holds no model"),
    ],
)
def test_what_holds_no_models_says_why(folder, monkeypatch, name, message):
    monkeypatch.setattr(python_files, "MOST", 3)
    (folder / "many.py").write_text(SEVERAL)
    with pytest.raises(ModelError, match=message):
        find_models(f"many.py:{name}")


def test_a_model_that_is_gone_is_an_error(folder):
    (folder / "many.py").write_text(SEVERAL)
    (*_, last) = find_models("many.py:MODELS")
    (folder / "many.py").write_text(SEVERAL.replace("[one(2), one(3)]", "[one(2)]"))
    with pytest.raises(ModelError, match="the model '2' is not there any more"):
        find_problem(last)


def test_models_of_cpmpy_have_one_digest_however_often_they_are_made(folder):
    pytest.importorskip("cpmpy")
    (folder / "cp.py").write_text(
        "import cpmpy as cp\nx = cp.intvar(1, 5, shape=3)\nn = cp.intvar(1, 2, name='n')\n"
        "m = cp.Model(cp.AllDifferent(x), x[0] == n, maximize=x[2])\n"
    )
    (first,), (again,) = find_models("cp.py"), find_models("cp.py:m")
    assert first == again
    assert set(find_problem(first).structure.names) == {"IV0", "IV1", "IV2", "n"}
