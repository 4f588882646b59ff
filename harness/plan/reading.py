"""Experiments read from TOML files or made of what ``compare`` is given, and written to TOML.

Every error names the file, line and column, the key and the cause: what ``msgspec`` says is put
into the words of a file's author here. Whether an experiment makes sense is seen when it is
expanded (``harness.plan.checking``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from backends.interface import registry
from harness.plan.experiment import WORDS, BackendChoice, Experiment, SetChoice
from modelling.errors import ExperimentError
from modelling.formats import python_files as files
from modelling.wording import did_you_mean
from puzzles.family import Instance
from puzzles.problem import instance
from puzzles.sets import toml_positions
from puzzles.sets.models import group_data
from puzzles.sets.toml_positions import Source, read_toml
from puzzles.sets.toml_text import write_pair

Made = TypeVar("Made")
Parts = Mapping[str, Any]

FOLDER = Path(__file__).parent / "experiments"
"""The experiments that ship."""

PROBLEMS = "problems"
"""What the set of the problems that ``compare`` was given is called."""

OPTIMA = "optima"
"""What the set of those is called of which the optimum is asked: models with an objective."""


# --- files ---------------------------------------------------------------------------------


def list_shipped() -> list[str]:
    """The names of the experiments that ship."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(source: str | Path) -> Experiment:
    """The experiment in a TOML file, or the one that ships under this name."""
    path = Path(source)
    if not path.is_file() and (FOLDER / f"{source}.toml").exists():
        path = FOLDER / f"{source}.toml"
    experiment = read(path)
    sets: list[str | SetChoice] = []
    for item in experiment.sets:
        name = _find_beside(path, item if isinstance(item, str) else item.name)
        if not isinstance(item, str):
            data = item.data and [_find_beside(path, file) for file in item.data]
            sets.append(msgspec.structs.replace(item, name=name, data=data))
            continue
        sets.append(name)
    experiment.sets = sets
    if experiment.answers is not None:
        experiment.answers = _find_beside(path, experiment.answers)
    return experiment


def _find_beside(path: Path, name: str) -> str:
    """The path of a file that lies beside the experiment, else ``name``."""
    neighbour = path.parent / name
    return str(neighbour) if not Path(name).exists() and neighbour.exists() else name


def read(path: Path) -> Experiment:
    """The experiment of a TOML file, its paths unchanged."""
    try:
        data, source = read_toml(path)
    except FileNotFoundError:
        known = list_shipped()
        near = (
            f"{did_you_mean(str(path), known)} (there are: {', '.join(known)}; studies run from a "
            "checkout, as `python -m results.studies.ROOM.NAME`)"
        )
        raise ExperimentError(f"{path}: no such file, and no experiment that ships{near}") from None
    data.setdefault("name", path.stem)
    return convert(data, source)


def dump(experiment: Experiment) -> str:
    """The experiment as TOML; ``load`` reads it back."""
    settings = msgspec.to_builtins(experiment)
    return "".join(f"{write_pair(k, v)}\n" for k, v in settings.items() if v is not None)


def outline(experiment: Experiment) -> str:
    """The experiment as TOML, without what is as by default; ``load`` reads it back."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(Experiment)}
    settings = msgspec.to_builtins(experiment)
    differing = {key: value for key, value in settings.items() if value != defaults[key]}
    return "".join(f"{write_pair(key, value)}\n" for key, value in differing.items() if value)


# --- tables and values ---------------------------------------------------------------------


_PARTS: dict[str, type] = {"sets": SetChoice, "backends": BackendChoice, "witness": BackendChoice}


def convert(data: dict[str, Any], source: Source) -> Experiment:
    """Tables and values as an experiment from ``source``; raises ExperimentError."""
    experiment = convert_to(Experiment, data, source, **_PARTS)
    experiment.source = source
    return experiment


def convert_to(kind: type[Made], data: Any, source: Source, **parts: type) -> Made:
    """Tables and values of ``source`` as a struct; raises ExperimentError.

    ``parts`` are the structs of the tables within, by their keys, for the sake of messages.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _explain(str(error), data, source, {"": kind, **parts}) from error


_RELATIONS = {"<=": "at most", ">=": "at least", ">": "above"}
_BOUND = re.compile(r"Expected `\w+` (<=|>=|>) (-?[\d.]+)")
_REMEDIES = {"sets": "; name a set or a file", "backends": "; see `concord backends`"}
"""For lists that are empty."""


def _explain(message: str, data: Any, source: Source, parts: Parts) -> ExperimentError:
    """What msgspec says of ``data``, ``Cause - at `$.key[0].key` ``, in words of its author."""
    said, _, at = message.partition(" - at `$")
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", at)
    path = tuple(int(number) if number else key for key, number in steps)
    last = str(path[-1]) if path else ""
    if bound := _BOUND.fullmatch(said):
        cause = f"must be {_RELATIONS[bound[1]]} {bound[2].removesuffix('.0')}"
        value = _find(data, path)
        if isinstance(value, float):
            cause += f", not {value:g}"
        elif isinstance(value, int) and abs(value) < 10**20:  # else it were a page of digits
            cause += f", not {value}"
        return source.error(path, cause)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", said, re.DOTALL):
        hint = _hint_at_key(unknown[1], path, data, parts)
        return source.error(path, f"unknown key {unknown[1]!r}{hint}", unknown[1])
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", said):
        return source.error(path, f"the key {missing[1]} is missing")
    if other := re.fullmatch(r"Invalid enum value '(.*)'", said, re.DOTALL):
        known = ", ".join(WORDS.get(last, ()))
        return source.error(path, f"'{other[1]}' is unknown (there are: {known})")
    if said.startswith("Expected `str` matching"):
        signs = "letters, digits and . + - _ alone"
        return source.error(path, f"{_find(data, path)!r} must be made of {signs}")
    if said.endswith("of length >= 1"):
        return source.error(path, f"there are none{_REMEDIES.get(last, '')}")
    return source.error(path, said[:1].lower() + said[1:])


def _find(data: Any, path: toml_positions.Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _hint_at_key(key: str, path: toml_positions.Path, data: Any, parts: Parts) -> str:
    """``; did you mean 'x'? (there are: x, y)``; an option may be in its backend's table."""
    kind = parts[str(path[0]) if path else ""]
    known = [field.name for field in msgspec.structs.fields(kind)]
    name = str(_find(data, path).get("name")) if kind is BackendChoice else ""
    options = [option.name for option in registry.options_of(name) if option.name not in known]
    written = {option: f"options = {{ {option} = ... }}" for option in options}
    meant = did_you_mean(key, [*known, *options], written=written)
    return f"{meant} (there are: {', '.join(known)})"


# --- what compare is given -----------------------------------------------------------------


def plan_comparison(
    sets: Any, backends: Any, witness: Any = None, cold: bool = False, **settings: Any
) -> Experiment:
    """The experiment that ``compare`` runs; without ``sets`` some of each set that ships.

    ``cold``: each job has a new interpreter, which loads the solver for it.
    """
    return Experiment(
        name="compare",
        sets=_choose_sets(sets) or load("quickstart").sets,
        backends=name_backends(backends),
        witness=list_items(witness),
        mode="fresh" if cold else "pooled",
        warm_ups=0 if cold else 1,
        **settings,
    )


def name_backends(given: Any) -> list[Any]:
    """Backends one by one; those of a mapping get its keys as short names."""
    if not isinstance(given, Mapping) or "name" in given:
        return list_items(given)
    return [
        {**item, "alias": str(key)} if isinstance(item, Mapping) else f"{key}={item}"
        for key, item in given.items()
    ]


def list_items(given: Any) -> list[Any]:
    """What was given one by one, or as one alone; a path is the file that it leads to."""
    alone = isinstance(given, str | Mapping) or _is_stated(given)
    items = [given] if alone or not isinstance(given, Iterable) else list(given)
    return [str(item) if isinstance(item, Path) else item for item in items if item is not None]


def _choose_sets(given: Any) -> list[Any]:
    """The sets of an experiment; names, files and tables stay as they are.

    Problems, models and instances become tables that hold their texts, by their names, so that the
    experiment can be written down, sent to workers and resumed. They come together, by family;
    problems with an objective apart from others. A mapping or list in a mapping is a set under its
    key.
    """
    if isinstance(given, Mapping) and _holds_stated(given):
        items = [item for key, inner in given.items() for item in _name_stated(str(key), inner)]
    else:
        items = [("", "", item) for item in _join_data(given)]
    found: list[Any] = []
    tables: dict[tuple[str, str, bool], dict[str, str]] = {}
    for number, (group, name, item) in enumerate(items, 1):
        optimum = False
        problem = None if isinstance(item, Instance) else files.as_problem(item)
        if problem is not None:
            name = name or f"problem-{number}"
            optimum = problem.structure.objective is not None and not group
            item = instance(problem, name)
        if not isinstance(item, Instance):
            found.append(item)
            continue
        kind = group, item.family, optimum
        if kind not in tables:
            tables[kind] = {}
            is_first = all(one[0] != group for one in tables if one != kind)
            called = group and (group if is_first else f"{group}-{item.family}")
            found.append(_table(item.family, optimum, tables[kind], called))
        _add(tables[kind], name or item.name, item.text)
    return found


def _is_stated(value: Any) -> bool:
    return isinstance(value, Instance) or files.is_model(value)


def _holds_stated(value: Any) -> bool:
    """Whether a list or mapping holds problems, models and instances alone, at any depth."""
    inner = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(inner, list | tuple) or not inner:
        return False
    return all(_is_stated(one) or _holds_stated(one) for one in inner)


def _name_stated(key: str, value: Any, group: str = "") -> Iterator[tuple[str, str, Any]]:
    """The set, the name and the value of each instance under a key."""
    if _is_stated(value):
        yield group, key, value
        return
    within = f"{group}/{key}" if group else key
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
    for inner, one in pairs:
        yield from _name_stated(str(inner), one, within)


def _join_data(given: Any) -> Iterator[Any]:
    """What was given; files of data are joined to the model that they follow."""
    for is_name, items in groupby(list_items(given), lambda item: isinstance(item, str)):
        if is_name:
            yield from choose_files(items)
        else:
            yield from items


def choose_files(names: Iterable[str], family: str | None = None) -> list[Any]:
    """Sets and files by their names; a model with the files of data that follow it is one."""
    return [
        SetChoice(name, family=family, data=list(data) or None) if family or data else name
        for name, data in group_data(names, family)
    ]


def choose_models(places: Iterable[str]) -> list[Any]:
    """The models that ``FILE.py`` or ``FILE.py:NAME`` name, as sets; ModelError if there are none.

    Those with an objective are a set of their own. They are called as in ``magic:m``. A mapping or
    list within another one is a set, under its key.
    """
    tables: dict[tuple[str, bool], dict[str, str]] = {}
    for place in places:
        for text, problem in files.find_models(place).items():
            _, _, *keys = files.split_place(text)
            group = "/".join(keys[:-1])
            optimum = problem.structure.objective is not None and not group
            texts = tables.setdefault((group, optimum), {})
            _add(texts, keys[-1] if group else files.name_place(text), text)
    return [_table("problem", optimum, of, group) for (group, optimum), of in tables.items()]


def _table(family: str, optimum: bool, texts: dict[str, str], group: str = "") -> dict[str, Any]:
    """A set of texts, as in an experiment's file."""
    called = PROBLEMS if family == "problem" else f"{family.rpartition(':')[2]}-given"
    if optimum:
        called = OPTIMA
    return {"name": group or called, "family": family, "texts": texts}


def _add(texts: dict[str, str], name: str, text: str) -> None:
    """Under its name, with a number after it where that is taken."""
    unused, again = name, 1
    while unused in texts:
        again += 1
        unused = f"{name} ({again})"
    texts[unused] = text
