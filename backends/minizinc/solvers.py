"""The solvers that MiniZinc has, as it lists them itself (``--solvers-json``).

A solver is called by the last part of its identifier, ``gecode`` for ``org.gecode.gecode``, or by
all of it. Those with a window of their own are left out, and those of whose library there is only
the interface: MiniZinc names CPLEX and others without them.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import lru_cache
from typing import Any, NamedTuple

from modelling.errors import BackendUnavailable, UnknownBackend
from modelling.wording import did_you_mean

SECONDS = 30.0
"""How long MiniZinc may take to list its solvers."""

INSTALL = "install MiniZinc (https://www.minizinc.org; Debian: apt install minizinc)"

LARGEST = {"gecode": (1 << 31) - 2, "chuffed": 500_000_000}
"""The greatest values of their integers, by their documentation."""

LARGEST_SUM = {"gecode": 1 << 60}
"""The same for sums that are compared, where these are wider: Gecode's propagators of linear
comparisons calculate with 64 bits where a sum may leave 32 (``Int::Linear`` in its reference)."""

OTHERWISE = (1 << 30) - 1
"""The same for a solver of which nothing is known."""


class InstalledSolver(NamedTuple):
    """A solver that MiniZinc has: ``identifier`` is its own, ``word`` what it is called here;
    ``flags`` are those of MiniZinc's that it takes, ``extra`` its own: each a flag, what it is
    about, its type and its default."""

    word: str
    identifier: str
    version: str
    flags: frozenset[str]
    tags: frozenset[str]
    extra: tuple[tuple[str, ...], ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether its integers are; those of linear programming are floating-point numbers."""
        return "mip" not in self.tags

    @property
    def largest(self) -> int:
        """The greatest value that it holds."""
        return LARGEST.get(self.word, OTHERWISE)

    @property
    def largest_sum(self) -> int | None:
        """The greatest sum that it compares; None if that is ``largest``."""
        return LARGEST_SUM.get(self.word)


def find_program() -> str:
    """MiniZinc; BackendUnavailable says what to install."""
    found = shutil.which("minizinc")
    if found is None:
        raise BackendUnavailable(f"minizinc needs a program minizinc on the PATH: {INSTALL}")
    return found


def find_solver(word: str) -> InstalledSolver:
    """The solver of this name; UnknownBackend lists those that are there."""
    known = read_solvers(find_program())
    for one in known:
        if word in (one.word, one.identifier.lower()):
            return one
    words = [one.word for one in known]
    raise UnknownBackend(
        f"minizinc: this MiniZinc has no solver {word!r}{did_you_mean(word, words)} "
        f"(there are: {', '.join(words) or 'none'})"
    )


@lru_cache(maxsize=8)
def read_solvers(program: str) -> tuple[InstalledSolver, ...]:
    """All that can be used, as a MiniZinc lists them."""
    output = _ask(program, "--solvers-json")
    try:
        listed = json.loads(output)
    except ValueError as error:
        raise BackendUnavailable(f"{program} does not list its solvers as JSON: {error}") from error
    found: dict[str, InstalledSolver] = {}
    for one in listed:
        if _is_usable(one):
            identifier = str(one["id"])
            word = identifier.rpartition(".")[2].lower()
            word = identifier.lower() if word in found else word
            found[word] = InstalledSolver(
                word,
                identifier,
                str(one.get("version", "")),
                frozenset(one.get("stdFlags") or ()),
                frozenset(one.get("tags") or ()),
                tuple(tuple(map(str, flag)) for flag in one.get("extraFlags") or ()),
            )
    return tuple(found.values())


def _is_usable(listed: Any) -> bool:
    has_library = not str(listed.get("version", "")).startswith("<unknown")
    return has_library and not listed.get("isGUIApplication", False)


@lru_cache(maxsize=8)
def find_release(program: str) -> str:
    """MiniZinc's own version."""
    found = re.search("version ([0-9.]+)", _ask(program, "--version"))
    return found[1] if found else ""


def _ask(program: str, flag: str) -> str:
    try:
        done = subprocess.run(
            [program, flag],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BackendUnavailable(f"{program} cannot be run: {error}") from error
    return done.stdout.decode("utf-8", "replace")


def list_found() -> list[str]:
    """Each solver that is here, with its version."""
    return [f"{one.word} {one.version}" for one in read_solvers(find_program())]
