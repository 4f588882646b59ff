"""The study of what the sandbox costs: ratios of pairs."""

from argparse import Namespace

from results.studies.runs import sandbox
from results.studies.runs.sandbox import Pair


def test_ratios_are_medians_of_pairs():
    pairs = [Pair("fresh", k, 10, off, on) for k, (off, on) in enumerate([(1, 2), (2, 2), (4, 6)])]
    assert sandbox.ratio(pairs) == 1.5
    page = sandbox.report(pairs, Namespace(command="x"))
    assert "| fresh | 3 | 200.0 | 1.500 | 1.000 to 2.000 |" in page
