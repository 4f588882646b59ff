"""A backend whose mistakes become one line each: what it raises, and what it returns instead.

What a backend in an examination raises is its own fault, and what the examiner raises is not; so
the former is turned into a ``Misbehaviour`` where it happens.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Any

from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions
from backends.interface.evidence.answer import malformed
from modelling.errors import Unsupported
from modelling.problem import Problem

ROOT = Path(__file__).resolve().parents[2]
OWN = tuple(str(ROOT / name) for name in ("backends", "concord.py", "harness", "modelling"))
"""What is Concord's own: a fault is not located there."""

LONGEST = 300
"""Characters of a value or a message that are shown."""


class Misbehaviour(Exception):
    """What a backend did that no backend may do, in one line."""


class Watched:
    """A backend that raises ``Misbehaviour`` or ``Unsupported``, and nothing else."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """See ``Backend``."""
        verdict = _call("accepts()", self._backend.accepts, problem)
        if not isinstance(verdict, Accepted | Refused):
            raise Misbehaviour(
                f"accepts() returned {_show(verdict)}; return concord.Accepted() or "
                "concord.Refused(reason)"
            )
        return verdict

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """See ``Backend``."""
        result = _call("solve()", self._backend.solve, problem, ask, limits, sink)
        if not isinstance(result, Result):
            raise Misbehaviour(f"solve() returned {_show(result)}; return a concord.Result")
        if fault := malformed(result):
            raise Misbehaviour(fault)
        return result


def _call(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    own = os.getpid()
    try:
        return function(*arguments)
    except Unsupported:
        raise
    except BaseException as error:  # SystemExit, too, ends its answer and not the examination
        raise Misbehaviour(f"{what} raised {describe_error(error)}") from error
    finally:
        if os.getpid() != own:  # a fork of the backend's has come back as if it were us
            os._exit(0)


def describe_error(error: BaseException) -> str:
    """The error, and the place in the user's file, in one line."""
    said = str(error).partition("\n")[0][:LONGEST]
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith((*OWN, "<"))
    ]
    if isinstance(error, SyntaxError) or not frames:
        return text
    return f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


def _show(value: object) -> str:
    if value is None:
        return "None"
    try:
        return f"{type(value).__name__} {value!r}"[:LONGEST].partition("\n")[0]
    except Exception:  # a class of the user's, whose repr fails
        return f"an object of {type(value).__name__}"
