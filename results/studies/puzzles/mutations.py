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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from harness.machine import this_machine
from modelling.errors import InputError, PuzzleError
from puzzles import sets
from puzzles.family import Instance
from puzzles.sudoku.entries import entries
from puzzles.sudoku.formats import FORMATS, Entry, Format
from puzzles.sudoku.formats.entry import fault
from results.studies.puzzles.mutants import mutant

SEED = 4
MOST_MB = 200
ADDRESS_SPACE = 1 << 30
"""A guard only: address space is more than memory. What counts is the peak that is measured."""

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
            if not isinstance(found, PuzzleError):
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


def _entries(form: Format, path: Path) -> Iterator[Entry | PuzzleError]:
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


def _instances(path: Path) -> Iterator[Instance | PuzzleError]:
    """Every instance or error, as all verbs read them."""
    for found in sets.batches(str(path), "sudoku", 100):
        if isinstance(found, Instance | PuzzleError):
            yield found
        else:
            yield from map(found.entry, range(len(found)))


def has_place(error: PuzzleError, path: Path, lines: int) -> bool:
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


def run_child(
    numbers: Iterable[int],
    path: Path,
    seconds: float,
    make: Callable[[int], bytes],
    judge: Callable[[Path], str],
    most_bytes: int = ADDRESS_SPACE,
) -> None:
    """Read mutants and print for each its outcome, time, and the peak so far."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    for k in numbers:
        path.write_bytes(make(k))
        faulthandler.dump_traceback_later(PATIENCE * seconds, exit=True)
        began = process_time()
        told = judge(path)
        taken = process_time() - began
        faulthandler.cancel_dump_traceback_later()
        peak = _peak_mb()
        print(json.dumps([k, told, round(taken, 4), round(peak, 1)]), flush=True)


def _results(
    name: str, first: int, number: int, seconds: float, module: str
) -> Iterator[tuple[int, str, float, float]]:
    """Number, outcome, seconds and peak (MB) of each mutant; a child that ended is replaced."""
    with tempfile.TemporaryDirectory() as folder:
        while first < number:
            options = ["--child", folder, "--first", str(first), "--seconds", str(seconds)]
            words = ["--format", name, "--number", str(number), *options]
            with subprocess.Popen(
                [sys.executable, "-m", module, *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ) as child:
                assert child.stdout is not None
                assert child.stderr is not None
                for line in child.stdout:
                    k, told, taken, peak = json.loads(line)
                    yield k, told, taken, peak
                    first = k + 1
                last = child.stderr.read()
            if child.returncode:
                kind = "hang" if "Timeout" in last else "ended"
                yield first, f"{kind}: status {child.returncode}: {last[-500:]}", seconds, 0.0
                first += 1


# --- the measurement -----------------------------------------------------------------------------


def measured(
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
    for k, told, taken, now in _results(name, first, number, seconds, module):
        kind = told.partition(":")[0]
        if kind in FINE and taken > seconds:
            kind, told = "hang", f"hang: {taken} s"
        if kind in FINE and now > most_mb and before <= most_mb:
            kind, told = "memory", f"memory: {now} MB"
        outcomes[kind] += 1
        if kind not in FINE:
            failures.append({"mutant": k, "outcome": told})
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write to ``--out``; 1 if there is a failure."""
    parser = argparse.ArgumentParser(description="what becomes of damaged files")
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--format", action="append", choices=tuple(FORMATS))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    names = chosen.format or list(FORMATS)
    if chosen.child is not None:
        form = FORMATS[names[0]]
        numbers = range(chosen.first, chosen.number)
        path = chosen.child / f"mutant{form.endings[0]}"
        run_child(
            numbers, path, chosen.seconds, partial(mutant, form, SEED), partial(outcome, form)
        )
        return 0
    rows = []
    for name in names:
        rows.append(measured(name, chosen.number, chosen.seconds))
        print(table(rows[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    print(table(rows))
    failed = [failure for row in rows for failure in row["failures"]]
    for failure in failed[:20]:
        print(failure, file=sys.stderr)
    if chosen.out is not None:
        figures = {
            "seed": SEED,
            "seconds_a_file": chosen.seconds,
            "limit_mb": MOST_MB,
            "formats": rows,
            "machine": msgspec.to_builtins(this_machine()),
        }
        chosen.out.mkdir(parents=True, exist_ok=True)
        encoded = msgspec.json.format(msgspec.json.encode(figures), indent=2)
        (chosen.out / "mutations.json").write_bytes(encoded + b"\n")
        (chosen.out / "mutations.md").write_text(page(rows, chosen.seconds), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
