"""Files of DIMACS CNF."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

CNF = ModelFiles(find_format("cnf"))
