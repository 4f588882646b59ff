"""Files that state one problem each, in a format of the field, as a family beside the puzzles.

An instance's text names its file, and what is in it by a digest, so that a file which says
something else by now is refused rather than compared with what it said before::

    models/queens.xml.lzma@0f3a61c5d2...

Signs of a path that a file of instances reads otherwise are written as in addresses (``%20`` for a
blank). Files that complete it, as data do a model of MiniZinc, follow after a blank, each with its
digest::

    models/knapsack.mzn@77b1... models/large.dzn@c02f...

A text without them means the file alone. A file of lines, ``# family: xcsp3`` at its head, may list
such texts, each with its name; the digests may be absent there (the file's own data are then taken
too, where none are named), and a path counts from the folder of the list.

A file is read once before anything runs, so that what is not covered is known by then, and again
by each process that states it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import quote, unquote

from modelling.errors import InstanceError, ModelError
from modelling.formats import Format, find_format
from modelling.problem import Problem
from puzzles.family import Family, Instance
from puzzles.files import DAMAGES, read_beginning, read_bytes
from puzzles.formats import Locate, entries, place
from puzzles.stated import Stated

BEGINNING = 4096
"""The bytes at the beginning of a file in which the mark of a format is looked for."""

PLAIN_SIGNS = "/-_.~+=,"
"""Signs of a path that a text holds unchanged, beside letters and digits."""


class ModelFiles(Stated):
    """Implements ``puzzles.family.Family`` and ``puzzles.family.Whole`` for a format."""

    def __init__(self, made_of: Format) -> None:
        self.format = made_of
        self.name = made_of.name
        self.about = made_of.about
        self.endings = made_of.endings
        self.data_endings = made_of.data

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``: a path a line."""
        folder = os.path.dirname(source)

        def complete(body: str, locate: Locate) -> str:
            words = body.split() if self.data_endings else [body.strip()]
            digests = [word.partition("@")[2] for word in words]
            paths = [self._find(word.partition("@")[0], folder, locate) for word in words]
            data = paths[1:] if len(paths) > 1 or digests[0] else None
            try:
                text = self._text(paths[0], data)
            except InstanceError as error:
                raise InstanceError(error.cause, error.place or locate(1)) from error
            for path, digest, named in zip(paths, digests, text.split(), strict=False):
                if digest and not named.endswith(f"@{digest}"):
                    raise InstanceError(f"{path} is another file than it was", locate(1))
            return text

        return entries(lines, source, self.name, complete)

    def _find(self, quoted: str, folder: str, locate: Locate) -> str:
        """The path of a file that a list in ``folder`` names."""
        path = unquote(quoted)
        if os.path.isfile(os.path.join(folder, path)):
            path = os.path.join(folder, path)
        if not os.path.isfile(path):
            raise InstanceError(
                f"no file is called {path[:80]!r}; a list of the family {self.name} names a "
                f"file a line, and a file of it ends in {' or '.join(self.endings)}",
                locate(1),
            )
        return path

    def recognises(self, path: str) -> bool:
        """See ``Recognised``."""
        if not (self.format.mark and os.path.isfile(path)):
            return True
        try:
            # of UTF-16, every other byte of a mark is 0
            return self.format.mark in read_beginning(path, BEGINNING).replace(b"\0", b"")
        except DAMAGES:
            return True  # the reader says what is wrong with it

    def for_file(self, path: str, name: str, data: Sequence[str] | None = None) -> Family:
        """See ``Whole.for_file`` and ``Completed.for_file``."""
        return _OneFile(self.format, path, name, data)

    def load_ahead(self) -> None:
        """See ``LoadedAhead``."""
        self.format.load_ahead()

    def flatten(self, text: str) -> bool:
        """See ``Flattened``."""
        if self.format.flattens:
            _find_problem(self.format.name, text)
        return self.format.flattens

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``; raises ``InstanceError`` also where the file has changed."""
        return _find_problem(self.format.name, text)

    def original(self, text: str) -> str:
        """The content of the file, and of its data after it; InstanceError if one has changed."""
        contents = (_read_named(named)[1] for named in text.split(" "))
        return "\n".join(data.decode("utf-8", "replace") for data in contents)

    def _text(self, path: str, data: Sequence[str] | None = None) -> str:
        """The text that names a file and its data, by default those found by their names, once its
        problem could be stated."""
        if data is None:
            data = self.format.find_data(path)
        text = " ".join(map(_name_content, (path, *data)))
        _find_problem(self.format.name, text)
        return text


def _name_content(path: str) -> str:
    tidy = os.path.normpath(path).replace(os.sep, "/")
    return f"{quote(tidy, safe=PLAIN_SIGNS)}@{_digest(_content(path))}"


class _OneFile(ModelFiles):
    """The family as it reads one file of its format, with the data that complete it."""

    def __init__(
        self, made_of: Format, path: str, name: str, data: Sequence[str] | None = None
    ) -> None:
        super().__init__(made_of)
        self._path, self._called, self._data = path, name, data

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``; the lines are not looked at."""
        for path in (self._path, *(self._data or ())):
            readable = path.encode("utf-8", "backslashreplace").decode()
            if readable != path:
                yield InstanceError("the file's name is no UTF-8 text; rename it", readable)
                return
        try:
            text = self._text(self._path, self._data)
            yield Instance(self.name, self._called, text, f"{source}:1")
        except InstanceError as error:
            yield error


@lru_cache(maxsize=4)
def _find_problem(format_name: str, text: str) -> Problem:
    (path, data), *files = map(_read_named, text.split(" "))
    try:
        return find_format(format_name).read(data, path, files)
    except InstanceError:
        raise
    except ModelError as error:
        raise InstanceError(str(error), place(path, 1, 1)) from error


def _read_named(named: str) -> tuple[str, bytes]:
    """The path and the content of ``path@digest``; InstanceError where the file has changed."""
    quoted, _, digest = named.rpartition("@")
    path = unquote(quoted)
    data = _content(path)
    if _digest(data) != digest:
        raise InstanceError(
            f"{path} is another file than it was (its digest was {digest or 'not given'}, and is "
            f"{_digest(data)}); compare the new one in a new run",
            path,
        )
    return path, data


def _content(path: str) -> bytes:
    """What a file holds, decompressed."""
    try:
        return read_bytes(path)
    except DAMAGES as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise InstanceError(f"the file cannot be read: {cause}", path) from error


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
