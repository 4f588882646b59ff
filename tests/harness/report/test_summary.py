"""The summary over all sets: every figure beside one that was worked out by hand."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from harness_samples import job, list_jobs, make_run, read_columns
from msgspec import structs

from harness import statistics
from harness.record import FAILED, FATES, OUTCOMES, SOLVED, Record, Row, Verdict
from harness.report.run import Run
from harness.report.sentences import name_inexact
from harness.report.standings import count_fates, find_standings
from harness.report.tables import make_summary, make_timing

Answer = tuple[str, str, str, float | str]
"""Set, instance, backend, and seconds of a verified answer or a word for what happened."""

LIMIT = 10.0


def rows_of(answers: list[Answer], limit: float | None = LIMIT) -> list[Row]:
    """Rows with made-up times; a word is an outcome, or a verdict on a finished answer of 1 s."""
    rows = []
    for number, (set_name, instance, backend, what) in enumerate(answers, 1):
        seconds, outcome, verdict = 1.0, "finished", "verified"
        if isinstance(what, float):
            seconds = what
        elif what in FAILED:
            outcome, verdict = what, "unverified"
        else:
            verdict = what
        asked = structs.replace(job(number, instance, backend, seconds=limit), set=set_name)
        error = f"cannot, for {outcome}" if outcome in ("refused", "error") else ""
        record = Record(job=number, outcome=outcome, wall_s=seconds, error=error)  # type: ignore[arg-type]
        known = {"verified": 2, "unwitnessed": 1}.get(verdict, 0)
        evidence = "as made up" if verdict in ("wrong", "disputed") else ""
        judged = Verdict(job=number, verdict=verdict, evidence=evidence, families=known)  # type: ignore[arg-type]
        rows.append(Row(job=asked, record=record, verdict=judged))
    return rows


def jobs_of(answers: list[Answer], limit: float | None = LIMIT) -> pd.DataFrame:
    return list_jobs(rows_of(answers, limit))


def run_of(answers: list[Answer]) -> Run:
    return make_run(rows_of(answers))


def summary(jobs: pd.DataFrame) -> pd.DataFrame:
    return make_summary(find_standings(jobs))


def timing(jobs: pd.DataFrame) -> pd.DataFrame:
    return make_timing(find_standings(jobs))


TWO: list[Answer] = [
    *(("s", "1", "a", 1.0), ("s", "1", "b", 2.0)),
    *(("s", "2", "a", 4.0), ("s", "2", "b", 1.0)),
    *(("t", "3", "a", 1.0), ("t", "3", "b", 3.0)),
]


def test_the_figures_of_two_backends() -> None:
    found = summary(jobs_of(TWO)).set_index("backend")
    assert list(found.index) == ["a", "b"]  # equal counts, equal mean: by name
    assert list(found["rank"]) == [1, 1]
    a, b = found.loc["a"], found.loc["b"]
    assert (a["instances"], a["solved"], a["verified"], a["sets"]) == (3, 3, 3, 2)
    assert a["questions"] == 2
    assert (a["par2_s"], b["par2_s"]) == (2.0, 2.0)
    assert (a["wins"], b["wins"]) == (2, 1)
    assert (a["sets_won"], b["sets_won"]) == (1, 1)  # s by PAR-2: a 2.5, b 1.5
    assert a["relative"] == pytest.approx(4 ** (1 / 3))
    assert b["relative"] == pytest.approx((2 * 3) ** (1 / 3))
    assert b["to_first"] == pytest.approx((2 * 0.25 * 3) ** (1 / 3))
    assert (b["both"], a["to_first"]) == (3, 1)


def test_par2_counts_what_is_unsolved_as_twice_its_limit() -> None:
    answers: list[Answer] = [("s", "1", "a", 1.0), ("s", "2", "a", "timeout")]
    assert summary(jobs_of(answers))["par2_s"][0] == (1 + 2 * LIMIT) / 2
    assert timing(jobs_of(answers))["par2_s"][0] == (1 + 2 * LIMIT) / 2


def test_par2_without_a_limit_is_infinite_where_something_is_unsolved() -> None:
    answers: list[Answer] = [("s", "1", "a", 1.0), ("s", "2", "a", 3.0)]
    assert summary(jobs_of(answers, None))["par2_s"][0] == 2
    broken: list[Answer] = [*answers, ("s", "3", "a", "crashed")]
    for table in (summary, timing):
        assert table(jobs_of(broken, None))["par2_s"][0] == math.inf
        assert table(jobs_of(broken))["par2_s"][0] == (1 + 3 + 20) / 3


def test_ranking_is_by_verified_then_unwitnessed_then_par2() -> None:
    answers: list[Answer] = []
    fates = {
        "liar": [0.1, 0.1, 0.1, "wrong"],
        "slow": [9.0, 9.0, 9.0, "timeout"],
        "quick": [0.1, 0.1, "unwitnessed", "timeout"],
        "quickest": [0.1, 0.1, "timeout", "timeout"],
        "alone": [0.1, "unwitnessed", "unwitnessed", "unwitnessed"],
        "disputed": [0.1, 0.1, "disputed", "disputed"],
    }
    for backend, its in fates.items():
        answers += [("s", str(n), backend, what) for n, what in enumerate(its)]
    found = summary(jobs_of(answers)).set_index("backend")
    order = ["slow", "quick", "disputed", "quickest", "alone", "liar"]
    assert list(found.index) == order
    assert list(found["disqualified"]) == [False] * 5 + [True]
    assert list(found["solved"]) == [3, 3, 2, 2, 4, 3]
    assert list(found["disputed"]) == [0, 0, 2, 0, 0, 0]
    assert found.loc["liar", "wins"] == found.loc["liar", "sets_won"] == 0


def test_every_instance_has_one_fate_and_the_worst_repeat_decides() -> None:
    worst = [fate for fate in FATES if fate != "skipped"]  # beside others that does not count
    for place, fate in enumerate(worst):
        old = {"verified": "verified", "unwitnessed": "unwitnessed"}
        answers: list[Answer] = [
            ("s", "1", "a", old.get(word, word)) for word in worst[: place + 1]
        ]
        (row,) = summary(jobs_of(answers)).to_dict("records")
        assert row[fate] == row["instances"] == 1
        assert sum(row[word] for word in worst) == 1
        assert row["failed"] == (fate in FAILED)
        assert row["solved"] == (fate in SOLVED)


def test_what_nobody_has_verified_yet_is_not_solved() -> None:
    standings = find_standings(jobs_of([("s", "i", "a", "unverified"), ("s", "i", "b", 1.0)]))
    assert dict(
        zip(standings.instances["backend"], standings.instances["solved"], strict=True)
    ) == {"a": False, "b": True}


def test_a_late_answer_that_is_refuted_is_wrong() -> None:
    rows = rows_of([("s", "1", "a", "timeout")])
    rows = [structs.replace(rows[0], verdict=Verdict(job=1, verdict="wrong"))]
    assert summary(list_jobs(rows))["wrong"][0] == 1


def test_a_disqualified_backend_is_no_virtual_best() -> None:
    answers: list[Answer] = [
        *(("s", "1", "liar", 0.001), ("s", "2", "liar", "wrong")),
        *(("s", "1", "a", 1.0), ("s", "2", "a", 2.0)),
    ]
    found = summary(jobs_of(answers)).set_index("backend")
    assert found.loc["a", "relative"] == 1
    assert found.loc["liar", "relative_note"] == "disqualified"
    assert math.isnan(found.loc["liar", "relative"])


def test_relative_is_blank_with_the_reason_where_instances_are_unsolved() -> None:
    answers: list[Answer] = [
        *(("s", "1", "a", 1.0), ("s", "2", "a", "refused"), ("s", "3", "a", "refused")),
        *(("s", "1", "b", 2.0), ("s", "2", "b", "timeout"), ("s", "3", "b", "refused")),
    ]
    found = summary(jobs_of(answers)).set_index("backend")
    assert found["relative"].isna().all()
    assert found["relative_low"].isna().all()
    assert list(found["relative_note"]) == ["2 refused", "2 unsolved"]
    assert list(found["reason"]) == ["cannot, for refused", "cannot, for refused"]
    assert list(found["failed"]) == [2, 2]


def test_times_below_the_resolution_of_the_clock_are_all_alike() -> None:
    answers: list[Answer] = [("s", "1", "a", 0.0), ("s", "1", "b", 0.9e-6), ("s", "1", "c", 2e-6)]
    found = summary(jobs_of(answers)).set_index("backend")
    assert list(found["relative"]) == [1, 1, pytest.approx(2)]
    assert list(found["wins"]) == [1, 1, 0]


# --- intervals -----------------------------------------------------------------------------


def test_an_interval_holds_the_mean_and_is_the_same_again() -> None:
    ratios = [1.0, 2.0, 4.0, 8.0, 3.0, 5.0]
    low, high = statistics.interval(ratios, ["s"] * 6)
    assert 1 < low < statistics.geometric_mean(ratios) < high < 8
    assert (low, high) == statistics.interval(ratios, ["s"] * 6)


def test_an_interval_of_one_set_is_that_of_students_t() -> None:
    logs = [0.1, 0.5, -0.2, 0.9, 0.4, 0.3, 0.0, 0.8]
    low, high = statistics.interval([math.exp(log) for log in logs], ["s"] * 8)
    # mean 0.35, standard deviation 0.3817, quantile of 7 degrees of freedom 2.3646
    assert math.log(low) == pytest.approx(0.35 - 0.3191, abs=1e-3)
    assert math.log(high) == pytest.approx(0.35 + 0.3191, abs=1e-3)


def test_ratios_that_only_arithmetic_tells_apart_are_equal() -> None:
    low, high = statistics.interval([0.3, 0.1 * 3, 0.3 * (1 + 1e-13)] * 2, ["s"] * 6)
    assert low == high == pytest.approx(0.3)
    low, high = statistics.interval([0.3, 0.3, 0.3 * (1 + 1e-9)] * 2, ["s"] * 6)
    assert low < high


def test_sets_are_given_and_only_their_instances_are_a_sample() -> None:
    two_sets = statistics.interval([2.0] * 3 + [8.0] * 3, [*"sss", *"ttt"])
    assert two_sets == (pytest.approx(4), pytest.approx(4))
    low, high = statistics.interval([2.0] * 3 + [8.0] * 3, ["s"] * 6)
    assert 1 < low < 4 < high < 16


def test_sets_have_their_parts_in_the_error_by_their_sizes() -> None:
    logs = [0.0, 1.0, 2.0, 3.0, 10.0, 12.0]
    low, high = statistics.interval([math.exp(log) for log in logs], [*"ssss", *"tt"])
    parts = 4 * (5 / 3) / 36, 2 * 2 / 36
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 2) - 1
    half = statistics.find_t_quantile(0.975, freedom) * math.sqrt(sum(parts))
    assert math.log(low) == pytest.approx(28 / 6 - half)
    assert math.log(high) == pytest.approx(28 / 6 + half)


def test_sets_of_one_instance_are_one_set() -> None:
    ratios = [1.0, 2.0, 4.0, 8.0, 3.0, 5.0]
    apart = statistics.interval(ratios, list("stuvwx"))
    assert apart == statistics.interval(ratios, ["s"] * 6)
    assert apart[0] < apart[1]
    some = statistics.interval([1.0, 4.0, *[3.0] * 4], [*"st", *"uuuu"])
    assert some == statistics.interval([1.0, 4.0, *[3.0] * 4], [*"ss", *"uuuu"])


def test_one_set_of_one_instance_is_in_the_smallest_other() -> None:
    strata = [*"ssss", *"tt", "u"]
    found = statistics.interval([1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 8.0], strata)
    assert found == statistics.interval([1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 8.0], [*"ssss", *"ttt"])
    assert found[0] < 32 ** (1 / 7) < found[1]


def test_sets_of_one_instance_have_the_variance_of_the_others_where_these_vary() -> None:
    logs = [0.0, 2.0, 5.0, 8.0, 20.0, 30.0]
    found = statistics.interval([math.exp(log) for log in logs], [*"sstt", "u", "v"])
    # sums of squares 2 and 4.5 with a degree of freedom each; n 2, 2, 1, 1
    parts = 2 * (2 / 1 + 2 / 2) / 36, 4.5 * (2 / 1 + 2 / 2) / 36
    assert sum(parts) == pytest.approx((2 * 2 + 2 * 4.5 + 2 * (2 + 4.5) / 2) / 36)
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 2) - 1
    half = statistics.find_t_quantile(0.975, freedom) * math.sqrt(sum(parts))
    assert [math.log(end) for end in found] == pytest.approx([65 / 6 - half, 65 / 6 + half])
    more = statistics.interval([math.exp(log) for log in [*logs, 1.0]], [*"sstt", "u", "v", "w"])
    joined = statistics.interval([math.exp(log) for log in [*logs, 1.0]], [*"sstt", *"uuu"])
    assert more == joined, "more sets of one instance than degrees of freedom"


def test_of_fewer_than_six_there_is_no_interval() -> None:
    assert all(map(math.isnan, statistics.interval([1.0, 2.0, 3.0, 4.0, 5.0], ["s"] * 5)))
    assert all(map(math.isnan, statistics.interval([], [])))


@pytest.mark.parametrize("freedom", [1.0, 1.3, 2.0, 3.7, 10.0, 100.0, 1e5])
def test_quantiles_of_students_t_are_those_of_scipy(freedom: float) -> None:
    t = pytest.importorskip("scipy.stats").t
    for p in (0.9, 0.975, 0.995):
        assert statistics.find_t_quantile(p, freedom) == pytest.approx(t.ppf(p, freedom), rel=1e-8)


# --- who won -------------------------------------------------------------------------------


def said(answers: list[Answer]) -> str:
    return run_of(answers).headline


def several(times: dict[str, list[float | str]], sets: int = 1) -> list[Answer]:
    return [
        (f"set{s}", str(n), backend, what)
        for s in range(sets)
        for backend, its in times.items()
        for n, what in enumerate(its)
    ]


def test_the_winner_in_a_sentence() -> None:
    times: dict[str, list[float | str]] = {"a": [1.0, 1.0, 1.0], "b": [2.0, 3.0, 4.0]}
    sentence = said(several(times, 2))
    assert sentence.startswith("a is fastest on 2 of 2 sets, 2.9 times faster than b overall [2.")
    assert sentence.endswith("]; every answer verified.")
    one = said(several(times))
    assert one.startswith("a is fastest on each of 3 instances, too few for an error: 2.9 times ")


@pytest.mark.parametrize(
    ("times", "sentence"),
    [
        (
            {"a": [1.0, 1.0]},
            "a solved all 2 instances; no other backend to compare with; every answer verified.",
        ),
        ({"a": ["timeout"]}, "a did not solve the one instance."),
        ({"a": ["timeout"] * 2, "b": ["refused"] * 2}, "No backend solved any of the 2 instances."),
        (
            {"a": [1.0, "wrong"], "b": ["timeout"] * 2},
            "No backend is ranked: none that solved anything is without a wrong answer. "
            "a is disqualified: 1 wrong answer.",
        ),
        (
            {"a": [1.0, "unwitnessed"], "b": ["timeout"] * 2},
            "only a is ranked: it solved all 2 instances; of 2 answers 1 unwitnessed "
            "(add --witness), 2 questions not answered (2 timeout).",
        ),
        (
            {"a": [1.0, 1.0], "b": [1.0, 1.0]},
            "a and b are level: all 2 instances solved each, in the same time; "
            "every answer verified.",
        ),
        (
            {"a": [1.0, 1.0], "b": [2.0, "timeout"]},
            "a ranks first with 2 of 2 verified where b has 1 of 2 verified, b took 2.0 times as "
            "long on the one instance that both solved; 3 answers verified, 1 question not "
            "answered (1 timeout).",
        ),
        (
            {"a": [1.0, 1.0, "timeout"], "b": ["timeout", "timeout", 1.0]},
            "a ranks first with 2 of 3 verified where b has 1 of 3 verified, no instance was "
            "solved by both it and b; 3 answers verified, 3 questions not answered (3 timeout).",
        ),
        (
            {"a": [5.0] * 3, "b": [1.0, 1.0, "refused"]},
            "a ranks first with 3 of 3 verified where b has 2 of 3 verified, though b is 5.0 "
            "times faster where both solved it (2 instances, too few for an error); 5 answers "
            "verified, 1 question not answered (1 refused).",
        ),
        (
            {"a": [1.0, 1.1] * 3, "b": [1.1, 1.01] * 3},
            "a and b are equally fast within the error (b takes 1.00 [0.91, 1.11] times as long);",
        ),
        (
            {"a": [1.0, 1.1], "b": [1.1, 1.01]},
            "a ranks first, but 2 instances are too few to distinguish them (b takes 1.00 times as",
        ),
        (
            {"a": [1.0, 5.0, 5.0] * 2, "b": [0.1, 9.0, 9.0] * 2},
            "a and b cannot be distinguished with 6 instances (b takes 0.69 [",
        ),
        (
            {"a": [2.0, 2.0, 3.0], "b": [1.0, 1.0, 9.0], "c": [4.0, 4.0, 9.0]},
            "a ranks first, but 3 instances are too few to distinguish them (b takes 0.91 times as",
        ),
        (
            {"a": [*[2.0] * 19, 9.0], "b": [*[1.0] * 19, 40.0]},
            "a ranks first (lowest PAR-2), though b is 1.79 times faster overall [",
        ),
        (
            {"a": [*[2.0] * 19, 9.0], "b": [*[4.0] * 19, 9.0], "c": [*[1.0] * 19, 80.0]},
            "a ranks first (lowest PAR-2), 1.93 times faster than b overall [",
        ),
    ],
)
def test_the_sentence_fits_what_happened(
    times: dict[str, list[float | str]], sentence: str
) -> None:
    assert said(several(times)).startswith(sentence)


def test_who_is_fastest_on_more_sets_is_told_too() -> None:
    answers = several({"a": [2.0, 2.0], "b": [1.0, 1.0]}, 3)
    answers = [a if a[:3] != ("set2", "0", "b") else (*a[:3], "refused") for a in answers]
    assert "is fastest on 1 of 3 sets, though b is 2.0 times faster where both" in said(answers)
    assert said(answers).endswith(
        "b is fastest on 2 of 3 sets, but solved 5 of 6 instances (1 refused)."
    )


def test_a_run_without_a_record_has_a_sentence() -> None:
    assert said([]) == "No job has ended yet."


# --- exit status ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "found"),
    [
        ({"a": [1.0, 1.0], "b": [1.0, "timeout"]}, []),
        ({"a": [1.0, "refused"], "b": ["refused"] * 2}, []),
        ({"a": [1.0, 1.0], "b": ["timeout"] * 2}, ["b: it answered none of 2 instances"]),
        ({"a": [1.0, 1.0], "b": ["refused", "memout"]}, ["b: it answered none of 1 instance"]),
        ({"a": [1.0, 1.0], "b": ["gave_up"] * 2}, ["b: it answered none of 2 instances"]),
        ({"a": [1.0, 1.0], "b": ["crashed"] * 2}, ["b: 2 of 2 instances crashed"]),
        ({"a": [1.0, 1.0], "b": [1.0, "error"]}, ["b: 1 of 2 instances error: cannot, for error"]),
        ({"a": [1.0, 1.0], "b": [1.0, "lost"]}, ["b: 1 of 2 instances lost"]),
        ({"a": [1.0, "wrong"]}, ["a: 1 of 2 instances wrong"]),
        ({"a": [1.0, "disputed"]}, ["a: 1 of 2 instances disputed"]),
        ({"a": [1.0, "unsupported"]}, ["a: unsupported without a reason"]),
        ({"a": ["unverified", "unverified"]}, []),
        ({"a": ["unwitnessed", "unwitnessed"]}, []),
    ],
)
def test_what_is_at_fault(times: dict[str, list[float | str]], found: list[str]) -> None:
    assert run_of(several(times)).faults == found


# --- columns -------------------------------------------------------------------------------


def test_every_column_is_in_the_dictionary_and_the_document() -> None:
    run, documented = run_of(TWO), read_columns()
    names = ["kinds", "sizes", "summary", "agreement", "timing", "optima", "reasons", "jobs"]
    assert list(documented) == names
    for name, meanings in documented.items():
        assert list(getattr(run, name).columns) == list(meanings), name
        assert all(text for _, text in meanings.values())
    seconds = {c: u for table in documented.values() for c, (u, _) in table.items()}
    assert all(unit == "s" for column, unit in seconds.items() if column.endswith("_s"))
    assert documented["jobs"]["outcome"][1] == f"what happened: {', '.join(OUTCOMES)}"
    assert documented["summary"]["failed"][1] == ", ".join(FAILED)


def test_a_run_in_a_notebook_is_escaped() -> None:
    html = run_of([("s", "1", "py:<b>&", 1.0)])._repr_html_()
    assert "<b>" not in html
    assert html.count("py:&lt;b&gt;&amp;") == 2
    assert "all the one instance" not in html
    assert "<table>" in html


def test_what_did_not_happen_is_counted_as_nothing() -> None:
    found = count_fates(pd.Series(["verified", "timeout", "timeout"]))
    assert {fate: number for fate, number in found.items() if number} == {
        "instances": 3,
        "solved": 1,
        "verified": 1,
        "timeout": 2,
        "failed": 2,
    }


def test_the_ratio_to_the_best_lies_in_its_interval() -> None:
    found = summary(jobs_of(several({"a": [1.0, 4.0, 1.0] * 2, "b": [2.0, 1.0, 3.0] * 2})))
    for row in found.itertuples():
        assert row.relative_low <= row.relative <= row.relative_high
        assert row.relative_low < row.relative_high


def test_the_longest_of_many_times() -> None:
    found = timing(jobs_of(several({"a": [float(n) for n in range(1, 151)]})))
    assert list(found["max_s"]) == [150]


def test_the_spread_is_told_for_each_backend_and_question() -> None:
    rows = []
    for number, (backend, seconds, repeat) in enumerate(
        [("a", 1.0, 1), ("a", 3.0, 2), ("b", 5.0, 1), ("b", 5.0, 2)], 1
    ):
        (row,) = rows_of([("s", "1", backend, seconds)])
        asked = structs.replace(row.job, number=number, repeat=repeat)
        record = structs.replace(row.record, job=number)
        judged = structs.replace(row.verdict, job=number)
        rows.append(Row(job=asked, record=record, verdict=judged))
    found = timing(list_jobs(rows)).set_index("backend")["spread"]
    assert found["a"] == pytest.approx((2 + 1.5) / 2)
    assert found["a"] > found["b"] == 1


def test_those_that_calculate_with_doubles_are_named() -> None:
    names = ["cpsat", "scip", "py:scip:Scip", "mathopt:gscip", "highs"]
    listed = pd.DataFrame({"backend": names, "unverified": [1, 1, 1, 1, 0]})
    assert name_inexact(listed, {}) == (
        "Inexact, so that UNSATISFIABLE, counts and optima by these alone are unverified: "
        "scip, mathopt:gscip."
    )
    assert name_inexact(listed[:1], {}) == ""
