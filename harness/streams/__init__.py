"""Puzzles line in, line out, in this process and without limits from outside.

In: the name of a set or file, or a request. Out: lines, rows or instances, as soon as they are
known. Each file is one verb, ``solving``, ``generating`` and ``grading``; ``plain_solving`` is what
``solving`` does where grids come together. ``concord explain`` needs no solver: it is in
``puzzles.sudoku.explaining``.
"""
