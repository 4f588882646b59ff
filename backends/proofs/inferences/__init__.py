"""The checker of proofs of ``propagation:learning``: a program that shares no code with the solver.

box      the values that variables may have, and literals over them
text     reads a model and the lines of a proof
rules    for each kind of constraint its definition, and whether nothing within a box satisfies it
shared   the same for tasks that share a machine or a resource
program  checks the lines one by one, and says what it found
"""
