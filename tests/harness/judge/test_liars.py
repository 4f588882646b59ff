"""Each liar that ships, through ``concord compare`` from end to end, beside two honest backends."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
from harness_samples import TINY, tiny_file
from tiny_family import Tiny
from typer.testing import CliRunner

from backends.conformance import liars
from backends.interface.registry import get
from harness.cli.verbs import app
from harness.report import terminal
from harness.report.run import Run, load
from harness.selftest.hunt import hunt
from harness.selftest.trials import list_trials
from harness.supervise.processes import on_processor

pytestmark = pytest.mark.once

HONEST = ("propagation", "sat")

MANY, ANOTHER = "3 4 -", "3 5 4"  # 24 and 6 solutions, of which 10 are shown
BEST, LEAST = "3 4 - max", "3 5 - min"

# liar -> what is asked, of which instances, and what its answers are found to be
CASES: dict[type[liars.Liar], tuple[str, tuple[str, ...], dict[str, int]]] = {
    liars.NeverReads: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.ShowsOneOfTwo: ("2", (MANY, ANOTHER), {"wrong": 2}),
    liars.Boasts: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.BoastsAndShows: ("all", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.EmptyDigest: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.WrongDigest: ("all", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.CallsItEnough: ("2", (MANY, ANOTHER), {"wrong": 2}),
    liars.StoppedByNobody: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.WrongValue: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.OutsideDomain: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.ManyDigits: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.TooShort: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.TrueForOne: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.FloatForInteger: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.AnotherInstance: ("1", ("2 3 3", "2 4 5", "2 3 1"), {"wrong": 2, "verified": 1}),
    liars.OverlooksTheLast: ("1", ("3 4 6", "3 5 9"), {"wrong": 2}),
    liars.ChangesTheProblem: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.FalseUnsatisfiable: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.ProofOfAnother: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.DroppedSolution: ("all", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.Duplicate: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.HiddenDuplicate: ("2", (MANY, ANOTHER), {"wrong": 2}),
    liars.CountsOneMore: ("all", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.CountsOneLess: ("all", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.ExhaustedTooEarly: ("2", (MANY, ANOTHER), {"wrong": 2}),
    liars.ExhaustedHalfway: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.WrongOptimum: ("optimum", (BEST, "3 5 - max"), {"wrong": 2}),
    liars.FalseObjective: ("optimum", (BEST, "3 5 - max"), {"wrong": 2}),
    liars.BoundTooTight: ("optimum", (BEST, LEAST), {"wrong": 2}),
    liars.FalseIncumbent: ("optimum", (BEST, LEAST), {"wrong": 2}),
    liars.WorseIncumbent: ("optimum", (BEST, LEAST), {"wrong": 2}),
    liars.FalseBoundAtFirst: ("optimum", (BEST, LEAST), {"wrong": 2}),
    liars.ForgesHistory: ("optimum", (BEST, LEAST), {"wrong": 2}),
    liars.OneBadSeed: ("seed", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.OneInAThousand: ("1", (MANY, "chosen"), {"wrong": 1, "verified": 1}),
    liars.Fickle: ("all", (MANY, ANOTHER), {"wrong": 1, "verified": 1}),
    liars.Pretender: ("all", (MANY, ANOTHER), {"disputed": 1, "wrong": 1}),
    liars.LongPhases: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.NegativePhase: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.OwnResult: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.OwnNumber: ("2", (MANY, ANOTHER), {"wrong": 2}),
    liars.ChangedAfterwards: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.SilencesTheCheck: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.StopsUnseen: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.TooManyRepeats: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.LazySolutions: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.EqualToAll: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.TimeWithoutNumber: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.PaintsTheScreen: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.OwnDigest: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.BlamesItsRivals: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.WritesTheWire: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.WordForAll: ("all", (MANY, ANOTHER), {"wrong": 2}),
    liars.ShoutsAtLength: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.PaintsItsVersion: ("1", (MANY, ANOTHER), {"wrong": 2}),
    liars.EmptiesTheTemporaries: ("1", (MANY, ANOTHER), {"wrong": 2}),
}
APART = {
    liars.Twin,
    liars.OtherTwin,
    liars.CachedRepeat,
    liars.SolvesInWarmUps,
    liars.StopsItsRivals,
    liars.KillsItsRivals,
    liars.StopsTheClock,
    liars.EditsTheStore,  # these are in test_forgeries.py
    liars.RemovesFromTheStore,
    liars.HoldsTheStore,
    liars.ForgesRecords,
    liars.SkipsItself,
    liars.CountsTwins,
    liars.ForgesProof,
    liars.CallsItselfLost,
    liars.AnswersForAnother,
    liars.ForgesUsage,
    liars.AsksForTheTimeOfAProof,
    liars.AnswersInAChild,
    liars.BoastsOnTheBoard,
    liars.OutlivesItsWorker,
    liars.AsksItsServant,
    liars.WorksInTheDigest,
    liars.BurnsWhileIdle,
    liars.WorksBeforeItsClock,
    liars.CallsItFlattening,
    liars.HidesBehindAThread,
    liars.TellsHalf,
    liars.PromisesAMountain,
    liars.FloodsTheWire,
    liars.WarmsUpTwice,
}
"""These have tests of their own below."""


def chosen_instance() -> str:
    """The first instance that ``OneInAThousand`` lies about."""
    texts = (f"2 {high} {total}" for high in range(4, 90) for total in range(1, 2 * high - 2))
    return next(text for text in texts if liars.sometimes.is_chosen(Tiny().problem(text)))


def compare(folder: Path, how: str, texts: tuple[str, ...], *backends: str) -> tuple[int, Run]:
    """The exit status of a comparison, and the run."""
    path = tiny_file(folder, *texts)
    names = [*HONEST, *backends]
    if how in ("optimum", "seed"):  # what only an experiment's file can ask
        more = {
            "optimum": "optimum = true",
            "seed": f'solver_seed = {liars.sometimes.BAD_SEED}\ncount = "all"',
        }
        file = folder / "lies.toml"
        file.write_text(
            f'name = "lies"\n{more[how]}\nbackends = {names!r}\n'
            f'sets = [{{ name = "{path}", family = "{TINY}" }}]\n',
            encoding="utf-8",
        )
        arguments = ["run", str(file)]
    else:
        arguments = ["compare", "--set", path, "--family", TINY, "--count", how]
        arguments += [word for name in names for word in ("--backend", name)]
    return concord(*arguments, "--out", str(folder / "run")), load(folder / "run")


def concord(*arguments: str) -> int:
    """The exit status of a command, carried out in this process, which saves the imports."""
    done = CliRunner().invoke(app, [*arguments, "--quiet"])
    sys.stdout.write(done.output)
    return done.exit_code


def show_table(run: str) -> int:
    """The exit status of ``concord table``."""
    done = CliRunner().invoke(app, ["table", run])
    sys.stdout.write(done.output)
    return done.exit_code


def of(jobs: pd.DataFrame, *backends: str) -> pd.DataFrame:
    return jobs[jobs["backend"].isin(backends)]


def check_honest(run: Run) -> None:
    """Both are verified on all, and whoever comes before them in a table is as well."""
    assert set(of(run.jobs, *HONEST)["verdict"]) == {"verified"}
    for _, table in run.timing.groupby(["set", "ask"]):
        last = table["backend"].isin(HONEST).to_numpy().nonzero()[0].max()
        assert (table["verified"].iloc[: last + 1] == table["instances"].iloc[: last + 1]).all()
    assert not set(HONEST) & run.disqualified


def test_every_liar_that_ships_is_tried() -> None:
    assert set(CASES) | APART == set(liars.LIARS)
    assert len(liars.LIARS) >= 20
    for liar in liars.LIARS:
        assert liar.__doc__, liar
        assert liar.__module__.startswith("backends.conformance.liars.")


Group = tuple[str, tuple[str, ...], list[type[liars.Liar]]]


def groups() -> list[Group]:
    """Liars that are asked the same: two honest workers serve them all."""
    together: dict[tuple[str, tuple[str, ...]], list[type[liars.Liar]]] = {}
    for liar, (how, texts, _) in CASES.items():
        together.setdefault((how, texts), []).append(liar)
    return [(how, texts, those) for (how, texts), those in together.items()]


@pytest.mark.parametrize("group", groups(), ids=lambda group: f"{group[0]}-{group[2][0].__name__}")
def test_liars_are_caught(
    group: Group,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of them, by itself; that several lie at once makes none of them an agreement."""
    monkeypatch.setattr(terminal, "MOST_TROUBLES", 100)  # the screen cuts longer lists
    how, texts, those = group
    texts = tuple(chosen_instance() if text == "chosen" else text for text in texts)
    names = {f"py:backends.conformance.liars:{liar.__name__}": liar for liar in those}
    status, run = compare(tmp_path, how, texts, *names)
    shown = " ".join(capsys.readouterr().out.split())
    assert status == 1
    check_honest(run)
    blamed = {name for name in names if any(f.startswith(f"{name}: ") for f in run.faults)}
    assert blamed == set(names)  # each alone would make the exit status 1
    timing = run.timing.set_index("backend")
    for name, liar in names.items():
        found = CASES[liar][2]
        lies = of(run.jobs, name)
        assert dict(lies["verdict"].value_counts()) == found, name
        assert timing["verified"][name] == found.get("verified", 0), name
        assert (name in run.disqualified) == ("wrong" in found), name
        for evidence in lies[lies["verdict"] != "verified"]["evidence"]:
            assert " ".join(evidence[:60].split()) in shown, name


BUSY_THREAD = "processes or busy threads (1) were left behind after job"

BLAMED = {
    "AnswersForAnother": "an answer to job",
    "ForgesUsage": "and the system counted",
    "AsksForTheTimeOfAProof": "speaks of proofs out of turn",
    "AnswersInAChild": "were left behind after job",
    "OutlivesItsWorker": "were left behind after job",
    "AsksItsServant": "were left behind after job",
    "CallsItselfLost": "",
    "ForgesProof": "no proof of such a backend is checked",
    "TellsHalf": "and the system counted",
    "PromisesAMountain": "answered none",
    "FloodsTheWire": "not the worker's protocol",
    "WarmsUpTwice": "speaks of warm-ups out of turn",
}


def test_who_speaks_or_works_past_its_worker_is_blamed(tmp_path: Path) -> None:
    names = {f"py:backends.conformance.liars:{name}": said for name, said in BLAMED.items()}
    status, run = compare(tmp_path, "1", (MANY, ANOTHER), *names)
    assert status == 1
    check_honest(run)
    for name, said in names.items():
        assert any(f.startswith(f"{name}: ") and said in f for f in run.faults), name


HIDES = ("WorksBeforeItsClock", "CallsItFlattening", "HidesBehindAThread")


@pytest.mark.skipif(on_processor("thread-self") is None, reason="the system does not say who waits")
def test_who_hides_time_is_blamed_by_each_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its answers are right, and its times are not: that no rival is named by it is certain."""
    names = [f"py:backends.conformance.liars:{name}" for name in HIDES]
    status, run = compare(tmp_path, "1", (MANY, ANOTHER), *names)
    assert status == 1
    assert set(of(run.jobs, *HONEST)["verdict"]) == {"verified"}
    assert {fault.partition(": ")[0] for fault in run.faults} == set(names)
    assert all("it hides time in 2 jobs" in fault for fault in run.faults)
    capsys.readouterr()
    made, merged = str(tmp_path / "run"), str(tmp_path / "merged")
    for way in (["run", "--resume", made], ["merge", made, "--out", merged], ["table", merged]):
        assert (show_table(merged) if "table" in way else concord(*way)) == 1, way
        shown = " ".join(capsys.readouterr().out.split())
        assert all(f"{name}: its record of job" in shown for name in names)


def test_who_burns_while_its_rivals_run_is_blamed() -> None:
    trial = next(one for one in list_trials() if liars.BurnsWhileIdle in one.liars)
    (catch,) = hunt(1, [trial])
    assert "without a job" in catch.said
    assert catch.check == "the system's account"


@pytest.mark.parametrize("name", ["CountsTwins", "BoastsOnTheBoard"])
def test_numbers_that_nobody_has_counted_are_wrong(tmp_path: Path, name: str) -> None:
    liar = f"py:backends.conformance.liars:{name}"
    status, run = compare(tmp_path, "all", (MANY, ANOTHER), liar)
    assert status == 1
    check_honest(run)
    assert set(of(run.jobs, liar)["verdict"]) <= {"wrong", "disputed"}


def test_the_honest_stand_as_they_do_without_a_liar(tmp_path: Path) -> None:
    """But for the times themselves, which are never the same."""
    path = tiny_file(tmp_path, MANY, ANOTHER)
    base = ["compare", "--set", path, "--family", TINY, "--count", "all"]
    base += [word for name in HONEST for word in ("--backend", name)]
    assert concord(*base, "--out", str(tmp_path / "without")) == 0
    liar = "py:backends.conformance.liars:DroppedSolution"
    assert concord(*base, "--out", str(tmp_path / "with"), "--backend", liar) == 1
    counted = ["backend", "instances", "verified", "unwitnessed", "solved"]
    with_it, without = (
        load(tmp_path / name).timing[counted].sort_values("backend").reset_index(drop=True)
        for name in ("with", "without")
    )
    pd.testing.assert_frame_equal(of(with_it, *HONEST).reset_index(drop=True), without)


def test_one_lie_under_two_names_is_no_agreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twins = ("py:backends.conformance.liars:Twin", "py:backends.conformance.liars:OtherTwin")
    status, run = compare(tmp_path, "all", (MANY, ANOTHER), *twins)
    assert status == 1
    assert set(of(run.jobs, *twins)["verdict"]) == {"disputed", "wrong"}
    check_honest(run)
    assert "Of no known family" in capsys.readouterr().out


def test_neither_answers_from_before_nor_stopped_clocks_gain_time(tmp_path: Path) -> None:
    """No warm-up shows a structure, each repeat goes to a worker that has not seen the instance,
    and the worker's own clock was bound before the backend came. Each of these sleeps for 50 ms."""
    path = tiny_file(tmp_path, MANY, ANOTHER)
    those = [
        f"py:backends.conformance.liars:{name}"
        for name in ("CachedRepeat", "SolvesInWarmUps", "StopsTheClock")
    ]
    arguments = ["compare", "--set", path, "--family", TINY, "--repeat", "2"]
    arguments += [word for name in (*HONEST, *those) for word in ("--backend", name)]
    assert concord(*arguments, "--out", str(tmp_path / "run")) == 0  # their answers are right
    run = load(tmp_path / "run")
    for liar in those:
        times = of(run.jobs, liar)["wall_s"]
        assert len(times) == 4
        assert times.min() >= 0.05, liar


@pytest.mark.skipif(sys.platform != "linux", reason="it finds its rivals by /proc")
@pytest.mark.parametrize(
    ("name", "how"),
    [("StopsItsRivals", "stopped a process of it"), ("KillsItsRivals", "was killed by SIGKILL")],
)
def test_who_stops_or_kills_its_rivals_costs_them_nothing(
    name: str, how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tiny_file(tmp_path, MANY, ANOTHER, "3 6 -")
    liar = f"py:backends.conformance.liars:{name}"
    arguments = ["compare", "--set", path, "--family", TINY, "--seconds", "30", "--sandbox", "off"]
    arguments += [word for name in (*HONEST, liar) for word in ("--backend", name)]
    assert concord(*arguments, "--out", str(tmp_path / "run")) == 1
    run = load(tmp_path / "run")
    assert set(of(run.jobs, *HONEST)["verdict"]) == {"verified"}
    own = [fault for fault in run.faults if fault.startswith(f"{liar}: ")]
    assert all(BUSY_THREAD in fault for fault in own)  # if it was at work when it was looked at
    suffered = [fault for fault in run.faults if fault not in own]
    assert run.faults
    assert {fault.partition(":")[0] for fault in suffered} <= set(HONEST)
    assert all(how in fault and f"beside {liar}" in fault for fault in suffered)
    blamed = f"beside {liar}" if suffered else f"{liar}: "
    assert blamed in " ".join(capsys.readouterr().out.split())
    made, merged = str(tmp_path / "run"), str(tmp_path / "merged")
    for way in (["merge", made, "--out", merged], ["run", "--resume", merged]):
        assert concord(*way) == 1
        assert blamed in " ".join(capsys.readouterr().out.split())


def test_a_remembered_answer_comes_at_once_where_it_was_seen() -> None:
    liar, honest = liars.CachedRepeat(), get("propagation")
    problem = Tiny().problem(MANY)
    first, again = liar.solve(problem), liar.solve(problem)
    assert again is first
    assert first.solutions == honest.solve(problem).solutions
