"""FlatZinc: the language of single constraints into which MiniZinc flattens its models.

A file is read as a Problem, and a Problem is written as a file. Read in this order:

``items``      items and tokens, with their places
``values``     arguments: terms, numbers, sets, arrays
``builtins``   the built-in constraints, in the vocabulary's words
``meanings``   the global constraints, in the vocabulary's words
``globals``    their names in MiniZinc's standard library
``libraries``  what libraries of solvers call otherwise
``declarations`` parameters, variables, arrays; ``bounds`` for variables without any
``reading``    constraints and the question: a Problem
``profile``    what FlatZinc has itself, for the rewriting of the rest
``writer``     names, variables and arguments as they are written
``conditions`` formulas as they are written
``statements`` constraints as they are written
``writing``    a Problem as FlatZinc
"""

from __future__ import annotations

from modelling.formats.flatzinc.profile import PROFILE
from modelling.formats.flatzinc.reading import read
from modelling.formats.flatzinc.writing import write

__all__ = ["PROFILE", "read", "write"]
