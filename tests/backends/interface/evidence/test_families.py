"""Families of agreement: whose agreement counts once, and whose twice."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from backends.interface.evidence import identity
from backends.interface.evidence.families import (
    FAMILIES,
    WAYS,
    Family,
    claimed_family,
    count_witnesses,
    family_of_name,
    main_part,
    parts_of,
    shared_parts,
)
from backends.interface.evidence.identity import identify
from backends.interface.registry import evidence_family, is_exact, known_family, spec
from backends.interface.shipped import SHIPPED

VERDICTS = Path(__file__).parents[4] / "docs" / "verdicts.md"


def of(name: str) -> str:
    """The family of a name, whether or not this release has such a backend."""
    text = name.partition(":")[2]
    found = (
        claimed_family(spec(name).options) if name.startswith("command:") else known_family(name)
    )
    if found is not None:
        return found
    words = dict(word.split("=") for word in text.split(",") if "=" in word)
    return family_of_name(name, words)


@pytest.mark.parametrize(
    ("one", "other", "part"),
    [
        ("minizinc:gecode", "xcsp3:gecode", "gecode"),
        ("minizinc:org.gecode.gecode", "minizinc", "gecode"),
        ("sat:cadical153", "sat:cadical195", "sat"),
        ("sat:reuse=solver", "bitwuzla", "cadical"),
        ("mathopt", "scip", "scip"),
        ("mathopt:solver=highs", "highs", "highs"),
        ("minizinc:cp-sat", "cpsat:workers=2", "cpsat"),
        ("minizinc:com.google.or-tools", "cpsat", "cpsat"),
        ("command:opb:clasp --outf=1", "clingo", "clasp"),
        ("command:dimacs:/opt/bin/kissat -q", "sat:glucose4", "sat"),
        ("command:dimacs:clasp", "clingo:usc", "clasp"),
        ("xcsp3:choco", "choco:search=first", "choco"),
        ("propagation", "compiled", "own"),
        ("ladder:trail", "propagation:branching=lex", "own"),
        ("cpsat@9.12", "cpsat", "cpsat"),
        ("command:xcsp3,family=mine:./a", "command:flatzinc,family=mine:./b", "mine"),
    ],
)
def test_two_of_one_family_are_one_witness(one: str, other: str, part: str) -> None:
    families = frozenset({of(one), of(other)})
    assert part in shared_parts([of(one)], [of(other)])
    assert count_witnesses(families) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("minizinc:gecode", "minizinc:chuffed"),
        ("xcsp3:ace", "xcsp3"),
        ("sat:glucose4", "bitwuzla"),
        ("sat", "clingo"),
        ("command:opb:clasp", "command:opb:/usr/bin/toulbar2"),
        ("command:opb,family=mine:./a", "sat"),
        ("propagation", "brute_force"),
        ("python_constraint", "choco"),
    ],
)
def test_two_of_different_families_are_two(one: str, other: str) -> None:
    assert count_witnesses(frozenset({of(one), of(other)})) == 2


def test_a_third_that_is_related_to_both_takes_nothing_away() -> None:
    names = ("sat:glucose4", "bitwuzla", "sat:cadical195", "command:dimacs:clasp", "clingo")
    families = [of(name) for name in names]
    for number in range(len(families) + 1):
        for some in combinations(families, number):
            least = max((count_witnesses(frozenset(some[:k])) for k in range(len(some))), default=0)
            assert count_witnesses(frozenset(some)) >= least
    assert count_witnesses(frozenset(families)) == 3  # our clauses, CaDiCaL, clasp


@pytest.mark.parametrize(
    "text", ["dimacs:./my_solver", "opb:{python} solver.py", "dimacs", "dimacs:", "opb:'open"]
)
def test_a_program_that_nobody_knows_is_of_no_family(text: str) -> None:
    assert known_family(f"command:{text}") is None


def told(word: str) -> str:
    """A program that nobody knows, whose user says whose solver it is."""
    return f"command:flatzinc,family={word}:./mine"


NAMES = [
    (name.replace("*", ""), row)
    for row in FAMILIES
    for name in (row.name, *(member.split(":")[-1].split("=")[-1] for member in row.members))
    if name not in ("dimacs", "sat", "relay")  # a format, our clauses, and two engines
]


@pytest.mark.parametrize("change", [str, str.upper, str.title])
def test_a_family_that_is_told_is_the_row_that_has_this_name(change) -> None:
    for name, row in NAMES:
        family = known_family(told(change(name)))
        assert family is not None
        assert row.name in parts_of(family), name
        assert is_exact(told(change(name))) == row.exact


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("or-tools", "cpsat"),
        ("OR_Tools", "cpsat"),
        ("com.google.or-tools", "cpsat"),
        ("cp-sat", "minizinc:sat"),
        ("Clasp", "clingo"),
        ("SCIP-9.2", "mathopt"),
        ("cadical195", "sat:cadical153"),
        ("Bitwuzla", "bitwuzla"),
        ("Mine", told("mine")),
        *((way, way) for way in WAYS),
    ],
)
def test_an_engine_that_is_told_by_another_name_is_no_second_witness(word, other) -> None:
    assert count_witnesses(frozenset({of(told(word)), of(other)})) == 1


def make_program(folder: Path, name: str, body: str) -> Path:
    """An executable script; what it is asked stands in ``asked`` beside it."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "$@" >> {folder}/asked\n{body}\n')
    path.chmod(0o755)
    return path


GECODE = 'echo "Gecode FlatZinc interpreter"'


def test_a_program_is_of_the_family_that_it_says_and_not_of_its_files_name(tmp_path: Path) -> None:
    gecode, chuffed = (f"command:flatzinc:{tmp_path}/fzn-{one}" for one in ("gecode", "chuffed"))
    for name in ("fzn-gecode", "fzn-chuffed"):
        make_program(tmp_path, name, "echo =====UNSATISFIABLE=====")
    assert (known_family(gecode), known_family(chuffed)) == (None, None)
    for name in ("fzn-gecode", "fzn-chuffed"):  # another file at the same path is asked again
        make_program(tmp_path, name, GECODE)
    assert (known_family(gecode), known_family(chuffed)) == ("gecode", None)


def test_a_program_of_another_name_is_asked_nothing(tmp_path: Path) -> None:
    path = make_program(tmp_path, "mine", GECODE)
    assert identify(str(path)) == frozenset()
    assert not (tmp_path / "asked").exists()
    make_program(tmp_path, "FZN-Gecode", GECODE)
    assert identify(str(tmp_path / "FZN-Gecode")) == {"gecode"}
    assert (tmp_path / "asked").read_text() == "--help\n"


def test_a_program_that_does_not_answer_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "SECONDS", 0.2)
    path = make_program(tmp_path, "fzn-gecode", f"exec sleep 60; {GECODE}")
    assert identify(str(path)) == frozenset()
    path.chmod(0o644)
    assert identify(str(path)) == frozenset()


def test_a_record_says_of_which_family_a_program_was_when_it_answered() -> None:
    """Where a run is judged the program may not be there, or be another one by now."""
    name = "command:dimacs:/nowhere/cadical"
    assert known_family(name) is None
    assert known_family(name, "cadical+sat") == "cadical+sat"
    for word in ("command", "fzn-gecode", "cadical+mine"):
        assert known_family(name, word) is None
    assert known_family("command:dimacs,family=mine:./a", "command") == "mine+sat"
    assert known_family("py:mine:Mine", "cadical") is None
    assert evidence_family("command:opb:/nowhere/scip", "scip") is None


@pytest.mark.parametrize("row", [row for row in FAMILIES if row.says], ids=lambda row: row.name)
def test_what_a_family_says_is_asked_of_a_program_with_its_name(row: Family) -> None:
    programs = [one.partition(":")[2] for one in row.members if one.startswith("program:")]
    assert programs
    for argument, pattern in row.says:
        assert argument.startswith("-")
        re.compile(pattern)


def test_every_backend_that_ships_is_of_a_family_named_like_it() -> None:
    for entry in SHIPPED:
        family = known_family(entry.name)
        assert family is not None
        assert family == known_family(f"{entry.name}@1.0")
        assert main_part(family)


def test_the_families_are_told_in_the_document() -> None:
    text = VERDICTS.read_text(encoding="utf-8")
    for row in FAMILIES:
        members = ", ".join(f"`{member}`" for member in row.members)
        assert f"| {row.name} | {row.about} | {members} |" in text
    assert text.count("\n| ") - text.count("\n|---") >= len(FAMILIES)
