"""Do the statistics keep what they claim?

coverage     how often a 95% interval of a ratio holds the true one
decisions    how often equal solvers are called different, and a true difference is found
spreads      how far apart ratios are in committed runs, and how many instances that takes
without_limit  whether an interval can hold the ratio that a limit hides
challenge    whether the score of the MiniZinc Challenge comes out as it was published

``populations`` draws times whose true ratios are known.
"""
