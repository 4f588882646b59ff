"""Grading Sudoku as a person solves it: techniques, the path they make, grade and score.

    from puzzles.sudoku.grading.path import grade

    graded = grade(text)
    graded.grade, graded.score
    [step.explanation for step in graded.steps]

``techniques`` lists the techniques, each defined at the head of its file; ``definitions`` finds the
same steps once more, by trying everything, as the measure of whether they find what they should.
"""
