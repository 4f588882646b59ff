"""The folder of a small finding gets what its author sends: a script, and the text of an issue."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from backends.interface import registry
from backends.interface.api import family_of
from backends.interface.shipped import SHIPPED
from harness.environments.making import find
from harness.environments.recipe import interpreter_path, recipe_for
from harness.hunting.findings import Finding
from harness.hunting.issue import write_issue
from harness.hunting.scripts import count_lines, drop_settings, shows_fault, write_script
from modelling.errors import ConcordError, InputError

SCRIPT, ISSUE, PROBLEM = "bug.py", "issue.md", "problem.txt"


@dataclass(frozen=True)
class Reported:
    """What was written: ``lines`` of the script, 0 without one, and whether it ``shows`` the fault.

    ``why`` says why there is no script, or that it does not show the fault.
    """

    lines: int = 0
    shows: bool = False
    why: str = ""


def report(finding: Finding, folder: Path) -> Reported:
    """Write the script, as far as there is one, the issue, and the problem in a file of its own."""
    name, version = _name_library(finding.backend), finding.version
    script, said, done = "", "", Reported()
    try:
        script, said, done = _make_script(finding)
    except (ConcordError, subprocess.TimeoutExpired) as error:
        done = Reported(why=str(error))
    files = {PROBLEM: f"{finding.text}\n", ISSUE: write_issue(finding, name, version, script, said)}
    if script:
        files[SCRIPT] = script
    try:
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: the report cannot be written: {error.strerror}") from error
    return done


def _make_script(finding: Finding) -> tuple[str, str, Reported]:
    script = write_script(finding, _name_library(finding.backend))
    python = _find_python(finding.backend)
    shows, _ = shows_fault(finding, script, python)
    if not shows:
        why = "the script does not show it: the backend calls the library in another way"
        return "", "", Reported(why=why)
    script = drop_settings(finding, script, python)
    shows, said = shows_fault(finding, script, python)
    return script, said, Reported(count_lines(script), shows)


def _find_python(backend: str) -> str:
    """The interpreter that has the release which the name asks for; empty for this one."""
    recipe = recipe_for(registry.without_label(backend))
    environment = None if recipe is None else find(recipe)
    return "" if environment is None else str(interpreter_path(environment.recipe.folder))


def _name_library(backend: str) -> str:
    """What is installed for a backend, or its name."""
    head = registry.split(backend)[0]
    if head == "py":
        head = family_of(registry.get(backend))
    return next((e.distribution for e in SHIPPED if e.name == head and e.distribution), head)
