"""Structures as formulas: what is kept of one, and how its models are read.

Words
-----
one-hot     a Boolean per variable and value of its base domain, exactly one of them true; they are
            the first Booleans of the formula, in the order of variables and values
direct      the one-hot Booleans and what the constraints mean, no more (de Kleer 1989, Walsh 2000)
extended    besides, for an AllDifferent with as many values as variables, that each value is
            taken (what Lynce and Ouaknine, 2006, add for Sudoku); with fewer values than variables,
            the empty clause, since resolution alone is slow to count pigeons
found       a model as engines hand it on: for each variable a number, of a direct one its literal

An encoding depends on the structure alone; an instance adds the literals of its givens. Where all
integers are direct, models are read as they always were (``Encoding``); ``mixed`` has the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import getitem, itemgetter
from typing import Any

from backends.interface.handlers import post
from backends.sat.at_most_one import AtMostOne
from backends.sat.cnf import Clause, Cnf, every_clause
from backends.sat.constraints.formulas import literal
from backends.sat.constraints.handlers import HANDLERS
from backends.sat.draft import SatDraft
from backends.sat.integers.choice import forms_of
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer
from backends.sat.integers.order import Order
from backends.sat.mixed import Reading
from backends.sat.sums.comparison import compare
from backends.sat.sums.writing import Writer
from modelling.constraints import Linear
from modelling.problem import Assignment, Problem, Structure
from modelling.vocabulary.formulas.clauses import chunks_of

__all__ = [
    "HANDLERS",
    "Booleans",
    "Encoding",
    "Mixed",
    "begin",
    "chosen",
    "encode",
    "finish",
    "givens",
    "strengthened",
    "values",
]


@dataclass(frozen=True, eq=False)
class Encoding:
    """A structure as a formula; compared by identity, so that an engine can keep a solver by it.

    ``first[i]`` is the literal of variable ``i``'s first value, the rest follow on; ``values[l]``
    is the value that literal ``l`` stands for (``values[0]`` is unused); ``one_hot`` is the number
    of those literals and ``top`` that of all variables of the formula. ``by_mask[i]`` says for
    variable ``i`` what the usual masks mean: one value open, its literal; all of them, 0.
    """

    first: tuple[int, ...]
    values: tuple[int, ...]
    one_hot: int
    top: int
    clauses: list[Clause]
    blocks: tuple[Any, ...]
    full_masks: tuple[int, ...]
    by_mask: tuple[dict[int, int], ...]

    def every_clause(self) -> Iterator[Sequence[int]]:
        """All clauses, for an engine; those of blocks are made while they are asked for."""
        return every_clause(self.clauses, self.blocks)

    @property
    def number(self) -> int:
        """How many clauses there are."""
        return len(self.clauses) + sum(int((numbers == 0).sum()) for numbers in self.blocks)

    def chosen(self, model: list[int]) -> list[int]:
        """What is found in a model."""
        return [literal for literal in model[: self.one_hot] if literal > 0]

    def excluding(self, found: list[int], on: tuple[int, ...] | None) -> Clause:
        """The clause that excludes what was found, on some variables or on all."""
        return tuple([-x for x in (found if on is None else map(found.__getitem__, on))])

    def assignment(self, found: list[int]) -> Assignment:
        """The values that were found, in the structure's order."""
        return values(self, found)

    def given(self, problem: Problem) -> tuple[list[int], list[Clause]]:
        """What the masks of an instance say, in literals, and in clauses where these do not do."""
        return givens(self, problem), []

    def integers(self, structure: Structure, cnf: Cnf) -> list[Integer]:
        """The variables, in a copy of the formula."""
        return [
            Direct(cnf, domain, {value: first + k for k, value in enumerate(domain)})
            for first, domain in zip(self.first, structure.domains, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class Mixed(Encoding):
    """The same where some integers are not direct: ``first`` and ``by_mask`` are empty, and of
    direct ones alone ``values`` and ``one_hot`` speak."""

    reading: Reading
    made: tuple[Integer, ...]

    def chosen(self, model: list[int]) -> list[int]:
        return self.reading.found(model)

    def excluding(self, found: list[int], on: tuple[int, ...] | None) -> Clause:
        return self.reading.excluding(found, on)

    def assignment(self, found: list[int]) -> Assignment:
        return self.reading.values(found)

    def given(self, problem: Problem) -> tuple[list[int], list[Clause]]:
        return self.reading.given(problem)

    def integers(self, structure: Structure, cnf: Cnf) -> list[Integer]:
        return [integer.moved(cnf) for integer in self.made]


@dataclass(frozen=True, eq=False)
class Booleans(Encoding):
    """The same where every variable has two values and none is defined by a formula: the literal of
    variable ``i`` is ``i + 1``, true for its greater value, and what is found is the literals.

    A file of clauses has a million variables: an object for each of them would be too much.
    """

    domains: tuple[tuple[int, ...], ...]

    def chosen(self, model: list[int]) -> list[int]:
        return model[: len(self.domains)]

    def assignment(self, found: list[int]) -> Assignment:
        pairs = zip(found, self.domains, strict=True)
        return tuple([domain[literal > 0] for literal, domain in pairs])

    def given(self, problem: Problem) -> tuple[list[int], list[Clause]]:
        if problem.masks == self.full_masks:
            return [], []
        signs = {1: -1, 2: 1}
        masks = enumerate(problem.masks, 1)
        return [signs[mask] * variable for variable, mask in masks if mask in signs], []

    def integers(self, structure: Structure, cnf: Cnf) -> list[Integer]:
        return [Order(cnf, domain, [k]) for k, domain in enumerate(self.domains, 1)]


def begin(
    structure: Structure,
    at_most_one: AtMostOne,
    extended: bool,
    integers: str = "direct",
    sums: str = "auto",
    cnf: Cnf | None = None,
) -> SatDraft:
    """The formula of the variables alone, in a new formula or in ``cnf``."""
    cnf = Cnf() if cnf is None else cnf
    forms = forms_of(structure, integers)
    draft = SatDraft(structure, at_most_one, extended, cnf, forms, Writer(cnf, sums), literal)
    draft.open()
    return draft


def finish(draft: SatDraft, named: bool = True) -> Encoding:
    """The finished formula; ``named``: solvers are to know of literals in no clause."""
    cnf, structure = draft.cnf, draft.structure
    blocks = tuple(cnf.blocks)
    if draft.in_a_row:
        if named:
            cnf.name(_in_no_block(structure.size, blocks))
        return Booleans(
            (), (), 0, cnf.top, cnf.clauses, blocks, structure.full_masks, (), structure.domains
        )
    if set(draft.forms) - {"direct"} and not draft.impossible:
        made = tuple(map(draft.integer, range(structure.size)))
        reading = Reading(structure, made, frozenset(draft.aliases))
        if named:
            cnf.name(reading.booleans_to_name)
        return Mixed(
            (),
            (),
            reading.one_hot,
            cnf.top,
            cnf.clauses,
            blocks,
            structure.full_masks,
            (),
            reading,
            made,
        )
    if not cnf.top:
        cnf.add([cnf.new()])  # some solvers stumble over a formula without variables
    sizes = [len(domain) for domain in structure.domains]
    first = tuple(accumulate(sizes, initial=1))[:-1]
    return Encoding(
        first,
        (0, *(value for domain in structure.domains for value in domain)),
        sum(sizes),
        cnf.top,
        cnf.clauses,
        blocks,
        structure.full_masks,
        tuple(map(_by_mask, first, structure.full_masks)),
    )


def _in_no_block(size: int, blocks: Sequence[Any]) -> list[int]:
    """The first ``size`` variables without those that are in a block."""
    if not blocks:
        return list(range(1, size + 1))
    import numpy

    named = numpy.zeros(size + 1, bool)
    named[0] = True
    for numbers in blocks:
        for piece in chunks_of(numbers):
            found = abs(piece)
            named[found[found <= size]] = True
    missing: list[int] = (~named).nonzero()[0].tolist()
    return missing


def encode(
    structure: Structure,
    at_most_one: AtMostOne,
    extended: bool,
    integers: str = "direct",
    sums: str = "auto",
) -> Encoding:
    """The formula of a structure that ``HANDLERS`` take.

    Raises ``TooLarge`` for a formula of more than ``cnf.MOST_CLAUSES`` clauses.
    """
    draft = begin(structure, at_most_one, extended, integers, sums)
    post(HANDLERS, draft, structure, "sat")
    return finish(draft)


def _by_mask(first: int, full: int) -> dict[int, int]:
    return {**{1 << k: first + k for k in range(full.bit_length())}, full: 0}


def strengthened(
    encoding: Encoding, structure: Structure, extra: Linear, sums: str = "auto"
) -> Encoding:
    """The encoding of ``structure`` with one more Linear; ``encoding`` is left as it is."""
    cnf = copied(encoding)
    integers = encoding.integers(structure, cnf)
    terms = [
        (factor, integers[v])
        for factor, v in zip(extra.coefficients, extra.terms, strict=True)
        if integers[v].domain
    ]
    if len(terms) == len(extra.terms):
        Writer(cnf, sums).post(compare(terms, extra.relation, extra.constant))
    return replace(encoding, top=cnf.top, clauses=cnf.clauses)


def copied(encoding: Encoding) -> Cnf:
    """The formula of an encoding, to be continued."""
    cnf = Cnf()
    cnf.clauses, cnf.top = encoding.clauses.copy(), encoding.top
    return cnf


def givens(encoding: Encoding, problem: Problem) -> list[int]:
    """What the masks of an instance say: its fixed values as literals, its closed ones negated."""
    if problem.masks == encoding.full_masks:
        return []
    try:
        return list(filter(None, map(getitem, encoding.by_mask, problem.masks)))
    except KeyError:
        return _givens(encoding, problem)


def _givens(encoding: Encoding, problem: Problem) -> list[int]:
    """The same for an instance that closes some values of a variable and leaves several open."""
    literals = []
    masks = zip(encoding.first, problem.masks, encoding.full_masks, strict=True)
    for first, mask, full in masks:
        if mask == full:
            continue
        if mask and not mask & (mask - 1):
            literals.append(first + mask.bit_length() - 1)
            continue
        closed = full & ~mask
        while closed:
            lowest = closed & -closed
            literals.append(-(first + lowest.bit_length() - 1))
            closed ^= lowest
    return literals


# --- models as values ---------------------------------------------------------------------------


def chosen(model: list[int], one_hot: int) -> list[int]:
    """The positive ones among the first ``one_hot`` literals of a model: the variables' order."""
    return [literal for literal in model[:one_hot] if literal > 0]


def values(encoding: Encoding, literals: list[int]) -> Assignment:
    """The values that chosen literals stand for, in the structure's order."""
    if len(literals) < 2:
        return tuple([encoding.values[literal] for literal in literals])
    found: Assignment = itemgetter(*literals)(encoding.values)
    return found
