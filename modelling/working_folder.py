"""The working folder on the module path: its modules are found last, so that they hide nothing.

``py:mine:Solver``, ``py:mine:family`` and a model's own constraints are read from files beside the
user. A folder ``ortools`` or ``numpy`` there must not take the place of an installed package: a
solver that ships would answer in the words of another program.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

_appended: list[str] = []


def append_working_folder() -> None:
    """Let modules of the working folder be imported, after all others.

    One that was appended before is removed: after ``os.chdir`` it is the working folder no more.
    """
    folder = os.getcwd()
    for former in [one for one in _appended if one != folder]:
        _appended.remove(former)
        if former in sys.path:
            sys.path.remove(former)
    if folder not in sys.path:
        sys.path.append(folder)
        _appended.append(folder)


def find_in_working_folder(module: str) -> str:
    """The file or folder by which the working folder provides ``module``.

    Empty where it is found elsewhere, or nowhere. Only the name before the first point is looked
    for, and nothing is imported.
    """
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):  # a module that was made without a file
        return ""
    if spec is None:
        return ""
    folder = Path.cwd().resolve()
    if str(folder) in _site_folders():
        return ""
    places = spec.submodule_search_locations or [spec.origin or ""]
    return next((place for place in places if place and _parent(place) == folder), "")


def _parent(place: str) -> Path:
    return Path(place).resolve().parent


def _site_folders() -> set[str]:
    """Where packages are installed."""
    paths = (sysconfig.get_path(name) for name in ("purelib", "platlib"))
    return {str(Path(path).resolve()) for path in paths if path}
