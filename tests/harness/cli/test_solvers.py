"""`concord backends`: a table that fits a screen, details by name, and extras that agree.

The extras are read here from ``pyproject.toml``, which an installed Concord's metadata is made of.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backends.interface import registry
from backends.interface.shipped import SHIPPED
from harness.cli.verbs import app, solvers

ROOT = Path(__file__).parents[3]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
OWN = {
    entry.name: found[1]
    for entry in SHIPPED
    if (found := re.search(r"solver-concord\[([\w-]+)\]", entry.install))
}
"""The extra of each backend that has one, by its hint on what to install."""

COPYLEFT = {"exact"}
"""Extras whose solvers' licences ask more of who has them: in no group, nor in ``all``."""

REQUIREMENTS = [
    f'{required}; extra == "{extra}"' for extra, needed in EXTRAS.items() for required in needed
]
BROUGHT = solvers.read_extras(REQUIREMENTS)
GROUPS = {extra for extra, brought in BROUGHT.items() if solvers.is_group(extra, brought)}


def shown(*words: str) -> str:
    done = CliRunner().invoke(app, ["backends", *words], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    return done.stdout


# --- extras ---------------------------------------------------------------------------------------


def test_each_backend_that_is_installed_on_request_has_its_extra() -> None:
    for name, extra in OWN.items():
        assert name in BROUGHT[extra], name
        assert name in BROUGHT["dev"] or extra == "compiled", name  # CI has numba by `all`


def test_all_brings_every_backend_but_those_of_strict_licences() -> None:
    assert set(OWN) - COPYLEFT <= set(BROUGHT["all"])
    assert not COPYLEFT & set(BROUGHT["all"])


def test_the_group_more_brings_what_the_other_groups_bring() -> None:
    others = {name for group in GROUPS - {"all", "more"} for name in BROUGHT[group]}
    assert set(BROUGHT["more"]) == others


def test_each_solver_is_in_a_group_and_groups_bring_solvers_only() -> None:
    grouped = {name for extra in GROUPS - {"all"} for name in BROUGHT[extra]}
    assert set(OWN) - COPYLEFT - {"compiled"} <= grouped
    assert not COPYLEFT & grouped
    for group in GROUPS - {"all"}:
        inner = re.findall(r"\[([^\]]*)\]", " ".join(EXTRAS[group]))
        assert {one.strip() for part in inner for one in part.split(",")} <= set(EXTRAS)


def test_the_document_has_a_section_for_each_and_names_its_groups() -> None:
    text = (ROOT / "docs" / "backends.md").read_text("utf-8")
    sections = dict(re.findall(r"^## ([\w, ]+?)(?::[^\n]*)?\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    by_name = {one.strip(): body for names, body in sections.items() for one in names.split(",")}
    for name, extra in OWN.items():
        if name == "compiled":  # in the documents on Sudoku
            continue
        assert name in by_name
        for group in GROUPS - {"all", "more"}:
            is_said = re.search(rf"group\s+`{group}`", by_name[name]) is not None
            assert is_said == (name in BROUGHT[group]), (name, group, extra)


def test_extras_of_both_spellings_are_read() -> None:
    by_extras = ["solver-concord[choco,clingo]; extra == 'both'", "pychoco>=0.4; extra == 'choco'"]
    by_extras += ['clingo>=5.8 ; extra == "clingo"', "numpy>=1"]
    found = solvers.read_extras(by_extras)
    assert found == {"both": ("choco", "clingo"), "choco": ("choco",), "clingo": ("clingo",)}
    flat = ["pychoco>=0.4; extra == 'both'", "clingo; python_version > '3' and extra == 'both'"]
    assert solvers.read_extras(flat) == {"both": ("choco", "clingo")}
    assert solvers.is_group("both", found["both"])
    assert not solvers.is_group("choco", found["choco"])


# --- the table ------------------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch):
    """The metadata as it is of what stands in this checkout."""
    monkeypatch.setattr("modelling.versions.read_requirements", lambda: REQUIREMENTS)


def test_the_table_fits_a_screen(installed) -> None:
    lines = shown().splitlines()
    assert len(lines) < 50
    assert max(map(len, lines)) <= 80
    for entry in SHIPPED:
        assert any(line.startswith(entry.name) for line in lines), entry.name
    for group in GROUPS:
        assert any(line.startswith(f"  {group} ") for line in lines), group
    assert any("the project's own searches" in line for line in lines)


def test_what_is_missing_says_the_command(installed, monkeypatch) -> None:
    real = registry.importlib.util.find_spec
    monkeypatch.setattr(
        registry.importlib.util, "find_spec", lambda n, *a: None if n == "pychoco" else real(n, *a)
    )
    line = next(line for line in shown().splitlines() if line.startswith("choco"))
    assert line.split(maxsplit=2)[1:] == ["missing", "pip install 'solver-concord[choco]'"]
    assert "choco, not installed: " in shown("choco")


def test_details_are_of_those_that_are_named(installed) -> None:
    text = shown("sat:glucose4", "choco")
    assert max(map(len, text.splitlines())) <= 80
    assert "options, by default: encoding=extended" in text
    assert "rests on: the project's encodings as clauses; Glucose" in text
    assert "extras that bring it: all, choco, cp" in text
    assert "python_constraint" not in text
    (only,) = json.loads(shown("choco", "--json"))
    assert (only["name"], only["family"], only["extras"]) == (
        "choco",
        "choco",
        ["all", "choco", "cp", "more"],
    )


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("sat", "CaDiCaL"),
        ("sat:kissat", "Kissat"),
        ("xcsp3:choco", "Choco"),
        ("command:dimacs:{python} -m cadical", None),
        ("command:dimacs,family=Clasp:{python} solver.py", "clasp"),
        ("cpsat@9.12", "CP-SAT"),
    ],
)
def test_details_are_of_the_whole_name(name: str, part: str | None) -> None:
    (only,) = json.loads(shown(name, "--json"))
    assert only["name"] == name
    text = " ".join(shown(name).split())
    assert part in text.partition("rests on:")[2] if part else "rests on" not in text


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chco", "did you mean 'choco'?"),
        ("sat:nosuch=3", "unknown option 'nosuch'"),
        ("choco:nosuch", "unknown option 'nosuch'"),
        ("command:dimcs:cadical", "did you mean 'dimacs'?"),
        ("command@1:dimacs:cadical", "a program has no releases"),
    ],
)
def test_a_name_that_is_not_there_is_refused(name: str, says: str) -> None:
    done = CliRunner().invoke(app, ["backends", name])
    assert done.exit_code == 2
    assert says in done.output


def test_a_package_that_is_not_there_is_refused_with_those_that_are() -> None:
    done = CliRunner().invoke(app, ["bisect", "latest", "--package", "ortool"])
    assert done.exit_code == 2
    assert "did you mean 'ortools'? (there are: " in done.output
