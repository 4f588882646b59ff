"""The field's formats: files that other people's tools write and read, as Problems and back.

In comes the content of a file, out goes a ``Problem``; or in comes a ``Problem``, and out go pieces
of text. A format is one module or room here, which has ``read``, ``write``, or both, and one line
in ``FORMATS``. It is imported when it is used. Formats know nothing of each other.

Words
-----
format      a language in which files state problems: XCSP3, FlatZinc, DIMACS CNF, ...
source      what the content is called in messages, mostly the path of a file
covered     what a reader can state; anything else is refused before a solver runs
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from modelling.errors import InputError
from modelling.wording import did_you_mean

if TYPE_CHECKING:  # help texts need only the names of formats
    from modelling.problem import Problem


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    ``endings`` are the ends of such files' names, in lower case and before ``.gz``, ``.xz`` or
    ``.lzma``. ``module`` contains its functions. ``mark`` is needed if other files have the same
    endings: it is what such files begin with, except for a few lines. ``data`` are the ends of the
    names of files that complete such a file, as data complete a model. A format ``flattens`` if a
    program makes simpler constraints of its files before they can be read.
    """

    name: str
    about: str
    endings: tuple[str, ...]
    module: str
    reads: bool = True
    writes: bool = True
    mark: bytes = b""
    data: tuple[str, ...] = ()
    flattens: bool = False

    def read(
        self, data: bytes, source: str, files: Sequence[tuple[str, bytes]] | None = None
    ) -> Problem:
        """The problem that a file states, from its content as it is when decompressed.

        ``files`` are the names and contents of those that complete it, by default of those of
        ``find_data``. Raises ``InstanceError``, with ``source:line:column``, for what is wrong or
        not covered.
        """
        more = (files,) if self.data else ()
        problem: Problem = self._loaded().read(data, source, *more)
        return problem

    def find_data(self, source: str) -> list[str]:
        """The files that complete a file by their names."""
        found: list[str] = self._loaded().find_data(source) if self.data else []
        return found

    def write(self, problem: Problem) -> Iterator[str]:
        """The problem as text in pieces; ``ModelError`` names what the format cannot say."""
        pieces: Iterator[str] = self.load_writer().write(problem)
        return pieces

    def load_writer(self) -> ModuleType:
        """Import and return the module that writes: a registered one, or that of the format."""
        return importlib.import_module(_WRITERS.get(self.name, self.module))

    def load_ahead(self) -> None:
        """Import the reader, and let it find the programs that it needs, before there is a file."""
        getattr(self._loaded(), "load_ahead", lambda: None)()

    def _loaded(self) -> ModuleType:
        return importlib.import_module(self.module)


FORMATS: tuple[Format, ...] = (
    Format("cnf", "DIMACS CNF", (".cnf", ".dimacs"), "modelling.formats.dimacs.cnf"),
    Format("lp", "LP, as CPLEX writes it", (".lp",), "modelling.formats.linear.lp"),
    Format(
        "mps", "MPS, read in both forms, written free", (".mps",), "modelling.formats.linear.mps"
    ),
    Format("wcnf", "DIMACS WCNF", (".wcnf",), "modelling.formats.dimacs.wcnf"),
    Format("opb", "OPB and WBO", (".opb", ".wbo", ".pbo"), "modelling.formats.opb"),
    Format(
        "flatzinc",
        "FlatZinc, to which MiniZinc flattens models",
        (".fzn",),
        "modelling.formats.flatzinc",
    ),
    Format(
        "minizinc",
        "MiniZinc, read where MiniZinc is there to flatten it",
        (".mzn",),
        "modelling.formats.minizinc",
        data=(".dzn", ".json"),
        flattens=True,
    ),
    Format(
        "xcsp3",
        "XCSP3-core, in which competitions state problems",
        (".xml",),
        "modelling.formats.xcsp3",
        mark=b"<instance",
    ),
    Format(
        "cpmpy",
        "Python source that makes a model of CPMpy's",
        (".cpmpy.py",),
        "modelling.formats.cpmpy",
        reads=False,
    ),
    Format(
        "python",
        "Python source that makes a concord.Model",
        (".py",),
        "modelling.formats.source",
        reads=False,
    ),
)
"""All formats, in the order in which they are listed."""


_WRITERS: dict[str, str] = {}


def register_writer(name: str, module: str) -> None:
    """Let ``module`` write the format ``name``; it is imported when it is used.

    Rooms above this one call it: a backend writes formulas by its encodings.
    """
    _WRITERS[name] = module


def find_format(name: str) -> Format:
    """The format of this name; ``InputError`` names the nearest."""
    found = next((one for one in FORMATS if one.name == name), None)
    if found is None:
        known = [one.name for one in FORMATS]
        hint = did_you_mean(name, known)
        raise InputError(f"no format is called {name!r}{hint} (there are: {', '.join(known)})")
    return found
