"""A finding as a script in the native words of the solver at fault, which imports no Concord.

It prints the right and the wrong answer, and ends with status 1 while the fault is there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.hunting.delta_debugging import minimise
from harness.hunting.findings import FORKED, Finding
from harness.hunting.judging.truth import Truth, find_truth
from harness.hunting.scripts.apart import write_apart, write_native
from harness.hunting.scripts.recording import fold, rename, tidy
from harness.hunting.scripts.task import Task

MOST_LISTED = 24
"""A script lists the right solutions up to this number."""

RUN_SECONDS = 60.0
HANG_SECONDS = 20

MOST_RUNS, FEW_RUNS = 20, 4
"""How many times a script runs itself where the solver is wrong now and then; and while settings
are left out one after the other."""

RIGHT = "right:"
"""The beginning of what a script prints."""

SETTING = r"solver\.(parameters\.(?!enumerate_all)|set\()"
"""The beginning of a line that sets a parameter of the solver: what is right does not change."""


def write_script(finding: Finding, name: str = "") -> str:
    """The script, whose head has the ``name`` of the library.

    Raises Unsupported where there is none for the solver, or its arguments cannot be written.
    """
    task = Task(finding)
    native = write_apart(finding) if finding.fault in FORKED else write_native(task)
    used = {word for line in native.search for word in re.findall(r"[a-z]\w*", line)}
    whole = [*fold(tidy(native.build, {*native.names, *used})), *native.search]
    short = rename(whole, dict(zip(native.names, task.names, strict=False)))
    if task.best:
        short.append(task.best)
    head = f'"""{name or task.head} {finding.version}: {finding.fault}."""'
    is_watched = finding.fault in FORKED or finding.tries > 1
    first = _write_watch(finding) if is_watched else ["import sys"]
    body = ["", *first, "", *native.imports, "", *short, *_write_end(task)]
    return "\n".join([head, *body]) + "\n"


def _write_watch(finding: Finding) -> list[str]:
    """The script runs itself, and looks at how that ends."""
    run = 'subprocess.run([sys.executable, __file__, "run"]'
    first = ["import subprocess, sys", "", 'if sys.argv[1:] != ["run"]:']
    if finding.fault == "hang":
        return [
            *first,
            "    try:",
            f"        {run}, timeout={HANG_SECONDS})",
            "    except subprocess.TimeoutExpired:",
            '        sys.exit("it does not end")',
            "    sys.exit(0)",
        ]
    if finding.fault not in FORKED:
        return [
            *first,
            f"    runs = ({run}) {_repeat(MOST_RUNS)}",
            "    sys.exit(any(run.returncode == 1 for run in runs))",
        ]
    is_wrong = "!= 0" if finding.claimed.outcome == "error" else "not in (0, 1)"
    return [*first, f"    sys.exit({run}).returncode {is_wrong})"]


def _write_end(task: Task) -> list[str]:
    """Right and wrong answer, and the exit status."""
    finding = task.finding
    if finding.fault in FORKED:
        return []
    if finding.question.optimum:
        return [
            f'print("{RIGHT}", {finding.right.objective}, "found:", best)',
            f"sys.exit(best != {finding.right.objective})",
        ]
    truth = find_truth(task.problem)
    if not truth.is_complete or len(truth.solutions) > MOST_LISTED:
        return [
            f'print("{RIGHT}", {finding.right.count}, "found:", len(found), len(set(found)))',
            f"sys.exit({finding.right.count} != len(found) or len(set(found)) < len(found))",
        ]
    wrong = "sorted(found) != right"
    if task.is_single:
        wrong = "not found or found[0] not in right" if truth.solutions else "found"
    return [
        f"right = {_list_right(truth)}",
        f'print("{RIGHT}", right, "found:", sorted(found))',
        f"sys.exit(bool({wrong}))",
    ]


def _list_right(truth: Truth) -> str:
    return repr(sorted(truth.solutions))


def count_lines(script: str) -> int:
    """Lines of code: without blank ones and the head."""
    return sum(1 for line in script.splitlines()[1:] if line.strip())


def shows_fault(finding: Finding, script: str, python: str = "") -> tuple[bool, str]:
    """Whether a script shows the fault, and what it prints: an error of the script does not."""
    status, said = run_script(script, python)
    return status == 1 and (finding.fault in FORKED or f"\n{RIGHT}" in f"\n{said}"), said


def drop_settings(finding: Finding, script: str, python: str = "") -> str:
    """The script without the settings of the solver that the fault does not need."""
    lines = script.replace(_repeat(MOST_RUNS), _repeat(FEW_RUNS)).splitlines()
    settings = [k for k, line in enumerate(lines) if re.match(SETTING, line)]

    def shows(kept: list[int]) -> bool:
        return shows_fault(finding, _without(lines, {*settings} - {*kept}), python)[0]

    kept = _without(lines, {*settings} - {*minimise(settings, shows)})
    return kept.replace(_repeat(FEW_RUNS), _repeat(MOST_RUNS))


def _repeat(runs: int) -> str:
    return f"for _ in range({runs}))"


def _without(lines: list[str], gone: set[int]) -> str:
    return "\n".join(line for k, line in enumerate(lines) if k not in gone) + "\n"


def run_script(script: str, python: str = "", seconds: float = RUN_SECONDS) -> tuple[int, str]:
    """The exit status of a script in an empty folder, and what it prints.

    ``python`` is the interpreter, by default this one.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bug.py"
        path.write_text(script, encoding="utf-8")
        done = subprocess.run(
            [python or sys.executable, "-I", str(path)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr
