"""Integers that depend on terms: products, quotients, extremes, elements; and ``define``, which
says that a variable is equal to one. In flat form functions occur nowhere else."""
