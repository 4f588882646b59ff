"""MiniZinc models, flattened by MiniZinc and then read as FlatZinc.

It needs ``minizinc`` on the path, but none of its solvers. Global constraints that FlatZinc's
reader knows are kept: ``library/globals`` declares them without a definition. Data are read from
the files that are given; by default, from a file beside the model with the same name and the ending
``.dzn``, if there is one. Variables that are sets become Booleans (MiniZinc's
``nosets.mzn``). Two solutions differ if MiniZinc would print different texts for them
(``projection``). Errors name the place in the model or its data (``messages``, ``origins``).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path, PurePath
from typing import NamedTuple

from modelling.errors import InstanceError
from modelling.formats.flatzinc import read as read_flatzinc
from modelling.formats.minizinc.messages import explain
from modelling.formats.minizinc.origins import find_origin
from modelling.formats.minizinc.projection import (
    add_values,
    explain_uncountable,
    name_variables,
    project,
)
from modelling.formats.minizinc.releases import find_release, list_flags, run
from modelling.formats.minizinc.texts import Undecided
from modelling.problem import Problem

SOLVER = Path(__file__).with_name("library") / "concord.msc"
"""Concord's solver configuration for MiniZinc: which constraints it need not decompose."""

SECONDS = 300.0
"""How long flattening may take."""

DataFile = tuple[str, bytes]
"""The name of a file of data, and what it holds."""


def find_data(source: str) -> list[str]:
    """The files of data that belong to a model by their names."""
    beside = Path(source).with_suffix(".dzn")
    return [str(beside)] if beside.is_file() else []


def read(data: bytes, source: str, files: Sequence[DataFile] | None = None) -> Problem:
    """The problem of a model; InstanceError for what MiniZinc or FlatZinc's reader refuses.

    ``source`` is the path of the model: files that it includes are looked for beside it. Without
    ``files`` its data are those of ``find_data``.
    """
    if is_blank(data):
        raise InstanceError("the file is empty: the model has no variables", f"{source}:1:1")
    if files is None:
        files = [(name, Path(name).read_bytes()) for name in find_data(source)]
    make = partial(flatten, data, source, files)
    flattened = make()
    problem = _read_flat(flattened, make, source)
    try:
        structure, values = project(flattened.flat, flattened.output, problem.structure)
        if values:  # the model is to have variables of these values, too
            make = partial(make, added=add_values(values))
            flattened = make()
            problem = _read_flat(flattened, make, source)
            structure, values = project(flattened.flat, flattened.output, problem.structure)
            if values:
                raise Undecided(f"the value of {' '.join(values[0])}")
    except (Undecided, InstanceError) as error:
        structure = replace(problem.structure, uncountable=explain_uncountable(str(error)))
    if not structure.size and not VARIABLES.search(data):
        raise InstanceError(
            "the model has no variables: there is nothing to solve", f"{source}:1:1"
        )
    return Problem(name_variables(flattened.flat, structure), structure.full_masks)


VARIABLES = re.compile(rb"\b(var|include)\b")
"""Where a model has variables, even if MiniZinc has fixed them all, or may have some."""

COMMENTS = re.compile(rb"%[^\n]*|/\*.*?\*/", re.DOTALL)


def is_blank(content: bytes) -> bool:
    """Whether a model or its data hold comments alone, or nothing."""
    return not COMMENTS.sub(b"", content.removeprefix(BOM_UTF8)).strip()


def load_ahead() -> None:
    """Ask the installed MiniZinc what it is, once, before there is a model."""
    program = shutil.which("minizinc")
    if program is not None:
        find_release(program)
        _own_library(program)


class Flattened(NamedTuple):
    """A model's FlatZinc, its output model (``.ozn``), and its table of symbols if it was asked for
    (``origins``), with the name that the model has in it."""

    flat: bytes
    output: str
    symbols: str = ""
    model: str = ""


def _read_flat(flattened: Flattened, make: Callable[..., Flattened], source: str) -> Problem:
    """The problem that FlatZinc states; errors name the line of the model, which ``make`` flattens
    again to find it."""
    try:
        return read_flatzinc(flattened.flat, source)
    except InstanceError as error:
        line = int(error.place.rsplit(":", 2)[1])
        again = make(symbols=True)
        line, column = find_origin(again.flat, line, again.symbols, again.model)
        raise InstanceError(error.cause, f"{source}:{line}:{column}") from error


def flatten(
    model: bytes,
    source: str,
    data: Sequence[DataFile],
    seconds: float = SECONDS,
    added: str = "",
    symbols: bool = False,
) -> Flattened:
    """What MiniZinc makes of a model with these files of data and with the items ``added``."""
    program = shutil.which("minizinc")
    if program is None:
        raise InstanceError(
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
        command += list_flags(find_release(program))
        command += [*_own_library(program), "-I", str(_folder(source))]
        command += ["--fzn", str(made), str(copy), str(sets)]
        table = Path(folder) / "model.paths"
        if symbols:
            command += ["--output-paths-to-file", str(table)]
        names = {str(copy): source}
        for number, (name, content) in enumerate(data):
            file = Path(folder) / f"data-{number}{PurePath(name).suffix}"
            file.write_bytes(content)
            names[str(file)] = name
            command.append(str(file))
        try:
            done = run(command, seconds)
        except subprocess.TimeoutExpired:
            raise InstanceError(
                f"MiniZinc did not flatten the model within {seconds:g} seconds", f"{source}:1:1"
            ) from None
        except OSError as error:
            raise InstanceError(f"{program} cannot be run: {error}", f"{source}:1:1") from error
        if done.returncode or not made.is_file():
            said = (done.stderr or done.stdout).decode("utf-8", "replace")
            raise _add_empty(explain(said, names, source), data)
        printed = output.read_text("utf-8", "replace") if output.is_file() else ""
        told = table.read_text("utf-8", "replace") if table.is_file() else ""
        return Flattened(made.read_bytes(), printed, told, str(copy))


def _add_empty(error: InstanceError, data: Sequence[DataFile]) -> InstanceError:
    """The error, which says what files of data are empty, and may be for that reason."""
    empty = [name for name, content in data if is_blank(content)]
    cause = "".join([error.cause, *(f"; {name} is empty" for name in empty)])
    return InstanceError(cause, error.place)


@cache
def _own_library(program: str) -> tuple[str, ...]:
    """The option for the library of a MiniZinc, which is to be searched before the model's folder.

    Else a model ``knapsack.mzn`` would be included in the place of the global of that name.
    """
    try:
        done = run([program, "--config-dirs"])
        folder = Path(json.loads(done.stdout)["mznStdlibDir"])
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError, TypeError):
        return ()
    return ("-I", str(folder / "std"))


def _folder(source: str) -> Path:
    parent = Path(source).resolve().parent
    return parent if parent.is_dir() else Path.cwd()
