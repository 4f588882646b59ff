"""Learning from conflicts: reasons, clauses, and the search that uses them.

``kernel.facts`` says what a literal, a fact and a reason are; ``domains`` notes facts, ``reasons``
explains them, ``analyse`` learns a clause from a conflict, ``clauses`` propagates it, ``activity``
chooses variables, ``search`` puts them together, and ``solver`` is the backend.
"""
