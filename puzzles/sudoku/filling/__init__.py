"""Full grids, at random: each file one way to make them.

    random_fill    random values in random cells, a solver asked what is still possible (Mooney)
    retry          each digit row by row in random free cells; start again when stuck
    uniform        every full grid with the same probability, for the small orders
    shuffle        the symmetries of a known grid
    propagating    naked and hidden singles in many grids at once, for the others

Words
-----
full grid   a value in every cell, every value once in each unit
uniform     every full grid of the layout is as likely as any other
stream      the random draws of one item (``puzzles.random_stream``): item i of a seed is the same
            grid in any batch, on any machine
"""
