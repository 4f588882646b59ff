"""The layer for people: variables, operators and functions, from which a ``Model`` makes a Problem.

In come expressions as one would write them on paper; out go the core's terms and constraints. None
of what is here ever stands in a structure, and a mistake that Python would take silently for
something else raises ModelError and says what to write instead. Read in this order:

``space``        the variables of a model under construction
``folding``      deeply nested sums and conjunctions, without recursion
``traps``        what Python would take for something else, and what to write
``wording``      terms and constraints as a person would write them, for messages
``expression``   integers and conditions, and what operators make of them
``blocks``, ``arrays``  arrays of them in any number of dimensions; expressions as indices
``functions``    every constraint and function of the vocabulary as a function of expressions
``solution``     values by name, attribute and handle
``model``        variables, constraints, an objective: the Problem
``files``        models in Python files, and texts that name them
"""
