"""Inverse: for each two places an equivalence of two value literals, so it grows with n * n."""

from __future__ import annotations

from backends.sat.draft import SatDraft
from modelling.vocabulary.graphs.inverse import Inverse


def inverse(draft: SatDraft, constraint: Inverse) -> None:
    """Let each list be the inverse of the other."""
    cnf, number = draft.cnf, len(constraint.f)
    if number != len(constraint.g):
        cnf.say()
        return
    cnf.expect(2 * number * number)
    ones, others = (list(map(draft.view, terms)) for terms in (constraint.f, constraint.g))
    for view in (*ones, *others):
        cnf.say(view.step(0))
        cnf.say(-view.step(number))
    for i, one in enumerate(ones):
        for j, other in enumerate(others):
            here, there = one.value_literal(j), other.value_literal(i)
            cnf.say(-here, there)
            cnf.say(here, -there)
