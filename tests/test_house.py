"""The project as a whole: no circles, few floors, nothing upward, no crowded folder.

Which room may import which is checked by import-linter (the contracts in pyproject.toml).

Words
-----
circle   modules that import each other, directly or through others, type-checking imports included
floor    a package at the root; one floor is above those that it imports
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("modelling", "puzzles", "backends", "harness", "results")
FLOORS = 7
FILES = 15
"""Python files in a folder of code, at most."""
CROWDED = {"modelling": 17}
"""Folders that have more, and how many at most."""
UPWARD = {
    ("modelling/formats/__init__.py", "backends"),
    ("backends/conformance/liars/disguises.py", "harness"),
    ("backends/conformance/liars/times.py", "harness"),
    ("backends/conformance/liars/wires.py", "harness"),
}
"""Files that name a module of a floor above in a string, and that floor. The liars attack the
worker that they run in; the writers of formats are to register from above."""
ENTRIES = {
    *(".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"),
    *("concord.py", "pyproject.toml"),
    *("backends", "docs", "harness", "modelling", "notebooks", "puzzles", "results", "tests"),
}
"""What stands at the root: what an experiment leaves there is no part of the project."""

Graph = dict[str, set[str]]


def build(*packages: str) -> Graph:
    """Module -> the modules that it imports, at its head, late, or for type checking alone."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    return {name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}


@pytest.fixture(scope="module")
def imports() -> Graph:
    return build(*PACKAGES)


def parts(graph: Graph) -> list[frozenset[str]]:
    """The graph's strongly connected parts: circles, and single modules."""
    from scipy.sparse import coo_matrix  # what all processes of a test run would import
    from scipy.sparse.csgraph import connected_components

    names = sorted(graph)
    number = {name: k for k, name in enumerate(names)}
    pairs = [(number[one], number[other]) for one in names for other in graph[one]]
    rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
    shape = (len(names), len(names))
    links = coo_matrix((np.ones(len(pairs)), (rows, columns)), shape)
    count, labels = connected_components(links, connection="strong")
    return [
        frozenset(name for name, label in zip(names, labels, strict=True) if label == part)
        for part in range(count)
    ]


def sources() -> list[Path]:
    """The Python files of the project, but for tests and notebooks."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def circles(graph: Graph) -> set[frozenset[str]]:
    return {part for part in parts(graph) if len(part) > 1}


def longest_chain(graph: Graph) -> list[str]:
    """The modules of a longest chain of imports from the top down; a circle counts as one."""
    part_of = {name: part for part in parts(graph) for name in part}
    below = {
        part: {part_of[other] for name in part for other in graph[name]} - {part}
        for part in part_of.values()
    }
    chains: dict[frozenset[str], list[str]] = {}
    for part in TopologicalSorter(below).static_order():
        longest = max((chains[other] for other in below[part]), key=len, default=[])
        chains[part] = [min(part), *longest]
    return max(chains.values(), key=len, default=[])


def floors(graph: Graph) -> Graph:
    """The same between the packages at the root: ``harness.plan.experiment`` is in ``harness``."""
    found: Graph = {name.split(".")[0]: set() for name in graph}
    for name, below in graph.items():
        floor = name.split(".")[0]
        found[floor] |= {other.split(".")[0] for other in below} - {floor}
    return found


def all_below(floor: str, graph: Graph) -> set[str]:
    """The floors that one imports, directly or through others."""
    below = graph[floor]
    return below.union(*(all_below(other, graph) for other in below))


def modules_named(source: str, modules: Iterable[str]) -> set[str]:
    """The modules that a string of a source file names as a whole, or before a colon."""
    named = re.findall(r"""["']([\w.]+\.\w+)(?::[^"']*)?["']""", source)
    return {name for name in modules if "." in name}.intersection(named)


def test_circles_and_chains_are_found() -> None:
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": {"d"}, "d": set(), "e": {"f"}, "f": {"e"}}
    assert circles(graph) == {frozenset("ef")}
    assert longest_chain(graph) == ["a", "b", "c", "d"]
    assert longest_chain({"a": {"b"}, "b": {"a"}}) == ["a"]
    assert floors({"x.a": {"x.b", "y.c"}, "x.b": set(), "y.c": set()}) == {"x": {"y"}, "y": set()}
    assert all_below("x", {"x": {"y"}, "y": {"z"}, "z": set()}) == {"y", "z"}


def test_names_of_modules_in_strings_are_found() -> None:
    source = 'MODULE = "x.a"\nCALLED = "x.b:make"\nSAID = "x.c is no module alone"\n'
    assert modules_named(source, ["x", "x.a", "x.b", "x.c"]) == {"x.a", "x.b"}


def test_late_and_type_checking_imports_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "circular"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "a.py").write_text("def late():\n    from circular import b\n")
    (package / "b.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from circular.a import late\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert circles(build("circular")) == {frozenset({"circular.a", "circular.b"})}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="what is committed is known to git alone")
def test_the_root_has_no_other_entries() -> None:
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    committed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert {path.split("/")[0] for path in committed.split("\0") if path} == ENTRIES


def test_no_modules_import_each_other(imports: Graph) -> None:
    assert len(imports) > 200
    assert circles(imports) == set()


def test_there_are_few_floors(imports: Graph) -> None:
    graph = floors(imports)
    assert not circles(graph)
    assert len(PACKAGES) - 1 <= len(longest_chain(graph)) <= FLOORS


def test_no_string_names_a_module_of_a_floor_above(imports: Graph) -> None:
    graph = floors(imports)
    upward = set()
    for path in sources():
        own = path.relative_to(ROOT).parts[0]
        reached = {name.split(".")[0] for name in modules_named(path.read_text("utf-8"), imports)}
        for floor in reached - {own} - all_below(own, graph):
            upward.add((path.relative_to(ROOT).as_posix(), floor))
    assert upward <= UPWARD


def test_no_folder_is_crowded() -> None:
    numbers = Counter(path.parent.relative_to(ROOT).as_posix() for path in sources())
    crowded = {folder: number for folder, number in numbers.items() if number > FILES}
    assert crowded.keys() <= CROWDED.keys()
    assert all(number <= CROWDED[folder] for folder, number in crowded.items())
