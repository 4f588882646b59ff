"""Comparisons that ask for an optimum: gaps, integrals, ranking, tables and plots."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from harness_samples import TINY, tiny_file
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.record import UNPROVEN
from harness.report import sentences
from harness.report.jobs import SEARCH
from harness.report.optima import (
    MOST_SEARCHES,
    find_gap,
    integrate,
    lay_out_optima,
    make_optima,
    merge_repeats,
)
from harness.report.plots import draw_objective
from harness.report.run import Run, load
from harness.report.standings import find_standings
from harness.report.tables import list_reasons, make_agreement, make_summary
from harness.report.terminal import lay_out
from modelling.errors import InputError

MOST, LEAST, PLAIN = "3 4 - max", "3 5 - min", "3 4 -"


def concord(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two instances with an objective, one without, on two solvers."""
    folder = tmp_path_factory.mktemp("optima")
    path = tiny_file(folder, MOST, LEAST, PLAIN)
    words = ["--set", path, "--family", TINY, "-b", "propagation", "-b", "sat", "--optimum"]
    shown = concord("compare", *words, "--out", str(folder / "run"))
    assert "Optima: what was proven, and how good the solutions are" in shown
    assert "ranked by answers, to best, PAR-2" in shown
    assert re.search(
        r"^backend +solved  unpr\.  to best %  wrong  failed  wins ", shown, re.MULTILINE
    )
    assert shown.count("to best: from the best known solution") == 2  # in either table
    assert max(map(len, shown.splitlines())) <= 80
    return load(folder / "run")


def test_gaps() -> None:
    assert find_gap(3, 3) == find_gap(0, 0) == 0
    assert find_gap(3, 4) == find_gap(4, 3) == find_gap(-4, -3) == 0.25
    assert find_gap(-1, 1) == find_gap(None, 1) == find_gap(1, None) == 1


def test_the_primal_integral() -> None:
    assert integrate([], 10, 5.0) == 5  # nothing was found
    assert integrate([(1.0, 20), (3.0, 10)], 10, 5.0) == 1 + 2 * 0.5
    assert integrate([(9.0, 10)], 10, 5.0) == 5  # too late
    assert integrate([(0.0, 10)], 10, 5.0) == 0


def test_the_best_is_asked_where_there_is_one(run: Run) -> None:
    asks = run.jobs.groupby("instance")["ask"].unique().map(list).to_dict()
    assert asks == {MOST: ["optimum"], LEAST: ["optimum"], PLAIN: ["1"]}
    assert set(run.jobs["verdict"]) == {"verified"}
    senses = run.jobs.groupby("instance")["sense"].unique().map(list).to_dict()
    assert senses == {MOST: ["maximize"], LEAST: ["minimize"], PLAIN: [""]}
    found = run.optima.set_index(["instance", "backend"])
    assert len(found) == 4
    assert dict(found["objective"].groupby("instance").first()) == {MOST: 14, LEAST: 4}
    assert (found["objective"] == found["best_known"]).all()
    assert found["proven"].all()
    assert not found["unproven"].any()
    assert not found[["gap_percent", "to_best_percent"]].to_numpy().any()
    assert (found["incumbent_s"] >= 0).all()
    assert (found["integral_s"] <= 30).all()
    assert not run.faults


@pytest.mark.once
def test_other_verbs_have_them_too(run: Run, tmp_path: Path) -> None:
    folder = str(run.folder)
    assert concord("table", folder, "--which", "optima", "--format", "csv").count("\n") == 5
    assert "to_best_percent" in concord("table", folder, "--wide")
    for kind in ("cactus", "objective"):
        assert concord("plot", folder, kind).strip().endswith(f"{kind}.png")
    out = tmp_path / "one.svg"
    concord("plot", folder, "objective", "--instance", MOST, "--out", str(out))
    assert out.read_text("utf-8").count("<svg") == 1
    names = ["-b", "sat", "-b", "propagation"]
    concord("plot", folder, "scatter", *names, "--out", str(tmp_path / "pair.png"))


def test_what_parquet_has_no_integers_for_is_text(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    large = pd.Series([3 * 2**63, -1, None, None], dtype=object)
    other = pd.Series([2**63 - 1, -(2**63), None, None], dtype=object)
    made = run.jobs.head(4).assign(objective=large, bound=other)
    monkeypatch.setattr(
        "harness.report.run.load", lambda name: SimpleNamespace(jobs=made, tamper=[])
    )
    out = tmp_path / "jobs.parquet"
    concord("export", "--format", "parquet", "--out", str(out))
    back = pd.read_parquet(out, dtype_backend="pyarrow")
    assert back["objective"].dropna().tolist() == ["27670116110564327424", "-1"]
    assert back["bound"].dropna().tolist() == [2**63 - 1, -(2**63)]
    assert "27670116110564327424" in concord("export", "--format", "csv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["objective", "--instance", "3 4 - mix"], "did you mean '3 4 - max'"),
        (["scatter", "-b", "sat"], "name both with --backend"),
        (["scatter", "-b", "sta"], "'sta'; did you mean 'sat'?"),
        (["-b", "sat"], "--backend is for a scatter plot"),
        (["--instance", MOST], "--instance is for the plot objective"),
        (["--out", "x.gif2"], "no image is written as .gif2"),
        (["objektive"], "objective"),
    ],
)
def test_wrong_plots(run: Run, words: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["plot", str(run.folder), *words])
    assert done.exit_code == 2
    assert message in done.stderr


# --- searches that end without a proof ------------------------------------------------------------


def search(job: int, backend: str, **more: object) -> dict[str, object]:
    usual = {
        "job": job,
        "set": "s",
        "ask": "optimum",
        "instance": "i",
        "backend": backend,
        "role": "timed",
        "outcome": "timeout",
        "verdict": "unverified",
        "sense": "maximize",
        "objective": None,
        "bound": None,
        "incumbents": (),
        "wall_s": 4.0,
        "limit_s": 4.0,
        "checked": 0,
    }
    assert set(usual) == {*SEARCH, "checked"}
    return usual | more


def searches(*rows: dict[str, object]) -> pd.DataFrame:
    return pd.DataFrame({name: [row[name] for row in rows] for name in rows[0]}, dtype=object)


STEPS = ((1.0, 40, "found"), (1.5, 100, "bound"), (2.0, 80, "found"))
OPEN = searches(
    search(1, "good", objective=80, bound=100, incumbents=STEPS, checked=1),
    search(2, "poor", objective=40, checked=1, verdict="verified"),
    search(3, "none"),
    search(4, "liar", objective=90, bound=90, checked=1, verdict="wrong"),
)


def as_jobs(rows: pd.DataFrame) -> pd.DataFrame:
    jobs = rows.drop(columns="incumbents").assign(
        error="",
        warm_up="",
        elapsed_s=4.0,
        flatten_s=0.0,
        model_s=0.0,
        encode_s=0.0,
        load_s=0.0,
        solve_s=4.0,
        import_s=0.0,
        warm_up_s=0.0,
        file_to_answer_s=4.0,
        start="warm",
    )
    return jobs.astype({"job": int, "wall_s": float, "limit_s": float})


def test_an_incumbent_at_the_limit_is_measured_by_the_best_that_holds() -> None:
    found = make_optima(OPEN).set_index("backend")
    assert set(found["best_known"]) == {80}  # not that of the liar
    assert dict(found["unproven"]) == {"good": True, "liar": False, "none": False, "poor": True}
    assert not found["proven"].any()
    assert dict(found["gap_percent"]) == {"good": 20, "poor": 100, "none": 100, "liar": 100}
    assert dict(found["to_best_percent"]) == {"good": 0, "poor": 50, "none": 100, "liar": 100}
    assert found["incumbent_s"]["good"] == 2.0
    assert dict(found["integral_s"]) == {"good": 1.5, "poor": 4, "none": 4, "liar": 4}


def test_the_solutions_of_a_refuted_search_have_no_part_in_its_integral() -> None:
    way = {"objective": 80, "bound": 80, "incumbents": STEPS}
    rows = searches(
        search(1, "good", objective=80, checked=1),
        search(2, "liar", checked=1, verdict="wrong", **way),
        search(3, "unchecked", **way),
    )
    found = make_optima(rows).set_index("backend")
    assert dict(found["integral_s"]) == {"good": 4, "liar": 4, "unchecked": 4}


def test_what_was_refused_is_not_measured_and_ranks_as_without_a_solution() -> None:
    refused = search(5, "no", outcome="refused", wall_s=0.0)
    unable = search(6, "cannot", outcome="unsupported", wall_s=0.0)
    rows = searches(*OPEN.to_dict("records"), refused, unable)
    optima = make_optima(rows)
    found = optima.set_index("backend")
    measures = ["gap_percent", "to_best_percent", "integral_s"]
    assert found.loc[["no", "cannot"], measures].isna().to_numpy().all()
    assert found.loc[["good", "poor", "none", "liar"], measures].notna().to_numpy().all()
    lines = lay_out_optima(optima, ["good", "poor", "none", "liar", "no", "cannot"], 80)
    assert ["no", "0", "0", "0", "-", "-", "-", "-"] in [line.split() for line in lines]
    summary = make_summary(find_standings(as_jobs(rows), optima)).set_index("backend")
    assert list(summary.index[:2]) == ["good", "poor"]
    assert list(summary["to_best_percent"][["no", "cannot"]]) == [100, 100]


@pytest.mark.parametrize("disputed", [False, True])
def test_the_summary_of_searches_fits(
    run: Run, disputed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = run.summary.assign(
        to_best_percent=12.5, disputed=int(disputed), relative_note="24 unsupported", par2_s=123.4
    )
    monkeypatch.setitem(vars(run), "summary", rows)
    sections = lay_out(run, 80)
    (lines,) = (lines for heading, lines in sections if heading.startswith("Summary"))
    assert max(map(len, lines)) <= 80
    assert ("disp." in lines[0].split()) is disputed
    assert "to best: from the best known solution" in "\n".join(lines)


def test_of_the_least_the_least_is_best() -> None:
    rows = [{**row, "sense": "minimize"} for row in OPEN.to_dict("records")]
    found = make_optima(searches(*rows)).set_index("backend")
    assert set(found["best_known"]) == {40}
    assert found["to_best_percent"]["good"] == 50


def test_quality_ranks_and_is_no_failure() -> None:
    jobs = as_jobs(OPEN)
    standings = find_standings(jobs, make_optima(OPEN))
    summary = make_summary(standings)
    assert list(summary["backend"]) == ["good", "poor", "none", "liar"]
    assert list(summary[UNPROVEN]) == [1, 1, 0, 0]
    assert list(summary["failed"]) == [0, 0, 1, 0]
    reasons = list_reasons(standings)
    assert set(reasons["backend"]) == {"none", "liar"}
    faults = sentences.find_faults(summary, make_agreement(jobs), reasons)
    assert {fault.partition(":")[0] for fault in faults} == {"none", "liar"}
    said = sentences.write_headline(summary, 4, 4)
    assert said.startswith("No optimum was proven; good has the best solutions, none worse than")


def test_lines_fit_and_many_searches_are_summed_up() -> None:
    optima = make_optima(OPEN)
    lines = lay_out_optima(optima, ["good", "poor", "none", "liar"], 80)
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == ["good", "0", "1", "1", "20.0", "0.000", "2.00", "1.50"]
    assert "s: i" in lines
    many = pd.concat([optima] * (MOST_SEARCHES // 4 + 1))
    assert "s: i" not in lay_out_optima(many, ["good", "poor", "none", "liar"], 80)


def test_repeats_of_a_search_are_one() -> None:
    """An instance is proven if each repeat proves it; its seconds are the median of them all."""
    steps = [((seconds, 80, "found"),) for seconds in (1.0, 3.0, 2.0)]
    proven = {"outcome": "finished", "verdict": "verified", "objective": 80, "checked": 1}
    rows = [search(n, "all", incumbents=s, **proven) for n, s in enumerate(steps)]
    rows += [search(n, "most", incumbents=s, **proven) for n, s in enumerate(steps[:2], 3)]
    rows += [search(5, "most", objective=40, checked=1, incumbents=((1.0, 40, "found"),))]
    rows += [search(6, "once", **proven), search(7, "once"), search(8, "once")]
    rows += [search(n, "none") for n in (9, 10, 11)]
    optima = merge_repeats(make_optima(searches(*rows)))
    assert list(optima["backend"]) == ["all", "most", "none", "once"]
    lines = lay_out_optima(optima, ["all", "most", "once", "none"], 80)
    cells = [line.split() for line in lines[2:6]]
    assert [row[:4] for row in cells] == [
        ["all", "1", "1", "1"],
        ["most", "0", "1", "0"],
        ["once", "0", "0", "0"],
        ["none", "0", "0", "0"],
    ]
    assert [row[-2] for row in cells] == ["2.00", "1.00", "-", "-"]


def test_seconds_to_the_best_count_what_found_nothing_as_over_the_limit() -> None:
    rows = [search(n, "one", instance=f"i{n}") for n in (1, 2)]
    rows += [search(3, "one", instance="i3", objective=40, checked=1)]
    rows += [search(3 + n, "all", instance=f"i{n}", objective=40, checked=1) for n in (1, 2, 3)]
    lines = lay_out_optima(make_optima(searches(*rows)), ["all", "one"], 80)
    assert [line.split()[-2] for line in lines[2:4]] == ["4.00", "over"]


def test_what_is_drawn_is_steps_with_bounds_dashed() -> None:
    axes = draw_objective(OPEN).axes[0]
    styles = [(line.get_linestyle(), list(line.get_ydata())) for line in axes.get_lines()]
    assert ("-", [40, 80, 80]) in styles
    assert ("--", [100, 100]) in styles
    assert axes.get_title() == "s: i (maximize)"
    assert axes.get_ylabel() == "objective"
    with pytest.raises(InputError, match="no optimum was asked in this run"):
        draw_objective(OPEN.head(0))


def test_values_too_large_to_draw_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    steps = ((1.0, 40, "found"), (1.5, 10**400, "bound"), (2.0, 80, "found"))
    figure = draw_objective(
        searches(
            search(1, "good", objective=80, bound=10**400, incumbents=steps, checked=1),
            search(2, "large", objective=-(10**400), bound=-(10**301), checked=1),
        )
    )
    (axes,) = figure.axes
    drawn = [list(line.get_ydata()) for line in axes.get_lines()]
    assert drawn == [[40, 80, 80], [80]]
    assert axes.get_ylabel() == "objective (without values beyond 1e+300)"
    figure.savefig(tmp_path / "left_out.svg")
    none = draw_objective(searches(search(1, "large", objective=10**400, checked=1)))
    assert not none.axes[0].get_lines()
