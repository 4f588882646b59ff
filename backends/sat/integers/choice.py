"""Which encoding each variable of a structure has (option ``integers``).

direct, order, log   that one for all
auto                 by the size of the domain and by how the variable is used:

- two values: one Boolean, which all three encodings are then
- up to ``MOST_DIRECT`` values: direct
- more, up to ``MOST_ORDER``: order, unless a sum of three terms or more or a product uses it, and
  nothing needs its values (AllDifferent, a table, an index)
- else log

The bounds are from ``results/reference/sat_encodings``.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelling.constraint import Constraint
from modelling.constraints import AllDifferent, Element, Linear, NotEqual, Table
from modelling.problem import Structure
from modelling.terms import Fielded, Function, variables_of
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

FORMS = ("auto", "direct", "order", "log")

MOST_DIRECT = 64
MOST_ORDER = 2000


def forms_of(structure: Structure, integers: str) -> list[str]:
    """The form of each variable."""
    domains = structure.domains
    if integers != "auto":
        return [integers if domain else "direct" for domain in domains]
    large = {v for v, domain in enumerate(domains) if len(domain) > MOST_DIRECT}
    valued, summed = _uses(structure) if large else (set(), set())
    forms = []
    for variable, domain in enumerate(domains):
        if variable not in large:
            # Two values are one Boolean; alone they would be as well as direct.
            forms.append("order" if len(domain) == 2 else "direct")
        elif len(domain) <= MOST_ORDER and (variable in valued or variable not in summed):
            forms.append("order")
        else:
            forms.append("log")
    return forms


def _uses(structure: Structure) -> tuple[set[int], set[int]]:
    """The variables that are used by their values, and those that are in longer sums."""
    valued: set[int] = set()
    summed: set[int] = set()
    for constraint in structure.constraints:
        for part in items_within(constraint):
            if isinstance(part, (AllDifferent, NotEqual, Table)):
                valued.update(part.scope)
            elif isinstance(part, Element):
                valued.update(variables_of(part.index))
            elif type(part) is Linear:
                plain = [term for term in part.terms if not isinstance(term, Function)]
                found = [v for term in plain for v in variables_of(term)]
                if len(found) > 2 or len(plain) < len(part.terms):
                    summed.update(found)
            elif isinstance(part, (Product, Quotient, Remainder)):
                summed.update(part.scope)
    if structure.objective is not None and len(structure.objective.scope) > 1:
        summed.update(structure.objective.scope)
    return valued, summed


def items_within(item: Constraint | Function) -> Iterator[Constraint | Function]:
    """A constraint, and the constraints and functions within it."""
    yield item
    if isinstance(item, Fielded):
        for part in item.parts():
            yield from items_within(part)
