"""The plots hold what they should; how they look was looked at."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from harness_samples import list_jobs

from harness.report import plots
from harness.report.standings import find_standings
from modelling.errors import InputError
from tests.harness.report.test_tables import fixed_rows

pytest.importorskip("matplotlib", reason="plots need the extra 'report'")


@pytest.fixture(scope="module")
def per() -> pd.DataFrame:
    return find_standings(list_jobs(fixed_rows())).instances


def test_a_cactus_curve_has_a_step_for_each_solved_instance(per: pd.DataFrame) -> None:
    (axes,) = plots.draw_cactus(per, title="made up").axes
    curves = {str(line.get_label()): list(line.get_ydata()) for line in axes.lines[:3]}
    assert curves["fast (3 of 6)"] == [0.001, 0.002, 0.003]  # what is disputed is not solved
    assert curves["half (1 of 6)"] == [0.004]
    assert axes.get_yscale() == "log"


def test_a_scatter_plot_has_a_point_for_each_instance(per: pd.DataFrame, tmp_path: Path) -> None:
    figure = plots.draw_scatter(per, "fast", "slow")
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
    (axes,) = plots.draw_scatter(per[per["instance"] == "one"], "fast", "slow").axes
    assert axes.get_xlim() == pytest.approx((0.0005, 0.2))
    assert not axes.texts


def test_an_unknown_backend_is_named(per: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"'quick'.*there are: fast, half, slow"):
        plots.draw_scatter(per, "fast", "quick")
