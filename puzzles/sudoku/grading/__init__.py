"""Grading Sudoku as a person solves it: techniques, the path they make, grade and score.

    from puzzles.sudoku.grading.path import grade

    graded = grade(text)
    graded.grade, graded.score
    [step.explanation for step in graded.steps]

A ``position`` is what there is to see (``board`` has its masks), and a ``step`` changes it. The
room ``techniques`` has a file for each technique; ``path`` uses the cheapest that finds a step,
``scale`` says what it costs, and ``singles`` is the engine of trial. ``drawing`` draws a position.
``definitions`` finds the same steps once more, by trying everything, as the measure of whether the
techniques find what they should.
"""
