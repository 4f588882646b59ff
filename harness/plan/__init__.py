"""What is to be run, as data: experiments, read and checked, and the jobs they come to.

In: TOML or Python values. Out: jobs in a seeded order. Read ``experiment``,
``instances``, ``expansion``; ``toml_source`` and ``toml_places`` find where in a file an error is.
"""
