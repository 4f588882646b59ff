"""The checker of proofs by cutting planes, in the format of VeriPB 1.1: a program that shares no
code with a solver.

inequality   pseudo-Boolean inequalities in normal form, and the rules of cutting planes
propagation  what inequalities imply by unit propagation
text         reads a formula and the lines of a proof
program      checks the lines one by one, and says what it found
"""
