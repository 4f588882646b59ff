"""How a backend is made of its options and its solver, whose library is imported then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from backends.interface.driver import Driver
from backends.interface.libraries.recipes import Recipe
from backends.interface.magnitudes import find_too_heavy, find_too_large
from backends.interface.options import Option, ParameterReader, read
from backends.interface.registry import require
from backends.interface.session import Capabilities, Solver
from backends.interface.shipped import SHIPPED
from modelling.problem import Structure
from modelling.versions import find_version

SHIPPED_BY_NAME = {entry.name: entry for entry in SHIPPED}


def maker(
    backend: str,
    options: Sequence[Option],
    solver: Callable[..., Solver],
    parameters: ParameterReader | None = None,
) -> Callable[[str], Driver]:
    """Return the function ``make`` of a backend, which takes the text after the colon.

    It calls ``solver`` with the canonical name and a keyword for each option, but for ``reuse``,
    which says whether the driver keeps encodings. What ``parameters`` reads becomes the solver's
    attribute ``parameters``.
    """

    def make(text: str = "") -> Driver:
        found = read(backend, options, text, parameters)
        values = dict(found.options)
        keep = values.pop("reuse", "encoding") != "none"
        made = solver(found.text, **values)
        made.parameters = found.parameters
        return Driver(found.text, made, keep)

    return make


class LibrarySolver(Solver):
    """A solver in a library of Python, which is imported when the solver is made.

    ``backend`` and ``module`` are as in ``import_library``, by default the family. Structures are
    refused whose values or sums reach beyond ``largest``, or that have a sum whose weights are more
    than ``heaviest`` together; None for a solver without such a limit.
    """

    largest: int | None = None
    heaviest: int | None = None

    def __init__(
        self, name: str, capabilities: Capabilities, backend: str = "", module: str = ""
    ) -> None:
        self.name = name
        backend = backend or capabilities.family
        self.library = import_library(backend, module)
        self.capabilities = replace(capabilities, version=library_version(backend))

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        reason = ""
        if self.largest is not None:
            reason = find_too_large(structure, self.largest)
        if not reason and self.heaviest is not None:
            reason = find_too_heavy(structure, self.heaviest)
        return reason


class RecipeSolver(LibrarySolver):
    """A solver that cannot take back what an instance adds: a structure is kept as a recipe."""

    def encode(self, structure: Structure) -> Recipe:
        """What the handlers note."""
        return Recipe()


def import_library(backend: str, module: str = "") -> Any:
    """Return the library of a backend that ships, or another ``module`` of it.

    Raises ``BackendUnavailable``, which says what to install, where it cannot be imported.
    """
    entry = SHIPPED_BY_NAME[backend]
    return require(entry.distribution, module or entry.imports, backend, entry.install)


def library_version(backend: str) -> str:
    """Return the version of the distribution that has the library of a backend."""
    return find_version(SHIPPED_BY_NAME[backend].distribution)
