"""The model: terms, constraints, structures and problems; their rewriting, and their laws.

In come problems as people or importers state them; out go structures that backends encode, and
judgements of assignments by definition alone. Read in this order:

``errors``        every error that Concord raises on purpose
``wording``       numbers, lists and near names, as messages have them
``terms``         variables, views, functions; typed fields and what follows from them
``constraint``    what a constraint is: a total predicate
``vocabulary``    each constraint and function, one file each, in rooms (``constraints`` has all)
``definedness``   what base domains alone decide
``problem``       structures, objectives, problems, ``build_problem``
``check``, ``brute_force``  is this a solution; which are all
``text``          a problem as a line of text
``rewriting``     a structure expressed in what a backend takes
``expressions``   the layer for people: operators and functions, from which a model makes a problem
``laws``          random constraints, and the laws that each of them must keep

A file imports from those above it only.
"""
