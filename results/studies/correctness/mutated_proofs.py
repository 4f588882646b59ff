"""Is a proof that was changed accepted although one of its lines is wrong?

    python -m results.studies.correctness.mutated_proofs [--mutants 1000] [--seed 1]
                                                         [--kind KIND]... [--resume] [--out FOLDER]

Proofs of small problems are changed in one place: a number, a sign, a word, a line, or what the
proof is of. What Concord's checkers accept is tested again by other code, which enumerates:

clauses             proofs of the engines of ``sat``, of random formulas: every step by the
                    definition of DRAT
cutting-planes      proofs of Exact: every line, over all assignments of the Booleans
pumpkin             proofs of Pumpkin, as it writes them and as they are checked: every line, over
                    all assignments of its variables
learning            the same of propagation:learning
encodings           formulas of ``sat``, a literal of which is turned or left out: every solution of
                    the problem has to extend to a model. Half of them are checked variable by
                    variable, as if there were too many to be enumerated
claims              certificates of optima, all optima and counts, of all four solvers, in which the
                    answer, what is excluded, the objective's bound or the proof is changed: the
                    answer by the oracle

Mutants come in batches of 50; with ``--resume`` those that ``--out`` has are not tried again.
Exit status 1 if one was accepted that is wrong. ``mutated_proofs.md`` in ``--out`` has the figures.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.oracle import make_oracle, project
from backends.conformance.suite import vocabulary
from backends.interface.api import AllOptima, Ask, Optimum, Result, Solutions
from backends.interface.proofs import Refutation
from backends.interface.registry import get
from backends.proofs.certify import certify, is_due
from backends.proofs.cutting_planes.program import Checker
from backends.proofs.cutting_planes.text import read_formula
from backends.proofs.encodings import inquiry, linked
from backends.proofs.encodings.check import check_encoding
from backends.proofs.encodings.extending import has_model
from backends.proofs.inferences.text import read_model
from backends.sat.engines.proving import WRITERS
from modelling.errors import ContradictoryResult, Unsupported
from modelling.problem import Problem
from results.studies.correctness import inequality_lines, proofs
from results.studies.correctness.inference_lines import Proof, invalid_line, mutated, mutated_text
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

BATCH = 50
"""Mutants of a row."""

MUTANTS = 10
"""Most mutants of one proof."""

MOST_ASSIGNMENTS = 2_000
"""Problems with more assignments are not drawn."""

FEWEST_LINES, MOST_LINES = 4, 100
"""Shorter and longer proofs are not changed."""

SOLVERS = ("sat", "exact", "pumpkin", "propagation:learning")


class Tried(NamedTuple):
    """One mutant: whether it was accepted, and what is wrong with it then."""

    is_accepted: bool
    fault: str = ""


class Batch(msgspec.Struct):
    """The mutants of one kind and number: how many, how many were accepted, each of which is
    right, but for the faults."""

    kind: str
    number: int
    mutants: int
    accepted: int
    faults: list[str]


# --- problems ------------------------------------------------------------------------------------


def draw_small(rng: random.Random) -> Iterator[tuple[Problem, Ask]]:
    """Problems over the vocabulary that can be enumerated, each with a question that a search to
    the end answers."""
    kinds = vocabulary(get("brute_force"))
    for _, problem in drawn_problems(rng.random(), kinds):
        structure = problem.structure
        if prod(len(problem.domain(v)) for v in range(structure.size)) > MOST_ASSIGNMENTS:
            continue
        if structure.objective is None:
            yield problem, Solutions(rng.choice((1, None)))
        else:
            yield problem, rng.choice((Optimum(), AllOptima(), Solutions(None)))


def answer(solver: str, problem: Problem, ask: Ask) -> Result | None:
    """What a solver with proofs says; None if it does not take the problem."""
    try:
        return get(f"{solver}{',' if ':' in solver else ':'}proof=check").solve(problem, ask)
    except Unsupported:
        return None


def refutations_of(solver: str, problem: Problem, ask: Ask) -> Sequence[Refutation]:
    """What a solver has refuted, with proofs."""
    result = answer(solver, problem, ask)
    found = () if result is None else result.refutations or ()
    return [one for one in found if one.proof is not None]


# --- the lines of proofs -------------------------------------------------------------------------


def try_clauses(rng: random.Random) -> Iterator[Tried]:
    """Proofs of random formulas, by engines in turn."""
    with TemporaryDirectory() as folder:
        while True:
            variables, formula = proofs.draw_formula(rng)
            engine = rng.choice(WRITERS)
            proof = proofs.prove(engine, formula)
            if proof is None:
                continue
            is_binary = engine.startswith("cadical")
            for _ in range(MUTANTS):
                kind, changed, mutant, form = proofs.mutate(
                    rng, variables, formula, proof, is_binary
                )
                if not proofs.check_proof(Path(folder), changed, mutant, form):
                    yield Tried(False)
                    continue
                is_wrong = not proofs.is_valid(changed, mutant, form)
                yield Tried(True, f"{engine}, {kind}: {changed} {mutant!r}" if is_wrong else "")


def try_cutting_planes(rng: random.Random) -> Iterator[Tried]:
    """Proofs of Exact."""
    for problem, ask in draw_small(rng):
        for one in refutations_of("exact", problem, ask):
            proof = inequality_lines.Proof(
                one.formula().decode().splitlines(), (one.proof or b"").decode().splitlines()
            )
            most = inequality_lines.MOST_BOOLEANS
            is_enough = FEWEST_LINES + 2 <= len(proof.lines) <= MOST_LINES
            if not is_enough or not 2 <= proof.booleans <= most:
                continue
            for _ in range(MUTANTS):
                yield _try_inequalities(inequality_lines.mutated(rng, proof))


def _try_inequalities(mutant: inequality_lines.Proof) -> Tried:
    found = mutant.verdict()
    if found.state != "checked":
        return Tried(False)
    if mutant.booleans > inequality_lines.MOST_BOOLEANS:  # a number of a literal has grown
        return Tried(True, f"too large to be tested: {mutant}")
    checker = Checker(read_formula(mutant.formula))
    for place, line in enumerate(mutant.lines[: found.steps], 1):
        checker.add(line, place)
    line = inequality_lines.invalid_line(mutant, checker.shown)
    is_true = inequality_lines.Meaning(mutant).claim_is_true()
    return Tried(True, "" if is_true and not line else f"{line or 'the claim'}: {mutant}")


def try_learning(rng: random.Random) -> Iterator[Tried]:
    """Proofs of ``propagation:learning``."""
    for problem, ask in draw_small(rng):
        for one in refutations_of("propagation:learning", problem, ask):
            proof = _proof_of(one)
            for _ in range(MUTANTS if _is_enough(proof) else 0):
                yield _try_inferences(mutated(rng, proof))


def try_pumpkin(rng: random.Random) -> Iterator[Tried]:
    """Proofs of Pumpkin, half of them changed in the text that it has written."""
    from backends.pumpkin.proving import solver
    from backends.pumpkin.proving.drcp import UnknownLine, translate

    texts: list[tuple[list[str], Any]] = []

    def note(lines: Any, sources: Any) -> list[str]:
        texts.append((list(lines), sources))
        return translate(texts[-1][0], sources)

    for problem, ask in draw_small(rng):
        texts.clear()
        with patch.object(solver, "translate", note):
            found = refutations_of("pumpkin", problem, ask)
        if len(found) != len(texts):
            continue
        for one, (lines, sources) in zip(found, texts, strict=True):
            proof = _proof_of(one)
            ending = proof.lines[len(translate(lines, sources)) :]
            for k in range(MUTANTS if _is_enough(proof) else 0):
                if k % 2:
                    yield _try_inferences(mutated(rng, proof))
                    continue
                try:
                    changed = translate(mutated_text(rng, lines), sources)
                except UnknownLine:
                    yield Tried(False)
                    continue
                yield _try_inferences(proof._replace(lines=[*changed, *ending]))


def _proof_of(one: Refutation) -> Proof:
    text = (one.proof or b"").decode()
    return Proof(one.formula().decode().splitlines(), text.splitlines(), None)


def _is_enough(proof: Proof) -> bool:
    """Whether there is something to change, and little enough to be enumerated."""
    try:
        box = read_model(iter(proof.model)).box
    except ValueError:  # a count of a problem without variables
        return False
    small = prod(box.size(x) for x in box.low) <= MOST_ASSIGNMENTS
    return small and FEWEST_LINES <= len(proof.lines) <= MOST_LINES


def _try_inferences(mutant: Proof) -> Tried:
    if mutant.verdict().state != "checked":
        return Tried(False)
    line = invalid_line(mutant)
    return Tried(True, f"{line}: {mutant}" if line else "")


# --- what proofs are of --------------------------------------------------------------------------


def try_encodings(rng: random.Random) -> Iterator[Tried]:
    """Formulas of ``sat``, of which a literal is turned or left out."""
    for problem, _ in draw_small(rng):
        for one in refutations_of("sat", problem, Solutions(None)):
            kept = one.clauses[:2]  # what follows excludes the solutions that were found
            clauses = [tuple(c) for part in kept for c in part]
            if one.blocks or len(clauses) < FEWEST_LINES or not one.excluded:
                continue
            for _ in range(MUTANTS):
                changed = (_with_literal_changed(rng, clauses),)
                mutant = replace(one, clauses=changed, excluded=())
                with patch.object(linked, "MOST_STEPS", rng.choice((1, inquiry.MOST_STEPS))):
                    found = check_encoding(mutant, problem, perf_counter() + 60)
                if found.state not in ("enumerated", "agreed"):
                    yield Tried(False)
                    continue
                lost = _lost_solution(mutant, problem)
                yield Tried(True, "" if lost is None else f"{lost} is lost: {mutant.clauses}")


def _with_literal_changed(
    rng: random.Random, clauses: Sequence[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    changed = list(clauses)
    place = rng.choice([k for k, clause in enumerate(changed) if clause])
    clause = changed[place]
    at = rng.randrange(len(clause))
    changed[place] = (*clause[:at], *rng.choice(((), (-clause[at],))), *clause[at + 1 :])
    return changed


def _lost_solution(one: Refutation, problem: Problem) -> Any:
    """A solution that is not excluded, is as good as is claimed, and extends to no model."""
    assert one.literals is not None
    pins, clauses = one.literals(), [c for part in one.clauses for c in part]
    excluded = {project(problem, values) for values in one.excluded}
    for values in make_oracle(problem).every:
        if project(problem, values) in excluded or not _is_claimed(one, problem, values):
            continue
        true = [x for v, value in enumerate(values) for x in pins[v].get(value, ())]
        if not has_model(clauses, true):
            return values
    return None


def _is_claimed(one: Refutation, problem: Problem, values: Any) -> bool:
    """Whether the formula says that no solution with this objective exists."""
    objective = problem.structure.objective
    if objective is None or (one.than is None and one.value is None):
        return True
    found = objective.value(values)
    if one.value is not None:
        return found == one.value
    assert one.than is not None
    return found < one.than if objective.sense == "minimize" else found > one.than


def try_claims(rng: random.Random) -> Iterator[Tried]:
    """Certificates of counts, optima and all optima, by the solvers in turn."""
    for number, (problem, ask) in enumerate(draw_small(rng)):
        solver = SOLVERS[number % len(SOLVERS)]
        result = answer(solver, problem, ask)
        if result is None or not is_due(result, ask) or not result.refutations:
            continue
        objective = problem.structure.objective
        sense = -1 if objective is not None and objective.sense == "maximize" else 1
        for _ in range(2):
            try:
                mutant, what = _with_claim_changed(rng, result, sense)
            except ContradictoryResult:  # such an answer is refused before its proof is looked at
                yield Tried(False)
                continue
            if mutant is None:
                continue
            found = certify(mutant, ask, problem)
            if found.state != "checked" or found.encoding not in ("enumerated", "agreed"):
                yield Tried(False)
                continue
            is_right = _is_right(mutant, ask, problem)
            yield Tried(True, "" if is_right else f"{solver}, {what}: {problem}, {mutant}")


def _with_objective_moved(one: Refutation, sense: int, shift: int) -> Refutation:
    """The refutation of another objective, in the text of the model as well."""
    than = None if one.than is None else one.than + shift
    value = None if one.value is None else one.value + shift
    if one.model is None or than is None:
        return replace(one, than=than, value=value)
    lines = one.formula().decode().splitlines()
    for k, line in enumerate(lines):
        if line.startswith(("objective", "than:")):
            *words, last = line.split()
            lines[k] = " ".join([*words, str(int(last) + sense * shift)])
    text = "\n".join(lines).encode()
    return replace(one, than=than, value=value, model=lambda: text)


def _with_claim_changed(
    rng: random.Random, result: Result, sense: int
) -> tuple[Result | None, str]:
    """An answer in which one thing was changed, and what; None where there is nothing of it."""
    refutations = list(result.refutations or ())
    place = rng.randrange(len(refutations))
    one = refutations[place]
    what = rng.choice(("count", "excluded", "doubled", "value", "objective", "bound", "line"))
    if what == "count":
        return replace(result, count=result.count + rng.choice((-1, 1))), what
    if what == "objective" and result.objective is not None:
        shift = rng.choice((-1, 1))
        moved = [_with_objective_moved(one, sense, shift) for one in refutations]
        best = result.objective + shift
        return replace(result, objective=best, bound=best, refutations=tuple(moved)), what
    if what == "bound" and one.than is not None:
        one = _with_objective_moved(one, sense, rng.choice((-1, 1)))
    elif what == "line":
        lines = one.formula().splitlines() if one.model is not None else []
        if not lines:
            return None, what
        del lines[rng.randrange(len(lines))]
        text = b"\n".join(lines)
        one = replace(one, model=lambda: text)
    elif what in ("excluded", "doubled", "value") and one.excluded:
        excluded, at = list(one.excluded), rng.randrange(len(one.excluded))
        if what == "value" and excluded[at]:
            values, v = list(excluded[at]), rng.randrange(len(excluded[at]))
            values[v] += rng.choice((-1, 1))
            excluded[at] = tuple(values)
        elif what == "doubled":
            excluded.insert(at, excluded[at])
        else:
            del excluded[at]
        one = replace(one, excluded=tuple(excluded))
        if rng.random() < 0.5:
            shift = len(excluded) - len(refutations[place].excluded)
            result = replace(result, count=result.count + shift)
    else:
        return None, what
    refutations[place] = one
    return replace(result, refutations=tuple(refutations)), what


def _is_right(result: Result, ask: Ask, problem: Problem) -> bool:
    """Whether no solution is left that is refuted, and what is excluded are as many solutions as
    were counted. (That the objective is that of a solution is checked elsewhere.)"""
    oracle = make_oracle(problem)
    last = (result.refutations or ())[-1]
    left = [
        values
        for one in result.refutations or ()
        for values in oracle.every
        if project(problem, values) not in {project(problem, s) for s in one.excluded}
        and _is_claimed(one, problem, values)
    ]
    apart = {project(problem, values) for values in last.excluded}
    is_count = isinstance(ask, Solutions) or last.value is not None
    return (
        not left
        and {*last.excluded} <= oracle.every
        and (not is_count or result.count == len(apart) == len(last.excluded))
    )


# --- the study -----------------------------------------------------------------------------------

KINDS: dict[str, Callable[[random.Random], Iterator[Tried]]] = {
    "clauses": try_clauses,
    "cutting-planes": try_cutting_planes,
    "pumpkin": try_pumpkin,
    "learning": try_learning,
    "encodings": try_encodings,
    "claims": try_claims,
}


def try_batch(kind: str, number: int, seed: int, most: int = BATCH) -> Batch:
    """The mutants of one batch."""
    row = Batch(kind, number, 0, 0, [])
    for tried in islice(KINDS[kind](random.Random(f"{seed} {kind} {number}")), most):
        row.mutants += 1
        row.accepted += tried.is_accepted
        row.faults += [tried.fault] if tried.fault else []
    return row


def measure(chosen: Options, known: Known) -> Iterator[Batch]:
    """A row for each batch."""
    for kind in chosen.kind or KINDS:
        for number in range(-(-chosen.mutants // BATCH)):
            if (kind, number) not in known:
                most = min(BATCH, chosen.mutants - number * BATCH)
                yield try_batch(kind, number, chosen.seed, most)


def report(rows: Sequence[Batch], chosen: Options) -> str:
    """The figures as Markdown."""
    mutants: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for row in rows:
        mutants[row.kind] += row.mutants
        accepted[row.kind] += row.accepted
        wrong[row.kind] += len(row.faults)
    lines = (
        f"{kind} | {mutants[kind]:,} | {mutants[kind] - accepted[kind]:,} | {accepted[kind]:,} "
        f"| {wrong[kind]:,}"
        for kind in KINDS
        if mutants[kind]
    )
    return join_page(
        "# Changed proofs",
        f"Made by `{chosen.command}`. A proof that was not decided counts as rejected. Every line "
        "of an accepted one was tested again by enumeration; the last column has those that are "
        "wrong.",
        list_table("kind | mutants: | rejected: | accepted: | accepted, and wrong:", lines),
        [f"- {fault}" for row in rows for fault in row.faults],
    )


STUDY = Study(
    "correctness.mutated_proofs",
    __doc__,
    Batch,
    key=lambda row: (row.kind, row.number),
    keeps=True,
    measure=measure,
    report=report,
    faults=lambda rows: [f"{row.kind}: {fault}" for row in rows for fault in row.faults],
    order=lambda rows: sorted(rows, key=lambda row: (list(KINDS).index(row.kind), row.number)),
    options=(
        option("--mutants", 1000, "of each kind"),
        option("--seed", 1),
        option("--kind", [], "this kind alone", choices=list(KINDS)),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
