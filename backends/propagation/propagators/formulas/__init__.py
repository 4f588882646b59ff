"""Constraints of literals: clauses, and conditions that are equivalent to an equation."""
