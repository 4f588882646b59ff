"""Bisection over releases: in which release of a solver does the verdict on its answer change?

One job is asked of one release after another, each in its environment, and each answer is judged
beside the answers of witnesses to the same instance. One word describes the answer of a release:
the verdict or, where an answer is missing, the outcome. From a release with the word of the
good end and one with another word the middle is asked next, until two neighbours differ.

At most log2(n) + 2 of n releases are asked, the two ends included; those that cannot be installed,
or come to no end, are left out, and the next one is asked instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from backends.interface import registry
from backends.interface.api import Limits
from backends.interface.shipped import SHIPPED
from harness.environments.making import Environment, find
from harness.environments.recipe import recipe_for
from harness.environments.releases import is_yanked
from harness.job import Job, Question
from harness.judge.validate import judge
from harness.record import Row, Version
from harness.runs.loading import RunData
from harness.supervise.settings import Settings
from harness.supervise.supervisor import supervise
from modelling.errors import BackendUnavailable, InputError, StoreError
from puzzles.family import Instance

NO_WORD = frozenset({"timeout", "memout", "lost"})
"""Outcomes that say nothing of a release: with more time or memory there might be an answer."""

LEFT_OUT = "left out"

DISPUTED = ("wrong", "disputed")


@dataclass(frozen=True)
class Case:
    """A question about an instance; ``witnesses`` are rows of others that have answered it.

    ``version`` is that of the solver whose answer is in dispute, if any is.
    """

    job: Job
    witnesses: tuple[Row, ...] = ()
    version: str = ""


@dataclass(frozen=True)
class ReleaseAnswer:
    """A release and what it came to; ``word`` is ``left out`` where it came to nothing.

    ``claim`` is the answer in short, ``evidence`` what the word rests on, ``installed`` whether an
    environment had to be made.
    """

    release: str
    word: str
    claim: str = ""
    evidence: str = ""
    installed: bool = False


@dataclass
class Bisection:
    """What bisection has come to: ``good`` and ``bad`` are neighbours that differ, if it ended.

    Neighbours among the releases that were not ``left out``. ``asked`` is in the order of asking.
    """

    releases: Sequence[str]
    asked: list[ReleaseAnswer] = field(default_factory=list)
    good: ReleaseAnswer | None = None
    bad: ReleaseAnswer | None = None

    @property
    def installs(self) -> int:
        """How many environments were made."""
        return sum(one.installed for one in self.asked)

    def in_order(self) -> list[ReleaseAnswer]:
        """What was asked, the oldest release first."""
        return sorted(self.asked, key=lambda one: self.releases.index(one.release))


Provide = Callable[[Sequence[str]], Sequence[Environment]]


def bisect(
    case: Case,
    releases: Sequence[str],
    good: str,
    bad: str,
    provide: Provide,
    on_asked: Callable[[ReleaseAnswer], None] = lambda asked: None,
) -> Bisection:
    """Find the neighbours among ``releases``, the oldest first, between which the word changes.

    ``provide`` makes the environment of a backend's release. Raises BackendUnavailable where one of
    the ends cannot be asked, and InputError where both have the same word.
    """
    found = Bisection(releases)
    ends = []
    for end in (good, bad):
        ends.append(_ask(case, end, provide))
        found.asked.append(ends[-1])
        on_asked(ends[-1])
        if ends[-1].word == LEFT_OUT:
            raise BackendUnavailable(f"release {end} cannot be asked: {ends[-1].evidence}")
    found.good, found.bad = ends
    if found.good.word == found.bad.word:
        raise InputError(
            f"releases {good} and {bad} are both {found.good.word} ({found.good.claim}), so "
            "nothing changes between them; name other ends with --good and --bad"
        )
    for release in _choose(found):
        asked = _ask(case, release, provide)
        found.asked.append(asked)
        on_asked(asked)
        if asked.word == found.good.word:
            found.good = asked
        elif asked.word != LEFT_OUT:
            found.bad = asked
    return found


def _choose(found: Bisection) -> Iterator[str]:
    """The release nearest to the middle between the ends that was not asked yet, while any is."""
    while True:
        assert found.good is not None
        assert found.bad is not None
        places = [found.releases.index(end.release) for end in (found.good, found.bad)]
        asked = {one.release for one in found.asked}
        between = range(min(places) + 1, max(places))
        open_ = [place for place in between if found.releases[place] not in asked]
        if not open_:
            return
        middle = sum(places) / 2
        yield found.releases[min(open_, key=lambda place: abs(place - middle))]


def _ask(case: Case, release: str, provide: Provide) -> ReleaseAnswer:
    head, _, options = registry.split(case.job.backend)
    name = f"{head}@{release}:{options}" if options else f"{head}@{release}"
    recipe = recipe_for(name)
    assert recipe is not None
    is_new = find(recipe) is None
    if is_new and is_yanked(recipe.distribution, release):
        return ReleaseAnswer(release, LEFT_OUT, evidence="it was withdrawn (yanked)")
    try:
        provide([name])
    except BackendUnavailable as error:
        return ReleaseAnswer(release, LEFT_OUT, evidence=str(error))
    row = ask(msgspec.structs.replace(case.job, backend=name))
    record, verdict = row.record, judge([row, *case.witnesses])[0]
    if record.outcome in NO_WORD:
        text = f"{record.outcome}: {record.error}".rstrip(": ")
        return ReleaseAnswer(release, LEFT_OUT, evidence=text, installed=is_new)
    # An answer that contradicts itself is an error, and wrong: the verdict says more.
    is_judged = record.outcome == "finished" or verdict.verdict in DISPUTED
    word = verdict.verdict if is_judged else record.outcome
    said = (record.error or verdict.evidence).splitlines()
    return ReleaseAnswer(release, word, _describe(row), said[0] if said else "", is_new)


def _describe(row: Row) -> str:
    """The answer in short."""
    record, question = row.record, row.job.question
    if record.objective is not None:
        return f"{record.status}, objective {record.objective}"
    is_count = not question.optimum and question.limit != 1 and record.status == "SATISFIABLE"
    return f"{record.status}, {record.count} solutions" if is_count else record.status


def ask(job: Job) -> Row:
    """Run one job alone, in a new worker."""
    records = supervise([job], Settings(mode="fresh"))
    record = next(one for one in records if one is not None)
    for _ in records:  # to its end: the worker leaves
        pass
    return Row(job=job, record=record)


# --- cases ---------------------------------------------------------------------------------


def make_case_from_instance(
    instance: Instance, backend: str, witness: str, question: Question, seconds: float
) -> Case:
    """A question about an instance, of which one witness is asked here and now.

    Raises InputError where the witness comes to no answer.
    """
    job = Job(
        number=1,
        set=instance.set,
        instance=instance.name,
        family=instance.family,
        text=instance.text,
        backend=backend,
        question=question,
        limits=Limits(seconds),
        source=instance.source,
    )
    row = ask(msgspec.structs.replace(job, number=2, backend=witness))
    if row.record.outcome != "finished":
        raise InputError(
            f"the witness {witness} came to no answer ({row.record.outcome} {row.record.error}); "
            "name another with --witness, or give it more --seconds"
        )
    return Case(job, (row,))


def make_case_from_run(run: RunData, distribution: str, number: int | None) -> Case:
    """The dispute of a run: job ``number``, or the first one of a backend of ``distribution``.

    Raises StoreError where there is none.
    """
    with run.open() as store:
        rows = [row for row in store.read_rows() if row.job.role != "stated"]
    names = {entry.name for entry in SHIPPED if entry.distribution == distribution}
    ours = [row for row in rows if registry.split(row.job.backend)[0] in names]
    if number is not None:
        chosen = [row for row in ours if row.job.number == number]
    else:
        chosen = [row for row in ours if row.verdict and row.verdict.verdict in DISPUTED]
    if not chosen:
        which = "dispute" if number is None else f"job {number}"
        raise StoreError(
            f"{run.folder} has no {which} of a backend whose solver is in {distribution}; see: "
            f"concord table {run.folder} --which jobs"
        )
    row = chosen[0]
    if not row.job.text:
        raise StoreError(f"{run.folder} keeps no texts of its instances; name the instance's file")
    versions = {version.id: version for version in run.versions}
    version = versions.get(row.record.version, Version(backend=row.job.backend)).solver
    same = ("set", "instance", "family", "text")
    witnesses = [
        other
        for other in rows
        if other not in ours
        and all(getattr(other.job, key) == getattr(row.job, key) for key in same)
    ]
    return Case(row.job, tuple(witnesses), version)
