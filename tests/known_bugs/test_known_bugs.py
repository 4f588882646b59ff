"""Findings in docs/disagreements/: a fault of a released library, as `concord shrink` has left it.

Its script is written and run anew. A release after that of the finding may have repaired the
fault: then it is a plain test, and what passes can be removed.
"""

from pathlib import Path

import pytest

from backends.interface.registry import numbers_of, split
from backends.interface.shipped import SHIPPED
from harness.hunting.findings import Finding
from harness.hunting.scripts import count_lines, shows_fault, write_script
from modelling.versions import find_version

pytestmark = pytest.mark.once  # each script is run

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent for path in ROOT.glob("docs/disagreements/*/finding.json"))


def find_installed(folder):
    """The version of the library of a finding."""
    head, _, _ = split(Finding.read(folder).backend)
    entry = next(entry for entry in SHIPPED if entry.name == head)
    return find_version(entry.distribution)


def mark(folder):
    """A strict expected failure up to the release of the finding; skipped without the library."""
    installed, known = find_installed(folder), Finding.read(folder).version
    if not installed:
        return [pytest.mark.skip(reason="the library is not installed")]
    is_known = numbers_of(installed) <= numbers_of(known)
    return [pytest.mark.xfail(strict=True, reason=f"{known} is wrong")] if is_known else []


@pytest.mark.parametrize(
    "folder", [pytest.param(one, id=one.name, marks=mark(one)) for one in FOLDERS]
)
def test_known_bug(folder):
    finding = Finding.read(folder)
    is_there, said = shows_fault(finding, write_script(finding))
    assert not is_there, said


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_known_bug_is_short_and_runs_alone(folder):
    if not find_installed(folder):
        pytest.skip("the library is not installed")
    finding = Finding.read(folder)
    script = write_script(finding)
    assert "concord" not in script
    assert "backends" not in script
    structure = finding.problem.structure
    assert (structure.size <= 4, len(structure.constraints) <= 3) == (True, True)
    assert count_lines(script) <= 20


def test_there_are_known_bugs():
    assert FOLDERS
