"""Problems as the texts that programs read, and the way back from what they show to values.

The writers are those of ``modelling.formats``. A map leads back: of literals the comments that our
writers leave (``formulas``), of names the identifiers that they give (``named``).

Words
-----
dialect     a format as programs take it: how it is written, and how its answers are read
text        one problem in a dialect
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from backends.interface.handlers import Handlers, handlers_of
from backends.interface.programs.answers.flatzinc import FlatZinc
from backends.interface.programs.answers.reader import Reader
from backends.interface.programs.answers.xcsp3 import Xcsp3
from backends.interface.programs.formulas import FormulaBase
from backends.interface.programs.named import Named
from modelling.constraints import (
    And,
    Clauses,
    Distance,
    Element,
    Iff,
    Implies,
    Linear,
    Maximum,
    Minimum,
    Not,
    NotEqual,
    Or,
    Product,
    Quotient,
    Remainder,
    Xor,
)
from modelling.formats import find_format
from modelling.formats.flatzinc.writer import Names
from modelling.formats.xcsp3.writer.naming import declare
from modelling.problem import Assignment, Problem, Structure


class Text(Protocol):
    """A problem as text. ``values`` makes of a sighting a value for each variable, or raises
    Garbled; ``reader`` reads what is printed, or ``in_file`` what is written to a file of the
    program's. ``cost`` is what the format's objective is worth in the last sighting, if that is
    asked for."""

    cost: int | None

    def pieces(self) -> Iterable[str]: ...

    def reader(self, in_file: bool) -> Reader: ...

    def values(self, sighting: Any) -> Assignment: ...


class ExcludingText(Text, Protocol):
    """A text that solutions are added to which are not wanted: ``exclude`` leaves an assignment
    out, as far as the variables ``on`` distinguish it."""

    def exclude(self, values: Assignment, on: Sequence[int]) -> None: ...


@dataclass(frozen=True)
class Dialect:
    """``name`` is that of the format in ``modelling.formats``, ``ending`` what files end in;
    ``optimises`` says that it can state objectives; ``write(problem, optimum)`` makes the text,
    with the objective if the optimum is asked for. ``says`` are the classes that its programs have
    constraints for, where these are not all that our writer says. ``keep(structure)`` makes what
    is kept of a structure, and whose ``write`` makes the texts then."""

    name: str
    ending: str
    optimises: bool
    write: Callable[[Problem, bool], ExcludingText]
    says: frozenset[type] | None = None
    keep: Callable[[Structure], FormulaBase] | None = None

    def handlers(self) -> Handlers:
        """What it says by itself; the driver rewrites the rest."""
        form = find_format(self.name)
        profile = form.load_writer().PROFILE
        if self.says is not None:
            natives = tuple(one for one in profile.natives if one.kind in self.says)
            profile = replace(profile, natives=natives)
        return handlers_of(profile)


def _in_xcsp3(problem: Problem, optimum: bool) -> Named:
    declarations, names = declare(problem.structure.names)
    arrays = {one.name: one.sizes for one in declarations if one.sizes}
    return Named(problem, optimum, "xcsp3", names, partial(Xcsp3, arrays))


def _in_flatzinc(problem: Problem, optimum: bool) -> Named:
    names = Names(problem.structure.names).names
    reader = partial(FlatZinc, frozenset(names), optimum)
    return Named(problem, optimum, "flatzinc", names, reader)


COMPARISONS = (Linear, NotEqual, Clauses, And, Or, Not, Implies, Iff, Xor)
FUNCTIONS = (Minimum, Maximum, Distance, Quotient, Remainder, Product, Element)
BUILTINS: frozenset[type] = frozenset((*COMPARISONS, *FUNCTIONS))
"""What FlatZinc has built-in constraints for, which every program takes. Further ones are called
otherwise by each (``gecode_all_different_int``): MiniZinc knows how."""


def _formulas(name: str, optimises: bool) -> Dialect:
    keep = partial(FormulaBase, name=name)

    def write(problem: Problem, optimum: bool) -> ExcludingText:
        return keep(problem.structure).write(problem, optimum)

    return Dialect(name, f".{name}", optimises, write, keep=keep)


DIALECTS: Mapping[str, Dialect] = {
    "dimacs": _formulas("cnf", False),
    "opb": _formulas("opb", True),
    "xcsp3": Dialect("xcsp3", ".xml", True, _in_xcsp3),
    "flatzinc": Dialect("flatzinc", ".fzn", True, _in_flatzinc, BUILTINS),
}
"""The dialects that any program can be given, by the names that are typed."""
