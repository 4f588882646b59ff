"""Reads OPB and WBO: sums over literals, as the pseudo-Boolean competitions write them.

    * #variable= 4 #constraint= 2           * #variable= 2 #constraint= 2 #soft= 1
    min: +2 x1 -3 x2 x3 ;                   soft: 6 ;
    +1 x1 +4 ~x2 >= 2 ;                     [2] +1 x1 +1 x2 >= 1 ;
    +1 x1 x4 -1 x3 = 0 ;                    -1 x1 >= 0 ;

``xk`` is 0 or 1, ``~xk`` is ``1 - xk``, and literals beside each other are multiplied. Numbers are
integers of any length. ``max:`` and the relations ``<= < > !=`` are taken besides ``min:``, ``>=``
and ``=``. Right WBO: a constraint after ``[COST]`` may be violated at that cost, and the costs,
together less than what ``soft:`` says, are minimised.

Two comments of Concord's own writer are read. ``* concord objective = 12 - cost`` says that this is
the objective and is maximised, where the cost is the sum after ``min:``; ``12 + cost`` is
minimised. ``* concord output x1 x2`` says that these variables are the output.

The header may be missing. If there is one, a variable beyond it is an error, and so are fewer
constraints than it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from modelling.constraints import And, Linear, Sum, Truth, equals
from modelling.errors import InstanceError
from modelling.formats.booleans import check_variables, names_of
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Term, constant

MOST_DIGITS = 4000
"""A number of more digits is refused; Python's own limit is 4300."""

_HEADER = re.compile(r"\*[ \t]*#variable=[ \t]*([0-9]{1,18})[ \t]+#constraint=[ \t]*([0-9]{1,18})")
_COMMENT = re.compile(r"^[ \t]*\*[^\n]*", re.MULTILINE)
_TOKEN = re.compile(r"[+-]?[0-9]+|~?x[0-9]+|>=|<=|!=|[<>=]|min:|max:|soft:|[\[\]]|\S")
_OBJECTIVE = re.compile(
    r"^\*[ \t]*concord objective = (-?[0-9]{1,4000}) ([+-]) cost[ \t]*\r?$", re.MULTILINE
)
_OUTPUT = re.compile(r"^\*[ \t]*concord output((?:[ \t]+x[0-9]{1,9})*)[ \t]*\r?$", re.MULTILINE)
_SENSES: dict[str, Literal["minimize", "maximize"]] = {"min:": "minimize", "max:": "maximize"}
_RELATIONS = {"=": "==", ">=": ">=", "<=": "<=", "<": "<", ">": ">", "!=": "!="}

Token = tuple[str, int]
"""A word and the place at which it begins."""

Product = tuple[int, tuple[int, ...]]
"""A coefficient and literals as DIMACS writes them, multiplied with each other."""


class Weighed(NamedTuple):
    """A constraint, and what it costs to violate it; None: it must hold."""

    constraint: Linear
    cost: int | None


def read(data: bytes, source: str) -> Problem:
    """The problem that a file states. Raises InstanceError, which says where and why."""
    if not data.strip():
        raise InstanceError("the file is empty", f"{source}:1:1")
    return _Reader(data.decode("latin-1"), source).problem()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.top = 0
        self.announced: int | None = None
        self.objective: Objective | None = None
        self.limit: int | None = None
        self.is_weighted = False
        self.constraints: list[Weighed] = []

    def problem(self) -> Problem:
        header = _HEADER.match(self.text)
        if header is not None:
            self.announced = int(header[1])
            check_variables(self.announced, len(self.text), lambda: self._place(0))
        for number, tokens in enumerate(self._statements()):
            self._statement(tokens, number == 0)
        if header is not None and len(self.constraints) < int(header[2]):
            raise self._fail(
                f"the header announces {int(header[2])} constraints, and the file has "
                f"{len(self.constraints)}; look for what is missing, or correct the header",
                0,
            )
        variables = self.top if self.announced is None else self.announced
        hard = [one.constraint for one in self.constraints if one.cost is None]
        return Structure(
            names_of(variables),
            ((0, 1),) * variables,
            (*hard, *self._weigh()),
            self.objective,
            self._output(variables),
        ).problem()

    def _output(self, variables: int) -> tuple[int, ...] | None:
        """The output, if a comment names it and it is not all variables."""
        told = _OUTPUT.search(self.text)
        if told is None:
            return None
        numbers = dict.fromkeys(int(word[1:]) for word in told[1].split())
        if not all(1 <= number <= variables for number in numbers):
            cause = f"an output of variables that are not among the {variables} of the file"
            raise self._fail(cause, told.start())
        return None if len(numbers) == variables else tuple(number - 1 for number in numbers)

    def _weigh(self) -> list[Linear]:
        """Make the costs the objective; the constraint that bounds them, if there is one."""
        if not self.is_weighted:
            return []
        if self.objective is not None:
            raise self._fail("a file with soft constraints has no objective of its own", 0)
        soft = [one for one in self.constraints if one.cost is not None]
        costs = tuple([one.cost or 0 for one in soft])
        terms = tuple([_is_violated(one.constraint) for one in soft])
        self.objective = Objective("minimize", Sum(terms, costs))
        if self.limit is None or sum(costs) < self.limit:
            return []
        return [Linear(terms, costs, "<", self.limit)]

    def _apply_objective_comment(self, objective: Objective) -> Objective:
        """The objective, or the one that a comment makes from it."""
        told = _OBJECTIVE.search(self.text)
        if told is None or objective.sense != "minimize":
            return objective
        known, sign = int(told[1]), 1 if told[2] == "+" else -1
        total = objective.term
        more = (constant(known),) if known else ()
        factors = [sign * factor for factor in total.coefficients]
        made = Sum((*total.terms, *more), (*factors, *(1 for _ in more)))
        return Objective(_SENSES["min:" if sign > 0 else "max:"], made)

    # --- text ---

    def _fail(self, cause: str, offset: int) -> InstanceError:
        return InstanceError(cause, self._place(offset))

    def _place(self, offset: int) -> str:
        line = self.text.count("\n", 0, offset) + 1
        before = self.text.rfind("\n", 0, offset)
        return f"{self.source}:{line}:{offset - before}"

    def _statements(self) -> Iterator[list[Token]]:
        """The tokens of each statement, without the semicolon that ends it."""
        plain = self.text
        if "*" in plain:
            plain = _COMMENT.sub(lambda found: " " * len(found[0]), plain)
        begin = 0
        while True:
            end = plain.find(";", begin)
            if end < 0:
                break
            yield [(found[0], found.start()) for found in _TOKEN.finditer(plain, begin, end)]
            begin = end + 1
        rest = _TOKEN.search(plain, begin)
        if rest is not None:
            raise self._fail("a statement is not ended by a semicolon", rest.start())

    # --- statements ---

    def _statement(self, tokens: list[Token], first: bool) -> None:
        word, offset = tokens[0] if tokens else ("", 0)
        if word in ("min:", "max:"):
            if not first:
                raise self._fail(f"{word} must be the first statement", offset)
            products, end = self._products(tokens, 1)
            if end < len(tokens):
                raise self._unexpected(tokens[end])
            terms, factors, known = _sum_products(products)
            more = (constant(known),) if known else ()
            total = Sum((*terms, *more), (*factors, *(1 for _ in more)))
            self.objective = self._apply_objective_comment(Objective(_SENSES[word], total))
        elif word == "soft:":
            if not first or len(tokens) > 2:
                raise self._fail("soft: and at most one number must be the first statement", offset)
            self.is_weighted = True
            self.limit = self._number(tokens[1]) if len(tokens) == 2 else None
        elif word == "[":
            cost = self._number(tokens[1]) if len(tokens) > 1 else 0
            if cost < 1 or len(tokens) < 3 or tokens[2][0] != "]":
                raise self._fail("a soft constraint begins with [COST], at least 1", offset)
            self.is_weighted = True
            self.constraints.append(Weighed(self._constraint(tokens, 3), cost))
        elif tokens:
            self.constraints.append(Weighed(self._constraint(tokens, 0), None))

    def _constraint(self, tokens: list[Token], begin: int) -> Linear:
        products, place = self._products(tokens, begin)
        if place == len(tokens):
            raise self._fail("a constraint has a relation and a number", tokens[begin - 1][1])
        relation = _RELATIONS.get(tokens[place][0])
        if relation is None:
            raise self._unexpected(tokens[place])
        if place + 2 != len(tokens):
            raise self._fail("after the relation stands one number", tokens[place][1])
        right = self._number(tokens[place + 1])
        terms, factors, known = _sum_products(products)
        return Linear(terms, factors, relation, right - known)

    def _products(self, tokens: list[Token], place: int) -> tuple[list[Product], int]:
        """The terms of a sum, and where it ends."""
        found: list[Product] = []
        while place < len(tokens) and "0" <= tokens[place][0][-1] <= "9":
            word, offset = tokens[place]
            if word[0] in "x~":
                raise self._fail(f"{word} has no coefficient", offset)
            coefficient = self._number(tokens[place])
            place += 1
            literals: list[int] = []
            while place < len(tokens) and tokens[place][0][0] in "x~" and len(tokens[place][0]) > 1:
                literals.append(self._literal(tokens[place]))
                place += 1
            if not literals:
                raise self._fail(f"after {word[:40]} stands no variable", offset)
            found.append((coefficient, tuple(literals)))
        return found, place

    def _number(self, token: Token) -> int:
        word, offset = token
        if not "0" <= word[-1] <= "9" or word[0] in "x~":
            raise self._unexpected(token)
        if len(word) > MOST_DIGITS:
            raise self._fail(f"a number has more than {MOST_DIGITS} digits", offset)
        return int(word)

    def _literal(self, token: Token) -> int:
        word, offset = token
        digits = word.lstrip("~x")
        number = int(digits) if len(digits) < 19 else 1 << 62
        if not number:
            raise self._fail(f"{word} is no variable; they begin with x1", offset)
        if self.announced is not None and number > self.announced:
            raise self._fail(
                f"{word[:40]} is beyond the {self.announced} variables of the header; correct one "
                "of the two",
                offset,
            )
        if number > self.top:
            check_variables(number, len(self.text), lambda: self._place(offset))
            self.top = number
        return -number if word[0] == "~" else number

    def _unexpected(self, token: Token) -> InstanceError:
        return self._fail(f"{token[0][:40]!a} is not expected here", token[1])


def _sum_products(products: Sequence[Product]) -> tuple[tuple[Term, ...], tuple[int, ...], int]:
    """Distinct terms with their coefficients, and a constant."""
    found: dict[Term, int] = {}
    known = 0
    for coefficient, literals in products:
        if len(literals) == 1:
            (x,) = literals
            if x < 0:
                known, coefficient = known + coefficient, -coefficient
            term: Term = abs(x) - 1
        else:
            parts = [equals(abs(x) - 1, int(x > 0)) for x in dict.fromkeys(literals)]
            term = Truth(And(tuple(parts)))
        found[term] = found.get(term, 0) + coefficient
    kept = {term: coefficient for term, coefficient in found.items() if coefficient}
    return tuple(kept), tuple(kept.values()), known


def _is_violated(constraint: Linear) -> Term:
    """1 where it does not hold, else 0."""
    opposite = constraint.negated()
    assert opposite is not None, "sums over literals are total"
    return Truth(opposite)
