"""Terms and formulas as XCSP3's expressions; and which of them are written so.

An expression is written only if all its functions always have a value: solvers differ in how they
treat others. Its size is limited, because a part that it contains several times is written each
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelling.constraint import Constraint
from modelling.definedness import always_holds
from modelling.errors import ModelError
from modelling.formats.xcsp3.reader.document import DEEPEST
from modelling.terms import ANY, Affine, Domains, Fielded, Function, Term, affine
from modelling.vocabulary.comparisons import mirror
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

MOST_NODES = 10_000
"""An expression with more variables, constants and operators is taken apart."""

OPERATORS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
JOINED: dict[type, str] = {And: "and", Or: "or", Xor: "xor"}
NAMED: dict[type, str] = {
    Distance: "dist",
    Quotient: "div",
    Remainder: "mod",
    Minimum: "min",
    Maximum: "max",
    Product: "mul",
}
EXPRESSIONS: tuple[type[Any], ...] = (
    *(Linear, NotEqual, And, Or, Xor, Not, Implies, Iff, AllEqual, Table, Define),
    *(Sum, Truth, IfThenElse, *NAMED),
)
"""What expressions are made of; of tables only those of one column, as sets."""

LARGEST = 10**18
"""Numbers are smaller than this, so that they fit into 64 bits."""


def is_expression(item: Term | Constraint, domains: Domains) -> bool:
    """Whether a term or formula is written as an expression."""
    return _measure(item, domains, {}) is not None


def _measure(item: Any, domains: Domains, known: dict[int, Any]) -> tuple[int, int] | None:
    """How deeply an expression is nested and how many nodes it has; None if it is not one."""
    if not isinstance(item, Fielded):
        return 1, 3
    if id(item) in known:
        found: tuple[int, int] | None = known[id(item)]
        return found
    known[id(item)] = None
    if type(item) not in EXPRESSIONS or not _is_said(item, domains):
        return None
    depth, nodes = 1, 3
    if isinstance(item, (Sum, Linear)):
        depth, nodes = 3, 3 + 3 * len(item.terms)
    for part in (*item.terms_within(), *item.formulas_within()):
        inner = _measure(part, domains, known)
        if inner is None:
            return None
        depth, nodes = max(depth, inner[0] + (3 if nodes > 3 else 1)), nodes + inner[1]
        if depth > DEEPEST - 8 or nodes > MOST_NODES:
            return None
    known[id(item)] = depth, nodes
    return depth, nodes


def _is_said(item: Any, domains: Domains) -> bool:
    if isinstance(item, Function):
        return all(always_holds(guard, domains) for guard in item.guards())
    if not item.scope:
        return False
    if isinstance(item, Table):
        return len(item.terms) == 1 and bool(item.tuples) and (ANY,) not in item.tuples
    if isinstance(item, AllEqual):
        return len(item.terms) > 1
    return True


def say_number(value: int) -> str:
    """An integer as text; ModelError if it has more digits than readers accept."""
    if not -LARGEST < value < LARGEST:
        raise ModelError(f"XCSP3: the number {value} has more than 18 digits")
    return str(value)


class Wording:
    """Says terms and formulas with the identifiers of the variables."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def term(self, term: Term) -> str:
        """A term as an expression."""
        if isinstance(term, Function):
            return self._function(term)
        variable, factor, offset = affine(term)
        if variable is None:
            return say_number(offset)
        return self._sum([(factor, self.names[variable])], offset)

    def terms(self, terms: Sequence[Term]) -> str:
        """A list of terms, apart by blanks."""
        return " ".join(map(self.term, terms))

    def _sum(self, parts: Sequence[tuple[int, str]], offset: int = 0) -> str:
        said = []
        for factor, part in parts:
            if factor == 1:
                said.append(part)
            elif factor == -1:
                said.append(f"neg({part})")
            else:
                said.append(f"mul({say_number(factor)},{part})")
        if offset or not said:
            said.append(say_number(offset))
        return said[0] if len(said) == 1 else f"add({','.join(said)})"

    def _function(self, item: Function) -> str:
        if isinstance(item, Sum):
            return self._sum(
                [(c, self.term(t)) for t, c in zip(item.terms, item.coefficients, strict=True)]
            )
        if isinstance(item, Truth):
            return self.formula(item.formula)
        if isinstance(item, IfThenElse):
            test, yes, no = self.formula(item.condition), self.term(item.yes), self.term(item.no)
            return f"if({test},{yes},{no})"
        terms = list(item.terms_within())
        if isinstance(item, Distance) and isinstance(item.y, Affine) and item.y == (None, 0, 0):
            return f"abs({self.term(item.x)})"
        if len(terms) == 1:
            return self.term(terms[0])
        if not terms:  # a product
            return "1"
        return f"{NAMED[type(item)]}({','.join(map(self.term, terms))})"

    def formula(self, item: Constraint) -> str:
        """A formula as an expression."""
        if isinstance(item, Linear):
            return self._comparison(item)
        if isinstance(item, (NotEqual, AllEqual)):
            name = "ne" if isinstance(item, NotEqual) else "eq"
            return f"{name}({','.join(map(self.term, item.terms))})"
        if isinstance(item, Table):
            values = ",".join(say_number(row[0]) for row in item.tuples)
            name = "in" if item.allowed else "notin"
            return f"{name}({self.term(item.terms[0])},set({values}))"
        if isinstance(item, Define):
            return f"eq({self.term(item.result)},{self.term(item.function)})"
        if isinstance(item, Not):
            return f"not({self.formula(item.formula)})"
        if isinstance(item, Implies):
            return f"imp({self.formula(item.condition)},{self.formula(item.consequence)})"
        if isinstance(item, Iff):
            return f"iff({self.formula(item.one)},{self.formula(item.other)})"
        assert isinstance(item, (And, Or, Xor))
        parts = list(map(self.formula, item.formulas))
        if not parts:
            return "eq(0,0)" if isinstance(item, And) else "eq(0,1)"
        return parts[0] if len(parts) == 1 else f"{JOINED[type(item)]}({','.join(parts)})"

    def _comparison(self, item: Linear) -> str:
        name, right = OPERATORS[item.relation], item.constant
        pairs = list(zip(item.coefficients, map(self.term, item.terms), strict=True))
        if not right and sorted(item.coefficients) == [-1, 1]:
            if item.coefficients == (1, -1):
                return f"{name}({pairs[0][1]},{pairs[1][1]})"
            return f"{OPERATORS[mirror(item.relation)]}({pairs[0][1]},{pairs[1][1]})"
        left = self._sum(pairs)
        if item.coefficients == (1, -1):
            left = f"sub({pairs[0][1]},{pairs[1][1]})"
        return f"{name}({left},{say_number(right)})"
