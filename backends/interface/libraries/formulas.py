"""Formulas, built from a few operations of a solver.

A solver whose draft of a structure (or of an instance) is a ``FormulaBuilder`` says what
conjunction, disjunction, negation, ... are for it. ``FORMULAS`` builds And, Or, Not, Implies, Iff
and Xor of these, whose parts are whatever the solver has builders for.

Words
-----
made     what a solver has of a constraint before that has to hold: a formula, or some literals or
         constraints that are equivalent to it together
literal  what is true or false: a formula, or a Boolean
builder  makes it of a constraint: ``builder(draft, constraint)``
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from backends.interface.handlers import Condition, Handler
from modelling.constraint import Constraint
from modelling.constraints import And, Define, Iff, Implies, Not, Or, Xor
from modelling.rewriting.profile import Arguments, Guard, Mode
from modelling.terms import Term

Made = TypeVar("Made")
Literal = TypeVar("Literal")
Builder = Callable[[Any, Any], Any]
Builders = Mapping[type, Builder]

ALL: tuple[Mode, ...] = ("root", "half", "full")


class FormulaBuilder(ABC, Generic[Made, Literal]):
    """A draft with the operations that formulas are built from."""

    def __init__(self, builders: Builders) -> None:
        self._builders = builders
        self._truths: dict[Constraint, Literal] = {}

    # --- what a solver gives ---

    @abstractmethod
    def known(self, value: bool) -> Made:
        """What always holds, or never."""

    @abstractmethod
    def conjoin(self, made: Made) -> Literal:
        """The literal that is equivalent to what was made of a constraint."""

    @abstractmethod
    def all_of(self, parts: Iterable[Made]) -> Made:
        """All of them hold."""

    @abstractmethod
    def any_of(self, literals: Iterable[Literal]) -> Made:
        """One of them is true."""

    @abstractmethod
    def denied(self, literal: Literal) -> Made:
        """It is false."""

    @abstractmethod
    def implied(self, condition: Literal, literal: Literal) -> Made:
        """It is true where the condition is."""

    @abstractmethod
    def same(self, one: Literal, other: Literal) -> Made:
        """Both are true, or neither."""

    def odd(self, literals: Iterable[Literal]) -> Made:
        """An odd number of them is true; only for solvers that take Xor."""
        raise NotImplementedError

    def equals(self, term: Term, value: int) -> Literal:
        """Whether a term has a value; only for solvers with a literal for that."""
        raise NotImplementedError

    @abstractmethod
    def impose(self, made: Made, condition: Condition | None) -> None:
        """It holds, or does under a condition."""

    # --- what follows ---

    def post(self, builder: Builder, constraint: Constraint, condition: Condition | None) -> None:
        """A constraint of the structure."""
        self.impose(builder(self, constraint), condition)

    def build(self, constraint: Constraint) -> Made:
        """A constraint within another one."""
        if not constraint.scope:
            return self.known(constraint.holds(()))
        kind = type(constraint.function) if type(constraint) is Define else type(constraint)
        made: Made = self._builders[kind](self, constraint)
        return made

    def truth(self, constraint: Constraint) -> Literal:
        """The literal that is equivalent to a constraint."""
        found = self._truths.get(constraint)
        if found is None:
            found = self._truths[constraint] = self.reified(constraint)
        return found

    def reified(self, constraint: Constraint) -> Literal:
        """A literal that is equivalent to a constraint; ``truth`` asks once for each."""
        return self.conjoin(self.build(constraint))


class TermBuilder(FormulaBuilder[Literal, Literal]):
    """For solvers whose formulas are literals themselves."""

    def conjoin(self, made: Literal) -> Literal:
        return made

    def truth(self, constraint: Constraint) -> Literal:
        return self.build(constraint)

    def opposite(self, literal: Literal) -> Literal:
        """The formula that holds where this one does not."""
        return self.denied(literal)

    def clauses(self, rows: Iterable[Iterable[Literal]]) -> Literal:
        """A literal of each row is true."""
        return self.all_of(map(self.any_of, rows))

    def impose(self, made: Literal, condition: Condition | None) -> None:
        if condition is not None:
            literal = self.equals(condition.variable, condition.value)
            made = (self.same if condition.full else self.implied)(literal, made)
        self.add(made)

    @abstractmethod
    def add(self, formula: Literal) -> None:
        """A formula holds."""


def conjunction(draft: FormulaBuilder[Made, Literal], constraint: And) -> Made:
    """All parts."""
    return draft.all_of(draft.build(part) for part in constraint.formulas)


def disjunction(draft: FormulaBuilder[Made, Literal], constraint: Or) -> Made:
    """One part."""
    return draft.any_of(draft.truth(part) for part in constraint.formulas)


def negation(draft: FormulaBuilder[Made, Literal], constraint: Not) -> Made:
    """The formula does not hold."""
    return draft.denied(draft.truth(constraint.formula))


def implication(draft: FormulaBuilder[Made, Literal], constraint: Implies) -> Made:
    """The condition does not hold, or the consequence does."""
    return draft.implied(draft.truth(constraint.condition), draft.truth(constraint.consequence))


def equivalence(draft: FormulaBuilder[Made, Literal], constraint: Iff) -> Made:
    """Both hold or neither."""
    return draft.same(draft.truth(constraint.one), draft.truth(constraint.other))


def parity(draft: FormulaBuilder[Made, Literal], constraint: Xor) -> Made:
    """An odd number of parts holds."""
    return draft.odd(draft.truth(part) for part in constraint.formulas)


FORMULAS: Builders = {
    And: conjunction,
    Or: disjunction,
    Not: negation,
    Implies: implication,
    Iff: equivalence,
    Xor: parity,
}


def handler(
    builder: Any,
    when: Guard | None = None,
    *,
    modes: tuple[Mode, ...] = ALL,
    arguments: Arguments = "affine",
    repeats: bool = False,
    within: Guard | None = None,
    at_root: Any = None,
) -> Handler:
    """Return a handler that gives constraints to ``draft.post``, with their builder.

    ``at_root`` is the builder for those that have to hold, if that is another one.
    """

    def post(draft: Any, constraint: Constraint, condition: Condition | None = None) -> None:
        chosen = builder if at_root is None or condition is not None else at_root
        draft.post(chosen, constraint, condition)

    return Handler(post, modes, when, repeats, arguments, within)
