"""Problems as formulas in DIMACS or OPB, and the way back from literals to values.

A formula is written once for a structure; an instance adds clauses, and so does what is left out,
and that the objective is to be better, where it is one variable.
What literals mean is read from the comments that our writers leave (``decoding``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from backends.interface.programs.answers.dimacs import Dimacs, DimacsFile
from backends.interface.programs.answers.opb import Opb
from backends.interface.programs.answers.reader import Garbled, Reader
from backends.interface.programs.decoding import read_map
from modelling.formats import find_format
from modelling.problem import Assignment, Objective, Problem, Structure

MOST_CLOSED = 1000
"""Most closed values of one variable that are clauses; of more, the text is written anew."""


_WEIGHED = re.compile(r"([+-][0-9]+) x([0-9]+)")


class FormulaBase:
    """A structure in DIMACS or OPB, without givens: what is kept between calls."""

    def __init__(self, structure: Structure, name: str) -> None:
        self.structure = structure
        self.is_opb = name == "opb"
        objective = structure.objective if self.is_opb else None
        plain = replace(structure, output=None, objective=objective)
        pieces = list(find_format(name).write(plain.problem()))
        head, at, self.rest = _split(pieces)
        self.objective = ""
        if self.rest and self.rest[0].startswith("min:"):
            self.objective, line, rest = self.rest[0].partition("\n")
            self.objective += line
            self.rest[0] = rest
        self.decoded = read_map(structure, head)
        *header, constraints = head[at].split()
        self.constraints = int(constraints)
        self.before = "".join(f"{line}\n" for line in head[:at]) + " ".join(header)
        self.after = "".join(f"{line}\n" for line in head[at + 1 :])
        texts = (self.before, self.after, *self.rest)
        self.weight = sum(map(len, texts)) + 200 * len(self.decoded)

    def can_improve(self, objective: Objective) -> bool:
        """Whether clauses say that the objective is better than it was: of one variable they do."""
        if len(objective.scope) != 1:
            return False
        decoded = self.decoded[objective.scope[0]]
        return decoded.beyond(decoded.low, True) is not None

    def write(self, problem: Problem, optimum: bool) -> Formula:
        """An instance of the structure."""
        base, structure = self, self.structure
        masks, full = problem.masks, structure.full_masks
        clauses: list[list[int]] = []
        for variable, (mask, whole) in enumerate(zip(masks, full, strict=True)):
            if mask == whole:
                continue
            closed = (mask ^ whole).bit_count()
            if mask.bit_count() != 1 and closed > MOST_CLOSED:
                domains = list(structure.domains)
                domains[variable] = problem.domain(variable)
                base = FormulaBase(
                    replace(structure, domains=tuple(domains)), "opb" if self.is_opb else "cnf"
                )
                kept = list(masks)
                kept[variable] = base.structure.full_masks[variable]
                return base.write(Problem(base.structure, tuple(kept)), optimum)
            clauses += self._given(variable, problem)
        return Formula(self, optimum, clauses)

    def _given(self, variable: int, problem: Problem) -> Iterator[list[int]]:
        """That one value is open, or what is closed."""
        decoded, open_values = self.decoded[variable], problem.domain(variable)
        if len(open_values) == 1:
            yield from ([x] for x in decoded.clause(open_values[0]))
            return
        for value in sorted(set(self.structure.domains[variable]) - set(open_values)):
            yield [-x for x in decoded.clause(value)]


def _split(pieces: list[str]) -> tuple[list[str], int, list[str]]:
    """The comments and the header, the place of the header, and the rest."""
    head: list[str] = []
    at = -1
    for number, piece in enumerate(pieces):
        lines = piece.splitlines(keepends=True)
        for k, line in enumerate(lines):
            if line.startswith(("p cnf ", "* #variable=")):
                at = len(head)
            elif line[:1] not in ("c", "*"):
                return head, at, ["".join(lines[k:]), *pieces[number + 1 :]]
            head.append(line.rstrip("\n"))
    return head, at, []


class Formula:
    """A text over literals; an exclusion is one more clause."""

    def __init__(self, base: FormulaBase, optimum: bool, clauses: Iterable[list[int]]) -> None:
        self._base = base
        self._optimum = optimum
        self._clauses = [self._line(clause) for clause in clauses]
        self.cost: int | None = None

    def pieces(self) -> Iterator[str]:
        """The text, the number of clauses in its header with those that were added."""
        base = self._base
        yield f"{base.before} {base.constraints + len(self._clauses)}\n{base.after}"
        if self._optimum:
            yield base.objective
        yield from base.rest
        yield from self._clauses

    def reader(self, in_file: bool) -> Reader:
        if self._base.is_opb:
            return Opb()
        return DimacsFile() if in_file else Dimacs()

    def values(self, sighting: set[int]) -> Assignment:
        if self._optimum:
            weighed = _WEIGHED.findall(self._base.objective)
            self.cost = sum(int(weight) for weight, x in weighed if int(x) in sighting)
        found = [one.value(sighting) for one in self._base.decoded]
        if None in found:
            name = self._base.structure.names[found.index(None)]
            raise Garbled(f"its model gives {name} no value, or two")
        return tuple(value for value in found if value is not None)

    def exclude(self, values: Assignment, on: Sequence[int]) -> None:
        decoded = self._base.decoded
        literals = dict.fromkeys(-x for v in on for x in decoded[v].clause(values[v]))
        self._clauses.append(self._line(list(literals)))

    def improve(self, objective: Objective, values: Assignment) -> None:
        """Allow only solutions better than ``values``; see ``FormulaBase.can_improve``."""
        (variable,), (factor,) = objective.scope, objective.coefficients
        is_less = (factor > 0) is (objective.sense == "minimize")
        clauses = self._base.decoded[variable].beyond(values[variable], is_less)
        assert clauses is not None
        self._clauses += map(self._line, clauses)

    def _line(self, clause: list[int]) -> str:
        if not self._base.is_opb:
            return " ".join([*map(str, clause), "0\n"])
        if not clause:
            return "+1 x1 >= 2 ;\n"
        terms = "".join(f"{'+' if x > 0 else '-'}1 x{abs(x)} " for x in clause)
        return f"{terms}>= {1 - sum(x < 0 for x in clause)} ;\n"
