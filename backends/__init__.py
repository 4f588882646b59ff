"""The solvers: one interface, one room or file for each solver.

``interface``         what a backend is, and what all of them are built from; read ``api`` first
``conformance``       the suite that every backend passes, and backends that lie to it
``propagation``, ``cpsat``, ``sat``, ``python_constraint``, ``brute_force``, ``ladder``,
``sudoku_kernel``     a solver each; none imports another
``counting``          counts of many instances at once, by the best solver that is installed
``coverage``          what a backend does with each class of the vocabulary

A problem comes in, and what was asked about it; a ``Result`` goes out.
"""

from modelling.formats import register_writer

for _name in ("cnf", "opb", "wcnf"):  # written by the encodings of ``sat``
    register_writer(_name, f"{__name__}.sat.export.{_name}")
