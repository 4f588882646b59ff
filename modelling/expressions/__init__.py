"""The layer for people: variables, operators and functions, from which a ``Model`` makes a Problem.

This layer takes expressions as one would write them on paper, and makes the core's terms and
constraints from them. A structure never contains its objects. A mistake that Python would silently
take for something else raises ModelError, whose message says what to write instead. Read in this
order:

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
