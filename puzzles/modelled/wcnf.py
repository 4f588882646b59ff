"""Files of DIMACS WCNF: clauses with weights."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

WCNF = ModelFiles(find_format("wcnf"))
