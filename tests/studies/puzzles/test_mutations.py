"""Damaged files of every format, some hundred in all; the experiment does 10,000 of each."""

import json

import pytest

from modelling.errors import InstanceError
from puzzles.random_stream import Stream
from puzzles.sudoku.formats import FORMATS
from results.studies.puzzles import mutations
from results.studies.puzzles.mutants import OPERATIONS, mutant, sample

pytestmark = pytest.mark.once

SOME = 120


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_end_in_puzzles_or_errors_with_places(name, tmp_path):
    form = FORMATS[name]
    path = tmp_path / f"mutant{form.endings[0]}"
    kinds = set()
    for number in range(SOME):
        path.write_bytes(mutant(form, 1, number))
        kinds.add(mutations.outcome(form, path))
    assert kinds == set(mutations.FINE)


@pytest.mark.parametrize("name", FORMATS)
def test_a_sample_is_whole_and_a_mutant_the_same_again(name, tmp_path):
    form = FORMATS[name]
    path = tmp_path / f"sample{form.endings[0]}"
    for number in range(10):
        path.write_bytes(sample(form, Stream(1, number)))
        assert mutations.outcome(form, path) == "puzzles"
    assert mutant(form, 1, 7) == mutant(form, 1, 7) != mutant(form, 1, 8)


def test_operations_take_empty_data():
    for operation in OPERATIONS:
        operation(bytearray(), Stream(1))


class Unreliable:
    """A format whose reader does what no reader should."""

    name, holds, endings = "unreliable", frozenset(), (".x",)

    def __init__(self, found):
        self.found = found

    def refusal(self, layout):
        return ""

    def write(self, entries):
        return iter(())


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], "silent"),
        ([InstanceError("bad")], "placeless: bad"),
        ([InstanceError("bad", "f:1")], "placeless: f:1: bad"),
        ([InstanceError("bad", "{path}:9:1")], "placeless: {path}:9:1: bad"),
        ([InstanceError("bad", "{path}:1:1")], "errors"),
        ([ValueError("oh")], "traceback: ValueError: oh"),
    ],
    ids=["silent", "placeless", "half a place", "no such line", "fine", "traceback"],
)
def test_what_counts_as_a_failure(found, told, tmp_path, monkeypatch):
    path = tmp_path / "f"
    path.write_text("x\n")

    def reading(*_):
        for one in found:
            if isinstance(one, ValueError):
                raise one
            yield InstanceError(one.cause, one.place.replace("{path}", str(path)))

    monkeypatch.setattr(mutations, "entries", reading)
    monkeypatch.setattr(mutations.sets, "batches", lambda *_: iter(()))
    outcome = mutations.outcome(Unreliable(found), path)
    assert outcome == told.replace("{path}", str(path))


def test_the_measurement_writes_its_figures(tmp_path, capsys):
    assert mutations.main(["--number", "4", "--format", "sdm", "--out", str(tmp_path)]) == 0
    assert "| sdm | 4 |" in capsys.readouterr().out
    (row,) = json.loads((tmp_path / "mutations.json").read_text())["rows"]
    assert sum(row["outcomes"].values()) == row["files"] == 4
    assert 0 < row["peak_mb"] < mutations.MOST_MB
    assert "| sdm | 4 |" in (tmp_path / "mutations.md").read_text()


def test_a_child_that_hangs_is_a_failure_and_the_rest_goes_on():
    row = mutations.measure_mutants("sdm", 3, 1e-5)
    assert row["files"] == 3
    assert {failure["outcome"].partition(":")[0] for failure in row["failures"]} == {"hang"}
