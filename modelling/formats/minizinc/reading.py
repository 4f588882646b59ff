"""MiniZinc models, flattened by MiniZinc and then read as FlatZinc.

It takes a ``minizinc`` on the path; no solver of it is needed. Global constraints that FlatZinc's
reader knows are kept: ``library/globals`` declares them without a definition. Data stand in a file
of the same name that ends in ``.dzn``, if there is one beside the model. Variables that are sets
become Booleans (MiniZinc's ``nosets.mzn``). Two solutions differ where MiniZinc would
print two texts (``projection``).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from modelling.errors import PuzzleError
from modelling.formats.flatzinc import read as read_flatzinc
from modelling.formats.minizinc.projection import (
    add_values,
    explain_uncountable,
    name_variables,
    project,
)
from modelling.formats.minizinc.texts import Undecided
from modelling.problem import Problem

SOLVER = Path(__file__).with_name("library") / "concord.msc"
"""What MiniZinc is told of Concord: which constraints it need not decompose."""

SECONDS = 300.0
"""How long flattening may take."""

MOST_SHOWN = 2000
"""Number of characters of what MiniZinc says that are passed on."""

_PLACE = re.compile(r":([0-9]+)\.([0-9]+)")


def read(data: bytes, source: str) -> Problem:
    """The problem that a model states; PuzzleError for what MiniZinc or FlatZinc's reader refuses.

    ``source`` is the path of the model: files that it includes are looked for beside it.
    """
    beside = Path(source).with_suffix(".dzn")
    files = [beside] if beside.is_file() else []
    flattened = flatten(data, source, files)
    problem = read_flatzinc(flattened.flat, source)
    try:
        structure, values = project(flattened.flat, flattened.output, problem.structure)
        if values:  # the model is to have variables of these values, too
            flattened = flatten(data, source, files, added=add_values(values))
            problem = read_flatzinc(flattened.flat, source)
            structure, values = project(flattened.flat, flattened.output, problem.structure)
            if values:
                raise Undecided(f"the value of {' '.join(values[0])}")
    except (Undecided, PuzzleError) as error:
        structure = replace(problem.structure, uncountable=explain_uncountable(str(error)))
    return Problem(name_variables(flattened.flat, structure), structure.full_masks)


class Flattened(NamedTuple):
    """A model's FlatZinc, and its output model (``.ozn``)."""

    flat: bytes
    output: str


def flatten(
    model: bytes, source: str, data: list[Path], seconds: float = SECONDS, added: str = ""
) -> Flattened:
    """What MiniZinc makes of a model with these files of data and with the items ``added``."""
    program = shutil.which("minizinc")
    if program is None:
        raise PuzzleError(
            "a MiniZinc model is to be flattened before it can be read, and no program minizinc is "
            "on the PATH; install MiniZinc (https://www.minizinc.org), or flatten it elsewhere "
            "(minizinc -c -G std) and give the .fzn file",
            f"{source}:1:1",
        )
    with tempfile.TemporaryDirectory() as folder:
        copy, made = Path(folder) / "model.mzn", Path(folder) / "model.fzn"
        copy.write_bytes(model)
        sets = Path(folder) / "sets.mzn"
        sets.write_text(f'include "nosets.mzn";\n{added}')
        output = Path(folder) / "model.ozn"
        command = [program, "-c", "--solver", str(SOLVER), "--ozn", str(output)]
        command += [*_own_library(program), "-I", str(_folder(source))]
        command += ["--fzn", str(made), str(copy), str(sets)]
        command += [str(file.resolve()) for file in data]
        try:
            done = subprocess.run(
                command, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise PuzzleError(
                f"MiniZinc did not flatten the model within {seconds:g} seconds", f"{source}:1:1"
            ) from None
        except OSError as error:
            raise PuzzleError(f"{program} cannot be run: {error}", f"{source}:1:1") from error
        if done.returncode or not made.is_file():
            said = (done.stderr or done.stdout).decode("utf-8", "replace")
            said = said.replace(str(copy), Path(source).name).strip()
            found = _PLACE.search(said)
            place = f"{found[1]}:{found[2]}" if found else "1:1"
            raise PuzzleError(
                f"MiniZinc could not flatten the model: {said[:MOST_SHOWN]}", f"{source}:{place}"
            )
        printed = output.read_text("utf-8", "replace") if output.is_file() else ""
        return Flattened(made.read_bytes(), printed)


@cache
def _own_library(program: str) -> tuple[str, ...]:
    """The option for the library of a MiniZinc, which is to be searched before the model's folder.

    Else a model ``knapsack.mzn`` would be included in the place of the global of that name.
    """
    command = [program, "--config-dirs"]
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=10, check=False
        )
        folder = Path(json.loads(done.stdout)["mznStdlibDir"])
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError, TypeError):
        return ()
    return ("-I", str(folder / "std"))


def _folder(source: str) -> Path:
    parent = Path(source).resolve().parent
    return parent if parent.is_dir() else Path.cwd()
