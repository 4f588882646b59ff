"""Do the statistics keep what they claim?

coverage     how often a 95% interval of a ratio holds the true one

``populations`` holds whole populations of times, whose true ratios are known.
"""
