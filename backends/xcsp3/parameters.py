"""The options of ACE, Choco and cosoco that a backend's name may set, as their help lists them:
``xcsp3:ace,varh=Dom``, ``xcsp3:choco,-f,varh=CHS``, ``xcsp3:cosoco,lc=0``.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from backends.interface.libraries.parameters import (
    EFFORT,
    FILES,
    MEMORY,
    OUTPUT,
    QUESTION,
    SEED,
    THREADS,
    TIME,
    Parameter,
    Parameters,
    ParametersElsewhere,
)
from backends.interface.options import Value
from backends.interface.programs.program import Order
from backends.interface.programs.starting import make_folder
from backends.xcsp3.programs import find_program
from modelling.errors import BackendUnavailable

SECONDS = 30.0
"""How long a program may take to print its help, or to solve a trivial instance."""

_WRITES = "Concord writes the instance itself"

COSOCO = {
    "cpu_lim": TIME,
    "mem_lim": MEMORY,
    "nbcores": THREADS,
    "nbsols": QUESTION,
    "bound": QUESTION,
    "model": OUTPUT,
    "verb": OUTPUT,
    "dsp": OUTPUT,
    "colors": OUTPUT,
    "options": OUTPUT,
    "profile": OUTPUT,
    "checksolutions": OUTPUT,
    "warmstart": FILES,
    "removeclasses": _WRITES,
}

ACE = {
    "s": QUESTION,
    "satl": QUESTION,
    "sel": QUESTION,
    "ins": QUESTION,
    "ref": QUESTION,
    "dc": _WRITES,
    "data": _WRITES,
    "variant": _WRITES,
    "sb": QUESTION,
    "pr[12]": _WRITES,
    "t": TIME,
    "r_n": EFFORT,
    "seed": SEED,
    "cd": FILES,
    "js": FILES,
    "sts": FILES,
    "warm": FILES,
    "j[laqe]": OUTPUT,
    "x[ce]": OUTPUT,
    "trace": OUTPUT,
    "rap": OUTPUT,
    "sh": OUTPUT,
    "npc": OUTPUT,
    "ev": OUTPUT,
    "v": OUTPUT,
    "prof": OUTPUT,
}

CHOCO = {
    "a": QUESTION,
    "limit": QUESTION,
    "p": THREADS,
    "seed": SEED,
    "ansi": OUTPUT,
    "csv": OUTPUT,
    "cs": OUTPUT,
    "log": FILES,
    "lvl": OUTPUT,
    "pa": _WRITES,
}


def read_cosoco(text: str) -> list[Parameter]:
    """Lines such as ``lc   = <int>   : Last Conflict reasoning``."""
    kinds = {"int": Parameter("", "integer"), "0/1": Parameter("", "switch")}
    found = re.findall(r"(?m)^(\w+) += <([\w/]+)> +: ", text)
    return [Parameter(name, kinds.get(kind, Parameter("")).kind) for name, kind in found]


def read_ace(text: str) -> list[Parameter]:
    """Entries such as ``-Varh/clazz -varh``, with its default and its possible values."""
    found = []
    for entry in re.split(r"(?m)^    -\w+/", text)[1:]:
        name = re.match(r"\w+ -(\w+)", entry)
        words = re.search(r"Possible values: (.+)", entry)
        default = re.search(r"Default value is: (.+)", entry)
        is_switch = default is not None and default[1] in ("true", "false")
        if name is not None:
            choices = tuple(words[1].split()) if words else ()
            found.append(Parameter(name[1], "switch" if is_switch else "text", choices))
    return found


_COLUMN = 40
"""Where the descriptions of Choco's help begin."""


def read_choco(text: str) -> list[Parameter]:
    """A table whose left column is ``-name (--long) TYPE``, over several lines if it is long."""
    lefts: list[str] = []
    for line in text.splitlines():
        left = line[:_COLUMN].rstrip(" :")
        if line.startswith(" -"):
            lefts.append(left)
        elif lefts and left.startswith(" "):
            lefts[-1] += left
    return [one for one in map(_read_left, lefts) if one is not None]


def _read_left(left: str) -> Parameter | None:
    found = re.match(r" -(\w+)(?: \(--[\w-]+\))? *(.*)", left)
    if found is None:
        return None
    name, kind = found[1], found[2].strip()
    if "|" in kind:
        words = tuple(word.strip() for word in kind.strip("[]").split("|"))
        return Parameter(name, choices=words)
    return Parameter(name, "integer" if kind == "N" else "text" if kind else "switch")


@dataclass(frozen=True)
class Manual:
    """How a program's help is asked for and read, what is refused, and how a value is written."""

    words: tuple[str, ...]
    read: Callable[[str], list[Parameter]]
    refused: Mapping[str, str]
    write: Callable[[str, Value], list[str]]


def _write_cosoco(name: str, value: Value) -> list[str]:
    return [f"-{name}={int(value) if isinstance(value, bool) else value}"]


def _write_ace(name: str, value: Value) -> list[str]:
    return [f"-{name}={str(value).lower() if isinstance(value, bool) else value}"]


def _write_choco(name: str, value: Value) -> list[str]:
    """A flag is given or not."""
    if isinstance(value, bool):
        return [f"-{name}"] if value else []
    return [f"-{name}={value}"]


MANUALS = {
    "cosoco": Manual(("--help",), read_cosoco, COSOCO, _write_cosoco),
    "ace": Manual((), read_ace, ACE, _write_ace),
    "choco": Manual(("-help",), read_choco, CHOCO, _write_choco),
}


@lru_cache(maxsize=8)
def list_parameters(solver: str) -> Mapping[str, Parameter]:
    """What the help of a solver that is here lists, by name."""
    text = _run(solver, [*find_program(solver).words, *MANUALS[solver].words])
    return {one.name: one for one in MANUALS[solver].read(text)}


TRIVIAL = """<instance format="XCSP3" type="CSP">
<variables><array id="x" size="[2]"> 1..2 </array></variables>
<constraints><allDifferent> x[] </allDifferent></constraints>
</instance>
"""


def check(solver: str, values: Mapping[str, Value]) -> str:
    """What a solver says of arguments with which it does not solve a trivial instance."""
    with make_folder() as folder:
        path = Path(folder, "trivial.xml")
        path.write_text(TRIVIAL)
        order = Order("one", str(path))
        words = [*find_program(solver).command(order), *write_arguments(solver, values)]
        said = _run(solver, words)
    if re.search("(?m)^s SATISFIABLE", said):
        return ""
    lines = [line for line in said.splitlines() if re.search("[a-z]{3}", line)]
    lines = [line for line in lines if not line.startswith(("c ", "v "))] or ["no reason"]
    return f"{solver} fails with {shlex.join(write_arguments(solver, values))}: {lines[0].strip()}"


def _run(solver: str, words: list[str]) -> str:
    """All that a program prints."""
    try:
        done = subprocess.run(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BackendUnavailable(f"xcsp3:{solver} cannot be asked: {error}") from error
    return done.stdout.decode("utf-8", "replace")


class ProgramParameters:
    """The parameters of the solver that the option ``solver`` names."""

    def read(self, given: Mapping[str, str], options: Mapping[str, str]) -> Mapping[str, Value]:
        """The values of what is ``given``; raises UnknownBackend."""
        return self._of(options["solver"]).read(given, options)

    def describe(self, options: Mapping[str, str]) -> list[tuple[Parameter, str]]:
        """All parameters by their names, each with why it is refused, if it is."""
        return self._of(options["solver"]).describe(options)

    def _of(self, solver: str) -> Parameters:
        refused = MANUALS[solver].refused
        return Parameters(
            f"xcsp3:{solver}",
            lambda _: list_parameters(solver),
            refused,
            check=lambda values, _: check(solver, values),
        )

    def elsewhere(self) -> ParametersElsewhere:
        """A program has no releases that Concord installs."""
        return ParametersElsewhere(Parameters("xcsp3", lambda _: {}, {}))


def write_arguments(solver: str, values: Mapping[str, Value]) -> list[str]:
    """The values as arguments of the program."""
    if not values:
        return []
    write = MANUALS[solver].write
    return [word for name, value in values.items() for word in write(name, value)]


PARAMETERS = ProgramParameters()
