"""Models in Python files: found, run, and named by a text from which any process finds them.

    py:FILE.py:NAME@DIGEST

``NAME`` is a Model at the head of the file, or a function without arguments that returns one;
``DIGEST`` is that of its problem. A file whose problem has changed since then is refused, so that
it is not compared with its earlier problem. Signs of a path that a file of instances reads
otherwise are written as in addresses (``%20`` for a blank). The file is run, not imported: under a
name of its own, with its folder first among those in which it finds its modules. So read such texts
only from those you trust.
"""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from urllib.parse import quote, unquote

from modelling.endless_files import ensure_file_ends
from modelling.errors import ModelError
from modelling.expressions.model import Model
from modelling.problem import Problem

PREFIX = "py:"
_RUN_AS = "concord_model_"


def find_models(place: str) -> dict[str, Problem]:
    """The problems of the models that ``FILE.py:NAME`` names, or of all in ``FILE.py``, by text.

    Raises ModelError, with file and line, if the file cannot be run or has no such model.
    """
    path, name = _split(place)
    module = _run(path)
    if name:
        return _texts(path, {name: _model(module, name, path)})
    found = {key: value for key, value in vars(module).items() if isinstance(value, Model)}
    if not found:
        raise ModelError(
            f"{path} has no concord.Model at its head; name a function that returns one, as in "
            f"{path}:build"
        )
    return _texts(path, found)


def name_place(text: str) -> str:
    """What the model that a text names is called: ``magic:m``."""
    file, _, name = text.removeprefix(PREFIX).partition("@")[0].rpartition(":")
    return f"{Path(unquote(file)).stem}:{name}"


def is_place(text: str) -> bool:
    """Whether a text names a model in a file."""
    return text.startswith(PREFIX)


@lru_cache(maxsize=16)
def find_problem(text: str) -> Problem:
    """The problem that a text names; ModelError if the file now has another problem."""
    place, _, digest = text.partition("@")
    path, name, problem = _find(place)
    if digest != problem.digest:
        raise ModelError(
            f"{path}: the model {name} is another one than it was (its digest was "
            f"{digest or 'not told'}, and is {problem.digest}); compare the new one in a new run"
        )
    return problem


def complete(text: str) -> str:
    """The text with the digest that the model has now, if it has none yet; ModelError as above."""
    if "@" in text:
        find_problem(text)
        return text
    return f"{text}@{_find(text)[2].digest}"


def _find(place: str) -> tuple[str, str, Problem]:
    """The path, the name and the problem of ``py:FILE.py:NAME``, from the file as it is now."""
    file, _, name = place.removeprefix(PREFIX).rpartition(":")
    if not (file and name.isidentifier()):
        raise ModelError(f"{place!r} names no model in a file; write py:FILE.py:NAME")
    path = unquote(file)
    return path, name, _model(_run(path), name, path).problem()


def _split(place: str) -> tuple[str, str]:
    file, _, name = place.rpartition(":")
    return (file, name) if file and name.isidentifier() else (place, "")


def _texts(path: str, models: dict[str, Model]) -> dict[str, Problem]:
    file = quote(os.path.normpath(path).replace(os.sep, "/"))
    found = {}
    for name, model in models.items():
        problem = model.problem()
        found[f"{PREFIX}{file}:{name}@{problem.digest}"] = problem
    return found


def _model(module: ModuleType, name: str, path: str) -> Model:
    found = getattr(module, name, None)
    if callable(found) and not isinstance(found, type):
        try:
            with redirect_stdout(sys.stderr):
                found = found()
        except Exception as error:
            raise _explain(error, path) from error
    if not isinstance(found, Model):
        known = [key for key, value in vars(module).items() if isinstance(value, Model)]
        raise ModelError(
            f"{path}: {name} is no concord.Model, and no function that returns one (models there: "
            f"{', '.join(known) or 'none'})"
        )
    return found


def _run(path: str) -> ModuleType:
    """The file as a module, run anew."""
    try:
        ensure_file_ends(path)
        source = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}") from error
    module = ModuleType(_RUN_AS + Path(path).stem)
    module.__file__ = path
    folder = str(Path(path).resolve().parent)
    sys.path.insert(0, folder)
    sys.modules[module.__name__] = module  # as dataclasses ask for it
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            exec(compile(source, path, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise _explain(error, path) from error
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module


def _explain(error: BaseException, path: str) -> ModelError:
    """``FILE.py:12: NameError: ...``: the last line of the file on the way to the error."""
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines = [error.lineno]
    place = f"{path}:{lines[-1]}" if lines else path
    told = str(error) if isinstance(error, ModelError) else f"{type(error).__name__}: {error}"
    return ModelError(f"{place}: {told}")
