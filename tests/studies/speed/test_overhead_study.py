"""The studies of overhead and of the SAT defaults: what they pair, work out and write."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from backends.interface import registry
from backends.interface.shipped import SHIPPED
from modelling.constraints import AllDifferent
from modelling.errors import BackendUnavailable
from puzzles.sets import instances
from results.studies.speed import overhead, sat_defaults, scripts
from results.studies.speed.overhead import PAIRS, Pair, Samples, cost, rows
from results.studies.speed.scripts import sat
from results.studies.speed.small_models import UNITS, Grids

PUZZLE = next(iter(instances("sudoku-easy"))).text


def test_every_backend_stands_in_the_study_as_it_is_without_options() -> None:
    paired = {pair.backend for pair in PAIRS}
    within = {shipped.name for shipped in SHIPPED if not shipped.process}
    assert within - {"brute_force"} <= paired
    assert {"sat:reuse=solver", "sat:pycosat"} <= paired
    ours = {"propagation", "compiled", "ladder"}
    assert {pair.backend for pair in PAIRS if pair.script is None} == ours


@pytest.mark.parametrize("backend", scripts.BESIDE)
def test_a_script_solves(backend: str) -> None:
    try:
        registry.get(backend)
    except BackendUnavailable as error:
        pytest.skip(str(error))
    check_script(overhead.fresh(backend)())


def test_the_incremental_script_solves() -> None:
    check_script(sat.incremental_sudoku())


def check_script(solve: Grids) -> None:
    """A script solves a puzzle, and solves it again."""
    for _ in range(2):
        (answer,) = solve(PUZZLE.replace("0", "."))
        assert all(shown in (sign, ".") for sign, shown in zip(answer, PUZZLE, strict=True))
        for unit in UNITS:
            assert AllDifferent(tuple(range(9))).holds([int(answer[i]) for i in unit])


def test_the_figures_of_a_pair() -> None:
    samples = Samples(
        script=[[1_000_000, 3_000_000, 2_000_000], [4_000_000] * 3],
        solve=[[2_000_000, 3_000_000, 9_000_000], [6_000_000] * 3],
        concord=[[4_000_000] * 3, [8_000_000] * 3],
        reused=6,
    )
    found = cost(Pair("sat", overhead.fresh("cpsat"), "fresh"), "tiny", 3, samples)
    assert (found.script_ms, found.solve_ms, found.concord_ms) == (3.0, 4.5, 6.0)
    assert (found.solve_ratio, found.concord_ratio) == (1.5, 2.0)
    assert (found.least, found.most) == (1.286, 2.5)
    alone = cost(Pair("propagation"), "tiny", 3, samples)
    assert alone.solve_ratio is None
    assert alone.solve_ms == 4.5
    last = list(rows(Pair("sat"), "tiny", samples))[-1]
    assert (last["puzzle"], last["repeat"], last["solve_us"]) == (1, 2, 6000.0)


def test_a_script_that_answers_otherwise_ends_the_study() -> None:
    def wrong() -> Grids:
        return lambda text: ["1" * 81]

    with pytest.raises(AssertionError, match="propagation differs from its script"):
        overhead.measure(Pair("propagation", wrong, "fresh"), [PUZZLE], 1)


def test_the_study_of_overhead_writes_every_time(tmp_path: Path) -> None:
    only = ["--only", "propagation", "--only", "sat", "--only", "sat:reuse=solver"]
    overhead.main([*only, "--limit", "2", "--repeat", "2", "--out", str(tmp_path)])
    figures = json.loads((tmp_path / "overhead.json").read_bytes())
    assert len(figures["costs"]) == 3 * len(overhead.SETS)
    assert all(cost["reused"] == 4 for cost in figures["costs"])
    with open(tmp_path / "samples.csv", encoding="utf-8") as file:
        samples = list(csv.DictReader(file))
    assert len(samples) == 3 * 2 * 2 * len(overhead.SETS)
    assert all((row["script_us"] == "") == (row["backend"] == "propagation") for row in samples)


def test_the_study_of_the_sat_defaults_writes_every_time(tmp_path: Path) -> None:
    only = ["--only", "sat:extended,cadical153", "--only", "sat:direct,minisat22"]
    arguments = [*only, "--set", "queens", "--limit", "2", "--repeat", "2", "--out", str(tmp_path)]
    sat_defaults.main(arguments)
    figures = json.loads((tmp_path / "sat_defaults.json").read_bytes())
    assert {row["problems"] for row in figures["rows"]} == {2}
    with open(tmp_path / "samples.csv", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 2 * 2 * 2


def test_what_is_not_settled_counts_tenfold() -> None:
    def sample(backend: str, settled: int, ms: float) -> dict[str, object]:
        return {"backend": backend, "problem": 0, "repeat": 1, "settled": settled, "ms": ms}

    found = sat_defaults.summary("tiny", [sample("lost", 0, 3.0), sample("slow", 1, 9000.0)])
    assert [row["backend"] for row in found] == ["slow", "lost"]
    assert found[1]["penalised_ms"] == 1e4 * sat_defaults.SECONDS
