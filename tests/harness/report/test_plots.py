"""The plots hold what they should; how they look was looked at."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from harness_samples import list_jobs

from backends.interface import registry
from harness.report.plots import (
    KINDS,
    colours,
    maps,
    plot,
    points,
    ranks,
    rungs,
    times,
    write_figure,
)
from harness.report.standings import find_standings
from harness.report.statistics.sizes import find_sizes
from modelling.errors import InputError
from tests.harness.report.test_tables import fixed_rows

pytest.importorskip("matplotlib", reason="plots need the extra 'report'")

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@pytest.fixture(scope="module")
def per() -> pd.DataFrame:
    return find_standings(list_jobs(fixed_rows())).instances


def test_a_cactus_curve_has_a_step_for_each_solved_instance(per: pd.DataFrame) -> None:
    (axes,) = times.draw_cactus(per, title="made up").axes
    curves = {str(line.get_label()): list(line.get_ydata()) for line in axes.lines[:3]}
    assert curves["fast (3 of 6)"] == [0.001, 0.002, 0.003]  # what is disputed is not solved
    assert curves["half (1 of 6)"] == [0.004]
    assert axes.get_yscale() == "log"


def test_a_scatter_plot_has_a_point_for_each_instance(per: pd.DataFrame, tmp_path: Path) -> None:
    figure = times.draw_scatter(per, "fast", "slow")
    (axes,) = figure.axes
    (cloud,) = axes.collections
    points = {(float(x), float(y)) for x, y in cloud.get_offsets()}
    assert len(cloud.get_offsets()) == 6
    assert (0.001, 0.1) in points
    assert (0.003, 20.0) in points  # slow ran out of time
    assert (20.0, 2.0) in points  # fast was wrong
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    figure.savefig(tmp_path / "scatter.svg")
    assert (tmp_path / "scatter.svg").stat().st_size > 1000


def test_without_unsolved_instances_the_axes_fit_the_times(per: pd.DataFrame) -> None:
    (axes,) = times.draw_scatter(per[per["instance"] == "one"], "fast", "slow").axes
    assert axes.get_xlim() == pytest.approx((0.0005, 0.2))
    assert not axes.texts


def test_an_unknown_backend_is_named(per: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"'quick'.*there are: fast, half, slow"):
        times.draw_scatter(per, "fast", "quick")


def test_the_ecdf_is_the_cactus_turned(per: pd.DataFrame) -> None:
    (axes,) = times.draw_ecdf(per).axes
    curves = {str(line.get_label()): list(line.get_xdata()) for line in axes.lines[:3]}
    assert curves["fast (3 of 6)"] == [0.001, 0.002, 0.003]
    assert all(tick == int(tick) for tick in axes.get_yticks()), "instances are counted"


def test_a_profile_ends_at_the_part_that_is_solved(per: pd.DataFrame) -> None:
    profile = points.trace_profile(per)
    ends = profile.groupby("backend")["share"].max()
    assert ends["fast"] == pytest.approx(3 / 6)
    assert ends["half"] == pytest.approx(1 / 6)
    assert (profile["ratio"] >= 1).all()
    (axes,) = times.draw_profile(per).axes
    assert axes.get_xlim()[0] == 1


def test_wins_of_a_pair_are_counted_over_what_both_were_asked(per: pd.DataFrame) -> None:
    wins = points.count_wins(per).set_index(["backend", "other"])
    assert wins.loc[("fast", "fast"), "share"] is None or pd.isna(wins["share"]["fast", "fast"])
    pair = wins["share"]["fast", "slow"], wins["share"]["slow", "fast"]
    assert 0 <= sum(pair) <= 1
    assert pair[0] > pair[1]
    assert maps.draw_wins(per).axes[0].texts


def test_agreement_compares_answers_and_not_their_order() -> None:
    jobs = pd.DataFrame(
        {
            "set": "s",
            "ask": ["all", "all", "1", "1", "1", "1"],
            "instance": ["i", "i", "j", "j", "k", "k"],
            "backend": ["a", "b"] * 3,
            "role": "timed",
            "outcome": ["finished"] * 5 + ["timeout"],
            "status": ["SATISFIABLE"] * 4 + ["OPTIMUM", "UNKNOWN"],
            "objective": pd.array([None] * 4 + [7, None], dtype="Int64"),
            "count": [2, 3, 1, 1, 1, 0],
            "digest": ["x", "y", "x", "y", "z", ""],
        }
    )
    found = points.count_agreement(jobs).set_index(["backend", "other"])
    assert found["instances"]["a", "b"] == 2, "what a limit ended is not compared"
    assert found["share"]["a", "b"] == 0.5, "one solution may be another, all are the same ones"
    assert found["share"]["a", "a"] == 1.0


def test_phases_are_weighed_by_what_was_solved() -> None:
    timing = pd.DataFrame(
        {
            "backend": ["a", "a"],
            "solved": [3, 1],
            "model_s": [1.0, 5.0],
            "encode_s": [float("nan")] * 2,
            "load_s": [0.0, 0.0],
            "solve_s": [2.0, 2.0],
        }
    )
    found = points.stack_phases(timing).set_index("phase")["seconds"]
    assert dict(found) == {"model": 2.0, "load": 0.0, "search": 2.0}
    (axes,) = times.draw_phases(timing).axes
    assert sum(bar.get_width() for bar in axes.patches) == pytest.approx(4.0)


def make_named(sizes: tuple[int, ...]) -> pd.DataFrame:
    """Times of two backends on boards of these sizes."""
    texts = [f"{size}" for size in sizes]
    frame = pd.DataFrame(
        {
            "set": "queens",
            "ask": "1",
            "instance": texts * 2,
            "backend": ["cpsat"] * len(sizes) + ["sat"] * len(sizes),
            "wall_s": [0.001 * size for size in sizes] * 2,
            "solved": [True] * (2 * len(sizes) - 1) + [False],
            "limit_s": 10.0,
            "family": "queens",
            "text": texts * 2,
        }
    )
    frame["best_s"] = frame["wall_s"]
    return frame


def test_scaling_has_the_median_of_each_size() -> None:
    (axes,) = times.draw_scaling(find_sizes(make_named((4, 6, 8)))).axes
    assert axes.get_xlabel() == "queens"
    curve = next(line for line in axes.lines if line.get_label() == "sat")
    assert list(curve.get_xdata()) == [4, 6, 8]
    assert list(curve.get_ydata()) == pytest.approx([0.004, 0.006, 10.0]), "unsolved at its limit"
    with pytest.raises(InputError, match="no family of this run has instances of two sizes"):
        times.draw_scaling(find_sizes(make_named((4, 4))))


def test_the_options_of_a_table_reach_it() -> None:
    class Sized:
        def size_instances(self, size: str = "declared") -> pd.DataFrame:
            return find_sizes(make_named((4, 6)), size)

    assert plot(Sized(), "scaling", size="variables").axes[0].get_xlabel() == "variables"


def make_ranks(means: list[float], critical: float, p: float) -> pd.DataFrame:
    names = [f"b{place}" for place in range(len(means))]
    frame = {"backend": names, "mean_rank": means, "critical_difference": critical, "p": p}
    return pd.DataFrame(frame)


def list_bars(figure: Figure) -> list[tuple[float, float]]:
    """The ends of the thick lines, to one digit."""
    thick = [line for line in figure.axes[0].lines if line.get_linewidth() == 3]
    return [tuple(round(float(x), 1) for x in line.get_xdata()) for line in thick]


def test_bars_join_mean_ranks_that_do_not_differ() -> None:
    drawn = ranks.draw_critical_difference(make_ranks([1.2, 2.0, 2.8, 4.0], 1.1, 0.001))
    assert list_bars(drawn) == [(1.2, 2.0), (2.0, 2.8)]
    texts = " ".join(text.get_text() for text in drawn.axes[0].texts)
    assert "critical difference 1.10" in texts
    assert "b3  4.00" in texts.replace("4.00  b3", "b3  4.00")
    alike = ranks.draw_critical_difference(make_ranks([1.2, 2.0, 2.8, 4.0], 1.1, 0.2))
    assert list_bars(alike) == [(1.2, 4.0)], "Friedman finds no difference"
    with pytest.raises(InputError, match="mean ranks need two backends"):
        ranks.draw_critical_difference(make_ranks([1.0], float("nan"), float("nan")))


def test_bars_that_do_not_touch_share_a_row() -> None:
    assert ranks._stack([(0, 2), (1, 3), (3, 4), (4, 5)]) == [1, 2, 1, 2]


def test_boxes_have_a_panel_for_each_family() -> None:
    named = pd.concat([make_named((4, 6)), make_named((4, 6)).assign(family="latin", set="l")])
    panels = times.draw_boxes(named).axes
    assert [axes.get_title() for axes in panels] == ["queens (2)", "latin (2)"]


def test_each_solver_has_one_style_everywhere() -> None:
    shipped = {info.name for info in registry.infos()}
    assert shipped <= set(colours.ORDER), "a new backend comes last in ORDER"
    styles = [colours.style_of(name) for name in colours.ORDER]
    assert len(set(styles)) == len(styles)
    assert colours.style_of("sat:direct").colour == colours.style_of("sat").colour
    assert colours.style_of("sat@1.8").colour == colours.style_of("sat").colour
    assert colours.style_of("py:mine:Solver") == colours.style_of("py:mine:Solver")


def test_no_legend_lies_on_a_curve(per: pd.DataFrame) -> None:
    for figure in (times.draw_cactus(per), times.draw_profile(per)):
        (legend,) = figure.legends
        figure.draw_without_rendering()
        below = legend.get_window_extent().y1
        assert below <= figure.axes[0].get_window_extent().y0


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(InputError, match=r"no plot is called 'cactos'; did you mean 'cactus'"):
        plot(None, "cactos")
    assert len(KINDS) == 12


def test_a_long_curve_is_thinned_and_keeps_its_ends() -> None:
    kept = points.thin(100_000)
    assert len(kept) <= points.MOST_POINTS
    assert (kept[0], kept[-1]) == (0, 99_999)


def test_the_ladder_goes_from_the_slowest_to_the_fastest() -> None:
    named = make_named((4, 6, 8))
    found = points.list_rungs(named)
    assert list(found["backend"]) == ["sat", "cpsat"], "of equal medians the higher quartile"
    named.loc[named["backend"] == "cpsat", "wall_s"] *= 10
    (axes,) = rungs.draw_ladder(named).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["cpsat", "sat"]
    assert [text.get_text() for text in axes.texts] == ["10x"]


def test_a_backend_that_left_half_unsolved_is_slower_by_at_least_a_factor() -> None:
    named = make_named((4, 6, 8))
    named.loc[named["backend"] == "cpsat", "solved"] = False
    (axes,) = rungs.draw_ladder(named).axes
    assert axes.texts[0].get_text().startswith("> ")


@pytest.mark.once
def test_equal_figures_are_equal_bytes(per: pd.DataFrame) -> None:
    for form in ("svg", "pdf", "png"):
        files = [BytesIO(), BytesIO()]
        for file in files:
            write_figure(times.draw_cactus(per), file, form)
        assert files[0].getvalue() == files[1].getvalue(), form


def test_sizes_on_an_axis_are_whole_numbers() -> None:
    (axes,) = times.draw_scaling(find_sizes(make_named((7, 8, 9)))).axes
    axes.figure.canvas.draw()
    assert [label.get_text() for label in axes.get_xticklabels()] == ["7", "8", "9"]


def test_solvers_of_one_colour_differ_in_marker_and_dash() -> None:
    styles = [colours.style_of(name) for name in colours.ORDER[:18]]
    assert len(set(styles)) == len(styles)
    first, seventh = styles[0], styles[6]
    assert first.colour == seventh.colour
    assert first.marker != seventh.marker
    assert first.dash != seventh.dash
