"""The files that are changed: drawn problems and real instances, written in a format, and files of
that format in folders of the user's."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.files.families import FamilyFiles
from harness.hunting.fuzzing.files.reading import Reader
from modelling.errors import ConcordError
from modelling.formats import Format
from modelling.problem import Problem

MOST_CHARACTERS = 20_000
"""A longer file is left out: a change of it would seldom meet what matters."""

MOST_TRIALS = 10
REAL = 0.5
"""The share of files that are made of the user's, where there are some."""


@dataclass(frozen=True)
class Seeds:
    """Files of a format: ``places`` are sets, files or folders, ``draws`` are made of them too."""

    form: Reader
    places: tuple[str, ...]
    draws: Draws

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The texts of the files in the places, by their names; of a family what ships as well."""
        found = [text for place in self.places for text in _read_all(Path(place), self.form)]
        return (
            (*found, *self.form.list_texts())
            if isinstance(self.form, FamilyFiles)
            else tuple(found)
        )

    def choose(self, rng: random.Random, number: int) -> str:
        """A text; of drawn problems the one of this number, or the next that can be written."""
        if isinstance(self.form, FamilyFiles):
            return rng.choice(self.files) if self.files else ""
        if self.files and rng.random() < REAL:
            return rng.choice(self.files)
        for further in range(MOST_TRIALS):
            text = write(self.form, self.draws.draw(number + further).problem)
            if text:
                return text
        return ""


def write(form: Format, problem: Problem) -> str:
    """A problem in a format, without comments of this project's own; empty where it cannot be."""
    try:
        text = "".join(form.write(problem))
    except (ConcordError, RecursionError):
        return ""
    if len(text) > MOST_CHARACTERS:
        return ""
    return "".join(line for line in text.splitlines(keepends=True) if "concord" not in line)


def _read_all(place: Path, form: Reader) -> Iterator[str]:
    for path in _list_files(place):
        if path.suffix.lower() in form.endings and path.stat().st_size <= MOST_CHARACTERS:
            yield path.read_text(encoding="utf-8", errors="replace")


def _list_files(place: Path) -> Iterable[Path]:
    if place.is_file():
        return [place]
    return sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else []
