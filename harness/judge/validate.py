"""Validation: which answers are right, judged after timing and apart from it.

Every kept solution is checked twice, against the puzzle's own rules and against the model; then
all answers about one instance are reconciled, whatever backend, repeat or question they come from.
Nothing is taken from the process of a backend but what it wrote down: instances are stated again.

Words
-----
claim       what an answer says about the instance: the number of its solutions lies between
            ``least`` and ``most``, the set of them has this digest, the best objective is this
full        the question asked is answered: as many solutions as wanted, or the search exhausted
shown       solutions that the answer carries; ``backends.interface.evidence`` says which
checked     a shown solution that breaks neither the rules nor the model; such ones are facts
aside       what an answer says beyond what it was asked or shows: that there is no other solution,
            where one was asked for; how many it had counted when its time was over
family      a *known* one is in Concord's own registry. What other backends say of their family is
            their own claim. A family that contradicts itself on an instance is not known there
supporters  the known families with an answer from which a claim follows, its own included
proof       a full answer of the oracle, ``brute_force``, which tries every assignment: a fact
refuted     contradicted by a fact or by a proof, or by what the answer itself shows
outweighed  a conflict of a claim with two supporters or more and answers of unknown families only

Verdicts
--------
wrong       refuted, or less was shown than claimed
disputed    in conflict with another answer, and no fact settles it
verified    each part of the claim is shown and checked, or proven, or has two supporters or more;
            if others are outweighed, the evidence says so
unwitnessed a full answer that one known family stands for; nothing contradicts or confirms it
unverified  nothing is claimed, or only what no known family stands for

A refuted answer takes no part in disputes: a false UNSATISFIABLE that a checked solution refutes
leaves the other answers verified. There is no voting: unknown families together make no agreement.
UNKNOWN claims nothing. Of a count that did not come to its end only the solutions that are shown
stand. What is said aside supports and disputes nothing; it can be refuted, and while it is not
confirmed the answer is not verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, groupby

from backends.interface import evidence
from backends.interface.api import AllOptima, Ask, Optimum, Solutions
from backends.interface.evidence import digest_of
from backends.interface.registry import known_family
from harness.plan import instances
from harness.record import Row, Verdict, VerdictWord
from modelling.check import violations
from modelling.problem import Assignment, Objective, Problem
from puzzles.family import Family

RULES = 2
"""Raised whenever the rules change: what was judged by others is judged anew.

1  correct, single: families by their own claim; a count was as good as the solutions of it
2  verified, unwitnessed: what is claimed must be shown; known families only; the oracle proves
"""

ORACLE = "brute_force"
"""The family whose full answers are proofs."""

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


def in_words_of_today(word: str, backend: str) -> str:
    """A verdict of earlier rules on an answer of ``backend``, as near as a word can come."""
    if word == "single":
        return "unwitnessed" if known_family(backend) else "unverified"
    return {"correct": "verified"}.get(word, word)


def _instance(row: Row) -> tuple[str, str, str, str]:
    return row.job.set, row.job.instance, row.job.family, row.job.text


def judge(rows: Sequence[Row]) -> list[Verdict]:
    """A verdict on each row; all rows are about one instance."""
    checker = Checker(rows[0].job.family, rows[0].job.text) if _needs_checker(rows) else None
    answers = [_Answer(row, checker) for row in rows]
    facts = _facts(answers, checker)
    for answer in answers:
        answer.against += _refutations(answer, facts)
    sense = None if checker is None or checker.objective is None else checker.objective.sense
    proofs = _proofs(answers, sense)
    for answer in answers:
        if not answer.against and answer not in proofs:
            answer.against += _disproofs(answer, proofs, sense)
    scene = _Scene([a for a in answers if a.claim.says_something and not a.against], proofs, sense)
    return [_verdict(answer, scene) for answer in answers]


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
    """The claim in an answer, whatever the outcome: what came late is still said.

    Of a search that did not come to its end, the solutions stand that are shown, and its bound.
    """
    record, question = row.record, row.job.question
    full, beyond = is_full(row), _is_beyond(row)
    least = record.count if full else len(set(record.solutions))
    every = record.exhausted and not beyond
    if not question.optimum:
        return Claim(
            least=least,
            most=record.count if every else None,
            digest=record.digest if every and record.count else None,
        )
    if not record.count:
        return Claim(most=0 if record.exhausted else None, bound=record.bound)
    every = every and question.limit != 1
    return Claim(
        least=least,
        best=record.objective if _is_proven(row) else None,
        found=record.objective if record.solutions else None,
        bound=record.bound,
        optima=record.count if every else None,
        optima_digest=record.digest if every else None,
    )


def aside_of(row: Row) -> Claim | None:
    """What an answer says beyond its question or beyond what it shows; None for nothing."""
    record, question = row.record, row.job.question
    if _is_beyond(row):
        if question.optimum:
            claim = claim_of(row)
            return replace(claim, optima=record.count, optima_digest=record.digest)
        return Claim(record.count, record.count, record.digest)
    if is_full(row) or record.count <= len(set(record.solutions)):
        return None
    return Claim(least=record.count)


def is_full(row: Row) -> bool:
    """Whether the answer settles its question, in time or late."""
    record, limit = row.record, row.job.question.limit
    if record.outcome not in ("finished", "timeout", "memout"):
        return False
    if row.job.question.optimum and not _is_proven(row):
        return False
    return record.exhausted or (limit is not None and record.count >= limit)


def _is_proven(row: Row) -> bool:
    """Whether the answer calls its objective the best."""
    return row.record.stopped_by in ("exhausted", "enough")


def _is_beyond(row: Row) -> bool:
    """Whether it says that there are no more solutions than the number that was asked for."""
    record, question = row.record, row.job.question
    if not record.exhausted or question.limit is None or record.count < question.limit:
        return False
    return not question.optimum or question.limit > 1


class _Answer:
    """One row with its claim and what its own solutions show."""

    def __init__(self, row: Row, checker: Checker | None) -> None:
        self.row = row
        self.claim = claim_of(row)
        self.aside = aside_of(row)
        self.full = is_full(row)
        self.family = known_family(row.job.backend)
        self.against: list[str] = []
        self.good: set[Assignment] = set()
        self.rules = self.model = ""
        record = row.record
        if record.outcome == "error" and record.stopped_by:  # found where ask and result meet
            self.against.append(record.error.strip() or "it is no answer to the question")
        elif record.stopped_by:
            self.against += evidence.unshown(record, _asked(row))
        for place, values in enumerate(record.solutions, 1):
            assert checker is not None
            result = checker.check(values)
            if result.good:
                self.good.add(values)
                continue
            self.rules, self.model = self.rules or result.rules, self.model or result.model
            parts = [("the rules", result.rules), ("the model", result.model)]
            said = " and ".join(f"{who}: {text}" for who, text in parts if text)
            self.against.append(f"solution {place} fails by {said}")
        if not self.against and checker is not None and row.job.question.optimum:
            self.against += _false_objectives(row, checker)

    @property
    def proves_itself(self) -> bool:
        claim = self.claim
        more = (claim.most, claim.best, claim.bound, claim.optima)
        return 0 < claim.least <= len(self.good) and all(part is None for part in more)

    def __repr__(self) -> str:
        return f"{self.row.job.backend} (job {self.row.job.number})"


def _asked(row: Row) -> Ask:
    """The question as it was put then: a run of earlier versions may have kept no solution."""
    question = row.job.question
    if question.optimum:
        return Optimum() if question.limit == 1 else AllOptima(question.limit, question.keep)
    return Solutions(question.limit, question.keep)


def _false_objectives(row: Row, checker: Checker) -> Iterator[str]:
    for values in row.record.solutions:
        value = checker.value(values)
        if value != row.record.objective:
            yield f"its objective is {row.record.objective}, that of its solution is {value}"


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
    """How the checked solutions refute what an answer says, the aside included."""
    for claim in (answer.claim, answer.aside):
        if claim is None:
            continue
        yield from _short(claim.most, claim.digest, facts.solutions, "solutions")
        if claim.best is not None and facts.beats(claim.best):
            yield f"{claim.best} is not the best: a checked solution has {facts.best}"
        if claim.bound is not None and facts.beats(claim.bound):
            yield f"the bound {claim.bound} is broken: a checked solution has {facts.best}"
        if claim.best is not None and claim.best == facts.best:
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


def _proofs(answers: Sequence[_Answer], sense: str | None) -> list[_Answer]:
    """The full answers of the oracle; none, if they contradict each other: it has a defect."""
    found = [a for a in answers if a.family == ORACLE and a.full and not a.against]
    for one, other in combinations({a.claim for a in found}, 2):
        if _conflict(one, other, sense):
            return []
    return found


def _disproofs(answer: _Answer, proofs: list[_Answer], sense: str | None) -> Iterator[str]:
    for claim in filter(None, (answer.claim, answer.aside)):
        for proof in proofs:
            conflict = _conflict(claim, proof.claim, sense)
            if conflict:
                yield f"the oracle refutes it: {conflict} ({proof})"
                return


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


def _implies(one: Claim, other: Claim, sense: str | None) -> bool:
    """Whether ``other`` is true if ``one`` is; what is shown needs no support."""
    if one.least < other.least:
        return False
    if other.most is not None and (one.most is None or one.most > other.most):
        return False
    if other.digest is not None and one.digest != other.digest:
        return False
    if other.best is not None and one.best != other.best:
        return False
    if other.bound is not None:
        limit = one.bound if one.best is None else one.best
        if limit is None or sense is None or _better(limit, other.bound, sense):
            return one.most == 0  # where there is no solution, every bound holds
    return other.optima is None or (one.optima, one.optima_digest) == (
        other.optima,
        other.optima_digest,
    )


# --- all answers together ------------------------------------------------------------------


class _Scene:
    """The standing answers of an instance, grouped by claim: a hundred repeats cost little."""

    def __init__(
        self, standing: Sequence[_Answer], proofs: Sequence[_Answer], sense: str | None
    ) -> None:
        self.proofs = [proof.claim for proof in proofs]
        self._sense = sense
        self._by_claim: dict[Claim, list[_Answer]] = {}
        for answer in standing:
            self._by_claim.setdefault(answer.claim, []).append(answer)
        self._conflicts: dict[Claim, list[tuple[Claim, str]]] = {}
        for one, other in combinations(self._by_claim, 2):
            conflict = _conflict(one, other, sense)
            if conflict:
                self._conflicts.setdefault(one, []).append((other, conflict))
                self._conflicts.setdefault(other, []).append((one, conflict))
        self._reliable = self._families() - self._torn()
        self._supporters: dict[Claim, frozenset[str]] = {}

    def _families(self) -> set[str]:
        return {a.family for group in self._by_claim.values() for a in group if a.family}

    def _torn(self) -> set[str]:
        """The families that contradict themselves."""
        torn: set[str] = set()
        for claim, conflicts in self._conflicts.items():
            own = {a.family for a in self._by_claim[claim] if a.family}
            for other, _ in conflicts:
                torn |= own & {a.family for a in self._by_claim[other] if a.family}
        return torn

    def is_reliable(self, answer: _Answer) -> bool:
        """Whether its family is known, and does not contradict itself here."""
        return answer.family in self._reliable

    def supporters(self, claim: Claim) -> frozenset[str]:
        """The known families that stand for a claim."""
        if claim not in self._supporters:
            self._supporters[claim] = frozenset(
                answer.family or ""
                for other, group in self._by_claim.items()
                if _implies(other, claim, self._sense)
                for answer in group
                if self.is_reliable(answer)
            )
        return self._supporters[claim]

    def is_proven(self, claim: Claim) -> bool:
        """Whether a claim follows from what the oracle says."""
        return any(_implies(proof, claim, self._sense) for proof in self.proofs)

    def is_confirmed(self, claim: Claim) -> bool:
        """Whether it is proven, or has two supporters."""
        return self.is_proven(claim) or len(self.supporters(claim)) >= 2

    def opponents(self, claim: Claim) -> Iterator[tuple[list[_Answer], str]]:
        """The standing answers that a claim of one of them conflicts with, by claim, and why."""
        for other, conflict in self._conflicts.get(claim, ()):
            yield self._by_claim[other], conflict

    def outweighs(self, claim: Claim) -> bool:
        """Whether two known families stand for a claim, and only unknown ones against it."""
        if len(self.supporters(claim)) < 2:
            return False
        opponents = chain.from_iterable(group for group, _ in self.opponents(claim))
        return not any(map(self.is_reliable, opponents))

    def contradiction(self, aside: Claim) -> str:
        """How two known families together contradict what is said aside; empty if they do not."""
        for other, group in self._by_claim.items():
            conflict = _conflict(aside, other, self._sense)
            if conflict and len(self.supporters(other)) >= 2:
                return f"{conflict}, against {group[0]}"
        return ""


# --- verdicts ------------------------------------------------------------------------------


def _verdict(answer: _Answer, scene: _Scene) -> Verdict:
    families = scene.supporters(answer.claim) if answer.claim.says_something else frozenset()

    def verdict(word: VerdictWord, said: Iterable[str]) -> Verdict:
        return Verdict(
            job=answer.row.job.number,
            verdict=word,
            evidence=_note(list(dict.fromkeys(said))),
            families=0 if answer.against else len(families),
            checked=len(answer.good),
            rules=answer.rules,
            model=answer.model,
        )

    if answer.against:
        return verdict("wrong", answer.against)
    contradictions = _contradictions(answer, scene)
    if contradictions and not scene.outweighs(answer.claim):
        return verdict("disputed", contradictions)
    conflict = scene.contradiction(answer.aside) if answer.aside else ""
    if conflict:
        return verdict("disputed", [f"{_about(answer)}: {conflict}"])
    if not answer.claim.says_something and answer.aside is None:
        return verdict("unverified", [])
    proven = scene.is_proven(answer.claim)
    said = ["solution checked"] if answer.good else []
    said += ["proven by the oracle"] if proven else []
    said += [f"agreed by {len(families)} families"] if len(families) >= 2 else []
    said += [f"outweighed: {text}" for text in contradictions]
    confirmed = proven or len(families) >= 2 or answer.proves_itself
    if answer.aside is not None and not scene.is_confirmed(answer.aside):
        confirmed = False
        families = scene.supporters(answer.aside)
        if answer.family and scene.is_reliable(answer):
            families |= {answer.family}
        said.append(f"{_about(answer)}, which nothing confirms")
    if confirmed:
        return verdict("verified", said)
    if answer.full and families:
        return verdict("unwitnessed", [*said, f"claimed by {' and '.join(sorted(families))} alone"])
    if answer.full:
        return verdict("unverified", [*said, "claimed, and no known family stands for it"])
    return verdict("unverified", said)


def _about(answer: _Answer) -> str:
    """What is said aside, in words."""
    record = answer.row.record
    if answer.full:
        return f"beyond the question it claims that there are no more than {record.count}"
    return (
        f"it had counted {record.count} when it was stopped by {record.stopped_by or 'a limit'}, "
        f"and shows {len(record.solutions)}"
    )


def _contradictions(answer: _Answer, scene: _Scene) -> list[str]:
    """The answers that this one cannot be true beside; of each claim the first are named."""
    if not answer.claim.says_something:
        return []
    said: list[str] = []
    for group, conflict in scene.opponents(answer.claim):
        for other in group[:MOST_OPPONENTS]:
            same = answer.row.job.backend == other.row.job.backend
            against = f"itself (job {other.row.job.number})" if same else repr(other)
            unknown = "" if other.family else ", of no known family"
            said.append(f"{conflict}, against {against}{unknown}")
    return said
