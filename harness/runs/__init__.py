"""Runs from beginning to end: carry out, resume, find, watch, replay, merge.

In: an experiment, or a folder of a run. Out: that folder, filled. Read ``execution`` (jobs on this
machine), ``dask_executor`` (jobs on many), ``loading``, then the rest.
"""
