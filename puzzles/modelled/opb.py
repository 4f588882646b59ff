"""Files of OPB and WBO: sums over literals."""

from modelling.formats import find_format
from puzzles.model_files import ModelFiles

OPB = ModelFiles(find_format("opb"))
