"""Puzzles that people solve with a pencil: pictures, cages, sums, signs and houses in a row."""
