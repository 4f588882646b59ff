"""Do limits hold, and do faults cost nothing? Kills, trees, memory, CPU time, faults, overhead.

    python -m results.studies.runs.supervision [--only PART]... [--scale F] [--out DIR]

Each part runs the backends of the tests that do what no honest one should (``tests/harness``: this
needs a checkout), and compares figures with what is asked of them. ``--scale 0.02`` does a fiftieth
of the work. The figures of each part go to ``--out`` as ``PART.json``, the samples that they are
made of as ``PART.samples.json.gz``.

Words
-----
overrun     by how much the last process of a job outlives the wall limit
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from backends.interface.api import Limits
from harness.job import Job, Question
from harness.noise import measure_noise, take_probe
from harness.record import Record
from harness.supervise.processes import look_at, tree_of
from harness.supervise.settings import Settings, Wanted
from harness.supervise.supervisor import supervise
from modelling.errors import ExperimentError
from results.studies.runner import write_json
from results.studies.runs import dispatch
from results.studies.runs.sampling import sample

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "tests" / "harness"
TINY = "py:tiny_family:Tiny"
FAULT, FINE = "3 4 -", "2 3 -"

# --- jobs ----------------------------------------------------------------------------------------


def jobs(backends: Sequence[str], text: str = FAULT, seconds: float | None = None) -> list[Job]:
    """One job for each of ``backends``, all on the same instance."""
    return [job(number, name, text, seconds) for number, name in enumerate(backends, 1)]


def job(number: int, backend: str, text: str = FAULT, seconds: float | None = None) -> Job:
    name = backend if ":" in backend or backend.islower() else f"py:faulty:{backend}"
    return Job(
        number=number,
        set="tiny",
        instance=str(number),
        family=TINY,
        text=text,
        backend=name,
        question=Question(),
        limits=Limits(seconds),
    )


def records(todo: Iterable[Job], settings: Settings) -> Iterator[Record]:
    return (record for record in supervise(todo, settings) if record is not None)


@contextmanager
def note_children() -> Iterator[Path]:
    """The file to which escaping backends write the processes that they start."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "children"
        path.touch()
        os.environ["TINY_CHILDREN"] = str(path)
        try:
            yield path
        finally:
            del os.environ["TINY_CHILDREN"]


def is_alive(pid: int) -> bool:
    seen = look_at(pid)
    return seen is not None and not seen.is_zombie


# --- parts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How much to do."""

    scale: float
    patience: int
    slots: int

    def number(self, full: int) -> int:
        return max(2, round(full * self.scale))


@dataclass
class Finding:
    """One line of the table: a figure, what is asked of it, and whether it is so."""

    what: str
    figure: str
    target: str
    met: bool
    more: dict[str, Any]
    samples: list[Any] = field(default_factory=list)


def wall(plan: Plan) -> Iterator[Finding]:
    """Overrun of the wall limit by jobs that hang, until their last process has ended."""
    limit = 0.1
    for mode in ("pooled", "isolated"):
        settings = Settings(slots=plan.slots, mode=mode)

        def run(size: int, settings: Settings = settings) -> list[float]:
            todo = jobs(["Hang"] * size, seconds=limit)
            return [record.elapsed_s - limit for record in records(todo, settings)]

        found = sample(plan.number(1000 if mode == "pooled" else 200), run, plan.patience)
        best, every = found.best(), found.everything()
        p99, p999 = map(float, np.percentile(best, (99, 99.9)))
        yield Finding(
            f"wall limit overrun, {len(best)} kills, {mode}",
            f"99th percentile {p99:.3f} s, 99.9th {p999:.3f} s, largest {max(best):.3f} s",
            "99th <= 0.10 s, 99.9th <= 0.5 s",
            p99 <= 0.10 and p999 <= 0.5,
            found.about()
            | {
                "kills_in_all": len(every),
                "p99_of_all_s": round(float(np.percentile(every, 99)), 4),
            },
            every,
        )


def list_means() -> list[Wanted]:
    """Return the means of this machine that limit CPU time and memory."""
    best = Settings(memory_mb=1).chosen_isolation().means
    return ["cgroup", "polled"] if best == "cgroup" else ["polled"]


def cpu(plan: Plan) -> Iterator[Finding]:
    """CPU time at which a busy loop in two threads is killed."""
    for means in list_means():
        settings = Settings(cpu_seconds=1.0, isolation=means)

        def run(size: int, settings: Settings = settings) -> list[float]:
            return [r.cpu_s or 0.0 for r in records(jobs(["Burns"] * size), settings)]

        found = sample(plan.number(50), run, 0)
        used = found.everything()
        yield Finding(
            f"CPU limit 1 s, busy loop of 2 threads, {len(used)} jobs, {means}",
            f"killed at {min(used):.3f} to {max(used):.3f} s",
            "1.0 +- 0.15 s",
            min(used) >= 0.85 and max(used) <= 1.15,
            found.about(),
            used,
        )


def memory(plan: Plan) -> Iterator[Finding]:
    """Peak of a job that takes a gigabyte a second, under a limit of 300 MB."""
    most = {"cgroup": 330, "polled": 400}
    for means in list_means():
        settings = Settings(memory_mb=300, isolation=means)

        def run(size: int, settings: Settings = settings) -> list[tuple[str, float]]:
            todo = jobs(["HoardsFast"] * size)
            return [(r.outcome, r.peak_memory_mb or 0.0) for r in records(todo, settings)]

        found = sample(plan.number(50), run, 0)
        peaks = [peak for _, peak in found.everything()]
        stopped = all(outcome == "memout" for outcome, _ in found.everything())
        yield Finding(
            f"memory limit 300 MB, 1 GB/s, {len(peaks)} jobs, {means}",
            f"{'all' if stopped else 'not all'} stopped, peak at most {max(peaks):.0f} MB",
            f"stopped, recorded peak <= {most[means]} MB",
            stopped and 0 < max(peaks) <= most[means],
            found.about(),
            peaks,
        )


def increment(plan: Plan) -> Iterator[Finding]:
    """Reported increment of a job that touches 100 MB."""
    for mode in ("pooled", "isolated"):
        todo = jobs(["Touches"] * plan.number(100))
        grown = [r.memory_increment_mb for r in records(todo, Settings(mode=mode))]
        known = [value for value in grown if value is not None]
        yield Finding(
            f"increment of a job that touches 100 MB, {len(grown)} jobs, {mode}",
            f"{min(known):.1f} to {max(known):.1f} MB" if known else "the kernel does not tell",
            "within 5 %",
            len(known) == len(grown) and all(95 <= value <= 105 for value in known),
            {},
            grown,
        )


def trees(plan: Plan) -> Iterator[Finding]:
    """Survivors of killed trees once their record is there: setsid, double fork, no SIGTERM."""
    for mode, share in (("pooled", 500), ("isolated", 500)):
        number, survivors, seen = plan.number(share), 0, 0
        with note_children() as path:
            todo = jobs(["Escapes"] * number, seconds=0.4)
            for record in records(todo, Settings(slots=plan.slots, mode=mode)):
                assert record.outcome == "timeout", record.error
            escaped = [int(word) for word in path.read_text().split()]
            survivors = sum(is_alive(pid) for pid in escaped)
            seen = len(escaped)
        yield Finding(
            f"survivors of {number} killed trees ({seen} escaped processes), {mode}",
            str(survivors),
            "0",
            survivors == 0,
            {},
        )


SESSION = """
import sys
sys.path[:0] = {path!r}
from results.studies.runs import supervision
supervision.escape_for_ever({mode!r})
"""


def escape_for_ever(mode: str) -> None:
    """A session to be killed: two jobs that leave escaped processes behind, and hang."""
    _find_faulty()
    for _ in records(jobs(["Escapes"] * 2, seconds=100), Settings(slots=2, mode=mode)):
        pass


def killed_supervisors(plan: Plan) -> Iterator[Finding]:
    """Survivors a second after ``kill -9`` of the supervisor."""
    number = plan.number(100)
    left = []
    for turn in range(number):
        mode = ("pooled", "isolated", "fresh")[turn % 3]
        with note_children() as path:
            program = SESSION.format(path=sys.path, mode=mode)
            supervisor = subprocess.Popen([sys.executable, "-c", program])
            while path.read_bytes().count(b"\n") < 2:
                time.sleep(0.01)
            below = tree_of(supervisor.pid)[1:]
            escaped = {int(word) for word in path.read_text().split()}
            assert escaped <= set(below)
            supervisor.kill()
            supervisor.wait()
            time.sleep(1)
            left.append(sum(is_alive(pid) for pid in below))
    yield Finding(
        f"survivors 1 s after kill -9 of the supervisor, {number} times",
        str(sum(left)),
        "0",
        not any(left),
        {},
        left,
    )


FAULTS = {
    "Segfault": "crashed",
    "Aborts": "crashed",
    "Leaves": "crashed",
    "ClosesPipe": "crashed",
    "EscapesAndLeaves": "crashed",
    "Garbage": "error",
    "Raises": "error",
    "NoResult": "error",
    "OutOfMemory": "memout",
    "HoardsFast": "memout",
    "Hang": "timeout",
    "StopsItself": "timeout",
    "Floods": "finished",
    "EscapesAndAnswers": "finished",
}


def mixed(plan: Plan) -> Iterator[Finding]:
    """Faults of all kinds in a random order, each in its class."""
    number = plan.number(1000)
    drawn = random.Random(1).choices(list(FAULTS), k=number)
    wrong: list[str] = []
    for mode, chosen in (("pooled", drawn[: number // 2]), ("isolated", drawn[number // 2 :])):
        limits = {name: 1.0 for name, outcome in FAULTS.items() if outcome == "timeout"}
        todo = [job(n, name, seconds=limits.get(name, 60.0)) for n, name in enumerate(chosen, 1)]
        settings = Settings(slots=plan.slots, mode=mode, memory_mb=300)
        for record in records(todo, settings):
            name = chosen[record.job - 1]
            if record.outcome != FAULTS[name]:
                wrong.append(f"{mode} {name}: {record.outcome}, {record.error[-200:]}")
    yield Finding(
        f"{number} mixed faults of {len(FAULTS)} kinds",
        f"{number - len(wrong)} in their class",
        "all",
        not wrong,
        {"wrong": wrong, "drawn": dict(Counter(drawn))},
    )


def overhead(plan: Plan) -> Iterator[Finding]:
    """Time a job takes beyond the backend's own, from one record to the next, one slot."""
    cases = (
        ("pooled", "a trivial backend", dispatch.jobs, 0.4, 5000),
        ("isolated", "OR-Tools loaded", _cpsat_jobs, 20.0, 300),
    )
    for mode, what, make, most, number in cases:

        def run(size: int, mode: str = mode, make: Callable = make) -> list[float]:
            gaps, last = [], 0.0
            for record in records(make(size + 1), Settings(mode=mode)):
                assert record.outcome == "finished", record.error
                now = time.perf_counter()
                gaps.append(1e3 * (now - last - record.wall_s))
                last = now
            return gaps[1:]  # the first one has the start of a worker or fork server in it

        found = sample(plan.number(number), run, plan.patience)
        best = found.best()
        yield Finding(
            f"overhead per job, {mode}, {what}, {len(best)} jobs",
            f"median {np.median(best):.3f} ms, 95th percentile {np.percentile(best, 95):.3f} ms",
            f"median <= {most:g} ms",
            float(np.median(best)) <= most,
            found.about() | {"median_of_all_ms": round(np.median(found.everything()), 4)},
            [round(value, 4) for value in found.everything()],
        )


def _cpsat_jobs(number: int) -> list[Job]:
    return jobs(["cpsat"] * number, FINE, 30.0)


PARTS: dict[str, Callable[[Plan], Iterator[Finding]]] = {
    "overhead": overhead,
    "cpu": cpu,
    "memory": memory,
    "increment": increment,
    "trees": trees,
    "killed": killed_supervisors,
    "mixed": mixed,
    "wall": wall,
}


# --- putting it together -------------------------------------------------------------------------


def _find_faulty() -> None:
    if not (TESTS / "faulty.py").exists():
        raise ExperimentError(f"{TESTS} is not there: this experiment needs a checkout of Concord")
    for folder in (str(TESTS), str(ROOT)):
        if folder not in sys.path:
            sys.path.insert(0, folder)


def _save(out: Path, part: str, findings: Sequence[Finding], about: dict[str, Any]) -> None:
    summaries = [
        {key: value for key, value in msgspec.to_builtins(one).items() if key != "samples"}
        for one in findings
    ]
    write_json(out / f"{part}.json", {"findings": summaries, **about})
    samples = {one.what: one.samples for one in findings if one.samples}
    if samples:
        packed = gzip.compress(msgspec.json.encode(samples), mtime=0)
        (out / f"{part}.samples.json.gz").write_bytes(packed)


def measure(part: str, plan: Plan, out: Path | None) -> bool:
    """Measure one part, print a line for each figure; whether all are as asked for."""
    probes = [take_probe("before")]
    findings = []
    for finding in PARTS[part](plan):
        findings.append(finding)
        probes.append(take_probe("during"))
        met = "met" if finding.met else "NOT MET"
        print(f"{met}: {finding.what}: {finding.figure} (asked: {finding.target})", flush=True)
        if finding.more:
            print(f"     {finding.more}", flush=True)
    noise = measure_noise([*probes, take_probe("after")])
    if out is not None:
        about = {"scale": plan.scale, "noise": noise.text if noise else ""}
        _save(out, part, findings, about)
    return all(finding.met for finding in findings)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write to ``--out``; 1 when a figure is not as asked for."""
    parser = argparse.ArgumentParser(description="whether limits hold and faults cost nothing")
    parser.add_argument("--only", action="append", choices=list(PARTS), metavar="PART")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--patience", type=int, default=20)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    _find_faulty()
    plan = Plan(chosen.scale, chosen.patience, chosen.slots)
    met = [measure(part, plan, chosen.out) for part in chosen.only or PARTS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
