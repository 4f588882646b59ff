"""The tables of statistics of a run, by Python and by the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.report import run as run_module
from harness.report.run import load
from harness.report.statistics_screen import lay_out_statistics
from tests.harness.report.test_summary import run_of

REFERENCE = str(Path(__file__).parents[4] / "results" / "reference" / "quickstart")


@pytest.fixture(scope="module")
def run():
    return load(REFERENCE)


def test_scores_begin_with_the_virtual_best(run):
    scores = run.scores()
    assert scores["backend"][0] == "virtual best"
    assert scores["par2_s"].is_monotonic_increasing
    assert scores["single_best"].sum() == 1
    assert scores["shapley"].sum() == pytest.approx(scores["solved"][0])


def test_par2_is_that_of_the_summary(run):
    """The run has several kinds, one with most instances."""
    assert run.kinds["kind"].nunique() > 1
    scores = run.scores().set_index("backend")["par2_s"]
    summary = run.summary.set_index("backend")["par2_s"]
    for name, seconds in summary.items():
        assert scores[name] == pytest.approx(seconds, rel=1e-9)


def test_quantiles_and_medians_agree_with_the_summary(run):
    found = run.quantiles().set_index("backend")["p50_s"]
    summary = run.summary.set_index("backend")["median_s"]
    for name, median in summary.items():
        assert found[name] == pytest.approx(median, rel=0.05)


def test_the_ratios_of_pairs_are_those_of_the_summary():
    """Of one kind: the summary weighs kinds alike, and pairs weigh instances alike."""
    answers = [
        ("set", instance, name, 0.1 * (1 + 0.3 * at) * (1 + (number * (3 + at)) % 7))
        for number, instance in enumerate("abcdefgh")
        for at, name in enumerate(("one", "two", "three"))
    ]
    run = run_of(answers)
    pairs = run.pairs()
    first = run.summary.iloc[0]["backend"]
    summary = run.summary.set_index("backend")
    own = pairs[pairs["backend"] == first]
    assert len(own) == len(summary) - 1
    for row in own.to_dict("records"):
        for name, column in (("ratio", "to_first"), ("low", "to_first_low")):
            assert row[name] == pytest.approx(summary.loc[row["other"], column])


def test_sizes_are_found_after_the_summary_was_made(run):
    assert len(run.summary)
    assert "queens" in set(run.scaling()["set"])


@pytest.mark.parametrize("which", ["scores", "pairs", "ranks", "quantiles", "scaling"])
def test_the_command_prints_them(which):
    done = CliRunner().invoke(app, ["table", REFERENCE, "--which", which, "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)[which]


@pytest.mark.parametrize("which", ["scores", "pairs", "ranks", "quantiles", "scaling"])
def test_the_screen_has_units_and_a_foot(which, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(run_module, "load", lambda name: run)
    lines = CliRunner().invoke(app, ["table", REFERENCE, "--which", which]).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "_s" not in lines[0]
    assert any(line.endswith("--wide: all columns") for line in lines)
    assert ("weigh alike" in " ".join(lines)) == (which != "scaling")
    wide = CliRunner().invoke(app, ["table", REFERENCE, "--which", which, "--wide"]).stdout
    assert wide.split()[:3] == list(getattr(run, which)().columns[:3])


def test_p_is_beside_the_ratio(run):
    head, _, first, *_ = lay_out_statistics("pairs", run.pairs(), 80)
    assert head.split()[:5] == ["backend", "other", "both", "ratio", "p"]
    assert first.split()[:2] == list(run.pairs().loc[0, ["backend", "other"]])
    assert "<0.001" in first
    assert lay_out_statistics("pairs", run.pairs()[:0], 80)[0].startswith("backend  other")


def test_a_size_needs_the_table_of_scaling():
    words = ["table", REFERENCE, "--which", "pairs", "--size", "x"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "--size is for --which scaling" in done.stderr


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "latex", "html"])
def test_every_table_is_printed_in_every_format(form, run, monkeypatch):
    """The quickstart has no optima, so that the tables of optima and of sizes have no rows."""
    monkeypatch.setattr(run_module, "load", lambda name: run)  # read once, for all formats
    for which in ("kinds", "sizes", "optima", "scores", "pairs", "ranks", "quantiles", "scaling"):
        words = ["table", REFERENCE, "--which", which, "--format", form]
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, (which, done.output, done.exception)
        assert done.output.strip() or which in ("sizes", "optima"), which


def test_several_tables_in_latex_float_with_captions_and_labels(monkeypatch, run):
    monkeypatch.setattr(run_module, "load", lambda name: run)
    words = ["table", REFERENCE, "--format", "latex"]
    text = CliRunner().invoke(app, words).stdout
    for name in ("summary", "agreement", "timing"):
        assert rf"\label{{tab:{name}}}" in text
    assert text.count(r"\begin{table}") == text.count(r"\caption{") == 3
    assert r"\begin{table}" not in CliRunner().invoke(app, [*words, "--which", "pairs"]).stdout
    named = [*words, "--which", "pairs", "--caption", "Every two & all"]
    text = CliRunner().invoke(app, named).stdout
    assert r"\caption{Every two \& all}" in text
    assert r"\label{tab:pairs}" in text
