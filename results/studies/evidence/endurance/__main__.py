"""The study: each part disturbs runs as often as is asked, and sums up what became of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from results.studies.evidence.endurance import disturbances, steps
from results.studies.evidence.endurance.runs import use_config
from results.studies.evidence.endurance.steps import Trial
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

PARTS = {
    "kills": "`concord run` ended with SIGKILL at a drawn moment, and resumed",
    "power": "the power cut at a drawn step of the files of `concord run`, and resumed",
    "power_each": "the power cut at each step of the life of a store, two states drawn of each",
    "full_each": "each write of the life of a store the first without room: once, and for good",
    "full": "`concord run` on a disk of 4 KB, 20 KB and so on, which is then made larger",
    "clock": "the clock set by up to a day, back and forward, while `concord run` works",
    "twice": "`concord run --resume` twice at once",
    "old": "a store of each earlier schema, as it was interrupted then, resumed",
}
EVERY = 10
"""Trials after which the row of a part is written again."""


class Row(msgspec.Struct, kw_only=True):
    """A part. ``trials`` are looks at a run, after a disturbance or at its end, ``runs`` those at
    its end, of which ``equal`` have the tables of an undisturbed run. ``committed`` are records
    that were on the disk before, ``lost`` those of them that are not there any more."""

    part: str
    trials: int = 0
    runs: int = 0
    equal: int = 0
    committed: int = 0
    lost: int = 0
    faults: list[str] = []
    left_out: str = ""

    def add(self, trial: Trial, *, ends: bool) -> None:
        """Count a trial."""
        self.trials += 1
        self.runs += ends
        self.equal += trial.is_equal
        self.committed += trial.committed
        self.lost += trial.lost
        if trial.fault and len(self.faults) < 20:
            self.faults.append(trial.fault)


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """One part after the other."""
    for part in chosen.only or PARTS:
        if part in known:
            continue
        row = Row(part=part)
        if part == "full" and not disturbances.may_mount():
            row.left_out = "this process may not mount a file system"
            yield row
            continue
        with (
            TemporaryDirectory(prefix="concord-endurance-") as folder,
            use_config(Path(folder, "config")),
        ):
            for number, trial in enumerate(_disturb(part, chosen, Path(folder)), 1):
                row.add(trial, ends=trial.ends)
                if number % EVERY == 0:
                    yield row
        yield row


def _disturb(part: str, chosen: Options, folder: Path) -> Iterator[Trial]:
    seed = chosen.seed
    ways: dict[str, Callable[[], Iterator[Trial]]] = {
        "kills": lambda: disturbances.kill(folder, chosen.kills, seed),
        "power": lambda: disturbances.cut_power(folder, chosen.cuts, seed),
        "power_each": lambda: steps.cut_power(folder, seed),
        "full_each": lambda: steps.fill_disk(folder),
        "full": lambda: disturbances.fill_disk(folder, range(4, 1000, 16)),
        "clock": lambda: disturbances.turn_clock(folder, chosen.clocks, seed),
        "twice": lambda: disturbances.resume_twice(folder, chosen.twice, seed),
        "old": lambda: disturbances.continue_old(folder),
    }
    return ways[part]()


def find_faults(rows: Sequence[Row]) -> list[str]:
    """What was lost, what is not equal, and what went wrong otherwise."""
    found = [f"{row.part}: {fault}" for row in rows for fault in row.faults]
    found += [f"{row.part}: {row.lost} committed records are lost" for row in rows if row.lost]
    different = [row for row in rows if row.equal < row.runs]
    return found + [f"{row.part}: {row.runs - row.equal} runs differ" for row in different]


def report(rows: Sequence[Row], chosen: Options) -> str:
    """A line for each part."""
    return join_page(
        "# Runs that were disturbed, beside those that were not",
        f"By `{chosen.command}`. *Looks*: at a run after each disturbance and at its end; *ended*: "
        "runs that were continued to their end; *equal*: those of them whose answers, verdicts, "
        "faults and agreement are those of a run that nothing has disturbed; *committed*: records "
        "that were on the disk before, summed over the looks; *lost*: those of them that are not "
        "there any more.",
        list_table(
            "part | what happens | looks: | ended: | equal: | committed: | lost: | other faults:",
            [
                f"{row.part} | {PARTS[row.part]} | {row.trials} | {row.runs} | {row.equal} | "
                f"{row.committed} | {row.lost} | {row.left_out or len(row.faults)}"
                for row in rows
            ],
        ),
    )


STUDY = Study(
    name="evidence.endurance",
    about=__doc__ or "",
    row=Row,
    key=lambda row: row.part,
    measure=measure,
    report=report,
    faults=find_faults,
    order=lambda rows: sorted(rows, key=lambda row: list(PARTS).index(row.part)),
    place="disturbances",
    keeps=True,
    options=(
        option("--only", [], "part to measure; several", choices=list(PARTS)),
        option("--seed", 0, "seed of what is drawn"),
        option("--kills", 200, "number of kills"),
        option("--cuts", 100, "number of power cuts of whole runs"),
        option("--clocks", 5, "number of runs whose clock is set"),
        option("--twice", 10, "number of runs that are resumed twice at once"),
    ),
)

main = STUDY.main

if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads is not forked
    raise SystemExit(main())
