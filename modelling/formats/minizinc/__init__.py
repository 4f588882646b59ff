"""MiniZinc: models that MiniZinc flattens are read; problems are written as models to be read.

``reading``      a model, flattened by MiniZinc where it is installed
``library``      for MiniZinc: Concord as a solver, and the globals that are not to be decomposed
``messages``     MiniZinc's errors in a wrong model, at their place in the user's files
``origins``      the model's line, for a line of its FlatZinc
``projection``   the variables on which the printed text depends; ``flat_output``, ``output_model``
                 and ``texts`` are its parts
``releases``     the installed release of MiniZinc
``profile``      what MiniZinc has itself, for the rewriting of the rest
``names``        arrays, and identifiers for everything else
``printer``      expressions and their brackets; ``functions`` and ``predicates`` of each class
``writing``      declarations, constraints, the question
"""

from __future__ import annotations

from modelling.formats.minizinc.profile import PROFILE
from modelling.formats.minizinc.reading import find_data, flatten, load_ahead, read
from modelling.formats.minizinc.writing import write

__all__ = ["PROFILE", "find_data", "flatten", "load_ahead", "read", "write"]
