"""Reads the LP format of CPLEX: integer programs as people write them.

    \\ a comment
    Maximize
     profit: 3 x - 2 y + 5
    Subject To
     c1: x + 2 y <= 14
     2 <= x - y <= 8
    Bounds
     -5 <= x <= 5
     y <= 20
    General
     x y
    End

``Binary`` has variables of 0 and 1. A variable that is in neither list is continuous. Without
bounds it is 0 at least. What is quadratic, an indicator, semi-continuous or a set (``SOS``) is
refused by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from modelling.errors import InstanceError
from modelling.formats.linear.numbers import NUMBER, bound_of, read_number
from modelling.formats.linear.parsed import Column, ParsedProgram, Row
from modelling.problem import Problem
from modelling.vocabulary.comparisons import mirror

_SIGNS = r"!\"#$%&(),;?@_'`{}~"
_NAME = rf"[A-Za-z{_SIGNS}][A-Za-z0-9.{_SIGNS}]*"
_TOKEN = re.compile(rf"<=|=<|>=|=>|->|[<>=:+\-*/^\[\]]|{NUMBER}|{_NAME}|\S")
_RELATIONS = {"<": "<=", "=<": "<=", "<=": "<=", ">": ">=", "=>": ">=", ">=": ">=", "=": "="}

_HEADS = {
    "objective": r"(max|min)(imi[sz]e|imum)?",
    "rows": r"subject\s+to|such\s+that|s\.?t\.?",
    "bounds": r"bounds?",
    "integers": r"gen(erals?)?|int(egers?)?",
    "binaries": r"bin(ar(y|ies))?",
    "end": r"end",
    "refused": r"semi(-continuous|s)?|sos[12]?|pwlobj|(lazy\s+|general\s+)constraints|user\s+cuts",
}
_HEAD = re.compile(
    "|".join(rf"(?P<{name}>{words})" for name, words in _HEADS.items()), re.IGNORECASE
)
_LINE_HEAD = re.compile(rf"\s*({_HEAD.pattern})(?![^\s\\])\s*(?!:)", re.IGNORECASE)


class Token(NamedTuple):
    """A word and its place."""

    word: str
    place: str

    @property
    def is_name(self) -> bool:
        return re.fullmatch(_NAME, self.word) is not None

    @property
    def is_infinite(self) -> bool:
        return self.word.lower() in ("inf", "infinity")

    def fail(self, cause: str) -> InstanceError:
        """An error here."""
        return InstanceError(cause, self.place)


END = ""
"""The word of the token after the last one of a section."""


def read(data: bytes, source: str) -> Problem:
    """The problem that a file states. Raises InstanceError, which says where and why."""
    text = data.decode("latin-1")
    if not text.strip():
        raise InstanceError("the file is empty", f"{source}:1:1")
    return _Reader(text, source).parsed.problem()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.parsed = ParsedProgram()
        self.columns: dict[str, int] = {}
        self.tokens: list[Token] = []
        self.at = 0
        seen = False
        for section, head, tokens in _sections(text, source):
            self.tokens, self.at = tokens, 0
            if section == "refused":
                raise head.fail(f"the section {head.word[:40]!r} is not covered")
            if section == "objective":
                if seen:
                    raise head.fail("a second objective")
                seen = True
                self.parsed.sense = "maximize" if head.word[:3].lower() == "max" else "minimize"
            elif not seen:
                raise head.fail("an LP file begins with Minimize or Maximize")
            getattr(self, f"_read_{section}")()
        if not self.columns:
            raise InstanceError("the file has no variable", f"{source}:1:1")

    # --- sections ---

    def _read_objective(self) -> None:
        self._skip_label()
        row, offset = self._sum()
        if self.next.word != END:
            raise self.next.fail(f"{self.next.word[:40]!r} follows the objective")
        self.parsed.objective, self.parsed.offset = row, offset

    def _read_rows(self) -> None:
        while self.next.word != END:
            self._skip_label()
            row, offset = self._sum()
            relation = self._relation()
            if row.factors:
                self._compare(row, relation, self._constant() - offset)
            else:
                left, (row, more) = offset, self._sum()
                self._compare(row, mirror(relation), left - more)
                offset = more
            if not row.factors:
                raise self.next.fail("a row without a variable")
            if self.next.word in _RELATIONS:
                self._compare(row, self._relation(), self._constant() - offset)
            self.parsed.rows.append(row)

    def _read_bounds(self) -> None:
        while self.next.word != END:
            left: Fraction | None = None
            if not self._at_variable():
                left, relation = self._constant(), self._relation()
                column = self._column()
                self._bound(column, mirror(relation), left)
            else:
                column = self._column()
                if self.next.word.lower() == "free":
                    self.at += 1
                    column.low = column.high = None
                    continue
            if self.next.word in _RELATIONS:
                self._bound(column, self._relation(), self._constant())
            elif left is None:
                raise self.next.fail(
                    f"a bound of {column.name[:60]} must stand here, as in 'x <= 5'"
                )

    def _read_integers(self) -> None:
        while self.next.word != END:
            self._column().is_integer = True

    def _read_binaries(self) -> None:
        while self.next.word != END:
            column = self._column()
            column.is_integer = True
            low = Fraction(0) if column.low is None else column.low
            column.low = max(low, Fraction(0))
            column.high = Fraction(1) if column.high is None else min(column.high, Fraction(1))

    def _read_end(self) -> None:
        if self.next.word != END:
            raise self.next.fail("something follows End")

    # --- tokens ---

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def _at_variable(self) -> bool:
        return self.next.is_name and not self.next.is_infinite

    def _skip_label(self) -> None:
        if self.next.word != END and self.tokens[self.at + 1].word == ":":
            self.at += 2

    def _relation(self) -> str:
        relation = _RELATIONS.get(self.next.word)
        if relation is None:
            raise self.next.fail(f"{self.next.word[:40]!r} stands where <=, >= or = must stand")
        self.at += 1
        return relation

    def _sign(self) -> int:
        sign = 1
        while self.next.word in ("+", "-"):
            sign = -sign if self.next.word == "-" else sign
            self.at += 1
        return sign

    def _constant(self) -> Fraction:
        sign, token = self._sign(), self.next
        number = read_number(token.word)
        if number is None:
            what = "; write variables on the left" if token.is_name else ""
            raise token.fail(f"{token.word[:40]!r} stands where a number must stand{what}")
        self.at += 1
        return sign * number

    def _column(self) -> Column:
        token = self.next
        if not self._at_variable():
            raise token.fail(f"{token.word[:40]!r} stands where a variable must stand")
        self.at += 1
        return self.parsed.columns[self._find(token)]

    def _find(self, token: Token) -> int:
        found = self.columns.get(token.word)
        if found is None:
            found = self.columns[token.word] = len(self.parsed.columns)
            self.parsed.columns.append(Column(token.word, token.place))
        return found

    def _sum(self) -> tuple[Row, Fraction]:
        """Terms, and the sum of the constants among them; up to a relation or a new statement."""
        row, offset, first = Row(), Fraction(0), True
        while True:
            token = self.next
            if token.word in ("[", "->", "^", "*", "/"):
                raise token.fail(f"{token.word!r}: what is no sum of variables is not covered")
            if not first and token.word not in ("+", "-"):
                return row, offset
            if token.word in _RELATIONS or token.word == END:
                return row, offset
            sign = self._sign()
            number = None if self.next.is_infinite else read_number(self.next.word)
            if number is not None:
                self.at += 1
            if self._at_variable() and self._is_term(number is None):
                row.add(sign * (Fraction(1) if number is None else number), self._find(self.next))
                self.at += 1
            elif number is None:
                raise self.next.fail(f"{self.next.word[:40]!r} stands where a term must stand")
            else:
                offset += sign * number
            first = False

    def _is_term(self, is_alone: bool) -> bool:
        """Whether a name after a number is its variable, and no label of the next row."""
        return is_alone or self.tokens[self.at + 1].word != ":"

    # --- bounds and relations ---

    def _compare(self, row: Row, relation: str, number: Fraction) -> None:
        bound = bound_of(number)
        if relation in ("<=", "="):
            row.high = bound
        if relation in (">=", "="):
            row.low = bound

    def _bound(self, column: Column, relation: str, number: Fraction) -> None:
        bound = bound_of(number)
        if relation in ("<=", "="):
            column.high = bound
            if relation == "<=" and number < 0 and column.low == 0:
                column.low = None  # as CPLEX has it
        if relation in (">=", "="):
            column.low = bound


def _sections(text: str, source: str) -> Iterator[tuple[str, Token, list[Token]]]:
    """The name of each section, its head, and the tokens in it, with one more that ends them."""
    section, head, tokens = "", Token("", f"{source}:1:1"), list[Token]()
    number = 0
    for number, raw in enumerate(text.split("\n"), 1):
        line, begin = raw.partition("\\")[0], 0
        found = _LINE_HEAD.match(line)
        if found is not None:
            place = f"{source}:{number}:{found.start(1) + 1}"
            if section:
                yield section, head, [*tokens, Token(END, place)]
            parts = _HEAD.fullmatch(found[1])
            assert parts is not None
            section = next(name for name in _HEADS if parts[name])
            head, tokens, begin = Token(found[1], place), [], found.end()
        words = list(_TOKEN.finditer(line, begin))
        if words and not section:
            place = f"{source}:{number}:{words[0].start() + 1}"
            raise InstanceError("an LP file begins with Minimize or Maximize", place)
        tokens += [Token(one[0], f"{source}:{number}:{one.start() + 1}") for one in words]
    if section != "end":
        raise InstanceError("the file ends without End", f"{source}:{number}:1")
    yield section, head, [*tokens, Token(END, f"{source}:{number}:1")]
