"""Files in XCSP3 as a family: an instance a file."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

XCSP3 = ModelFiles(find_format("xcsp3"))
