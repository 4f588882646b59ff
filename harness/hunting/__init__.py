"""The hunt for wrong solvers: what is found is kept, made small, and written up for its author.

In reading order: ``findings`` (one wrong answer, as a folder).
"""
