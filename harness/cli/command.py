"""What every verb of the command line shares: how it is registered, its exit status, its errors.

A verb is a function that returns an exit status: 0 fine, 1 a dispute, a wrong answer, a backend
that failed or bad lines in the input, 2 wrong usage, 130 interrupted. Results go to standard
output, talk to standard error.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from functools import partial, wraps
from shutil import get_terminal_size
from textwrap import fill
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from harness import interrupts
from modelling.errors import BackendError, ConcordError, InputError
from modelling.wording import did_you_mean

FINE, TROUBLE, USAGE, INTERRUPTED = 0, 1, 2, interrupts.INTERRUPTED

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


class Command(TyperCommand):
    """A command that tells in plain words what is wrong with a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As typer does, but for the words of its errors."""
        try:
            return list(super().parse_args(ctx, args))
        except typer.BadParameter as error:
            error.message = _reword(error)
            raise


def _reword(error: typer.BadParameter) -> str:
    """What typer says of a value; newer ones of it hand on what pydantic says."""
    list_errors = getattr(error.__cause__, "errors", list)
    found: dict[str, Any] = next(iter(list_errors()), {})
    bounds: dict[str, Any] = found.get("ctx", {})
    words = {
        "greater_than_equal": f"must be at least {bounds.get('ge')}",
        "less_than_equal": f"must be at most {bounds.get('le')}",
        "int_parsing": "must be a whole number",
        "int_parsing_size": "must be a number with fewer digits",
    }
    if found.get("type") in words:
        return f"{words[found['type']]}, not {found['input']!r}"
    said = str(error.message).removeprefix("Value error, ")
    if choice := CHOICE.fullmatch(said):
        return _reword_choice(error, choice["given"], choice["known"])
    return said


CHOICE = re.compile(r"'(?P<given>.*)' is not one of (?P<known>'.*')\.", re.DOTALL)
"""What typer says of a word that is none of the choices."""


def _reword_choice(error: typer.BadParameter, given: str, known: str) -> str:
    """The nearest of the choices, then all of them, in lines that fit behind what typer writes."""
    choices = known[1:-1].split("', '")
    text = f"{given!r} is none of its values{did_you_mean(given, choices)}"
    text += f" (there are: {', '.join(choices)})"
    before = f"Error: {error.format_message().removesuffix(error.message)}"
    whole = partial(fill, break_long_words=False, break_on_hyphens=False)
    width = get_terminal_size().columns
    return whole(text, width=width, initial_indent="." * len(before))[len(before) :]


def format_examples(*examples: str) -> str:
    """Examples as the end of a help text; each line stays one."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)])


def verb(
    *examples: str, group: typer.Typer = app, **settings: Any
) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Make a function that returns an exit status a command of the line, or of a group of it.

    ``examples`` are whole command lines, with a comment after ``#`` if they need one; ``settings``
    are those of the command.
    """

    def register(function: Callable[..., int]) -> Callable[..., None]:
        def work(arguments: dict[str, Any]) -> int:
            with interrupts.raise_interrupts():  # a verb alone has something to put in order
                status = function(**arguments)
                sys.stdout.flush()
            return status

        @wraps(function)
        def command(**arguments: Any) -> None:
            raise typer.Exit(status_of(lambda: work(arguments)))

        settings.setdefault("cls", Command)
        group.command(epilog=format_examples(*examples), **settings)(command)
        return command

    return register


def status_of(action: Callable[[], int]) -> int:
    """Every expected error becomes one line on standard error and an exit status."""
    try:
        status = action()
        sys.stdout.flush()
    except ConcordError as error:
        _complain(str(error))
        return USAGE if isinstance(error, InputError | BackendError) else TROUBLE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left, as in `| head`: nothing is wrong, and nothing more can be said.
        discard_output()
        return FINE
    except OSError as error:
        if error.filename is not None:  # a path that was given: too long, or not to be entered
            _complain(f"{error.filename}: {error.strerror}")
        elif error.errno in FULL:  # whoever writes to a file of its own tells it by its name
            discard_output()
            _complain(f"the output cannot be written: {error.strerror}")
        else:
            raise
        return USAGE
    return status


def _complain(text: str) -> None:
    """One line on standard error; on a terminal as many as it needs, and no word is broken."""
    text = f"concord: {text}"
    if sys.stderr.isatty():
        width = get_terminal_size().columns
        whole = partial(fill, width=width, break_long_words=False, break_on_hyphens=False)
        text = "\n".join(map(whole, text.splitlines()))
    print(text, file=sys.stderr)


def discard_output() -> None:
    """Standard output goes nowhere from here on, lest Python complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_streams() -> None:
    """What the caller has closed (``>&-``) is read from nowhere and written to nowhere.

    In the order of their numbers, so that each takes its own, and no store takes that of another.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - to the end
