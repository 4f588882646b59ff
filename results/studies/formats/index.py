"""The list of a folder of instances with known answers: ``INDEX.toml``, an ``[[instance]]`` a file.

Words
-----
group   the folder of a file, as ``flatzinc-optimum``; it determines the format
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from modelling.errors import InputError

GROUPS = {
    "xcsp3": "xcsp3",
    "flatzinc-constraint": "flatzinc",
    "flatzinc-infeasible": "flatzinc",
    "flatzinc-optimum": "flatzinc",
    "cnf": "cnf",
    "cnf-count": "cnf",
    "opb": "opb",
    "wcnf": "wcnf",
    "magic-square-completion": "magic_square",
}
"""The family of each group that is asked about; ``.wbo`` among ``opb`` is of that format, too."""


class Listed(NamedTuple):
    """One file of the list; ``name`` is that of its instance."""

    name: str
    path: Path
    group: str
    facts: dict[str, Any]


def read_index(folder: Path, groups: Sequence[str] | None = None) -> Iterator[Listed]:
    """The files of the groups (by default of all that are asked about), in the list's order."""
    try:
        data = tomllib.loads((folder / "INDEX.toml").read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{folder} holds no INDEX.toml: {error.strerror}") from error
    for facts in data["instance"]:
        group, _, rest = str(facts["file"]).partition("/")
        if group in (groups or GROUPS):
            yield Listed(rest, folder / facts["file"], group, facts)
