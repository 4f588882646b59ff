"""Circuit by places in the tour, as binary numbers.

Node 0 has the place 0, and where j follows i, and is not node 0, its place is one more than that of
i. A cycle without node 0 would have to come back to its own place, and is too short for that. The
tour determines the places. One adder a node, and for each two nodes two clauses a digit: it grows
with n * n * log n (Zhou, "In pursuit of an efficient SAT encoding for the Hamiltonian cycle
problem", CP 2020, compares such encodings). The walk that Circuit is rewritten to is n elements of
n terms of n values.
"""

from __future__ import annotations

from backends.sat.draft import SatDraft
from backends.sat.gates import conjunction, parity
from backends.sat.integers.log import Log
from backends.sat.integers.order import Order
from modelling.vocabulary.graphs.circuit import Circuit


def circuit(draft: SatDraft, constraint: Circuit) -> None:
    """Let the successors be one tour."""
    cnf, number = draft.cnf, len(constraint.next)
    if number < 2:
        cnf.say(*([-cnf.true] if number else [cnf.true]))
        return
    successors = [draft.view(term) for term in constraint.next]
    cnf.expect(number * number * (number - 1).bit_length())
    origin = Order(cnf, (0,), [])
    places = [origin, *(Log.new(cnf, range(number)) for _ in successors[1:])]
    width = (number - 1).bit_length()
    digits = [place.bits if isinstance(place, Log) else [-cnf.true] * width for place in places]
    after = [_incremented(draft, bits) for bits in digits]
    taken: list[list[int]] = [[] for _ in successors]
    for i, successor in enumerate(successors):
        cnf.say(successor.step(0))
        cnf.say(-successor.step(number))
        for j in range(number):
            follows = successor.value_literal(j)
            if i == j:
                cnf.say(-follows)
                continue
            taken[j].append(follows)
            place = [cnf.true if number - 1 >> k & 1 else -cnf.true for k in range(width)]
            # Back to node 0 it goes from the last place.
            one, other = (digits[i], place) if j == 0 else (after[i], digits[j])
            for x, y in zip(one, other, strict=True):
                cnf.say(-follows, -x, y)
                cnf.say(-follows, x, -y)
    for followers in taken:
        open_ones = [literal for literal in followers if literal != -cnf.true]
        cnf.say(*open_ones)
        draft.at_most_one(cnf, open_ones)


def _incremented(draft: SatDraft, bits: list[int]) -> list[int]:
    """A binary number and one, without the last carry."""
    cnf, found, carry = draft.cnf, [], draft.cnf.true
    for bit in bits:
        found.append(parity(cnf, (bit, carry)))
        carry = conjunction(cnf, (bit, carry))
    return found
