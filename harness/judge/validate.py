"""Validation: which answers are right, judged after timing and apart from it.

Every kept solution is checked (``harness.judge.answers``); then all answers about one instance are
reconciled, whatever backend, repeat or question they come from. Nothing is taken from the process
of a backend but what it wrote down.

Words
-----
claim, full, extra claim  see ``harness.judge.claims``
shown, checked, fact, refuted  see ``harness.judge.answers``
family      a *known* one is in Concord's own registry. What other backends say of their family is
            their own claim. Families with a part in common (in ``backends.interface.evidence``) are
            one. No family of a part is known on an instance where it contradicts itself.
            Solvers that calculate with doubles have no known family: what they claim beyond what
            they show holds within tolerances
supporters  the known families with an answer from which a claim follows, its own included
proof       a full answer of the oracle, ``brute_force``, which tries every assignment: a fact
certified   what follows from an answer of a known family whose proof was checked, and whose
            clauses were found to lose no solution of the problem (``backends.proofs``). It refutes
            nobody. Where only the proof was checked, that the clauses say what the problem says is
            the encoder's own claim: it certifies nothing
ground      what a solved answer is founded on: see ``grounds``
stated      an answer that came with the instance. It shows no solution, and all of them count as
            one known family beside the others: where two contradict each other, as none
outweighed  a conflict of a claim with two supporters or more and answers of unknown families only

Verdicts
--------
wrong       refuted by a fact or a proof, or less was shown than claimed
disputed    in conflict with another answer, and no fact settles it
verified    each part of the claim is shown and checked, or proven, or certified, or has two
            supporters or more; if others are outweighed, the evidence says so
unwitnessed a full answer that one known family stands for; nothing contradicts or confirms it
unverified  nothing is claimed, or only what no known family stands for

A refuted answer takes no part in disputes: a false UNSATISFIABLE that a checked solution refutes
leaves the other answers verified. Answers do not vote: unknown families together make no agreement.
UNKNOWN claims nothing. A count that was stopped claims only the solutions that it shows. An extra
claim supports and disputes nothing; it can be refuted, and while it is not confirmed the answer is
not verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, groupby
from operator import attrgetter

from backends.interface.evidence.families import (
    count_witnesses,
    describe_part,
    main_part,
    parts_of,
    shared_parts,
)
from backends.interface.registry import known_family
from harness.judge import grounds
from harness.judge.answers import STATED, Answer, Checker, gather_facts, join_notes, refute
from harness.judge.claims import Claim, find_conflict, implies
from harness.judge.grounds import (
    CHECKED,
    CLAIMED,
    ENCODINGS,
    ENUMERATED,
    PROVED,
    UNCHECKED,
    name_agreement,
)
from harness.record import SOLVED, Row, Verdict, VerdictWord

RULES = 8
"""Raised whenever the rules change: what was judged by others is judged anew.

1  correct, single: families by their own claim; a count was as good as the solutions of it
2  verified, unwitnessed: what is claimed must be shown; known families only; the oracle proves
3  the output distinguishes solutions; an answer that says that it has finished must have
4  an objective is also worked out by the puzzle's own rules; what a search for an optimum reported
   on its way, solutions and bounds, must fit what is shown
5  families that share code are one witness
6  a proof that was checked verifies what a known family claims
7  a program is of the family that it names itself, not that which its file is called by
8  a proof verifies only where its clauses were checked as well; each solved answer has its ground
"""

ORACLE = "brute_force"
"""The family whose full answers are proofs."""

MOST_OPPONENTS = 10
"""Most answers with one claim that are named in a dispute."""


def validate(rows: Iterable[Row]) -> Iterator[Verdict]:
    """A verdict on each row; ``rows`` must come such that those of one instance follow each other.

    Memory is bounded by the rows of one instance.
    """
    instance = attrgetter("job.set", "job.instance", "job.family", "job.text")
    for _, group in groupby(rows, key=instance):
        yield from judge(list(group))


def translate_verdict(word: str, backend: str) -> str:
    """A verdict of earlier rules on an answer of ``backend``, as near as a word can come."""
    if word == "single":
        return "unwitnessed" if known_family(backend) else "unverified"
    return {"correct": "verified"}.get(word, word)


def judge(rows: Sequence[Row]) -> list[Verdict]:
    """A verdict on each row; all rows are about one instance."""
    job = rows[0].job
    shows = any(
        row.record.solutions or (row.job.question.optimum and not row.record.stated_sense)
        for row in rows
    )
    checker = Checker(job.family, job.text) if shows else None
    senses = [row.record.stated_sense for row in rows if row.record.stated_sense]
    sense = checker.sense if checker is not None else next(iter(senses), None)
    answers = [Answer(row, checker) for row in rows]
    facts = gather_facts(answers, checker)
    for answer in answers:
        answer.look_at(facts)
        answer.against += refute(answer, facts, sense)
    proofs = _find_proofs(answers, sense)
    for answer in answers:
        if not answer.against and answer not in proofs:
            answer.against += _disprove(answer, proofs, sense)
    scene = _Scene([a for a in answers if a.claim.says_something and not a.against], proofs, sense)
    verdicts = []
    for answer in answers:
        word, said, families = _decide(answer, scene)
        solved = word in SOLVED
        verdict = Verdict(
            job=answer.row.job.number,
            verdict=word,
            evidence=join_notes(said),
            families=count_witnesses(families),
            checked=len(answer.good),
            rules=answer.rules,
            model=answer.model,
            sense=(sense or "") if answer.row.job.question.optimum else "",
            ground=_find_ground(answer, scene, families) if solved else "",
        )
        verdicts.append(verdict)
    return verdicts


def _find_proofs(answers: Sequence[Answer], sense: str | None) -> list[Answer]:
    """The full answers of the oracle; none, if they contradict each other: it has a defect."""
    found = [a for a in answers if a.family == ORACLE and a.full and not a.against]
    for one, other in combinations({a.claim for a in found}, 2):
        if find_conflict(one, other, sense):
            return []
    return found


def _disprove(answer: Answer, proofs: list[Answer], sense: str | None) -> Iterator[str]:
    """How the first proof that contradicts an answer, or its extra claim, does so."""
    for claim in filter(None, (answer.claim, answer.extra)):
        for proof in proofs:
            conflict = find_conflict(claim, proof.claim, sense)
            if conflict:
                yield f"the oracle refutes it: {conflict} ({proof})"
                return


# --- all answers together -------------------------------------------------------------------------


def _list_families(answers: Iterable[Answer]) -> set[str]:
    return {answer.family for answer in answers if answer.family}


class _Scene:
    """The standing answers of an instance, grouped by claim: a hundred repeats cost little.

    ``opponents`` has for each claim the groups of answers that it conflicts with, and why.
    """

    def __init__(
        self, standing: Sequence[Answer], proofs: Sequence[Answer], sense: str | None
    ) -> None:
        self._sense = sense
        self._proofs = [proof.claim for proof in proofs]
        self._certified = [(a.claim, a.certificate) for a in standing if a.certificate]
        self._by_claim: dict[Claim, list[Answer]] = {}
        for answer in standing:
            self._by_claim.setdefault(answer.claim, []).append(answer)
        self.opponents: dict[Claim, list[tuple[list[Answer], str]]] = {}
        torn: set[str] = set()  # parts of families that contradict themselves
        for (one, ones), (other, others) in combinations(self._by_claim.items(), 2):
            conflict = find_conflict(one, other, sense)
            if conflict:
                self.opponents.setdefault(one, []).append((others, conflict))
                self.opponents.setdefault(other, []).append((ones, conflict))
                torn |= shared_parts(_list_families(ones), _list_families(others))
        self.reliable = {f for f in _list_families(standing) if not parts_of(f) & torn}
        self._supporters: dict[Claim, frozenset[str]] = {}

    def find_supporters(self, claim: Claim) -> frozenset[str]:
        """The known families that stand for a claim."""
        if claim not in self._supporters:
            implying = (other for other in self._by_claim if implies(other, claim, self._sense))
            answers = chain.from_iterable(map(self._by_claim.__getitem__, implying))
            self._supporters[claim] = frozenset(_list_families(answers) & self.reliable)
        return self._supporters[claim]

    def is_proven(self, claim: Claim) -> bool:
        """Whether a claim follows from what the oracle says."""
        return any(implies(proof, claim, self._sense) for proof in self._proofs)

    def find_certificate(self, claim: Claim) -> str:
        """What is known of the encoding of an answer with a checked proof from which a claim
        follows, the strongest; empty where there is none."""
        found = {how for other, how in self._certified if implies(other, claim, self._sense)}
        return next((how for how in (*ENCODINGS, "unchecked") if how in found), "")

    def is_certified(self, claim: Claim) -> bool:
        """Whether a claim follows from an answer whose proof and encoding were checked."""
        return self.find_certificate(claim) in ENCODINGS

    def is_confirmed(self, claim: Claim) -> bool:
        """Whether it is proven, or certified, or has two supporters."""
        proven = self.is_proven(claim) or self.is_certified(claim)
        return proven or count_witnesses(self.find_supporters(claim)) >= 2

    def outweighs(self, claim: Claim) -> bool:
        """Whether two known families stand for a claim, and only unknown ones against it."""
        opponents = chain.from_iterable(group for group, _ in self.opponents.get(claim, ()))
        against = _list_families(opponents) & self.reliable
        return count_witnesses(self.find_supporters(claim)) >= 2 and not against

    def contradict(self, extra: Claim) -> str:
        """How two known families together contradict an extra claim; empty if they do not."""
        for other, group in self._by_claim.items():
            conflict = find_conflict(extra, other, self._sense)
            if conflict and count_witnesses(self.find_supporters(other)) >= 2:
                return f"{conflict}, against {group[0]}"
        return ""


def _decide(answer: Answer, scene: _Scene) -> tuple[VerdictWord, list[str], frozenset[str]]:
    """The verdict, what it rests on, and the known families that stand for the answer."""
    claim, extra = answer.claim, answer.extra
    families = scene.find_supporters(claim) if claim.says_something else frozenset()
    if answer.against:
        return "wrong", answer.against, frozenset()
    contradictions = _list_contradictions(answer, scene)
    if contradictions and not scene.outweighs(claim):
        return "disputed", contradictions, families
    conflict = scene.contradict(extra) if extra else ""
    if conflict:
        return "disputed", [f"{_describe_extra_claim(answer)}: {conflict}"], families
    if not claim.says_something and extra is None:
        return "unverified", [], families
    proven = scene.is_proven(claim)
    said = ["solution checked"] if answer.good else []
    certificate, certified = scene.find_certificate(claim), scene.is_certified(claim)
    said += [f"proof checked, encoding {certificate}"] if certificate else []
    said += ["proven by the oracle"] if proven else []
    said += [_describe_agreement(families)] if count_witnesses(families) >= 2 else []
    said += [f"outweighed: {text}" for text in contradictions]
    record = answer.row.record
    if record.proof == "unchecked":
        said.append(f"proof not checked: {record.proof_note}")
    confirmed = proven or count_witnesses(families) >= 2 or answer.proves_itself or certified
    if extra is not None and not scene.is_confirmed(extra):
        confirmed = False
        families = scene.find_supporters(extra) | (_list_families([answer]) & scene.reliable)
        said.append(f"{_describe_extra_claim(answer)}, which nothing confirms")
    if confirmed:
        return "verified", said, families
    if not answer.full:
        return "unverified", said, families
    if not families:
        claimed = "claimed" if answer.is_exact else "claimed within tolerances"
        return "unverified", [*said, f"{claimed}, and no known family stands for it"], families
    return "unwitnessed", [*said, _describe_lonely(families)], families


def _find_ground(answer: Answer, scene: _Scene, families: frozenset[str]) -> str:
    """What a solved answer is founded on: the strongest that there is."""
    claim = answer.claim
    if answer.proves_itself:
        return CHECKED
    if scene.is_proven(claim):
        return ENUMERATED if answer.family == ORACLE else grounds.ORACLE
    certificate = scene.find_certificate(claim)
    if certificate in ENCODINGS:
        return PROVED.format(certificate)
    if (number := count_witnesses(families)) >= 2:
        return name_agreement(number)
    return UNCHECKED if certificate else CLAIMED


def _describe_agreement(families: frozenset[str]) -> str:
    number = count_witnesses(families - {STATED})
    if STATED not in families:
        return f"agreed by {number} families"
    return f"agreed by {number} {'family' if number == 1 else 'families'} and {STATED}"


def _describe_lonely(families: frozenset[str]) -> str:
    """Who claims it, and what they share if they are several."""
    names = sorted(map(main_part, families))
    said = f"claimed by {' and '.join(dict.fromkeys(names))} alone"
    shared = frozenset[str].intersection(*map(parts_of, families)) - set(names)
    if len(families) == 1 or not shared:
        return said
    return f"{said}, which share {' and '.join(map(describe_part, sorted(shared)))}"


def _describe_extra_claim(answer: Answer) -> str:
    record = answer.row.record
    if answer.full:
        return f"beyond the question it claims that there are no more than {record.count}"
    return (
        f"it had counted {record.count} when it was stopped by {record.stopped_by or 'a limit'}, "
        f"and shows {len(record.solutions)}"
    )


def _describe_doubt(answer: Answer) -> str:
    """Why an answer supports nothing; empty where it does."""
    if answer.family:
        return ""
    return ", of no known family" if answer.is_exact else ", which holds within tolerances"


def _list_contradictions(answer: Answer, scene: _Scene) -> list[str]:
    """The answers that this one cannot be true beside; of each claim the first are named."""
    said: list[str] = []
    for group, conflict in scene.opponents.get(answer.claim, ()):
        for other in group[:MOST_OPPONENTS]:
            same = answer.row.job.backend == other.row.job.backend and not answer.is_stated
            against = f"itself (job {other.row.job.number})" if same else repr(other)
            said.append(f"{conflict}, against {against}{_describe_doubt(other)}")
    return said
