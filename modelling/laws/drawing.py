"""Random terms, formulas, constraints and structures of the vocabulary, for laws and conformance.

Words
-----
drawer      draws terms and formulas over the variables of one structure, down to a depth
context     the place of a drawn constraint: at the root, negated, as condition or consequence of a
            variable or equivalent to one, as one part of a disjunction, or counted in a sum
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from modelling.constraint import Constraint, Predicate
from modelling.problem import Structure
from modelling.terms import Affine, Function, Term, constant
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.comparisons import RELATIONS
from modelling.vocabulary.formulas.connectives import Iff, Implies, Not, Or
from modelling.vocabulary.formulas.linear import Linear, equals
from modelling.vocabulary.formulas.truth import Truth

CONSTRAINTS: tuple[type[Predicate], ...] = tuple(k for k in VOCABULARY if issubclass(k, Predicate))
FUNCTIONS: tuple[type[Function], ...] = tuple(k for k in VOCABULARY if issubclass(k, Function))

CONTEXTS: dict[str, Callable[[Constraint, int, Constraint], Constraint]] = {
    "root": lambda c, b, other: c,
    "not": lambda c, b, other: Not(c),
    "implied": lambda c, b, other: Implies(equals(b, 1), c),
    "implying": lambda c, b, other: Implies(c, equals(b, 1)),
    "equivalent": lambda c, b, other: Iff(equals(b, 1), c),
    "or": lambda c, b, other: Or((other, c)),
    "counted": lambda c, b, other: Linear((Truth(c), Truth(other), b), (1, 1, 1), "==", 2),
}
"""How a constraint is set into its context, given a variable that is 0 or 1 and another one."""


class Drawer:
    """Draws over variables with these base domains; ``depth`` bounds how deep terms nest."""

    def __init__(
        self, rng: random.Random, domains: Sequence[Sequence[int]], depth: int = 2
    ) -> None:
        self.rng = rng
        self.domains = domains
        self.depth = depth

    def value(self) -> int:
        """A value that a term may well have."""
        some = self.rng.choice(self.domains) if self.domains else ()
        return self.rng.choice(some) if some else self.rng.randint(-1, 2)

    def term(self) -> Term:
        """Seven in ten a variable; else a constant, a view or a function."""
        rng, kind = self.rng, self.rng.random()
        if not self.domains or kind < 0.1:
            return constant(self.value())
        variable = rng.randrange(len(self.domains))
        if kind < 0.2:
            return Affine(variable, rng.choice((-1, 1, 2, -3)), rng.randint(-2, 2))
        if kind < 0.3:
            return self.function() or variable
        return variable

    def function(self) -> Function | None:
        """A function of terms that nest less deep; None at the bottom."""
        if not self.depth:
            return None
        return self.rng.choice(FUNCTIONS).draw(self.rng, self._below())

    def some(self, least: int, most: int) -> tuple[Term, ...]:
        """A number of terms; variables may repeat."""
        return tuple(self.term() for _ in range(self.rng.randint(least, most)))

    def lengths(self, number: int) -> tuple[Term, ...]:
        """``number`` small lengths or demands, two in three of them constants."""
        drawn = (self.rng.choice((0, 1, 1, 2, 3, -1)) for _ in range(number))
        return tuple(
            self.term() if self.rng.random() < 0.3 else constant(length) for length in drawn
        )

    def nodes(self, number: int) -> tuple[Term, ...]:
        """``number`` successors of nodes, some of them constants."""
        return tuple(
            constant(self.rng.randrange(number)) if self.rng.random() < 0.3 else self.term()
            for _ in range(number)
        )

    def formula(self) -> Constraint:
        """A comparison, or any constraint that nests less deep."""
        rng = self.rng
        if not self.depth or rng.random() < 0.5:
            relation = rng.choice(tuple(RELATIONS))
            return Linear((self._below().term(),), (1,), relation, self.value())
        return rng.choice(CONSTRAINTS).draw(rng, self._below())

    def formulas(self, least: int, most: int) -> tuple[Constraint, ...]:
        """A number of formulas."""
        return tuple(self.formula() for _ in range(self.rng.randint(least, most)))

    def _below(self) -> Drawer:
        return Drawer(self.rng, self.domains, max(0, self.depth - 1))


class PlainDrawer(Drawer):
    """Draws what solvers have constraints of their own for: lists of different variables, now and
    then of constants, and lists of lengths that are all one or the other.

    Formulas are comparisons of variables with values.
    """

    def __init__(self, rng: random.Random, domains: Sequence[Sequence[int]]) -> None:
        super().__init__(rng, domains, depth=0)

    def term(self) -> Term:
        return self.rng.randrange(len(self.domains)) if self.domains else constant(self.value())

    def some(self, least: int, most: int) -> tuple[Term, ...]:
        usual = self.rng.random() < 0.9
        number = self.rng.randint(max(least, min(2, most)) if usual else least, most)
        if self.rng.random() < 0.1:
            return tuple(constant(self.value()) for _ in range(number))
        if self.rng.random() < 0.1 or number > len(self.domains):
            return tuple(self.term() for _ in range(number))
        return tuple(self.rng.sample(range(len(self.domains)), number))

    def lengths(self, number: int) -> tuple[Term, ...]:
        if self.rng.random() < 0.2:
            return self.some(number, number)
        least = 1 if self.rng.random() < 0.7 else 0
        return tuple(constant(self.rng.randint(least, 3)) for _ in range(number))

    def nodes(self, number: int) -> tuple[Term, ...]:
        return self.some(number, number)

    def _below(self) -> Drawer:
        return self


def draw_constraint(
    rng: random.Random, kind: type[Predicate] | type[Function], drawer: Drawer
) -> Constraint:
    """A constraint of ``kind``, or a comparison of a function of ``kind``."""
    drawn = kind.draw(rng, drawer)
    if isinstance(drawn, Function):
        return Linear((drawn,), (1,), rng.choice(tuple(RELATIONS)), drawer.value())
    return drawn


def draw_domains(rng: random.Random, most: int) -> tuple[tuple[int, ...], ...]:
    """Up to five domains, gapped, negative, of one value or, rarely, none; at most ``most``
    assignments."""
    domains, room = [], most
    for _ in range(rng.randint(1, 5)):
        size = 0 if rng.random() < 0.02 else min(room, rng.choice((1, 2, 3, 3, 4, 5)))
        if rng.random() < 0.4:
            domains.append(tuple(sorted(rng.sample(range(-4, 6), size))))
        else:
            start = rng.choice((0, 0, 1, -1))
            domains.append(tuple(range(start, start + size)))
        room //= max(1, size)
    return tuple(domains)


def structure_over(
    domains: Sequence[Sequence[int]], constraints: Sequence[Constraint]
) -> Structure:
    """A structure with names made up."""
    names = tuple(f"x{i}" for i in range(len(domains)))
    return Structure(names, tuple(map(tuple, domains)), tuple(constraints))
