"""How options are declared, those that several verbs share, and how the texts in them are read."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import typer

from modelling.errors import InputError


def argument(default: Any, metavar: str, text: str, **more: Any) -> Any:
    """A word without a name; ``...`` as default for one that must be given."""
    return typer.Argument(default, metavar=metavar, help=text, **more)


def value(default: Any, metavar: str, text: str, *names: str, **more: Any) -> Any:
    """An option with a value; without ``names`` it is called as its parameter is."""
    return typer.Option(default, *names, metavar=metavar, help=text, **more)


def flag(name: str, text: str, default: Any = False) -> Any:
    """An option that is given or not, or takes one of a few words."""
    return typer.Option(default, name, help=text)


def parse_path(text: str) -> Path:
    """The path in an option; an empty one would be the folder one is in."""
    if not text:
        raise typer.BadParameter("a path must not be empty")
    return Path(text)


def parse_file(text: str) -> Path:
    """The path of a file to write; ``-`` is refused, since elsewhere it is standard output."""
    if text == "-":
        raise typer.BadParameter("must be a file; write ./- for one that is called -")
    return parse_path(text)


def parse_seconds(text: str) -> float:
    """A time limit: a number of seconds that is neither 0 nor without end."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise typer.BadParameter(f"must be a number above 0, not {text!r}")
    return seconds


def backend(text: str) -> Any:
    """An option with a solver's name."""
    return value(None, "B", text, "--backend", "-b")


def seconds(default: float | None, text: str, *names: str) -> Any:
    """An option with a number of seconds."""
    return value(default, "T", text, *names, parser=parse_seconds)


def file(text: str) -> Any:
    """An option with the path of a file to write."""
    return value(None, "FILE", text, "--out", parser=parse_file)


def folder(default: Any, text: str) -> Any:
    """An option with the path of a run's folder."""
    return value(default, "DIR", text, "--out", parser=parse_path)


def jobs(default: int | None, text: str = "Run at most J jobs at the same time.") -> Any:
    """An option with a number of jobs."""
    return value(default, "J", text, min=1)


def parse_count(text: str) -> int | Literal["all"]:
    """``--count``: a number of at least 1, or ``all``."""
    if text == "all":
        return "all"
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < 1:
        raise InputError(f"--count must be a number of at least 1 or 'all', not {text!r}")
    return int(text)


QUIET = typer.Option(False, "--quiet", "-q", help="Show no progress and no notes.")
JSON = flag("--json", "Print the results as JSON.")
WIDE = flag("--wide", "Show all columns and rows.")
FORCE = flag("--force", "Replace the output if it exists.")
OUT = folder(None, "Folder of the run (default: a new one under ./results/runs).")
OUT_FILE = file("Output file (default: standard output).")


class Sandbox(StrEnum):
    """The words of ``--sandbox``."""

    auto = "auto"
    require = "require"
    off = "off"


SANDBOX = flag(
    "--sandbox",
    "Keep workers from the store, rivals and the network: as far as the kernel can, or "
    "else stop, or not at all.",
    Sandbox.auto,
)
CERTIFY = flag(
    "--certify", "Ask each solver that can for proofs, which are checked outside its time."
)
PROOF_SECONDS = value(
    None, "T", "With --certify: limit in seconds for each check (default: 60).", min=1
)
YES = flag("--yes", "Make missing environments of releases without asking.")
OFFLINE = flag("--offline", "Make no environments: those of all releases must be there.")
A_RUN = "Folder or name of a run, or the word latest."
LATEST = argument("latest", "RUN", A_RUN)
SOURCES = argument(
    None,
    "PUZZLE|FILE|SET|-",
    "Puzzles, files or sets; files of data follow their model; - (default) is standard input.",
)
SOURCE = argument("-", "PUZZLE|FILE|SET|-", "A puzzle, a file or a set; - is standard input.")
