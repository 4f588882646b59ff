"""Answers that come with instances: claims of their own, which may be wrong, and are not ranked."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from harness_samples import QUICK, experiment, tiny_file

from harness.job import Job, Question
from harness.judge.answers import STATED
from harness.judge.validate import judge
from harness.plan.answers import Answer, find_question, make_record
from harness.plan.expansion import Expansion, Share
from harness.plan.experiment import Experiment
from harness.record import Record, Row, Verdict
from harness.report.run import Run, load, revalidate, run_experiment, save_reference
from harness.runs.execution import execute_experiment
from harness.runs.merging import merge
from harness.runs.replaying import replay
from modelling.errors import ExperimentError, StoreError

pytestmark = pytest.mark.once

FOUR = "10: 5=10 4=40 6=30 3=50"  # a knapsack: the best is worth 90
BEST, POOR = (0, 1, 0, 1), (1, 0, 0, 1)  # worth 90 and 60


def stated(job: int = 9, origin: str = "a book", **said: Any) -> Row:
    answer = Answer(**{"status": "satisfiable", "instance": "four"} | said)
    assert not answer.find_fault()
    asked = Job(
        job, "s", "four", "knapsack", FOUR, f"stated by {origin}", find_question(answer),
        limits=None, role="stated",  # type: ignore[arg-type]
    )  # fmt: skip
    return Row(job=asked, record=make_record(answer, job))


def optimum(value: int, sense: str | None = None, **more: Any) -> Row:
    return stated(status="optimal", optimum=value, sense=sense, **more)


def found(
    values: tuple[int, ...], objective: int, backend: str = "cpsat", job: int = 1, **more: Any
) -> Row:
    """What a solver says: by default that this is the best."""
    told = {"outcome": "finished", "status": "OPTIMUM", "stopped_by": "exhausted"}
    told |= {"count": 1, "bound": objective, "solutions": (values,)} | more  # type: ignore[dict-item]
    asked = Job(job, "s", "four", "knapsack", FOUR, backend, Question(1, 1, True), limits=None)  # type: ignore[arg-type]
    return Row(job=asked, record=Record(job=job, objective=objective, **told))  # type: ignore[arg-type]


def none(backend: str = "cpsat", job: int = 1) -> Row:
    """A solver that says that there is no solution."""
    more = {"solutions": (), "count": 0, "bound": None, "status": "UNSATISFIABLE"}
    return found((), 0, backend, job, **more)


def unproven(values: tuple[int, ...], objective: int) -> Row:
    how = {"outcome": "timeout", "status": "SATISFIABLE", "stopped_by": "time", "bound": None}
    return found(values, objective, **how)


def words(*rows: Row) -> list[str]:
    return [verdict.verdict for verdict in judge(rows)]


def last(*rows: Row) -> Verdict:
    return judge(rows)[-1]


# --- what a claim comes to ------------------------------------------------------------------------


def test_it_is_a_witness() -> None:
    assert words(found(BEST, 90)) == ["unwitnessed"]
    verdicts = judge([found(BEST, 90), optimum(90, "maximize")])
    assert [v.verdict for v in verdicts] == ["verified", "verified"]
    assert f"agreed by 1 family and {STATED}" in verdicts[0].evidence
    assert verdicts[1].checked == 1


def test_nobody_else_stands_for_it() -> None:
    assert last(optimum(90, "maximize")).evidence == f"claimed by {STATED} alone"
    assert words(optimum(90, "maximize"), optimum(90, "maximize")) == ["unwitnessed"] * 2


def test_one_that_is_beaten_is_wrong() -> None:
    verdict = last(unproven(BEST, 90), optimum(60))
    assert verdict.verdict == "wrong"
    assert verdict.evidence == "60 is not the best: a checked solution has 90"
    assert words(unproven(BEST, 90), optimum(90)) == ["verified", "unwitnessed"]


def test_a_bound_that_is_beaten_is_wrong() -> None:
    bound = stated(status="unknown", bound=80, sense="maximize")
    assert last(unproven(BEST, 90), bound).verdict == "wrong"
    fine = stated(status="unknown", bound=95)
    assert words(unproven(BEST, 90), fine) == ["verified", "unverified"]
    assert words(found(BEST, 90), fine) == ["unwitnessed", "verified"]  # 90 is within 95


def test_a_value_that_is_reached_beats_what_was_proven() -> None:
    reached = stated(objective=95, sense="maximize")
    assert words(found(BEST, 90), reached) == ["disputed", "disputed"]
    assert words(unproven(BEST, 90), stated(objective=90)) == ["verified", "verified"]


def test_another_optimum_is_disputed_even_if_two_families_agree() -> None:
    """They have all read the same file: what was stated elsewhere is no less worth."""
    both = found(BEST, 90), found(BEST, 90, "sat", 2)
    assert words(*both, optimum(95)) == ["disputed"] * 3


def test_satisfiable_against_unsatisfiable() -> None:
    assert words(none(), stated()) == ["disputed", "disputed"]
    assert words(none(), stated(status="unsatisfiable")) == ["verified", "verified"]
    assert words(found(POOR, 60), stated(status="unsatisfiable"))[1] == "wrong"
    assert words(none("brute_force"), stated()) == ["verified", "wrong"]


def test_satisfiable_is_shown_by_any_solution() -> None:
    by_stranger = found(BEST, 90, "py:mine:Solver")
    assert words(by_stranger, stated()) == ["unverified", "verified"]


def test_a_count_is_refuted_by_more_solutions() -> None:
    known = found(BEST, 90), found(POOR, 60, "sat", 2)
    verdict = last(*known, stated(count=1))
    assert verdict.verdict == "wrong"
    assert verdict.evidence.startswith("it found 1 solutions and no more, but 2 are known")


@pytest.mark.parametrize("said", [{"sense": "minimize"}, {"objective": 3, "sense": "minimize"}])
def test_the_sense_must_be_that_of_the_instance(said: dict[str, Any]) -> None:
    row = stated(**said, **({} if "objective" in said else {"status": "optimal", "optimum": 90}))
    assert last(found(BEST, 90), row).evidence == "it is stated to minimize, not to maximize"


def test_sources_that_contradict_each_other_are_disputed_and_no_witnesses() -> None:
    one, other = optimum(90, origin="a book"), optimum(95, job=10, origin="a paper")
    verdicts = judge([one, other])
    assert [v.verdict for v in verdicts] == ["disputed", "disputed"]
    assert (
        "the optimum 90, or 95 reached, against stated by a paper (job 10)" in verdicts[0].evidence
    )
    # neither counts beside two families, and a checked solution settles it
    both = found(BEST, 90), found(BEST, 90, "sat", 2)
    assert words(*both, one, other) == ["verified", "verified", "verified", "disputed"]
    assert words(unproven(BEST, 90), one, optimum(60, job=10)) == [
        "verified",
        "unwitnessed",
        "wrong",
    ]


def test_published_claims_that_contradict_each_other() -> None:
    """As results of a competition have them: who proved what, and who showed better."""
    proved = optimum(1515, "minimize", origin="cplex-free")
    shown = [
        stated(objective=1417, sense="minimize", job=2, origin="gurobi-free"),
        stated(objective=1600, sense="minimize", job=3, origin="choco-fd"),
    ]
    assert words(proved, *shown) == ["disputed", "disputed", "unverified"]
    unsat = stated(status="unsatisfiable", origin="bprolog-fd")
    assert words(unsat, stated(job=2), stated(job=3)) == ["disputed"] * 3


# --- in a run -------------------------------------------------------------------------------------

TOLD = """
[[answer]]
instance = "3 4 -"
status = "satisfiable"
stated = "a book"

[[answer]]
instance = "3 2 -"
status = "unsatisfiable"

[[answer]]
instance = "3 4 4"
status = "unsatisfiable"
stated = "a bad book"
"""
TEXTS = ("3 4 -", "3 4 4", "3 2 -")


def sample(folder: Path, told: str = TOLD, **more: Any) -> Any:
    path = tiny_file(folder, *TEXTS)
    (folder / "told.toml").write_text(told)
    return experiment(path, "propagation", "sat", answers=str(folder / "told.toml"), **more)


def by_instance(run: Run) -> dict[str, tuple[str, str]]:
    return {
        row.job.instance: (row.job.backend, "" if row.verdict is None else row.verdict.verdict)
        for row in run.rows()
        if row.job.role == "stated"
    }


EXPECTED = {
    "3 4 -": ("stated by a book", "verified"),
    "3 2 -": ("stated by told.toml", "verified"),
    "3 4 4": ("stated by a bad book", "wrong"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("stated")
    return run_experiment(sample(folder, witness=["cpsat"]), folder / "run", settings=QUICK)


def test_a_run_holds_them_and_ranks_none(whole: Run) -> None:
    assert by_instance(whole) == EXPECTED
    assert (whole.ended, whole.total, whole.complete) == (6, 6, True)
    assert set(whole.summary["backend"]) == {"propagation", "sat"}
    assert whole.disqualified == set()
    assert list(whole.agreement["verified"]) == [3]
    assert whole.standings.stated == {"verified": 2, "wrong": 1}
    assert (
        "3 answers came with the instances, not ranked: 2 verified and 1 wrong" in whole.footnotes
    )
    assert whole.faults == ["1 of 3 stated answers wrong"]


def test_tables_of_later_are_the_same(whole: Run, tmp_path: Path) -> None:
    """Without the file: the run keeps what was stated."""
    (whole.folder.parent / "told.toml").unlink()
    assert by_instance(load(whole.folder)) == EXPECTED
    assert by_instance(revalidate(whole.folder)) == EXPECTED
    save_reference(whole, tmp_path / "reference")
    kept = load(tmp_path / "reference")
    assert by_instance(kept) == EXPECTED
    assert (kept.ended, kept.total) == (6, 6)


def test_nothing_is_run_for_them(whole: Run) -> None:
    (number,) = (row.job.number for row in whole.rows() if row.job.backend.endswith("a book"))
    with pytest.raises(StoreError, match=r"is an answer stated by a book; nothing was run for it"):
        replay(whole, number)


def test_shares_have_those_of_their_instances(tmp_path: Path) -> None:
    asked = sample(tmp_path)
    parts = [
        execute_experiment(asked, tmp_path / f"{i}", share=Share(i, 2), settings=QUICK)
        for i in (1, 2)
    ]
    assert [len(by_instance(load(part))) for part in parts] == [2, 1]
    merged = merge(parts, tmp_path / "merged")
    assert (merged.jobs, merged.records, merged.conflicts, merged.complete) == (6, 6, 0, True)
    assert by_instance(revalidate(tmp_path / "merged")) == EXPECTED


# --- the file -------------------------------------------------------------------------------------


def expand(asked: Any) -> Expansion:
    expansion = Expansion(asked)
    list(expansion.instances())
    return expansion


def test_one_of_no_instance_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    told = TOLD + '[[answer]]\ninstance = "3 4  -"\nstatus = "satisfiable"\n'
    heard: list[str] = []
    execute_experiment(
        sample(tmp_path, told), tmp_path / "run", settings=QUICK, on_warning=heard.append
    )
    (text,) = (text for text in heard if "answer" in text)
    assert text.endswith(
        "told.toml:15:1: answer[3]: no instance '3 4  -' is asked about; did you mean '3 4 -'?"
    )


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("answer = 3", r"told.toml:1:1: answer: expected `array`, got `int`"),
        ("", r"told.toml: the key answer is missing"),
        ("[[answer]]\n", r"told.toml:1:1: answer\[0\]: the key status is missing"),
        ('[[answer]]\nstatus = "sat"', r"told.toml:2:1: answer\[0\].status: 'sat' is unknown"),
        ('[[answer]]\nstatus = "unknown"', r":1:1: answer\[0\]: name an instance or a file"),
        (
            '[[answer]]\nstatus = "optimal"\ninstance = "a"',
            r"status = 'optimal' and the key optimum belong together",
        ),
        (
            '[[answer]]\nstatus = "satisfiable"\ninstance = "a"\noptimum = 3',
            r"status = 'optimal' and the key optimum belong together",
        ),
        (
            '[[answer]]\nstatus = "unsatisfiable"\ninstance = "a"\ncount = 3',
            r"what is unsatisfiable has no count",
        ),
        ('[[answer]]\nstatus = "unknown"\ninstance = "a"', r"says nothing but a bound"),
        (
            '[[answer]]\nstatus = "satisfiable"\ninstance = "a"\ncount = 0',
            r"told.toml:4:1: answer\[0\].count: must be at least 1, not 0",
        ),
        (
            '[[answer]]\nstatus = "satisfiable"\ninstance = "a"\noptimal = 0',
            r"told.toml:4:1: answer\[0\]: unknown key 'optimal'; did you mean 'optimum'\?",
        ),
        ("[[answer]", r"told.toml:1:9: not TOML"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_place(tmp_path: Path, told: str, cause: str) -> None:
    with pytest.raises(ExperimentError, match=cause):
        Expansion(sample(tmp_path, told))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    asked = sample(tmp_path)
    (tmp_path / "told.toml").unlink()
    with pytest.raises(ExperimentError, match=r"answers: there is no file .*told.toml"):
        Expansion(asked)


def test_instances_are_told_apart_by_file_and_set(tmp_path: Path) -> None:
    path = Path(tiny_file(tmp_path, *TEXTS))
    told = f'[[answer]]\nfile = "{path.name}"\nstatus = "satisfiable"\n'
    with pytest.raises(ExperimentError, match=r"there are several instances .*; say which of them"):
        expand(sample(tmp_path, told))
    one = f'{told}instance = "3 4 -"\nset = "{path.stem}"\n'
    (found_here,) = expand(sample(tmp_path, one)).answers.found
    assert (found_here.place, found_here.origin) == (0, "stated by told.toml")
    other = f'{told}instance = "3 4 -"\nset = "other"\n'
    (fault,) = expand(sample(tmp_path, other)).answers.list_unmatched()
    assert "no instance '3 4 -' in the set 'other' is asked about" in str(fault)


def test_one_source_may_contradict_itself(tmp_path: Path) -> None:
    told = TOLD + '[[answer]]\ninstance = "3 4 -"\nstatus = "unsatisfiable"\nstated = "a book"\n'
    run = run_experiment(sample(tmp_path, told), tmp_path / "run", settings=QUICK)
    said = [
        (v.verdict if v else "")
        for v in (r.verdict for r in run.rows() if r.job.instance == "3 4 -")
    ]
    assert said == ["verified", "verified", "verified", "wrong"]


def test_a_folder_of_instances_tells_its_answers(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "one.cnf").write_text("p cnf 1 1\n1 0\n")
    (folder / "none.cnf.gz").write_bytes(gzip.compress(b"p cnf 1 2\n1 0\n-1 0\n"))
    told = '[[answer]]\nfile = "below/one.cnf"\nstatus = "satisfiable"\ncount = 1\n'
    told += '[[answer]]\ninstance = "none"\nstatus = "satisfiable"\nstated = "a bad book"\n'
    (folder / "answers.toml").write_text(told)
    backends = ["brute_force", "sat"]
    asked = Experiment(name="many", sets=[str(folder)], backends=backends, count="all")
    run = run_experiment(asked, tmp_path / "run", settings=QUICK)
    assert by_instance(run) == {
        "below/one": ("stated by answers.toml", "verified"),
        "none": ("stated by a bad book", "wrong"),
    }
