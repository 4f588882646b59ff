"""The vocabulary: one file a constraint or function, each with all that is particular to it.

``comparisons`` and ``formulas`` come first, then ``linear``, ``truth`` and the others in any order.
A class brings its definition (``relates`` or ``value``), ``simplified``, ``expand``, ``negated``
where the opposite is simple, ``draw`` and ``EDGES``, and its names in XCSP3 and MiniZinc. With its
name in ``VOCABULARY`` it is drawn, tested and rewritten for every backend.
"""

from __future__ import annotations

from modelling.constraint import Predicate
from modelling.terms import Function
from modelling.vocabulary.all_different import AllDifferent
from modelling.vocabulary.count import Count
from modelling.vocabulary.define import Define
from modelling.vocabulary.element import Element
from modelling.vocabulary.formulas import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.linear import Linear, Sum
from modelling.vocabulary.not_equal import NotEqual
from modelling.vocabulary.table import Table
from modelling.vocabulary.truth import IfThenElse, Truth

VOCABULARY: tuple[type[Predicate] | type[Function], ...] = (
    *(AllDifferent, NotEqual, Linear, Table, Define),
    *(And, Or, Not, Implies, Iff, Xor),
    *(Sum, Element, Count, Truth, IfThenElse),
)
"""Every class of constraints and functions that Concord knows."""
