"""What is known of a job once it has ended: its record, and later the verdict on it.

Words
-----
status      what a solver claims: SATISFIABLE, UNSATISFIABLE, OPTIMUM, UNKNOWN
outcome     what happened to the job:
            finished      the question is answered within the limit
            gave_up       an incomplete method, or a limit on nodes or conflicts, came to its end
            timeout       no answer within the limit of wall or CPU time; one that came later is
                          kept
            memout        out of memory, by the limit or by the solver's own account
            crashed       the worker died
            error         an exception, or an answer that is none
            unsupported   a constraint or question that the backend cannot express
            refused       the backend declined this problem and said why
            lost          no account of the job could be had
            stopped       not run: the backend was hopelessly behind others
                          (``harness.runs.racing``)
            skipped       not run, or not to its end: the budget of the run was used up
verdict     what validation finds: verified, unwitnessed, unverified, disputed, wrong
incumbent   the best solution found so far, while a search for an optimum continues
version     which library answered, in which interpreter; kept once and referred to by its id

Times are seconds of wall clock unless a name says otherwise, memory is in MB of 2**20 bytes.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal, get_args

import msgspec

from backends.interface.api import Status
from backends.interface.events import Step
from harness.job import Job

Outcome = Literal[
    "finished",
    "gave_up",
    "timeout",
    "memout",
    "crashed",
    "error",
    "unsupported",
    "refused",
    "lost",
    "stopped",
    "skipped",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

VerdictWord = Literal["verified", "unwitnessed", "unverified", "disputed", "wrong"]

SOLVED = ("verified", "unwitnessed")
UNPROVEN = "unproven"
"""The fate of a search for an optimum that ended with a solution that holds, and no proof."""

FAILED = (
    *("gave_up", "timeout", "memout", "stopped", "skipped", "unsupported", "refused", "lost"),
    *("error", "crashed"),
)
FATES = (*SOLVED, UNPROVEN, "unverified", *FAILED, "disputed", "wrong")
"""What may become of a question: a verdict, or an outcome; from the best to the worst."""

FAULTS = ("wrong", "disputed", "error", "crashed", "lost")
"""Fates of which one is too many."""

REFUSALS = ("refused", "unsupported")
"""Outcomes of a backend that did not try."""

UNRUN = ("stopped", "skipped")
"""Outcomes of jobs that a budget left out."""


class Record(msgspec.Struct, kw_only=True):
    """How one job ended. The worker fills in the answer, the supervisor the circumstances.

    ``wall_s``          stating the problem, ``accepts`` and ``solve``, by the worker's clock; for a
                        job without an answer, what the supervisor waited
    ``elapsed_s``       from sending the job until its answer was read, by the supervisor's clock
    ``import_s``        loading the backend into this worker, once per worker; in no other time
    ``cpu_s``           user and system time of the worker and of its children that have ended; for
                        a job without an answer, of its whole tree, as far as it was seen
    ``peak_memory_mb``  the most resident memory during the job: of the worker process by the
                        kernel's account, or of its whole tree where more was seen of that
    ``baseline_memory_mb``, ``memory_increment_mb``  what the worker held when the job began, and
                        by how much its peak exceeded that; None where the kernel cannot say
    ``phases``          model, encode, load, solve, first_solution, decode; and flatten, which is in
                        no other time: the same program does it for every backend
    ``incumbents``      of a search for an optimum each better solution and each tighter bound, with
                        the seconds since ``solve`` was called, by the worker's clock; of very many
                        the first, the last, and some in between (``backends.interface.events``).
                        Of a job without an answer ``objective`` and ``bound`` are the best of them
    ``configuration``   what a backend that chooses for itself has chosen, in its options' words
    ``proof``           of an answer with proofs what became of them: checked, rejected, unchecked;
                        else empty. ``proof_note`` has by what, or why; ``proof_bytes`` their size,
                        and ``phases`` as ``proof`` what the check took, which is in no other time
    ``proof_encoding``  of a checked proof whether its clauses were found to lose no solution of the
                        problem: enumerated; agreed, where a second engine was asked; unchecked,
                        and ``proof_note`` says why
    ``worker``, ``nth`` which worker of this session, and its how many-eth job; with
                        ``reuse=solver`` that is the job's place among those its solver has seen,
                        warm-ups apart
    ``attempt``         1, or 2 when it was run again because the machine or the reaper that
                        had it was lost, or since its processes were stopped
    ``hindered``        why the attempt before was lost, or that a signal stopped its idle worker
    ``mode``            how the worker came about: pooled, isolated or fresh
    ``isolation``       what was enforced from outside, and by what means
    ``cores``           the cores that it was pinned to, empty when it was not
    ``left_behind``     processes that the job had not ended when it answered, and threads that
                        burnt on; they were ended
    ``output``          the end of what the worker printed, kept when the job went wrong
    ``error``           why an answer is missing: a reason, or a traceback; with ``stopped_by``,
                        what an answer claimed and did not show
    ``stated_sense``    of an answer that came with the instance whether it says that the objective
                        is to be minimized or maximized; else empty
    ``warm_up``         what went wrong in the warm-up of the worker before the job; the job then
                        ran without one. Empty when it went well, or none was due
    ``warm_up_s``       how long the worker warmed up before its first job, by the supervisor's
                        clock; in no other time
    """

    job: int
    outcome: Outcome
    status: Status = "UNKNOWN"
    native_status: str = ""
    stopped_by: str = ""
    count: int = 0
    repeats: int = 0
    digest: str = ""
    objective: int | None = None
    bound: int | None = None
    solutions: tuple[tuple[int, ...], ...] = ()
    incumbents: tuple[Step, ...] = ()
    statistics: dict[str, int | float] = {}
    phases: dict[str, float] = {}
    encoding_reused: bool = False
    configuration: str = ""
    instance_digest: str = ""
    wall_s: float = 0.0
    cpu_s: float | None = None
    peak_memory_mb: float | None = None
    baseline_memory_mb: float | None = None
    memory_increment_mb: float | None = None
    error: str = ""
    elapsed_s: float = 0.0
    import_s: float | None = None
    backend_family: str = ""
    worker: int = 0
    nth: int = 0
    attempt: int = 1
    mode: str = ""
    isolation: str = ""
    cores: str = ""
    left_behind: int = 0
    version: str = ""
    machine: str = ""
    ended_at: str = ""
    output: str = ""
    warm_up: str = ""
    warm_up_s: float | None = None
    stated_sense: str = ""
    proof: str = ""
    proof_note: str = ""
    proof_bytes: int = 0
    proof_encoding: str = ""
    hindered: str = ""

    @property
    def exhausted(self) -> bool:
        """Whether the search space was, by the backend's account, searched to its end."""
        return self.stopped_by == "exhausted"


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """Which library answered, and in which interpreter.

    ``backend`` is the name in the experiment, ``canonical`` the backend's own. ``environment`` is
    the digest of what is installed in the environment of a release (``harness.environments``).
    """

    backend: str
    canonical: str = ""
    family: str = ""
    complete: bool = True
    solver: str = ""
    native: tuple[str, ...] = ()
    concord: str = ""
    python: str = ""
    environment: str = ""

    @property
    def id(self) -> str:
        """16 hexadecimal digits; equal versions, equal ids."""
        said = msgspec.structs.asdict(self)
        if not self.environment:  # as it was before there were environments
            del said["environment"]
        return blake2b(msgspec.json.encode(said), digest_size=8).hexdigest()


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What validation found out about one job.

    ``evidence``  what the verdict rests on: ``solution checked``, ``proof checked``, ``proven by
                  the oracle``, ``agreed by k families``, ``claimed by one alone``; for wrong
                  and disputed answers, what speaks against them
    ``ground``    what a solved answer is founded on, in a word of ``harness.judge.grounds``
    ``families``  how many families that Concord knows stand for the answer, its own included
    ``checked``   kept solutions that passed both checks
    ``rules``     what the puzzle's own rules object to in a kept solution
    ``model``     what the model's constraints object to in a kept solution
    ``sense``     of a search for an optimum ``minimize`` or ``maximize``, else empty
    """

    job: int
    verdict: VerdictWord
    evidence: str = ""
    families: int = 0
    checked: int = 0
    rules: str = ""
    model: str = ""
    sense: str = ""
    ground: str = ""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A job with all that is known of it; one line of ``records.jsonl.gz``."""

    job: Job
    record: Record
    verdict: Verdict | None = None
