"""Two runs compared: ratios, verdicts, what is in one alone, and the gate."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np
import pandas as pd
import pytest
from harness_samples import job, make_run, row

from harness.job import Question
from harness.machine import this_machine
from harness.record import FATES, Version
from harness.report.differences import (
    Differences,
    Side,
    compare_sides,
    find_grade,
    find_least_pairs,
    list_faults,
    list_unclear,
    take_side,
)
from harness.report.differences.text import lay_out_differences, write_json, write_markdown
from harness.report.statistics.significance import compare_signed_ranks, correct_by_holm
from modelling.errors import InputError

SECONDS = tuple(0.01 * 1.3**k for k in range(24))


def side(seconds: Sequence[float] = SECONDS, backend: str = "one", **more: Any) -> Side:
    """A side on which a backend solved an instance in each of ``seconds``."""
    rows = [
        {
            "set": "tiny",
            "ask": "1",
            "instance": str(place),
            "backend": backend,
            "family": "tiny",
            "fate": "verified",
            "solved": True,
            "wall_s": s,
            "seconds": s,
            "limit_s": 10.0,
            "digest": f"d{place}",
            "answer": "SATISFIABLE",
        }
        | more
        for place, s in enumerate(seconds)
    ]
    return Side(pd.DataFrame(rows))


def change(one: Side, place: int, **cells: Any) -> Side:
    """The side with another answer to one of its instances."""
    answers = one.answers.copy()
    for name, value in cells.items():
        answers.loc[place, name] = value
    return replace(one, answers=answers)


def join(*sides: Side) -> Side:
    return Side(pd.concat([one.answers for one in sides], ignore_index=True))


def scale(factor: float, spread: float = 0.0) -> list[float]:
    """The seconds times ``factor``, with noise."""
    noise = np.random.default_rng(5).normal(0, spread, len(SECONDS))
    return list(np.array(SECONDS) * factor * np.exp(noise))


def only(found: Differences) -> Any:
    (one,) = found.backends.itertuples()
    return one


# --- statistics ----------------------------------------------------------------------------


def test_holm_as_worked_by_hand() -> None:
    found = correct_by_holm([0.01, 0.04, 0.03, float("nan")])
    assert found[:3] == pytest.approx([0.03, 0.06, 0.06])
    assert isnan(found[3])
    assert correct_by_holm([0.9, 0.8]) == [1.0, 1.0]


def test_signed_ranks_as_counted_by_hand() -> None:
    """All six on one side: 2 of the 64 signs are as extreme."""
    assert compare_signed_ranks(np.arange(1.0, 7.0)) == pytest.approx(2 / 64)
    assert compare_signed_ranks(np.zeros(9)) == 1.0
    logs = np.array([0.5, -0.2, 0.0, 0.9, 0.4, -0.1, 0.7])
    stats = pytest.importorskip("scipy.stats")
    assert compare_signed_ranks(logs) == pytest.approx(stats.wilcoxon(logs[logs != 0]).pvalue)


def test_it_needs_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    assert only(compare_sides(side(), side())).change == "alike"


@pytest.mark.parametrize(("backends", "least"), [(1, 6), (2, 7), (5, 8)])
def test_the_least_number_of_pairs_reaches_the_level(backends: int, least: int) -> None:
    assert find_least_pairs(backends) == least
    assert backends * 2.0 ** (1 - least) <= 0.05


def test_every_fate_has_a_grade() -> None:
    grades = [find_grade(fate) for fate in FATES]
    assert grades == sorted(grades)


# --- speed ---------------------------------------------------------------------------------


def test_a_run_and_itself_are_alike() -> None:
    found = compare_sides(side(), side())
    assert (only(found).ratio, only(found).p, only(found).change) == (1.0, 1.0, "alike")
    assert list_faults(found, 1.0, True) == []


@pytest.mark.parametrize(
    ("factor", "word"), [(1.5, "slower"), (1 / 1.5, "faster"), (1.001, "alike")]
)
def test_a_change_beyond_noise_has_a_name(factor: float, word: str) -> None:
    one = only(compare_sides(side(), side(scale(factor, 0.1))))
    assert one.change == word
    assert one.low < one.ratio < one.high
    assert one.new_s / one.base_s == pytest.approx(one.ratio)
    assert one.ratio == pytest.approx(factor, rel=0.1)


def test_much_noise_leaves_a_change_unclear() -> None:
    assert only(compare_sides(side(), side(scale(1.2, 2.0)))).change == "unclear"


def test_the_gate_asks_for_more_than_the_factor_and_more_than_noise() -> None:
    found = compare_sides(side(), side(scale(1.3, 0.1)))
    ratio = only(found).ratio
    (fault,) = list_faults(found, ratio - 0.01, False)
    assert fault.startswith(f"one is slower than {ratio - 0.01:g} times: {ratio:.2f} [")
    assert list_faults(found, ratio + 0.01, False) == []
    noisy = compare_sides(side(), side(scale(2.2, 2.0)))
    assert only(noisy).ratio > 1.2
    assert list_faults(noisy, 1.2, False) == []


def test_unsolved_instances_have_no_ratio() -> None:
    late = change(side(), 3, solved=False, fate="timeout", answer="timeout", wall_s=10.0)
    found = compare_sides(side(), late)
    assert (only(found).pairs, only(found).timed, only(found).ratio) == (24, 23, 1.0)


def test_few_pairs_are_no_evidence_and_a_gate_without_any_is_refused() -> None:
    found = compare_sides(side(SECONDS[:5]), side(scale(3.0)[:5]))
    assert only(found).change == "too few"
    assert list_faults(found, None, True) == []
    with pytest.raises(InputError, match=r"cannot judge one: too few .* at least 6"):
        list_faults(found, 1.2, False)
    assert list_unclear(found, 1.2) == [
        "--fail-slower cannot judge one: 5 instances solved in both runs, 6 are needed"
    ]
    wrong = change(side(SECONDS[:5]), 2, fate="wrong", solved=False)
    found = compare_sides(side(SECONDS[:5]), wrong)
    assert list_faults(found, 1.2, True) == ["1 verdict got worse"]  # and no refusal


def test_a_gate_that_may_have_missed_something_says_so() -> None:
    found = compare_sides(side(), side(scale(1.2, 0.2)))
    assert only(found).ratio < 1.2 < only(found).high
    assert list_faults(found, 1.2, False) == []
    (said,) = list_unclear(found, 1.2)
    assert said.startswith("one may be slower than 1.2 times: ")
    assert list_unclear(found, 3.0) == []


def test_families_are_measured_apart() -> None:
    base = join(side(), side(family="other", set="other"))
    new = join(side(scale(2.0, 0.1)), side(family="other", set="other"))
    found = compare_sides(base, new)
    assert dict(zip(found.families["family"], found.families["change"], strict=True)) == {
        "other": "alike",
        "tiny": "slower",
    }


def test_another_name_takes_the_place_of_a_backend() -> None:
    both = join(side(), side(scale(1.5, 0.1), backend="two"))
    one = only(compare_sides(both, both, {"one": "two"}))
    assert (one.backend, one.new_backend, one.change) == ("one", "two", "slower")
    with pytest.raises(InputError, match="NEW has no backend 'twoo'; did you mean 'two'"):
        compare_sides(both, both, {"one": "twoo"})


# --- verdicts ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "new", "word"),
    [
        ({}, {"fate": "timeout", "solved": False, "answer": "timeout"}, "worse"),
        ({}, {"fate": "wrong", "solved": False}, "worse"),
        ({}, {"answer": "UNSATISFIABLE"}, "worse"),
        ({}, {"fate": "unwitnessed"}, None),
        ({"fate": "timeout", "solved": False}, {}, "better"),
        ({"fate": "disputed", "solved": False}, {"fate": "wrong", "solved": False}, "worse"),
        (
            {"fate": "timeout", "solved": False, "answer": "timeout"},
            {"fate": "memout", "solved": False, "answer": "memout"},
            "changed",
        ),
        ({"wall_s": 6.0}, {"fate": "timeout", "solved": False}, "borderline"),
        ({"wall_s": 6.0}, {"fate": "crashed", "solved": False}, "worse"),
        ({"fate": "timeout", "solved": False}, {"wall_s": 6.0}, "borderline"),
    ],
)
def test_a_verdict_that_changed(base: Any, new: Any, word: str | None) -> None:
    found = compare_sides(change(side(), 2, **base), change(side(), 2, **new))
    assert list(found.verdicts["change"]) == ([] if word is None else [word])
    faults = list_faults(found, None, True)
    assert faults == (["1 verdict got worse"] if word == "worse" else [])
    assert list_faults(found, None, False) == []


def test_the_worst_verdict_comes_first() -> None:
    new = change(side(), 1, fate="timeout", solved=False)
    new = change(new, 5, fate="wrong", solved=False)
    base = change(side(), 0, fate="timeout", solved=False)
    found = compare_sides(base, new)
    assert list(found.verdicts["instance"]) == ["5", "1", "0"]


# --- what is not compared ------------------------------------------------------------------


def test_what_is_in_one_run_alone() -> None:
    base, new = join(side(), side(backend="old")), side([*SECONDS, 1.0])
    found = compare_sides(base, new)
    assert found.lone.to_numpy().tolist() == [
        ["BASE", "backend", "old"],
        ["NEW", "instance", "tiny 24 (asked for: 1)"],
    ]


def test_another_instance_of_the_same_name_is_left_out() -> None:
    found = compare_sides(side(), change(side(), 7, digest="another", wall_s=9.0))
    assert only(found).pairs == 23
    assert found.circumstances == ["instances of one name that are not the same, left out: tiny 7"]


def test_runs_with_nothing_in_common_are_refused() -> None:
    with pytest.raises(InputError, match="nothing in common"):
        compare_sides(side(), side(backend="two"))


def test_circumstances_that_differ_are_named() -> None:
    machine = this_machine()
    other = type(machine)(
        **{f: getattr(machine, f) for f in machine.__struct_fields__} | {"cores": 99}
    )
    base = replace(
        side(), machines=[machine], versions=[Version(backend="one", solver="9.14", concord="1")]
    )
    new = replace(
        side(limit_s=20.0),
        machines=[other],
        versions=[Version(backend="one", solver="9.15", concord="2")],
        doubts=["3 of 9 jobs have not ended"],
    )
    found = compare_sides(base, new)
    said = found.circumstances
    assert said[0].startswith(f"machine: cores {machine.cores} in BASE, cores 99 in NEW")
    assert "one: 9.14 in BASE, 9.15 in NEW" in said
    assert "Concord: 1 in BASE, 2 in NEW" in said
    assert "limit: 10 s in BASE, 20 s in NEW, of 24 pairs; verdicts change by that alone" in said
    assert found.doubts == ["NEW: 3 of 9 jobs have not ended"]


def test_a_short_name_that_means_two_backends_is_named() -> None:
    base = replace(side(), names={"one": "cpsat"})
    assert compare_sides(base, base).circumstances == []
    said = compare_sides(base, replace(side(), names={"one": "sat"})).circumstances
    assert said == ["one: it is cpsat in BASE, sat in NEW"]
    said = compare_sides(base, side(backend="sat"), {"one": "sat"}).circumstances
    assert said == []  # two backends are compared on purpose


# --- from a run ----------------------------------------------------------------------------


def test_a_side_is_taken_of_a_run() -> None:
    answered = {"status": "SATISFIABLE", "count": 2, "wall_s": 0.5, "cpu_s": 0.25}
    jobs = [
        job(1, question=Question(limit=None), repeat=1),
        job(2, question=Question(limit=None), repeat=2),
        job(3, text="2 2 -"),
    ]
    run = make_run(
        [
            row(jobs[0], instance_digest="abc", **answered),
            row(jobs[1], outcome="timeout"),
            row(jobs[2], outcome="refused"),
            row(job(4, "4 4 -", question=Question(limit=None)), **answered),
        ]
    )
    taken = take_side(run, "cpu").answers.set_index("instance")
    assert taken.loc["3 4 -", "answer"] == "timeout"  # that of the worst repeat
    assert taken.loc["3 4 -", "fate"] == "timeout"
    assert taken.loc["4 4 -", "answer"] == "SATISFIABLE, 2 solutions"
    assert taken.loc["3 4 -", "digest"] == "abc"
    assert taken.loc["3 4 -", "seconds"] == 0.25
    assert taken.loc["2 2 -", "answer"] == "refused"


# --- as text -------------------------------------------------------------------------------


@pytest.fixture
def many() -> Differences:
    """Two runs with everything that may be shown, and names that are not friendly."""
    nasty = "<script>alert(1)</script>|`[x](http://y)`"
    base = join(side(), side(backend=nasty, family="other", set="other"), side(backend="old"))
    new = join(
        change(side(scale(1.5, 0.1)), 0, fate="wrong", solved=False, instance="0"),
        side(scale(2.0), backend=nasty, family="other", set="other"),
    )
    return compare_sides(base, new)


def test_the_screen_fits(many: Differences) -> None:
    for wide in (False, True):
        for heading, lines in lay_out_differences(many, 80, wide):
            assert max(map(len, [heading, *lines])) <= 80, heading
    first = " ".join(lay_out_differences(many, 80)[0][1])
    assert first.startswith("Slower (time in NEW / BASE): ")
    assert "Verdicts of 48 pairs: 1 got worse." in first


def test_markdown_has_no_html(many: Differences) -> None:
    text = write_markdown(many, ["<b>bad</b> is slower"], wide=True)
    assert "<script" not in text
    assert "<b>" not in text
    assert text.startswith("**Failed:** ")
    assert "](http" not in text.replace("\\](", "").replace("]\\(", "")


def test_json_has_all(many: Differences) -> None:
    taken = json.loads(write_json(many, ["a fault"]))
    assert taken["faults"] == ["a fault"]
    assert not taken["passed"]
    assert [one["change"] for one in taken["verdicts"]] == ["worse"]
    assert {one["backend"] for one in taken["backends"]} == set(many.backends["backend"])
    assert taken["lone"] == [{"run": "BASE", "what": "backend", "name": "old"}]
