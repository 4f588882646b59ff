"""The folder of a small finding gets what its author sends: a script, and the text of an issue."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from backends.interface import registry
from backends.interface.api import family_of
from backends.interface.shipped import SHIPPED
from harness.environments.making import find
from harness.environments.recipe import interpreter_path, recipe_for
from harness.hunting.findings import Finding
from harness.hunting.issue import describe_program, describe_script, write_issue
from harness.hunting.program_files import STEM, record_program
from harness.hunting.scripts import (
    MOST_RUNS,
    count_lines,
    drop_settings,
    shows_fault,
    write_script,
)
from modelling.errors import ConcordError, InputError

SCRIPT, ISSUE, PROBLEM = "bug.py", "issue.md", "problem.txt"


@dataclass(frozen=True)
class Reported:
    """What was written: ``lines`` of the script, 0 without one, ``files`` by their names, and what
    the issue says of them. ``why`` says why a script is missing."""

    lines: int = 0
    files: Mapping[str, bytes] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    why: str = ""


def report(finding: Finding, folder: Path) -> Reported:
    """Write the script, or the file that a program reads, as far as there is one; the issue; and
    the problem in a file of its own. Raises InputError where the folder cannot be written."""
    name = name_library(finding.backend)
    try:
        done = _make_script(finding, name)
    except (ConcordError, subprocess.TimeoutExpired) as error:
        done = _record(finding, str(error))
    issue = write_issue(finding, name, finding.version, done.evidence)
    files = {PROBLEM: f"{finding.text}\n".encode(), ISSUE: issue.encode(), **done.files}
    try:
        for old in folder.glob(f"{STEM}.*"):
            old.unlink()
        for file, data in files.items():
            (folder / file).write_bytes(data)
    except OSError as error:
        raise InputError(f"{folder}: the report cannot be written: {error.strerror}") from error
    return done


def _make_script(finding: Finding, name: str) -> Reported:
    script = write_script(finding, name)
    python = _find_python(finding.backend)
    if not shows_fault(finding, script, python)[0]:
        finding = replace(finding, tries=MOST_RUNS)  # the solver may be wrong now and then
        script = write_script(finding, name)
        if not shows_fault(finding, script, python)[0]:
            return Reported(why="the backend calls the library in another way than the script")
    script = drop_settings(finding, script, python)
    _, said = shows_fault(finding, script, python)
    evidence = tuple(describe_script(finding, script, said))
    return Reported(count_lines(script), {SCRIPT: script.encode()}, evidence)


def _record(finding: Finding, why: str) -> Reported:
    """The file of a program, where the solver is one."""
    try:
        call = record_program(finding)
    except Exception:  # a backend of anybody's may raise anything; the report is written without
        return Reported(why=why)
    with tempfile.TemporaryDirectory() as folder:
        call.write(Path(folder))
        said = call.run(Path(folder))
    evidence = tuple(describe_program(call.command, call.files, said))
    return Reported(files=call.files, evidence=evidence, why=why)


def _find_python(backend: str) -> str:
    """The interpreter that has the release which the name asks for; empty for this one."""
    recipe = recipe_for(registry.without_label(backend))
    environment = None if recipe is None else find(recipe)
    return "" if environment is None else str(interpreter_path(environment.recipe.folder))


def name_library(backend: str) -> str:
    """What is installed for a backend, or its name."""
    head = registry.split(backend)[0]
    if head == "py":
        head = family_of(registry.get(backend))
    return next((e.distribution for e in SHIPPED if e.name == head and e.distribution), head)
