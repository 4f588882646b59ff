"""Plots of a run as pictures: SVG, PDF, PNG.

In: the tables of a run. Out: matplotlib Figures. Read ``points``, which says what is drawn, and
``colours``, which says how; the other files draw.
"""

from harness.report.plots.times import KINDS, plot, require_matplotlib

__all__ = ["KINDS", "plot", "require_matplotlib"]
