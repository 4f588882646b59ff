"""The checker of proofs of ``propagation:learning``: a program that shares no code with the solver.

box      the values that variables may have, and literals over them
text     reads a model and the lines of a proof
rules    whether no assignment within a box satisfies a constraint: a rule for each kind
shared   the rules of tasks that share a machine or a resource
holds    whether an assignment satisfies a constraint: the definitions
program  checks the lines one by one, and says what it found
"""
