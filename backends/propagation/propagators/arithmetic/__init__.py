"""Constraints of arithmetic: views, elements, extremes, distances, products."""
