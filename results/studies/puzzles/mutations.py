"""What becomes of 10,000 damaged files of each Sudoku format.

    python -m results.studies.puzzles.mutations [--number N] [--format NAME]... [--out DIR]

Each mutant (``mutants``) is written to a file and read three times: as the format that it was, as
what the file seems to be, and as instances, as every verb reads it. Each entry is checked by the
rules of Sudoku and written again in its format and as JSON lines. A file must end in puzzles, or in
errors with ``file:line:column`` in front; anything else is a failure:

traceback   another exception than the project's own
placeless   an error without a place, or with one that the file does not have
silent      neither a puzzle nor an error
hang        more CPU time than ``--seconds`` (10), wherever it is spent: after ``PATIENCE`` times
            as long by the clock the process is ended
memory      the process grows above ``MOST_MB``
ended       the process ended for another reason

The reading is done by a child for each format, whose address space is limited, so that memory
cannot run away; a thread of its own watches the time.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

from modelling.errors import InputError, InstanceError
from puzzles import sets
from puzzles.family import Instance
from puzzles.sudoku.entries import entries
from puzzles.sudoku.formats import FORMATS, Entry, Format
from puzzles.sudoku.formats.entry import fault
from results.studies.puzzles.mutants import mutant
from results.studies.runner import Known, Options, Study, option

SEED = 4
MOST_MB = 200
ADDRESS_SPACE = 1 << 30
"""A guard only: address space is more than memory. What counts is the measured peak."""

PATIENCE = 6
"""The machine may be shared with other work."""

FINE = ("puzzles", "puzzles and errors", "errors")
_PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)


def outcome(form: Format, path: Path) -> str:
    """What becomes of one file: one of ``FINE``, or a failure and what it was."""
    data = path.read_bytes()
    lines = data.count(b"\n") + data.count(b"\r") + 2
    puzzles = errors = 0
    try:
        for found in chain(_entries(form, path), _instances(path)):
            if not isinstance(found, InstanceError):
                puzzles += 1
                continue
            errors += 1
            if not has_place(found, path, lines):
                return f"placeless: {found}"
    except InputError as error:  # the file as a whole is refused, by its name
        return "errors" if str(path) in str(error) else f"placeless: {error}"
    except Exception as error:  # what is being looked for
        return f"traceback: {type(error).__name__}: {error}"
    if not errors and not puzzles:
        return "silent"
    return " and ".join(["puzzles"] * (puzzles > 0) + ["errors"] * (errors > 0))


def _entries(form: Format, path: Path) -> Iterator[Entry | InstanceError]:
    """Every entry, checked and written again, or the error, in two ways of reading."""
    targets = {form, FORMATS["jsonl"]}
    for found in chain(entries(str(path), form), entries(str(path))):
        wrong = fault(found, str(path)) if isinstance(found, Entry) else found
        if wrong is None:
            assert isinstance(found, Entry)
            for target in targets:
                target.lost(found)
                if not target.refusal(found.layout):
                    "".join(target.write([found])).encode("utf-8")
        yield wrong or found


def _instances(path: Path) -> Iterator[Instance | InstanceError]:
    """Every instance or error, as all verbs read them."""
    for found in sets.batches(str(path), "sudoku", 100):
        if isinstance(found, Instance | InstanceError):
            yield found
        else:
            yield from map(found.entry, range(len(found)))


def has_place(error: InstanceError, path: Path, lines: int) -> bool:
    """Whether it says where, and the file has such a line."""
    found = _PLACE.fullmatch(error.place)
    known = found is not None and found[1] == str(path)
    return known and found is not None and 1 <= int(found[2]) <= lines and int(found[3]) >= 1


# --- the child -----------------------------------------------------------------------------------


def _peak_mb() -> float:
    """The most memory that this process has held; what getrusage tells may be its launcher's."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise InputError("the peak of memory is read from /proc/self/status, which is not here")


def parse_child(words: Sequence[str] | None) -> argparse.Namespace | None:
    """What a process of ``_results`` is to read; None in any other process."""
    words = sys.argv[1:] if words is None else words
    if words[:1] != ["--child"]:
        return None
    parser = argparse.ArgumentParser()
    parser.add_argument("--child", type=Path)
    parser.add_argument("--format")
    parser.add_argument("--first", type=int)
    parser.add_argument("--number", type=int)
    parser.add_argument("--seconds", type=float)
    return parser.parse_args(words)


def run_child(
    child: argparse.Namespace,
    ending: str,
    make: Callable[[int], bytes],
    judge: Callable[[Path], str],
    most_bytes: int = ADDRESS_SPACE,
) -> None:
    """Read mutants and print for each its outcome, time, and the peak so far."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    path = child.child / f"mutant{ending}"
    for k in range(child.first, child.number):
        path.write_bytes(make(k))
        faulthandler.dump_traceback_later(PATIENCE * child.seconds, exit=True)
        began = process_time()
        kind = judge(path)
        taken = process_time() - began
        faulthandler.cancel_dump_traceback_later()
        peak = _peak_mb()
        print(json.dumps([k, kind, round(taken, 4), round(peak, 1)]), flush=True)


def _results(
    name: str, first: int, number: int, seconds: float, module: str
) -> Iterator[tuple[int, str, float, float]]:
    """Number, outcome, seconds and peak (MB) of each mutant; a child that ended is replaced."""
    with tempfile.TemporaryDirectory() as folder:
        while first < number:
            words = ["--child", folder, "--format", name, "--first", str(first)]
            words += ["--number", str(number), "--seconds", str(seconds)]
            with subprocess.Popen(
                [sys.executable, "-m", module, *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ) as child:
                assert child.stdout is not None
                assert child.stderr is not None
                for line in child.stdout:
                    k, end, taken, peak = json.loads(line)
                    yield k, end, taken, peak
                    first = k + 1
                last = child.stderr.read()
            if child.returncode:
                kind = "hang" if "Timeout" in last else "ended"
                yield first, f"{kind}: status {child.returncode}: {last[-500:]}", seconds, 0.0
                first += 1


# --- the measurement -----------------------------------------------------------------------------


def measure_mutants(
    name: str,
    number: int,
    seconds: float,
    *,
    first: int = 0,
    module: str = __spec__.name,
    most_mb: int = MOST_MB,
) -> dict[str, Any]:
    """Outcomes, failures, the peak of memory and the slowest file of one format.

    ``module`` is the study whose children read the mutants from ``first`` up to ``number``.
    """
    outcomes: Counter[str] = Counter()
    failures: list[dict[str, Any]] = []
    slowest, peak, before = (0.0, -1), 0.0, 0.0
    for k, end, taken, now in _results(name, first, number, seconds, module):
        kind = end.partition(":")[0]
        if kind in FINE and taken > seconds:
            kind, end = "hang", f"hang: {taken} s"
        if kind in FINE and now > most_mb and before <= most_mb:
            kind, end = "memory", f"memory: {now} MB"
        outcomes[kind] += 1
        if kind not in FINE:
            failures.append({"mutant": k, "outcome": end})
        slowest = max(slowest, (taken, k))
        peak, before = max(peak, now), now
    return {
        "format": name,
        "files": sum(outcomes.values()),
        "outcomes": dict(sorted(outcomes.items())),
        "failures": failures,
        "peak_mb": peak,
        "slowest_s": slowest[0],
        "slowest_mutant": slowest[1],
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    head = "| format | files | " + " | ".join(FINE) + " | failures | peak MB | slowest s |"
    lines = [head, "|---" * (len(FINE) + 5) + "|"]
    for row in rows:
        counts = " | ".join(str(row["outcomes"].get(kind, 0)) for kind in FINE)
        lines.append(
            f"| {row['format']} | {row['files']} | {counts} | {len(row['failures'])} "
            f"| {row['peak_mb']:.0f} | {row['slowest_s']:.2f} |"
        )
    return "\n".join(lines)


def page(rows: Sequence[dict[str, Any]], seconds: float) -> str:
    """The table with what it means, as Markdown."""
    return f"""# Damaged files of every format

Written by `python -m results.studies.puzzles.mutations` (seed {SEED}). Every file ends in puzzles,
in errors with `file:line:column`, or in both; a failure would be a traceback, an error without a
place, silence, more than {seconds:g} s of CPU time for a file, or more than {MOST_MB} MB. Peak
memory is that of the process that read all files of the format one after the other, interpreter
included.

{table(rows)}
"""


def measure(chosen: Options, known: Known) -> Iterator[dict[str, Any]]:
    """A row for each format."""
    for name in chosen.format or FORMATS:
        if name not in known:
            yield measure_mutants(name, chosen.number, chosen.seconds)


STUDY = Study(
    "puzzles.mutations",
    __doc__,
    dict[str, Any],
    key=lambda row: row["format"],
    measure=measure,
    report=lambda rows, chosen: page(rows, chosen.seconds),
    describe=lambda row: table([row]).splitlines()[-1],
    faults=lambda rows: [str(one) for row in rows for one in row["failures"]][:20],
    options=(
        option("--number", 10_000, "mutants of each format"),
        option("--format", [], "this one alone", choices=tuple(FORMATS)),
        option("--seconds", 10.0, "of CPU time for a file at most"),
    ),
)


def main(words: Sequence[str] | None = None) -> int:
    """Measure, or, in a process of its own, read the damaged files of a format."""
    child = parse_child(words)
    if child is None:
        return STUDY.main(words)
    form = FORMATS[child.format]
    run_child(child, form.endings[0], partial(mutant, form, SEED), partial(outcome, form))
    return 0


if __name__ == "__main__":
    sys.exit(main())
