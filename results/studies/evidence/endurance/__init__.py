"""Whether a run outlasts what happens to it: kills, power cuts, full disks, clocks, years.

    python -m results.studies.evidence.endurance [--only PART] [--seed 0] [--out FOLDER]

Each part disturbs runs whose answers are the same each time, continues them, and compares what
they come to with an undisturbed one; and what was committed before with what is there afterwards.

``disk`` says what a power cut leaves of files, ``faults`` puts a layer below SQLite that cuts and
fills; ``lives`` is the life of a store without solvers, ``steps`` disturbs it at each of its steps.
``runs`` starts whole runs in processes of their own and compares them; ``disturbances`` kills them,
cuts their power, fills their disk, turns their clock, resumes them twice at once, and continues
those of earlier releases, whose stores are in ``stores``. ``process`` is what such a run starts as.
"""
