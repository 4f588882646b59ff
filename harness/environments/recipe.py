"""What belongs into the environment of a release: a recipe, known by its digest.

The release of the solver, and what Concord itself needs. Other solvers are left out, though Concord
requires some of them when it is installed: a worker loads one backend, and what two solvers require
may not go together.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import msgspec

from backends.interface import registry
from backends.interface.shipped import SHIPPED
from harness.machine import describe_python
from modelling.errors import BackendUnavailable
from modelling.versions import CONCORD, read_requirements
from puzzles.sets.folders import cache_folder

SOURCE = Path(__file__).resolve().parents[2]
"""The folder in which the packages of the running Concord are."""

PACKAGES = ("concord.py", "modelling", "puzzles", "backends", "harness")
"""What Concord is made of."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Recipe:
    """What is installed for ``distribution`` at ``release``, for which interpreter.

    ``requires`` are requirements as pip takes them, the solver's the last one.
    """

    distribution: str
    release: str
    python: str
    platform: str
    requires: tuple[str, ...]

    @property
    def beside(self) -> tuple[str, ...]:
        """What is installed beside the solver."""
        return self.requires[:-1]

    @property
    def digest(self) -> str:
        """16 hexadecimal digits; equal recipes, equal digests."""
        return blake2b(msgspec.json.encode(asdict(self)), digest_size=8).hexdigest()

    @property
    def folder(self) -> Path:
        """Where the environment is, or will be once it is made."""
        name = f"{self.distribution}-{self.release}-{self.digest}"
        return environments_folder() / name

    def __str__(self) -> str:
        return f"{self.distribution} {self.release}"


def environments_folder() -> Path:
    """The folder of all environments; it need not exist yet."""
    return cache_folder() / "environments"


def recipe_for(name: str) -> Recipe | None:
    """The recipe for a backend's name; None where that asks for no release.

    Raises UnknownBackend where there can be no such release.
    """
    release = registry.split(name)[1]
    if release is None:
        return None
    distribution = registry.find_distribution(name)
    # ``==9.12.*`` takes the newest of 9.12; what is not a plain number is taken literally.
    ending = ".*" if release.replace(".", "").isdigit() else ""
    return Recipe(
        distribution,
        release,
        describe_python(),
        sysconfig.get_platform(),
        (*requirements(), f"{distribution}=={release}{ending}"),
    )


@lru_cache(maxsize=1)
def requirements() -> tuple[str, ...]:
    """What the running Concord requires to be installed beside it, but for solvers."""
    solvers = {_normalise(entry.distribution) for entry in SHIPPED if entry.distribution}
    return tuple(
        one
        for one in _read_requirements()
        if (found := _NAME.match(one)) and _normalise(found[0]) not in solvers
    )


def _read_requirements() -> list[str]:
    """As the source says beside which it lies; where it was installed, as was said then."""
    project = SOURCE / "pyproject.toml"
    if project.is_file():
        import tomllib

        read = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if read.get("name") == CONCORD:
            return list(read["dependencies"])
    found = read_requirements()
    if not found:
        raise BackendUnavailable(
            f"what Concord requires is not known: {SOURCE} has no pyproject.toml of it, and it is "
            "not installed; install it, or run it from a checkout"
        )
    return [one for one in found if "extra ==" not in one]


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def interpreter_path(folder: Path) -> Path:
    """The interpreter of the environment in a folder."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def site_folders(folder: Path) -> list[Path]:
    """Where an environment of this interpreter has what was installed into it."""
    base = {"base": str(folder), "platbase": str(folder)}
    places = (sysconfig.get_path(key, "venv", base) for key in ("purelib", "platlib"))
    return [Path(place) for place in dict.fromkeys(places)]
