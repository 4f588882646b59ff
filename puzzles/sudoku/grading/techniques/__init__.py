"""Every technique by name, cheapest first: the order in which a person tries them.

A technique is a file, which is defined at its head: a function from a position to the steps that it
finds there. ``unions`` is what subsets and fish share, ``words`` what all explanations do.
"""

from __future__ import annotations

from puzzles.sudoku.grading.step import Technique
from puzzles.sudoku.grading.techniques.fish import swordfish, x_wing
from puzzles.sudoku.grading.techniques.hidden_single import hidden_single
from puzzles.sudoku.grading.techniques.hidden_subsets import hidden_pair, hidden_quad, hidden_triple
from puzzles.sudoku.grading.techniques.locked_candidates import locked_candidates
from puzzles.sudoku.grading.techniques.naked_single import naked_single
from puzzles.sudoku.grading.techniques.naked_subsets import naked_pair, naked_quad, naked_triple
from puzzles.sudoku.grading.techniques.nested_trial import nested_trial
from puzzles.sudoku.grading.techniques.simple_colouring import simple_colouring
from puzzles.sudoku.grading.techniques.trial import trial
from puzzles.sudoku.grading.techniques.xy_wing import xy_wing

TECHNIQUES: dict[str, Technique] = {
    "naked-single": naked_single,
    "hidden-single": hidden_single,
    "locked-candidates": locked_candidates,
    "naked-pair": naked_pair,
    "hidden-pair": hidden_pair,
    "naked-triple": naked_triple,
    "hidden-triple": hidden_triple,
    "naked-quad": naked_quad,
    "hidden-quad": hidden_quad,
    "x-wing": x_wing,
    "swordfish": swordfish,
    "xy-wing": xy_wing,
    "simple-colouring": simple_colouring,
    "trial": trial,
    "nested-trial": nested_trial,
}
