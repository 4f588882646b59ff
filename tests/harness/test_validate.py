"""Which answers validation finds right, wrong, disputed, single or unverified, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import liars
import pytest
from harness_samples import answered, job, row

from backends.brute_force import BruteForce
from harness.job import Question
from harness.record import Row, Verdict
from harness.scoreboard import Scoreboard, shared_memory
from harness.validate import digest_of, judge, validate

ALL = Question(None, 10)
TWO = Question(2, 2)
ONE = Question(1, 1)
BEST = Question(1, 1, optimum=True)
SIX = "3 3 -"  # 6 solutions: the orders of 0, 1, 2
SOLUTIONS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


@pytest.fixture(scope="module")
def board() -> Iterator[Scoreboard]:
    descriptor = shared_memory()
    board = Scoreboard(descriptor)
    yield board
    board.close()
    os.close(descriptor)


def words(rows: Sequence[Row]) -> list[str]:
    """The verdicts' words, in the order of the rows."""
    return [verdict.verdict for verdict in judge(rows)]


def said(number: int, backend: str, question: Question = ALL, **record: Any) -> Row:
    """What ``backend`` answered to ``question`` about SIX."""
    return row(job(number, SIX, backend, question), **record)


def exactly(number: int, backend: str, count: int, keep: int = 0, question: Question = ALL) -> Row:
    """``backend`` found ``count`` solutions and no more."""
    return said(
        number,
        backend,
        question,
        count=count,
        stopped_by="exhausted",
        status="SATISFIABLE" if count else "UNSATISFIABLE",
        solutions=SOLUTIONS[:keep],
        digest=digest_of(SOLUTIONS[:count]),
    )


def some(number: int, backend: str, count: int, keep: int = 0, question: Question = TWO) -> Row:
    """``backend`` found as many as were asked for."""
    return said(
        number,
        backend,
        question,
        count=count,
        stopped_by="enough",
        status="SATISFIABLE",
        solutions=SOLUTIONS[:keep],
    )


def ran_out(number: int, backend: str, count: int, keep: int = 0) -> Row:
    """``backend`` had found ``count`` solutions when its time was over."""
    return said(
        number,
        backend,
        ALL,
        outcome="timeout",
        count=count,
        stopped_by="time",
        status="SATISFIABLE" if count else "UNKNOWN",
        solutions=SOLUTIONS[:keep],
    )


# --- liars ---------------------------------------------------------------------------------

LIES = [
    (liars.FalseUnsatisfiable, "3 4 4", ONE),
    (liars.FalseUnsatisfiable, "3 4 4", ALL),
    (liars.WrongValue, "3 4 4", ONE),
    (liars.OutsideDomain, "3 4 -", ONE),
    (liars.DroppedSolution, "3 4 4", ALL),
    (liars.DroppedSolution, "2 2 -", TWO),
    (liars.Duplicate, "3 4 4", ALL),
    (liars.Duplicate, "3 3 -", TWO),
    (liars.CountTooHigh, "3 4 4", ALL),
    (liars.CountTooLow, "3 4 4", ALL),
    (liars.ExhaustedTooEarly, "3 4 4", ALL),
    (liars.ExhaustedTooEarly, "3 4 4", TWO),
    (liars.AnotherInstance, "3 4 4", ONE),
    (liars.WrongOptimum, "3 4 - max", BEST),
    (liars.FalseObjective, "3 4 - min", BEST),
    (liars.OrderDependent, "3 4 4", ONE),
    (liars.OrderDependent, "3 4 4", ALL),
    (liars.WrongDigest, "3 4 4", ALL),
]


@pytest.mark.parametrize(
    ("liar", "text", "question"), LIES, ids=[f"{liar.name}-{q.text}" for liar, _, q in LIES]
)
def test_a_liar_is_caught(
    liar: type[liars.Honest], text: str, question: Question, board: Scoreboard
) -> None:
    backends = [liars.Honest(), BruteForce(), liar()]
    rows = []
    for number, backend in enumerate(backends, 1):
        asked = job(number, text, f"py:{backend.name}", question)
        record = answered(backend, asked, board)
        assert record.outcome == "finished"
        record.backend_family = backend.name
        rows.append(Row(job=asked, record=record))
    honest, oracle, lying = judge(rows)
    assert lying.verdict in ("wrong", "disputed")
    assert lying.evidence
    assert honest.verdict == oracle.verdict
    if lying.verdict == "wrong":  # a refuted answer takes nobody down with it
        assert honest.verdict == "correct"
    else:
        assert honest.verdict == "disputed"


def test_without_a_lie_all_are_correct(board: Scoreboard) -> None:
    for _, text, question in LIES:
        rows = []
        for number, backend in enumerate((liars.Honest(), BruteForce()), 1):
            asked = job(number, text, backend.name, question)
            rows.append(Row(job=asked, record=answered(backend, asked, board)))
        for verdict in judge(rows):
            assert verdict.verdict == "correct"
            assert "agreed by 2 families" in verdict.evidence


def test_a_fickle_backend_contradicts_itself(board: Scoreboard) -> None:
    fickle = liars.Fickle()
    jobs = [job(n, "3 4 4", "fickle", ALL, repeat=n) for n in (1, 2)]
    verdicts = judge([Row(job=j, record=answered(fickle, j, board)) for j in jobs])
    assert [verdict.verdict for verdict in verdicts] == ["disputed", "disputed"]
    assert "against itself" in verdicts[0].evidence


# --- facts ---------------------------------------------------------------------------------


def test_a_checked_solution_refutes_unsatisfiable_and_nothing_else() -> None:
    rows = [exactly(1, "a", 0, question=ONE), some(2, "b", 1, 1, ONE), some(3, "c", 1, 1, ONE)]
    assert words(rows) == ["wrong", "correct", "correct"]


def test_an_unchecked_solution_only_disputes_it() -> None:
    assert words([exactly(1, "a", 0), some(2, "b", 1)]) == ["disputed", "disputed"]


def test_exactly_one_is_refuted_by_two_that_are_kept() -> None:
    one, two = exactly(1, "a", 1, 1, TWO), some(2, "b", 2, 2, TWO)
    assert words([one, two]) == ["wrong", "correct"]


def test_exactly_one_is_disputed_by_two_that_are_not() -> None:
    one, two = exactly(1, "a", 1, 1, TWO), some(2, "b", 2, 1, TWO)
    assert words([one, two]) == ["disputed", "disputed"]


def test_solutions_of_different_backends_add_up() -> None:
    other = said(
        3, "c", ONE, count=1, stopped_by="enough", status="SATISFIABLE", solutions=SOLUTIONS[5:]
    )
    assert words([exactly(1, "a", 2, 2), some(2, "b", 1, 1, ONE), other])[0] == "wrong"


def test_facts_hold_across_questions() -> None:
    assert words([exactly(1, "a", 0, question=ONE), exactly(2, "b", 6, 6)]) == ["wrong", "single"]


def test_a_bound_can_refute_and_be_refuted() -> None:
    assert words([exactly(1, "a", 2), ran_out(2, "b", 3, 3)]) == ["wrong", "correct"]
    assert words([exactly(1, "a", 2), ran_out(2, "b", 3)]) == ["disputed", "disputed"]
    bad = said(
        2,
        "b",
        outcome="timeout",
        count=1,
        stopped_by="time",
        status="SATISFIABLE",
        solutions=((0, 0, 0),),
    )
    assert words([exactly(1, "a", 6), bad]) == ["single", "wrong"]


def test_sets_of_equal_size_must_be_the_same() -> None:
    rows = [exactly(1, "a", 6), exactly(2, "b", 6)]
    rows[1].record.digest = digest_of(SOLUTIONS[:5])
    assert words(rows) == ["disputed", "disputed"]
    rows[0].record.solutions = SOLUTIONS  # now one of them can show its set
    assert words(rows) == ["single", "wrong"]


# --- evidence ------------------------------------------------------------------------------


def test_unknown_disputes_nothing() -> None:
    assert words([ran_out(1, "a", 0), exactly(2, "b", 0), exactly(3, "c", 0)]) == [
        "unverified",
        "correct",
        "correct",
    ]


def test_two_wrappers_of_one_engine_count_once() -> None:
    rows = [exactly(1, "sat:x", 6), exactly(2, "sat:y", 6)]
    assert words(rows) == ["single", "single"]
    rows[1].record.backend_family = "other"
    verdicts = judge(rows)
    assert [(v.verdict, v.evidence, v.families) for v in verdicts] == [
        ("correct", "agreed by 2 families", 2)
    ] * 2


def test_a_solution_proves_itself_but_not_that_there_is_no_other() -> None:
    alone = judge([some(1, "a", 1, 1, ONE)])[0]
    assert (alone.verdict, alone.evidence, alone.families) == ("correct", "solution checked", 1)
    unique = judge([exactly(1, "a", 1, 1, TWO)])[0]
    assert (unique.verdict, unique.evidence) == ("single", "solution checked; claimed")


def test_a_claim_without_a_witness_is_only_claimed() -> None:
    alone = judge([exactly(1, "a", 0)])[0]
    assert (alone.verdict, alone.evidence) == ("single", "claimed")


def test_a_lower_bound_is_confirmed_by_who_counted_them_all() -> None:
    assert words([ran_out(1, "a", 3)]) == ["unverified"]
    verdict = judge([ran_out(1, "a", 3), exactly(2, "b", 6)])[0]
    assert (verdict.verdict, verdict.evidence) == ("correct", "agreed by 2 families")


def test_an_error_claims_nothing() -> None:
    verdict = judge([said(1, "a", outcome="error", error="bug")])[0]
    assert verdict == Verdict(job=1, verdict="unverified")


def test_rules_and_model_speak_apart() -> None:
    outside = said(1, "a", ONE, count=1, stopped_by="enough", solutions=((0, 1, 3),))
    verdict = judge([outside])[0]
    assert verdict.verdict == "wrong"
    assert verdict.rules == "3 is too large"
    assert "x2 = 3 is not in its domain" in verdict.model
    assert verdict.checked == 0


def test_a_check_that_stumbles_is_an_objection() -> None:
    short = said(1, "a", ONE, count=1, stopped_by="enough", solutions=((),))
    verdict = judge([short])[0]
    assert verdict.verdict == "wrong"
    assert "0 values for 3 variables" in verdict.model


# --- optima --------------------------------------------------------------------------------

MAX = "3 4 - max"  # the best is 14, with (1, 2, 3)


def optimum(number: int, backend: str, value: int, *solutions: Any, **record: Any) -> Row:
    """``backend`` says that ``value`` is the best."""
    more = {"status": "OPTIMUM", "stopped_by": "exhausted", "bound": value} | record
    asked = job(number, MAX, backend, BEST)
    return row(asked, count=1, objective=value, solutions=solutions, **more)


def test_two_families_agree_on_an_optimum() -> None:
    rows = [optimum(1, "a", 14, (1, 2, 3)), optimum(2, "b", 14, (1, 2, 3))]
    assert words(rows) == ["correct", "correct"]
    assert words(rows[:1]) == ["single"]


def test_a_better_solution_refutes_an_optimum_and_a_bound() -> None:
    best = optimum(1, "a", 14, (1, 2, 3))
    assert words([best, optimum(2, "b", 13, (0, 2, 3))]) == ["single", "wrong"]
    early = optimum(2, "b", 8, (0, 1, 2), status="SATISFIABLE", stopped_by="time", bound=13)
    early.record.outcome = "timeout"
    assert words([best, early]) == ["single", "wrong"]


def test_optima_without_their_solutions_are_disputed() -> None:
    assert words([optimum(1, "a", 14), optimum(2, "b", 13)]) == ["disputed", "disputed"]


def test_an_incumbent_is_no_claim_to_be_the_best() -> None:
    late = optimum(2, "b", 13, (0, 2, 3), status="SATISFIABLE", stopped_by="time", bound=None)
    late.record.outcome = "timeout"
    assert words([optimum(1, "a", 14, (1, 2, 3)), late]) == ["single", "correct"]


def test_all_optima_are_counted_apart_from_all_solutions() -> None:
    every = Question(None, 10, optimum=True)

    def optima(number: int, backend: str, solutions: tuple[Any, ...], keep: int) -> Row:
        return row(
            job(number, "2 2 -", backend, every),
            count=len(solutions),
            objective=0,
            status="OPTIMUM",
            stopped_by="exhausted",
            solutions=solutions[:keep],
            digest=digest_of(solutions),
        )

    both = ((0, 1), (1, 0))
    for one in optima(1, "a", both, 0), optima(2, "b", both, 0):
        assert one.record.count == 2
    assert words([optima(1, "a", both, 0), optima(2, "b", both, 0)]) == ["correct", "correct"]
    assert words([optima(1, "a", both, 0), optima(2, "b", both[:1], 0)]) == ["disputed"] * 2


# --- streams -------------------------------------------------------------------------------


def test_instances_are_judged_apart() -> None:
    rows = [
        row(job(1, "3 3 -", "a", ONE), count=0, stopped_by="exhausted", status="UNSATISFIABLE"),
        some(2, "b", 1, 1, ONE),
        row(job(3, "3 2 -", "a", ONE), count=0, stopped_by="exhausted", status="UNSATISFIABLE"),
        row(job(4, "3 2 -", "b", ONE), count=0, stopped_by="exhausted", status="UNSATISFIABLE"),
    ]
    found = {verdict.job: verdict.verdict for verdict in validate(rows)}
    assert found == {1: "wrong", 2: "correct", 3: "correct", 4: "correct"}
