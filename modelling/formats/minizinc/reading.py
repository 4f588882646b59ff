"""MiniZinc models, flattened by MiniZinc and then read as FlatZinc.

It takes a ``minizinc`` on the path; no solver of it is needed. Global constraints that FlatZinc's
reader knows are kept: ``library/globals`` declares them without a definition. Data stand in a file
of the same name that ends in ``.dzn``, if there is one beside the model. Variables that are sets
become Booleans (MiniZinc's ``nosets.mzn``). Solutions are told apart by what the model's ``output``
shows, by default all of its variables: what MiniZinc adds in flattening need not be determined by
them.
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

from modelling.errors import PuzzleError
from modelling.formats.flatzinc import read as read_flatzinc
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
    flat = flatten(data, source, [beside] if beside.is_file() else [])
    problem = read_flatzinc(flat, source)
    if b"output_" in flat:
        return problem
    structure = replace(problem.structure, output=())  # what is shown has one value each
    return Problem(structure, problem.masks)


def flatten(model: bytes, source: str, data: list[Path], seconds: float = SECONDS) -> bytes:
    """The FlatZinc that MiniZinc makes of a model with these files of data."""
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
        sets.write_text('include "nosets.mzn";\n')
        command = [program, "-c", "--solver", str(SOLVER), "--no-output-ozn"]
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
        return made.read_bytes()


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
