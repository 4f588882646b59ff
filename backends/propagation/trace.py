"""The nodes of a search as the kernel records them, and as the file that ``trace=FILE`` names.

A node has at most two children: a variable takes a value, or any other value. The file has a line
of JSON for the search and one for each node, in the order of their visits (docs/engine.md); the
first ``MOST_NODES`` nodes of the last search that was given this file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from backends.propagation.encode.arena import Search
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.layout import NODE, NODE_FAILED, NODE_REFUTES, NODE_SOLUTION
from modelling.errors import BackendError

MOST_NODES = 10_000

Fate = Literal["open", "failed", "solution"]


class Tried(NamedTuple):
    """A value that was tried for a variable below ``parent``, a position among the nodes, or
    excluded there. The root has no parent, no variable and no value.
    """

    parent: int | None
    variable: int | None
    value: int | None
    fate: Fate
    is_excluded: bool = False


def list_nodes(search: Search | None) -> list[Tried]:
    """The recorded nodes of a search; of None, a root that failed."""
    if search is None:
        return [Tried(None, None, None, "failed")]
    memory = search.M
    begin, count = int(memory[at.M_TREE]), min(memory[at.M_NODES], memory[at.M_TREE_ROOM])
    rows = [map(int, memory[k : k + NODE]) for k in range(begin, begin + NODE * int(count), NODE)]
    root, *others = [_tried(*row) for row in rows]
    return [root._replace(parent=None, variable=None, value=None), *others]


def _tried(parent: int, variable: int, value: int, flags: int) -> Tried:
    fate: Fate = "open"
    if flags & NODE_FAILED:
        fate = "failed"
    elif flags & NODE_SOLUTION:
        fate = "solution"
    return Tried(parent, variable, value, fate, bool(flags & NODE_REFUTES))


def write_trace(path: str, search: Search | None, names: Sequence[str]) -> None:
    """Write the recorded nodes; raises ``BackendError`` where the file cannot be written."""
    text = "\n".join(_list_lines(search, names)) + "\n"
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BackendError(f"propagation: trace={path}: {error.strerror}") from None


def _list_lines(search: Search | None, names: Sequence[str]) -> Iterator[str]:
    nodes = list_nodes(search)
    visited = len(nodes) if search is None else int(search.M[at.M_NODES])
    yield json.dumps({"trace": 1, "nodes": visited, "recorded": len(nodes)})
    for number, node in enumerate(nodes):
        line: dict[str, object] = {"node": number, "parent": node.parent}
        if node.variable is not None:
            line["variable"] = name_variable(names, node.variable)
            line["excludes" if node.is_excluded else "takes"] = node.value
        yield json.dumps({**line, "fate": node.fate}, ensure_ascii=False)


def name_variable(names: Sequence[str], variable: int) -> str:
    """The name of a variable; those that an encoding adds have none."""
    return names[variable] if variable < len(names) else "aux"
