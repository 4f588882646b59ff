"""What a user calls a solver becomes the name of a backend, or an error that says how to write it.

A file may be named by its path, with ``.py`` or without: ``py:students/alice.py:Solver`` is
``py:students.alice:Solver``.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from backends.interface import registry
from modelling.errors import InputError
from modelling.wording import did_you_mean
from modelling.working_folder import append_working_folder


def resolve_name(name: str) -> str:
    """The name of the backend, in which a module has its dotted name.

    Raises InputError for a module or file that is not there, and what ``registry.spec`` raises for
    the name of a backend that ships.
    """
    head, _, rest = name.partition(":")
    if head != "py":
        if _to_file(head).is_file():
            module = _find_module(name, head)
            raise InputError(f"{name!r}: write py:{module}:CLASS for a class in {_to_file(head)}")
        registry.spec(name)
        return name
    module, _, attribute = rest.rpartition(":")
    if not module or not attribute:
        raise InputError(f"{name!r}: write py:MODULE:CLASS, such as py:mine:Solver")
    if module.endswith(".py") or {"/", os.sep} & {*module}:
        return f"py:{_find_module(name, module)}:{attribute}"
    append_working_folder()
    top = module.partition(".")[0]
    if not top or importlib.util.find_spec(top) is None:
        raise InputError(
            f"{name}: there is no {top}.py in this folder, and no module {top} is installed"
            f"{did_you_mean(top, _list_modules(Path()))}"
        )
    return name


def _find_module(name: str, path: str) -> str:
    """The dotted name of the module that is the file with this path, seen from this folder."""
    file = _to_file(path)
    if not file.is_file():
        hint = did_you_mean(file.stem, _list_modules(file.parent))
        raise InputError(f"{name}: the file {file} does not exist{hint}")
    place, here = file.resolve().with_suffix(""), Path.cwd().resolve()
    if not place.is_relative_to(here):
        raise InputError(
            f"{name}: {file} is not below this folder; change to {place.parent} and name it "
            f"py:{place.name}:CLASS"
        )
    parts = place.relative_to(here).parts
    if wrong := next((part for part in parts if not part.isidentifier()), None):
        raise InputError(
            f"{name}: {wrong!r} cannot be part of a module's name; rename it, with letters, digits "
            "and _ alone"
        )
    return ".".join(parts)


def _to_file(path: str) -> Path:
    return Path(f"{path.removesuffix('.py')}.py")


def _list_modules(folder: Path) -> list[str]:
    return [file.stem for file in sorted(folder.glob("*.py"))]
