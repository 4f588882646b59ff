"""The hunt for wrong solvers: what is found is kept, made small, and written up for its author.

In reading order: ``findings`` (one wrong answer, as a folder), ``fuzzing`` (how wrong answers are
found), ``faults`` (what is wrong with an answer), ``asking`` (a solver in a process of its own),
``stored_disputes`` (a job of a run as a finding); ``delta_debugging``, ``simpler_parts``,
``reductions`` and ``shrinking`` make it small; ``scripts``, ``program_files``, ``issue`` and
``reporting`` write it up; ``agreement`` and ``pytest_plugin`` are for other people's tests.
"""
