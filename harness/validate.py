"""Validation: which answers are right, judged after timing and apart from it.

Every kept solution is checked twice, against the puzzle's own rules and against the model; then
all answers about one instance are reconciled, whatever backend, repeat or question they come from.

Words
-----
claim       what an answer says about the instance: the number of its solutions lies between
            ``least`` and ``most``, the set of them has this digest, the best objective is this
full        the question asked is answered: as many solutions as wanted, or the search exhausted
checked     a solution that breaks neither the rules nor the model; checked solutions are facts
refuted     a claim that a fact contradicts, or an answer that contradicts itself: it is wrong
disputed    two answers, neither refuted, that cannot both be true
self-proving  a claim that says no more than its own checked solutions show

Verdicts
--------
wrong       refuted
disputed    in conflict with another answer, and no fact settles it
correct     self-proving, or the same question is answered in full by at least two independent
            families, without conflict
single      a full answer that only one independent family gives and that does not prove itself
unverified  nothing is claimed, or only a bound that nothing confirms

A refuted answer takes no part in disputes: a false UNSATISFIABLE that a checked solution refutes
leaves the other answers correct. There is no voting. UNKNOWN claims nothing. Answers under a time
limit that ran out are bounds, and bounds can be refuted too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from backends.collector import solution_hash
from harness import instances
from harness.record import Row, Verdict
from modelling.check import violations
from modelling.problem import Assignment, Objective, Problem
from puzzles.family import Family

LONGEST_NOTE = 500
"""So many characters of an objection are kept."""

MOST_OPPONENTS = 10
"""So many answers with one claim are named in a dispute."""


def validate(rows: Iterable[Row]) -> Iterator[Verdict]:
    """A verdict on each row; ``rows`` must come such that those of one instance follow each other.

    Memory is bounded by the rows of one instance.
    """
    for _, group in groupby(rows, key=_instance):
        yield from judge(list(group))


def _instance(row: Row) -> tuple[str, str, str, str]:
    return row.job.set, row.job.instance, row.job.family, row.job.text


def judge(rows: Sequence[Row]) -> list[Verdict]:
    """A verdict on each row; all rows are about one instance."""
    checker = Checker(rows[0].job.family, rows[0].job.text) if _needs_checker(rows) else None
    answers = [_Answer(row, checker) for row in rows]
    facts = _facts(answers, checker)
    for answer in answers:
        answer.against += _refutations(answer, facts)
    standing = [a for a in answers if a.claim.says_something and not a.against]
    sense = None if checker is None or checker.objective is None else checker.objective.sense
    disputes = _disputes(standing, sense)
    families = _families(standing)
    return [
        _verdict(answer, disputes.get(answer.row.job.number, []), families, standing)
        for answer in answers
    ]


def _disputes(standing: Iterable[_Answer], sense: str | None) -> dict[int, list[str]]:
    """Job -> what speaks against its answer.

    Equal claims are compared once, so that a hundred repeats cost no more than a hundred answers.
    """
    by_claim: dict[Claim, list[_Answer]] = {}
    for answer in standing:
        by_claim.setdefault(answer.claim, []).append(answer)
    found: dict[int, list[str]] = {}
    for one, other in combinations(by_claim, 2):
        conflict = _conflict(one, other, sense)
        if conflict:
            for these, those in ((one, other), (other, one)):
                for this in by_claim[these]:
                    said = found.setdefault(this.row.job.number, [])
                    for that in by_claim[those][:MOST_OPPONENTS]:
                        against = "itself" if _same_backend(this, that) else that.row.job.backend
                        said.append(f"{conflict}, against {against} (job {that.row.job.number})")
    return found


def _needs_checker(rows: Sequence[Row]) -> bool:
    return any(row.record.solutions or row.job.question.optimum for row in rows)


# --- checking solutions --------------------------------------------------------------------


@dataclass(frozen=True)
class Checked:
    """What is wrong with one solution, by the puzzle's rules and by the model; empty is nothing."""

    rules: str
    model: str

    @property
    def good(self) -> bool:
        return not (self.rules or self.model)


class Checker:
    """Checks solutions of one instance, each distinct one once."""

    def __init__(self, family_name: str, text: str) -> None:
        self.family: Family = instances.family(family_name)
        self.text = text
        self.problem: Problem = self.family.problem(text)
        self.objective: Objective | None = self.problem.structure.objective
        self._known: dict[Assignment, Checked] = {}

    def check(self, values: Assignment) -> Checked:
        """Both checks of one solution."""
        if values not in self._known:
            model = [str(violation) for violation in violations(self.problem, values)]
            self._known[values] = Checked(_note(self._rules(values)), _note(model))
        return self._known[values]

    def _rules(self, values: Assignment) -> list[str]:
        try:
            return self.family.check(self.text, values)
        except Exception as error:  # a check may stumble over values that are no solution at all
            return [f"the check itself failed: {type(error).__name__}: {error}"]

    def value(self, values: Assignment) -> int | None:
        """The objective of a solution that passed the checks; None without an objective."""
        return None if self.objective is None else self.objective.value(values)


def _note(objections: Sequence[str]) -> str:
    return "; ".join(objections)[:LONGEST_NOTE]


# --- claims --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    """What one answer says about its instance; None where it says nothing.

    ``digest`` is that of all solutions. ``best`` is the optimum by claim, ``found`` an objective
    that was reached, ``bound`` the best that is possible. ``optima`` counts the best solutions
    (all of them), ``optima_digest`` is theirs.
    """

    least: int = 0
    most: int | None = None
    digest: str | None = None
    best: int | None = None
    found: int | None = None
    bound: int | None = None
    optima: int | None = None
    optima_digest: str | None = None

    @property
    def says_something(self) -> bool:
        """Whether anything is claimed at all."""
        return self.least > 0 or self.most is not None or self.bound is not None


def claim_of(row: Row) -> Claim:
    """The claim in an answer, whatever the outcome: what came late is still said."""
    record, question = row.record, row.job.question
    if not question.optimum:
        done = record.exhausted
        return Claim(
            least=record.count,
            most=record.count if done else None,
            digest=record.digest if done and record.count else None,
        )
    if not record.count:
        return Claim(most=0 if record.exhausted else None, bound=record.bound)
    proven = record.status == "OPTIMUM"
    every = proven and record.exhausted and question.limit != 1
    return Claim(
        least=record.count,
        best=record.objective if proven else None,
        found=record.objective,
        bound=record.bound,
        optima=record.count if every else None,
        optima_digest=record.digest if every else None,
    )


def is_full(row: Row) -> bool:
    """Whether the answer settles its question, in time or late."""
    record, limit = row.record, row.job.question.limit
    if record.outcome not in ("finished", "timeout", "memout"):
        return False
    if row.job.question.optimum:
        return record.exhausted or (record.status == "OPTIMUM" and bool(record.count))
    return record.exhausted or (limit is not None and record.count >= limit)


class _Answer:
    """One row with its claim and what its own solutions show."""

    def __init__(self, row: Row, checker: Checker | None) -> None:
        self.row = row
        self.claim = claim_of(row)
        self.full = is_full(row)
        self.against: list[str] = []
        self.good: set[Assignment] = set()
        self.rules = self.model = ""
        record = row.record
        for number, values in enumerate(record.solutions, 1):
            assert checker is not None
            result = checker.check(values)
            if result.good:
                self.good.add(values)
                continue
            self.rules, self.model = self.rules or result.rules, self.model or result.model
            parts = [("the rules", result.rules), ("the model", result.model)]
            said = " and ".join(f"{who}: {text}" for who, text in parts if text)
            self.against.append(f"solution {number} fails by {said}")
        if not self.against and checker is not None:
            self.against += _contradictions(row, checker)
        if record.repeats:
            self.against.append(f"{record.repeats} solutions were reported more than once")
        elif len(set(record.solutions)) < len(record.solutions):
            self.against.append("a solution was reported more than once")

    @property
    def proves_itself(self) -> bool:
        claim = self.claim
        more = (claim.most, claim.best, claim.bound, claim.optima)
        return 0 < claim.least <= len(self.good) and all(part is None for part in more)


def _contradictions(row: Row, checker: Checker) -> Iterator[str]:
    """Where an answer does not fit its own solutions, all of which are good."""
    record, question = row.record, row.job.question
    if not record.solutions:
        return
    if question.optimum:
        for values in record.solutions:
            value = checker.value(values)
            if value != record.objective:
                yield f"its objective is {record.objective}, that of its solution is {value}"
        return
    every = record.count == len(record.solutions)
    if every and record.digest and record.digest != digest_of(record.solutions):
        yield "its digest is not that of its solutions"


def digest_of(solutions: Iterable[Assignment]) -> str:
    """The order-independent digest that the collector keeps, of a set of solutions."""
    return f"{sum(map(solution_hash, solutions)) % (1 << 128):032x}"


# --- facts and refutations -----------------------------------------------------------------


@dataclass(frozen=True)
class _Facts:
    """What the checked solutions show; ``optima`` are those that reach ``best``."""

    solutions: frozenset[Assignment]
    objective: Objective | None
    best: int | None
    optima: frozenset[Assignment]

    def beats(self, claimed: int) -> bool:
        """Whether a checked solution is better than ``claimed``."""
        return (
            self.objective is not None
            and self.best is not None
            and self.objective.better(self.best, claimed)
        )


def _facts(answers: Iterable[_Answer], checker: Checker | None) -> _Facts:
    known = frozenset[Assignment]().union(*(answer.good for answer in answers))
    objective = None if checker is None else checker.objective
    if objective is None or not known:
        return _Facts(known, objective, None, frozenset())
    values = {solution: objective.value(solution) for solution in known}
    best = (min if objective.sense == "minimize" else max)(values.values())
    return _Facts(known, objective, best, frozenset(s for s in known if values[s] == best))


def _refutations(answer: _Answer, facts: _Facts) -> Iterator[str]:
    claim = answer.claim
    yield from _short(claim.most, claim.digest, facts.solutions, "solutions")
    if claim.best is not None and facts.beats(claim.best):
        yield f"{claim.best} is not the best: a checked solution has {facts.best}"
    if claim.bound is not None and facts.beats(claim.bound):
        yield f"the bound {claim.bound} is broken: a checked solution has {facts.best}"
    if claim.best == facts.best:
        yield from _short(claim.optima, claim.optima_digest, facts.optima, "best solutions")


def _short(
    total: int | None, digest: str | None, known: frozenset[Assignment], what: str
) -> Iterator[str]:
    """How a claim to have found all ``total`` of them fails by those that are known."""
    if total is None:
        return
    if len(known) > total:
        yield f"it found {total} {what} and no more, but {len(known)} are known, checked"
    elif len(known) == total and digest is not None and digest != digest_of(known):
        yield f"the {total} {what} that it found are not those that are known, checked"


# --- conflicts -----------------------------------------------------------------------------


def _conflict(one: Claim, other: Claim, sense: str | None) -> str:
    """Why two claims cannot both be true; empty when they can."""
    for a, b in ((one, other), (other, one)):
        if a.most is not None and b.least > a.most:
            return f"{a.most} solutions and no more, or at least {b.least}"
        if sense is not None and a.best is not None and _better(b.found, a.best, sense):
            return f"the optimum {a.best}, or {b.found} reached"
        if sense is not None and a.bound is not None and _better(b.found, a.bound, sense):
            return f"nothing beyond {a.bound}, or {b.found} reached"
    if one.digest and other.digest and one.digest != other.digest:
        return f"{one.least} solutions each, but not the same ones"
    if one.best is not None and other.best is not None and one.best != other.best:
        return f"the optimum {one.best}, or {other.best}"
    if one.optima is not None and other.optima is not None:
        if one.optima != other.optima:
            return f"{one.optima} best solutions, or {other.optima}"
        if one.optima_digest != other.optima_digest:
            return f"{one.optima} best solutions each, but not the same ones"
    return ""


def _better(value: int | None, than: int, sense: str) -> bool:
    return value is not None and (value < than if sense == "minimize" else value > than)


def _same_backend(one: _Answer, other: _Answer) -> bool:
    return one.row.job.backend == other.row.job.backend


# --- verdicts ------------------------------------------------------------------------------


def family_of(row: Row) -> str:
    """The solver family behind a row; without its own word, the backend's name to the colon."""
    return row.record.backend_family or row.job.backend.partition(":")[0]


def _families(standing: Iterable[_Answer]) -> Mapping[str, int]:
    """Question -> how many independent families have answered it in full."""
    found: dict[str, set[str]] = {}
    for answer in standing:
        if answer.full:
            found.setdefault(answer.row.job.question.text, set()).add(family_of(answer.row))
    return {text: len(names) for text, names in found.items()}


def _verdict(
    answer: _Answer, disputes: list[str], families: Mapping[str, int], standing: list[_Answer]
) -> Verdict:
    row, claim = answer.row, answer.claim
    agreed = families.get(row.job.question.text, 0)

    def verdict(word: str, evidence: Iterable[str]) -> Verdict:
        return Verdict(
            job=row.job.number,
            verdict=word,  # type: ignore[arg-type] # the words below are VerdictWords
            evidence=_note(list(evidence)),
            families=agreed,
            checked=len(answer.good),
            rules=answer.rules,
            model=answer.model,
        )

    if answer.against:
        return verdict("wrong", answer.against)
    if disputes:
        return verdict("disputed", dict.fromkeys(disputes))
    if not claim.says_something:
        return verdict("unverified", [])
    evidence = ["solution checked"] if answer.good else []
    supporters = agreed if answer.full else _supporters(answer, standing)
    if supporters >= 2:
        return verdict("correct", [*evidence, f"agreed by {supporters} families"])
    if answer.proves_itself:
        return verdict("correct", evidence)
    return verdict("single" if answer.full else "unverified", [*evidence, "claimed"])


def _supporters(answer: _Answer, standing: list[_Answer]) -> int:
    """Families that bear a lower bound out, its own included: they have counted all solutions."""
    counted = {family_of(a.row) for a in standing if a.claim.most is not None}
    return len(counted | {family_of(answer.row)}) if counted else 0
