"""The rounds of a format: a file is changed and read, and who reads it too is asked.

A finding has the file, made small, and ``reading.json``: what the reader here made of it, what the
other one says, and which of the rounds it was.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import perf_counter

import msgspec

from harness.hunting.delta_debugging import minimise
from harness.hunting.findings import Answer, Fault
from harness.hunting.fuzzing.causes import Cause, name_folder
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.files import grammar, others
from harness.hunting.fuzzing.files.families import FamilyFiles
from harness.hunting.fuzzing.files.others import Claim
from harness.hunting.fuzzing.files.reading import Reading, find_format, name_file, read
from harness.hunting.fuzzing.files.seeds import Seeds, write
from harness.hunting.fuzzing.playing.lane import Lane, Said
from modelling.problem import Problem

FILES = "file:"
"""The beginning of the name of a format's lane."""

FILE = "reading.json"
MOST_FOLDERS = 3
MOST_TRIALS = 200
"""Texts that a reduction tries."""

AGAIN = "itself, written again"
"""Who reads a problem that was read, written in the format, and read."""

Note = Callable[[int, int, int], None]


class Found(msgspec.Struct, frozen=True):
    """What is wrong with how a file was read; ``name`` is that of the file beside."""

    format: str
    name: str
    fault: Fault
    by: str
    ours: str
    theirs: str
    round: int


def is_format(backend: str) -> bool:
    """Whether a lane is one of files."""
    return backend.startswith(FILES)


@dataclass
class FilePlayer:
    """Plays the rounds of a format's lane, as ``rounds.Player`` does those of a solver's."""

    seed: int
    lane: Lane
    folder: Path
    note: Note
    lost: dict[str, Answer] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    said: list[Said] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = self.lane.backend.removeprefix(FILES)
        self.form = find_format(self.name)

    @cached_property
    def seeds(self) -> Seeds:
        """The files that are changed: drawn ones, those of the places, and their instances."""
        return Seeds(self.form, self.places, Draws(self.seed, self.places))

    def play(self) -> None:
        """The next round."""
        lane, started = self.lane, perf_counter()
        lane.rounds += 1
        lane.fresh += 1
        self._asked = 0
        rng = random.Random(f"files/{self.seed}/{self.name}/{lane.rounds}")
        text = grammar.mutate(rng, self.seeds.choose(rng, lane.fresh), self.name)
        self._look_at(text)
        lane.seconds += perf_counter() - started

    def _look_at(self, text: str) -> None:
        if not self._begin("the reader", text):
            return
        reading = read(self.form, text)
        self.lane.comparisons += 1
        if reading.fault:
            small = self._reduce(text, lambda part: read(self.form, part).fault == reading.fault)
            self._report("crash", reading.fault, "", small, read(self.form, small).said, "")
        elif reading.problem is None:
            self.lane.refused += 1
        else:
            self._compare(text, reading.problem)

    def _compare(self, text: str, problem: Problem) -> None:
        """The problem with what others read, and with what is read of it once it is written."""
        ours = others.solve(problem)
        if ours is None:
            self.lane.unanswered += 1
            return
        for by in self._list_others():
            if not self._begin(by, text):
                continue
            theirs = self._ask(by, text, problem)
            if theirs is None:
                continue
            self.lane.comparisons += 1
            fault = others.disagree(ours, theirs)
            if fault is not None:
                self._report_other(fault, by, text)

    def _list_others(self) -> tuple[str, ...]:
        if isinstance(self.form, FamilyFiles):
            return tuple(self.form.others)
        return (AGAIN, *others.OTHERS.get(self.name, ()))

    def _ask(self, by: str, text: str, problem: Problem) -> Claim | None:
        if isinstance(self.form, FamilyFiles):
            return self.form.others[by](text)
        if by != AGAIN:
            return others.ask(others.OTHERS[self.name][by], name_file(self.form), text)
        again = write(self.form, problem) if self.form.writes else ""
        reading = read(self.form, again) if again else Reading()
        return None if reading.problem is None else others.solve(reading.problem)

    def _report_other(self, fault: Fault, by: str, text: str) -> None:
        def contradict(part: str) -> tuple[Claim, Claim] | None:
            problem = read(self.form, part).problem
            ours = None if problem is None else others.solve(problem)
            theirs = None if problem is None or ours is None else self._ask(by, part, problem)
            if ours is None or theirs is None or others.disagree(ours, theirs) != fault:
                return None
            return ours, theirs

        small = self._reduce(text, lambda part: contradict(part) is not None)
        claims = contradict(small)
        ours, theirs = map(str, claims or ("", ""))
        self._report(fault, f"{self.name} read by {by}", by, small, ours, theirs)

    def _reduce(self, text: str, fails: Callable[[str], bool]) -> str:
        """Fewer sections, then fewer tokens, of which the same is wrong."""
        self.note(self.lane.rounds, self._asked, self.lane.comparisons)
        left = MOST_TRIALS

        def still_fails(kept: list[str]) -> bool:
            nonlocal left
            left -= 1
            return left >= 0 and fails("".join(kept))

        parts = minimise(grammar.split(text, self.name), still_fails)
        return "".join(minimise(grammar.split_tokens("".join(parts)), still_fails))

    def _begin(self, by: str, text: str) -> bool:
        """Whether to ask: not what a process has ended at before, which is a finding."""
        self._asked += 1
        self.lane.questions += 1
        self.note(self.lane.rounds, self._asked, self.lane.comparisons)
        lost = self.lost.get(f"{self.lane.rounds}/{self._asked}")
        if lost is None:
            return True
        fault: Fault = "hang" if lost.outcome == "timeout" else "crash"
        said = lost.note.partition(":")[0] if fault == "crash" else "no end"
        self._report(fault, f"{said} of {by}", by, text, lost.note, "")
        return False

    def _report(self, fault: Fault, part: str, by: str, text: str, ours: str, theirs: str) -> None:
        lane = self.lane
        cause = str(Cause(lane.backend, fault, (part.replace(", ", " "),)))
        lane.wrong[cause] = number = lane.wrong.get(cause, 0) + 1
        if number > MOST_FOLDERS:
            return
        folder = self.folder / name_folder(cause) / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        name = name_file(self.form)
        found = Found(self.name, name, fault, by, ours, theirs, lane.rounds)
        (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
        (folder / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
