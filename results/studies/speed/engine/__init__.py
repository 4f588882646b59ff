"""Our engine against Gecode, Choco and CP-SAT with one worker, family by family.

    python -m results.studies.speed.engine [--only FAMILY] [--rounds 3] [--limit 60]
                                           [--also BACKEND] [--out FOLDER] [--resume]

The same stated problem for all, CPU time of one thread, medians of interleaved rounds in one
process that has called everything once; a call that takes long is made once. Each rival runs its
best of several stated searches. *Search* is what a solver itself says that it searched, *call* the
whole call but the statement of the problem. *Ahead* is the rival's time over that of
``propagation:compiled``.
"""
