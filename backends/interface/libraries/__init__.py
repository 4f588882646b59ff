"""What backends share whose solvers are libraries of Python; ``programs`` is for other programs.

``making``    a backend with options from its solver, and the import of a solver's library
``recipes``   the constraints of a structure, kept to be posed anew for each instance
``formulas``  formulas from a few operations of a solver: conjunction, disjunction, negation, ...
``literals``  a literal for each value of each variable, and constraints as clauses over them
"""
