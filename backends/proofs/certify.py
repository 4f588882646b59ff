"""Whether an answer that calls its search exhausted is certified: it refutes what it claims.

What must be so, besides a proof of each formula that the checker accepts
--------------------------------------------------------------------------
no solution     one formula, with nothing excluded
a count         one formula, which excludes as many solutions as were counted: each holds by the
                model, their outputs differ, and their digest is that of the answer
an optimum      one formula, which says that the objective is better than the one that is shown
all optima      that, and one formula that says that the objective is this one; the solutions that
                it excludes as for a count

That the clauses say this is by the encoder's word; see docs/verdicts.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

from backends.interface.api import AllOptima, Ask, Result, Solutions
from backends.interface.evidence.answer import digest_of
from backends.interface.proofs import Certificate, CertificateState, EncodingState, Refutation
from backends.proofs.encodings.check import EncodingCheck, check_encoding
from modelling.check import violations
from modelling.problem import Problem

STRENGTHS: tuple[EncodingState, ...] = ("enumerated", "agreed", "unchecked", "wrong")
"""What may become of the check of an encoding, the strongest first."""


def certified(result: Result, ask: Ask, problem: Problem) -> tuple[Result, str]:
    """An answer with its certificate, and why it is none if a proof is rejected, else nothing."""
    if not is_due(result, ask):
        return result, ""
    found = certify(result, ask, problem)
    fault = f"its proof is rejected: {found.said}" if found.state == "rejected" else ""
    return replace(result, certificate=found), fault


def is_due(result: Result, ask: Ask) -> bool:
    """Whether there is a claim to certify: that no further, or no better, solution exists."""
    if result.refutations is None:
        return False
    return result.exhausted or (isinstance(ask, AllOptima) and result.stopped_by == "enough")


def allowed(result: Result) -> float:
    """How many seconds ``certify`` takes at most."""
    return max((one.seconds for one in result.refutations or ()), default=0.0)


def certify(result: Result, ask: Ask, problem: Problem) -> Certificate:
    """Check the proofs of an answer; see the head of this file."""
    if not is_due(result, ask):
        return Certificate()
    refutations = result.refutations or ()
    if not refutations:
        return Certificate(
            "unchecked",
            "the solver was not asked for the end of the search, so it has no proof of it",
        )
    started = perf_counter()
    until = started + allowed(result)
    size = sum(len(one.proof or b"") for one in refutations)

    def made(state: CertificateState, said: str, steps: int = 0) -> Certificate:
        return Certificate(state, said, steps, size, perf_counter() - started)

    try:
        fault = next(_faults(result, ask, problem, refutations, until), "")
    except TimeoutError:
        return made("unchecked", "the solutions that it excludes were not all checked in time")
    if fault:
        return made("rejected", fault)
    from backends.proofs.checking import check  # not at the start of every worker

    steps, said = 0, ""
    for one in refutations:
        found = check(one, max(0.0, until - perf_counter()))
        steps, said = steps + found.steps, found.said
        if found.state != "checked":
            return made(found.state, said, steps)
    encoding = _check_encodings(refutations, problem, until)
    if encoding.state == "wrong":
        return made("rejected", f"the encoding is wrong: {encoding.said}", steps)
    return made("checked", said, steps)._replace(
        encoding=encoding.state, encoding_said=encoding.said
    )


def _check_encodings(
    refutations: tuple[Refutation, ...], problem: Problem, until: float
) -> EncodingCheck:
    """The weakest of what becomes of them."""
    found = (check_encoding(one, problem, until) for one in refutations)
    return max(found, key=lambda check: STRENGTHS.index(check.state))


def _faults(
    result: Result, ask: Ask, problem: Problem, refutations: tuple[Refutation, ...], until: float
) -> Iterator[str]:
    """Why these formulas do not bear out what is claimed."""
    last = refutations[-1]
    if isinstance(ask, Solutions) or not result.count:
        parts: list[tuple[int | None, int | None]] = [(None, None)]
    elif isinstance(ask, AllOptima) and result.exhausted:
        parts = [(result.objective, None), (None, result.objective)]
    else:
        parts = [(result.objective, None)]
    if [(one.than, one.value) for one in refutations] != parts:
        yield "what it refutes is not what is claimed"
    counts = last.than is None
    for place, one in enumerate(refutations):
        due = result.count if counts and place == len(refutations) - 1 else 0
        if one.missing and len(one.excluded) < due:
            continue  # the proof is missing, and it says why
        if len(one.excluded) != due:
            yield f"it excludes {len(one.excluded)} solutions, and {due} were counted"
        yield from _unsound(one, problem, until)
        if due and digest_of(_outputs(one, problem)) != result.digest:
            yield "the solutions that it excludes are not those that were counted"


def _unsound(one: Refutation, problem: Problem, until: float) -> Iterator[str]:
    objective = problem.structure.objective
    for place, values in enumerate(one.excluded, 1):
        for violation in violations(problem, values)[:1]:
            yield f"solution {place}, which it excludes, does not hold: {violation}"
        if one.value is not None and objective is not None:
            value = objective.value(values)
            if value != one.value:
                yield f"solution {place}, which it excludes, has the objective {value}"
        if perf_counter() > until:
            raise TimeoutError
    if len(set(_outputs(one, problem))) < len(one.excluded):
        yield "it excludes a solution twice"


def _outputs(one: Refutation, problem: Problem) -> list[tuple[int, ...]]:
    """The output of each excluded solution: the values that distinguish it."""
    output = problem.structure.output
    if output is None:
        return list(one.excluded)
    return [tuple(values[v] for v in output) for values in one.excluded]
