"""Literals: conditions that are equivalent to an equation of one or two variables."""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Condition
from backends.propagation.encode.draft import Draft, Posted
from backends.propagation.kernel.layout import DOMAIN, FIXED
from backends.propagation.propagators.formulas.equation_literal import equation_literal
from backends.propagation.propagators.formulas.value_literals import value_literals

Pairs = Sequence[tuple[int, int]]
"""Distinct variables and their factors, which are not 0."""


def post_literal(
    draft: Draft, relation: str, pairs: Pairs, constant: int, condition: Condition
) -> bool:
    """Post that a condition is equivalent to ``sum(factor * variable) relation constant``.

    False, and nothing posted, where no propagator is for that, or none that explains.
    """
    if draft.explains or relation not in ("==", "!=") or not condition.full:
        return False
    b, p, _ = condition
    polarity = p if relation == "==" else 1 - p
    if b in [variable for variable, _ in pairs]:
        return False
    if len(pairs) == 1:
        ((x, k),) = pairs
        value, rest = divmod(constant, k)
        if rest:
            return False
        post_value_literal(draft, x, value, b, polarity)
        return True
    if len(pairs) == 2 and any(abs(factor) == 1 for _, factor in pairs):
        (x, k), (y, m) = sorted(pairs, key=lambda pair: abs(pair[1]))
        draft.post(
            Posted(
                equation_literal,
                (x, y, b),
                (DOMAIN, DOMAIN, FIXED),
                (-k * m, k * constant, polarity),
                scratch=[0],
                idempotent=True,
            )
        )
        return True
    return False


def post_value_literal(draft: Draft, x: int, value: int, b: int, polarity: int) -> None:
    """``b == polarity`` exactly where ``x == value``; one propagator for all literals of x."""
    known: dict[tuple[int, int, int], None] = draft.once(("literals", x), dict)
    if not known:

        def lay_out(word_bits: int, words: Sequence[int]) -> Posted:
            scope = (x, *[literal for literal, _, _ in known])
            return Posted(
                value_literals,
                scope,
                (DOMAIN, *[FIXED] * len(known)),
                [number for _, p, v in known for number in (p, v)],
                idempotent=words[x] > 0 and len(set(scope)) == len(scope),
            )

        draft.post(lay_out)
    known[b, polarity, value] = None
