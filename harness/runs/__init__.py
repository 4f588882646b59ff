"""Runs from beginning to end: carry out, resume, find, watch, replay, merge.

In: an experiment, or a folder of a run. Out: that folder, filled. Read ``execution``, ``engine``
(jobs on this machine), ``on_dask`` (jobs on many), ``loading``, then the rest.
"""
