"""What a puzzle family is, what an instance is, and the families that there are.

Words
-----
family      a kind of puzzle: how its instances are written, stated as a Problem, checked and drawn
instance    one puzzle of a family: its canonical text and what it is called
text        one line from which alone the family can state the problem; equal puzzles, equal text
values      a solution: one integer per variable, in the order of the problem's structure
batch       plain instances that were read together, which are solved as arrays
format      a way in which a family's files are written, where there are several
"""

from __future__ import annotations

import importlib.util
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import puzzles
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem
from modelling.wording import did_you_mean
from modelling.working_folder import append_working_folder
from puzzles.endings import FILES
from puzzles.files import plain_name
from puzzles.parameters import Parameter
from puzzles.pictures import Svg, draw_text
from puzzles.random_stream import Stream

MOST_SHOWN = 500_000
"""Most characters of SVG that are shown without being asked for."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One puzzle.

    ``name`` is the name after it on its line, else ``set:line``; names need not be unique.
    ``source`` is ``file:line``, where it was read; ``set`` is what its set is called, where an
    experiment read it.
    """

    family: str
    name: str
    text: str
    source: str = ""
    set: str = ""

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; None, for which it shows the text, without a picture or with one
        that is too large."""
        kind = family(self.family)
        shown = kind.picture(self.text) if isinstance(kind, Pictured) else ""
        return shown if 0 < len(shown) <= MOST_SHOWN else None


class Family(Protocol):
    """A kind of puzzle.

    One that ships is found by its module, ``puzzles.NAME`` or ``puzzles.ROOM.NAME``, which holds
    it under the same name in capitals; nothing else lists it. What else there is to know about it,
    it says itself: here, and in what it has of ``Pictured``, ``Sized``, ``Measured``, ``Valued``,
    ``Generated``, ``Batched``, ``Formatted`` and ``Ending``; ``csplib``, where it has that, is the
    problem's number in CSPLib.
    """

    name: str
    about: str

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """Every entry of ``lines`` in order, as it is read.

        A bad entry is yielded, not raised, as an ``InstanceError`` whose place is
        ``source:line:column``, and the entries after it still come. Input without any entry is
        one ``InstanceError``.
        """
        ...

    def problem(self, text: str) -> Problem:
        """The instance as a problem, even if its givens clash (it then has no solution).

        Instances of one size share one structure. Raises ``InstanceError`` for a text that cannot
        be read.
        """
        ...

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """What is wrong with a solution, by the puzzle's own rules alone; [] means nothing."""
        ...

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """The puzzle drawn over several lines; with values, ``puzzle --> solution``."""
        ...

    def write(self, text: str, values: Sequence[int]) -> str:
        """The solution as one line."""
        ...


@runtime_checkable
class Pictured(Protocol):
    """What a family has beside ``Family`` if people look at its puzzles."""

    def picture(self, text: str, values: Sequence[int] | None = None) -> str:
        """The puzzle as SVG, with values solved (``puzzles.pictures``).

        Raises ``InstanceError`` for another number of values than there are variables.
        """
        ...


@runtime_checkable
class Sized(Protocol):
    """What a family with empty boards has beside ``Family``."""

    def of_size(self, n: int) -> str:
        """The line of the empty board of a size; ``InstanceError`` if there is none."""
        ...


@runtime_checkable
class Measured(Protocol):
    """What a family has beside ``Family`` if its instances have a natural size."""

    unit: str
    """What the size counts, in the plural: ``queens``, ``operations``."""

    def size_of(self, text: str) -> float | None:
        """The size of an instance, above 0; None if it has none.

        Where the family is ``Sized``, too, that of ``of_size(n)`` is n. Raises ``InstanceError``
        for a text that cannot be read.
        """
        ...


@runtime_checkable
class Valued(Protocol):
    """What a family in which the best solution is sought has beside ``Family``."""

    def value(self, text: str, values: Sequence[int]) -> int:
        """What a solution is worth or costs, by the puzzle's own rules and not by the model."""
        ...


@runtime_checkable
class OptionalObjective(Protocol):
    """What a family has beside ``Valued`` if its text says whether the best solution is sought."""

    def has_objective(self, text: str) -> bool:
        """Whether the problem of a canonical text has an objective, without building it."""
        ...


Count = Callable[[Problem, int], int]
"""``count(problem, limit)``: how many solutions a problem has, counted up to ``limit``.

It must be sure of it, whatever time that takes: what is generated depends on the seed alone.
``puzzles`` imports no solver; whoever calls a generator passes in the one to ask.
"""


@runtime_checkable
class Generated(Protocol):
    """What a family whose instances are drawn at random has beside ``Family``."""

    parameters: Sequence[Parameter]
    """The parameters of its generator; ``generate`` gets each of them by its name."""

    def generate(self, draws: Stream, **given: Any) -> str:
        """The text of an instance; it depends on the stream and the parameters alone.

        The values are within their bounds. Raises ``InputError`` if they do not go together. With
        ``asks_solver = True`` it also gets a ``Count``, as ``count``; with ``asks_item = True``
        the number of the item from 0, as ``item``, where instances are listed rather than drawn.
        """
        ...


class Batch(Protocol):
    """Instances that were read together: a dataclass, for the sake of ``dataclasses.replace``."""

    @property
    def family(self) -> str:
        """The name of their family."""
        ...

    def __len__(self) -> int:
        """How many they are."""
        ...

    def entry(self, k: int) -> Instance | InstanceError:
        """Number ``k`` (from 0), as ``Family.read`` would have yielded it."""
        ...


@runtime_checkable
class Batched(Protocol):
    """What a family has beside ``Family`` if its plain instances can be read together."""

    def read_batches(
        self, lines: Iterable[str], source: str, longest: int
    ) -> Iterator[Instance | InstanceError | Batch]:
        """Like ``read``, but plain instances come together, at most ``longest``."""
        ...


@runtime_checkable
class Formatted(Protocol):
    """What a family has beside ``Family`` if its files are written in several formats."""

    def formats(self) -> Sequence[str]:
        """The names of the formats; empty if there is but one way."""
        ...

    def in_format(self, name: str) -> Family:
        """The family as it reads files of this format; raises ``InputError`` if there is none."""
        ...

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """The family as it reads a file whose format its text and the ending of ``path`` tell.

        ``first`` is the first line that is neither blank nor a comment, ``head`` those before it.
        """
        ...


@runtime_checkable
class Ending(Protocol):
    """What a family has beside ``Family`` if the names of files tell that they are its own."""

    @property
    def endings(self) -> Sequence[str]:
        """What such names end in, in small letters: ``(".tsp", ".atsp")``; before ``.gz``, ``.xz``
        or ``.lzma``."""
        ...


@runtime_checkable
class Whole(Ending, Protocol):
    """What a family has beside ``Family`` if such a file holds one instance, whatever its lines."""

    def for_file(self, path: str, name: str) -> Family:
        """The family as it reads this file: one instance called ``name``, whatever the lines."""
        ...


@runtime_checkable
class Completed(Whole, Protocol):
    """What a family has beside ``Whole`` if other files complete such a file, as data do a
    model."""

    @property
    def data_endings(self) -> Sequence[str]:
        """What the names of those end in, as ``endings`` does; empty if there are none."""
        ...

    def for_file(self, path: str, name: str, data: Sequence[str] | None = None) -> Family:
        """See ``Whole.for_file``; with the files ``data``, by default those found by their
        names."""
        ...


@runtime_checkable
class Recognised(Ending, Protocol):
    """What a family has beside ``Family`` if files that are not its own have its endings too."""

    def recognises(self, path: str) -> bool:
        """Whether the beginning of a file says that it is one of the family, as far as the file is
        there."""
        ...


@runtime_checkable
class LoadedAhead(Protocol):
    """What a family has beside ``Family`` if its first problem would pay for what it imports."""

    def load_ahead(self) -> None:
        """Import all that stating a problem takes, before there is one."""
        ...


@runtime_checkable
class Flattened(Protocol):
    """What a family has beside ``Family`` if a program has to flatten some of its texts, which
    says nothing of the solver that is asked."""

    def flatten(self, text: str) -> bool:
        """Flatten a text, and keep its problem for ``problem``; whether there was anything to
        flatten. Raises as ``problem`` does."""
        ...


@runtime_checkable
class InFiles(Protocol):
    """What a family has beside ``Family`` if its texts name files."""

    def original(self, text: str) -> str:
        """What is in the files that a text names, one after the other."""
        ...


def original_text(family: Family, text: str) -> str:
    """An instance as its author wrote it: the content of its files, or the text itself."""
    return family.original(text) if isinstance(family, InFiles) else text


ROOMS = (
    "arithmetic",
    "boards",
    "colouring",
    "designs",
    "modelled",
    "pencil",
    "routing",
    "scheduling",
    "sequences",
)
"""The folders of ``puzzles`` in which there is a family a file; what they hold is not listed."""

DEFAULT_FAMILY = "sudoku"
"""What the lines of a file are that does not say it."""


def family(name: str) -> Family:
    """The family called ``name``, or a user's own as ``py:package.module:attribute``.

    Raises ``InputError`` for one that is not there, naming the nearest one that is.
    """
    found = _load_own(name) if is_own(name) else _load_shipped(name)
    if found is None:
        known = list_family_names()
        raise InputError(
            f"no puzzle family is called {name!r}{did_you_mean(name, known)} "
            f"(there are: {', '.join(known)})"
        )
    return found


def families() -> list[Family]:
    """Every family that ships: the default one, then the others by name."""
    homes = [
        *puzzles.__path__,
        *(os.path.join(home, r) for home in puzzles.__path__ for r in ROOMS),
    ]
    modules = sorted(module.name for module in pkgutil.iter_modules(homes))
    loaded = map(_load_shipped, [DEFAULT_FAMILY, *(m for m in modules if m != DEFAULT_FAMILY)])
    return [found for found in loaded if found is not None]


def list_family_names() -> list[str]:
    """The names of all families that ship, in the order of ``families``."""
    return [found.name for found in families()]


def make_picture(kind: Family, text: str, values: Sequence[int] | None = None) -> Svg:
    """A puzzle of this family as SVG, with values solved; its drawing as text if it has no other.

    Raises ``InstanceError`` as ``Pictured.picture`` does.
    """
    if isinstance(kind, Pictured):
        return Svg(kind.picture(text, values))
    return Svg(draw_text(kind.render(text, values)).svg())


def find_by_ending(path: str) -> str | None:
    """The family whose files end as ``path`` does; None if none does, as most text files."""
    name = plain_name(os.path.basename(path).lower())
    if os.path.splitext(name)[1] in ("", ".txt"):
        return None
    for candidate, files in FILES.items():
        if name.endswith(files.endings):
            kind = family(candidate)
            if not isinstance(kind, Recognised) or kind.recognises(path):
                return candidate
    return None


def list_formats(name: str) -> Sequence[str]:
    """The formats in which files of the family ``name`` are written; empty if it has none."""
    found = family(name)
    return found.formats() if isinstance(found, Formatted) else ()


def is_shipped(name: str) -> bool:
    """Whether a family of this name ships."""
    return _load_shipped(name) is not None


def find_module(name: str) -> str | None:
    """Return the module ``puzzles.NAME`` or ``puzzles.ROOM.NAME`` that exists, if any does."""
    if name in FILES:
        return FILES[name].module
    if not name.isidentifier():
        return None
    places = (f"puzzles.{name}", *(f"puzzles.{room}.{name}" for room in ROOMS))
    return next((place for place in places if importlib.util.find_spec(place) is not None), None)


def _load_shipped(name: str) -> Family | None:
    """What the module of a family has under its name in capitals, if that is one called so."""
    module = find_module(name)
    if module is None:
        return None
    found = getattr(importlib.import_module(module), name.upper(), None)
    return found if getattr(found, "name", None) == name else None


def has_objective(one: Instance) -> bool:
    """Whether an instance has an objective.

    ``OptionalObjective`` answers from the text, and a family that ships without it has none, unless
    its instances are whole problems. For those and for a user's own family the problem is built.
    """
    kind = family(one.family)
    if isinstance(kind, OptionalObjective):
        return kind.has_objective(one.text)
    if is_shipped(one.family) and not states_objectives(kind):
        return False
    return kind.problem(one.text).structure.objective is not None


def states_objectives(kind: Family) -> bool:
    """Whether the instances of a family are whole problems, which may have objectives."""
    return kind.name == "problem" or (isinstance(kind, Whole) and kind.name != "cnf")


def is_own(name: str) -> bool:
    """Whether this is how a family that is not Concord's is called."""
    return name.startswith("py:")


def _load_own(name: str) -> Family:
    """Any object, or class, with the methods of ``Family``."""
    module, _, attribute = name.removeprefix("py:").partition(":")
    append_working_folder()
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"family {name!r}: write py:package.module:attribute ({error})") from error
    made: Family = found() if isinstance(found, type) else found
    return made
