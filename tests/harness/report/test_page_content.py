"""What the page shows in part, it says in words; times beside each other have one unit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import concord
from harness.report.page import charts, comparisons, content, faults, make_page
from harness.report.plots import points
from harness.report.presentation import present
from harness.report.run import Run

pytest.importorskip("altair", reason="plots of the page need the extra 'report'")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two families, one of them with objectives."""
    folder = tmp_path_factory.mktemp("page")
    sets = ["queens", "knapsack:small"]
    return concord.compare(sets, ["propagation", "cpsat"], limit=3, seconds=5, out=folder / "run")


def read_words(run: Run) -> str:
    """All sentences about what is shown."""
    part = content.collect_part(run, "run", faults.Pictures(), draws=True)
    shown: list[Any] = [*part.panels, *part.details, *part.charts]
    shown += [*part.comparisons, *part.comparison_charts]
    for family in part.families:
        shown += [*family.panels, *family.charts]
    texts = [part.families_left_out, part.faults_left_out, *(one.about for one in shown)]
    return " ".join(texts)


def test_a_page_that_shows_all_says_nothing(run: Run) -> None:
    words = read_words(run)
    for sign in (" are shown", " are drawn.", "more than 1", "not shown", "up to", "are dots"):
        assert sign not in words, sign


@pytest.mark.parametrize(
    ("place", "name", "most", "said"),
    [
        (content, "MOST_ROWS", 2, "2 of 5 instances are shown"),
        (content, "MOST_ROWS", 1, "1 of 4 rows are shown"),
        (content, "MOST_FAMILIES", 1, "The first 1 of 2 families are shown."),
        (content, "MOST_SIZES", 2, "The 3 sizes are put together to 2 rows."),
        (points, "MOST_POINTS", 4, "A curve has 4 of its up to 5 points."),
        (charts, "MOST_INSTANCES", 4, "4 of 5 instances are drawn."),
        (charts, "MOST_DOTS", 2, "2 of 3 instances are dots; the box is that of all."),
        (charts, "MOST_COURSES", 1, "One of the 1 of 2 instances whose searches took longest."),
        (charts, "MOST_NUMBERED", 1, "The numbers are shown under the pointer."),
        (comparisons, "MOST_NUMBERED", 1, "So it does the numbers."),
        (comparisons, "MOST_GROWING", 2, "2 sizes represent 3."),
    ],
)
def test_what_is_left_out_is_said(
    run: Run, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, most: int, said: str
) -> None:
    monkeypatch.setattr(place, name, most)
    assert said in read_words(run)


def test_solvers_are_compared_by_pairs_ranks_and_growth(run: Run) -> None:
    part = content.collect_part(run, "run", faults.Pictures(), draws=True)
    titles = [one.title for one in part.comparisons]
    assert titles == ["Every two solvers", "Mean ranks"]
    assert [one.title for one in part.comparison_charts] == [
        "Pairwise ratios",
        "Critical difference",
    ]
    pairs = part.comparisons[0].sheet
    names = [column.name for column in pairs.columns]
    assert {"p", "effect", "wins", "losses", "ratio"} <= set(names)
    queens = next(one for one in part.families if one.name == "queens")
    assert [chart.title for chart in queens.charts] == ["Times of queens", "Growth of queens"]


def test_a_pair_is_shown_from_both_sides(run: Run) -> None:
    (row,) = run.pairs().to_dict("records")
    one, other = comparisons._mirror(run.pairs())
    assert one["ratio"] == pytest.approx(row["used_ratio"], rel=1e-3)
    assert other["ratio"] == pytest.approx(1 / row["used_ratio"], rel=1e-3)
    assert (other["wins"], other["losses"]) == (row["losses"], row["wins"])
    assert other["effect"] == -one["effect"]


def test_mean_ranks_have_ticks_at_whole_numbers() -> None:
    """Ticks between them would be shown rounded, one number twice."""
    ranks = pd.DataFrame(
        {
            "backend": list("abc"),
            "mean_rank": [1.4, 2.0, 2.6],
            "critical_difference": 0.3,
            "p": 0.001,
        }
    )
    spec = comparisons.draw_mean_ranks(ranks).spec
    across = spec["layer"][0]["encoding"]["x"]
    assert across["scale"]["domain"] == [1, 3]
    assert across["axis"]["values"] == [1, 2, 3]


def test_growth_is_fitted_where_there_are_sizes(tmp_path: Path) -> None:
    run = concord.compare("queens", ["propagation"], limit=5, seconds=5, out=tmp_path / "run")
    part = content.collect_part(run, "run", faults.Pictures(), draws=True)
    assert [one.title for one in part.comparisons] == ["Growth with size"]
    assert list(part.comparison_charts) == []
    (row,) = part.comparisons[0].sheet.rows
    assert row[0].text == "queens"


def test_without_scipy_the_page_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    part = content.collect_part(run, "run", faults.Pictures(), draws=True)
    assert part.comparisons == ()
    assert "solver-concord[statistics]" in part.comparisons_left_out
    assert "solver-concord[statistics]" in make_page([run])


@pytest.mark.once
def test_a_model_without_a_size_may_have_no_table_by_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {}
    for number in (2, 3, 4):
        models[f"m{number}"] = model = concord.Model()
        model.add(concord.all_different(model.ints(number, 1, number, "x")))
    run = concord.compare(models, ["propagation", "cpsat"], seconds=5, out=tmp_path / "run")
    said = "A table by size is left out: 3 instances are more than 2."
    assert said not in read_words(run)
    monkeypatch.setattr(content, "MOST_STATED", 2)
    assert said in read_words(run)


def test_pictures_beyond_the_most_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST_PICTURES", 1)
    pictures = faults.Pictures()
    assert pictures.draw("queens", "4")
    assert pictures.draw("queens", "4")
    assert not pictures.is_full
    assert pictures.draw("queens", "5") == ""
    assert pictures.is_full
    said = content._say_faults_left_out(3, pictures)
    assert said == "3 more are not shown. 40 instances are drawn, and no more."


def test_times_beside_each_other_have_one_unit() -> None:
    frame = pd.DataFrame({"instance": ["a"], "one_s": [0.5], "other_s": [200.0]})
    alone = present(frame, list(frame.columns))
    assert [column.unit for column in alone.columns] == ["", "ms", "s"]
    together = present(frame, list(frame.columns), alike=["one_s", "other_s"])
    assert [column.unit for column in together.columns] == ["", "s", "s"]


def test_the_page_is_one_file_of_at_most_5_mb(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(make_page([run]), encoding="utf-8")
    assert page.stat().st_size < 5_000_000
