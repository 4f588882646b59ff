"""Whether a file of Python has a name at its top, without importing it.

What a user's module does when it is imported is for the workers. Its text tells which names it
binds; where it does not tell, because names come from ``import *`` or are made as it runs, nothing
is said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path


def find_names(module: str, folder: str) -> set[str] | None:
    """The names that a module binds, a file of ``folder`` or one that is installed; None where the
    text does not tell."""
    path: list[str] | None = None
    found: ModuleSpec | None = None
    top, *below = module.split(".")
    found = PathFinder.find_spec(top, [folder]) or PathFinder.find_spec(top)
    for name in below:
        path = None if found is None else list(found.submodule_search_locations or ())
        found = PathFinder.find_spec(f"{top}.{name}", path) if path else None
        top = f"{top}.{name}"
    if found is None or not str(found.origin).endswith(".py"):
        return None
    try:
        tree = ast.parse(Path(str(found.origin)).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    names = set(_bind(tree.body))
    return None if names & {"*", "__getattr__", "globals", "setattr", "exec"} else names


def _bind(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind, and those of calls that may bind others."""
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.alias):
                yield node.asname or node.name.partition(".")[0]
            elif isinstance(node, ast.Name):
                is_bound = isinstance(node.ctx, ast.Store)
                is_maker = node.id in ("globals", "setattr", "exec")
                if is_bound or is_maker:
                    yield node.id
