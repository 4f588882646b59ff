"""What a worker is started with: an interpreter, and where that finds modules.

A worker of a release runs the very source that this process runs, by the interpreter of the
release's environment, in which no other package of this process is found. Where Concord is
installed, its packages are among those others, so a folder of links to them alone is made.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from harness.environments.making import find
from harness.environments.recipe import (
    PACKAGES,
    SOURCE,
    environments_folder,
    interpreter_path,
    recipe_for,
    site_folders,
)
from modelling.errors import UnknownBackend

SITES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Interpreter:
    """``python`` with ``source`` at the end of its module path until it gets ``path``.

    ``environment`` is the digest of the environment, empty for the interpreter of this process.
    """

    python: str
    source: str
    path: tuple[str, ...]
    environment: str = ""


def interpreter_for(backend: str) -> Interpreter:
    """That of the backend's release, or of this process if it names none.

    Also where its environment is not there, or cannot be: the worker then says what is wrong.
    """
    path = _module_path()
    own = Interpreter(sys.executable, str(SOURCE), path)
    try:
        recipe = recipe_for(backend)
    except UnknownBackend:
        return own
    environment = None if recipe is None else find(recipe)
    if recipe is None or environment is None:
        return own
    source = _source_alone()
    folder = environment.recipe.folder
    sites = map(str, site_folders(folder))
    kept = (entry for entry in path if not _holds_packages(entry))
    python = str(interpreter_path(folder))
    searched = _with_working_folder_last([source, *kept, *sites])
    return Interpreter(python, source, searched, environment.digest)


def _module_path() -> tuple[str, ...]:
    """That of this process, with the working folder at its end, so that it hides nothing."""
    return _with_working_folder_last([entry or os.getcwd() for entry in sys.path])


def _with_working_folder_last(path: list[str]) -> tuple[str, ...]:
    """Unchanged where the working folder is the source of Concord that this process runs."""
    folder = os.getcwd()
    if folder not in path or Path(folder).resolve() == SOURCE.resolve():
        return tuple(path)
    return (*(entry for entry in path if entry != folder), folder)


def _holds_packages(entry: str) -> bool:
    """Whether what was installed for this process is in a folder of the module path."""
    known = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return entry in known or Path(entry).name in SITES


def _source_alone() -> str:
    """A folder with Concord's packages and nothing else."""
    if not _holds_packages(str(SOURCE)):
        return str(SOURCE)
    name = f"source-{blake2b(os.fsencode(SOURCE), digest_size=8).hexdigest()}"
    folder = environments_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        try:
            (folder / package).symlink_to(SOURCE / package)
        except FileExistsError:  # from an earlier time, or made at this moment by another process
            continue
    return str(folder)
