"""A line with a label, as advice is made of."""

from __future__ import annotations

from harness.report.table_text import wrap

LABEL = 10
"""Columns before the text of a line."""

Lines = list[str]


def hang(label: str, text: str, width: int, most: int = 4) -> Lines:
    """A label and its text, which continues below its own beginning, in ``most`` lines."""
    lines = wrap(text, max(width - LABEL, 20))
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: width - LABEL - 4] + " ..."]
    starts = [label.ljust(LABEL), *([" " * LABEL] * (len(lines) - 1))]
    return [f"{start}{line}".rstrip() for start, line in zip(starts, lines, strict=True)]
