"""Models in Python files: found, run, and named by a text from which any process finds them.

    py:FILE.py:NAME@DIGEST
    py:FILE.py:NAME/KEY/KEY@DIGEST size=12

``NAME`` is a Model at the head of the file, a Problem or a model of CPMpy; or a function without
arguments that returns one. A list, a mapping or a generator holds several, also one within another:
``KEY`` is a place, from 1, or a key. ``DIGEST`` is that of the problem, and ``size`` what it
declares, if it does. A file whose problem has
changed since then is refused, so that it is not compared with its earlier problem. Signs of a path
that a file of instances reads otherwise are written as in addresses (``%20`` for a blank). The file
is run, not imported: under a name of its own, with its folder first among those in which it finds
its modules. So read such texts only from those you trust.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from urllib.parse import quote, unquote

from modelling.errors import ModelError
from modelling.expressions.model import Model
from modelling.formats.cpmpy import from_cpmpy
from modelling.formats.endless_files import ensure_file_ends
from modelling.problem import Problem
from modelling.text import write_size
from modelling.wording import did_you_mean

PREFIX = "py:"
_RUN_AS = "concord_model_"

MOST = 10_000
"""A generator of more models may have no end."""


def find_models(place: str) -> dict[str, Problem]:
    """The problems of the models that ``FILE.py:NAME`` names, or of all in ``FILE.py``, by text.

    Raises ModelError, with file and line, if the file cannot be run or has no such model.
    """
    path, name = _split(place)
    module = _run(path)
    found: dict[str, object] = {name: _take(module, name, path)} if name else _list_models(module)
    if not found:
        raise ModelError(
            f"{path} has no concord.Model at its head; name a function that returns one, as in "
            f"{path}:build"
        )
    file = quote(os.path.normpath(path).replace(os.sep, "/"))
    texts: dict[str, Problem] = {}
    with _explaining(path):
        for key, value in found.items():
            for keys, problem in _flatten(path, value, (key,)):
                text = f"{PREFIX}{file}:{'/'.join(quote(one, safe='') for one in keys)}"
                texts[f"{text}@{_describe(problem)}"] = problem
                if len(texts) > MOST:
                    raise ModelError(f"{path}: {key} has more than {MOST:,} models")
    if not texts:
        raise ModelError(f"{path}: {name or 'it'} holds no model")
    return texts


def split_place(text: str) -> tuple[str, ...]:
    """The file and the keys of the model that a text names: ``("magic", "m")``."""
    file, _, keys = text.removeprefix(PREFIX).partition("@")[0].rpartition(":")
    return (Path(unquote(file)).stem, *map(unquote, keys.split("/")))


def name_place(text: str) -> str:
    """What the model that a text names is called: ``magic:m``, or ``magic:models/3``."""
    file, *keys = split_place(text)
    return f"{file}:{'/'.join(keys)}"


def as_problem(value: object) -> Problem | None:
    """A Model, a Problem or a model of CPMpy as a Problem; None for anything else."""
    if isinstance(value, Problem):
        return value
    if isinstance(value, Model):
        return value.problem()
    return _number_anew(from_cpmpy(value)) if _is_of_cpmpy(value) else None


def _number_anew(problem: Problem) -> Problem:
    """The problem with CPMpy's own names counted from 0: CPMpy counts on from model to model, and a
    file that is run again would have another problem."""
    known: dict[str, str] = {}

    def rename(found: re.Match[str]) -> str:
        return known.setdefault(found[0], f"{found[1]}{len(known)}")

    names = tuple(re.sub(r"^(IV|BV)[0-9]+(?![0-9])", rename, n) for n in problem.structure.names)
    if len(set(names)) < len(names):
        return problem
    return replace(problem, structure=replace(problem.structure, names=names))


def is_model(value: object) -> bool:
    """Whether ``as_problem`` gives a Problem."""
    return isinstance(value, Problem | Model) or _is_of_cpmpy(value)


def holds_models(value: object) -> bool:
    """Whether a list or a mapping holds models alone, and at least one, at any depth."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(is_model(one) or holds_models(one) for one in value)


def _is_of_cpmpy(value: object) -> bool:
    """Whether it is a model of CPMpy, which is not imported for that."""
    cpmpy = sys.modules.get("cpmpy")
    return cpmpy is not None and isinstance(value, getattr(cpmpy, "Model", ()))


def is_place(text: str) -> bool:
    """Whether a text names a model in a file."""
    return text.startswith(PREFIX)


@lru_cache(maxsize=16)
def find_problem(text: str) -> Problem:
    """The problem that a text names; ModelError if the file now has another problem."""
    place, _, about = text.partition("@")
    digest = about.partition(" ")[0]
    path, name, problem = _find(place)
    if digest != problem.digest:
        raise ModelError(
            f"{path}: the model {name} is another one than it was (its digest was "
            f"{digest or 'unknown'}, and is {problem.digest}); compare the new one in a new run"
        )
    return problem


def complete(text: str) -> str:
    """The text with the digest that the model has now, if it has none yet; ModelError as above."""
    if "@" in text:
        find_problem(text)
        return text
    return f"{text}@{_describe(_find(text)[2])}"


def _describe(problem: Problem) -> str:
    """What a text says of a problem: its digest, and the size that it declares."""
    return f"{problem.digest}{write_size(problem.size)}"


def _find(place: str) -> tuple[str, str, Problem]:
    """The path, the name and the problem of ``py:FILE.py:NAME``, from the file as it is now."""
    file, _, named = place.removeprefix(PREFIX).rpartition(":")
    name, *keys = map(unquote, named.split("/"))
    if not (file and name.isidentifier()):
        raise ModelError(f"{place!r} names no model in a file; write py:FILE.py:NAME")
    path = unquote(file)
    value = _take(_run(path), name, path)
    with _explaining(path):
        for key in keys:
            value = _take_one(path, value, key)
        problem = as_problem(value)
    if problem is None:
        raise ModelError(f"{path}: {'/'.join([name, *keys])} is not one model")
    return path, unquote(named), problem


def _take_one(path: str, value: object, key: str) -> object:
    """What a collection holds under a key; ModelError if there is nothing now."""
    for found, inner in _list_items(path, value):
        if found == key:
            return inner
    raise ModelError(f"{path}: the model {key!r} is not there any more; compare anew")


def _split(place: str) -> tuple[str, str]:
    file, _, name = place.rpartition(":")
    return (file, name) if file and name.isidentifier() else (place, "")


def _list_models(module: ModuleType) -> dict[str, object]:
    """The models at the head of a file; where there are none, what holds models."""
    values = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    single = {key: value for key, value in values.items() if is_model(value)}
    return single or {key: value for key, value in values.items() if holds_models(value)}


def _flatten(
    path: str, value: object, keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Problem]]:
    """All models in a value, each with the keys on the way to it."""
    problem = as_problem(value)
    if problem is not None:
        yield keys, problem
        return
    for key, inner in _list_items(path, value):
        yield from _flatten(path, inner, (*keys, key))


def _list_items(path: str, value: object) -> Iterator[tuple[str, object]]:
    """What a collection holds, by its keys or places; ModelError for anything else."""
    if isinstance(value, Mapping):
        seen: set[str] = set()
        for key, inner in value.items():
            if str(key) in seen:
                raise ModelError(f"{path}: two keys are written {str(key)!r}")
            seen.add(str(key))
            yield str(key), inner
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        yield from ((str(place), inner) for place, inner in enumerate(value, 1))
    else:
        raise ModelError(
            f"{path}: {type(value).__name__} is not a model; give concord.Models, Problems or "
            "models of CPMpy, alone or in lists, mappings and generators"
        )


def _take(module: ModuleType, name: str, path: str) -> object:
    """The value of a name, or what a function of this name returns."""
    found = getattr(module, name, None)
    if callable(found) and not isinstance(found, type):
        with _explaining(path):
            found = found()
    if not (is_model(found) or (isinstance(found, Iterable) and not isinstance(found, str))):
        known = list(_list_models(module))
        hint = did_you_mean(name, vars(module))
        raise ModelError(
            f"{path}: {name} is neither a concord.Model nor a function that returns one{hint} "
            f"(models there: {', '.join(known) or 'none'})"
        )
    return found


@contextmanager
def _explaining(path: str) -> Iterator[None]:
    """In the block the file's own code runs: its output goes to standard error, and what it raises
    names the line."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except ModelError as error:
        if str(error).startswith(path):
            raise
        raise _explain(error, path) from error
    except Exception as error:
        raise _explain(error, path) from error


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
    text = str(error) if isinstance(error, ModelError) else f"{type(error).__name__}: {error}"
    return ModelError(f"{place}: {text}")
