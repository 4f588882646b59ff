"""The public face, and what an installation must hold."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import concord

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."


def test_every_name_that_it_offers_is_there():
    assert all(hasattr(concord, name) for name in concord.__all__)
    assert concord.__version__ == metadata.version("solver-concord")


def test_solve_takes_text_instances_problems_and_backends():
    assert concord.solve(EASY).solutions[0][:9] == (4, 8, 3, 9, 2, 1, 6, 5, 7)
    instance = concord.read("queens")[0]
    assert concord.solve(instance, backend=concord.backend("cpsat")).status in (
        "SATISFIABLE",
        "UNSATISFIABLE",
    )
    problem = concord.problem({"x": range(3)})
    assert concord.solve(problem, concord.Solutions(None)).count == 3


def test_compare_and_load(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = concord.compare("latin", ["propagation", "brute_force"], limit=3, seconds=20)
    assert set(run.agreement.columns) >= {"verified", "unwitnessed", "wrong"}
    assert len(run.jobs) == 6
    assert set(run.timing["backend"]) == {"propagation", "brute_force"}
    assert len(concord.load("latest").jobs) == 6


class Mine:
    """What a notebook's user might hand over."""


@pytest.mark.parametrize(
    ("sets", "backends", "says"),
    [
        (["queens"], [Mine()], "compare: backends[0]: expected the name of a backend, not Mine"),
        (["queens"], Mine, f"name it py:{__name__}:Mine"),
        (["queens"], "propagatoin", "backends[0]: no backend is called 'propagatoin'; did you"),
        ([17], "cpsat", "sets[0]: name a set or a file, or give a table"),
        ({"name": "queens", "limt": 1}, "cpsat", "sets[0]: unknown key 'limt'; did you mean 'lim"),
        ("quens", "cpsat", "compare: sets[0]: no set and no file is called 'quens'; did you mean"),
        (None, [], "compare: backends: there are none"),
    ],
    ids=range(7),
)
def test_compare_says_what_it_cannot_run(sets, backends, says, tmp_path):
    with pytest.raises(concord.ConcordError) as caught:
        concord.compare(sets, backends, out=tmp_path / "run")
    assert says in str(caught.value)


def test_a_backend_of_a_notebook_cell_is_to_be_written_to_a_file(monkeypatch):
    monkeypatch.setattr(Mine, "__module__", "__main__")
    with pytest.raises(concord.ConcordError, match=r"write it to a file.* name it py:mine:Mine"):
        concord.compare("queens", [Mine()])


def test_compare_takes_one_alone_and_tables(tmp_path):
    queens = {"family": "queens", "sizes": [4]}
    run = concord.compare(queens, "propagation", out=tmp_path / "alone")
    assert list(run.jobs["outcome"]) == ["finished"]
    sat = {"name": "sat", "options": {"encoding": "direct"}}
    run = concord.compare([queens], [sat], out=tmp_path / "table")
    assert list(run.jobs["backend"]) == ["sat:encoding=direct"]


def test_a_file_that_hides_a_package_is_named(tmp_path):
    (tmp_path / "harness.py").write_text("# mine\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", "import concord"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert done.returncode == 1
    assert str(Path(tmp_path) / "harness.py") in done.stderr
    assert "rename that file" in done.stderr


def test_importing_the_face_is_light():
    code = (
        "import sys, concord; heavy = {'pandas', 'numpy', 'ortools', 'pysat', 'constraint', "
        "'matplotlib', 'pycosat'}; print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_generate_and_grade():
    one, two = concord.generate(2, seed=5, grade="hidden-single", symmetry="half-turn")
    assert one != two
    assert concord.grade(one).grade == concord.grade(one.text).grade == "hidden-single"
    assert concord.generate(1, seed=5, grade="hidden-single", symmetry="half-turn") == [one]
    (six,) = concord.generate(box=(2, 3), solutions=2)
    assert concord.solve(six, concord.Solutions(None)).count == 2


SMALL = concord.problem({"x": range(3), "y": range(3)}, [concord.NotEqual(("x", "y"))])
OWN_CONSTRAINT = """
from dataclasses import dataclass
import concord

@dataclass(frozen=True)
class Product(concord.Constraint):
    most: int

    def holds(self, values):
        return values[0] * values[1] <= self.most
"""


def test_compare_takes_problems_and_instances(tmp_path):
    queens = [entry for entry in concord.read("queens") if entry.text == "4"]
    other = SMALL.structure.problem({0: 1})
    backends = ["propagation", "brute_force"]
    run = concord.compare(
        [SMALL, {"family": "queens", "sizes": [5]}, other, *queens],
        backends,
        count="all",
        out=tmp_path / "run",
    )
    assert set(run.jobs["set"]) == {"problems", "queens-sizes", "queens-given"}
    counts = run.jobs[run.jobs["backend"] == "brute_force"].set_index("instance")["count"]
    assert counts["problem-1"] == 6
    assert counts["problem-3"] == 2
    assert set(run.jobs["outcome"]) == {"finished"}


def test_compare_names_problems_and_says_which_cannot_travel(tmp_path):
    run = concord.compare({"first": SMALL}, "brute_force", out=tmp_path / "run")
    assert list(run.jobs["instance"]) == ["first"]
    (row,) = run.rows()
    assert concord.family("problem").problem(row.job.text).digest == SMALL.digest
    alone = concord.compare(SMALL, "brute_force", out=tmp_path / "alone")
    assert list(alone.jobs["instance"]) == ["problem-1"]

    class Local(concord.Constraint):
        def holds(self, values):
            return True

    with pytest.raises(concord.ConcordError, match="constraint Local is defined in a notebook"):
        concord.compare(concord.problem({"x": range(2)}, [Local(("x",))]))


def test_compare_takes_constraints_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "own_product.py").write_text(OWN_CONSTRAINT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    from own_product import Product

    problem = concord.problem({"x": range(5), "y": range(5)}, [Product(("x", "y"), 3)])
    run = concord.compare(problem, "brute_force", count="all")
    (count,) = run.jobs["count"]
    assert count == sum(x * y <= 3 for x in range(5) for y in range(5))
    assert list(run.jobs["verdict"].isin(["wrong", "disputed"])) == [False]


def test_a_folder_that_is_taken_is_told_in_the_words_of_python(tmp_path):
    folder = tmp_path / "run"
    concord.compare(SMALL, "brute_force", out=folder)
    with pytest.raises(concord.ConcordError, match="holds a run already; choose another out=") as e:
        concord.compare(SMALL, "brute_force", out=folder)
    assert f"concord.resume({str(folder)!r})" in str(e.value)
    assert "--" not in str(e.value)
    assert concord.resume(folder).complete


def test_an_interrupted_run_of_problems_is_resumed(tmp_path):
    from harness.runs.execution import Interrupted

    problems = [SMALL.structure.problem({0: value}) for value in range(3)] * 4

    def stop(progress):
        if progress.done:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        concord.compare(problems, "brute_force", out=tmp_path / "run", on_progress=stop)
    run = concord.resume(tmp_path / "run")
    assert run.complete
    assert len(run.jobs) == 12
    assert set(run.jobs["outcome"]) == {"finished"}


def test_the_core_has_every_class_of_the_vocabulary():
    from modelling.vocabulary import VOCABULARY

    for kind in VOCABULARY:
        assert getattr(concord.core, kind.__name__) is kind
        assert kind.__name__ in concord.core.__all__
    assert all(hasattr(concord.core, name) for name in concord.core.__all__)
    square = concord.Structure(("x", "y"), ((0, 1, 2),) * 2, (concord.core.Circuit((0, 1)),))
    assert concord.solve(square.problem(), backend="brute_force").solutions == ((1, 0),)


def test_every_class_of_the_vocabulary_has_its_function():
    from modelling.expressions.functions import FUNCTIONS, OPERATORS, spell
    from modelling.vocabulary import VOCABULARY

    bound = {name for k in VOCABULARY if k.__name__ not in OPERATORS for name in spell(k)}
    written = {"sum_", "all_", "any_", "lex_less", "lex_less_equal", "decreasing"}
    assert set(FUNCTIONS) == bound | written, "write it in modelling/expressions/functions.py"
    assert set(FUNCTIONS) <= set(concord.__all__), "export it in concord.py"
    assert all(getattr(concord, name) is made for name, made in FUNCTIONS.items())


def test_dir_shows_the_public_names_alone():
    assert set(dir(concord)) == {*concord.__all__, "__version__"}


# --- the first forms ------------------------------------------------------------------------------


def stated(size: int) -> concord.Model:
    m = concord.Model()
    m.add(concord.all_different(m.ints(size, 1, size, "x")))
    return m


def test_seconds_are_short_for_limits():
    assert concord.solve(stated(3), seconds=10).count == 1
    with pytest.raises(concord.InputError, match="seconds or limits with seconds"):
        concord.solve(stated(3), seconds=1, limits=concord.Limits(1))
    assert concord.solve(stated(3), seconds=1, limits=concord.Limits(nodes=10)).count == 1


def test_what_cannot_be_solved_is_named():
    with pytest.raises(concord.ModelError, match="int cannot be solved; give a Problem"):
        concord.solve(3)  # type: ignore[arg-type]


def test_a_model_of_cpmpy_is_solved_and_compared(tmp_path):
    cp = pytest.importorskip("cpmpy")
    x = cp.intvar(1, 3, shape=3, name="x")
    model = cp.Model(cp.AllDifferent(x), maximize=x[0])
    assert concord.solve(model).objective == 3
    run = concord.compare([model, stated(3)], "propagation", out=tmp_path / "run", progress=False)
    assert sorted(run.jobs["instance"]) == ["problem-1", "problem-2"]


def test_a_model_and_its_solution_are_drawn():
    model = stated(2)
    assert "x[1]\N{NO-BREAK SPACE}" in str(concord.picture(model))
    shown = str(concord.picture(model, model.solve())).replace("\N{NO-BREAK SPACE}", " ")
    assert "x[0] = " in shown
    assert str(concord.picture(model.problem())) == str(concord.picture(model))


def test_a_mapping_within_a_mapping_is_a_set(tmp_path, capfd):
    sets = {
        "easy": {"a": stated(2), "b": [stated(3), stated(4)]},
        "hard": {"c": concord.read("queens")[3]},
        "alone": stated(5),
    }
    run = concord.compare(sets, {"p": "propagation"}, out=tmp_path / "run")
    found = set(zip(run.jobs["set"], run.jobs["instance"], run.jobs["backend"], strict=True))
    assert {(of, name) for of, name, _ in found} == {
        ("easy", "a"),
        ("easy/b", "1"),
        ("easy/b", "2"),
        ("hard", "c"),
        ("problems", "alone"),
    }
    assert {backend for *_, backend in found} == {"p"}
    assert str(run).splitlines() == [
        run.headline,
        f"5 of 5 jobs, in {tmp_path / 'run'}",
    ]
    assert "p is propagation" in run.footnotes
    assert capfd.readouterr().out == ""


def test_a_plot_is_a_picture_in_a_notebook(tmp_path):
    pytest.importorskip("matplotlib")
    run = concord.compare(stated(3), "propagation", out=tmp_path / "run", progress=False)
    assert run.plot()._repr_png_().startswith(b"\x89PNG")
