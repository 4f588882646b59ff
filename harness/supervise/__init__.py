"""Jobs in processes of their own, held to their limits from outside.

In: jobs and settings. Out: one record for each job, whatever its solver does. Read ``supervisor``
(what becomes of a job), ``pool`` and ``worker_process`` (the supervisor's side of the processes),
``reaper``, ``worker`` and ``answering`` (what runs in them), ``protocol`` and
``channels`` (what they tell each other); then ``settings``, ``limits``, ``cgroups``, ``processes``.
"""
