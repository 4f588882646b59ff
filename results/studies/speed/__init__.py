"""How fast? Each backend beside its library, a plain script, and an earlier checkout of Concord.

defaults  the default of each backend beside that of its library
engine    the hand-written engine against Gecode, Choco and CP-SAT
engine.ablation  what each option of it gives
engine.holes  Latin squares with holes at the phase transition
kernel    the compiled Sudoku kernel, text included, beside programs that are named
learning  the search that learns against CP-SAT and Pumpkin
versions  whether this Concord is as fast as another checkout of it
wrapper   what a backend adds to its solver: five models, each beside a script

``scripts``, a file a solver, and ``small_models``, which they solve, belong to wrapper.
"""
