"""Tables from fixed records: golden text, the figures in it, and what makes them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from harness_samples import job, list_jobs, outline_jobs, read_columns

from backends.interface.events import Step
from harness import statistics
from harness.job import Question
from harness.record import Record, Row, Verdict
from harness.report import table_text
from harness.report.jobs import JOBS, SEARCH, shorten_reason
from harness.report.kinds import make_kinds, make_sizes
from harness.report.optima import make_optima
from harness.report.standings import find_standings
from harness.report.tables import list_reasons, make_agreement, make_summary, make_timing

GOLDEN = Path(__file__).parent / "golden"

# instance -> backend -> (outcome, seconds, verdict, families)
FIXED = {
    "one": {
        "fast": ("finished", 0.001, "verified", 2),
        "slow": ("finished", 0.1, "verified", 2),
        "half": ("finished", 0.004, "verified", 2),
    },
    "two": {
        "fast": ("finished", 0.002, "verified", 2),
        "slow": ("finished", 0.4, "verified", 2),
        "half": ("timeout", 10.0, "unverified", 2),
    },
    "three": {
        "fast": ("finished", 0.003, "unwitnessed", 1),
        "slow": ("timeout", 10.0, "unverified", 1),
        "half": ("crashed", 0.5, "unverified", 1),
    },
    "four": {
        "fast": ("finished", 0.004, "wrong", 1),
        "slow": ("finished", 2.0, "verified", 1),
        "half": ("timeout", 10.0, "unverified", 1),
    },
    "five": {
        "fast": ("finished", 0.005, "disputed", 2),
        "slow": ("finished", 3.0, "disputed", 2),
        "half": ("error", 0.0, "unverified", 2),
    },
    "six": {
        "fast": ("timeout", 10.0, "unverified", 0),
        "slow": ("timeout", 10.0, "unverified", 0),
        "half": ("timeout", 10.0, "unverified", 0),
    },
}


def fixed_rows() -> list[Row]:
    """Records with made-up timings, one set and one question."""
    rows = []
    for text, answers in FIXED.items():
        for backend, (outcome, seconds, verdict, families) in answers.items():
            number = len(rows) + 1
            record = Record(
                job=number,
                outcome=outcome,  # type: ignore[arg-type]
                wall_s=seconds,
                elapsed_s=seconds,
                phases={"model": seconds / 10, "encode": seconds / 5, "solve": seconds / 2},
                statistics={"nodes": number} if backend == "slow" else {},
            )
            judged = Verdict(job=number, verdict=verdict, families=families)  # type: ignore[arg-type]
            rows.append(Row(job=job(number, text, backend), record=record, verdict=judged))
    return rows


def summary(jobs: pd.DataFrame) -> pd.DataFrame:
    return make_summary(find_standings(jobs))


def timing(jobs: pd.DataFrame) -> pd.DataFrame:
    return make_timing(find_standings(jobs))


@pytest.fixture(scope="module")
def jobs() -> pd.DataFrame:
    return list_jobs(fixed_rows())


def test_one_row_a_job(jobs: pd.DataFrame) -> None:
    assert len(jobs) == 18
    first = jobs.iloc[0]
    assert (first["set"], first["instance"], first["backend"], first["ask"]) == (
        "tiny",
        "one",
        "fast",
        "1",
    )
    assert first["solve_s"] == 0.0005
    assert list(jobs["stat_nodes"].dropna()) == [2, 5, 8, 11, 14, 17]


def test_however_many_statistics_there_are(recwarn: pytest.WarningsRecorder) -> None:
    """Those that are usual, and then each in the order in which it was met."""
    told: list[dict[str, int | float]] = [{"nodes": 1}, {f"own_{n}": n for n in range(300)}]
    rows = [
        Row(job=job(number), record=Record(job=number, outcome="finished", statistics=one))
        for number, one in enumerate(told, 1)
    ]
    frame = list_jobs(rows)
    assert not recwarn.list
    assert list(frame.columns) == [*JOBS, *(f"stat_own_{n}" for n in range(300))]
    assert list(frame["stat_own_7"].fillna(-1)) == [-1, 7]
    assert list(frame["stat_nodes"].fillna(-1)) == [1, -1]


def test_incumbents_are_in_the_row_of_their_job() -> None:
    steps = (Step(0.5, 7, "found"), Step(0.75, 9, "bound"))
    rows = [
        Row(job=job(number), record=Record(job=number, outcome="timeout", incumbents=told))
        for number, told in enumerate((steps, ()), 1)
    ]
    told = list_jobs(rows)["incumbents"]
    assert list(told) == [steps, ()]
    assert str(told[0]) == "((0.5, 7, 'found'), (0.75, 9, 'bound'))"  # as a CSV file has it


def test_every_instance_is_of_one_kind(jobs: pd.DataFrame) -> None:
    (row,) = make_agreement(jobs).to_dict("records")
    assert row == {
        "set": "tiny",
        "ask": "1",
        "instances": 6,
        "verified": 2,
        "unwitnessed": 1,
        "disputed": 1,
        "wrong": 1,
        "unsolved": 1,
    }


@pytest.mark.parametrize(
    ("outcome", "verdict", "kind"),
    [
        ("finished", "verified", "verified"),
        ("timeout", "verified", "unsolved"),
        ("timeout", "unwitnessed", "unsolved"),
        ("timeout", "wrong", "wrong"),
        ("timeout", "disputed", "disputed"),
    ],
)
def test_only_an_answer_in_time_solves_an_instance(outcome: str, verdict: str, kind: str) -> None:
    """An answer after the limit may be wrong, or disputed, all the same."""
    said = Verdict(job=1, verdict=verdict)  # type: ignore[arg-type]
    row = Row(job=job(1), record=Record(job=1, outcome=outcome), verdict=said)  # type: ignore[arg-type]
    (found,) = make_agreement(list_jobs([row])).to_dict("records")
    kinds = ("wrong", "disputed", "verified", "unwitnessed", "unsolved")
    assert [name for name in kinds if found[name]] == [kind]


def test_texts_of_an_outline_are_categories() -> None:
    outline = outline_jobs(fixed_rows())
    assert [str(outline[name].dtype) for name in ("set", "backend", "outcome")] == ["category"] * 3
    assert outline["instance"].dtype == np.int8


def test_the_figures_of_timing(jobs: pd.DataFrame) -> None:
    found = timing(jobs).set_index("backend")
    assert list(found.index) == ["slow", "half", "fast"]  # fast was wrong: last
    assert list(found["rank"]) == [1, 2, 3]
    fast, slow, half = (found.loc[name] for name in ("fast", "slow", "half"))
    assert list(found["solved"]) == [3, 1, 3]  # what is wrong or disputed is not solved
    assert fast["median_s"] == math.inf  # half of its instances are over every limit
    assert (slow["p25_s"], slow["p75_s"]) == (pytest.approx(0.8), math.inf)
    assert slow["par2_s"] == pytest.approx((0.1 + 0.4 + 2 + 3 * 20) / 6)
    assert half["par2_s"] == pytest.approx((0.004 + 5 * 20) / 6)
    assert slow["solve_s"] == pytest.approx((0.1 + 0.4 + 2) / 3 / 2)
    assert (slow["wins"], half["wins"], fast["wins"]) == (2, 1, 0)
    assert list(found["relative_note"]) == ["3 unsolved", "5 unsolved", "disqualified"]
    assert found["relative"].isna().all()


def test_relative_is_against_the_virtual_best(jobs: pd.DataFrame) -> None:
    found = timing(jobs[jobs["instance"] == "one"]).set_index("backend")
    assert list(found["relative"]) == [1, pytest.approx(4), pytest.approx(100)]
    without = jobs[jobs["instance"].isin(["one", "two"]) & (jobs["backend"] != "half")]
    found = timing(without).set_index("backend")
    assert found.loc["slow", "relative"] == pytest.approx((100 * 200) ** 0.5)


def test_a_wrong_answer_disqualifies(jobs: pd.DataFrame) -> None:
    assert find_standings(jobs).disqualified == {"fast"}
    assert find_standings(jobs[jobs["instance"] != "four"]).disqualified == set()
    assert find_standings(outline_jobs(fixed_rows())).disqualified == {"fast"}


@pytest.mark.parametrize("verdict", ["disputed", "wrong", "unverified"])
def test_what_is_neither_verified_nor_unwitnessed_is_not_solved(verdict: str) -> None:
    rows = [
        Row(
            job=job(n, "x", "a", repeat=n),
            record=Record(job=n, outcome="finished", wall_s=1.0),
            verdict=Verdict(job=n, verdict=word),  # type: ignore[arg-type]
        )
        for n, word in enumerate(("verified", verdict))
    ]
    assert list(timing(list_jobs(rows))["solved"]) == [0]
    assert list(timing(list_jobs(rows[:1]))["solved"]) == [1]


def test_the_standing_on_an_instance_is_the_worst_of_its_repeats() -> None:
    rows = [
        Row(
            job=job(n, "x", "a", repeat=n),
            record=Record(job=n, outcome="finished", wall_s=1.0),
            verdict=Verdict(job=n, verdict=word),  # type: ignore[arg-type]
        )
        for n, word in enumerate(("verified", "unwitnessed"))
    ]
    (row,) = timing(list_jobs(rows)).to_dict("records")
    assert (row["verified"], row["unwitnessed"], row["solved"]) == (0, 1, 1)


def test_repeats_are_one_instance() -> None:
    rows = []
    for number, (outcome, seconds) in enumerate(
        [("finished", 1.0), ("finished", 5.0), ("finished", 2.0), ("finished", 1.0), ("timeout", 9)]
    ):
        backend = "a" if number < 3 else "b"
        record = Record(job=number, outcome=outcome, wall_s=seconds)  # type: ignore[arg-type]
        judged = Verdict(job=number, verdict="verified")
        rows.append(
            Row(job=job(number, "x", backend, repeat=number), record=record, verdict=judged)
        )
    found = timing(list_jobs(rows)).set_index("backend")
    assert list(found.loc["a", ["instances", "solved", "total_s"]]) == [1, 1, 2.0]
    assert list(found.loc["b", ["instances", "solved", "par2_s"]]) == [1, 0, 20.0]


def test_sets_and_questions_stay_apart() -> None:
    rows = fixed_rows()
    more = [Row(job=job(99, "one", "fast", Question(2)), record=Record(job=99, outcome="finished"))]
    assert list(timing(list_jobs(rows + more))["ask"]) == ["1", "1", "1", "2"]


def test_a_run_without_records_has_empty_tables() -> None:
    empty = list_jobs([])
    assert list(empty.columns) == list(JOBS)
    made = {
        "jobs": empty,
        "agreement": make_agreement(empty),
        "timing": timing(empty),
        "summary": summary(empty),
        "kinds": make_kinds(find_standings(empty)),
        "sizes": make_sizes(find_standings(empty)),
        "optima": make_optima(pd.DataFrame(columns=[*SEARCH, "checked"])),
        "reasons": list_reasons(find_standings(empty)),
    }
    for name, meanings in read_columns().items():
        assert list(made[name].columns) == list(meanings), name
        assert len(made[name]) == 0
    assert table_text.to_text(make_agreement(empty)).startswith("set  ask  instances")


def test_large_objectives_stay_exact() -> None:
    values = [None, 5, 1 << 60]
    rows = [
        Row(job=job(n), record=Record(job=n, outcome="finished", objective=value))
        for n, value in enumerate(values)
    ]
    assert list_jobs(rows)["objective"].iloc[2] == 1 << 60
    assert {str(list_jobs(rows)[name].dtype) for name in ("objective", "bound")} == {"Int64"}
    rows[0].record.objective = 1 << 80
    assert list_jobs(rows)["objective"].iloc[0] == 1 << 80


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ('Traceback (most recent call last):\n  File "x.py", line 1\nValueError: odd\n',
         "ValueError: odd"),
        ("no answer:\n  it was killed", "no answer: it was killed"),
        ("", ""),
    ],
    ids=["traceback", "several lines", "none"],
)  # fmt: skip
def test_the_reason_of_a_traceback_is_its_last_line(error: str, reason: str) -> None:
    assert shorten_reason(error) == reason


FORMS = {"csv": table_text.to_csv, "text": table_text.to_text}


@pytest.mark.parametrize("kind", sorted(FORMS))
@pytest.mark.parametrize("table", ["agreement", "timing", "summary"])
def test_golden_text(table: str, kind: str, jobs: pd.DataFrame) -> None:
    """To renew the files after a wanted change, delete them, run twice and read the difference."""
    make = {"agreement": make_agreement, "timing": timing, "summary": summary}[table]
    text = FORMS[kind](make(jobs))
    golden = GOLDEN / f"{table}.{kind}.txt"
    if not golden.exists():
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} was not there; it has been written")
    assert text == golden.read_text(encoding="utf-8")


def test_whatever_is_missing_is_a_dash() -> None:
    missing = [pd.array([1, None], dtype="Int64"), [0.5, math.nan], ["a", None], [(1, 2), None]]
    frame = pd.DataFrame(dict(zip("abcd", missing, strict=True)))
    assert table_text.split(frame)[1] == [["1", "0.500", "a", "(1, 2)"], ["-", "-", "-", "-"]]


def test_markup_is_harmless() -> None:
    frame = pd.DataFrame({"a_b": ["x|y\x1b[31m\n", r"50% \of $"], "n": [1.0, None]})
    assert "\x1b" not in table_text.to_text(frame)
    assert r"x\|y" in table_text.to_markdown(frame)
    assert table_text.to_markdown(frame).count("\n") == 4


def test_an_empty_table_has_its_head() -> None:
    frame = pd.DataFrame({"set": [], "n": []})
    assert table_text.to_text(frame) == "set  n\n---  -\n"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.00000"),
        (0.000123456, "0.000123"),
        (0.00456, "0.00456"),
        (0.0456, "0.0456"),
        (0.456, "0.456"),
        (4.56, "4.56"),
        (45.6, "45.6"),
        (456.7, "457"),
        (45678.0, "45678"),
        (math.nan, "-"),
        (math.inf, "inf"),
        (None, "-"),
        (True, "True"),
        (7, "7"),
    ],
)
def test_a_number_is_short(value: object, shown: str) -> None:
    assert table_text.format_cell(value) == shown


def test_statistics() -> None:
    assert statistics.percentiles([4, 1, 3, 2], 50, 100) == [2.5, 4]
    assert statistics.percentiles([1, 2, 3, 4, 5], 95) == [pytest.approx(4.8)]
    assert statistics.percentiles([7], 95) == [7]
    assert statistics.geometric_mean([1, 100]) == pytest.approx(10)
    assert statistics.par([1, 2], [10]) == pytest.approx(23 / 3)
    assert list(statistics.ratios(np.array([0.0, 4.0]), np.array([0.0, 2.0]))) == [1, 2]
    assert statistics.binomial_tail(3, 4, 0.5) == pytest.approx(5 / 16)
    assert statistics.binomial_tail(0, 4, 0.5) == 1
    for nothing in (*statistics.percentiles([], 5, 50), statistics.par([], [])):
        assert math.isnan(nothing)
    for empty in (statistics.mean, statistics.geometric_mean):
        assert math.isnan(empty([]))


def test_without_a_limit_an_unsolved_instance_is_worth_nothing_finite() -> None:
    """PAR-2 counts an unsolved instance as twice its limit: without one, as forever."""
    rows = [
        Row(
            job=job(number, text, backend, seconds=None),
            record=Record(job=number, outcome=outcome, wall_s=1.5),  # type: ignore[arg-type]
            verdict=Verdict(job=number, verdict=verdict),  # type: ignore[arg-type]
        )
        for number, (text, backend, outcome, verdict) in enumerate(
            [
                ("x", "sure", "finished", "verified"),
                ("y", "sure", "finished", "verified"),
                ("x", "not", "finished", "verified"),
                ("y", "not", "crashed", "unverified"),
            ]
        )
    ]
    found = timing(list_jobs(rows)).set_index("backend")
    assert found.loc["sure", "par2_s"] == 1.5
    assert found.loc["not", "par2_s"] == math.inf
    assert list(found.index) == ["sure", "not"]
