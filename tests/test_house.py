"""The house as a whole: no circles, and how large and how deep it is.

Which room may import which is the business of import-linter (the contracts in pyproject.toml).

Words
-----
circle   modules that import each other, directly or through others, type-checking imports included
storeys  of a module: how many modules stand one above the other, at most, from it downwards
"""

from __future__ import annotations

import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).parents[1]
PACKAGES = ("modelling", "puzzles", "backends", "harness", "results")
FILES, LINES = 75, 11_000
"""What the harness is to come down to."""
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


def rooms(graph: Graph) -> Graph:
    """The same between the rooms: ``harness.plan.experiment`` belongs to ``harness.plan``."""

    def room(name: str) -> str:
        return ".".join(name.split(".")[:2])

    found: Graph = {room(name): set() for name in graph}
    for name, below in graph.items():
        found[room(name)] |= {room(other) for other in below} - {room(name)}
    return found


def test_circles_and_chains_are_found() -> None:
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": {"d"}, "d": set(), "e": {"f"}, "f": {"e"}}
    assert circles(graph) == {frozenset("ef")}
    assert longest_chain(graph) == ["a", "b", "c", "d"]
    assert longest_chain({"a": {"b"}, "b": {"a"}}) == ["a"]
    assert rooms({"x.a.b": {"x.a.c", "x.d.e"}, "x.a.c": set(), "x.d.e": set()}) == {
        "x.a": {"x.d"},
        "x.d": set(),
    }


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


def test_how_large_and_how_deep_it_is(imports: Graph) -> None:
    """Printed (``pytest -s``), not demanded yet."""
    sources = list((ROOT / "harness").rglob("*.py"))
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in sources)
    print(f"\nharness: {len(sources)} files (at most {FILES}), {lines} lines (at most {LINES})")
    chain, between = longest_chain(imports), longest_chain(rooms(imports))
    print(f"longest chain of modules: {len(chain)}\n  " + "\n  ".join(chain))
    print(f"longest chain of rooms: {len(between)}\n  " + "\n  ".join(between))
    for rooms_in_a_circle in circles(rooms(imports)):
        print("rooms that import each other:", *sorted(rooms_in_a_circle))
    assert sources
    assert len(chain) > len(between) > len(PACKAGES)
