"""The runner of studies: options, rows that are kept from call to call, progress, and files.

A ``Study`` measures rows. ``run`` parses the options, reads the rows that ``--out`` has from
before, measures, saves after every row, and prints the table. A row takes the place of an earlier
one with the same key. Other earlier rows stay in a study that ``keeps`` them, and with
``--resume``; with ``--resume`` (or in a study that always resumes) rows that are there
are not measured again. Ctrl-C ends a study with exit status 130 and keeps the rows. Exit status 1
means that a row has a fault, or that ``measure`` yielded one; 2, that the options do not fit.

Files are replaced whole, so that a reader never sees half of one. ``NAME.json`` has rows,
command, versions and machine, ``NAME.jsonl`` one row a line. Older files, a list of rows or one
under another name, are read as well. Studies that measure one set of figures use ``write_json``
and its neighbours alone.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from backends.interface import registry
from harness.machine import this_machine
from modelling.errors import BackendUnavailable, ConcordError, InputError
from modelling.versions import find_version
from puzzles.files import replace_file

R = TypeVar("R")

Options = argparse.Namespace
"""The options of a call, with the ``command`` that makes the whole table."""

Known = Container[Hashable]
"""Keys of rows that need not be measured."""

STOPPED = 130
"""Exit status after Ctrl-C."""

PACKAGES = ("solver-concord", "ortools", "python-sat")
"""Packages whose versions every file names; rows name the versions of other solvers."""

PARTS = (
    *("only", "backend", "format", "reader", "model", "files"),
    *("out", "load", "run", "instances", "apart", "mixed", "set", "rival", "about"),
)
"""Options that choose a part of the rows or a place, and so do not describe the table."""


# --- options -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """One argument of a study's command line."""

    name: str
    settings: Mapping[str, Any]


def option(name: str, default: Any = None, text: str | None = None, **more: Any) -> Option:
    """An option whose type is that of its default; a list may be given several times."""
    settings: dict[str, Any] = {"default": default, "help": text}
    if default is False:
        settings["action"] = "store_true"
    elif isinstance(default, list):
        settings["action"] = "append"
    elif default is not None:
        settings["type"] = type(default)
    return Option(name, settings | more)


def argument(name: str, text: str, **more: Any) -> Option:
    """A path, without which the study cannot begin."""
    return Option(name, {"type": Path, "help": text} | more)


class Fault(str):
    """A defect that ``measure`` yields, where it is in no row."""


# --- a study -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Study(Generic[R]):
    """A study: how to measure rows, the key of a row, and the table.

    ``measure`` gets the options and the keys that it need not measure. ``report`` gets all rows and
    the options, which have the ``command`` that makes the table. ``faults`` lists what is wrong in
    rows, ``order`` sorts rows (and drops what is not asked any more), ``describe`` says in one line
    what a row is. ``data`` is the file of rows if it is not ``NAME.json``, ``place`` the folder
    under ``results/reference`` if it is not ``NAME``. ``at_once``: the rows come from a run, which
    is kept in a folder of its own, so they are written together and not shown one by one.
    """

    name: str
    about: str
    row: type[R]
    key: Callable[[R], Hashable]
    measure: Callable[[Options, Known], Iterable[R | Fault]]
    report: Callable[[Sequence[R], Options], str]
    options: tuple[Option, ...] = ()
    faults: Callable[[Sequence[R]], Sequence[str]] = lambda rows: ()
    order: Callable[[Iterable[R]], Sequence[R]] = list
    describe: Callable[[R], str] = lambda row: msgspec.json.encode(row).decode()
    data: str = ""
    place: str = ""
    keeps: bool = False
    resumes: bool = False
    at_once: bool = False
    out: Path | None = None

    def main(self, words: Sequence[str] | None = None) -> int:
        """The command line of the study."""
        return run(self, words)

    @property
    def file(self) -> str:
        """The name of the file of rows, ``NAME.json`` if it is not ``data``."""
        return self.data or f"{self.name.rpartition('.')[2]}.json"

    def read(self, folder: Path) -> list[R]:
        """Return the rows of a folder."""
        return read_rows(folder / self.file, self.row)

    def save(self, folder: Path, rows: Sequence[R], chosen: Options) -> None:
        """Write the rows and the table."""
        write_rows(folder / self.file, rows, command=chosen.command)
        write_text(folder / f"{self.name.rpartition('.')[2]}.md", self.report(rows, chosen))


def run(study: Study[R], words: Sequence[str] | None = None) -> int:
    """Measure what is missing, save each row, print the table."""
    chosen = parse(study, words)
    faults: list[str] = []
    rows: dict[Hashable, R] = {}
    try:
        if chosen.out is not None and (study.keeps or chosen.resume):
            rows = {study.key(row): row for row in study.read(chosen.out)}
        known = frozenset(rows) if chosen.resume else frozenset[Hashable]()
        for row in study.measure(chosen, known):
            if isinstance(row, Fault):
                faults.append(row)
                print(row, file=sys.stderr, flush=True)
                continue
            rows[study.key(row)] = row
            if study.at_once:
                continue
            print(study.describe(row), file=sys.stderr, flush=True)
            if chosen.out is not None:
                study.save(chosen.out, study.order(rows.values()), chosen)
    except KeyboardInterrupt:
        if study.at_once and rows and chosen.out is not None:
            study.save(chosen.out, study.order(rows.values()), chosen)
        place = f"in {chosen.out}; --resume continues" if chosen.out is not None else "lost"
        print(f"stopped: {len(rows)} rows are {place}", file=sys.stderr)
        return STOPPED
    except ConcordError as error:
        print(error, file=sys.stderr)
        return 2
    ordered = study.order(rows.values())
    if chosen.out is not None:
        study.save(chosen.out, ordered, chosen)
    print(study.report(ordered, chosen))
    in_rows = study.faults(ordered)
    for fault in in_rows:
        print(fault, file=sys.stderr)
    return int(bool(faults or in_rows))


def parse(study: Study[R], words: Sequence[str] | None = None) -> Options:
    """Return the options, with the ``command`` that makes the whole table."""
    parser = argparse.ArgumentParser(
        prog=f"python -m results.studies.{study.name}", description=study.about.partition("\n\n")[0]
    )
    for one in study.options:
        parser.add_argument(one.name, **one.settings)
    files = f"folder of the table and of {study.file}"
    parser.add_argument("--out", type=Path, default=study.out, help=files)
    parser.add_argument(
        "--resume",
        action="store_true",
        default=study.resumes,
        help="keep the rows that --out has" + (" (always)" if study.resumes else ""),
    )
    chosen = parser.parse_args(words)
    chosen.command = find_command(study, chosen)
    return chosen


def find_command(study: Study[R], chosen: Options) -> str:
    """Return the command that makes the table, without options that choose a part of its rows."""
    words = [f"python -m results.studies.{study.name}"]
    for one in study.options:
        name = one.settings.get("dest") or one.name.lstrip("-").replace("-", "_")
        value = getattr(chosen, name)
        if not one.name.startswith("-"):
            words.append(name.upper())
        elif name not in PARTS and value not in (None, False, []):
            values = value if isinstance(value, list) else [value]
            words += [
                one.name if value is True else f"{one.name} {shlex.quote(_word(each))}"
                for each in values
            ]
    place = study.place or study.name.rpartition(".")[2]
    return " ".join([*words, f"--out results/reference/{place}"])


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def find_installed(names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield the installed backends; print a line about what the others need."""
    for name in names:
        try:
            yield name, registry.get(name)
        except BackendUnavailable as error:
            print(f"left out: {error}", file=sys.stderr)


# --- files ---------------------------------------------------------------------------------------


def read_rows(path: Path, row: type[R]) -> list[R]:
    """Return the rows of a file, if there is one; leave out a last line that was cut off."""
    if not path.is_file():
        return []
    data = path.read_bytes()
    if path.suffix == ".jsonl":
        whole = (line for line in data.splitlines(keepends=True) if line.endswith(b"\n"))
        return [msgspec.json.decode(line, type=row) for line in whole]
    content = msgspec.json.decode(data)
    lists = [content] if isinstance(content, list) else [*content.values()]
    kind: Any = list
    try:
        return list(msgspec.convert(next(one for one in lists if isinstance(one, list)), kind[row]))
    except (StopIteration, msgspec.ValidationError) as error:
        raise InputError(
            f"{path} has no rows of this study, as it is now ({error}): name another --out"
        ) from None


def write_rows(path: Path, rows: Sequence[Any], **about: str) -> None:
    """Write the rows as JSON with machine and versions, or as lines by the file's ending."""
    if path.suffix == ".jsonl":
        _write(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    else:
        versions = {name: find_version(name) for name in PACKAGES}
        write_json(path, {"rows": rows, **about, "versions": versions})


def write_json(path: Path, figures: Mapping[str, Any], indent: int = 2) -> None:
    """Write figures, and the machine that they were measured on."""
    content = {**figures, "machine": this_machine()}
    _write(path, msgspec.json.format(msgspec.json.encode(content), indent=indent) + b"\n")


def write_text(path: Path, text: str) -> None:
    """Write a table."""
    _write(path, text.encode("utf-8"))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as beside:
        beside.write_bytes(data)
