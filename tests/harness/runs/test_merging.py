"""Merging: shares become the whole run, nothing is there twice, conflicts are told."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest
from harness_samples import QUICK, UNSEALED, experiment, tiny_file

from harness.plan.expansion import Share
from harness.plan.experiment import Experiment
from harness.report.run import Run, load, revalidate, run_experiment, save_reference
from harness.runs.merging import merge
from harness.runs.progress import look
from harness.store import files
from harness.store.files import NAME
from modelling.errors import StoreError

pytestmark = pytest.mark.once

TEXTS = ("3 4 -", "3 4 4", "2 2 -", "3 2 -", "4 4 6")


def sample(folder: Path, *texts: str) -> Experiment:
    path = tiny_file(folder, *(texts or TEXTS), "nonsense")
    return experiment(path, "brute_force", "py:liars:Honest", count="all")


def table(run: Run) -> list[tuple[object, ...]]:
    columns = ["job", "instance", "backend", "outcome", "count", "digest", "verdict", "evidence"]
    return list(run.jobs[columns].itertuples(index=False, name=None))


def copied(source: Path, target: Path) -> None:
    target.mkdir()
    (target / NAME).write_bytes((source / NAME).read_bytes())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole run, and the same in two shares."""
    folder = tmp_path_factory.mktemp("made")
    chosen = sample(folder)
    run_experiment(chosen, folder / "whole", settings=QUICK)
    for number in (1, 2):
        share = Share(number, 2)
        run_experiment(chosen, folder / f"share{number}", share=share, settings=QUICK)
    return folder


def test_shares_become_the_whole_run(made: Path, tmp_path: Path) -> None:
    shares = [load(made / f"share{number}") for number in (1, 2)]
    assert [run.total for run in shares] == [6, 4]
    merged = merge([made / "share1", made / "share2"], tmp_path / "run")
    assert (merged.jobs, merged.total, merged.records) == (10, 10, 10)
    assert (merged.again, merged.conflicts, merged.missing) == (0, 0, [])
    run = revalidate(tmp_path / "run")
    whole = load(made / "whole")
    assert table(run) == table(whole)
    assert run.agreement.equals(whole.agreement)
    assert run.experiment == whole.experiment
    assert run.machines == whole.machines
    assert len(run.probes) == sum(len(share.probes) for share in shares)
    assert [str(error) for error in run.bad_lines] == [str(error) for error in whole.bad_lines]
    assert run_experiment(None, tmp_path / "run", resume=True, settings=QUICK).complete


def test_what_two_runs_have_alike_is_taken_once(made: Path, tmp_path: Path) -> None:
    first = merge([made / "share1", made / "share2"], tmp_path / "one")
    again = merge([tmp_path / "one", made / "share2"], tmp_path / "two")
    assert (again.again, again.conflicts, again.records) == (4, 0, first.records)


def test_probes_tell_their_machine_and_are_taken_once(made: Path, tmp_path: Path) -> None:
    whole = load(made / "whole")
    assert {probe.machine for probe in whole.probes} == {machine.id for machine in whole.machines}
    copied(made / "whole", tmp_path / "copy")
    merge([made / "whole", tmp_path / "copy", made / "share1"], tmp_path / "run")
    assert load(tmp_path / "run").probes == whole.probes + load(made / "share1").probes


def test_a_missing_share_is_told(made: Path, tmp_path: Path) -> None:
    merged = merge([made / "share2"], tmp_path / "run")
    assert merged.missing == ["1/2"]
    assert (merged.jobs, merged.total) == (4, 10)
    assert len(load(tmp_path / "run").jobs) == 4


@pytest.fixture(scope="module")
def thirds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three shares of two instances, of which the last has none."""
    folder = tmp_path_factory.mktemp("thirds")
    chosen = sample(folder, "3 4 -", "3 4 4")
    for number in (1, 2, 3):
        run_experiment(chosen, folder / str(number), share=Share(number, 3), settings=QUICK)
    return [folder / "1", folder / "2", folder / "3"]


def test_a_share_without_jobs_is_a_run(thirds: list[Path], tmp_path: Path) -> None:
    empty = load(thirds[2])
    assert (empty.total, empty.ended, empty.complete) == (0, 0, True)
    seen = look(thirds[2])
    assert (seen.jobs, seen.total, seen.complete) == (0, 4, True)
    assert run_experiment(None, thirds[2], resume=True, settings=QUICK).complete
    for number, runs in enumerate((thirds, thirds[:2], reversed(thirds))):
        merged = merge(list(runs), tmp_path / str(number))
        assert (merged.records, merged.total, merged.missing) == (4, 4, [])
        assert merged.complete
    assert not merge([thirds[2]], tmp_path / "none").complete


def test_what_is_merged_in_steps_is_judged_by_its_jobs(thirds: list[Path], tmp_path: Path) -> None:
    first = merge([thirds[0], thirds[2]], tmp_path / "first")
    assert (first.complete, first.missing) == (False, ["2/3"])
    copy = merge([tmp_path / "first"], tmp_path / "copy")
    assert (copy.complete, copy.missing, copy.records, copy.total) == (False, ["2/3"], 2, 4)
    seen = look(tmp_path / "copy")
    assert (seen.ended, seen.jobs, seen.total) == (2, 2, 4)
    whole = merge([tmp_path / "copy", thirds[1]], tmp_path / "whole")
    assert (whole.complete, whole.missing) == (True, [])
    again = merge([tmp_path / "whole", thirds[0]], tmp_path / "again")
    assert (again.complete, again.missing) == (True, [])


def test_a_merged_run_of_before_does_not_say_which_shares_it_has(
    thirds: list[Path], tmp_path: Path
) -> None:
    merge([thirds[0], thirds[2]], tmp_path / "old")
    changed(tmp_path / "old", "UPDATE meta SET key = 'share', value = '1/1' WHERE key = 'shares'")
    merged = merge([tmp_path / "old"], tmp_path / "run")
    assert (merged.complete, merged.missing) == (False, [])
    assert merge([tmp_path / "run", thirds[1]], tmp_path / "whole").complete


def test_of_two_ways_to_divide_the_one_is_told_that_lacks_less(made: Path, tmp_path: Path) -> None:
    chosen = sample(made)
    run_experiment(chosen, tmp_path / "third", share=Share(1, 3), settings=QUICK)
    merged = merge([tmp_path / "third", made / "share2"], tmp_path / "run")
    assert (merged.complete, merged.missing) == (False, ["1/2"])


def test_a_run_that_has_not_ended_is_not_complete(made: Path, tmp_path: Path) -> None:
    copied(made / "whole", tmp_path / "begun")
    changed(tmp_path / "begun", "DROP TRIGGER records_stay", "DELETE FROM records WHERE job > 7")
    merged = merge([tmp_path / "begun"], tmp_path / "run")
    assert (merged.jobs, merged.records, merged.complete) == (10, 7, False)
    assert merged.missing == []


def test_of_two_records_the_first_is_accepted_and_it_is_told(made: Path, tmp_path: Path) -> None:
    whole, share = load(made / "whole").jobs, load(made / "share1").jobs
    for names in (["whole", "share1"], ["share1", "whole"]):
        out = tmp_path / names[0]
        merged = merge([made / name for name in names], out)
        assert (merged.conflicts, merged.again, merged.records) == (6, 0, 10)
        assert len(merged.described) == 6
        assert "has two records" in merged.described[0]
        assert list(load(out).jobs["ended_at"]) == list(whole["ended_at"])  # it ran before
    assert set(share["ended_at"]).isdisjoint(whole["ended_at"])


def test_a_lost_job_gives_way(made: Path, tmp_path: Path) -> None:
    lost = tmp_path / "lost"
    copied(made / "whole", lost)
    connection = sqlite3.connect(lost / NAME)
    connection.executescript(
        "DROP TRIGGER records_are_final; "
        f"UPDATE records SET outcome = 'lost', ended_at = '2020' WHERE job = 3; {UNSEALED}"
    )
    connection.close()
    for number, names in enumerate(([lost, made / "whole"], [made / "whole", lost])):
        merged = merge(names, tmp_path / str(number))
        assert (merged.conflicts, merged.again) == (1, 9)
        assert list(load(tmp_path / str(number)).jobs["outcome"]) == ["finished"] * 10
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        sqlite3.connect(tmp_path / "0" / NAME).execute("DELETE FROM records")


def test_records_that_contradict_each_other_are_told(made: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    copied(made / "whole", odd)
    connection = sqlite3.connect(odd / NAME)
    connection.executescript(
        "DROP TRIGGER records_are_final; UPDATE records SET count = count + 1 WHERE job = 3;"
        f"UPDATE records SET status = 'UNSATISFIABLE', count = 0 WHERE job = 5; {UNSEALED}"
    )
    connection.close()
    merged = merge([made / "whole", odd], tmp_path / "run")
    assert (merged.conflicts, merged.contradictions) == (2, 2)
    first, second = merged.described
    assert "they contradict each other: count " in first
    assert "they contradict each other: SATISFIABLE and UNSATISFIABLE" in second
    (fault,) = load(tmp_path / "run").tamper
    assert fault == "2 jobs with two records that contradict each other, in merged runs"


def test_other_experiments_and_other_sets_are_refused(made: Path, tmp_path: Path) -> None:
    other = sample(tmp_path)
    other.seconds = 5.0
    run_experiment(other, tmp_path / "seconds", settings=QUICK)
    with pytest.raises(StoreError, match="are runs of experiments that differ"):
        merge([made / "whole", tmp_path / "seconds"], tmp_path / "run")
    reordered = sample(tmp_path, *reversed(TEXTS))
    run_experiment(reordered, tmp_path / "changed", settings=QUICK)
    with pytest.raises(StoreError, match="made from sets that differ"):
        merge([made / "whole", tmp_path / "changed"], tmp_path / "run")
    forget_the_sets(tmp_path / "changed")
    with pytest.raises(StoreError, match=r"job \d+ is not job \d+.*the sets have changed"):
        merge([made / "whole", tmp_path / "changed"], tmp_path / "run")
    assert not (tmp_path / "run" / NAME).exists()
    assert not list((tmp_path / "run").glob("*.new"))


SWAPPED = ("3 4 4", "3 4 -", "2 2 -", "3 2 -", "4 4 6")
LONGER = ("2 3 -", *TEXTS)


def shares_of(folder: Path, *texts: str) -> list[Path]:
    """Shares 1/2 and 2/2; before the second, the file is changed to ``texts``."""
    runs = [folder / "share1", folder / "share2"]
    for number, lines in enumerate((TEXTS, texts), 1):
        run_experiment(
            sample(folder, *lines), runs[number - 1], share=Share(number, 2), settings=QUICK
        )
    return runs


def forget_the_sets(folder: Path) -> None:
    """Make a run one from before the digest of its sets was kept."""
    changed(folder, "DELETE FROM meta WHERE key = 'entries'")


def changed(folder: Path, *queries: str) -> None:
    connection = sqlite3.connect(folder / NAME)
    with connection:
        assert [connection.execute(query).rowcount for query in queries][-1]
        connection.executescript(UNSEALED)
    connection.close()


def test_shares_of_sets_that_differ_are_refused(tmp_path: Path) -> None:
    runs = shares_of(tmp_path, *SWAPPED)
    with pytest.raises(
        StoreError, match=r"share1 and \S+share2 were made from sets that differ.*run one of them"
    ):
        merge(runs, tmp_path / "run")
    for folder in runs:
        forget_the_sets(folder)
    with pytest.raises(StoreError, match=r"share2 has a job that .* under another number"):
        merge(runs, tmp_path / "run")
    assert not (tmp_path / "run" / NAME).exists()


def test_shares_of_sets_of_another_length_are_refused(tmp_path: Path) -> None:
    runs = shares_of(tmp_path, *LONGER)
    for folder in runs:
        forget_the_sets(folder)
    with pytest.raises(StoreError, match=r"sets that differ \(10 jobs in all, and 12\)"):
        merge(runs, tmp_path / "run")


def test_shares_from_before_are_merged_with_others(made: Path, tmp_path: Path) -> None:
    copied(made / "share1", tmp_path / "old")
    forget_the_sets(tmp_path / "old")
    merged = merge([tmp_path / "old", made / "share2"], tmp_path / "run")
    assert (merged.jobs, merged.total, merged.missing) == (10, 10, [])


def test_where_the_sets_lie_and_what_is_no_instance_play_no_part(
    made: Path, tmp_path: Path
) -> None:
    path = tiny_file(tmp_path, "other nonsense", *TEXTS)
    elsewhere = experiment(path, "brute_force", "py:liars:Honest", count="all")
    run_experiment(elsewhere, tmp_path / "share2", share=Share(2, 2), settings=QUICK)
    assert merge([made / "share1", tmp_path / "share2"], tmp_path / "run").jobs == 10


def test_a_record_without_its_job_is_told(made: Path, tmp_path: Path) -> None:
    copied(made / "share1", tmp_path / "lacking")
    changed(tmp_path / "lacking", "DELETE FROM jobs WHERE number = (SELECT MIN(job) FROM records)")
    with pytest.raises(StoreError, match=r"lacking has a record of job \d+ without that job"):
        merge([tmp_path / "lacking", made / "share2"], tmp_path / "run")


def test_a_damaged_cell_is_told_of_its_run(made: Path, tmp_path: Path) -> None:
    copied(made / "share1", tmp_path / "odd")
    odd = "UPDATE records SET outcome = CAST(x'ff00fe' AS TEXT)"
    changed(tmp_path / "odd", "DROP TRIGGER records_are_final", odd)
    with pytest.raises(StoreError, match=r"odd/store\.sqlite is damaged .*UTF-8.*\.recover"):
        merge([made / "share1", tmp_path / "odd"], tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_merged_is_said(made: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="named twice"):
        merge([made / "whole", made / "whole"], tmp_path / "run")
    with pytest.raises(StoreError, match="already holds a run"):
        merge([made / "share1", made / "share2"], made / "whole")
    save_reference(load(made / "whole"), tmp_path / "reference")
    with pytest.raises(StoreError, match="is a reference"):
        merge([made / "whole", tmp_path / "reference"], tmp_path / "run")


def test_a_folder_that_another_process_is_at_is_refused(made: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with files.lock(tmp_path / "run"), pytest.raises(StoreError, match="another process is"):
        merge([made / "share1", made / "share2"], tmp_path / "run")
    assert merge([made / "share1", made / "share2"], tmp_path / "run").records == 10


def test_the_merged_run_says_what_it_was_merged_from(made: Path, tmp_path: Path) -> None:
    merge([made / "whole", made / "share1"], tmp_path / "run")
    connection = sqlite3.connect(tmp_path / "run" / NAME)
    text = connection.execute("SELECT value FROM meta WHERE key = 'merged'").fetchone()[0]
    connection.close()
    told = msgspec.json.decode(text)
    assert told["runs"] == [str(made / "whole"), str(made / "share1")]
    assert told["conflicts"] == 6
