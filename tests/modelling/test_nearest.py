"""What a message says a name may have been meant for."""

from modelling.nearest import did_you_mean, nearest


def test_the_most_alike_is_named():
    assert nearest("quens", ["latin", "queens", "queen"]) in ("queens", "queen")
    assert did_you_mean("latim", ["latin", "queens"]) == "; did you mean 'latin'?"


def test_what_is_like_nothing_gives_no_hint():
    assert nearest("xyz", ["latin", "queens"]) is None
    assert did_you_mean("xyz", ["latin", "queens"]) == ""
    assert did_you_mean("latin", []) == ""


def test_several_may_be_named_and_each_once():
    known = ["easy-1", "easy-2", "easy-3"]
    assert did_you_mean("easy-4", known, 2).count("easy") == 2
    told = did_you_mean("easy-4", known, 2, first=["easy-3", "hard"])
    assert told == "; did you mean 'easy-3' or 'hard'?"
