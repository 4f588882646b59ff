"""The examples that ship are those of the study: its instances, with the features of today."""

from __future__ import annotations

import pytest

from harness.advise.features import FEATURES, measure_features
from harness.advise.neighbours import WITHIN, load_examples, measure_factor, validate
from puzzles.family import family
from results.studies.advice.__main__ import REFERENCE, STUDY, count_factor
from results.studies.advice.instances import list_sets
from results.studies.advice.measured import CANDIDATES, LIMIT

pytestmark = pytest.mark.once


def test_shipped_features_are_measured_as_today() -> None:
    shipped = load_examples()
    assert shipped.features == FEATURES
    found = {(one.family, one.instance): one for one in shipped.examples}
    for one in list_sets():
        for name, text in (one.texts or {}).items():
            features = measure_features(family(str(one.family)).problem(text))
            example = found.pop((str(one.family), name))
            assert example.features == pytest.approx(features, rel=1e-3, abs=1e-9)
            assert set(example.seconds) == set(CANDIDATES)
            assert all(0 < seconds <= 2 * LIMIT for seconds in example.seconds.values())
    assert not found


def test_the_reference_agrees_with_what_ships() -> None:
    examples = load_examples().examples
    rows = STUDY.read(REFERENCE)
    assert len(rows) >= 12
    checked = validate(examples, CANDIDATES)
    for row in rows:
        own = [one for one in examples if one.family == row.family]
        assert row.instances == len(own)
        assert row.guessed_factor == pytest.approx(checked.factors[row.family])
        assert row.best_factor == pytest.approx(measure_factor(own, row.best, CANDIDATES))
        assert row.best_factor <= min(count_factor(row), row.guessed_factor) + 1e-9
    assert checked.good == sum(row.guessed_factor <= WITHIN for row in rows)
