"""Experiments: reading, errors that name file, key and cause, and the jobs that come of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness_samples import TINY, expand, experiment, tiny_file

from harness.job import Question
from harness.plan.checking import check
from harness.plan.experiment import Experiment, SetChoice
from harness.plan.reading import dump, list_shipped, load
from modelling.errors import ExperimentError

GOOD = """
sets = ["quickstart", { name = "tiny.txt", family = "py:tiny_family:Tiny", limit = 2, count = 2 }]
backends = ["brute_force"]
seconds = 3
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_with_its_defaults(tmp_path: Path) -> None:
    found = load(write(tmp_path, GOOD))
    assert (found.name, found.seconds, found.count, found.repeat) == ("mine", 3.0, None, 1)
    assert found.choices()[0] == SetChoice("quickstart")
    assert found.choices()[1].count == 2


def test_a_set_beside_the_file_is_found_from_anywhere(tmp_path: Path) -> None:
    tiny_file(tmp_path, "3 4 -")
    assert load(write(tmp_path, GOOD)).choices()[1].name == str(tmp_path / "tiny.txt")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("seconds = 3", "secnds = 3", "unknown key 'secnds'; did you mean 'seconds'?"),
        ("limit = 2", "limits = 2", "sets[1]: unknown key 'limits'; did you mean 'limit'?"),
        ("seconds = 3", "seconds = 'x'", "seconds: expected `float`, got `str`"),
        ("seconds = 3", "seconds = 0", "seconds: must be above 0, not 0"),
        ("seconds = 3", "seconds = inf", "seconds: must be at most 1000000000, not inf"),
        ("limit = 2", "limit = 0", "sets[1].limit: must be at least 1, not 0"),
        ("count = 2", "count = 0", "sets[1].count: must be at least 1, not 0"),
        ("count = 2", "count = 'most'", "sets[1].count: "),
        ("seconds = 3", "repeat = 0", "repeat: must be at least 1, not 0"),
        ("seconds = 3", "jobs = 0", "jobs: must be at least 1, not 0"),
        ("seconds = 3", "memory_mb = -1", "memory_mb: must be above 0, not -1"),
        ("seconds = 3", "keep = -1", "keep: must be at least 0, not -1"),
        ("seconds = 3", "mode = 'pool'", "mode: 'pool' is unknown (there are: pooled, isolated"),
        ("seconds = 3", "order = 'any'", "order: 'any' is unknown (there are: random, listed)"),
        ("seconds = 3", "warm_ups = -1", "warm_ups: must be at least 0, not -1"),
        ("seconds = 3", "cpu_seconds = 0", "cpu_seconds: must be above 0, not 0"),
        ("seconds = 3", "name = '../x'", "name: '../x' must be made of"),
        ("brute_force", "brute_farce", "no backend is called 'brute_farce'; did you mean"),
        ("brute_force", "brute_force:fast", "backends[0]: brute_force: unknown option 'fast'"),
        ("brute_force", "py:module", "backends[0]: 'py:module': write py:package.module:attribute"),
        ('["brute_force"]', '["cpsat", "cpsat"]', "backends[1]: 'cpsat' is listed twice"),
        ('["brute_force"]', "[]", "backends: there are none"),
        ('backends = ["brute_force"]', "", "the key backends is missing"),
        ("backends =", "backends", "not TOML"),
        ("{ name = ", "{ nam = ", "sets[1]: unknown key 'nam'; did you mean 'name'?"),
    ],
)
def test_an_error_names_file_key_and_cause(old: str, new: str, says: str, tmp_path: Path) -> None:
    assert old in GOOD
    with pytest.raises(ExperimentError) as caught:
        check(load(write(tmp_path, GOOD.replace(old, new))))
    assert str(caught.value).startswith("mine.toml:")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seconds": "x"}, "seconds: expected `float`, got `str`"),
        ({"count": 1.5}, "count: expected"),
        ({"limit": object()}, "Encoding objects of type object"),
    ],
)
def test_an_experiment_made_in_python_is_checked(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        expand(experiment("x", "brute_force", **changes))
    assert says.lower() in str(caught.value).lower()


def test_the_same_set_may_be_asked_two_questions_but_not_one_twice(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -")
    one, two = SetChoice(path, TINY), SetChoice(path, TINY, count=2)
    twice = Experiment(name="x", sets=[one, two], backends=["brute_force"])
    assert len(expand(twice)[0]) == 2
    twice.sets = [one, one]
    with pytest.raises(ExperimentError, match="listed twice with the same question"):
        expand(twice)


def test_a_missing_file_names_what_ships() -> None:
    with pytest.raises(ExperimentError, match=r"quickstrat.*did you mean 'quickstart'"):
        load("quickstrat")


def test_the_name_of_a_study_is_answered_with_the_way_to_run_it() -> None:
    with pytest.raises(ExperimentError, match=r"`python -m results\.studies\.ROOM\.NAME`"):
        load("wrapper")


@pytest.mark.parametrize("name", list_shipped())
def test_what_ships_loads(name: str) -> None:
    assert check(load(name)).name == name


def test_an_unknown_set_is_an_error() -> None:
    sample = Experiment(name="x", sets=["no_such_set"], backends=["brute_force"])
    with pytest.raises(ExperimentError, match="no_such_set"):
        expand(sample)


def test_an_unreadable_file_of_an_own_family_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="no file is called"):
        expand(experiment(str(tmp_path / "none.txt"), "brute_force"))


@pytest.mark.parametrize(
    ("changes", "question"),
    [
        ({}, Question(1, 1, True)),
        ({"count": 1}, Question(1, 1)),
        ({"optimum": False}, Question(1, 1)),
        ({"count": 2}, Question(2, 2)),
        ({"count": 50}, Question(50, 10)),
        ({"count": "all"}, Question(None, 10)),
        ({"count": "all", "keep": "all"}, Question(None, None)),
        ({"count": "all", "keep": 0}, Question(None, 1)),
        ({"optimum": True}, Question(1, 1, True)),
        ({"optimum": True, "count": "all"}, Question(None, 10, True)),
    ],
)
def test_what_is_asked(changes: dict[str, Any], question: Question) -> None:
    sample = experiment("x", "brute_force", **changes)
    assert sample.question(sample.choices()[0]) == question


def test_a_set_overrides_the_experiment(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -", "3 4 4", "2 2 -")
    sample = experiment(path, "brute_force", limit=3, count=1, seconds=9.0)
    sample.sets = [SetChoice(path, TINY, limit=2, count="all", seconds=1.5)]
    jobs, _ = expand(sample)
    assert len(jobs) == 2
    assert {job.question.text for job in jobs} == {"all"}
    assert {job.limits.seconds for job in jobs} == {1.5}


def test_jobs_are_the_product_in_a_seeded_order(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, *(f"3 5 {total}" for total in range(3, 10)))
    sample = experiment(path, "brute_force", "py:liars:Honest", repeat=2)
    jobs, bad = expand(sample)
    assert not bad
    assert [job.number for job in jobs] == list(range(1, 29))
    pairs = {(job.instance, job.backend, job.repeat) for job in jobs}
    assert len(pairs) == 28
    assert jobs == expand(sample)[0]
    order = [job.backend for job in jobs]
    assert order not in (sorted(order), sorted(order, reverse=True))
    sample.seed = 1
    assert [job.instance for job in expand(sample)[0]] != [job.instance for job in jobs]


def test_bad_lines_are_collected_and_do_not_count(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "nonsense", "3 4 -", "more nonsense", "3 4 4", "and more")
    jobs, bad = expand(experiment(path, "brute_force", limit=2))
    assert len(jobs) == 2
    assert [error.place for error in bad] == [f"{path}:1:1", f"{path}:3:1", f"{path}:5:1"]


def test_instances_of_one_name_are_told_apart(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -", "3 4 -", "3 4 -")
    names = {job.instance for job in expand(experiment(path, "brute_force"))[0]}
    assert names == {"3 4 -", "3 4 - (2)", "3 4 - (3)"}


def test_what_is_dumped_is_read_back(tmp_path: Path) -> None:
    sample = experiment(
        'odd "name"\\\t\x7f.txt', "brute_force", about="it's\nodd", count="all", memory_mb=0.5
    )
    path = tmp_path / "sample.toml"
    path.write_text(dump(sample), encoding="utf-8")
    assert msgspec.to_builtins(load(path)) == msgspec.to_builtins(sample)


def test_neither_pandas_nor_a_solver_is_imported_to_run() -> None:
    heavy = ["pandas", "ortools", "pysat", "constraint", "matplotlib", "numpy"]
    code = (
        "import sys, harness.plan.experiment, harness.supervise.supervisor;"
        "import harness.supervise.worker, harness.runs.execution;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == "[]"
