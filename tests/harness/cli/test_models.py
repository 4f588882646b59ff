"""`concord compare --model`: models in files, isolated as any set."""

import json

import pytest
from within_process import within

import concord

MODEL = """
import concord

m = concord.Model()
x = m.ints(3, 0, 4, "x")
m.add(concord.all_different(x), sum(x) == 7)

best = concord.Model()
y = best.ints(3, 0, 4, "y")
best.add(sum(y) == 7)
best.minimize(concord.maximum(y))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(MODEL)
    return tmp_path


def compare(folder, *arguments, status=0):
    done = within(
        folder, "compare", "-b", "propagation", "-b", "brute_force", "--quiet", *arguments
    )
    assert done.returncode == status, done.stderr
    return done


def test_all_models_of_a_file_are_compared_and_those_with_an_objective_for_the_optimum(folder):
    done = compare(folder, "--model", "mine.py", "--json")
    run = concord.load(folder / json.loads(done.stdout)["run"])
    assert set(run.jobs["verdict"]) == {"verified"}
    found = run.jobs.drop_duplicates("instance").set_index("instance")
    assert found["set"].to_dict() == {"mine:m": "problems", "mine:best": "optima"}
    assert found.loc["mine:best", "objective"] == 3


def test_a_model_stands_beside_sets_and_is_repeated_by_its_run(folder):
    done = compare(folder, "--model", "mine.py:m", "--set", "queens", "--limit", "1", "--json")
    run = concord.load(folder / json.loads(done.stdout)["run"])
    assert set(run.jobs["set"]) == {"problems", "queens"}


@pytest.mark.once
def test_a_file_that_changes_the_model_changes_the_digest_of_the_instance(folder):
    def digests():
        done = compare(folder, "--model", "mine.py:m", "--json")
        run = concord.load(folder / json.loads(done.stdout)["run"])
        return set(run.jobs["instance_digest"])

    before = digests()
    assert digests() == before
    (folder / "mine.py").write_text(MODEL.replace("== 7)\n\nbest", "== 8)\n\nbest"))
    assert digests().isdisjoint(before)


@pytest.mark.parametrize(
    ("source", "place", "message"),
    [
        ("import concord\nm = concord.Modell()\n", "bad.py", "bad.py:2: AttributeError"),
        ("x = (\n", "bad.py", "bad.py:1: SyntaxError"),
        ("x = 1\n", "bad.py:x", "bad.py: x is neither a concord.Model"),
        ("", "missing.py", "missing.py cannot be read: No such file or directory"),
    ],
)
def test_errors_in_the_file_end_with_status_2_and_name_the_line(folder, source, place, message):
    (folder / "bad.py").write_text(source)
    done = compare(folder, "--model", place, status=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_what_the_file_prints_is_no_result(folder):
    (folder / "loud.py").write_text(f"print('hello')\n{MODEL}")
    done = compare(folder, "--model", "loud.py:m", "--json")
    assert "hello" in done.stderr
    assert json.loads(done.stdout)["run"]


def test_a_file_of_instances_may_name_models(folder):
    (folder / "models.txt").write_text("# family: problem\npy:mine.py:m  # mine\n")
    done = within(folder, "solve", "models.txt", "--backend", "propagation", "--count", "all")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 12
