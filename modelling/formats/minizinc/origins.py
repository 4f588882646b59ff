"""Where in a model a line of its FlatZinc comes from, by MiniZinc's table of symbols.

A row of the table (``--output-paths-to-file``) has a variable's name, or a constraint's number from
0, and after two tabs the places in the model, the outermost first::

    x <tab> x <tab> /copies/model.mzn|3|11|3|11|id|x;/copies/model.mzn|3|1|3|11|vd;
"""

from __future__ import annotations

import re

_VARIABLE = re.compile(rb"\s*(?:var|array)\b[^\n]*?:\s*(\w+)")
_CONSTRAINT = re.compile(rb"\s*constraint\b")


def find_origin(flat: bytes, line: int, symbols: str, model: str) -> tuple[int, int]:
    """Line and column of ``model``, a path of the table, for a line of FlatZinc.

    They are 1, 1 if the table does not contain them.
    """
    lines = flat.split(b"\n")
    text = lines[line - 1] if line <= len(lines) else b""
    if found := _VARIABLE.match(text):
        key = found[1].decode()
    elif _CONSTRAINT.match(text):
        key = str(sum(1 for one in lines[: line - 1] if _CONSTRAINT.match(one)))
    else:
        return 1, 1
    for row in symbols.splitlines():
        name, _, places = row.partition("\t")
        if name != key:
            continue
        for place in places.rpartition("\t")[2].split(";"):
            file, *numbers = place.split("|")[:3]
            if file == model and len(numbers) == 2:
                return int(numbers[0]), int(numbers[1])
    return 1, 1
