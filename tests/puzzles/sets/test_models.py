"""Models with files of data as sets.

MiniZinc itself is replaced by a reader of numbers, but for the last test.
"""

import gzip

import pytest

import concord
from harness.plan.experiment import SetChoice
from harness.plan.reading import choose_files, dump, load
from modelling.errors import ExperimentError, InputError, InstanceError
from modelling.formats import minizinc
from modelling.problem import Structure
from puzzles import model_files
from puzzles.family import family
from puzzles.sets.models import Source, group_data, name_apart, read_with_data
from tests.harness.harness_samples import expand, experiment
from tests.harness.within_process import within
from tests.missing_programs import require_program

MODEL = "int: n; var 1..n: x; solve maximize x;"


def read_number(data, source, files):
    """A variable with as many values as all files of data say together."""
    total = sum(int(content) for _, content in files)
    return Structure(("x",), (tuple(range(1, total + 1)),), ()).problem()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(minizinc, "read", read_number)
    model_files._find_problem.cache_clear()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.mzn").write_text(MODEL)
        (tmp_path / name / "d.dzn").write_text("3" if name == "a" else "4")
    (tmp_path / "large one.dzn.gz").write_bytes(gzip.compress(b"9"))
    (tmp_path / "five.json").write_text("5")
    yield tmp_path
    model_files._find_problem.cache_clear()


def count_values(one):
    return len(family(one.family).problem(one.text).structure.domains[0])


def test_each_file_of_data_is_an_instance(folder):
    found = concord.read(["a/m.mzn", "a/d.dzn", "large one.dzn.gz", "b/d.dzn", "five.json"])
    assert [one.name for one in found] == ["a/d.dzn", "large one", "b/d.dzn", "five"]
    assert list(map(count_values, found)) == [3, 9, 4, 5]
    assert found[1].text.startswith("a/m.mzn@")
    assert " large%20one.dzn.gz@" in found[1].text
    assert found[1].source == "large one.dzn.gz:1"


def test_data_beside_a_model_are_named_in_its_text_and_given_ones_replace_them(folder):
    (folder / "a" / "m.dzn").write_text("7")
    alone, given = concord.read(["a/m.mzn"]) + concord.read(["a/m.mzn", "b/d.dzn"])
    assert [count_values(alone), count_values(given)] == [7, 4]
    assert " a/m.dzn@" in alone.text


def test_changed_and_missing_data_are_found(folder):
    (one,) = concord.read(["a/m.mzn", "a/d.dzn"])
    (folder / "a" / "d.dzn").write_text("8")
    model_files._find_problem.cache_clear()
    with pytest.raises(InstanceError, match=r"a/d\.dzn is another file than it was"):
        family("minizinc").problem(one.text)
    (folder / "a" / "d.dzn").unlink()
    with pytest.raises(InstanceError, match=r"a/d\.dzn: the file cannot be read"):
        family("minizinc").problem(one.text)


def test_a_list_names_models_with_several_files_of_data(folder):
    (folder / "list.txt").write_text(
        "# family: minizinc\na/m.mzn a/d.dzn large%20one.dzn.gz # both\nb/m.mzn # alone\n"
    )
    both, alone = concord.read("list.txt")
    assert (both.name, count_values(both), count_values(alone)) == ("both", 12, 0)
    (folder / "b" / "m.dzn").write_text("6")
    assert count_values(concord.read("list.txt")[1]) == 6
    (folder / "again.txt").write_text(f"# family: minizinc\n{both.text}\n{alone.text}\n")
    assert [one.text for one in concord.read("again.txt")] == [both.text, alone.text]
    (folder / "a" / "d.dzn").write_text("8")
    with pytest.raises(InstanceError, match="another file than it was"):
        concord.read("again.txt")


def test_what_follows_a_model_is_its_data():
    names = ["queens", "d.dzn", "m.mzn", "d.dzn", "e.dzn.gz", "latin", "f.dzn", "n.mzn", "g.json"]
    assert group_data(names) == [
        Source("queens"),
        Source("d.dzn"),
        Source("m.mzn", ("d.dzn", "e.dzn.gz")),
        Source("latin"),
        Source("f.dzn"),
        Source("n.mzn", ("g.json",)),
    ]
    assert group_data(["m.mzn", "d.dzn"], "nonogram") == [Source("m.mzn"), Source("d.dzn")]
    assert choose_files(["queens", "m.mzn", "d.dzn"]) == [
        "queens",
        SetChoice("m.mzn", data=["d.dzn"]),
    ]


def test_files_are_named_by_what_tells_them_apart():
    assert name_apart(["a/d.dzn", "e.dzn"], [".dzn"]) == {"a/d.dzn": "d", "e.dzn": "e"}
    assert name_apart(["a/x/d", "b/x/d"]) == {"a/x/d": "a/x/d", "b/x/d": "b/x/d"}
    assert name_apart(["d", "./d"]) == {"d": "d", "./d": "d"}


def test_data_without_a_model_are_refused(folder):
    for words in (["d.dzn"], ["queens", "d.dzn"]):
        (folder / "d.dzn").write_text("n = 3;\n")
        for verb in ("compare", "solve"):
            done = within(folder, verb, *words)
            assert done.returncode == 2
            assert "name that before it, as in model.mzn d.dzn" in " ".join(done.stderr.split())
    for model, data, cause in (
        ("five.json", "d.dzn", r"five\.json is no model that takes data; such files end in \.mzn"),
        ("a/m.mzn", "five.txt", r"five\.txt is no file of data for a/m\.mzn: its name must end"),
        ("a/m.mzn", "none.dzn", r"there is no file none\.dzn"),
        ("none.mzn", "a/d.dzn", r"there is no file none\.mzn"),
    ):
        with pytest.raises(InputError, match=cause):
            list(read_with_data(model, None, [data]))


def test_two_models_of_one_name_are_in_one_experiment(folder):
    chosen = experiment("a/m.mzn", "brute_force")
    chosen.sets = choose_files(["a/m.mzn", "a/d.dzn", "b/m.mzn", "a/d.dzn", "b/d.dzn"])
    jobs, bad = expand(chosen)
    assert not bad
    assert sorted((job.set, job.instance) for job in jobs) == [
        ("a/m.mzn", "d"),
        ("b/m.mzn", "a/d.dzn"),
        ("b/m.mzn", "b/d.dzn"),
    ]
    chosen.sets = [{"name": "a/m.mzn", "data": ["a/d.dzn"], "family": "minizinc", "sizes": [1]}]
    with pytest.raises(ExperimentError, match="data complete a model, not sizes or texts"):
        expand(chosen)


def test_an_experiment_finds_data_beside_itself(folder, monkeypatch):
    (folder / "mine.toml").write_text(
        'backends = ["brute_force"]\nsets = [{ name = "a/m.mzn", data = ["a/d.dzn"] }]\n'
    )
    monkeypatch.chdir(folder / "b")
    chosen = load(folder / "mine.toml")
    assert [job.instance for job in expand(chosen)[0]] == ["d"]
    assert "data = [" in dump(chosen)


@pytest.mark.once
def test_with_minizinc_models_are_compared_solved_and_replayed(tmp_path, monkeypatch):
    require_program("minizinc")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mzn").write_text(MODEL)
    for name, text in (("three.dzn", "n = 3;"), ("bad.dzn", "n = = 3;"), ("nine.json", '{"n": 9}')):
        (tmp_path / name).write_text(text)
    done = within(tmp_path, "solve", "m.mzn", "three.dzn", "bad.dzn", "nine.json", "-q")
    assert done.stdout.splitlines() == ["x=3  # objective 3", "# error", "x=9  # objective 9"]
    assert "bad.dzn:1:5: MiniZinc: syntax error" in done.stderr
    run = concord.compare(["m.mzn", "three.dzn", "nine.json"], "propagation", out="run")
    assert sorted(zip(run.jobs["instance"], run.jobs["objective"], strict=True)) == [
        ("nine", 9),
        ("three", 3),
    ]
    assert within(tmp_path, "replay", "run", "1").returncode == 0
    for name in ("three.dzn", "nine.json"):
        (tmp_path / name).write_text((tmp_path / name).read_text() + " ")
    changed = within(tmp_path, "replay", "run", "1")
    assert changed.returncode == 1
    assert "is another file than it was" in " ".join((changed.stdout + changed.stderr).split())
