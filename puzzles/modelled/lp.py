"""Files of the LP format: integer programs."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

LP = ModelFiles(find_format("lp"))
