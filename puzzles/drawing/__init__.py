"""Drawings as blocks of text, and two of them side by side, or one below the other."""

from __future__ import annotations

from collections.abc import Sequence

ARROW = "   -->   "
WIDEST = 80
"""Columns of a drawing."""


def beside(left: str, right: str) -> str:
    """Two drawings side by side, an arrow between their middle lines."""
    a, b = left.splitlines(), right.splitlines()
    height = max(len(a), len(b))
    width = max(map(len, a))
    a += [""] * (height - len(a))
    b += [""] * (height - len(b))
    gap = " " * len(ARROW)
    rows = [
        f"{one:{width}}{ARROW if i == height // 2 else gap}{two}".rstrip()
        for i, (one, two) in enumerate(zip(a, b, strict=True))
    ]
    return "\n".join(rows)


def beside_or_below(left: str, right: str) -> str:
    """Two drawings, the second one below the first if side by side they are too wide."""
    wide = [max(map(len, drawn.splitlines())) for drawn in (left, right)]
    if sum(wide) + len(ARROW) <= WIDEST:
        return beside(left, right)
    return f"{left}\n\n{ARROW.rstrip()}\n\n{right}"


def ruled(rows: Sequence[Sequence[str]], band: int, stack: int) -> str:
    """Cells in a frame, with lines after every ``band`` rows and every ``stack`` columns."""
    width = max(len(cell) for row in rows for cell in row)
    across = len(rows[0])
    piece = "-" * ((width + 1) * stack + 1)
    rule = "+" + f"{piece}+" * (across // stack)
    drawn = [rule]
    for i, row in enumerate(rows, 1):
        pieces = [
            " ".join(f"{cell:>{width}}" for cell in row[k : k + stack])
            for k in range(0, across, stack)
        ]
        drawn.append("| " + " | ".join(pieces) + " |")
        if i % band == 0:
            drawn.append(rule)
    return "\n".join(drawn)
