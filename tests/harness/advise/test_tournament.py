"""Tournaments of backends that answer, lie, refuse and hang, and some that end early."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from harness_samples import TINY

from harness.advise import candidates, tournament
from harness.advise.advice import (
    Advice,
    Begun,
    Ended,
    Event,
    describe_event,
    write_advice,
)
from harness.advise.advising import advise
from harness.advise.candidates import choose_field
from harness.advise.deadline import TimeUp
from harness.advise.rounds import Result, Time, carry_out, read_result
from harness.plan.reading import load as read_experiment
from modelling.errors import BackendUnavailable, InputError, StoreError
from puzzles.family import Instance

pytestmark = pytest.mark.once

SETS = [{"family": TINY, "name": "tiny", "texts": {"a": "3 4 -", "b": "2 3 -", "c": "3 3 -"}}]
LIAR, REFUSES, HANGS = "py:liars:WrongValue", "py:faulty:Refuses", "py:faulty:Hang"


def ask(out: Path, *candidates: str, seconds: float = 600.0, **more: Any) -> Advice:
    return advise(SETS, list(candidates), seconds=seconds, out=out, **more)


def test_who_lies_or_refuses_is_out_and_named(tmp_path: Path) -> None:
    events: list[Event] = []
    names = ("brute_force", "propagation", LIAR, REFUSES)
    found = ask(tmp_path / "run", *names, on_event=events.append)
    assert {found.solver, found.runner_up} == {"brute_force", "propagation"}
    why = dict(found.excluded)
    assert why[LIAR].startswith("wrong answer")
    assert why[REFUSES] == "solved 1 of 3 (2 refused)"
    assert found.instances == 3
    assert found.run is not None
    assert found.run.faults == [] or found.run.folder.name == "round-1"
    assert isinstance(events[0], Begun)
    assert isinstance(events[-1], Ended)
    shown = [line for event in events for line in describe_event(event)]
    assert any(LIAR in line and "wrong" in line for line in shown)
    text = write_advice(found)
    assert text[0] == f"Use {found.solver}."
    assert len(text) + len(shown) <= 24
    assert all(len(line) <= 80 for line in text if str(tmp_path) not in line)
    assert str(found).splitlines() == text


def test_the_toml_repeats_the_comparison(tmp_path: Path) -> None:
    found = ask(tmp_path / "run", "brute_force", "propagation")
    again = read_experiment(found.path)
    assert again.names() == [found.solver, found.runner_up]
    assert again.choices()[0].texts == SETS[0]["texts"]
    assert found.experiment is not None
    assert again.digest == found.experiment.digest


def test_who_solves_more_is_recommended(tmp_path: Path) -> None:
    found = ask(tmp_path / "run", HANGS, "brute_force", seconds=60.0)
    assert found.solver == "brute_force"
    assert found.standings[1].solved < found.standings[0].solved


def test_a_candidate_keeps_its_short_name(tmp_path: Path) -> None:
    found = ask(tmp_path / "run", "slow=brute_force", "quick=propagation")
    assert {found.solver, found.runner_up} == {"slow=brute_force", "quick=propagation"}
    assert set(read_experiment(found.path).names()) == {found.solver, found.runner_up}


def test_ctrl_c_leaves_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = iter([carry_out])

    def interrupted(*given: Any) -> Any:
        chosen = next(rounds, None)
        if chosen is None:
            raise KeyboardInterrupt
        return chosen(*given)

    monkeypatch.setattr(tournament, "carry_out", interrupted)
    monkeypatch.setattr(tournament, "is_decided", lambda standings: False)
    found = ask(tmp_path / "run", "brute_force", "propagation", "cpsat")
    assert found.interrupted
    assert found.solver
    assert "ended by Ctrl-C" in str(found)


def test_ctrl_c_amid_judging_loses_no_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: Any) -> Any:
        carry_out(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "carry_out", interrupted)
    found = ask(tmp_path / "run", "brute_force", "propagation")
    assert found.interrupted
    assert found.standings[0].solved == 3


def test_no_time_recommends_nobody(tmp_path: Path) -> None:
    begun = perf_counter() - 599.9
    found = ask(tmp_path / "run", "brute_force", "propagation", begun=begun)
    assert found.solver == ""
    assert found.standings == ()
    assert write_advice(found)[0] == "No solver can be recommended."
    assert found.toml == ""
    assert found.as_table()["ratio"] is None
    assert found.as_table()["limit"] is None
    assert "at most" not in str(found)


def test_a_round_whose_time_is_up_at_once_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        tournament, "carry_out", lambda plan, folder, time: carry_out(plan, folder, Time(0, 0))
    )
    found = ask(tmp_path / "run", HANGS)
    assert found.solver == ""


def test_a_round_goes_on_until_it_compares_its_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        tournament,
        "carry_out",
        lambda plan, folder, time: carry_out(plan, folder, Time(0, time.latest)),
    )
    found = ask(tmp_path / "run", "brute_force", "propagation", "cpsat")
    assert found.solver
    assert found.asked >= 1
    assert found.run is not None
    assert {one.name for one in found.standings} | {one.name for one in found.excluded} == {
        *("brute_force", "propagation", "cpsat")
    }


def test_a_result_that_cannot_be_read_in_time_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[Any] = []

    def read(*given: Any) -> Result | None:
        rounds.append(given)
        if len(rounds) > 1:
            raise TimeUp
        return read_result(*given)

    monkeypatch.setattr(tournament, "read_result", read)
    found = ask(tmp_path / "run", "brute_force", "propagation", "cpsat")
    assert found.solver
    assert len(found.standings) == 3  # those of the first round


def test_too_few_seconds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give 5 at least"):
        ask(tmp_path / "run", "brute_force", seconds=1.0)


def test_a_folder_that_is_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(StoreError, match="is not empty"):
        ask(tmp_path, "brute_force")


def test_candidates_that_are_not_installed_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "find_causes", lambda names: dict.fromkeys(names, "pip it"))
    with pytest.raises(BackendUnavailable, match="no candidate can be used here: cpsat: pip it"):
        ask(tmp_path / "run", "cpsat")


def test_default_candidates_take_the_problem_and_come_by_kind() -> None:
    queens, sudoku = Instance("queens", "q", "6"), Instance("sudoku", "s", "." * 81)
    found, out = choose_field([queens])
    assert "compiled" in dict(out)
    assert found.index("cpsat") < found.index("propagation")
    assert "compiled" not in found
    assert "brute_force" not in found
    if find_spec("numba"):
        assert "compiled" in choose_field([sudoku])[0]
