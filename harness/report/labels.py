"""Long names made short enough for a column, and the legend that says what they stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap as wrap_words

GAP = ".."


def shorten(name: str, width: int) -> str:
    """The beginning of a name; of one with options what stands before the colon, and the end."""
    if len(name) <= width:
        return name
    kept = max(width - len(GAP), 2)
    head, colon, options = name.partition(":")
    start = min(len(head), (kept + 1) // 2) if colon else kept
    end = min(kept - start, len(options.rpartition(",")[2])) if colon else 0
    return name[: kept - end] + GAP + (name[-end:] if end else "")


def labels(names: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Each name within its width, no two alike: the second of a kind ends in 2."""
    found: list[str] = []
    for name, width in zip(names, widths, strict=True):
        label, number = shorten(name, width), 1
        while label in found:
            number += 1
            mark = str(number)
            label = shorten(name, width - len(mark)) + mark
        found.append(label)
    return found


def legend(names: Sequence[str], shown: Sequence[str], width: int) -> list[str]:
    """Lines that say in full what was shortened."""
    pairs = [f"{label} = {name}" for name, label in zip(names, shown, strict=True) if name != label]
    return fill(pairs, width)


def fill(items: Sequence[str], width: int) -> list[str]:
    """Items side by side, none broken over lines unless it is wider than one."""
    lines: list[str] = []
    for place, item in enumerate(items):
        said = item if place == len(items) - 1 else f"{item},"
        if lines and len(lines[-1]) + 1 + len(said) <= width:
            lines[-1] += f" {said}"
        else:
            lines += wrap(said, width)
    return lines


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """A sentence in lines; what stands in brackets, as an interval, stays together."""
    held = re.sub(r"\[[^\]]*\]", lambda found: found[0].replace(" ", "\0"), text)
    lines = wrap_words(held, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines] or [""]


def share(least: Sequence[int], wanted: Sequence[int], space: int) -> list[int]:
    """Widths for columns: each between ``least`` and ``wanted``, long ones cut to one length.

    Where there is not even space for the least, the least.
    """
    for most in range(max(wanted, default=0), 0, -1):
        widths = [max(low, min(high, most)) for low, high in zip(least, wanted, strict=True)]
        if sum(widths) <= space:
            return widths
    return list(least)
