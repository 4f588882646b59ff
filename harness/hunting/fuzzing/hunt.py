"""The hunt: a process for each solver plays rounds, two at a time, until time or rounds are over.

The folder of a hunt has ``hunt.json`` (its seed), ``lanes/`` (the state for each solver, with its
corpus), ``opinions.json`` and ``findings/``, a folder for each cause. A hunt in the same folder
continues it.

Words
-----
lane      one solver's part of the hunt (``lane``)
cause     findings that are likely one mistake (``causes``)
"""

from __future__ import annotations

import selectors
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import msgspec

from harness.hunting.asking import Questioner
from harness.hunting.findings import Answer
from harness.hunting.fuzzing.causes import find_cause, group, name_folder
from harness.hunting.fuzzing.coverage import Covered, summarise
from harness.hunting.fuzzing.disputes import make_smaller
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.files.playing import is_format
from harness.hunting.fuzzing.opinions import Opinions
from harness.hunting.fuzzing.playing.lane import Lane, read_lane
from harness.hunting.fuzzing.playing.process import Order, Played, SolverProcess
from harness.hunting.fuzzing.playing.rounds import MOST_FOLDERS
from harness.hunting.judging.answers import Wrong, make_finding
from harness.hunting.judging.asked import SECONDS, Asked
from modelling.errors import InputError

BATCH_SECONDS = 3.0
"""A process plays about so long before it reports."""

MOST_BATCH = 200
SAVE_SECONDS = 10.0
HANG_SECONDS = 3 * SECONDS
"""CPU seconds after which a solver hangs, that was asked to stop earlier."""

MOST_LOSSES = 100
"""A solver whose process has ended so often is left alone."""

MOST_IDLE = 12
"""Processes that wait for their turn; beyond them the one that has waited longest is ended."""

MOST_DISPUTES = 20
"""Disputes between solvers that are made smaller at the end of a hunt."""

TICK = 0.2


@dataclass(frozen=True)
class Plan:
    """What to hunt, and for how long: ``seconds`` in all, ``rounds`` for each solver.

    A backend ``file:FORMAT`` is the reader of a format. ``instances`` are sets, files or folders:
    one in three problems, and files, are made of these. A guided hunt asks at most ``questions``
    about a problem that brute force judges.
    """

    backends: tuple[str, ...]
    folder: Path
    seed: int = 0
    seconds: float | None = None
    rounds: int | None = None
    jobs: int = 2
    is_guided: bool = True
    hang_seconds: float = HANG_SECONDS
    instances: tuple[str, ...] = ()
    questions: int = 1


@dataclass(frozen=True)
class Progress:
    """How far a hunt is."""

    comparisons: int
    findings: int
    causes: int
    asking: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The findings of one cause: its text, how many there are, and its folder; ``also`` are causes
    that it explains, whose findings are among them."""

    cause: str
    number: int
    folder: Path
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Summary:
    """What a hunt has done, sessions before included; ``broken`` has the solvers left alone."""

    lanes: tuple[Lane, ...]
    comparisons: int
    covered: Covered
    found: tuple[Found, ...]
    broken: dict[str, str]
    seconds: float
    is_interrupted: bool = False


class _Kept(msgspec.Struct):
    """``hunt.json``."""

    seed: int
    is_guided: bool = True
    agreements: int = 0
    format: int = 1
    instances: tuple[str, ...] = ()
    questions: int = 1


@dataclass
class _Running:
    """A lane with its process, if it has one."""

    lane: Lane
    process: SolverProcess | None = None
    is_asked: bool = False
    used_at: float = 0.0
    lost: dict[str, Answer] = field(default_factory=dict)
    losses: int = 0
    broken: str = ""

    @property
    def comparisons(self) -> int:
        """Those so far, also of the rounds that are being played."""
        now = self.process.comparisons if self.process is not None else 0
        return max(now, self.lane.comparisons)

    def is_stuck(self, seconds: float) -> bool:
        """Whether it has been at one question for so long."""
        return self.process is not None and self.is_asked and self.process.is_stuck(seconds)


def hunt(plan: Plan, on_progress: Callable[[Progress], None] = lambda now: None) -> Summary:
    """Hunt until the time is over or each solver has played its rounds.

    Raises InputError for a folder of another hunt. Ctrl-C ends it with what there is.
    """
    return _Hunt(plan, on_progress).run()


class _Hunt:
    def __init__(self, plan: Plan, on_progress: Callable[[Progress], None]) -> None:
        self._plan, self._on_progress = plan, on_progress
        self._started = monotonic()
        self._saved_at = self._started
        self._is_interrupted = False
        self._lanes_folder = plan.folder / "lanes"
        self._findings = plan.folder / "findings"
        draws = Draws(plan.seed, plan.instances)
        draws.problems  # noqa: B018 - what is not there is an error now
        self._kept = self._open()
        self._opinions = Opinions.read(plan.folder, draws)
        self._lanes = [_Running(read_lane(self._lanes_folder, name)) for name in plan.backends]
        self._selector = selectors.DefaultSelector()

    def _open(self) -> _Kept:
        plan, path = self._plan, self._plan.folder / "hunt.json"
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except (FileNotFoundError, NotADirectoryError):
            if plan.folder.exists() and not plan.folder.is_dir():
                raise InputError(f"{plan.folder}: this is a file; choose another --out") from None
            if plan.folder.is_dir() and any(plan.folder.iterdir()):
                raise InputError(
                    f"{plan.folder}: holds files and no hunt; choose another --out"
                ) from None
            kept = _Kept(
                plan.seed, plan.is_guided, instances=plan.instances, questions=plan.questions
            )
        except (msgspec.MsgspecError, OSError) as error:
            raise InputError(f"{path}: cannot be read ({error}); choose another --out") from error
        if (kept.seed, kept.is_guided) != (plan.seed, plan.is_guided):
            raise InputError(
                f"{plan.folder}: holds a hunt with --seed {kept.seed}; give that seed to continue "
                "it, or choose another --out"
            )
        if kept.questions != plan.questions:
            raise InputError(
                f"{plan.folder}: holds a hunt with --questions {kept.questions}; give that number "
                "to continue it, or choose another --out"
            )
        if kept.instances != plan.instances:
            there = " ".join(kept.instances) or "none"
            raise InputError(
                f"{plan.folder}: holds a hunt with --instances {there}; give these to continue it, "
                "or choose another --out"
            )
        try:
            self._lanes_folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.encode(kept))
        except OSError as error:
            raise InputError(f"{plan.folder}: cannot be written: {error.strerror}") from error
        return kept

    # --- the loop --------------------------------------------------------------------------

    def run(self) -> Summary:
        """Until time or rounds are over."""
        try:
            while not self._is_over():
                self._start_due()
                if not any(one.is_asked for one in self._lanes):
                    break
                self._wait()
                self._on_progress(self._measure())
        except KeyboardInterrupt:
            self._is_interrupted = True
        finally:
            for one in self._lanes:
                self._end(one)
            self._selector.close()
            self._save()
        return self._summarise()

    def _is_over(self) -> bool:
        seconds = self._plan.seconds
        return seconds is not None and monotonic() - self._started >= seconds

    def _start_due(self) -> None:
        """Let those lanes play that have had the least time, as many as may at once."""
        busy = sum(one.is_asked for one in self._lanes)
        waiting = [one for one in self._lanes if not one.is_asked and self._has_rounds(one)]
        waiting.sort(key=lambda one: one.lane.seconds)
        for one in waiting[: max(0, self._plan.jobs - busy)]:
            self._begin(one)

    def _has_rounds(self, one: _Running) -> bool:
        most = self._plan.rounds
        return not one.broken and (most is None or one.lane.rounds < most)

    def _begin(self, one: _Running) -> None:
        if one.process is None:
            self._end_idle()
            plan, lane = self._plan, one.lane
            findings = str(self._findings)
            given = plan.seed, lane, findings, list[str](), one.lost
            order = Order(*given, plan.is_guided, plan.instances, plan.questions)
            one.process = SolverProcess(order)
            self._selector.register(one.process.answers, selectors.EVENT_READ, one)
        one.is_asked = True
        one.process.begin(self._choose_batch(one.lane))

    def _choose_batch(self, lane: Lane) -> int:
        """How many rounds are played before the next report; it does not matter for what is."""
        pace = lane.seconds / lane.rounds if lane.rounds else BATCH_SECONDS / 20
        batch = max(1, min(MOST_BATCH, int(BATCH_SECONDS / max(pace, 1e-6))))
        most = self._plan.rounds
        return batch if most is None else min(batch, most - lane.rounds)

    def _end_idle(self) -> None:
        idle = [one for one in self._lanes if one.process is not None and not one.is_asked]
        idle.sort(key=lambda one: one.used_at)
        for one in idle[: max(0, len(idle) - MOST_IDLE + 1)]:
            self._end(one)

    def _wait(self) -> None:
        left = TICK
        if self._plan.seconds is not None:
            left = min(left, max(0.0, self._plan.seconds - (monotonic() - self._started)))
        for key, _ in self._selector.select(left):
            self._hear(key.data)
        for one in self._lanes:
            if one.is_stuck(self._plan.hang_seconds):
                note = f"no answer after {self._plan.hang_seconds:g} s of CPU time"
                self._lose(one, Answer(outcome="timeout", note=note))
        if monotonic() - self._saved_at > SAVE_SECONDS:
            self._save()

    def _hear(self, one: _Running) -> None:
        assert one.process is not None
        try:
            played = one.process.receive()
        except EOFError:
            self._lose(one, Answer(outcome="crashed", note=one.process.describe_end()))
            return
        if played is not None:
            self._take(one, played)

    def _take(self, one: _Running, played: Played) -> None:
        one.is_asked, one.used_at = False, monotonic()
        if played.error:
            one.broken = played.error
            self._end(one)
            return
        one.lane, one.lost = played.lane, {}
        self._kept.agreements += self._opinions.add(played.said)
        assert one.process is not None
        if one.process.is_large:
            self._end(one)

    def _lose(self, one: _Running, how: Answer) -> None:
        """The process has ended, or hangs: the question at which it did is not asked again."""
        assert one.process is not None
        number, question = one.process.place
        one.is_asked = False
        self._end(one)
        one.losses += 1
        if not question:
            one.broken = f"it did not load: {how.note}"
        elif one.losses >= MOST_LOSSES:
            one.broken = f"its process ended {one.losses} times, at last by {how.note}"
        else:
            one.lost[f"{number}/{question}"] = how

    def _end(self, one: _Running) -> None:
        if one.process is not None:
            self._selector.unregister(one.process.answers)
            one.process.close()
            one.process, one.is_asked = None, False

    # --- what there is ---------------------------------------------------------------------

    def _save(self) -> None:
        folder = self._plan.folder
        playing = [one.lane for one in self._lanes if not one.broken]
        playing = [lane for lane in playing if not is_format(lane.backend)]
        self._opinions.forget(min((lane.fresh for lane in playing), default=0))
        self._opinions.write(folder)
        for one in self._lanes:
            one.lane.write(self._lanes_folder)
        (folder / "hunt.json").write_bytes(msgspec.json.encode(self._kept))
        self._saved_at = monotonic()

    def _measure(self) -> Progress:
        lanes = [one.lane for one in self._lanes]
        made = sum(one.comparisons for one in self._lanes)
        findings = sum(sum(lane.wrong.values()) for lane in lanes)
        causes = sum(len(lane.wrong) for lane in lanes)
        asking = tuple(one.lane.backend for one in self._lanes if one.is_asked)
        return Progress(made + self._kept.agreements, findings, causes, asking)

    def _summarise(self) -> Summary:
        lanes = tuple(one.lane for one in self._lanes)
        cells: dict[str, int] = {}
        found: dict[str, int] = {}
        for lane in lanes:
            for cell, times in lane.cells.items():
                cells[cell] = cells.get(cell, 0) + times
            for cause, number in lane.wrong.items():
                found[cause] = found.get(cause, 0) + number
        self._write_disputes(found)
        return Summary(
            lanes,
            sum(lane.comparisons for lane in lanes) + self._kept.agreements,
            summarise(cells),
            self._group(found),
            {one.lane.backend: one.broken for one in self._lanes if one.broken},
            monotonic() - self._started,
            self._is_interrupted,
        )

    def _group(self, found: dict[str, int]) -> tuple[Found, ...]:
        """The findings by cause, most frequent first."""
        grouped = (
            Found(
                cause,
                found[cause] + sum(found[other] for other in also),
                self._findings / name_folder(cause),
                tuple(also),
            )
            for cause, also in group(found).items()
        )
        return tuple(sorted(grouped, key=lambda one: (-one.number, one.cause)))

    def _write_disputes(self, found: dict[str, int]) -> None:
        """The findings by disagreement between solvers, made smaller; counts them in ``found``."""
        disputes = list(self._opinions.find_all())
        with ExitStack() as closing:
            questioner = closing.enter_context(Questioner()) if disputes else None
            for number, (asked, wrong, claimed) in enumerate(disputes):
                names = (one.lane.backend for one in self._lanes)
                base = next((n for n in names if asked.backend.startswith(n)), asked.backend)
                given = asked, wrong, claimed
                if questioner is not None and number < MOST_DISPUTES and not self._is_interrupted:
                    given = make_smaller(*given, base, questioner)
                self._write_dispute(*given, base, found)

    def _write_dispute(
        self, asked: Asked, wrong: Wrong, claimed: Answer, base: str, found: dict[str, int]
    ) -> None:
        cause = str(find_cause(asked, wrong, base))
        found[cause] = number = found.get(cause, 0) + 1
        if number <= MOST_FOLDERS:
            folder = self._findings / name_folder(cause) / str(number)
            make_finding(asked, wrong, claimed, "").write(folder)
