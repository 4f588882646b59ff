"""The kernel: domains, trail, queue, fixpoint and search over flat arrays of integers.

Every function here is written once, in a small subset of Python, and runs in two forms: as it is
(``pure``) and compiled by numba (``machine``). All take the same three arrays:

S   the store: the variables' domains and the propagators' states; what the trail undoes
T   the tables: what does not change during a search (constraints, watchers, rivals)
M   the memory: counters, queues, decisions, the trail, scratch; what no backtracking undoes

``layout`` says what lies where in them.
"""
