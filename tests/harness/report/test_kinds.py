"""The first table: kinds, which weigh alike, and searches for an optimum by size."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from harness_samples import make_run
from msgspec import structs

from harness.job import Question
from harness.record import Row
from harness.report.first_screen import format_ratio, lay_out_kinds
from harness.report.kinds import make_sizes, name_sizes, write_which
from harness.report.run import Run
from harness.report.standings import name_kinds, weigh_kinds
from harness.report.terminal import lay_out
from tests.harness.report.test_summary import Answer, rows_of

OPTIMUM = Question(optimum=True)


def of_families(**answers: dict[str, list[float | str]]) -> Run:
    """A run with these families; for each the times of its backends on its instances."""
    given: list[Answer] = [
        (f"set-{family}", str(place), backend, what)
        for family, times in answers.items()
        for backend, its in times.items()
        for place, what in enumerate(its)
    ]
    rows = [
        structs.replace(row, job=structs.replace(row.job, family=row.job.set.removeprefix("set-")))
        for row in rows_of(given)
    ]
    return make_run(rows)


def lines_of(run: Run, width: int = 80) -> list[str]:
    return lay_out_kinds(run, {}, width)[1]


TWO_KINDS = of_families(many={"a": [1.0] * 8, "b": [2.0] * 8}, few={"a": [8.0] * 2, "b": [1.0] * 2})


def test_a_family_is_two_kinds_where_two_things_are_asked() -> None:
    families = pd.Series(["f", "f", "py:mine:Sums", "g"])
    asks = pd.Series(["1", "optimum", "optimum", "all"])
    assert list(name_kinds(families, asks)) == ["f", "f, optimum", "Sums", "g"]


def test_kinds_weigh_alike() -> None:
    part = pd.DataFrame({"kind": ["many"] * 3 + ["few"]})
    weights = weigh_kinds(part)
    assert weights.tolist() == pytest.approx([2 / 3] * 3 + [2])
    assert weights.mean() == pytest.approx(1)
    assert len(weigh_kinds(part[:0])) == 0


def test_the_summary_weighs_kinds_alike() -> None:
    row = TWO_KINDS.summary.set_index("backend").loc["b"]
    first = TWO_KINDS.summary["backend"][0]
    assert first == "b"  # PAR-2: (2 + 1) / 2, of a (1 + 8) / 2
    assert row["par2_s"] == pytest.approx(1.5)
    # times the virtual best: 2 on the one kind, 1 on the other
    assert row["relative"] == pytest.approx(np.sqrt(2))


def test_each_kind_has_its_own_ranking() -> None:
    found = TWO_KINDS.kinds.set_index(["kind", "backend"])
    assert found.loc[("many", "a"), "rank"] == 1
    assert found.loc[("few", "b"), "rank"] == 1
    assert found.loc[("many", "b"), "to_first"] == pytest.approx(2)


def test_the_table_says_who_is_first_who_is_next_and_who_is_not_for_it() -> None:
    run = of_families(
        one={"a": [1.0] * 8, "b": [2.0] * 8, "c": [30.0] * 8, "d": ["refused"] * 8},
        two={"a": [1.0] * 3, "b": [1.5] * 3, "c": ["wrong"] + [1.0] * 2, "d": [1.2] * 3},
    )
    assert lines_of(run)[:5] == [
        "kind      n  first  next                 not for it",
        "-------  --  -----  -------------------  ------------------------------",
        "one       8  a      b 2.0x [2.0,2.0]     d 8 refused, c elsewhere wrong",
        "two       3  a      d 1.2x, few          c 1 wrong",
        "overall  11  a      b 1.73x [1.73,1.73]",
    ]  # fmt: skip


def test_what_became_of_as_many_instances_of_the_first_excludes_nobody() -> None:
    run = of_families(
        one={name: [1.0] * 6 + ["timeout"] * 2 for name in "abc"} | {"d": ["timeout"] * 8}
    )
    assert lines_of(run)[2].endswith("  d 8 timeout")


def test_one_backend_alone_is_not_first() -> None:
    run = of_families(one={"a": [1.0] * 8}, two={"a": [1.0] * 3})
    heading, lines = lay_out_kinds(run, {}, 80)
    assert heading == "Which?  a, the only one"
    assert lines[0].split() == ["kind", "n", "backend", "next", "not", "for", "it"]
    assert run.headline.startswith("a solved all 11 instances; no other backend to compare with")


def test_every_line_of_the_table_fits() -> None:
    long = {f"py:package.module:{'Very' * 6}Long{n}": [float(n + 1)] * 7 for n in range(3)}
    run = of_families(one=long, other=long)
    for width in (60, 80, 120):
        heads = {str(name): "ABC"[place] for place, name in enumerate(run.summary["backend"])}
        assert max(map(len, lay_out_kinds(run, heads, width)[1])) <= width


def test_the_sentence_is_written_from_the_table() -> None:
    assert write_which(TWO_KINDS.kinds) == (
        "It depends on the kind: a is first on 1 of 2 kinds, b on few."
    )
    level = of_families(
        one={"a": [1.0] * 8, "b": [2.0] * 8},
        two={"a": [1.0] * 8, "b": [2.0] * 8},
        three={"a": [1.0, 2.01] * 5, "b": [2.0, 1.0] * 5},
    )
    assert write_which(level.kinds) == ("a is first on 2 of 3 kinds, and level with b on the rest.")
    assert lay_out_kinds(level, {}, 80)[0] == "Which?  a, first or level on each kind"
    same = of_families(one={"a": [1.0], "b": [2.0]}, two={"a": [1.0], "b": [2.0]})
    assert write_which(same.kinds) == "a is first on each of 2 kinds."
    assert same.headline.startswith("a is first on each of 2 kinds. With all kinds alike a is ")
    assert write_which(of_families(one={"a": ["timeout"]}, two={"a": ["refused"]}).kinds) == ""


def test_the_heading_names_both_where_the_error_is_larger_than_the_difference() -> None:
    run = of_families(one={"a": [1.0, 2.0] * 5, "b": [2.0, 1.001] * 5})
    heading, _ = lay_out_kinds(run, {}, 80)
    assert heading == "Which?  a or b: the error is larger than what they differ by"


def test_a_ranking_that_the_ratio_contradicts_says_by_what_it_is() -> None:
    run = of_families(one={"a": [1.0] * 8 + [2.0], "b": [0.5] * 8 + [9.0]})
    assert run.kinds["backend"][0] == "a"  # PAR-2: 1.1 and 1.4
    assert "PAR-2 1.3x" in lines_of(run)[2] or "unclear" in lines_of(run)[2]


@pytest.mark.parametrize(
    ("value", "text"), [(0.874, "0.87x"), (1.0, "1.0x"), (2.345, "2.3x"), (29.4, "29x")]
)
def test_a_ratio_has_two_digits(value: float, text: str) -> None:
    assert format_ratio(value) == text


# --- sizes ----------------------------------------------------------------------------------


def seek(answers: list[Answer], lengths: list[int]) -> Run:
    """A run in which the optimum is asked of instances whose texts have these lengths."""
    rows: list[Row] = []
    for row in rows_of(answers):
        text = "3" * lengths[int(row.job.instance)]
        rows.append(structs.replace(row, job=structs.replace(row.job, question=OPTIMUM, text=text)))
    return make_run(rows)


def test_instances_are_parted_by_the_lengths_of_their_texts() -> None:
    answers: list[Answer] = [("s", str(n), b, 1.0) for n in range(8) for b in ("a", "b")]
    sizes = make_sizes(seek(answers, [1, 2, 3, 4, 8, 7, 6, 5]).standings)
    assert list(sizes["size"].unique()) == ["small", "2", "3", "large"]
    assert set(sizes["instances"]) == {2}


def test_instances_are_parted_by_their_declared_sizes() -> None:
    answers: list[Answer] = [("s", str(n), b, 1.0) for n in range(8) for b in ("a", "b")]
    standings = seek(answers, [1] * 8).standings

    def declare(rows: pd.DataFrame, sizes: list[float]) -> pd.DataFrame:
        places = rows["instance"].astype(int)
        return rows.assign(size=[sizes[place - 1] for place in places], unit="cities")

    many = make_sizes(standings, lambda rows: declare(rows, [4, 9, 5, 7, 6, 8, 11, 10]))
    assert list(many["size"].unique()) == ["4-5", "6-7", "8-9", "10-11"]
    assert set(many["unit"]) == {"cities"}
    few = make_sizes(standings, lambda rows: declare(rows, [4, 4, 4, 4, 4, 6, 6, 5.5]))
    assert list(few["size"].unique()) == ["4", "5.5", "6"]
    assert list(few.drop_duplicates("size")["instances"]) == [5, 1, 2]
    part = make_sizes(standings, lambda rows: declare(rows, [4] * 8).iloc[:3])
    assert set(part["unit"]) == {"characters"}, "some have no declared size"


def test_a_few_sets_are_the_sizes() -> None:
    answers: list[Answer] = [(f"{n % 2}-set", str(n), "a", 1.0) for n in range(6)]
    sizes = make_sizes(seek(answers, [9, 1, 9, 1, 9, 1]).standings)
    assert list(sizes["size"]) == ["1-set", "0-set"]
    assert [name_sizes(number) for number in (1, 2, 3)] == [
        ["all"], ["small", "large"], ["small", "2", "large"]
    ]  # fmt: skip


# --- one instance ---------------------------------------------------------------------------


def test_one_instance_takes_at_most_twenty_lines() -> None:
    answers: list[Answer] = [("s", "1", f"backend-{n}", 1.0 + n) for n in range(5)]
    answers += [("s", "1", "late", "timeout"), ("s", "1", "unable", "refused")]
    shown = [
        line
        for heading, lines in lay_out(make_run(rows_of(answers)), 80)
        for line in (heading, *lines)
    ]
    assert len(shown) <= 20
    assert "late" in "\n".join(shown)
    assert "unable: cannot, for refused" in shown


def test_what_each_answered_to_the_one_instance_is_shown() -> None:
    answers: list[Answer] = [("s", "1", "a", 1.0), ("s", "1", "b", 3.0), ("s", "1", "c", "timeout")]
    ((_, _), (heading, lines), *_) = lay_out(make_run(rows_of(answers)), 80)
    assert heading == "s 1"
    assert [line.split()[0] for line in lines[2:5]] == ["a", "b", "c"]
    assert "3.0x" in lines[3]
    assert "timeout" in lines[4]
