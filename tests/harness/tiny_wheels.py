"""A folder of tiny wheels that pip installs from without a network.

python-constraint2 as it is installed here, its plain Python files alone, under the numbers of
releases that there are none of; some of them are made to find the first solution twice. Beside it
what Concord requires: what a worker needs as it is installed here, and the rest without content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import distribution, files
from pathlib import Path
from zipfile import ZipFile

from harness.environments.recipe import requirements

SOLVER = "python-constraint2"
NEEDED = ("msgspec", "psutil")
FAULT = """
_found = Problem.getSolutionIter


def _find_first_twice(self):
    for number, solution in enumerate(_found(self)):
        yield solution
        if not number:
            yield dict(solution)


Problem.getSolutionIter = _find_first_twice
"""


def make_wheels(folder: Path, right: Iterable[str], wrong: Iterable[str] = ()) -> Path:
    """Wheels of the releases of the solver that are ``right`` and ``wrong``; the folder."""
    folder.mkdir(exist_ok=True)
    plain = {
        str(one): one.read_text(encoding="utf-8")
        for one in files(SOLVER) or []
        if one.suffix == ".py" and one.parts[0] == "constraint"
    }
    for release in right:
        _write(folder, SOLVER, release, "py3-none-any", plain)
    broken = plain | {"constraint/__init__.py": plain["constraint/__init__.py"] + FAULT}
    for release in wrong:
        _write(folder, SOLVER, release, "py3-none-any", broken)
    for required in requirements():
        name = re.split(r"[^A-Za-z0-9._-]", required)[0]
        if name not in NEEDED:
            _write(folder, name, "9999", "py3-none-any", {})
    for name in NEEDED:
        _repack(folder, name)
    return folder


def _repack(folder: Path, name: str) -> None:
    """What is installed here, as a wheel for this very interpreter."""
    there = distribution(name)
    wheel = (there.read_text("WHEEL") or "").splitlines()
    tag = next(line.removeprefix("Tag: ") for line in wheel if line.startswith("Tag: "))
    content: dict[str, str | bytes] = {
        str(one): Path(one.locate()).read_bytes()
        for one in there.files or []
        if one.parts[0] == name and "__pycache__" not in one.parts and "tests" not in one.parts
    }
    _write(folder, name, there.version, tag, content)


def _write(
    folder: Path,
    name: str,
    version: str,
    tag: str,
    content: dict[str, str] | dict[str, str | bytes],
) -> None:
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    pure = str(tag.endswith("none-any")).lower()
    described = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: {pure}\nTag: {tag}\n",
    }
    record = "".join(f"{path},,\n" for path in [*content, *described, f"{info}/RECORD"])
    with ZipFile(folder / f"{stem}-{tag}.whl", "w") as archive:
        for path, data in (dict(content) | described | {f"{info}/RECORD": record}).items():
            archive.writestr(path, data)
