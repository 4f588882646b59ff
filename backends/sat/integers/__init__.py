"""Integers as literals: three encodings of a variable, one interface, and which one is taken.

``integer``   what constraints ask an integer for: value literals, steps, digits; views
``direct``, ``order``, ``log``   the encodings
``choice``    which of them each variable of a structure has (option ``integers``)
"""
