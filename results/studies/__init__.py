"""The studies: programs that measured what stands under ``results/reference``.

From the root of a checkout, ``python -m results.studies.NAME`` runs one and ``--help`` explains its
options; most take ``--out``. They are above the harness: they may import any part of the project,
and no part imports them.

conformance     the conformance suite on many drawn problems, for every backend
cpsat           CP-SAT as Concord calls it, beside its other configurations
dispatch        what it costs to get a job to a warm worker
drawn_problems  whether all backends say what the oracle says of very many drawn problems
endurance       whether runs endure kills, a million jobs, interruptions and lost Dask workers
external        whether answers published with other people's collections are found again
generation      puzzles generated: speed, memory, and all checked by other solvers
grading         techniques beside their definitions; human grade and solver effort
growth          how encodings grow: clauses, variables, time and memory by n
kernel          the compiled Sudoku kernel beside Norvig's algorithm
known_answers   answers known from elsewhere, by every backend that can
ladder          every rung of the ladder on one set, and the posts' tables of speed-ups
laws            the laws of every class of the vocabulary, on many draws
modelling       how long a large model takes until its structure is there
mutations       10,000 damaged files of every Sudoku format
native          each class of the vocabulary native beside its rewrite, in two backends
overhead        what the common interface costs beside each solver's own API
sat_defaults    which engine and encoding sat has by default, on sets of many kinds
sat_encodings   which handlers, integers and sums sat has by default
scrambles       how much solvers gain from the order in which a set's puzzles are written
supervision     whether limits hold and faults cost nothing
toy_constraint  a constraint that one file defines, in every position, on every backend
uniformity      whether each way of making full grids makes every grid as often

``reference`` makes a reference run of an experiment, ``set_making`` the generated sets that ship,
and ``mutation/study.py`` tells whether the tests notice wrong code. ``mutants``,
``native_instances``, ``sampling`` and ``scripts`` belong to mutations, native, supervision and
overhead.
"""
