"""The tidy tables: complete, documented, apart by run; what must not be compared is named."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from harness_samples import QUICK, experiment, tiny_file

import concord
from harness.machine import this_machine
from harness.report.data import Data, find_obstacles
from harness.report.run import Run, load, run_experiment, save_reference

ROOT = Path(__file__).parents[3]
TABLES = ("jobs", "instances", "verdicts", "incumbents", "solutions", "machines", "versions")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("tidy")
    chosen = experiment(tiny_file(folder, "3 4 -", "2 3 -"), "brute_force", "cpsat", count="all")
    return run_experiment(chosen, folder / "run", settings=QUICK)


@pytest.fixture(scope="module")
def seeking(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that asked for an optimum."""
    model = concord.Model()
    x, y = model.int(0, 9, "left"), model.int(0, 9, "right")
    model.add(x + y <= 7)
    model.maximize(2 * x + y)
    return concord.compare(
        model, ["cpsat"], seconds=10, out=tmp_path_factory.mktemp("seek") / "run"
    )


def read_documented() -> dict[str, list[str]]:
    """The columns that ``docs/data.md`` describes, by table."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / "docs" / "data.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## data."):
            name = line.removeprefix("## data.")
            found[name] = []
        elif found and (cell := re.match(r"\| `(\w+)` \|", line)):
            found[name].append(cell[1])
    return found


def test_every_column_is_described(run: Run) -> None:
    documented = read_documented()
    for name in TABLES:
        columns = list(getattr(run.data, name).columns)
        if name == "jobs":  # as those of run.jobs, which are described in docs/columns.md
            elsewhere = {"incumbents", "solutions", "evidence", "ground", "families"}
            elsewhere |= {"sense", "source"}
            assert columns == ["run", *(c for c in run.jobs.columns if c not in elsewhere)]
        else:
            assert columns == documented[name], name


def test_each_table_has_its_rows_and_its_keys(run: Run) -> None:
    data = run.data
    assert len(data.jobs) == len(data.verdicts) == 4
    assert data.instances[["set", "instance"]].drop_duplicates().shape[0] == 2
    assert list(data.instances["jobs"]) == [2, 2]
    assert set(data.jobs["machine"]) == set(data.machines["machine"])
    assert set(data.jobs["version"]) == set(data.versions["version"])
    assert set(data.verdicts["verdict"]) == {"verified"}


def test_solutions_have_the_names_of_variables(run: Run, seeking: Run, tmp_path: Path) -> None:
    values = seeking.data.solutions.set_index("variable")["value"]
    assert values.to_dict() == {"left": 7, "right": 0}
    save_reference(seeking, tmp_path / "reference")  # without the texts
    unnamed = load(tmp_path / "reference").data.solutions
    assert list(unnamed["value"]) == [7, 0]
    assert unnamed["variable"].isna().all()


def test_incumbents_are_a_long_table(run: Run, seeking: Run) -> None:
    found = seeking.data.incumbents
    assert set(found["kind"]) <= {"found", "bound"}
    assert found.loc[found["kind"] == "found", "value"].iloc[-1] == 14
    assert run.data.incumbents.empty


def test_several_runs_lie_in_one_table(run: Run, seeking: Run) -> None:
    both = concord.load(run.folder, seeking.folder)
    assert len(both) == 2
    assert both.notes == []
    assert both.data.jobs["run"].nunique() == 2, "both folders are called run"
    assert len(both.data.jobs) == len(run.jobs) + len(seeking.jobs)


def test_runs_of_two_machines_are_not_compared_without_a_word(run: Run, seeking: Run) -> None:
    other = Run(
        **{**vars_of(seeking), "machines": [msgspec.structs.replace(this_machine(), cores=999)]}
    )
    (note,) = find_obstacles([run, other])
    assert "2 machines" in note
    assert "only within the column machine" in note
    assert Data([run, other]).notes == [note]
    releases = [msgspec.structs.replace(version, solver="old") for version in run.versions]
    older = Run(**{**vars_of(run), "versions": releases})
    (note,) = find_obstacles([run, older])
    assert "several releases" in note
    assert "brute_force (" in note


def vars_of(run: Run) -> dict[str, object]:
    """What a run is made of, without the tables that were worked out."""
    return {name: value for name, value in vars(run).items() if name in Run.__dataclass_fields__}


def test_loading_warns_of_what_must_not_be_compared(
    run: Run, seeking: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.report.run.find_obstacles", lambda runs: ["not so"])
    with pytest.warns(UserWarning, match="not so"):
        concord.load(run.folder, seeking.folder)


def test_data_names_its_runs(run: Run) -> None:
    assert repr(run.data) == "<Data of run>"
    assert isinstance(run.data.jobs, pd.DataFrame)
