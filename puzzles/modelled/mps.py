"""Files of MPS: integer programs."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

MPS = ModelFiles(find_format("mps"))
