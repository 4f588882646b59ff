"""Files in FlatZinc as a family: an instance a file."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

FLATZINC = ModelFiles(find_format("flatzinc"))
