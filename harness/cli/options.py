"""The options that several verbs share, each declared once, and how the texts in them are read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from modelling.errors import InputError


def value(metavar: str, text: str, *names: str, **more: Any) -> Any:
    """An option with a value; without ``names`` it is called as its parameter is."""
    return typer.Option(*names, metavar=metavar, help=text, **more)


def flag(name: str, text: str) -> Any:
    """An option that is given or not, or takes one of a few words."""
    return typer.Option(name, help=text)


def parse_path(text: str) -> Path:
    """The path in an option; an empty one would be the folder one is in."""
    if not text:
        raise typer.BadParameter("a path must not be empty")
    return Path(text)


def parse_seconds(text: str) -> float:
    """A time limit: a number of seconds that is neither 0 nor without end."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise typer.BadParameter(f"the number of seconds must be above 0, not {text!r}")
    return seconds


def backend(text: str) -> Any:
    """An option with a solver's name."""
    return value("B", text, "--backend", "-b")


def seconds(text: str) -> Any:
    """An option with a number of seconds."""
    return value("T", text, parser=parse_seconds)


def file(text: str) -> Any:
    """An option with the path of a file to write."""
    return value("FILE", text, "--out", parser=parse_path)


def parse_count(text: str) -> int | Literal["all"]:
    """``--count``: a number of at least 1, or ``all``."""
    if text == "all":
        return "all"
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < 1:
        raise InputError(f"--count must be a number of at least 1 or 'all', not {text!r}")
    return int(text)


Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no notes.")]
Json = Annotated[bool, flag("--json", "Print the results as JSON.")]
Wide = Annotated[bool, flag("--wide", "Show all columns and rows.")]
Force = Annotated[bool, flag("--force", "Replace the output if it exists.")]
Out = Annotated[
    Path | None,
    value("DIR", "Folder of the run (default: a new one under ./results/runs).", parser=parse_path),
]
OutFile = Annotated[Path | None, file("Output file (default: standard output).")]
JOBS = value("J", "Run at most J jobs at the same time.", min=1)
Jobs = Annotated[int, JOBS]
RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="Folder or name of a run, or the word latest.")
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE|FILE|SET|-", help="A puzzle, a file or a set; - is standard input."
    ),
]
"""The default of each verb is ``-``."""
