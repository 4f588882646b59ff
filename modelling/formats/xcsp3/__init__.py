"""XCSP3-core 3.2: instances read from its XML (``reader``), and problems written in it
(``writer``). The reader knows nothing of the writer."""

from modelling.formats.xcsp3.reader.reading import read
from modelling.formats.xcsp3.writer.profile import PROFILE
from modelling.formats.xcsp3.writer.writing import write

__all__ = ["PROFILE", "read", "write"]
