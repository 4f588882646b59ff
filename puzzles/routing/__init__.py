"""Families of routing: tours."""
