"""Experiments, isolated runs, the store, validation, statistics, tables and plots."""
