"""What is to be run, as data: experiments, read and checked, and the jobs they come to.

In: TOML, or Python values. Out: instances, and jobs in a seeded order. Read ``experiment``,
``reading``, ``checking``, ``expansion``; ``toml_positions`` finds where in a file an
error is, and the folder ``experiments`` holds those that ship.
"""
