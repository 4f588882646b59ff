"""How fast and how large? Solvers, encodings and kernels, each beside what it could be.

cnf_block      how long a file of 100 MB of clauses takes to be read and solved
cpsat          CP-SAT as Concord calls it, beside its other configurations
defaults       the default of each backend beside that of its library
growth         how encodings grow: clauses, variables, time and memory by n
kernel         the compiled Sudoku kernel beside Norvig's algorithm
ladder         every rung of the ladder on one set, and the posts' tables of speed-ups
modelling      how long a large model takes until its structure is there
native         each class of the vocabulary native beside its rewrite, in two backends
overhead       what the common interface costs beside each solver's own API
sat_defaults   which engine and encoding sat has by default, on sets of many kinds
sat_encodings  which handlers, integers and sums sat has by default
versions       whether this Concord is as fast as another checkout of it
wrapper        what a backend adds to its solver: five models, each beside a script

``native_instances`` belongs to native; ``scripts``, a file a solver, and ``small_models``, which
they solve, to overhead and wrapper.
"""
