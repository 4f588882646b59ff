"""The tests; what they share is imported by its place, as in ``tests.data.samples``."""
