"""A backend is its room and its entry in the registry; nothing else lists what there is."""

from __future__ import annotations

import ast
from pathlib import Path

import grimp

from backends.interface.registry import SHIPPED

ROOT = Path(__file__).parents[3]
REGISTRY = "backends/interface/registry.py"
CHOICES = {
    "backends/conformance/liars.py": {"propagation", "cpsat"},  # whom they imitate
    # the fastest; and one that counts anything
    "backends/counting.py": {"compiled", "cpsat", "ladder", "propagation"},
    "concord.py": {"propagation"},  # of `solve`, which needs nothing installed
    "harness/judge/validate.py": {"brute_force"},  # the oracle
    "harness/plan/reading.py": {"compiled", "cpsat", "ladder"},  # of `compare`; two are studies
    "harness/streams/solving.py": {"compiled", "propagation"},  # of `concord solve`
}
"""Files that take some backends by name, each for a reason of its own."""


def find_named(path: Path) -> set[str]:
    """The backends that texts in a file name, with or without options."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    heads = {text.partition(":")[0] for text in texts if isinstance(text, str)}
    return heads & {entry.name for entry in SHIPPED}


def test_nothing_else_names_backends() -> None:
    rooms = [ROOT / entry.module.replace(".", "/") for entry in SHIPPED]
    sources = [ROOT / "concord.py"]
    for folder in ("modelling", "puzzles", "backends", "harness"):
        sources += (ROOT / folder).rglob("*.py")
    named = {}
    for path in sources:
        name = path.relative_to(ROOT).as_posix()
        is_own = any(room in path.parents or room == path.with_suffix("") for room in rooms)
        if name != REGISTRY and not is_own and find_named(path):
            named[name] = find_named(path)
    assert named == CHOICES


def test_a_solver_imports_the_interface_and_no_other_solver() -> None:
    graph = grimp.build_graph("backends", cache_dir=None)
    for entry in SHIPPED:
        own = {entry.module, *graph.find_descendants(entry.module)}
        below = {one for part in own for one in graph.find_modules_directly_imported_by(part)}
        assert all(one.startswith("backends.interface") for one in below - own), entry.name
    interface = graph.find_descendants("backends.interface") | {"backends.interface"}
    imported = {one for part in interface for one in graph.find_modules_directly_imported_by(part)}
    assert imported <= interface
