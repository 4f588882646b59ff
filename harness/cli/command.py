"""What every verb of the command line shares: exit statuses, errors, options, JSON.

A verb is a function that returns an exit status: 0 fine, 1 a dispute, a wrong answer, a backend
that failed or bad lines in the input, 2 wrong usage, 130 interrupted. Results go to standard
output, talk to standard error.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness import interrupts
from modelling.errors import BackendError, ConcordError, InputError

if TYPE_CHECKING:
    import pandas as pd

    from harness.cli.screen import Screen

FINE, TROUBLE, USAGE, INTERRUPTED = 0, 1, 2, interrupts.INTERRUPTED

END_OF_INPUT = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system answers where nothing more can be written."""

app = typer.Typer(
    name="concord",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from modelling.versions import find_version

        found = find_version()
        print(f"concord {found}" if found else "concord, run from a folder that is not installed")
        raise typer.Exit(FINE)


@app.callback()
def concord(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Compare constraint solvers: which for my problem, how much faster, and do they agree?"""


def examples_text(examples: Sequence[str]) -> str:
    """Examples as they stand at the end of a help text; each line stays one."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)])


def verb(
    *examples: str, group: typer.Typer = app, **settings: Any
) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Make a function that returns an exit status a command of the line, or of a group of it.

    ``examples`` are whole command lines, with a comment after ``#`` if they need one.
    """

    def register(function: Callable[..., int]) -> Callable[..., None]:
        @wraps(function)
        def command(**arguments: Any) -> None:
            raise typer.Exit(status_of(lambda: _call_verb(function, arguments)))

        group.command(epilog=examples_text(examples), **settings)(command)
        return command

    return register


def _call_verb(function: Callable[..., int], arguments: dict[str, Any]) -> int:
    """Call a verb, which alone has something to put in order when it is interrupted."""
    with interrupts.raise_interrupts():
        status = function(**arguments)
        sys.stdout.flush()
    return status


def status_of(action: Callable[[], int]) -> int:
    """Every expected error becomes one line on standard error and an exit status."""
    try:
        status = action()
        sys.stdout.flush()
    except ConcordError as error:
        print(f"concord: {error}", file=sys.stderr)
        return USAGE if isinstance(error, InputError | BackendError) else TROUBLE
    except KeyboardInterrupt:
        print("concord: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left, as in `| head`: nothing is wrong, and nothing more can be said.
        _silence()
        return FINE
    except OSError as error:
        if error.filename is not None:  # a path that was given: too long, or not to be entered
            print(f"concord: {error.filename}: {error.strerror}", file=sys.stderr)
        elif error.errno in FULL:  # whoever writes to a file of its own tells it by its name
            _silence()
            print(f"concord: the output cannot be written: {error.strerror}", file=sys.stderr)
        else:
            raise
        return USAGE
    return status


def _silence() -> None:
    """Standard output goes nowhere from here on, lest Python complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_streams() -> None:
    """What the caller has closed (``>&-``) is read from nowhere and written to nowhere.

    In the order of their numbers, so that each takes its own, and no store takes that of another.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - to the end


def named_path(text: str) -> Path:
    """The path in an option; an empty one would be the folder one is in."""
    if not text:
        raise typer.BadParameter("a path must not be empty")
    return Path(text)


def seconds_above_0(text: str) -> float:
    """A time limit: a number of seconds that is neither 0 nor without end."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise typer.BadParameter(f"the number of seconds must be above 0, not {text!r}")
    return seconds


def announce_waiting(source: str, screen: Screen) -> None:
    """On a terminal: a verb that reads standard input would seem to hang."""
    if source == "-" and sys.stdin.isatty():
        screen.note(f"Waiting for puzzles, one a line; {END_OF_INPUT} ends the input.")


# Options that several verbs share.
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no notes.")]
Json = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
Wide = Annotated[bool, typer.Option("--wide", help="Show all columns and rows.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        parser=named_path,
        metavar="DIR",
        help="Folder of the run (default: a new one under ./results/runs).",
    ),
]
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out", parser=named_path, metavar="FILE", help="Output file (default: standard output)."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")]
Jobs = Annotated[
    int, typer.Option("--jobs", min=1, metavar="J", help="Run at most J jobs at the same time.")
]
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


def solution_limit(text: str) -> int | Any:
    """``--count``: a number of at least 1, or ``all``."""
    if text == "all":
        return text
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < 1:
        raise InputError(f"--count must be a number of at least 1 or 'all', not {text!r}")
    return int(text)


def report_bad_lines(screen: Screen, bad: Sequence[object]) -> int:
    """Say which lines of the input could not be read; 1 if there are any."""
    for error in bad:
        screen.complain(str(error))
    return TROUBLE if bad else FINE


def as_records(frame: pd.DataFrame) -> Any:
    """The rows of a table as plain dictionaries, for JSON."""
    return json.loads(frame.to_json(orient="records"))


def write_json(data: Any) -> int:
    """Print ``data``; returns the exit status."""
    sys.stdout.write(json.dumps(data, indent=2) + "\n")
    return FINE
