"""Is a default of Concord's worse than the default of the library that it calls?

    python -m results.studies.speed.defaults [--seconds 5] [--repeat 3] [--backend B]...
                                             [--instances FOLDER] [--run FOLDER] [--out FOLDER]

A *pair* is a backend as Concord calls it by default, and the same encoding under the settings that
the library has where nobody sets one (``library``). Both get one thread. Most backends set nothing
but limits, threads and the seed: their two calls are the same call, ``SAME`` says why, and a test
compares the settings of HiGHS and SCIP. The others answer the questions of ``questions``: drawn
instances of more than ten kinds in three sizes, with seeds, or, with ``--instances``, the files of
a folder with ``INDEX.toml``.

It is a run like any other, in ``--run``: where it was stopped it continues when the same command is
given again. ``defaults.json`` and ``defaults.md`` in ``--out`` have, for each pair and kind, PAR-2
in seconds of CPU and the number of time-outs.
"""
