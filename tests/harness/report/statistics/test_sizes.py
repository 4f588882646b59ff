"""The sizes of instances: declared, counted, of names, of a column."""

import pandas as pd
import pytest

from harness.report.statistics.sizes import find_sizes
from modelling.constraints import AllDifferent
from modelling.errors import InputError
from modelling.problem import build_problem
from puzzles.problem import instance


def name_instances(family, *pairs):
    """Rows of ``Run.named``: two backends on instances of these names and texts."""
    rows = [("s", name, family, text) for name, text in pairs for _ in range(2)]
    return pd.DataFrame(rows, columns=["set", "instance", "family", "text"])


def state(size=None):
    return instance(
        build_problem({"x": [1, 2], "y": [1, 2]}, [AllDifferent(("x", "y"))], size=size)
    )


def read(found):
    assert found["unit"].nunique() == 1
    return dict(zip(found["instance"], found["size"], strict=True)), found["unit"].iloc[0]


def test_a_family_declares_the_size():
    named = name_instances("job_shop", ("a", "0=3 1=2 | 1=2 0=4"), ("b", "0=3 | 0=4"))
    assert len(find_sizes(named)) == 4
    assert read(find_sizes(named)) == ({"a": 4, "b": 2}, "operations")


def test_a_model_declares_the_size_and_without_it_variables_are_counted():
    declared = [("a", state(7).text), ("b", state(8.5).text)]
    assert read(find_sizes(name_instances("problem", *declared))) == ({"a": 7, "b": 8.5}, "size")
    mixed = name_instances("problem", *declared[:1], ("c", state().text))
    assert read(find_sizes(mixed)) == ({"a": 2, "c": 2}, "variables"), "of one unit"
    assert read(find_sizes(mixed, most=1)) == ({"a": 7}, "size")


def test_names_declare_sizes_where_texts_are_not_there():
    named = name_instances("queens", ("queens-12", ""), ("hard-3", None))
    assert read(find_sizes(named)) == ({"queens-12": 12}, "queens")
    assert read(find_sizes(named, "name"))[0] == {"queens-12": 12, "hard-3": 3}
    text = name_instances("queens", ("queens-12", "6"))
    assert read(find_sizes(text)) == ({"queens-12": 6}, "queens"), "the text counts"


def test_variables_are_counted_where_they_are_asked_for():
    named = name_instances("latin", ("a", "4:" + "." * 16))
    assert read(find_sizes(named)) == ({"a": 4}, "rows")
    assert read(find_sizes(named, "variables")) == ({"a": 16}, "variables")


def test_a_column_is_the_median_over_the_jobs():
    named = name_instances("queens", ("a", "6"), ("b", "7"))
    jobs = pd.DataFrame(
        {"set": "s", "instance": ["a", "a", "a"], "wall_s": [1.0, 2.0, 9.0], "backend": "x"}
    )
    assert read(find_sizes(named, "wall_s", lambda: jobs)) == ({"a": 2}, "wall_s")
    with pytest.raises(InputError, match=r"no column 'wal_s'.*did you mean 'wall_s'"):
        find_sizes(named, "wal_s", lambda: jobs)
    with pytest.raises(InputError, match="the column wall_s is empty"):
        find_sizes(named, "wall_s", lambda: jobs.assign(instance="c"))


@pytest.mark.parametrize(
    ("size", "cause"),
    [
        ("declared", r"no instance is named after its family.*--size"),
        ("variables", "keeps no texts of which variables"),
        ("name", "no name ends in a number"),
    ],
)
def test_sizes_that_are_not_there_are_an_error_with_a_remedy(size, cause):
    with pytest.raises(InputError, match=cause):
        find_sizes(name_instances("queens", ("hard", "")), size)
    assert len(find_sizes(name_instances("queens"), size)) == 0, "a run without answers"
