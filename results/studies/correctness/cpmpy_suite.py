"""Do CPMpy's own tests pass when its solver is a backend of Concord's?

    python -m results.studies.correctness.cpmpy_suite CHECKOUT [--backend NAME]...
                                        [--files FILE]... [--seconds 120] [--out FOLDER]

CHECKOUT is a clone of github.com/CPMpy/cpmpy, whose tests are run with its own ``cpmpy``, outside
of this project; nothing of it is kept but numbers and names of tests. Those tests are run that
CPMpy runs for a solver that is named, each at most ``--seconds``. A row for each file and backend:
passed, skipped, failed; then what failed, and why tests were skipped. Exit status 1 if any failed.
``cpmpy_suite.md`` and ``cpmpy_suite.json`` in ``--out`` are the table; what ``--backend`` leaves
out keeps its rows in them, as long as they are of the same checkout.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec

from results.studies.runner import write_json, write_text

FILES = (
    *("test_constraints.py", "test_globalconstraints.py", "test_solveAll.py"),
    *("test_solverinterface.py", "test_solvers.py", "test_solvers_solhint.py"),
    "test_trans_linearize.py",
)
BACKENDS = ("propagation", "cpsat", "sat")
PREFIX = "concord_"
"""CPMpy's tests take names without a colon."""


class Row(msgspec.Struct):
    """What came out for one backend and one file of tests, each of at most so many seconds."""

    backend: str
    file: str
    seconds: int
    passed: int = 0
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    failed: dict[str, str] = msgspec.field(default_factory=dict)


class Study(msgspec.Struct):
    """All rows, and of which CPMpy they are."""

    version: str
    commit: str
    rows: list[Row]


# --- within pytest -------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Of all tests those that are run for the solver that is named."""
    items[:] = [item for item in items if "solver" in item.fixturenames]


def pytest_load_initial_conftests(args: list[str]) -> None:
    """Register the backend before the tests ask which solvers there are."""
    from backends.cpmpy_solver import ConcordSolver, register

    (name,) = [arg.partition(f"={PREFIX}")[2] for arg in args if arg.startswith("--solver=")]
    register(PREFIX + name, type("NamedSolver", (ConcordSolver,), {"default": name}))


# --- outside -------------------------------------------------------------------------------------


def run_tests(checkout: Path, backend: str, file: str, seconds: int) -> Row:
    """One file of tests with one backend."""
    root = Path(__file__).resolve().parents[3]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            f"tests/{file}",
            f"--solver={PREFIX}{backend}",
        ]
        command += ["-p", "results.studies.correctness.cpmpy_suite", "-p", "no:cacheprovider"]
        command += [f"--timeout={seconds}", f"--junitxml={report}"]
        path = os.pathsep.join((str(checkout), str(root)))
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=checkout, env=environment, capture_output=True, text=True
        )
        if not report.exists():
            raise SystemExit(f"{file} could not be run with {backend}: {done.stdout[-2000:]}")
        return read_report(ElementTree.parse(report).getroot(), Row(backend, file, seconds))


def read_report(report: ElementTree.Element, row: Row) -> Row:
    """The figures of pytest's report, without any text of tests."""
    skipped = Counter[str]()
    for case in report.iter("testcase"):
        fault = next((part for part in case if part.tag in ("failure", "error")), None)
        skip = case.find("skipped")
        if fault is not None:
            row.failed[case.get("name", "")] = shorten(fault.get("message", ""))
        elif skip is not None:
            skipped[shorten(skip.get("message", ""))] += 1
        else:
            row.passed += 1
    row.skipped = dict(sorted(skipped.items()))
    return row


def shorten(message: str) -> str:
    """One line without addresses of objects."""
    return re.sub(r" object at 0x[0-9a-f]+", "", " ".join(message.split()))[:160]


def version_of(checkout: Path) -> tuple[str, str]:
    """What the checkout calls itself, and its commit."""
    text = (checkout / "cpmpy" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "(.*)"', text)
    command = ["git", "-C", str(checkout), "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return found[1] if found else "", commit


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--backend", action="append")
    parser.add_argument("--files", action="append")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args(arguments)
    checkout = asked.checkout.resolve()
    study = Study(*version_of(checkout), [])
    kept = asked.out / "cpmpy_suite.json" if asked.out else None
    if kept is not None and kept.exists():
        before = msgspec.json.decode(kept.read_bytes(), type=Study)
        if (before.version, before.commit) == (study.version, study.commit):
            study.rows = before.rows
    for backend in asked.backend or BACKENDS:
        for file in asked.files or FILES:
            row = run_tests(checkout, backend, file, asked.seconds)
            same = [(other.backend, other.file) == (backend, file) for other in study.rows]
            study.rows = [r for r, old in zip(study.rows, same, strict=True) if not old]
            study.rows.append(row)
            print(f"{backend} {file}: {row.passed} passed, {len(row.failed)} failed", flush=True)
            if kept is not None:
                write_json(kept, msgspec.structs.asdict(study), indent=1)
                write_text(kept.with_suffix(".md"), report(study))
    print(report(study))
    return int(any(row.failed for row in study.rows))


def report(study: Study) -> str:
    """The table, what failed, and why tests were skipped."""
    lines = [
        "# CPMpy's own tests, with Concord's backends as its solver",
        "",
        f"CPMpy {study.version}, commit {study.commit or 'unknown'}: its tests and its code.",
        "",
        "| backend | file | seconds a test, at most | passed | skipped | failed |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in study.rows:
        skipped = sum(row.skipped.values())
        lines.append(
            f"| {row.backend} | {row.file} | {row.seconds} | {row.passed:,} | {skipped} "
            f"| {len(row.failed)} |"
        )
    failed = [(row, name, why) for row in study.rows for name, why in row.failed.items()]
    if failed:
        lines += ["", "## What failed", ""]
        lines += [f"- {row.backend}, `{row.file}`, `{name}`: {why}" for row, name, why in failed]
    skips: Counter[tuple[str, str]] = Counter()
    for row in study.rows:
        skips.update({(row.backend, why): number for why, number in row.skipped.items()})
    if skips:
        lines += ["", "## Why tests were skipped", ""]
        lines += [f"- {backend}: {number} times: {why}" for (backend, why), number in skips.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
