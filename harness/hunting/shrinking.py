"""Shrinking: the smallest question on which a solver is still wrong in the same way.

A dispute is kept if the solver, asked in a process of its own, still makes a fault of the same
class; for a crash, with the same last words. What is right is known by brute force where the
problem is small, elsewhere by checked solutions, or by a witness: an independent solver.

Delta debugging leaves out constraints, variables, values, tuples and options; numbers are brought
nearer to 0, formulas are flattened. This is repeated until nothing can be taken away, or the time
is over. The smallest finding so far is in a folder at any moment, so shrinking can be continued.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic

import msgspec

from backends.interface import registry
from backends.interface.api import Limits
from harness.hunting.asking import Questioner
from harness.hunting.findings import FORKED, Answer, Fault, Finding
from harness.hunting.judging.faults import find_faults
from harness.hunting.judging.truth import Truth, add_witness, describe_truth, find_truth, is_small
from harness.hunting.reductions import REDUCTIONS, Candidate
from harness.hunting.simpler_parts import count_parts
from harness.job import Question
from harness.machine import describe_python
from harness.record import Record
from modelling.errors import ConcordError, InputError
from modelling.text import to_text
from modelling.wording import plural

ANSWER_SECONDS = 5.0
"""What the solver gets for an answer where the finding has no limit."""

MOST_KEPT = 1_000
"""Solutions that are looked at where all are asked for."""

WITNESSES = ("cpsat", "sat")
"""The first of these that is of another family than the solver at fault is the witness."""

MOST_TRIES = 10
"""How often a question is asked where the solver is wrong now and then: several workers do not
always meet in the same order."""

STATE_FILE = "shrinking.json"


class _OutOfTime(Exception):
    """The time for shrinking is over."""


@dataclass(frozen=True)
class Size:
    """How large a finding is: ``parts`` counts constraints and what they are made of, ``values``
    the values of all domains."""

    variables: int
    constraints: int
    parts: int
    values: int
    options: int

    def __str__(self) -> str:
        return (
            f"{plural(self.variables, 'variable')}, {plural(self.constraints, 'constraint')} of "
            f"{plural(self.parts, 'part')}, {plural(self.values, 'value')}"
        )


def measure(finding: Finding) -> Size:
    """The size of a finding."""
    structure = finding.problem.structure
    values = sum(len(finding.problem.values(v)) for v in range(structure.size))
    parts = sum(map(count_parts, structure.constraints))
    options = len(_list_options(finding.backend))
    return Size(structure.size, len(structure.constraints), parts, values, options)


class Shrunk(msgspec.Struct, frozen=True, kw_only=True):
    """What shrinking has come to, as the folder keeps it; ``start`` identifies what it began with.

    ``questions`` were asked in ``seconds``, over all its continuations. ``is_smallest`` says that
    no reduction is left that keeps the dispute.
    """

    start: str
    before: dict[str, int]
    after: dict[str, int]
    questions: int = 0
    seconds: float = 0.0
    is_smallest: bool = False


Tell = Callable[[str, Size, int], None]
"""Hears of each success: the kind of reduction, the new size, and the questions so far."""


def shrink(
    finding: Finding,
    folder: Path,
    seconds: float = 60.0,
    tell: Tell = lambda kind, size, questions: None,
) -> tuple[Finding, Shrunk]:
    """The smallest finding that ``seconds`` suffice for; it is in ``folder`` as well.

    A folder in which this finding was shrunk before is continued. Raises InputError where the
    solver no longer makes this fault, and what ``Finding.write`` raises.
    """
    start = _identify(finding)
    state = _read_state(folder, start)
    now = finding if state is None else Finding.read(folder)
    before = measure(finding)
    until = monotonic() + seconds
    began = monotonic()
    with Questioner("isolated" if finding.fault in FORKED else "pooled") as questioner:
        search = _Search(now, questioner, until, folder, tell)
        search.reproduce()
        is_smallest = search.run()
    shrunk = Shrunk(
        start=start,
        before=asdict(before),
        after=asdict(measure(search.finding)),
        questions=search.questions + (state.questions if state else 0),
        seconds=round(monotonic() - began + (state.seconds if state else 0.0), 3),
        is_smallest=is_smallest,
    )
    (folder / STATE_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(shrunk)) + b"\n")
    return search.finding, shrunk


def _identify(finding: Finding) -> str:
    return f"{finding.problem.digest} {finding.backend} {finding.question.text} {finding.fault}"


def _read_state(folder: Path, start: str) -> Shrunk | None:
    """What an earlier call has left of the same finding."""
    try:
        state = msgspec.json.decode((folder / STATE_FILE).read_bytes(), type=Shrunk)
    except (OSError, msgspec.DecodeError):
        return None
    return state if state.start == start else None


class _Search:
    """The smallest finding so far, and the questions that make it smaller."""

    def __init__(
        self, finding: Finding, questioner: Questioner, until: float, folder: Path, tell: Tell
    ) -> None:
        self.finding = finding
        self.questions = 0
        self._questioner, self._until, self._folder, self._tell = questioner, until, folder, tell
        self._kind = "it is wrong"
        self._known: dict[tuple[str, str, Question, Limits], bool] = {}
        self._ending: str | None = None
        limits = finding.limits
        self._limits = limits if limits.seconds else replace(limits, seconds=ANSWER_SECONDS)
        question = finding.question
        self._question = msgspec.structs.replace(question, keep=question.limit or MOST_KEPT)
        self._candidate = Candidate(finding.problem, finding.right.solutions)

    def reproduce(self) -> None:
        """Ask what the finding asks; raises InputError where the answer has no such fault."""
        finding = self.finding
        asked = self._candidate, finding.backend, self._question, self._limits
        if finding.tries == 1 and self._is_disputed(*asked):
            return
        self.finding = replace(finding, tries=MOST_TRIES)
        if not self._fails(*asked):
            raise InputError(
                f"the solver {finding.backend} does not make this fault ({finding.fault}) here, "
                f"asked {plural(MOST_TRIES, 'time')}: {self._said}; the finding was made with "
                f"version {finding.version or 'unknown'}"
            )

    def run(self) -> bool:
        """Reduce until nothing is left to take away; False where the time was over before."""
        try:
            while self._reduce_once():
                pass
        except _OutOfTime:
            return False
        return True

    def _reduce_once(self) -> bool:
        before = self.finding
        self._kind = "question"
        self._reduce_question()
        for self._kind, reduce in REDUCTIONS:
            self._candidate = reduce(self._candidate, self._fails_as_asked)
        self._kind = "options"
        self._reduce_options()
        return self.finding is not before

    def _fails_as_asked(self, candidate: Candidate) -> bool:
        return self._fails(candidate, self.finding.backend, self._question, self._limits)

    def _reduce_question(self) -> None:
        for question in _simpler_questions(self._question, self.finding):
            if self._fails(self._candidate, self.finding.backend, question, self._limits):
                self._question = question
                return

    def _reduce_options(self) -> None:
        for backend in _fewer_options(self.finding.backend):
            if self._fails(self._candidate, backend, self._question, self._limits):
                return self._reduce_options()
        for name in ("seed", "threads", "nodes", "conflicts"):
            if getattr(self._limits, name) is not None:
                limits = replace(self._limits, **{name: None})
                if self._fails(self._candidate, self.finding.backend, self._question, limits):
                    self._limits = limits
        return None

    # --- the dispute as a predicate ---------------------------------------------------------

    def _fails(
        self, candidate: Candidate, backend: str, question: Question, limits: Limits
    ) -> bool:
        key = candidate.problem.digest, backend, question, limits
        if key not in self._known:
            tries = range(self.finding.tries)
            asked = (self._is_disputed(candidate, backend, question, limits) for _ in tries)
            self._known[key] = any(asked)
        return self._known[key]

    def _is_disputed(
        self, candidate: Candidate, backend: str, question: Question, limits: Limits
    ) -> bool:
        if self.questions and monotonic() > self._until:
            raise _OutOfTime
        try:
            text = to_text(candidate.problem)
        except ConcordError:
            return False
        self.questions += 1
        record = self._questioner.ask(text, backend, question, limits)
        self._said = f"it says {record.status} ({record.outcome}), count {record.count}"
        fault, problem = self.finding.fault, candidate.problem
        if not _may_show(fault, record):
            return False
        if fault in FORKED:
            truth = Truth(problem, self.finding.authority)
        else:
            truth = self._find_truth(candidate, text, question, limits)
        claimed = find_faults(truth, question, record).get(fault)
        if claimed is None or (fault == "crash" and not self._ends_alike(claimed)):
            return False
        self._keep(truth, text, backend, question, limits, record, claimed)
        return True

    def _find_truth(
        self, candidate: Candidate, text: str, question: Question, limits: Limits
    ) -> Truth:
        truth = find_truth(candidate.problem, candidate.known)
        if not is_small(candidate.problem) and self.finding.authority != "check":
            witness = _choose_witness(self.finding.backend)
            record = self._questioner.ask(text, witness, question, limits)
            return add_witness(truth, record, question)
        return truth

    def _ends_alike(self, claimed: Answer) -> bool:
        """Whether a crash ends with the words with which the first one ended here."""
        if self._ending is None:
            self._ending = claimed.note
        return claimed.note == self._ending

    def _keep(
        self,
        truth: Truth,
        text: str,
        backend: str,
        question: Question,
        limits: Limits,
        record: Record,
        claimed: Answer,
    ) -> None:
        """This question is the finding now."""
        version = self._questioner.versions.get(record.version)
        self.finding = replace(
            self.finding,
            text=text,
            backend=backend,
            question=question,
            limits=limits,
            claimed=claimed,
            right=describe_truth(truth, self.finding.fault, claimed),
            authority=truth.authority,
            version=version.solver if version else self.finding.version,
            platform=f"{platform.platform()}, {describe_python()}",
        )
        self.finding.write(self._folder)
        self._tell(self._kind, measure(self.finding), self.questions)


def _may_show(fault: Fault, record: Record) -> bool:
    """Whether the fault is possible, before anything is enumerated."""
    if fault == "false unsatisfiable":
        return record.status == "UNSATISFIABLE"
    if fault == "wrong solution":
        return bool(record.solutions)
    return fault != "false optimum" or record.status == "OPTIMUM"


def _simpler_questions(question: Question, finding: Finding) -> Iterator[Question]:
    """One solution where any will do, as many as there are and one more where one comes twice, and
    all solutions in the place of all optima."""
    if finding.fault == "false optimum":
        if question.limit != 1:
            yield Question(1, 1, True)
        return
    if finding.fault == "duplicate solution":
        few = (finding.right.count or 0) + 1
        if not question.optimum and few < (question.limit or MOST_KEPT):
            yield Question(few, few)
    is_about_one = finding.fault in ("wrong solution", "false unsatisfiable", "crash", "hang")
    if is_about_one and question != Question(1, 1):
        yield Question(1, 1)
    if question.optimum:
        yield Question(None, MOST_KEPT)


def _list_options(backend: str) -> list[str]:
    options = registry.split(backend)[2]
    return [option for option in options.split(",") if option]


def _fewer_options(backend: str) -> Iterator[str]:
    """The backend without any option that has a value, then without each; the others are words
    that name a solver or an encoding."""
    head = registry.without_label(backend).partition(":")[0]
    if head in ("py", "command"):
        return
    listed = _list_options(backend)
    words = [option for option in listed if "=" not in option]
    fewer = [words] if len(words) < len(listed) - 1 else []
    fewer += [[*listed[:k], *listed[k + 1 :]] for k, one in enumerate(listed) if "=" in one]
    yield from (f"{head}:{','.join(kept)}" if kept else head for kept in fewer)


def _choose_witness(backend: str) -> str:
    family = registry.known_family(backend)
    return next(name for name in WITNESSES if registry.known_family(name) != family)
