"""Environments are made once, whole or not at all.

One is made under a temporary name beside its place and renamed when it is complete, with a lock
held, so that two who want the same make it once. ``concord.json`` says what is in it: the
recipe, what was installed, and the digest of that.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from importlib.metadata import distributions
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from backends.interface.registry import without_label
from harness.environments.installing import fill
from harness.environments.recipe import (
    Recipe,
    environments_folder,
    interpreter_path,
    recipe_for,
    site_folders,
)
from modelling.errors import BackendUnavailable, InputError
from modelling.wording import join_words, plural
from puzzles.sets.locking import locked

RECORD = "concord.json"

WAITING, MAKING, READY = "waiting for another process", "making the environment", "ready"
STAGES = (WAITING, MAKING, READY)
"""What is reported between the lines of the tools."""


class Environment(msgspec.Struct, frozen=True):
    """An environment that is there: ``installed`` has the version of each distribution.

    ``digest`` is that of what is installed, ``made_by`` uv or pip.
    """

    recipe: Recipe
    installed: dict[str, str]
    digest: str
    made_by: str
    made: datetime

    @property
    def version(self) -> str:
        """The exact release of the solver."""
        return self.installed[self.recipe.distribution]


Agree = Callable[[Sequence[Recipe]], bool]
"""Whether these environments may be made."""

OnStep = Callable[[Recipe, str], None]
"""Hears what is done for a recipe: a line of the tool, or one of ``STAGES``."""


def find(recipe: Recipe) -> Environment | None:
    """The environment of a recipe, if it was made and its interpreter is still there.

    For an exact release also one that was made for less, as 9.12, and has come to that release.
    """
    found = _read(recipe.folder)
    if found is not None and found.recipe == recipe:
        return found
    for other in list_made():
        same = replace(other.recipe, release=recipe.release, requires=recipe.requires) == recipe
        if same and other.version == recipe.release and other.recipe.beside == recipe.beside:
            return other
    return None


def _read(folder: Path) -> Environment | None:
    if not interpreter_path(folder).exists():  # also when Python has moved from under it
        return None
    try:
        return msgspec.json.decode((folder / RECORD).read_bytes(), type=Environment)
    except (OSError, msgspec.MsgspecError):
        return None


def list_made() -> list[Environment]:
    """The environments that are there, those of other interpreters too, by name."""
    records = sorted(environments_folder().glob(f"*/{RECORD}"))
    return [one for record in records if (one := _read(record.parent)) is not None]


def remove(environment: Environment) -> None:
    """Remove an environment; what runs in it would break."""
    with _holding(environment.recipe.folder):
        shutil.rmtree(environment.recipe.folder)


def refuse(missing: Sequence[Recipe]) -> bool:
    """Where nobody can be asked, nothing is made."""
    return False


def make_missing(
    names: Sequence[str],
    agree: Agree = refuse,
    *,
    offline: bool = False,
    on_step: OnStep = lambda recipe, text: None,
) -> list[Environment]:
    """The environments of those backends that name a release; what is not there is made.

    Raises InputError where something is missing that ``agree`` or ``offline`` does not allow to
    make, before anything is made, and BackendUnavailable where it cannot be made.
    """
    recipes = list(dict.fromkeys(filter(None, map(recipe_for, names))))
    missing = [recipe for recipe in recipes if find(recipe) is None]
    if missing:
        what = f"{plural(len(missing), 'environment')} ({join_words(list(map(str, missing)))})"
        if offline:
            raise InputError(
                f"--offline: {what} would have to be made; leave --offline out, or make what is "
                f"missing while there is a network: {_command(names)}"
            )
        if not agree(missing):
            raise InputError(
                f"{what} would be made under {environments_folder()}, with packages from the index "
                "that pip uses; give --yes (in Python yes=True), or make what is missing "
                f"beforehand: {_command(names)}"
            )
    return [make(recipe, on_step) for recipe in recipes]


def make(recipe: Recipe, on_step: OnStep = lambda recipe, text: None) -> Environment:
    """The environment of a recipe, made if need be. Raises BackendUnavailable."""
    found = find(recipe)
    if found is not None:
        return found
    with _holding(recipe.folder, lambda: on_step(recipe, WAITING)):
        found = find(recipe)
        if found is not None:  # the other one has made it
            return found
        on_step(recipe, MAKING)
        for left in environments_folder().glob(f".making-{recipe.digest}-*"):
            shutil.rmtree(left, ignore_errors=True)  # whoever made it was killed
        prefix = f".making-{recipe.digest}-"
        place = Path(mkdtemp(prefix=prefix, dir=environments_folder()))
        try:
            folder = place / "environment"
            made_by = fill(folder, recipe, lambda line: _tell(recipe, line, on_step))
            made = _describe(folder, recipe, made_by)
            (folder / RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(made)))
            if recipe.folder.exists():  # a broken one
                recipe.folder.rename(place / "broken")
            folder.rename(recipe.folder)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        on_step(recipe, READY)
    return made


def _tell(recipe: Recipe, line: str, on_step: OnStep) -> None:
    if line and not line.startswith(("WARNING", "DEPRECATION", "  ")):
        on_step(recipe, line)


def _describe(folder: Path, recipe: Recipe, made_by: str) -> Environment:
    found = distributions(path=[str(place) for place in site_folders(folder)])
    installed = dict(sorted((one.metadata["Name"], one.version) for one in found))
    if recipe.distribution not in installed:
        raise BackendUnavailable(
            f"{recipe} cannot be used: {made_by} has installed {join_words(list(installed))}, and "
            f"no {recipe.distribution} among it"
        )
    text = msgspec.json.encode([recipe.python, recipe.platform, installed])
    digest = blake2b(text, digest_size=8).hexdigest()
    now = datetime.now(UTC).replace(microsecond=0)
    return Environment(recipe, installed, digest, made_by, now)


@contextmanager
def _holding(folder: Path, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_name(f"{folder.name}.lock"), on_wait):
            yield
    except OSError as error:
        name = os.fspath(error.filename or folder)
        raise InputError(f"{name}: the environment cannot be made: {error.strerror}") from error


def _command(names: Sequence[str]) -> str:
    released = (name for name in names if recipe_for(name) is not None)
    named = [without_label(name).partition(":")[0] for name in released]
    return f"concord environments make {' '.join(dict.fromkeys(named))} --yes"
