"""Grids of options: ``cpsat:workers={1,2},presolve={on,off}`` is four backends.

A value in braces is one of several, and a name with braces every backend that they come to, in the
order in which they are written. With a short name each gets its values after it: of
``fast=cpsat:workers={1,2}`` the tables call them ``fast-1`` and ``fast-2``.

A shell takes braces apart by itself unless they are quoted. What it makes of them is the same
backends, as words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from math import prod
from pathlib import Path

from backends.interface.options import split_unquoted
from backends.interface.registry import split_label
from backends.interface.shipped import PROGRAMS, SHIPPED
from modelling.errors import UnknownBackend

MOST = 1000
"""More backends of one grid are refused: each answers every instance."""

Choice = tuple[str, str]
"""An item of a name, and the value that it takes of several, empty where there is one alone."""


def expand(name: str) -> list[str]:
    """The backends that a name with braces comes to; a name without them is one.

    Raises UnknownBackend for braces that are empty or left open, and for too many backends.
    """
    label, plain = split_label(name)
    head, _, text = plain.partition(":")
    if "{" not in text or head in ("py", PROGRAMS.name):
        return [name]
    axes = [_read_choices(name, item) for item in _split_items(name, text)]
    number = prod(map(len, axes))
    if number > MOST:
        raise UnknownBackend(f"{name}: the grid has {number} backends, and at most {MOST} can be")
    return [_write(label, head, chosen) for chosen in product(*axes)]


def _write(label: str, head: str, chosen: Iterable[Choice]) -> str:
    chosen = list(chosen)
    written = f"{head}:{','.join(item for item, _ in chosen)}"
    if not label:
        return written
    return f"{_name_short(label, (value for _, value in chosen if value))}={written}"


def _split_items(name: str, text: str) -> list[str]:
    """The items between commas, but for those within braces."""
    items, depth = [""], 0
    for piece in split_unquoted(text, ","):
        items[-1] += f",{piece}" if depth else piece
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", piece)
        depth += bare.count("{") - bare.count("}")
        if depth == 0:
            items.append("")
    if depth:
        raise UnknownBackend(f"{name}: the braces are not closed; write key={{value,value}}")
    return [item.strip() for item in items if item.strip()]


def _read_choices(name: str, item: str) -> list[Choice]:
    key, equals, values = item.partition("=")
    if not (equals and values.startswith("{") and values.endswith("}")):
        return [(item, "")]
    choices = [value.strip() for value in split_unquoted(values[1:-1], ",")]
    if not all(choices):
        raise UnknownBackend(f"{name}: a value is missing in {item}; write key={{value,value}}")
    return [(f"{key}={value}", value) for value in choices]


def tell_apart(names: Iterable[str]) -> list[str]:
    """Backends of which several have one short name, since a shell took a grid apart: each gets the
    values in which they differ after it."""
    split = [split_label(name) for name in names]
    groups: dict[str, list[list[str]]] = {}
    for short, plain in split:
        groups.setdefault(short, []).append(split_unquoted(plain.partition(":")[2], ","))
    return [
        f"{_name_short(short, _find_own_values(plain, groups[short]))}={plain}" if short else plain
        for short, plain in split
    ]


def _find_own_values(plain: str, group: list[list[str]]) -> list[str]:
    """The values of a backend in which those of its group differ; none where they have other
    options, too."""
    items = split_unquoted(plain.partition(":")[2], ",")
    if len({len(one) for one in group}) > 1:
        return []
    return [
        item.partition("=")[2] or item
        for place, item in enumerate(items)
        if len({one[place] for one in group}) > 1
    ]


def _name_short(label: str, values: Iterable[str]) -> str:
    """The short name of one backend of a grid."""
    return "-".join([label, *(re.sub(r"[^\w.+-]+", "_", value) for value in values)])


def split_backends(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Sets and files, and the backends among them: a shell makes several words of one grid.

    A backend is a word such as ``cpsat:workers=1``, with or without a short name, unless a file is
    called so.
    """
    heads = {entry.name for entry in SHIPPED}
    others: list[str] = []
    found: list[str] = []
    for word in words:
        head, colon, options = split_label(word)[1].partition(":")
        is_backend = bool(colon) and head.partition("@")[0] in heads and "=" in options
        (found if is_backend and not Path(word).exists() else others).append(word)
    return others, found
