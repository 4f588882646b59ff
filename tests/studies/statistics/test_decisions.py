"""The studies of decisions and of spreads: what they draw, and what they count."""

import numpy as np
import pandas as pd
import pytest

from results.studies.statistics import decisions, spreads
from results.studies.statistics.populations import list_residuals

pytestmark = pytest.mark.once


def test_residuals_have_the_variance_within_families_without_bias():
    generator = np.random.default_rng(1)
    keys = [(f"set-{family}", "1", f"i-{place}") for family in range(4000) for place in range(3)]
    index = pd.MultiIndex.from_tuples(keys, names=["set", "ask", "instance"])
    means = np.repeat(generator.normal(0, 5, 4000), 3)
    logs = pd.DataFrame({"a": means + generator.normal(0, 2, len(keys)), "b": 0.0}, index=index)
    (found,) = list_residuals(logs)
    assert np.sqrt(np.mean(found**2)) == pytest.approx(2, rel=0.03)


def test_pairs_of_few_instances_are_left_out():
    keys = [("s", "1", f"i-{place}") for place in range(20)]
    index = pd.MultiIndex.from_tuples(keys, names=["set", "ask", "instance"])
    assert list_residuals(pd.DataFrame({"a": 1.0, "b": 2.0}, index=index)) == []


@pytest.mark.parametrize("equal", [decisions.EACH, decisions.MEAN])
@pytest.mark.parametrize("kind", decisions.DRAWN)
def test_what_is_drawn_has_no_true_difference(kind, equal):
    drawn = decisions.draw(kind, 20_000, equal, np.random.default_rng(5))
    assert abs(drawn.mean()) < 5 * drawn.std() / np.sqrt(len(drawn))


def test_a_difference_that_is_found_is_counted():
    row = decisions.simulate("releases", 40, 3.0, decisions.MEAN, 3)
    assert (row.different, row.interval, row.trials) == (3, 3, 3)


def test_what_is_not_kept_is_a_fault():
    kept = decisions.Row("normal", 200, 1.2, "the mean", 0.76, 100, 90, 92)
    missed = decisions.Row("normal", 200, 1.2, "the mean", 0.76, 100, 89, 92)
    false = decisions.Row("measured", 8, 1.0, "each instance", 0.8, 1000, 51, 60)
    chance = decisions.Row("measured", 8, 1.0, "the mean", 0.8, 1000, 51, 60)
    skewed = decisions.Row("measured", 8, 1.0, "the mean", 0.8, 1000, 80, 80)
    assert len(decisions.find_faults([kept, missed, false, chance, skewed])) == 3


def test_the_number_of_instances_follows_from_the_spread():
    # (1.96 + 1.2816)^2 0.76^2 / log(1.2)^2
    assert spreads.count_needed(0.76) == 183
    assert spreads.count_needed(1.52) == pytest.approx(4 * 183, abs=3)
