"""Sequences that an automaton or a decision diagram accepts."""
