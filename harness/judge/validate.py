"""Validation: which answers are right, judged after timing and apart from it.

Every kept solution is checked twice, against the puzzle's own rules and against the model; then
all answers about one instance are reconciled, whatever backend, repeat or question they come from.
Nothing is taken from the process of a backend but what it wrote down: instances are stated again.

Words
-----
claim, full, aside  see ``harness.judge.claims``
shown       solutions that the answer carries; ``backends.interface.evidence`` says which
checked     a shown solution that breaks neither the rules nor the model; such ones are facts
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
from dataclasses import dataclass
from itertools import chain, combinations, groupby

from backends.interface import evidence
from backends.interface.api import AllOptima, Ask, Optimum, Solutions
from backends.interface.evidence import digest_of
from backends.interface.registry import known_family
from harness.judge.checker import Checker, note
from harness.judge.claims import Claim, aside_of, claim_of, find_conflict, implies, is_full
from harness.record import Record, Row, Verdict, VerdictWord
from modelling.problem import Assignment, Objective

RULES = 2
"""Raised whenever the rules change: what was judged by others is judged anew.

1  correct, single: families by their own claim; a count was as good as the solutions of it
2  verified, unwitnessed: what is claimed must be shown; known families only; the oracle proves
"""

ORACLE = "brute_force"
"""The family whose full answers are proofs."""

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


# --- answers --------------------------------------------------------------------------------------


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
        elif record.stopped_by and not _was_killed(record):
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


def _was_killed(record: Record) -> bool:
    """Whether there was no answer: what it was seen to have found has no digest, and shows ten
    solutions at most, which is less than an answer must."""
    return record.outcome in ("timeout", "memout") and not record.digest


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
        if find_conflict(one, other, sense):
            return []
    return found


def _disproofs(answer: _Answer, proofs: list[_Answer], sense: str | None) -> Iterator[str]:
    for claim in filter(None, (answer.claim, answer.aside)):
        for proof in proofs:
            conflict = find_conflict(claim, proof.claim, sense)
            if conflict:
                yield f"the oracle refutes it: {conflict} ({proof})"
                return


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
            conflict = find_conflict(one, other, sense)
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
                if implies(other, claim, self._sense)
                for answer in group
                if self.is_reliable(answer)
            )
        return self._supporters[claim]

    def is_proven(self, claim: Claim) -> bool:
        """Whether a claim follows from what the oracle says."""
        return any(implies(proof, claim, self._sense) for proof in self.proofs)

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
            conflict = find_conflict(aside, other, self._sense)
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
            evidence=note(list(dict.fromkeys(said))),
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
