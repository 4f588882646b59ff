"""Programs of others that read the files we write, and what they answer.

A reader is run as its own process on a file, and what it prints is parsed by lines, for exit codes
mean little. It is found on the PATH, among installed packages, or where an option says; solvers of
XCSP3 are found and called as the backend ``xcsp3`` does.

Words
-----
reader      a program that reads files of one format
question    ``solutions``, all of them, or ``optimum``
sighting    one solution as it was printed: values by the names of variables; a variable that is in
            no constraint may be missing or have the value ``*``
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from backends.interface.programs.program import Order
from backends.xcsp3.programs import find_program
from modelling.errors import BackendUnavailable

SECONDS = 20.0
"""How long a reader may take for one file: all are of a few variables."""

Sighting = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reader printed: solutions in their order, and whether it says that these are all, or
    that the last is the best. ``failure`` is what it said where it gave no answer."""

    sightings: tuple[Sighting, ...] = ()
    complete: bool = False
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """How a program is called; ``FILE`` in the command is the path of the file.

    ``adapt`` makes of our file the one that is read, or None if it is not covered. ``gaps`` are
    variables that may be missing in a solution, for they are in no constraint.
    """

    name: str
    format: str
    ending: str
    commands: Mapping[str, tuple[str, ...]]
    version: str
    parse: Callable[[str, str], Answer]
    adapt: Callable[[str], str | None] = str
    gaps: bool = False

    def ask(self, text: str, question: str) -> Answer:
        """Return its answer about a file with this content."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"problem{self.ending}"
            path.write_text(text, encoding="utf-8")
            command = [str(path) if word == "FILE" else word for word in self.commands[question]]
            said, ended = run(command)
        if not ended:
            return Answer(failure=f"no end within {SECONDS:g} seconds")
        return self.parse(said, question)


def run(command: list[str]) -> tuple[str, bool]:
    """Return the output of a program, and whether it ended in time; its children end with it."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "", False
    return said.decode("utf-8", "replace"), True


# --- what they print -----------------------------------------------------------------------------

_PAIR = re.compile(r"^(\w+) = (-?[0-9]+|true|false);$", re.MULTILINE)
_INSTANTIATION = re.compile(r"<list>(.*?)</list>\s*<values>(.*?)</values>", re.DOTALL)
_BOOLEANS = {"true": "1", "false": "0"}
MOST_SAID = 300
"""Number of characters of what a program said that are kept where it gave no answer."""


def parse_flatzinc(said: str, question: str) -> Answer:
    """The output of a solver of FlatZinc: ``x = 1;``, ``----------``, ``==========``."""
    if "=====UNSATISFIABLE=====" in said:
        return Answer(complete=True)
    *shown, last = said.split("----------\n")
    if "==========" not in last:
        return Answer(failure=shorten(said))
    sightings = [
        {name: _BOOLEANS.get(value, value) for name, value in _PAIR.findall(text)} for text in shown
    ]
    return Answer(tuple(sightings), complete=True)


def parse_xcsp3(said: str, question: str) -> Answer:
    """The output of the competitions: ``s SATISFIABLE``, ``v <instantiation> ...``.

    The first line ``s`` counts: after it the last solution may be printed again, and cosoco may
    continue where it has said that there is none.
    """
    lines = said.splitlines()
    at = next((k for k, line in enumerate(lines) if line.startswith("s ")), None)
    if at is None:
        return Answer(failure=shorten(said))
    status = lines[at][2:].strip()
    values = "\n".join(line[1:] for line in lines if line.startswith("v"))
    before = "\n".join(line[1:] for line in lines[:at] if line.startswith("v"))
    if status not in ("UNSATISFIABLE", "SATISFIABLE", "OPTIMUM FOUND"):
        return Answer(failure=shorten(said))
    shown = before if status == "UNSATISFIABLE" or "<values>" in before else values
    if question == "optimum" and status != "UNSATISFIABLE":
        shown = values
        if status != "OPTIMUM FOUND":
            return Answer(failure=shorten(said))
    found = [
        dict(zip(names.split(), _spread(values), strict=True))
        for names, values in _INSTANTIATION.findall(shown)
    ]
    return Answer(tuple(found), complete=True)


def _spread(values: str) -> list[str]:
    """Values apart by blanks; ``3x2`` is 3 twice."""
    spread = []
    for word in values.split():
        value, _, times = word.partition("x")
        spread += [value] * int(times or 1)
    return spread


def shorten(said: str) -> str:
    """The lines that tell what went wrong, or the first ones."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("Warning", "v ", "c ", "c|"))]
    lines = [line for line in lines if line != "c"]
    telling = [line for line in lines if re.search("error|exception|abort|assert", line, re.I)]
    return "; ".join(telling or lines or ["nothing"])[:MOST_SAID]


# --- FlatZinc as a model -------------------------------------------------------------------------


MATRICES = {
    "fzn_table_int": ("array[int] of var int: x, array[int] of int: m", "x, array2d({}, m)"),
    "fzn_table_int_reif": (
        "array[int] of var int: x, array[int] of int: m, var bool: b",
        "x, array2d({}, m), b",
    ),
    "fzn_regular": (
        "array[int] of var int: x, int: Q, int: S, array[int] of int: d, int: q, set of int: F",
        "x, Q, S, array2d(1..Q, 1..S, d), q, F",
    ),
    "fzn_regular_nfa": (
        "array[int] of var int: x, int: Q, int: S, array[int] of set of int: d, int: q, "
        "set of int: F",
        "x, Q, S, array2d(1..Q, 1..S, d), q, F",
    ),
}
"""The arguments of constraints that have a matrix in MiniZinc, which FlatZinc writes as a list."""


def say_as_model(text: str) -> str:
    """A FlatZinc file as a MiniZinc model: what it declares is included from MiniZinc's library."""
    lines = []
    for line in text.splitlines(keepends=True):
        declared = re.match(r"predicate (\w+)\(", line)
        if declared is None:
            lines.append(line)
            continue
        name = declared[1]
        lines.append(f'include "{name}.mzn";\n')
        if name in MATRICES:
            taken, given = MATRICES[name]
            given = given.format("1..length(m) div length(x), index_set(x)")
            lines.append(f"predicate {name}({taken}) = {name}({given});\n")
    return "".join(lines)


def with_builtins_only(text: str) -> str | None:
    """A FlatZinc file as it is, unless it declares constraints: solvers name these otherwise."""
    return None if re.search("^predicate ", text, re.MULTILINE) else text


# --- the programs --------------------------------------------------------------------------------


def find_version(command: Sequence[str], pattern: str) -> str:
    """The release, as the program tells it."""
    found = re.search(pattern, run(list(command))[0])
    return found[1] if found else "unknown"


def _locate(place: str, program: str) -> str:
    found = place or shutil.which(program)
    if found is None:
        raise BackendUnavailable(f"no program {program} is on the PATH")
    return found


def _fzn_gecode(place: str) -> Reader:
    program = _locate(place, "fzn-gecode")
    call = (program, "-a", "FILE")
    return Reader(
        "fzn-gecode",
        "flatzinc",
        ".fzn",
        {"solutions": call, "optimum": call},
        find_version((program, "--help"), "Version: ([0-9.]+)"),
        parse_flatzinc,
        with_builtins_only,
    )


def _minizinc(place: str, name: str = "minizinc", form: str = "minizinc") -> Reader:
    program = _locate(place, "minizinc")
    call = (program, "--solver", "org.gecode.gecode", "-a", "--output-mode", "dzn", "FILE")
    return Reader(
        name,
        form,
        ".mzn",
        {"solutions": call, "optimum": call},
        find_version((program, "--version"), "version ([0-9.]+)"),
        parse_flatzinc,
        say_as_model if form == "flatzinc" else str,
    )


def _xcsp3(place: str, name: str) -> Reader:
    """A solver as its backend calls it."""
    solver = find_program(name, place)
    return Reader(
        name,
        "xcsp3",
        ".xml",
        {
            "solutions": tuple(solver.command(Order("all", "FILE"))),
            "optimum": tuple(solver.command(Order("optimum", "FILE"))),
        },
        solver.version,
        parse_xcsp3,
        gaps=True,
    )


READERS: Mapping[str, tuple[str, Callable[[str], Reader]]] = {
    "fzn-gecode": ("fzn-gecode", _fzn_gecode),
    "minizinc-flat": ("minizinc", partial(_minizinc, name="minizinc-flat", form="flatzinc")),
    "minizinc": ("minizinc", _minizinc),
    "cosoco": ("cosoco", partial(_xcsp3, name="cosoco")),
    "ace": ("ACE-*.jar", partial(_xcsp3, name="ace")),
    "choco": ("choco-parsers-*.jar", partial(_xcsp3, name="choco")),
}
"""By name: the program or jar that it needs, and how it is called with that."""


def find_reader(name: str, place: str | None = None) -> Reader | str:
    """The reader of this name, or why there is none. ``place`` is its program or jar, if known."""
    try:
        return READERS[name][1](place or "")
    except BackendUnavailable as error:
        return str(error)
