"""What a worker can import: backends and families of one's own must stand in a file it can find.

A worker is a process of its own, so that what is defined in a notebook cell or in the script that
is being run does not exist in it: its ``__main__`` is another one.
"""

from __future__ import annotations

import os
import re
from importlib import invalidate_caches
from importlib.machinery import PathFinder
from importlib.util import find_spec

from modelling.errors import ExperimentError

_UNREACHABLE = ("__main__", "__mp_main__")
_NAME = re.compile(r"py:([\w-]+)(\.[\w-]+)*:[^\W\d]\w*")


def ensure_found(name: str, what: str) -> None:
    """Raise ExperimentError for a ``py:`` name that no worker can import.

    Nothing is imported, so that only the package or module at its top is looked for.
    """
    ensure_importable(name, what)
    if not name.startswith("py:"):
        return
    found = _NAME.fullmatch(name)
    if found is None:
        options = ", which has no options" if "," in name else ""
        raise ExperimentError(f"{name!r}: write py:package.module:attribute{options}")
    if not _is_found(found[1]):
        raise ExperimentError(
            f"{name}: there is no module {found[1]!r} in {os.getcwd()} nor among those installed"
        )


def _is_found(module: str) -> bool:
    """Whether a worker, which looks in the current folder first, finds a module of this name."""
    invalidate_caches()  # the file may be a moment old
    try:
        return bool(PathFinder.find_spec(module, [os.getcwd()]) or find_spec(module))
    except ValueError:  # it was made without a file: importing it tells
        return True


def ensure_importable(name: str, what: str) -> None:
    """Raise ExperimentError for a ``py:`` name that only this process knows.

    ``what`` says in the message what it is: ``a backend`` or ``a family``.
    """
    kind, _, path = name.partition(":")
    module, _, attribute = path.partition(":")
    if kind == "py" and module in _UNREACHABLE:
        raise ExperimentError(f"{name}: {_say_remedy(what, attribute or 'Mine')}")


def explain_unreachable(made: object) -> str:
    """Why a backend that was given as an object or a class cannot be run, and what to do."""
    kind = made if isinstance(made, type) else type(made)
    if kind.__module__ in _UNREACHABLE:
        return _say_remedy("a backend", kind.__name__)
    return (
        f"expected the name of a backend, not {kind.__name__} itself, which a worker process "
        f"cannot be given; name it py:{kind.__module__}:{kind.__name__}"
    )


def _say_remedy(what: str, attribute: str) -> str:
    return (
        f"{what} defined in a notebook cell or in the script itself cannot be reached "
        f"by a worker process; write it to a file beside, say mine.py, and name it "
        f"py:mine:{attribute}"
    )
