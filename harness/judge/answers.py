"""Answers to one instance: their solutions checked, and what these show and refute.

Each solution is checked twice, against the puzzle's own rules and against the model, which is
stated again from the instance's text. Solutions are whole, with a value for each variable. Where
the structure has an output, it determines which solutions are the same, counted and added up.

Words
-----
shown       solutions that the answer carries; ``backends.interface.evidence.answer`` says which
checked     a shown solution that breaks neither the rules nor the model
fact        what checked solutions say, whoever showed them
refuted     contradicted by a fact, or by what the answer itself shows
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from backends.interface.api import AllOptima, Ask, Optimum, Solutions
from backends.interface.evidence.answer import digest_of, evidence_faults
from backends.interface.registry import evidence_family, is_exact
from harness.judge.claims import find_claim, find_extra_claim, is_better, is_full
from harness.record import Row
from modelling.check import violations
from modelling.problem import Assignment
from puzzles.family import Valued, family

STATED = "a stated answer"
"""The family of all answers that come with instances: one may be copied from another."""

LONGEST_NOTE = 500
"""Characters of an objection that are kept."""


class Checker:
    """Checks solutions of one instance, each distinct one once."""

    def __init__(self, family_name: str, text: str) -> None:
        self._family = family(family_name)
        self._text = text
        self._problem = self._family.problem(text)
        structure = self._problem.structure
        self.objective, self.output = structure.objective, structure.output
        self._known: dict[Assignment, tuple[str, str]] = {}

    @property
    def sense(self) -> str | None:
        """Whether the objective is to be minimized or maximized; None without one."""
        return None if self.objective is None else self.objective.sense

    def check(self, values: Assignment) -> tuple[str, str]:
        """What the puzzle's rules, and what the model objects to; empty is nothing."""
        if values not in self._known:
            try:
                rules = self._family.check(self._text, values)
            except Exception as error:  # it may stumble over values that are not a solution
                rules = [f"the check itself failed: {type(error).__name__}: {error}"]
            model = map(str, violations(self._problem, values))
            self._known[values] = join_notes(rules), join_notes(model)
        return self._known[values]

    def value(self, values: Assignment) -> Iterator[tuple[str, object]]:
        """What a checked solution is worth, by the model, and by the puzzle's own rules."""
        if self.objective is not None:
            yield "", self.objective.value(values)
            if isinstance(self._family, Valued):
                try:
                    own: object = self._family.value(self._text, values)
                except Exception as error:
                    own = f"not known, since {type(error).__name__}: {error}"
                yield " by the puzzle's own rules", own

    def project(self, solutions: Iterable[Assignment]) -> frozenset[Assignment]:
        """The different ones among checked solutions."""
        if self.output is None:
            return frozenset(solutions)
        return frozenset(tuple(values[v] for v in self.output) for values in solutions)


def join_notes(objections: Iterable[str]) -> str:
    """Each objection once, and no more of them than a glance takes in."""
    return "; ".join(dict.fromkeys(objections))[:LONGEST_NOTE]


class Answer:
    """One row, what it claims, what of it is checked, and what speaks against it."""

    def __init__(self, row: Row, checker: Checker | None) -> None:
        self.row = row
        self.full = is_full(row)
        self.is_stated = row.job.role == "stated"
        family = evidence_family(row.job.backend, row.record.backend_family)
        self.family = STATED if self.is_stated else family
        self.is_exact = self.is_stated or is_exact(row.job.backend)
        self.rules = self.model = ""
        self.good: set[Assignment] = set()
        if self.is_stated:
            self.against = [*self._find_other_sense(checker)]
        else:
            self.against = [*self._find_shortfalls(checker), *self._check_solutions(checker)]
            if not self.against and checker is not None and row.job.question.optimum:
                self.against += self._find_false_objectives(checker)
                self.against += self._find_false_course(checker.sense)
        shown = 0 if checker is None else len(checker.project(self.good))
        self.claim, self.extra = find_claim(row, shown), find_extra_claim(row, shown)

    def _find_shortfalls(self, checker: Checker | None) -> Iterator[str]:
        """What the answer claims and shows too little for; see ``evidence_faults``."""
        record = self.row.record
        if record.outcome == "error":
            if record.stopped_by:  # found where ask and result meet
                yield record.error.strip() or "it does not answer the question"
            return
        if record.outcome == "finished" and not self.full:
            yield (
                f"it says that it has finished, stopped by {record.stopped_by!r} with a count of "
                f"{record.count}, which does not settle the question"
            )
        # What a killed job was seen to have found has no digest, and shows ten solutions at most.
        was_killed = record.outcome in ("timeout", "memout") and not record.digest
        if record.stopped_by and not was_killed:
            output = None if checker is None else checker.output
            # as it was put then: a run of earlier versions may have kept no solution
            asked = self.row.job.question
            ask: Ask = Solutions(asked.limit, asked.keep)
            if asked.optimum:
                ask = Optimum() if asked.limit == 1 else AllOptima(asked.limit, asked.keep)
            yield from evidence_faults(record, ask, output)

    def _find_other_sense(self, checker: Checker | None) -> Iterator[str]:
        """A stated answer that is about another objective than the instance."""
        if checker is None or not self.row.job.question.optimum:
            return
        if checker.sense is None:
            yield "it states an objective, and the instance has none"
        elif self.row.record.stated_sense not in ("", checker.sense):
            yield f"it is stated to {self.row.record.stated_sense}, not to {checker.sense}"

    def _check_solutions(self, checker: Checker | None) -> Iterator[str]:
        for place, values in enumerate(self.row.record.solutions, 1):
            assert checker is not None
            rules, model = checker.check(values)
            if not rules and not model:
                self.good.add(values)
                continue
            self.rules, self.model = self.rules or rules, self.model or model
            parts = (("the rules", rules), ("the model", model))
            said = " and ".join(f"{who}: {text}" for who, text in parts if text)
            yield f"solution {place} fails by {said}"

    def _find_false_objectives(self, checker: Checker) -> Iterator[str]:
        claimed = self.row.record.objective
        for values in self.row.record.solutions:
            for said, value in checker.value(values) if checker.objective else [("", None)]:
                if value != claimed:
                    yield f"its objective is {claimed}, that of its solution is {value}{said}"

    def _find_false_course(self, sense: str | None) -> Iterator[str]:
        """Reports on its way that are better than its last solution, or have impossible times."""
        record = self.row.record
        times = [step.seconds for step in record.incumbents]
        passed = max(record.wall_s, record.elapsed_s) + CLOCKS_S
        if times != sorted(times) or any(not 0 <= seconds <= passed for seconds in times):
            yield f"its history has times out of order, or beyond the {passed:.3g} s that passed"
            return
        best = record.objective
        if best is None:
            return
        for step in self.row.record.incumbents:
            if step.kind == "found" and is_better(step.objective, best, sense):
                yield f"on its way it reported {step.objective}, and the best it shows is {best}"
                return

    @property
    def bounds(self) -> set[int]:
        """Every bound that it claims: the last one, and those on its way there."""
        steps = {step.objective for step in self.row.record.incumbents if step.kind == "bound"}
        return steps if self.claim.bound is None else {*steps, self.claim.bound}

    @property
    def certificate(self) -> str:
        """What is known of the encoding where a proof was checked, of a solver whose clauses are
        Concord's own: see ``grounds``; empty without such a proof."""
        if self.full and self.family is not None and self.row.record.proof == "checked":
            return self.row.record.proof_encoding or "unchecked"
        return ""

    @property
    def proves_itself(self) -> bool:
        """Whether it claims no more than the solutions that it shows."""
        claim = self.claim
        more = (claim.most, claim.best, claim.bound, claim.optima)
        return 0 < claim.least <= len(self.good) and all(part is None for part in more)

    def look_at(self, facts: Facts) -> None:
        """A stated answer shows no solution; those that others have shown speak for it."""
        if self.is_stated and self.claim.found in (None, facts.best):
            self.good = set(facts.solutions if self.claim.found is None else facts.optima)

    def __repr__(self) -> str:
        return f"{self.row.job.backend} (job {self.row.job.number})"


CLOCKS_S = 0.1
"""Seconds by which the clocks of a worker and of the supervisor may differ at the end of a job."""


@dataclass(frozen=True)
class Facts:
    """What the checked solutions show; ``optima`` are those that reach ``best``."""

    solutions: frozenset[Assignment] = frozenset()
    best: int | None = None
    optima: frozenset[Assignment] = frozenset()


def gather_facts(answers: Sequence[Answer], checker: Checker | None) -> Facts:
    """What all answers about an instance show together."""
    known = set[Assignment]().union(*(answer.good for answer in answers))
    if checker is None or not known:
        return Facts()
    objective = checker.objective
    if objective is None:
        return Facts(checker.project(known))
    values = {solution: objective.value(solution) for solution in known}
    best = (min if objective.sense == "minimize" else max)(values.values())
    optima = (solution for solution in known if values[solution] == best)
    return Facts(checker.project(known), best, checker.project(optima))


def refute(answer: Answer, facts: Facts, sense: str | None) -> Iterator[str]:
    """How facts refute what an answer says, the extra claim included."""
    for bound in sorted(answer.bounds):
        if is_better(facts.best, bound, sense):
            yield f"the bound {bound} is broken: a checked solution has {facts.best}"
    for claim in filter(None, (answer.claim, answer.extra)):
        yield from _refute_number(claim.most, claim.digest, facts.solutions, "solutions")
        if claim.best is not None and is_better(facts.best, claim.best, sense):
            yield f"{claim.best} is not the best: a checked solution has {facts.best}"
        if claim.best is not None and claim.best == facts.best:
            best = "best solutions"
            yield from _refute_number(claim.optima, claim.optima_digest, facts.optima, best)


def _refute_number(
    total: int | None, digest: str | None, known: frozenset[Assignment], what: str
) -> Iterator[str]:
    """How a claim to have found all ``total`` of them fails by those that are known."""
    if total is None:
        return
    if len(known) > total:
        yield f"it found {total} {what} and no more, but {len(known)} are known, checked"
    elif len(known) == total and digest is not None and digest != digest_of(known):
        yield f"the {total} {what} that it found are not those that are known, checked"
