"""Puzzle sets: those that ship, those of the catalogues, files, gzip files and standard input.

A set is a text file. Its head, the comment lines before the first puzzle, may declare::

    # family: latin             what its lines are (``DEFAULT_FAMILY`` if it does not say)
    # about: one line           what the set is
    # sets: sudoku queens       it has no puzzles of its own, but those of these sets
    # small: four money         names of puzzles that every solver does quickly: ``SET:small``
    # puzzles: 1000             how many it has; and whatever else is to be known, as ``key: value``

A collection may name ``SET:small``, and ``*:small`` for those of every set that has some.

Every puzzle of a set that ships is followed by its name and the reason why it is there, or, in the
generated sets, what is known of it (``results.studies.puzzles.set_making``).

A name stands for the set that ships, else for the user's own of that name, else for the one of the
catalogue (``puzzles.sets.catalogue``).
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache, partial
from importlib import resources
from itertools import chain
from pathlib import Path
from stat import S_ISDIR
from typing import Any, TypeVar

from modelling.errors import InputError, InstanceError
from modelling.wording import did_you_mean
from puzzles.endings import list_endings
from puzzles.family import (
    DEFAULT_FAMILY,
    Batch,
    Batched,
    Family,
    Formatted,
    Instance,
    Whole,
    find_by_ending,
    is_own,
    list_formats,
)
from puzzles.family import family as family_called
from puzzles.files import DAMAGES, NotText, lines_of, plain_name
from puzzles.formats import is_comment, place
from puzzles.sets import cache, catalogue
from puzzles.sets.recognising import PEEKED, ensure_grid, recognise

Entry = TypeVar("Entry")
Reading = Callable[[Family, Iterable[str], str], Iterator[Entry]]
"""How the lines of a family are read: family, lines, source -> entries."""

LEAST_PUZZLE = 16
"""From this many signs on a text is taken for a puzzle rather than a name."""
LONGEST_HEAD = 100
"""Lines that are looked through for declarations, however long a comment is."""
LONGEST_LINE = 50_000
"""A line with more characters declares nothing."""
LONGEST_NAME = 100
"""Characters of an unknown name that are repeated."""

_DECLARATION = re.compile(r"\s*#\s*([a-z][a-z0-9() ]{0,30}?)\s*:(.*)")


@dataclass(frozen=True, slots=True)
class PuzzleSet:
    """A set that ships.

    ``members`` are the sets that a collection is made of, and () for a set of its own puzzles;
    ``family`` is empty for a collection of several families; ``number`` counts puzzles.
    """

    name: str
    family: str
    about: str
    number: int
    members: tuple[str, ...] = ()


SMALL = ":small"
"""After the name of a set: those of its puzzles that it calls small."""

_NAMED = re.compile(r"[^#]*\s#\s*([^#]*?)\s*(?:#.*)?")


@lru_cache(maxsize=1)
def _list_bundled() -> tuple[str, ...]:
    """The names of the sets that ship."""
    files = [file.name for file in resources.files(__name__).iterdir()]
    return tuple(sorted(name.removesuffix(".txt") for name in files if name.endswith(".txt")))


def _lines(name: str) -> list[str]:
    """The lines of a set that ships; of its small puzzles, all others are blank."""
    whole = name.removesuffix(SMALL)
    lines = (resources.files(__name__) / f"{whole}.txt").read_text(encoding="utf-8").splitlines()
    if whole == name:
        return lines
    small = set(_facts(whole)["small"].split())
    named = ((line, is_comment(line) or _NAMED.fullmatch(line)) for line in lines)
    return [line if found is True or (found and found[1] in small) else "" for line, found in named]


@lru_cache(maxsize=64)
def _facts(name: str) -> dict[str, str]:
    """What the head of a set that ships declares."""
    return _declarations(_head(iter(_lines(name.removesuffix(SMALL))))[0])


def facts(name: str) -> dict[str, str]:
    """What a set that ships says of itself: about, family, made by, seed, clues, sha256, ..."""
    if not ships(name):
        raise InputError(_unknown(name))
    return dict(_facts(name))


@lru_cache(maxsize=1)
def _sets() -> tuple[PuzzleSet, ...]:
    return tuple(_describe(name) for name in _list_bundled())


def sets() -> list[PuzzleSet]:
    """Every set that ships, by name."""
    return list(_sets())


def ships(name: str) -> bool:
    """Whether a set of this name ships, or small puzzles of one."""
    whole = name.removesuffix(SMALL)
    return whole in _list_bundled() and (whole == name or "small" in _facts(whole))


def read_catalogues() -> dict[str, catalogue.Listing]:
    """Every set that does not ship, by name: the user's own go before those of the catalogue.

    Raises ``InputError`` for a fault in the user's catalogue.
    """
    own = catalogue.users()
    for name in own:
        if name in _list_bundled():
            raise InputError(
                f"{catalogue.users_file()}: [{name}]: a set that ships has this name; take another"
            )
    return {**catalogue.shipped(), **own}


def members(name: str) -> tuple[str, ...]:
    """The sets that ``name`` stands for: its members if it is a collection, else itself."""
    if not ships(name) or "sets" not in _facts(name):
        return (name,)
    every = [f"{one}{SMALL}" for one in _list_bundled() if "small" in _facts(one)]
    named = _facts(name)["sets"].split()
    return tuple(chain.from_iterable(every if one == f"*{SMALL}" else [one] for one in named))


def instances(name_or_path: str, family: str | None = None) -> Iterator[Instance | InstanceError]:
    """The entries of a set, of a file, or (``-``) of standard input, as they are read.

    A set goes before a file of the same name; write ``./NAME`` for the file.
    ``family`` is what the lines are, whatever the head declares; else what the ending of a file
    tells (``find_by_ending``), else ``DEFAULT_FAMILY``.
    Raises ``InputError`` for a name that is neither, naming the nearest set, for a set that is not
    on this machine or has changed, for a family that is not there, and for a file that cannot be
    opened. What is damaged further on is yielded as a
    ``InstanceError``, in place of what would have followed.
    """
    return read_as(name_or_path, family, _read)


def given(text: str, family: str | None = None) -> Iterator[Instance | InstanceError]:
    """Like ``instances``, but ``text`` may also be a puzzle itself."""
    if not is_puzzle(text):
        return instances(text, family)
    return family_called(family or DEFAULT_FAMILY).read(text.splitlines(), "puzzle")


def is_puzzle(text: str) -> bool:
    """Whether a text is a grid rather than a name: long, and digits and blanks for the most.

    ``./NAME`` is always a file.
    """
    plain = sum(sign in "0123456789.*_|\n " for sign in text)
    return len(text) >= LEAST_PUZZLE and 2 * plain > len(text) and os.sep not in text


def batches(
    name_or_path: str, family: str | None, longest: int, form: str = ""
) -> Iterator[Instance | InstanceError | Batch]:
    """Like ``instances``, but plain puzzles come together where their family has ``Batched``.

    At most ``longest`` come together. ``form`` is the format of the file; without it the file
    tells.
    """
    return read_as(name_or_path, family, partial(_read_batches, longest), form)


def _read(family: Family, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
    return family.read(lines, source)


def _read_batches(
    longest: int, family: Family, lines: Iterable[str], source: str
) -> Iterator[Instance | InstanceError | Batch]:
    if isinstance(family, Batched):
        return family.read_batches(lines, source, longest)
    return family.read(lines, source)


def read_as(
    name_or_path: str, family: str | None, read: Reading[Entry], form: str = ""
) -> Iterator[Entry | InstanceError]:
    """What ``read`` makes of the lines of a set or file; otherwise like ``batches``."""
    if family is not None:
        family_called(family)
    if ships(name_or_path):
        parts = [
            _entries(_lines(one), one.removesuffix(SMALL), family, read, one)
            for one in members(name_or_path)
        ]
        return chain.from_iterable(parts)
    found = _find_listing(name_or_path)
    if found is not None:
        family = family or found.family or None
        return _read_guarded(str(_ready(found)), found.name, family, read, form or found.format)
    path = Path(name_or_path)
    kind = 0 if name_or_path == "-" else _kind(path)
    if kind is None:
        raise InputError(_unknown(name_or_path))
    if S_ISDIR(kind):
        return _read_folder(path, family, read, form)
    if kind:
        return _read_in(name_or_path, path.parent, family, read, form)
    return _read_guarded("-", "stdin", family, read, form)


def _find_whole(path: str, family: str | None) -> Whole | None:
    """The family of a file that holds one instance; None for a file of lines."""
    ending = find_by_ending(path)
    if ending is None or family not in (None, ending):
        return None
    found = family_called(ending)
    return found if isinstance(found, Whole) else None


def _name_whole(path: Path, folder: Path, family: Whole) -> str:
    """What the instance in a file is called: its path from ``folder`` on, without endings."""
    name = plain_name(path.relative_to(folder).as_posix())
    ends = [end for end in family.endings if name.lower().endswith(end)]
    return name[: -max(map(len, ends), default=0) or None] or path.name


def _read_folder(
    folder: Path, family: str | None, read: Reading[Entry], form: str
) -> Iterator[Entry | InstanceError]:
    """The entries of all files below a folder whose endings tell a family, by their names.

    With ``family``, of those whose endings tell that one. Other files are passed over, since a
    folder of instances holds papers and programs too; ``InputError`` if nothing is left.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stated = [(path, find_by_ending(str(path))) for path in files]
    kept = [path for path, found in stated if found is not None and family in (None, found)]
    if not kept:
        what = f"of the family {family}" if family else "of a family"
        raise InputError(
            f"the folder {folder} holds no file {what} ({len(files)} files; names of such files "
            f"end in {', '.join(list_endings())}); name a file in it for another"
        )
    return chain.from_iterable(_read_in(str(path), folder, family, read, form) for path in kept)


def _read_in(
    path: str, folder: Path, family: str | None, read: Reading[Entry], form: str
) -> Iterator[Entry | InstanceError]:
    """The entries of a file; one that holds one instance is named from ``folder`` on."""
    whole = _find_whole(path, family)
    if whole is None:
        return _read_guarded(path, path, family, read, form)
    return read(whole.for_file(path, _name_whole(Path(path), folder, whole)), (), path)


def _kind(path: Path) -> int | None:
    """The mode of a file or folder, None where there is none; raises InputError."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # a puzzle, say, in the place of a name
            return None
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def locate(name_or_path: str) -> str:
    """The file that a name of the catalogues stands for; anything else as it is.

    Raises ``InputError`` for a set that is not on this machine, or has changed.
    """
    found = None if ships(name_or_path) else _find_listing(name_or_path)
    return name_or_path if found is None else str(_ready(found))


def _find_listing(name: str) -> catalogue.Listing | None:
    """The set of the catalogues; the user's own catalogue is read only for what can be a name."""
    return read_catalogues().get(name) if catalogue.NAME.fullmatch(name) else None


def _ready(found: catalogue.Listing) -> Path:
    """The file of a set that does not ship."""
    try:
        return cache.ready(found)
    except InputError as error:
        if not Path(found.name).exists():
            raise
        raise InputError(f"{error}; for the file of this name write ./{found.name}") from error


def _list_like(path: str) -> list[str]:
    """The files in the folder of a path that is not there, with its ending and a name like its."""
    wanted = Path(path)
    if not wanted.suffix or len(path) > LONGEST_NAME:
        return []
    try:
        names = [one.name for one in wanted.parent.iterdir() if one.suffix == wanted.suffix]
    except (OSError, ValueError):
        return []
    return [str(wanted.with_name(one)) for one in get_close_matches(wanted.name, names, n=1)]


def _unknown(name: str) -> str:
    known = [*_list_bundled(), *(read_catalogues() if catalogue.NAME.fullmatch(name) else ())]
    within = [one for one in known if name and one.endswith(f"-{name}")]  # easy: sudoku-easy
    hint = did_you_mean(name, known, 3, first=[*_list_like(name), *within])
    called = repr(name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}...")
    return f"no set and no file is called {called}{hint} (see: concord sets)"


def _read_guarded(
    path: str,
    source: str,
    family: str | None,
    read: Reading[Entry],
    form: str = "",
) -> Iterator[Entry | InstanceError]:
    """The entries of a file; what goes wrong while it is read is an error at its place."""
    at = 0

    def count(lines: Iterable[str]) -> Iterator[str]:
        nonlocal at
        for line in lines:
            at += 1
            yield line

    try:
        with closing(lines_of(path)) as lines:
            yield from _entries(count(lines), source, family, read, path, form)
    except NotText as error:
        where = place(source, error.line, error.column)
        if not at:
            raise InputError(f"{where}: {error.cause}") from error
        yield InstanceError(f"{error.cause}; nothing after it is read", where)
    except DAMAGES as error:
        if not at:
            raise InputError(f"{source} cannot be read: {error}") from error
        cause = f"the file is damaged and cannot be read any further: {error}"
        yield InstanceError(cause, place(source, at + 1, 1))


def _entries(
    lines: Iterable[str],
    source: str,
    family: str | None,
    read: Reading[Entry],
    path: str,
    form: str = "",
) -> Iterator[Entry]:
    """``source`` makes places and names; without ``form``, text and ``path`` tell the format."""
    stream = iter(lines)
    head, rest = _head(stream)
    stated = family or _declarations(head).get("family") or find_by_ending(path)
    if not stated and not form and path != "-":
        peeked, stream = _peek(stream)
        rest += peeked
        stated = recognise(rest)
        if stated is None and rest:
            ensure_grid(path, rest, list_formats(DEFAULT_FAMILY))
    declared = stated or DEFAULT_FAMILY
    if family is None and is_own(declared):
        raise InputError(
            f"{source} says that it is of the family {declared!r}; a file does not decide which "
            f"code is run: if it is to be trusted, add --family {declared}"
        )
    try:
        reader = family_called(declared)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    if form or (rest and isinstance(reader, Formatted)):
        reader = _in_format(reader, form, head, rest, path)
    found = read(reader, chain(head, rest, stream), source)
    yield from _under(declared, found) if is_own(declared) else found


def _peek(stream: Iterator[str]) -> tuple[list[str], Iterator[str]]:
    """The next lines, about a kilobyte, and those after them; what damages a line is raised where
    that is read."""
    lines: list[str] = []
    size = 0
    try:
        while size < PEEKED and (line := next(stream, None)) is not None:
            lines.append(line)
            size += len(line)
    except (NotText, *DAMAGES) as error:
        return lines, _fail(error)
    return lines, stream


def _fail(error: Exception) -> Iterator[str]:
    raise error
    yield ""


def _in_format(family: Family, form: str, head: list[str], rest: list[str], path: str) -> Family:
    """The family as it reads the format of this name, or, without one, what the file tells."""
    if not isinstance(family, Formatted):
        raise InputError(f"files of the family {family.name} come in no formats, not in {form!r}")
    return family.in_format(form) if form else family.as_written(head, rest[0], path)


def _under(name: str, found: Iterator[Entry]) -> Iterator[Entry]:
    """What is of a user's family goes by the name under which it is found again."""
    for item in found:
        known: Any = item
        yield replace(known, family=name) if hasattr(known, "family") else item


def _head(stream: Iterator[str]) -> tuple[list[str], list[str]]:
    """The comment lines that come first, and the line after them."""
    head: list[str] = []
    for line in stream:
        empty = not line.strip("\ufeff \t\r\n")
        if len(head) >= LONGEST_HEAD or len(line) > LONGEST_LINE or not (empty or is_comment(line)):
            return head, [line]
        head.append(line)
    return head, []


def _declarations(head: Iterable[str]) -> dict[str, str]:
    found = (_DECLARATION.fullmatch(line.strip("\ufeff\r\n")) for line in head)
    return {match[1]: match[2].strip() for match in found if match}


def _describe(name: str) -> PuzzleSet:
    declared, parts = _facts(name), members(name)
    is_whole = parts == (name,)
    described = [] if is_whole else [_describe(part) for part in parts]
    kinds = {one.family for one in described} or {declared.get("family", DEFAULT_FAMILY)}
    return PuzzleSet(
        name,
        kinds.pop() if len(kinds) == 1 else "",
        declared.get("about", ""),
        sum(one.number for one in described) if described else _number(name, declared),
        () if is_whole else parts,
    )


def _number(name: str, declared: dict[str, str]) -> int:
    """How many puzzles a set has: as its head says, else they are counted."""
    return int(declared["puzzles"]) if "puzzles" in declared else len(list(instances(name)))
