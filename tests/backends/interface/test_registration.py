"""A backend is its room and its entry among those that ship; nothing else lists what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import grimp

from backends.interface.shipped import SHIPPED
from modelling.formats import FORMATS

ROOT = Path(__file__).parents[3]
TABLE = "backends/interface/shipped.py"
FAMILIES = "backends/interface/evidence/families.py"  # who shares code with whom
CHOICES = {
    "backends/conformance/liars/claims.py": {"cpsat"},  # whom it pretends to be
    "backends/conformance/liars/forgeries.py": {"cpsat"},  # whose records it writes
    "backends/conformance/liars/liar.py": {"propagation"},  # whom they falsify
    # the fastest; and one that counts anything
    "backends/counting.py": {"compiled", "cpsat", "ladder", "propagation"},
    "backends/cpmpy_solver.py": {"propagation"},  # of a solver called `concord` alone
    "backends/proofs/encodings/second.py": {"propagation"},  # the second engine
    # of `solve`, which needs nothing installed, and of `assert_agrees`
    "concord.py": {"propagation", "sat"},
    "harness/cli/verbs/compiling.py": {"propagation"},  # the engine that it compiles
    "harness/cli/verbs/evidence/fuzz.py": {"brute_force", "compiled", "ladder"},  # not hunted
    "harness/hunting/fuzzing/files/others.py": {"propagation"},  # the project's own search
    "harness/hunting/scripts/apart.py": {  # which have a script each
        *("choco", "clingo", "cpsat", "highs", "pumpkin"),
        *("python_constraint", "sat", "scip", "toulbar2", "z3"),
    },
    "harness/hunting/shrinking.py": {"cpsat", "sat"},  # who says what is right
    "harness/selftest/trials.py": {"propagation", "sat"},  # the honest ones
    "harness/cli/verbs/releases.py": {"propagation"},  # the witness of `concord bisect`
    "harness/judge/validate.py": {"brute_force"},  # the oracle
    "harness/report/plots/__init__.py": {"ladder"},  # a kind of plot, too
    "harness/streams/solving.py": {"compiled", "propagation"},  # of `concord solve`
}
"""Files that take some backends by name, each for a reason of its own."""

SHARED = (
    *("backends.interface", "backends.integer_programs"),
    *("backends.machine_code", "backends.signals"),
)
"""What rooms of solvers may import: the interface, and what several are made of."""


ALSO_FORMATS = {form.name for form in FORMATS}
"""A format may have the name of a backend; without a solver behind it, it is the format's."""


QUOTED = re.compile("[\"'](" + "|".join(entry.name for entry in SHIPPED) + ")\\b")
"""A text begins with a backend's name: a file without one need not be parsed."""


def find_named(path: Path) -> set[str]:
    """The backends that texts in a file name, with or without options."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text if QUOTED.search(text) else "")
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    named = {text for text in texts if isinstance(text, str)} - ALSO_FORMATS
    heads = {text.partition(":")[0] for text in named}
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
        if name not in (TABLE, FAMILIES) and not is_own and find_named(path):
            named[name] = find_named(path)
    assert named == CHOICES


def test_a_solver_imports_the_interface_and_no_other_solver() -> None:
    graph = grimp.build_graph("backends", cache_dir=None)
    for entry in SHIPPED:
        own = {entry.module, *graph.find_descendants(entry.module)}
        below = {one for part in own for one in graph.find_modules_directly_imported_by(part)}
        assert all(one.startswith(SHARED) for one in below - own), entry.name
    interface = graph.find_descendants("backends.interface") | {"backends.interface"}
    imported = {one for part in interface for one in graph.find_modules_directly_imported_by(part)}
    assert imported <= interface
