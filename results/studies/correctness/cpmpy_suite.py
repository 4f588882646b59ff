"""Do CPMpy's own tests pass when its solver is a backend of Concord's?

    python -m results.studies.correctness.cpmpy_suite CHECKOUT [--backend NAME]...
                                        [--files FILE]... [--seconds 120] [--out FOLDER]

CHECKOUT is a clone of github.com/CPMpy/cpmpy, whose tests are run with its own ``cpmpy``, outside
of this project; only numbers and names of tests are kept. The tests are those that CPMpy runs for a
named solver, each for at most ``--seconds``. A row for each file and backend:
passed, skipped, failed; then the failed ones, and reasons of skips. Exit status 1 if any failed.
``cpmpy_suite.md`` and ``cpmpy_suite.json`` in ``--out`` are the table; what ``--backend`` leaves
out keeps its rows in them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec

from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, argument, option

FILES = (
    *("test_constraints.py", "test_globalconstraints.py", "test_solveAll.py"),
    *("test_solverinterface.py", "test_solvers.py", "test_solvers_solhint.py"),
    "test_trans_linearize.py",
)
BACKENDS = ("propagation", "cpsat", "sat")
PREFIX = "concord_"
"""CPMpy's tests take names without a colon."""


class Row(msgspec.Struct):
    """The result of one backend on one file of tests, each of at most ``seconds``."""

    backend: str
    file: str
    seconds: int
    passed: int = 0
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    failed: dict[str, str] = msgspec.field(default_factory=dict)
    cpmpy: str = ""


# --- within pytest -------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Keep the tests that have a solver as their parameter."""
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


def version_of(checkout: Path) -> str:
    """The version of a checkout, and its commit."""
    text = (checkout / "cpmpy" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "(.*)"', text)
    command = ["git", "-C", str(checkout), "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return f"{found[1] if found else ''}, commit {commit or 'unknown'}"


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each backend and file."""
    checkout = chosen.checkout.resolve()
    for backend in chosen.backend or BACKENDS:
        for file in chosen.files or FILES:
            if (backend, file) not in known:
                row = run_tests(checkout, backend, file, chosen.seconds)
                row.cpmpy = version_of(checkout)
                yield row


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The table, what failed, and why tests were skipped."""
    table = (
        f"{row.backend} | {row.file} | {row.seconds} | {row.passed:,} | "
        f"{sum(row.skipped.values())} | {len(row.failed)}"
        for row in rows
    )
    failed = [(row, name, why) for row in rows for name, why in row.failed.items()]
    skips: Counter[tuple[str, str]] = Counter()
    for row in rows:
        skips.update({(row.backend, why): number for why, number in row.skipped.items()})
    return join_page(
        "# CPMpy's own tests, with Concord's backends as its solver",
        f"CPMpy {'; '.join(dict.fromkeys(row.cpmpy for row in rows))}: its tests and its code.",
        list_table(
            "backend | file | seconds a test, at most: | passed: | skipped: | failed:", table
        ),
        "## What failed" if failed else "",
        [f"- {row.backend}, `{row.file}`, `{name}`: {why}" for row, name, why in failed],
        "## Why tests were skipped" if skips else "",
        [f"- {backend}: {number} times: {why}" for (backend, why), number in skips.items()],
    )


STUDY = Study(
    "correctness.cpmpy_suite",
    __doc__,
    Row,
    key=lambda row: (row.backend, row.file),
    measure=measure,
    report=report,
    describe=lambda row: f"{row.backend} {row.file}: {row.passed} passed, {len(row.failed)} failed",
    faults=lambda rows: [
        f"{row.backend}, {row.file}, {name}" for row in rows for name in row.failed
    ],
    place="cpmpy",
    keeps=True,
    options=(
        argument("checkout", "a clone of CPMpy"),
        option("--backend", []),
        option("--files", []),
        option("--seconds", 120, "of a test"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
