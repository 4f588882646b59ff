"""Reads a model, and the lines of a proof; ``docs/engine.md`` has the format.

``ValueError`` says what cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backends.proofs.inferences.box import Box, Literal, Term
from backends.proofs.inferences.rules import (
    ANY,
    Circuit,
    Clause,
    Conditional,
    Constraint,
    Different,
    Element,
    Extreme,
    Linear,
    Product,
    Table,
)
from backends.proofs.inferences.shared import Cumulative, NoOverlap, Order

TERM = re.compile(r"(?:(-?\d*)x(\d+)([+-]\d+)?|(-?\d+))$")
LITERAL = re.compile(r"x(\d+)(>=|<=|==|!=)(-?\d+)$")


class Model(NamedTuple):
    """What a proof is about.

    ``objective`` is what must be at most ``bound``, which the proof may use once it says so;
    ``empty`` names a variable without a value.
    """

    box: Box
    constraints: Mapping[str, Constraint]
    objective: tuple[Term, ...]
    bound: int
    empty: str = ""


class Step(NamedTuple):
    """A line of a proof: ``i``, ``n`` or ``o``.

    ``literals`` are what it adds, the conclusion last; ``reason`` is a constraint, or the names of
    the hints; ``bound`` is that of the objective.
    """

    kind: str
    name: str = ""
    reason: tuple[str, ...] = ()
    premises: tuple[Literal, ...] = ()
    literals: tuple[Literal, ...] = ()
    bound: int = 0


def read_term(word: str) -> Term:
    """``3x5+2``, ``-x1``, ``x0`` or a constant."""
    found = TERM.match(word)
    if found is None:
        raise ValueError(f"{word!r} is not a term")
    factor, variable, offset, constant = found.groups()
    if variable is None:
        return Term(0, 0, int(constant))
    number = {"": 1, "-": -1}.get(factor)
    return Term(int(factor) if number is None else number, int(variable), int(offset or 0))


def read_literal(word: str) -> Literal:
    """``x5>=2``, with one of ``>= <= == !=``."""
    found = LITERAL.match(word)
    if found is None:
        raise ValueError(f"{word!r} is not a literal")
    return Literal(int(found[1]), found[2], int(found[3]))


def read_terms(words: Sequence[str]) -> tuple[Term, ...]:
    """Terms, one a word."""
    return tuple(map(read_term, words))


def _columns(words: Sequence[str]) -> list[tuple[Term, ...]]:
    """Words of several terms with a slash between them, as a tuple for each place."""
    rows = [read_terms(word.split("/")) for word in words]
    return [tuple(column) for column in zip(*rows, strict=True)]


def _linear(words: Sequence[str]) -> Linear:
    *terms, relation, constant = words
    if relation not in ("<=", "==", "!="):
        raise ValueError(f"{relation!r} is not a relation")
    return Linear(read_terms(terms), relation, int(constant))


def _table(words: Sequence[str], allowed: bool = True) -> Table:
    middle = list(words).index(":")
    terms = read_terms(words[:middle])
    cells = [cell if cell == ANY else int(cell) for cell in words[middle + 1 :]]
    width = len(terms)
    if not width:
        raise ValueError("a table without variables")
    if len(cells) % width:
        raise ValueError("the last row is too short")
    return Table(terms, tuple(zip(*[iter(cells)] * width, strict=True)), allowed)


def _forbidden(words: Sequence[str]) -> Table:
    return _table(words, allowed=False)


def _element(words: Sequence[str]) -> Element:
    result, index, *entries = read_terms(words)
    return Element(result, index, tuple(entries))


def _maximum(words: Sequence[str]) -> Extreme:
    result, *terms = read_terms(words)
    return Extreme(result, tuple(terms))


def _product(words: Sequence[str]) -> Product:
    return Product(*read_terms(words))


def _conditional(words: Sequence[str]) -> Conditional:
    literal = read_literal(words[1])
    within = CONSTRAINTS[words[2]](words[3:])
    if literal.relation != "==" or not isinstance(within, Linear | Table):
        raise ValueError(f"{' '.join(words[:3])!r} is not a condition")
    return Conditional(literal.variable, literal.value, words[0] == "iff", within)


def _no_overlap(words: Sequence[str]) -> NoOverlap:
    strict, *tasks = words
    starts, lengths = _columns(tasks) or [(), ()]
    return NoOverlap(starts, lengths, strict == "strict")


def _cumulative(words: Sequence[str]) -> Cumulative:
    capacity, *tasks = words
    starts, durations, demands = _columns(tasks) or [(), (), ()]
    return Cumulative(read_term(capacity), starts, durations, demands)


CONSTRAINTS: Mapping[str, Callable[[Sequence[str]], Constraint]] = {
    "linear": _linear,
    "different": lambda words: Different(read_terms(words)),
    "table": _table,
    "forbidden": _forbidden,
    "element": _element,
    "maximum": _maximum,
    "product": _product,
    "circuit": lambda words: Circuit(read_terms(words)),
    "clause": lambda words: Clause(tuple(map(read_literal, words))),
    "no_overlap": _no_overlap,
    "cumulative": _cumulative,
}


def read_model(lines: Iterator[str]) -> Model:
    """The model in some lines."""
    box = Box()
    constraints: dict[str, Any] = {}
    orders: dict[int, str] = {}
    totals: dict[int, str] = {}
    objective: tuple[Term, ...] = ()
    bound, empty = 0, ""
    for line in lines:
        first, *words = line.split()
        if first == "var":
            runs = [tuple(map(int, word.split(".."))) for word in words[1:]]
            if runs:
                box.add(int(words[0][1:]), [(run[0], run[-1]) for run in runs])
            empty = empty if runs else words[0]
        elif first == "order":
            variable, constraint, i, j = words
            order = Order(int(variable[1:]), int(i), int(j))
            if order.variable in orders:
                raise ValueError(f"{variable} orders two pairs")
            orders[order.variable] = constraint
            constraints[constraint] = with_order(constraints[constraint], order)
        elif first == "total":
            totals[int(words[0][1:])] = words[1]
        elif first == "objective":
            *terms, _, last = words
            objective, bound = read_terms(terms), int(last)
        elif words[0] in ("if", "iff"):
            constraints[first] = _conditional(words)
        else:
            constraints[first] = CONSTRAINTS[words[0]](words[1:])
    model = Model(box, constraints, objective, bound, empty)
    if not empty:
        _check_variables(model)
        _check_orders(model, orders)
        _check_totals(model, totals)
    return model


def with_order(constraint: Constraint, order: Order) -> Constraint:
    """The constraint with a variable that orders two of its tasks."""
    if not isinstance(constraint, NoOverlap | Cumulative):
        raise ValueError("a constraint without tasks has no order")
    return constraint._replace(orders=(*constraint.orders, order))


def _check_variables(model: Model) -> None:
    """Raise ``ValueError`` where a variable has no domain."""
    scopes = {name: set(constraint.scope()) for name, constraint in model.constraints.items()}
    scopes["the objective"] = {term.variable for term in model.objective}
    for name, scope in scopes.items():
        for x in scope - model.box.low.keys():
            raise ValueError(f"{name} is over x{x}, which has no domain")


def _check_orders(model: Model, orders: Mapping[int, str]) -> None:
    """Raise ``ValueError`` where a variable of an order is not new, or its tasks may overlap."""
    if not orders:
        return
    for name, constraint in model.constraints.items():
        for x in constraint.scope():
            if orders.get(x, name) != name:
                raise ValueError(f"x{x} is an order, and a variable of {name}")
    for x in {*orders} & {term.variable for term in model.objective}:
        raise ValueError(f"x{x} is an order, and a variable of the objective")
    for name in set(orders.values()):
        found: Any = model.constraints[name]
        scope = list(found.scope())
        for order in found.orders:
            x = order.variable
            is_new = model.box.low[x] == 0 and model.box.high[x] == 1 and scope.count(x) == 1
            if not is_new or not found.keeps_apart(model.box, order.first, order.second):
                raise ValueError(f"x{order.variable} does not say which of two tasks is first")


def _check_totals(model: Model, totals: Mapping[int, str]) -> None:
    """Raise ``ValueError`` where a total is not a new variable that a sum of others defines."""
    for x, name in totals.items():
        found = model.constraints[name]
        if not isinstance(found, Linear) or found.relation != "==":
            raise ValueError(f"{name} does not define x{x}")
        rest = [term for term in found.terms if term.variable != x]
        (own,) = [term for term in found.terms if term.variable == x]
        ends = [model.box.ends(term) for term in rest]
        low, high = sum(low for low, _ in ends), sum(high for _, high in ends)
        values = [own.factor * (found.constant - end) for end in (low, high)]
        is_held = abs(own.factor) == 1 and len(model.box.runs[x]) == 1
        if not is_held or min(values) < model.box.low[x] or max(values) > model.box.high[x]:
            raise ValueError(f"x{x} does not hold each value of {name}")
        others = (one.scope() for other, one in model.constraints.items() if other != name)
        if any(x in scope for scope in others):
            raise ValueError(f"x{x} is a total, and a variable of another constraint")


def read_step(line: str) -> Step:
    """One line of a proof."""
    kind, *words = line.split()
    if kind == "o":
        return Step(kind, bound=int(words[0]))
    if kind == "i":
        arrow = words.index(">")
        premises = tuple(map(read_literal, words[2:arrow]))
        conclusion = tuple(map(read_literal, words[arrow + 1 :]))
        if len(conclusion) > 1:
            raise ValueError("an inference has one conclusion")
        return Step(kind, words[0], (words[1],), premises, conclusion)
    if kind == "n":
        colon = words.index(":")
        return Step(
            kind,
            words[0],
            reason=tuple(words[colon + 1 :]),
            literals=tuple(map(read_literal, words[1:colon])),
        )
    raise ValueError(f"a line begins with i, n or o, not with {kind!r}")
