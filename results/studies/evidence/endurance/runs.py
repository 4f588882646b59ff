"""Whole runs in processes of their own: started, ended, and compared with an undisturbed one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from harness.plan.experiment import Experiment, SetChoice
from harness.plan.reading import dump
from harness.report.run import load
from harness.store.files import NAME
from harness.store.store import Store
from modelling.errors import StoreError
from puzzles.sets.folders import CONFIG
from results.studies.evidence.endurance.process import Fate, run_command

FAMILY = "py:harness.selftest.tiny:Tiny"
TEXTS = tuple(f"slow 0.02 3 {values} {total}" for values in (4, 5, 6) for total in range(3, 8))

EXPERIMENT = Experiment(
    name="endurance",
    sets=[SetChoice("tiny", texts={text: text for text in TEXTS}, family=FAMILY)],
    backends=["brute_force", "propagation"],
    count="all",
    jobs=1,
    seconds=60,
)
"""30 jobs, whose answers are the same each time."""

CELLS = ["set", "instance", "backend", "ask", "repeat", "outcome", "status", "count", "digest",
         "verdict", "ground", "evidence"]  # fmt: skip


class Ended(NamedTuple):
    """How a session ended: its exit status, below 0 for a signal, and what it said."""

    status: int
    said: str


class Session:
    """A process that carries a run out; what it says goes to a file."""

    def __init__(self, words: list[str], config: Path, said: Path, forked: bool) -> None:
        self._said = said
        if forked:
            import_module("harness.cli.verbs")  # what each process would load
        context: Any = get_context("fork" if forked else "spawn")
        self._process = context.Process(target=_carry_out, args=(words, str(config), str(said)))
        self._process.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return int(self._process.pid)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return not self._process.is_alive()

    def wait(self, seconds: float | None = None) -> Ended:
        """Wait so long for its end, at most; without an end the status is 0."""
        self._process.join(seconds)
        said = self._said.read_text(encoding="utf-8") if self._said.exists() else ""
        return Ended(self._process.exitcode or 0, said)


def _carry_out(words: list[str], config: str, said: str) -> None:
    os.setsid()
    os.environ[CONFIG] = config
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")  # not those of the parent
    sys.exit(run_command(words))


class World:
    """A folder with a run, the user's key, and what was noted of its commits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.run = self.folder / "world" / "run"
        self.note = self.folder / "noted"
        self._sessions = 0
        self.world.mkdir(parents=True, exist_ok=True)

    @property
    def world(self) -> Path:
        """What a power cut changes: run and key."""
        return self.folder / "world"

    @property
    def config(self) -> Path:
        """The folder of the key."""
        return self.world / "config"

    def start(self, fate: Fate = Fate(), *, forked: bool = True) -> Session:
        """A session that begins the run, or continues with it.

        One that is ``forked`` has loaded Concord already, and so begins at once.
        """
        plan = self.folder / "experiment.toml"
        plan.write_text(dump(EXPERIMENT), encoding="utf-8")
        begun = (self.run / NAME).is_file()
        words = ["--resume", str(self.run)] if begun else [str(plan), "--out", str(self.run)]
        fate = msgspec.structs.replace(fate, note=fate.note or str(self.note))
        fated = [msgspec.json.encode(fate).decode(), "run", *words, "--quiet", "--json"]
        self._sessions += 1
        said = self.folder / f"said-{self._sessions}"
        return Session(fated, self.config, said, forked)

    def live(self, fate: Fate = Fate(), *, forked: bool = True) -> Ended:
        """A session to its end."""
        return self.start(fate, forked=forked).wait()

    def read_noted(self) -> set[int]:
        """The jobs that were noted as committed so far."""
        if not self.note.is_file():
            return set()
        lines = self.note.read_text(encoding="utf-8").splitlines()
        return set().union(*(json.loads(line) for line in lines if line.endswith("]")))

    def read_records(self) -> dict[int, str]:
        """When each job with a record that may be used ended, by the key of this world."""
        with use_config(self.config), suppress(StoreError), closing(Store.open(self.run)) as store:
            found = store.examine()
            if found.trust == "authentic" and not found.is_lost:
                rows = store.read_rows(verdicts=False)
                return {
                    row.job.number: row.record.ended_at
                    for row in rows
                    if row.job.number not in found.spoilt
                }
        return {}

    def read_tables(self) -> str:
        """What a run came to, without its times: the same for equal runs."""
        return read_tables(self.run, self.config)


def read_tables(run: Path, config: Path) -> str:
    """All jobs with answers and verdicts, the faults of the run, and the table of agreement."""
    with use_config(config):
        found = load(run)
        jobs = found.jobs.sort_values(["instance", "backend", "repeat"])[CELLS]
        return f"{jobs.to_csv(index=False)}\n{found.agreement.to_csv()}\n{found.faults}"


@contextmanager
def use_config(folder: Path) -> Iterator[None]:
    """In the block the key is the one in this folder."""
    before = os.environ.get(CONFIG)
    os.environ[CONFIG] = str(folder)
    try:
        yield
    finally:
        del os.environ[CONFIG]
        if before is not None:
            os.environ[CONFIG] = before
