"""A problem as a formula that is to be written, and what its literals mean.

Words
-----
unit        a clause that an instance adds to the formula of its structure: its givens
weights     an integer as a number and literals, each with what it adds where it is true
map         a comment a value, step or digit of a variable:

            map x = 3: 17           x is 3 where literal 17 is true
            map x >= 3: 17          x is at least 3 there
            map x: 5 +1*17 +2*18    x is 5, and as much more as the true ones weigh
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from backends.interface.handlers import post, profile_of
from backends.sat.at_most_one import CHOICES, AtMostOne
from backends.sat.cnf import Clause, Cnf, TooLarge
from backends.sat.constraints.formulas import literal
from backends.sat.constraints.handlers import HANDLERS
from backends.sat.draft import SatDraft
from backends.sat.encode import Encoding, finish
from backends.sat.integers.choice import forms_of
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer
from backends.sat.integers.order import Order
from backends.sat.size import rewritten_too_long
from backends.sat.sums.writing import Writer
from modelling.errors import ModelError
from modelling.problem import Objective, Problem, Structure
from modelling.rewriting import Declined, Rewritten, rewrite
from modelling.rewriting.normalise import simplify_term
from modelling.terms import Affine, is_constant
from modelling.vocabulary.formulas.linear import Sum

PROFILE = profile_of(HANDLERS)
"""What the SAT encodings take as it is."""

LINES = 1000
"""So many lines are given to the caller together."""

_PLAIN_NAME = re.compile(r"[^\s:=<>\"]+")

FALSE: list[Clause] = [()]


@dataclass(frozen=True)
class Formula:
    """``structure`` is what was rewritten, its first ``declared`` variables those of the problem;
    where it is ``impossible`` the formula is missing, and nothing holds. ``constant`` is what was
    taken off the objective, for which a formula would need a literal that is always true."""

    structure: Structure
    declared: int
    draft: SatDraft
    encoding: Encoding | None
    units: list[Clause]
    constant: int = 0

    @property
    def impossible(self) -> bool:
        """Whether nothing holds, without a look at the formula."""
        return self.encoding is None

    @property
    def top(self) -> int:
        """The number of variables."""
        return 0 if self.encoding is None else self.encoding.top

    @property
    def number(self) -> int:
        """The number of clauses."""
        return 1 if self.encoding is None else self.encoding.number + len(self.units)

    def clauses(self) -> Iterator[Sequence[int]]:
        """All of them, the instance's own last."""
        if self.encoding is None:
            yield ()
            return
        yield from self.encoding.every_clause()
        yield from self.units

    def map(self) -> Iterator[str]:
        """What literals mean, for each variable of the problem; without those that are called as
        the literal that they are."""
        if self.encoding is None:
            return
        names, domains = self.structure.names, self.structure.domains
        for variable in range(self.declared):
            name, domain = names[variable], domains[variable]
            if self.draft.in_a_row and name == f"x{variable + 1}" and domain == (0, 1):
                continue
            shown = name if _PLAIN_NAME.fullmatch(name) else json.dumps(name)
            yield from _meaning(shown, self.draft.integer(variable))

    def output(self) -> list[int] | None:
        """The literals that distinguish solutions; None: all that determine the others."""
        if self.structure.output is None or self.encoding is None:
            return None
        found = (lit for v in self.structure.output for lit in _literals(self.draft.integer(v)))
        return sorted(set(map(abs, found)))

    def cost(self, objective: Objective) -> tuple[int, list[tuple[int, int]]]:
        """A linear objective, and the ``constant``, as a number and literals with what they weigh,
        its sign turned for maximising."""
        sign = 1 if objective.sense == "minimize" else -1
        known = sign * self.constant
        found: dict[int, int] = {}
        for variable, factor in zip(objective.scope, objective.coefficients, strict=True):
            offset, weighted = weights(self.draft.integer(variable))
            known += sign * factor * offset
            for weight, x in weighted:
                weight *= sign * factor
                if x < 0:
                    known, weight, x = known + weight, -weight, -x
                found[x] = found.get(x, 0) + weight
        return known, [(weight, x) for x, weight in found.items() if weight]


def formula_of(problem: Problem, name: str, make: Callable[[Structure], SatDraft]) -> Formula:
    """The formula of a problem, in a draft that ``make`` makes.

    ModelError names what cannot be said; ``name`` is the format's.
    """
    structure, constant = _without_constant(problem.structure)
    problem = replace(problem, structure=structure)
    reason = rewritten_too_long(structure)
    found: Rewritten | Declined = Declined(reason) if reason else rewrite(structure, PROFILE)
    if isinstance(found, Declined):
        raise ModelError(f"the problem cannot be written as {name}: {found.reason}")
    posed, lifted = found.structure, found.lift(problem)
    try:
        draft = make(posed)
        if _is_impossible(lifted):
            return Formula(posed, found.declared, draft, None, FALSE, constant)
        draft.open()
        post(HANDLERS, draft, posed, name)
        encoding = finish(draft, named=False)
    except TooLarge as error:
        raise ModelError(f"the problem cannot be written as {name}: {error}") from error
    literals, clauses = encoding.given(lifted)
    units: list[Clause] = [(x,) for x in literals]
    return Formula(posed, found.declared, draft, encoding, units + clauses, constant)


def _without_constant(structure: Structure) -> tuple[Structure, int]:
    """The structure, and the constant that was taken off its objective, where that is a sum."""
    objective = structure.objective
    if objective is None:
        return structure, 0
    term = simplify_term(objective.term)
    if isinstance(term, Affine):
        rest, offset = Sum((term.variable,), (term.factor,)), term.offset
        if term.variable is None:
            rest = Sum((), ())
    elif type(term) is Sum and is_constant(term.terms[-1]):
        rest, offset = Sum(term.terms[:-1], term.coefficients[:-1]), term.terms[-1].offset
    else:
        return structure, 0
    return replace(structure, objective=Objective(objective.sense, rest)), offset


def begin_clauses(structure: Structure) -> SatDraft:
    """A formula of clauses alone, to which nothing has been written."""
    cnf = Cnf()
    return begun(structure, cnf, CHOICES["auto"], Writer(cnf, "auto"))


def begun(structure: Structure, cnf: Cnf, at_most_one: AtMostOne, writer: Writer) -> SatDraft:
    """A draft with the forms of integers that the backend chooses."""
    forms = forms_of(structure, "auto")
    return SatDraft(structure, at_most_one, False, cnf, forms, writer, literal)


def _is_impossible(problem: Problem) -> bool:
    structure = problem.structure
    empty = not all(structure.domains) or 0 in problem.masks
    return empty or any(not c.scope and not c.holds(()) for c in structure.constraints)


def weights(integer: Integer) -> tuple[int, list[tuple[int, int]]]:
    """An integer as a number, and literals with what each adds."""
    low = integer.low
    if isinstance(integer, Direct):
        pairs = integer.literals.items()
        return low, [(value - low, x) for value, x in pairs if value != low]
    if isinstance(integer, Order):
        steps = zip(integer.domain, integer.domain[1:], integer.steps, strict=False)
        return low, [(above - below, x) for below, above, x in steps]
    digits = integer.digits()
    return digits.offset, list(digits.weighted)


def _literals(integer: Integer) -> list[int]:
    """The literals that an integer is made of."""
    return [x for _, x in weights(integer)[1]]


def _meaning(name: str, integer: Integer) -> Iterator[str]:
    if isinstance(integer, Direct):
        for value, x in integer.literals.items():
            yield f"map {name} = {value}: {x}"
    elif isinstance(integer, Order):
        if len(integer.domain) < 3:
            values = integer.domain if len(integer.domain) == 2 else ()
            for value in values:
                yield f"map {name} = {value}: {integer.value_literal(value)}"
        for value, x in zip(integer.domain[1:], integer.steps, strict=True):
            if len(integer.domain) > 2:
                yield f"map {name} >= {value}: {x}"
    else:
        offset, weighted = weights(integer)
        yield f"map {name}: {offset} {' '.join(f'{weight:+}*{x}' for weight, x in weighted)}"


def pieces(lines: Iterator[str]) -> Iterator[str]:
    """Lines as text, many at a time."""
    kept: list[str] = []
    for line in lines:
        kept.append(line)
        if len(kept) == LINES:
            yield "\n".join([*kept, ""])
            kept.clear()
    if kept:
        yield "\n".join([*kept, ""])


def objective_comment(sense: str, known: int) -> str:
    """What an objective is, when ``cost`` is what the format minimises."""
    return f"concord objective = {known if sense == 'minimize' else -known} " + (
        "+ cost" if sense == "minimize" else "- cost"
    )
