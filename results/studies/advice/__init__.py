"""Advice measured: does it name a solver that is nearly as fast as the best one on each instance?

``instances`` has the questions, ``measured`` the run of all candidates about them; ``__main__``
asks for advice and compares.
"""
