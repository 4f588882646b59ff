"""Experiments read from TOML files and written to them.

Every error names the file, line and column, the key and the cause: what ``tomllib`` and ``msgspec``
say is put into the words of a file's author here. Whether an experiment makes sense is seen when
it is expanded (``harness.plan.checking``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from backends.interface import registry
from harness.plan import toml_positions
from harness.plan.experiment import WORDS, BackendChoice, Experiment, SetChoice
from harness.plan.experiments import FOLDER, STUDIES, study_hint
from harness.plan.toml_positions import Source, as_key
from modelling.errors import ExperimentError
from modelling.nearest import nearest


def list_shipped() -> list[str]:
    """The names of the experiments that ship."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(source: str | Path) -> Experiment:
    """The experiment in a TOML file, or the one that ships under this name."""
    path = Path(source)
    if not path.is_file() and (FOLDER / f"{source}.toml").exists():
        path = FOLDER / f"{source}.toml"
    if not path.is_file() and source in STUDIES:
        raise ExperimentError(study_hint(str(source)))
    experiment = read(path)
    experiment.sets = [_find_beside(path, item) for item in experiment.sets]
    return experiment


def read(path: Path) -> Experiment:
    """What stands in a TOML file, as it stands there."""
    try:
        data, source = _parse(path)
    except FileNotFoundError:
        near = _hint(str(path), list_shipped())
        raise ExperimentError(f"{path}: no such file, and no experiment that ships{near}") from None
    data.setdefault("name", path.stem)
    return convert(data, source)


def _find_beside(path: Path, item: str | SetChoice) -> str | SetChoice:
    """A file that stands beside the experiment is found from anywhere."""
    name = item if isinstance(item, str) else item.name
    neighbour = path.parent / name
    if Path(name).exists() or not neighbour.is_file():
        return item
    if isinstance(item, str):
        return str(neighbour)
    return msgspec.structs.replace(item, name=str(neighbour))


def convert(data: dict[str, Any], source: Source) -> Experiment:
    """Tables and values as an experiment from ``source``; raises ExperimentError."""
    _check_keys(data, Experiment, source)
    kinds = (("sets", SetChoice), ("backends", BackendChoice), ("witness", BackendChoice))
    for key, kind in kinds:
        for number, item in enumerate_items(data.get(key)):
            if isinstance(item, dict):
                within = _hint_at_options(item) if kind is BackendChoice else {}
                _check_keys(item, kind, source, (key, number), within)
    try:
        return msgspec.convert(data, Experiment).with_source(source)
    except msgspec.ValidationError as error:
        raise source.error(*_explain(error, data)) from error


def enumerate_items(items: Any) -> Iterator[tuple[int, Any]]:
    """The items of a list; what is none is told where types are checked."""
    return enumerate(items if isinstance(items, list | tuple) else ())


def _hint_at_options(item: dict[str, Any]) -> dict[str, str]:
    """The options of the backend in a table, and how they are written there."""
    known = registry.options_of(str(item.get("name")))
    return {option.name: f"options = {{ {option.name} = ... }}" for option in known}


# --- TOML ----------------------------------------------------------------------------------


def _parse(path: Path) -> tuple[dict[str, Any], Source]:
    """What a TOML file holds.

    Raises FileNotFoundError, and ExperimentError for what cannot be read or is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a BOM
    except FileNotFoundError:
        raise
    except (OSError, UnicodeError) as error:
        raise ExperimentError(f"{path} cannot be read: {error}") from error
    try:
        return tomllib.loads(text), Source(path.name, toml_positions.find_places(text))
    except RecursionError:
        raise ExperimentError(f"{path.name}: not TOML: it is nested too deeply") from None
    except ValueError as error:
        (line, column), cause = _find_fault(text, str(error))
        raise ExperimentError(f"{path.name}:{line}:{column}: not TOML: {cause}") from error


_SAID = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_LONG_NUMBER = re.compile(r"\d[\d_]{4299,}")
"""Python reads integers of up to 4300 digits."""


def _find_fault(text: str, message: str) -> tuple[toml_positions.Place, str]:
    """Place and cause from what ``tomllib`` says."""
    said, number = _SAID.fullmatch(message), _LONG_NUMBER.search(text)
    if said is None and number is not None:
        return _find_place(text, number.start()), "a number has too many digits"
    if said is None:
        return (1, 1), message
    place = (int(said[2]), int(said[3])) if said[2] else _find_place(text, len(text.rstrip()))
    return place, said[1][:1].lower() + said[1][1:]


def _find_place(text: str, at: int) -> toml_positions.Place:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _check_keys(
    data: Iterable[str],
    kind: type,
    source: Source,
    path: toml_positions.Path = (),
    elsewhere: Mapping[str, str] | None = None,
) -> None:
    """Raise ExperimentError for a key that the struct ``kind`` does not have.

    ``elsewhere`` are words that belong into another place, and what to write there.
    """
    known = [field.name for field in msgspec.structs.fields(kind)]
    for key in data:
        if key not in known:
            owner = f"{as_key(path)}: " if path else ""
            raise ExperimentError(
                f"{source.where((*path, key))}: {owner}unknown key {key!r}"
                f"{_hint(key, known, elsewhere or {})}"
            )


def _hint(given: str, known: Sequence[str], elsewhere: Mapping[str, str] | None = None) -> str:
    """``; did you mean 'x'? (there are: x, y)``"""
    instead = {**(elsewhere or {}), **{word: repr(word) for word in known}}
    close = nearest(given, instead)
    meant = "" if close is None else f"; did you mean {instead[close]}?"
    return f"{meant} (there are: {', '.join(known)})" if known else meant


_RELATIONS = {"<=": "at most", ">=": "at least", ">": "above"}
_BOUND = re.compile(r"Expected `\w+` (<=|>=|>) (-?[\d.]+)")


def _explain(error: Exception, data: Any) -> tuple[toml_positions.Path, str]:
    """Path and cause from msgspec's ``Cause - at `$.key[0].key` ``, said of ``data``."""
    cause, _, at = str(error).partition(" - at `$")
    path = tuple(
        int(number) if number else key for key, number in re.findall(r"\.(\w+)|\[(\d+)\]", at)
    )
    bound = _BOUND.fullmatch(cause)
    if bound:
        return (
            path,
            f"must be {_RELATIONS[bound[1]]} {bound[2].removesuffix('.0')}{_show(data, path)}",
        )
    known = ", ".join(WORDS.get(str(path[-1]), ())) if path else ""
    cause = re.sub(r"Invalid enum value ('.*')", rf"\1 is unknown (there are: {known})", cause)
    cause = re.sub(r"Object missing required field `(\w+)`", r"the key \1 is missing", cause)
    return path, cause[:1].lower() + cause[1:]


def _show(data: Any, path: toml_positions.Path) -> str:
    """``, not 5`` for the number that ``path`` leads to, unless it were a page of digits."""
    for step in path:
        data = data[step]
    is_short = isinstance(data, int | float) and not abs(data) >= 10**20
    return f", not {data:g}" if isinstance(data, float) else f", not {data}" if is_short else ""


# --- writing -------------------------------------------------------------------------------


def dump(experiment: Experiment) -> str:
    """The experiment as TOML; ``load`` reads it back."""
    return "".join(
        f"{key} = {_write_value(value)}\n"
        for key, value in msgspec.to_builtins(experiment).items()
        if value is not None
    )


def _write_value(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        pairs = (
            f"{_write_key(key)} = {_write_value(v)}" for key, v in value.items() if v is not None
        )
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_write_value(item) for item in value) + "]"
    # JSON's strings, numbers and truth values are TOML's, but for DEL.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def _write_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _write_value(key)
