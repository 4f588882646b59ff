"""Successors of nodes: one tour through all of them, or through some."""
