"""What a message says a name may have been meant for."""

from modelling.wording import did_you_mean


def test_the_most_alike_is_named():
    told = did_you_mean("quens", ["latin", "queens", "queen"])
    assert told in ("; did you mean 'queens'?", "; did you mean 'queen'?")
    assert did_you_mean("latim", ["latin", "queens"]) == "; did you mean 'latin'?"


def test_what_is_like_nothing_gives_no_hint():
    assert did_you_mean("xyz", ["latin", "queens"]) == ""
    assert did_you_mean("latin", []) == ""


def test_several_may_be_named_and_each_once():
    known = ["easy-1", "easy-2", "easy-3"]
    assert did_you_mean("easy-4", known, 2).count("easy") == 2
    told = did_you_mean("easy-4", known, 2, first=["easy-3", "hard"])
    assert told == "; did you mean 'easy-3' or 'hard'?"


def test_a_name_may_be_written_in_another_way():
    ways = {"engine": "--engine"}
    assert did_you_mean("engin", ["engine", "order"], written=ways) == "; did you mean --engine?"
    assert did_you_mean("oder", ["engine", "order"], written=ways) == "; did you mean 'order'?"
