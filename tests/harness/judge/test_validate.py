"""Which answers validation finds right, wrong, disputed, unwitnessed or unverified, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harness_samples import experiment, job, list_jobs, row, tiny_file
from msgspec import structs

from backends.interface.evidence.answer import digest_of
from backends.interface.registry import known_family
from harness.job import Question
from harness.judge.claims import Claim, is_full
from harness.judge.validate import _Scene, judge, translate_verdict, validate
from harness.record import Row, Verdict
from harness.report.run import run_experiment
from harness.report.standings import find_standings
from harness.report.tables import make_agreement, make_summary
from harness.supervise.protocol import Scoreboard, shared_memory

ALL = Question(None, 10)
COUNT = Question(None, 1)  # all are counted, one is shown
TWO = Question(2, 2)
TWO_OR_ONE = Question(2, 1)
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


P, Q, R = "propagation", "sat", "cpsat"
"""Three known families; ``py:`` names are of none."""
ORACLE = "brute_force"


def said(number: int, backend: str, question: Question = ALL, **record: Any) -> Row:
    """What ``backend`` answered to ``question`` about SIX."""
    return row(job(number, SIX, backend, question), **record)


def exactly(
    number: int, backend: str, count: int, question: Question = COUNT, **record: Any
) -> Row:
    """``backend`` found ``count`` solutions and no more, and shows as many as it must."""
    found = SOLUTIONS[:count]
    more = {
        "count": count,
        "stopped_by": "exhausted",
        "status": "SATISFIABLE" if count else "UNSATISFIABLE",
        "solutions": found[: question.keep],
        "digest": digest_of(found),
    }
    return said(number, backend, question, **(more | record))


def some(number: int, backend: str, count: int, question: Question = TWO, **record: Any) -> Row:
    """``backend`` found as many as were asked for."""
    return exactly(number, backend, count, question, **({"stopped_by": "enough"} | record))


def ran_out(number: int, backend: str, count: int, question: Question = COUNT) -> Row:
    """``backend`` had found ``count`` solutions when its time was over."""
    answer = exactly(number, backend, count, question, stopped_by="time", outcome="timeout")
    answer.record.status = "SATISFIABLE" if count else "UNKNOWN"
    return answer


def killed(number: int, count: int, shown: int, question: Question = ALL) -> Row:
    """What a job is seen to have found that is killed at its limit (``write_findings``)."""
    found = {"count": count, "solutions": SOLUTIONS[:shown], "status": "SATISFIABLE"}
    return said(number, P, question, outcome="timeout", stopped_by="time", **found)


@pytest.mark.parametrize(
    ("count", "shown", "word"), [(2, 2, "verified"), (5, 2, "verified"), (7, 2, "wrong")]
)
def test_what_a_killed_job_had_found_is_judged_by_what_it_shows(
    count: int, shown: int, word: str
) -> None:
    every = exactly(1, ORACLE, 6, ALL)
    assert words([every, killed(2, count, shown)]) == ["verified", word]
    assert words([killed(1, count, shown)]) == ["verified" if count == shown else "unverified"]


def test_a_count_of_which_nothing_is_shown_is_named() -> None:
    (alone,) = judge([killed(1, 3, 0)])
    assert alone.verdict == "unverified"
    assert alone.evidence.endswith("which nothing confirms")


# --- facts ---------------------------------------------------------------------------------


def test_a_checked_solution_refutes_unsatisfiable_and_nothing_else() -> None:
    rows = [exactly(1, P, 0, ONE), some(2, Q, 1, ONE), some(3, R, 1, ONE)]
    assert words(rows) == ["wrong", "verified", "verified"]


def test_exactly_one_is_refuted_by_two_that_are_shown() -> None:
    assert words([exactly(1, P, 1, TWO), some(2, Q, 2, TWO)]) == ["wrong", "verified"]


def test_exactly_one_is_disputed_by_two_that_are_not() -> None:
    rows = [exactly(1, P, 1, TWO_OR_ONE), some(2, Q, 2, TWO_OR_ONE)]
    assert words(rows) == ["disputed", "disputed"]


def test_solutions_of_different_backends_add_up() -> None:
    other = some(3, R, 1, ONE, solutions=SOLUTIONS[5:], digest=digest_of(SOLUTIONS[5:]))
    assert words([exactly(1, P, 2, ALL), some(2, Q, 1, ONE), other])[0] == "wrong"


def test_facts_hold_across_questions() -> None:
    assert words([exactly(1, P, 0, ONE), exactly(2, Q, 6, ALL)]) == ["wrong", "unwitnessed"]


def test_a_false_solution_refutes_its_own_answer_only() -> None:
    bad = ran_out(2, Q, 1)
    bad.record.solutions = ((0, 0, 0),)
    bad.record.digest = digest_of(bad.record.solutions)
    assert words([exactly(1, P, 6), bad]) == ["unwitnessed", "wrong"]


def test_sets_of_equal_size_must_be_the_same() -> None:
    rows = [exactly(1, P, 6), exactly(2, Q, 6, digest=digest_of(SOLUTIONS[:5]))]
    assert words(rows) == ["disputed", "disputed"]
    rows[0] = exactly(1, P, 6, ALL)  # now one of them shows its set
    assert words(rows) == ["unwitnessed", "wrong"]


# --- what is claimed must be shown ---------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (some(1, P, 1, ONE, solutions=()), "must be shown"),
        (some(1, P, 2, TWO, solutions=SOLUTIONS[:1]), "2 solutions must be shown"),
        (exactly(1, P, 6, ALL, solutions=SOLUTIONS[:5]), "6 solutions must be shown"),
        (exactly(1, P, 6, ALL, digest=digest_of(SOLUTIONS[:5])), "its digest is not that"),
        (exactly(1, P, 6, COUNT, digest=""), "the digest of 6 solutions is missing"),
        (exactly(1, P, 6, COUNT, digest="0" * 32), "the digest of 6 solutions is missing"),
        (exactly(1, P, 6, COUNT, repeats=1), "1 solution reported more than once"),
        (
            exactly(1, P, 2, ALL, solutions=SOLUTIONS[:1] * 2, digest=digest_of(SOLUTIONS[:1] * 2)),
            "a solution is shown more than once",
        ),
        (some(1, P, 2, ONE), "asked for at most 1"),
        (exactly(1, P, 0, ALL, solutions=SOLUTIONS[:1]), "shows 1 solution and counted 0"),
        (ran_out(1, P, 3, Question(None, 3)), ""),
        (some(1, P, 1, ONE, solutions=((0, 1),), digest=digest_of([(0, 1)])), "2 values for 3"),
        (some(1, P, 1, ONE, outcome="error", error="a false claim"), "a false claim"),
    ],
)
def test_an_answer_that_does_not_show_its_claim_is_wrong(answer: Row, says: str) -> None:
    supported = [exactly(n, name, 6, ALL) for n, name in enumerate((ORACLE, Q, R), 2)]
    for rows in ([answer], [answer, *supported]):
        verdict = judge(rows)[0]
        if says:
            assert (verdict.verdict, says in verdict.evidence) == ("wrong", True)
        else:
            assert verdict.verdict == "verified"


def test_an_answer_of_before_that_was_to_keep_nothing_may_show_nothing() -> None:
    nothing = Question(None, 0)
    rows = [exactly(1, P, 6, nothing, solutions=()), exactly(2, Q, 6, nothing, solutions=())]
    assert words(rows) == ["verified", "verified"]


@pytest.mark.parametrize(
    "answer",
    [
        some(1, P, 1, ALL),
        some(1, P, 1, TWO),
        some(1, P, 1, TWO, stopped_by="sink"),
        some(1, P, 1, TWO, stopped_by="time"),
        some(1, P, 1, TWO, stopped_by=""),
        exactly(1, P, 0, ONE, stopped_by=""),
    ],
)
def test_who_says_that_it_has_finished_has_settled_the_question(answer: Row) -> None:
    """Also where nobody has said so where ask and result met."""
    for rows in ([answer], [answer, exactly(2, Q, 6, ALL), exactly(3, R, 6, ALL)]):
        verdict = judge(rows)[0]
        assert verdict.verdict == "wrong"
        assert "it says that it has finished" in verdict.evidence


def test_an_error_without_an_answer_claims_nothing() -> None:
    verdict = judge([said(1, P, outcome="error", error="bug")])[0]
    assert verdict == Verdict(job=1, verdict="unverified")


# --- counts that did not come to their end -------------------------------------------------


def test_an_unfinished_count_stands_for_what_it_shows() -> None:
    assert words([ran_out(1, P, 3)]) == ["unverified"]
    assert words([ran_out(1, P, 3, ALL)]) == ["verified"]


def test_an_unfinished_count_disputes_nothing() -> None:
    assert words([exactly(1, P, 2), ran_out(2, Q, 3)]) == ["unwitnessed", "unverified"]
    assert words([exactly(1, P, 2), ran_out(2, Q, 3, ALL)]) == ["wrong", "verified"]


def test_an_unfinished_count_supports_nothing() -> None:
    rows = [exactly(1, P, 6), ran_out(2, Q, 6), ran_out(3, R, 6)]
    assert words(rows) == ["unwitnessed", "unverified", "unverified"]
    late = some(4, P, 5, Question(5, 1))
    assert words([late, ran_out(2, Q, 6), ran_out(3, R, 6)])[0] == "unwitnessed"


def test_an_unfinished_count_is_refuted_by_the_oracle_and_by_two_families() -> None:
    boast = ran_out(1, "py:x:Y", 6)
    boast.record.count = 999
    assert words([boast, exactly(2, ORACLE, 6)]) == ["wrong", "verified"]
    assert words([boast, exactly(2, P, 6), exactly(3, Q, 6)]) == [
        "disputed",
        "verified",
        "verified",
    ]
    assert words([boast, exactly(2, P, 6)]) == ["unverified", "unwitnessed"]
    assert "had counted 999" in judge([boast])[0].evidence


def test_an_unfinished_count_is_confirmed_by_who_counted_them_all() -> None:
    assert words([ran_out(1, P, 3), exactly(2, ORACLE, 6)]) == ["verified", "verified"]


# --- beyond the question -------------------------------------------------------------------


def test_a_claim_beyond_the_question_is_no_fact() -> None:
    beyond = exactly(1, P, 1, ONE)  # one was asked for; it says that there is no other
    (alone,) = judge([beyond])
    assert alone.verdict == "unwitnessed"
    assert "beyond the question it claims that there are no more than 1" in alone.evidence
    other = some(2, Q, 1, ONE)
    assert words([beyond, other]) == ["unwitnessed", "verified"]
    unknown = exactly(1, "py:x:Y", 1, ONE)
    assert words([unknown, other, some(3, R, 1, ONE)]) == ["unverified", "verified", "verified"]


def test_a_claim_beyond_the_question_can_be_refuted() -> None:
    beyond = exactly(1, P, 1, ONE)
    second = some(2, Q, 1, ONE, solutions=SOLUTIONS[1:2], digest=digest_of(SOLUTIONS[1:2]))
    assert words([beyond, second]) == ["wrong", "verified"]
    assert words([beyond, exactly(2, ORACLE, 6)]) == ["wrong", "verified"]
    assert words([beyond, exactly(2, Q, 6), exactly(3, R, 6)])[0] == "disputed"
    assert words([beyond, exactly(2, Q, 6)]) == ["unwitnessed", "unwitnessed"]


def test_a_claim_beyond_the_question_can_be_confirmed() -> None:
    one = "2 1 -"  # no solution
    assert words([row(job(1, one, P, ONE), stopped_by="exhausted")]) == ["unwitnessed"]
    beyond, full = exactly(1, P, 1, ONE), exactly(2, ORACLE, 1, TWO)
    assert words([beyond, full]) == ["verified", "verified"]
    assert words([beyond, exactly(2, Q, 1, TWO), exactly(3, R, 1, TWO)])[0] == "verified"


# --- who stands for what -------------------------------------------------------------------


def test_unknown_disputes_nothing() -> None:
    assert words([ran_out(1, P, 0), exactly(2, Q, 0), exactly(3, R, 0)]) == [
        "unverified",
        "verified",
        "verified",
    ]


def test_two_wrappers_of_one_engine_count_once() -> None:
    rows = [exactly(1, "sat:x", 6), exactly(2, "sat:y", 6)]
    assert words(rows) == ["unwitnessed", "unwitnessed"]
    rows[1].record.backend_family = "other"  # its own claim
    assert words(rows) == ["unwitnessed", "unwitnessed"]
    verdicts = judge([exactly(1, "sat:x", 6), exactly(2, "cpsat:y", 6)])
    assert [(v.verdict, v.evidence, v.families) for v in verdicts] == [
        ("verified", "solution checked; agreed by 2 families", 2)
    ] * 2


def test_solvers_that_share_code_are_one_witness() -> None:
    rows = [exactly(1, "propagation", 6), exactly(2, "compiled", 6), exactly(3, "ladder", 6)]
    verdicts = judge(rows)
    assert [(v.verdict, v.families) for v in verdicts] == [("unwitnessed", 1)] * 3
    alone = "claimed by compiled and ladder and propagation alone"
    assert verdicts[0].evidence.endswith(f"{alone}, which share the project's own searches")
    verdicts = judge([*rows, exactly(4, Q, 6)])
    assert [(v.verdict, v.families) for v in verdicts] == [("verified", 2)] * 4
    torn = [exactly(1, "propagation", 6), exactly(2, "compiled", 5), exactly(3, Q, 6)]
    assert words(torn) == ["disputed"] * 3


def test_unknown_families_make_no_agreement() -> None:
    rows = [exactly(n, f"py:lies:L{n}", 6) for n in range(1, 5)]
    for answer in rows:
        answer.record.backend_family = f"family {answer.job.number}"
    verdicts = judge(rows)
    assert {v.verdict for v in verdicts} == {"unverified"}
    assert {v.families for v in verdicts} == {0}
    assert "no known family stands for it" in verdicts[0].evidence
    rows[0] = exactly(1, P, 6)
    assert words(rows) == ["unwitnessed"] * 4
    rows[1] = exactly(2, Q, 6)
    assert words(rows) == ["verified"] * 4


@pytest.mark.parametrize("name", ["py:sat:Sat", "python", "sat_", "", "Cpsat", "other:sat"])
def test_a_name_that_is_like_a_known_one_is_not_known(name: str) -> None:
    assert known_family(name) is None
    answer = exactly(1, name, 6, backend_family="sat")
    assert words([answer, exactly(2, P, 6)]) == ["unwitnessed", "unwitnessed"]
    assert words([answer]) == ["unverified"]


def test_what_holds_within_tolerances_is_no_evidence_but_what_is_shown_is() -> None:
    """SCIP calculates with doubles."""
    (alone,) = judge([exactly(1, "scip", 6)])
    assert (alone.verdict, alone.families) == ("unverified", 0)
    assert "claimed within tolerances, and no known family stands for it" in alone.evidence
    assert words([exactly(1, "scip", 6), exactly(2, P, 6)]) == ["unwitnessed"] * 2
    assert words([exactly(1, "scip", 6), exactly(2, P, 6), exactly(3, Q, 6)]) == ["verified"] * 3
    assert words([exactly(1, "scip", 0, ONE)]) == ["unverified"]
    assert words([some(1, "scip", 1, ONE)]) == ["verified"]
    assert words([some(1, "scip", 2), exactly(2, P, 0, ONE)]) == ["verified", "wrong"]
    assert words([exactly(1, "scip", 0, ONE), some(2, P, 1, ONE)]) == ["wrong", "verified"]


def test_two_exact_families_outweigh_one_that_is_not() -> None:
    verdicts = judge([exactly(1, P, 6), exactly(2, Q, 6), exactly(3, "scip", 5)])
    assert [v.verdict for v in verdicts] == ["verified", "verified", "disputed"]
    assert "scip (job 3), which holds within tolerances" in verdicts[0].evidence
    assert words([exactly(1, P, 6), exactly(2, "scip", 5)]) == ["disputed"] * 2


def test_two_known_families_outweigh_unknown_ones() -> None:
    liars = [exactly(n, f"py:lies:L{n}", 5) for n in (3, 4, 5)]
    verdicts = judge([exactly(1, P, 6), exactly(2, Q, 6), *liars])
    assert [v.verdict for v in verdicts] == ["verified"] * 2 + ["disputed"] * 3
    assert (
        "outweighed: 6 solutions" in verdicts[0].evidence or "5 solutions" in verdicts[0].evidence
    )
    assert "py:lies:L3 (job 3), of no known family" in verdicts[0].evidence
    assert "propagation (job 1)" in verdicts[2].evidence
    assert "no known family" not in verdicts[2].evidence


def test_other_solutions_of_the_same_number_support_nothing() -> None:
    other = exactly(3, "py:x:Y", 6, digest=digest_of(SOLUTIONS[:5]))
    verdicts = judge([exactly(1, P, 6), exactly(2, Q, 6), other])
    assert [(v.verdict, v.families) for v in verdicts] == [
        ("verified", 2),
        ("verified", 2),
        ("disputed", 0),
    ]


def test_one_known_family_outweighs_nobody() -> None:
    assert words([exactly(1, P, 6), exactly(2, "py:x:Y", 5)]) == ["disputed", "disputed"]
    rows = [exactly(1, P, 6), exactly(2, Q, 6), exactly(3, R, 5), exactly(4, "py:x:Y", 5)]
    assert words(rows) == ["disputed"] * 4


def test_a_family_that_contradicts_itself_is_not_known_there() -> None:
    torn = [exactly(3, R, 5), exactly(4, R, 6)]
    rows = [exactly(1, P, 6), exactly(2, Q, 6), *torn]
    assert words(rows) == ["verified", "verified", "disputed", "verified"]
    assert "against itself (job 4)" in judge(rows)[2].evidence
    assert words([exactly(1, P, 6), *torn]) == ["disputed"] * 3


@pytest.mark.parametrize(("counts", "fate"), [((6, 5, 6), "disputed"), ((6, 6, 6), "unwitnessed")])
def test_repeats_of_a_backend_must_agree_and_are_one_instance(
    counts: Sequence[int], fate: str
) -> None:
    """Two repeats do not outvote a third, and three that agree are no three answers."""
    rows = [exactly(number, Q, count) for number, count in enumerate(counts, 1)]
    rows = [structs.replace(r, job=structs.replace(r.job, repeat=r.job.number)) for r in rows]
    judged = [structs.replace(r, verdict=v) for r, v in zip(rows, judge(rows), strict=True)]
    made = list_jobs(judged)
    (standing,) = make_summary(find_standings(made)).to_dict("records")
    (agreed,) = make_agreement(made).to_dict("records")
    assert (standing["instances"], standing[fate]) == (1, 1)
    assert (agreed["instances"], agreed[fate]) == (1, 1)


def test_the_oracle_proves() -> None:
    verdicts = judge([exactly(1, ORACLE, 6)])
    assert (verdicts[0].verdict, verdicts[0].evidence) == (
        "verified",
        "solution checked; proven by the oracle",
    )
    rows = [exactly(1, ORACLE, 6), exactly(2, P, 5), exactly(3, Q, 5), exactly(4, "py:x:Y", 6)]
    assert words(rows) == ["verified", "wrong", "wrong", "verified"]
    assert "the oracle refutes it" in judge(rows)[1].evidence
    assert words([exactly(1, "py:brute_force:Me", 6), exactly(2, P, 5)]) == ["disputed"] * 2


def test_an_oracle_that_is_refuted_or_torn_proves_nothing() -> None:
    rows = [exactly(1, ORACLE, 1, ALL), exactly(2, P, 6)]
    rows.append(some(3, Q, 2, TWO))
    assert words(rows) == ["wrong", "unwitnessed", "verified"]
    torn = [exactly(1, ORACLE, 6), exactly(2, ORACLE, 5), exactly(3, P, 4)]
    assert words(torn) == ["disputed"] * 3
    unfinished = [ran_out(1, ORACLE, 6), exactly(2, P, 5)]
    assert words(unfinished) == ["unverified", "unwitnessed"]


def test_a_late_answer_counts_as_any_other() -> None:
    late = exactly(1, P, 6, outcome="timeout")
    assert is_full(late)
    assert words([late, exactly(2, Q, 6)]) == ["verified", "verified"]
    assert words([late, exactly(2, Q, 5)]) == ["disputed", "disputed"]
    assert is_full(exactly(1, P, 6, outcome="memout"))
    assert not is_full(exactly(1, P, 6, outcome="gave_up"))


def test_full_is_what_settles_the_question() -> None:
    assert is_full(some(1, P, 2, TWO))
    assert is_full(exactly(1, P, 1, TWO))
    assert not is_full(ran_out(1, P, 1, TWO))
    assert not is_full(ran_out(1, P, 5))


def test_a_solution_proves_itself_but_not_that_there_is_no_other() -> None:
    for backend in (P, "py:x:Y"):
        alone = judge([some(1, backend, 1, ONE)])[0]
        assert (alone.verdict, alone.evidence) == ("verified", "solution checked")
    unique = judge([exactly(1, P, 1, TWO)])[0]
    assert (unique.verdict, unique.evidence) == (
        "unwitnessed",
        "solution checked; claimed by propagation alone",
    )


def test_more_solutions_than_are_shown_need_a_second_family() -> None:
    five = Question(5, 2)
    assert words([some(1, P, 5, five)]) == ["unwitnessed"]
    assert words([some(1, P, 5, five), some(2, P, 5, five)]) == ["unwitnessed"] * 2
    assert words([some(1, P, 5, five), some(2, Q, 5, five)]) == ["verified"] * 2
    assert words([some(1, P, 5, five), some(2, Q, 2, TWO)]) == ["unwitnessed", "verified"]


def test_a_claim_without_a_witness_is_only_claimed() -> None:
    alone = judge([exactly(1, P, 0)])[0]
    assert (alone.verdict, alone.evidence) == ("unwitnessed", "claimed by propagation alone")
    assert words([exactly(1, "py:x:Y", 0)]) == ["unverified"]


def test_rules_and_model_speak_apart() -> None:
    values = (0, 1, 3)
    outside = some(1, P, 1, ONE, solutions=(values,), digest=digest_of([values]))
    verdict = judge([outside])[0]
    assert verdict.verdict == "wrong"
    assert verdict.rules == "3 is too large"
    assert "x2 = 3 is not in its domain" in verdict.model
    assert verdict.checked == 0


def test_a_check_that_stumbles_is_an_objection() -> None:
    short = some(1, P, 1, ONE, solutions=((),), digest=digest_of([()]))
    verdict = judge([short])[0]
    assert verdict.verdict == "wrong"
    assert "0 values for 3 variables" in verdict.model


def test_words_of_before() -> None:
    assert translate_verdict("correct", "py:x:Y") == "verified"
    assert translate_verdict("single", "sat:x") == "unwitnessed"
    assert translate_verdict("single", "py:x:Y") == "unverified"
    assert translate_verdict("wrong", "sat") == "wrong"


# --- optima --------------------------------------------------------------------------------

MAX = "3 4 - max"  # the best is 14, with (1, 2, 3)


def optimum(number: int, backend: str, value: int, *solutions: Any, **record: Any) -> Row:
    """``backend`` says that ``value`` is the best."""
    more = {"status": "OPTIMUM", "stopped_by": "exhausted", "bound": value} | record
    asked = job(number, MAX, backend, BEST)
    return row(asked, count=1, objective=value, solutions=solutions, **more)


def test_two_families_agree_on_an_optimum() -> None:
    rows = [optimum(1, P, 14, (1, 2, 3)), optimum(2, Q, 14, (1, 2, 3))]
    assert words(rows) == ["verified", "verified"]
    assert words(rows[:1]) == ["unwitnessed"]
    assert words([optimum(1, "py:x:Y", 14, (1, 2, 3))]) == ["unverified"]
    assert words([optimum(1, "py:x:Y", 14, (1, 2, 3)), rows[0]]) == ["unwitnessed"] * 2
    assert words([optimum(1, ORACLE, 14, (1, 2, 3))]) == ["verified"]


def test_a_better_solution_refutes_an_optimum_and_a_bound() -> None:
    best = optimum(1, P, 14, (1, 2, 3))
    assert words([best, optimum(2, Q, 13, (0, 2, 3))]) == ["unwitnessed", "wrong"]
    early = optimum(2, Q, 8, (0, 1, 2), status="SATISFIABLE", stopped_by="time", bound=13)
    early.record.outcome = "timeout"
    assert words([best, early]) == ["unwitnessed", "wrong"]


def test_an_optimum_without_its_solution_is_wrong() -> None:
    assert words([optimum(1, P, 14), optimum(2, Q, 14, (1, 2, 3))]) == ["wrong", "unwitnessed"]


def test_an_objective_is_that_of_its_solution() -> None:
    (verdict,) = judge([optimum(1, P, 15, (1, 2, 3))])
    assert verdict.verdict == "wrong"
    assert "its objective is 15, that of its solution is 14" in verdict.evidence


def test_an_optimum_that_is_too_good_is_refuted_by_the_oracle() -> None:
    before = Question(1, 0, optimum=True)  # by earlier versions
    best = optimum(1, ORACLE, 14, (1, 2, 3))
    other = row(job(2, MAX, P, before), count=0, stopped_by="exhausted", bound=15)
    assert words([best, other]) == ["verified", "wrong"]


def test_an_incumbent_is_no_claim_to_be_the_best() -> None:
    late = optimum(2, Q, 13, (0, 2, 3), status="SATISFIABLE", stopped_by="time", bound=None)
    late.record.outcome = "timeout"
    assert not is_full(late)
    assert words([optimum(1, P, 14, (1, 2, 3)), late]) == ["unwitnessed", "verified"]


def test_a_bound_needs_support() -> None:
    early = optimum(2, Q, 13, (0, 2, 3), status="SATISFIABLE", stopped_by="time", bound=20)
    early.record.outcome = "timeout"
    assert words([early]) == ["unverified"]
    assert words([early, optimum(1, P, 14, (1, 2, 3))]) == ["verified", "unwitnessed"]
    loose, tight = early, optimum(3, P, 14, (1, 2, 3), stopped_by="time", bound=14)
    tight.record.outcome = "timeout"
    assert words([loose, tight]) == ["verified", "unverified"]


def optima(
    number: int, backend: str, solutions: tuple[Any, ...], limit: int | None = None, **record: Any
) -> Row:
    """``backend`` found the best ``solutions`` of a problem in which all are equally good."""
    more = {
        "count": len(solutions),
        "objective": 0,
        "status": "OPTIMUM",
        "stopped_by": "exhausted",
        "solutions": solutions[:1],
        "digest": digest_of(solutions),
    }
    asked = job(number, "2 2 - max 0", backend, Question(limit, 1, optimum=True))
    return row(asked, **(more | record))


BOTH = ((0, 1), (1, 0))


def test_all_optima_are_counted_apart_from_all_solutions() -> None:
    assert words([optima(1, P, BOTH), optima(2, Q, BOTH)]) == ["verified", "verified"]
    assert words([optima(1, P, BOTH), optima(2, Q, BOTH[:1])]) == ["disputed"] * 2
    others = optima(2, Q, BOTH, digest=digest_of(BOTH[:1]))
    assert words([optima(1, P, BOTH), others]) == ["disputed"] * 2


def test_all_optima_are_refuted_by_those_that_are_shown() -> None:
    other = optima(2, Q, BOTH[1:])
    assert words([optima(1, P, BOTH[:1]), other]) == ["wrong", "wrong"]
    assert words([optima(1, P, BOTH), other]) == ["unwitnessed", "wrong"]


def test_so_many_optima_are_full_when_they_are_so_many() -> None:
    assert is_full(optima(1, P, BOTH, 2, stopped_by="enough"))
    assert not is_full(optima(1, P, BOTH, 3, stopped_by="time"))
    beyond = optima(1, P, BOTH[:1], 1)
    assert is_full(beyond)
    more = optima(1, P, BOTH, 2)  # and no more, it says: that was not asked
    assert "beyond the question" in judge([more])[0].evidence


def test_best_solutions_beyond_the_question_are_confirmed_by_who_counted_them_all() -> None:
    more = optima(1, P, BOTH, 2)
    assert words([more, optima(2, Q, BOTH), optima(3, R, BOTH)]) == ["verified"] * 3
    assert words([more, optima(2, Q, BOTH[:1]), optima(3, R, BOTH[:1])])[0] == "disputed"


# --- solutions told apart by an output -----------------------------------------------------------

FIRST = (
    "py:tiny_family:First"  # by the first value: of SIX there are 3, of which each is shown whole
)
WHOLE = ((0, 1, 2), (1, 0, 2), (2, 0, 1))
OTHERS = ((0, 2, 1), (1, 2, 0), (2, 1, 0))


def first(
    number: int,
    backend: str,
    solutions: tuple[Any, ...] = WHOLE,
    question: Question = ALL,
    text: str = SIX,
    **record: Any,
) -> Row:
    """``backend`` found a solution for each first value in ``solutions``, and no others."""
    apart = sorted({values[:1] for values in solutions})
    more = {
        "count": len(apart),
        "stopped_by": "exhausted",
        "status": "SATISFIABLE",
        "solutions": solutions[: question.keep],
        "digest": digest_of(apart),
    }
    asked = structs.replace(job(number, text, backend, question), family=FIRST)
    return row(asked, **(more | record))


def test_whole_solutions_that_differ_are_one_set_by_their_output() -> None:
    verdicts = judge([first(1, P), first(2, Q, OTHERS)])
    assert [(v.verdict, v.evidence, v.checked) for v in verdicts] == [
        ("verified", "solution checked; agreed by 2 families", 3)
    ] * 2
    assert words([first(1, P, WHOLE, COUNT), first(2, ORACLE)]) == ["verified", "verified"]


def test_an_output_is_not_ones_own_to_count_by() -> None:
    every = first(1, P, SOLUTIONS, count=6, digest=digest_of(SOLUTIONS))
    verdict = judge([every, first(2, Q)])[0]
    assert (verdict.verdict, "shown more than once" in verdict.evidence) == ("wrong", True)
    counted = first(1, P, WHOLE, COUNT, count=6, digest=digest_of(SOLUTIONS))
    assert words([counted, first(2, Q, WHOLE, COUNT)]) == ["disputed", "disputed"]
    assert words([counted, first(2, ORACLE)]) == ["wrong", "verified"]
    assert words([first(1, P, digest=digest_of(WHOLE))]) == ["wrong"]


def test_only_another_output_refutes_that_there_is_no_other_solution() -> None:
    two = first(1, P, WHOLE[:2])
    assert words([two, first(2, Q, OTHERS[:1], ONE)]) == ["unwitnessed", "wrong"]
    alike = first(2, Q, OTHERS[:1], ONE, stopped_by="enough")
    assert words([two, alike]) == ["unwitnessed", "verified"]
    other = first(2, Q, OTHERS[2:], ONE, stopped_by="enough")
    assert words([two, other]) == ["wrong", "verified"]


def test_an_unfinished_count_stands_for_the_outputs_that_it_shows() -> None:
    late = {"stopped_by": "time", "outcome": "timeout"}
    assert words([first(1, P, **late)]) == ["verified"]
    twice = first(1, P, (WHOLE[0], OTHERS[0]), count=2, **late)
    assert words([twice, first(2, Q, WHOLE[:1])]) == ["wrong", "unwitnessed"]


def test_what_is_shown_is_whole() -> None:
    apart = ((0,), (1,), (2,))
    verdict = judge([first(1, P, solutions=apart)])[0]
    assert (verdict.verdict, verdict.checked) == ("wrong", 0)
    assert "1 values for 3 variables" in verdict.model
    assert words([first(1, P, ((), ()), TWO, count=2)]) == ["wrong"]


def test_optima_are_told_apart_by_their_output() -> None:
    alike = "3 3 - max 0"  # every solution is as good as any other
    best = {"objective": 0, "status": "OPTIMUM", "text": alike}
    every = Question(None, 10, optimum=True)
    rows = [first(1, P, WHOLE, every, **best), first(2, Q, OTHERS, every, **best)]
    assert words(rows) == ["verified", "verified"]
    two = first(3, R, WHOLE[:2], every, **best)
    assert words([rows[0], two]) == ["unwitnessed", "wrong"]
    late = first(3, R, OTHERS[:1], every, stopped_by="time", outcome="timeout", **best)
    assert words([rows[0], late]) == ["unwitnessed", "verified"]


@pytest.mark.once
def test_backends_agree_on_a_family_with_an_output(tmp_path: Path) -> None:
    (tmp_path / "best").mkdir()
    path = tiny_file(tmp_path, SIX, "3 4 5", "3 3 - max", "3 2 -")
    backends = ["propagation", "sat", "cpsat", "python_constraint", "brute_force"]
    best = tiny_file(tmp_path / "best", "3 3 - max", "3 4 6 min")
    for file, ask, asked in (
        (path, {"count": "all"}, backends),
        (path, {"count": 2}, backends[:2]),
        (best, {"optimum": True}, backends),
    ):
        chosen = experiment(file, *asked, **ask)
        chosen.sets = [structs.replace(chosen.sets[0], family=FIRST)]
        run = run_experiment(chosen, tmp_path / f"run {ask}")
        assert set(run.jobs["outcome"]) == {"finished"}
        assert set(run.jobs["verdict"]) == {"verified"}
        assert not run.faults


# --- streams -------------------------------------------------------------------------------


def test_instances_are_judged_apart() -> None:
    none = {"count": 0, "stopped_by": "exhausted", "status": "UNSATISFIABLE"}
    rows = [
        row(job(1, SIX, P, ONE), **none),
        some(2, Q, 1, ONE),
        row(job(3, "3 2 -", P, ONE), **none),
        row(job(4, "3 2 -", Q, ONE), **none),
    ]
    found = {verdict.job: verdict.verdict for verdict in validate(rows)}
    assert found == {1: "wrong", 2: "verified", 3: "verified", 4: "verified"}


# --- proofs that were checked --------------------------------------------------------------------


def test_a_checked_proof_verifies_what_one_family_claims_alone():
    none = {"stopped_by": "exhausted"}
    shown = {"proof": "checked", "proof_encoding": "enumerated"}
    verdicts = judge([row(job(1, "3 2 -", Q, ONE), **shown, **none)])
    assert verdicts[0].verdict == "verified"
    assert verdicts[0].evidence == "proof checked, encoding enumerated"
    assert verdicts[0].ground == "proved, encoding enumerated"
    assert verdicts[0].families == 1


def test_who_claims_the_same_is_verified_too():
    none = {"stopped_by": "exhausted"}
    other = "py:somebody:else"
    rows = [
        row(job(1, "3 2 -", Q, ONE), proof="checked", proof_encoding="agreed", **none),
        row(job(2, "3 2 -", other, ONE), **none),
    ]
    assert words(rows) == ["verified", "verified"]


@pytest.mark.parametrize("encoding", ["unchecked", ""])
def test_a_proof_whose_encoding_is_not_checked_verifies_nothing(encoding: str):
    """A wrong encoder alone would make a false answer verified."""
    none = {"stopped_by": "exhausted"}
    shown = {"proof": "checked", "proof_encoding": encoding}
    (verdict,) = judge([row(job(1, "3 2 -", Q, ONE), **shown, **none)])
    assert verdict.verdict == "unwitnessed"
    assert verdict.evidence == "proof checked, encoding unchecked; claimed by sat alone"
    assert verdict.ground == "proved, encoding unchecked"
    agreed = [row(job(1, "3 2 -", Q, ONE), **shown, **none), row(job(2, "3 2 -", P, ONE), **none)]
    assert words(agreed) == ["verified", "verified"]
    assert {v.ground for v in judge(agreed)} == {"agreed by 2 independent families"}


def test_a_proof_of_an_unknown_family_counts_for_nothing():
    verdicts = judge([row(job(1, "3 2 -", "py:x:y", ONE), proof="checked", stopped_by="exhausted")])
    assert verdicts[0].verdict == "unverified"
    assert "proof" not in verdicts[0].evidence


def test_a_proof_that_was_not_checked_leaves_the_answer_and_says_so():
    record = {"stopped_by": "exhausted", "proof": "unchecked", "proof_note": "too slow"}
    verdicts = judge([row(job(1, "3 2 -", Q, ONE), **record)])
    assert verdicts[0].verdict == "unwitnessed"
    assert verdicts[0].evidence == "proof not checked: too slow; claimed by sat alone"


def test_a_rejected_proof_is_a_wrong_answer():
    record = {"outcome": "error", "stopped_by": "exhausted", "proof": "rejected"}
    verdicts = judge([row(job(1, "3 2 -", Q, ONE), error="its proof is rejected: no", **record)])
    assert (verdicts[0].verdict, verdicts[0].evidence) == ("wrong", "its proof is rejected: no")


def test_a_solution_that_holds_refutes_a_checked_proof():
    """The clauses then do not say what the problem says."""
    rows = [
        row(job(1, SIX, Q, ONE), proof="checked", stopped_by="exhausted"),
        row(
            job(2, SIX, P, ONE),
            count=1,
            stopped_by="enough",
            solutions=SOLUTIONS[:1],
            digest=digest_of(SOLUTIONS[:1]),
        ),
    ]
    assert words(rows) == ["wrong", "verified"]


def test_a_checked_proof_refutes_nobody():
    both = {"stopped_by": "exhausted", "digest": digest_of(SOLUTIONS[:1]), "count": 1}
    rows = [
        row(job(1, SIX, Q, COUNT), proof="checked", solutions=SOLUTIONS[:1], **both),
        row(
            job(2, SIX, P, COUNT),
            count=6,
            stopped_by="exhausted",
            solutions=SOLUTIONS[:1],
            digest=digest_of(SOLUTIONS),
        ),
    ]
    assert words(rows) == ["disputed", "disputed"]


def test_a_certificate_holds_for_what_follows_from_its_claim() -> None:
    none, few = Claim(least=0, most=0), Claim(least=0, most=5)

    def certify(claim: Claim, other: Claim) -> str:
        answer = SimpleNamespace(family="sat", claim=claim, certificate="enumerated")
        return _Scene([answer], [], None).find_certificate(other)

    assert certify(none, few) == "enumerated"
    assert certify(few, none) == ""
