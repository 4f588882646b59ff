"""What every verb of the command line shares: exit statuses, errors, options, JSON.

A verb is a function that returns an exit status: 0 fine, 1 a dispute, a wrong answer or bad lines
in the input, 2 wrong usage, 130 interrupted. Results go to standard output, talk to standard error.
"""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modelling.errors import BackendError, ConcordError, InputError

if TYPE_CHECKING:
    import pandas as pd

FINE, TROUBLE, USAGE, INTERRUPTED = 0, 1, 2, 130

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system answers where nothing more can be written."""

app = typer.Typer(
    name="concord",
    help="Compare constraint solvers: which for my problem, how much faster, and do they agree?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def verb(
    name: str | None = None, group: typer.Typer = app, **settings: Any
) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Make a function that returns an exit status a command of the line, or of a group of it."""

    def register(function: Callable[..., int]) -> Callable[..., None]:
        @wraps(function)
        def command(**arguments: Any) -> None:
            raise typer.Exit(status_of(lambda: function(**arguments)))

        group.command(name, **settings)(command)
        return command

    return register


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


# Options that several verbs share.
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes.")]
Json = Annotated[bool, typer.Option("--json", help="Results as JSON.")]
Wide = Annotated[bool, typer.Option("--wide", help="Show all columns and rows.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        parser=named_path,
        metavar="DIR",
        help="The run's folder; by default one under ./results/runs.",
    ),
]
OutFile = Annotated[
    Path | None,
    typer.Option("--out", parser=named_path, metavar="FILE", help="Where; else standard output."),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, metavar="J", help="So many at a time.")]
RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="A run: its folder, its name, or latest.")
]


def solution_limit(text: str) -> int | Any:
    """``--count``: a number of at least 1, or ``all``."""
    if text == "all":
        return text
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < 1:
        raise InputError(f"--count takes a number of at least 1 or 'all', not {text!r}")
    return int(text)


def told(screen: Any, bad: list[Any]) -> int:
    """Say which lines of the input could not be read; 1 if there are any."""
    for error in bad:
        screen.complain(str(error))
    return TROUBLE if bad else FINE


def records(frame: pd.DataFrame) -> Any:
    return json.loads(frame.to_json(orient="records"))


def write_json(data: Any) -> int:
    sys.stdout.write(json.dumps(data, indent=2) + "\n")
    return FINE
