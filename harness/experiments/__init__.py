"""The experiments that ship: TOML files, and measurements that need a program of their own.

A measurement is a module here with ``main(arguments)``; ``concord run NAME`` runs it, and what
stands behind the name goes to it.
"""

MEASUREMENTS = {
    "cpsat": "CP-SAT as Concord calls it, beside its other configurations",
    "dispatch": "what it costs to get a job to a warm worker",
    "endurance": "whether runs endure kills, a million jobs, interruptions and lost Dask workers",
    "grading": "techniques beside their definitions; human grade and solver effort",
    "generation": "puzzles generated: speed, memory, and all checked by other solvers",
    "kernel": "the compiled Sudoku kernel beside Norvig's algorithm",
    "ladder": "every rung of the ladder on one set, and the posts' tables of speed-ups",
    "mutations": "10,000 damaged files of every Sudoku format",
    "overhead": "what the common interface costs beside each solver's own API",
    "sat_defaults": "which engine and encoding sat has by default, on sets of many kinds",
    "scrambles": "how much solvers gain from the order in which a set's puzzles are written",
    "supervision": "whether limits hold and faults cost nothing",
    "uniformity": "whether each way of making full grids makes every grid as often",
}
