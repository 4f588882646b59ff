"""Pages and tables of studies, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def join_page(*parts: str | Sequence[str]) -> str:
    """A page of paragraphs, and of tables and lists, which are given as lines; no part is empty."""
    texts = (part if isinstance(part, str) else "\n".join(part) for part in parts)
    return "\n\n".join(filter(None, texts)) + "\n"


def list_table(heads: str, rows: Iterable[str]) -> list[str]:
    """The lines of a table, its cells as in ``backend | seconds:``; a colon aligns right."""
    names = heads.split(" | ")
    rule = "".join("---:|" if name.endswith(":") else "---|" for name in names)
    head = " | ".join(name.removesuffix(":") for name in names)
    return [f"| {head} |", f"|{rule}", *(f"| {row} |" for row in rows)]


def list_loads(loads: Iterable[tuple[str, str]]) -> list[str]:
    """Which backends were measured with each load of the machine; ``loads`` pairs the two."""
    backends: dict[str, dict[str, None]] = {}
    for load, backend in loads:
        if load:
            backends.setdefault(load, {})[backend] = None
    return [f"Measured with {load}: {', '.join(names)}." for load, names in backends.items()]
