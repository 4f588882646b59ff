"""Jobs in processes of their own, held to their limits from outside.

In: jobs and settings. Out: one record for each job, whatever its solver does. Read ``supervisor``,
``pool``, ``keeper``, ``worker``, ``protocol``; then what measures and limits: ``limit_watch``,
``usage``, ``cgroups``, ``process_tree``.
"""
