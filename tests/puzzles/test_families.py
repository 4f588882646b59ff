"""A family is one file: it is found by its name, and nothing else lists it or knows it.

The family ``toy`` is all in this file: a total, and two digits from 1 to 9 that add up to it. A
copy of the file is put among the modules of ``puzzles``, as that of a new family would be.
"""

import importlib
import subprocess
import sys
from pathlib import Path

import grimp
import pytest
from within_process import within

import concord
import modelling.errors
import puzzles
from modelling.constraints import Linear
from modelling.errors import InputError, InstanceError
from modelling.problem import Structure
from puzzles.endings import FILES, Files
from puzzles.family import (
    DEFAULT_FAMILY,
    ROOMS,
    Measured,
    OptionalObjective,
    Sized,
    Valued,
    families,
    family,
    find_module,
    has_objective,
    is_shipped,
    list_family_names,
)
from puzzles.formats import entries, in_text

STRUCTURE = Structure(
    ("one", "other", "total"),
    (range(1, 10), range(1, 10), range(19)),
    (Linear((0, 1, 2), (1, 1, -1), "==", 0),),
)


class Toy:
    name = "toy"
    about = "two digits with a given sum"

    def read(self, lines, source):
        return entries(lines, source, self.name, self._canonical)

    def problem(self, text):
        return STRUCTURE.problem({2: int(self._canonical(text, in_text))})

    def check(self, text, values):
        return [] if values[0] + values[1] == int(text) else [f"they are not {text}"]

    def render(self, text, values=None):
        return f"? + ? = {text}" if values is None else self.write(text, values)

    def write(self, text, values):
        return f"{values[0]} + {values[1]} = {text}"

    def of_size(self, n):
        return str(n)

    @staticmethod
    def _canonical(body, locate):
        if not body.strip().isdigit() or int(body) > 18:
            raise InstanceError("write a number up to 18", locate(1))
        return body.strip()


TOY = Toy()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a set of toys; the family is in it too, as one that ships."""
    (tmp_path / "toy.py").write_text(Path(__file__).read_text("utf-8"), "utf-8")
    (tmp_path / "toys.txt").write_text("# family: toy\n2 # least\n18 # most\n10\n")
    monkeypatch.setattr(puzzles, "__path__", [*puzzles.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    yield tmp_path
    sys.modules.pop("puzzles.toy", None)
    vars(puzzles).pop("toy", None)


def test_the_former_name_of_the_error_is_deprecated():
    with pytest.warns(DeprecationWarning, match="InstanceError"):
        assert modelling.errors.PuzzleError is InstanceError


def test_a_module_is_a_family_by_its_name(folder):
    assert "toy" in list_family_names()
    assert "toy" in [one.name for one in concord.families()]
    assert concord.family("toy").about == TOY.about
    with pytest.raises(InputError, match="'toi'; did you mean 'toy'"):
        family("toi")


def test_in_a_room_it_is_found_likewise(folder, monkeypatch):
    room = folder / ROOMS[0]
    room.mkdir()
    (folder / "toy.py").rename(room / "toy.py")
    package = importlib.import_module(f"puzzles.{ROOMS[0]}")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(room)])
    importlib.invalidate_caches()
    assert find_module("toy") == f"puzzles.{ROOMS[0]}.toy"
    assert "toy" in list_family_names()
    assert family("toy").about == TOY.about
    sys.modules.pop(f"puzzles.{ROOMS[0]}.toy")
    vars(package).pop("toy")


def test_no_two_modules_are_called_alike():
    homes = [path for name in ("", *ROOMS) for path in Path(puzzles.__path__[0], name).glob("*.py")]
    names = [path.stem for path in homes if path.stem != "__init__"]
    assert len(set(names)) == len(names)


def test_without_its_module_it_is_not_there():
    assert "toy" not in list_family_names()
    assert list_family_names()[0] == DEFAULT_FAMILY


@pytest.mark.parametrize("name", ["sets", "files", "grid.model", "../x", "", "Sudoku", "__init__"])
def test_what_else_is_there_is_no_family(name):
    assert not is_shipped(name)


def test_a_new_family_is_read_and_solved(folder):
    path = str(folder / "toys.txt")
    found = concord.read(path)
    assert [(one.family, one.text, one.name) for one in found] == [
        ("toy", "2", "least"),
        ("toy", "18", "most"),
        ("toy", "10", "toys:4"),
    ]
    assert concord.solve(found[2], concord.Solutions(None)).count == 9
    done = within(folder, "solve", path)
    assert (done.returncode, done.stdout.splitlines()[:2]) == (0, ["1 + 1 = 2", "9 + 9 = 18"])


def test_a_new_family_has_sets(folder):
    config = {"CONCORD_CONFIG": str(folder / "config")}
    done = within(folder, "sets", "add", "toys.txt", **config)
    assert done.returncode == 0, done.stderr
    assert "toy " in within(folder, "sets", **config).stdout
    assert within(folder, "solve", "toys", **config).stdout.startswith("1 + 1 = 2\n")


def test_a_new_family_is_compared(folder):
    """Under its name in a file of one's own: workers do not see what a test does to ``puzzles``."""
    words = ["--set", "toys.txt", "--family", "py:toy:TOY", "--count", "all"]
    backends = ["--backend", "propagation", "--backend", "brute_force"]
    done = within(folder, "compare", *words, *backends, "--out", "run", "--quiet")
    assert done.returncode == 0, done.stderr
    jobs = concord.load(folder / "run").jobs
    assert set(jobs["verdict"]) == {"verified"}
    assert sorted(jobs["count"]) == [1, 1, 1, 1, 9, 9]


@pytest.mark.parametrize("name", ["toy", "py:toy:TOY"])
def test_sizes_are_generated_of_it(folder, name):
    done = within(folder, "generate", name, "--size", "17", "--number", "2")
    assert (done.returncode, done.stdout) == (0, "17  # toy-17\n18  # toy-18\n")
    done = within(folder, "generate", name, "--size", "19")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "concord: toy of size 19: write a number up to 18\n"


@pytest.mark.parametrize("name", ["toy", "py:toy:TOY"])
def test_without_a_generator_it_says_so(folder, name):
    code = (folder / "toy.py").read_text("utf-8").replace("def of_size", "def of_other_size")
    (folder / "toy.py").write_text(code, "utf-8")
    sys.modules.pop("toy", None)  # as other tests have loaded it
    done = within(folder, "generate", name)
    assert done.returncode == 2
    assert f"the family '{name}' has no generator (families with a generator:" in done.stderr
    sys.modules.pop("toy", None)


def test_families_do_not_know_each_other_and_nothing_below_knows_them():
    graph = grimp.build_graph("puzzles", cache_dir=None)
    kinds = {find_module(name) for name in list_family_names()}
    homes = {"puzzles", *(f"puzzles.{room}" for room in ROOMS)}
    assert {kind.rpartition(".")[0] for kind in kinds} | {"puzzles.modelled"} == homes
    assert kinds <= graph.modules
    for kind in kinds:
        own = {kind, *graph.find_descendants(kind)}
        users = {user for part in own for user in graph.find_modules_that_directly_import(part)}
        assert users <= own, kind


def test_the_index_of_endings_is_that_of_the_families():
    found = {
        one.name: Files(
            find_module(one.name), tuple(one.endings), tuple(getattr(one, "data_endings", ()))
        )
        for one in families()
        if getattr(one, "endings", ())
    }
    assert found == FILES
    assert list(FILES) == sorted(FILES)
    assert all(files.module in sys.modules for files in FILES.values())


def test_an_ending_imports_no_other_family():
    code = (
        "import sys; from puzzles.family import find_by_ending; find_by_ending('a.xml');"
        "print(*(name for name in sys.modules if name.startswith('puzzles.modelled.')))"
        "; print('puzzles.sudoku' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "puzzles.modelled.xcsp3\nFalse\n"


VALUED = [one.name for one in families() if isinstance(one, Valued)]


@pytest.mark.parametrize("name", VALUED)
def test_the_text_says_whether_there_is_an_objective(name):
    kind = family(name)
    assert isinstance(kind, OptionalObjective)
    found = {
        kind.problem(one.text).structure.objective is not None: has_objective(one)
        for one in concord.read(name)
    }
    assert found in ({True: True, False: False}, {True: True})


def test_every_family_says_what_it_is():
    for one in families():
        assert one.about
        assert family(one.name) is one


@pytest.mark.parametrize(
    ("name", "wrong", "meant"),
    [
        *((name, "line", "lines") for name in ("job_shop", "open_shop", "rcpsp", "car_sequencing")),
        *((name, "line", "lines") for name in ("bin_packing", "knapsack")),
        *(("latin", "plus", "pls"), ("tsp", "tsblib", "tsplib")),
        *(("graph_colouring", "col2", "col"), ("nonogram", "dzm", "dzn")),
    ],
)
def test_formats_by_name(name, wrong, meant):
    kind = family(name)
    assert kind.in_format("lines") is kind
    says = f"no format is called '{wrong}'; did you mean '{meant}'"
    with pytest.raises(InputError, match=says):
        kind.in_format(wrong)


def test_formats_are_listed():
    assert list(family("graph_colouring").formats()) == ["lines", "col"]
    assert list(family("nonogram").formats()) == ["lines", "non", "dzn"]


SIZED = [one for one in families() if isinstance(one, Sized)]


@pytest.mark.parametrize("kind", SIZED, ids=lambda kind: kind.name)
def test_an_empty_board_has_the_size_that_was_asked_for(kind):
    assert isinstance(kind, Measured)
    for size in (4, 8, 9):
        text = kind.of_size(size)
        assert kind.size_of(text) == size


def test_families_without_a_size_are_those_of_files():
    files = {"cnf", "flatzinc", "lp", "minizinc", "mps", "opb", "wcnf", "xcsp3"}
    assert {one.name for one in families() if not isinstance(one, Measured)} == files


@pytest.mark.parametrize(
    ("name", "text", "size"),
    [
        ("job_shop", "0=3 1=2 | 1=2 0=4", 4),
        ("graph_colouring", "4 2: 1-2 2-3", 4),
        ("tsp", "UPPER_ROW: 1 2 3 4 5 6", 4),
        ("bibd", "7 7 3 3 1", 49),
        ("knapsack", "10: 5=10 4=40 6=30", 3),
        ("cryptarithm", "SEND+MORE=MONEY", 8),
        ("nonogram", "2 1 1 / 1 3", 6),
        ("sudoku", "." * 16, 4),
        ("queens", "8: 1=4", 8),
        ("ramsey", "3 3: 5", 5),
        ("quasigroup", "QG5 7", 7),
    ],
)
def test_what_the_size_counts(name, text, size):
    assert family(name).size_of(text) == size
