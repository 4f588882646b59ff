"""Is this Concord as fast as another checkout of it? Throughput of this one over the other's.

    python -m results.studies.speed.versions OTHER [--python PYTHON] [--rounds K]
                                                   [--only CASE]... [--out DIR]

OTHER is the folder of another checkout, PYTHON the interpreter that has it installed (by default
``OTHER/.venv/bin/python``). In every round each case is measured once in each checkout, by turns
which comes first, in a process of its own; what is measured is in ``measured.py``, which both
checkouts run. A *row* is what one figure is of: a backend on a set, a count of jobs, a call.

Words
-----
time        seconds of one item (an instance, a call) in one round; of the rounds the median
ratio       throughput of this checkout over the other's: of an item the other's time over this
            one's, of a row the geometric mean over its items; 1 is as fast, above 1 is faster
spread      the least and the greatest ratio of a row over the single rounds

Writes ``times.json.gz`` (every time), ``ratios.csv`` and ``ratios.md`` to ``--out``.
"""
