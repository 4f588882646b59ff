"""Puzzles line in, line out, in this process: solve, generate, grade, explain."""
