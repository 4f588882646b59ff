"""The vocabulary: one file a constraint or function, each with all that is particular to it.

The files are in rooms by subject; a room imports only from those below it:

``automata``, ``graphs``, ``ordering``, ``scheduling``
``counting``, ``equality``
``functions``
``formulas``        what all others expand to
``comparisons``     the six relations, and which terms always have a value

A class brings its definition (``relates`` or ``value``), ``simplified``, ``expand``, ``negated``
where the opposite is simple, ``draw`` and ``EDGES``, and its names in XCSP3 and MiniZinc.
``WITHOUT`` names the parts that it lacks, with the reasons (see
``modelling.laws.checking.missing_parts``).

Every class of a file in these rooms is in ``VOCABULARY``: it is drawn, tested, written by its name
and rewritten for every backend. Its exports are written out in ``modelling.constraints``,
``modelling.expressions.functions`` and ``concord``; a test names what is missing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from modelling.constraint import Predicate
from modelling.terms import Function


def _classes() -> Iterator[type[Predicate] | type[Function]]:
    """The classes that the files here define, by file, in the order of their definitions."""
    for name in sorted(module.name for module in walk_packages(__path__, f"{__name__}.")):
        module = import_module(name)
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and issubclass(kind, (Predicate, Function)):
                yield kind


VOCABULARY: tuple[type[Predicate] | type[Function], ...] = tuple(_classes())
"""Every class of constraints and functions that Concord knows."""
