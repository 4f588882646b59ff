"""Models in MiniZinc as a family: an instance a file."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

MINIZINC = ModelFiles(find_format("minizinc"))
