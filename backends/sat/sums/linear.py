"""Linear constraints as clauses, by way of a decision diagram over partial sums.

Every node of the diagram below the root gets a Boolean that says whether the assignment's path goes
through it. Clauses say so both ways: a node and a value lead to the child, and a node and the value
above it come from a parent. By induction over the layers the values determine every node, on the
path or off it. A node that one value alone leads to from the root is that value's literal.

An equation of three variables, ``x + y == z`` above all, needs no Boolean: two values determine the
third, and each value implies that one of its partners is taken (``_equation``). On Golomb rulers
that halves the conflicts and takes two thirds of the diagram's clauses.

A disequality of two variables, which a model may hold by the thousand (queens), is written as its
conflicts; the diagram would give the same clauses more slowly.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.sat.cnf import Cnf, Literals
from backends.sat.sums.diagram import FALSE, TRUE, Diagram, Node, Term, build


def linear(
    cnf: Cnf,
    scope: Sequence[Literals],
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    most_edges: int | None = None,
) -> None:
    """``sum of coefficient * value RELATION constant`` over variables given by their literals.

    Raises ``TooLarge`` when the diagram has more than ``most_edges``, by default as many as the
    formula may have clauses; nothing is written then.
    """
    if not all(scope):
        return None  # a variable without values makes the formula false by itself
    terms = [
        Term(variable, coefficient, tuple(sorted(literals)))
        for variable, (literals, coefficient) in enumerate(zip(scope, coefficients, strict=True))
        if coefficient
    ]
    if relation == "!=" and len(terms) == 2:
        return _conflicts(cnf, scope, terms[0], terms[1], constant)
    most = cnf.most if most_edges is None else most_edges
    if relation == "==" and len(terms) == 3 and _pairs(terms) <= most:
        return _equation(cnf, scope, terms, constant)
    diagram = build(terms, relation, constant, most)
    if diagram.root == FALSE:
        cnf.add([])
    elif diagram.root != TRUE:
        _clauses(cnf, diagram, scope)
    return None


def _pairs(terms: Sequence[Term]) -> int:
    """How many pairs of values ``_equation`` looks at."""
    sizes = sorted(len(term.values) for term in terms)
    return sizes[-1] * sizes[-2]


def _conflicts(cnf: Cnf, scope: Sequence[Literals], one: Term, other: Term, constant: int) -> None:
    """Not both of the two values, for every pair that adds up to ``constant``."""
    for value, literal in scope[one.variable].items():
        partner, remainder = divmod(constant - one.coefficient * value, other.coefficient)
        if not remainder and partner in scope[other.variable]:
            cnf.exclude(literal, scope[other.variable][partner])


def _equation(cnf: Cnf, scope: Sequence[Literals], terms: Sequence[Term], constant: int) -> None:
    """Two values imply the third; each value implies one of its partners, for each other variable.

    The third is the variable with the fewest values. Pairs without a third are excluded by the
    partners of both.
    """
    third = min(reversed(terms), key=lambda term: len(term.values))
    one, other = (term for term in terms if term is not third)
    literals = [scope[term.variable] for term in (one, other, third)]
    every: list[dict[int, tuple[dict[int, int], dict[int, int]]]] = [
        {literal: ({}, {}) for literal in of.values()} for of in literals
    ]
    for x, first in literals[0].items():
        for y, second in literals[1].items():
            rest = constant - one.coefficient * x - other.coefficient * y
            z, remainder = divmod(rest, third.coefficient)
            if remainder or z not in literals[2]:
                continue
            row = first, second, literals[2][z]
            cnf.add((-first, -second, row[2]))
            for k in range(3):
                for side, partner in enumerate(row[:k] + row[k + 1 :]):
                    every[k][row[k]][side][partner] = 0
    for k in range(3):
        counts = [len(of) for n, of in enumerate(literals) if n != k]
        for literal, partners in every[k].items():
            for those, count in zip(partners, counts, strict=True):
                if len(those) < count:
                    cnf.add((-literal, *those))


def _clauses(cnf: Cnf, diagram: Diagram, scope: Sequence[Literals]) -> None:
    here: list[int | None] = [None]
    """The literals of this layer's nodes; the root is true and needs none."""
    for depth, (term, nodes) in enumerate(zip(diagram.terms, diagram.layers, strict=True)):
        literals = [scope[term.variable][value] for value in term.values]
        below = diagram.layers[depth + 1] if depth + 1 < len(diagram.layers) else ()
        parents = _parents(nodes, len(below), len(literals))
        there = [_child_literal(cnf, literals, here, origins) for origins in parents]
        for node, literal in zip(nodes, here, strict=True):
            _down(cnf, node, [] if literal is None else [-literal], literals, there)
        for child, origins in zip(there, parents, strict=True):
            _up(cnf, child, literals, here, origins)
        here = list(there)


Origins = list[list[int]]
"""For each value, the nodes above from which it leads to one certain node."""


def _parents(nodes: Sequence[Node], below: int, values: int) -> list[Origins]:
    parents: list[Origins] = [[[] for _ in range(values)] for _ in range(below)]
    for position, node in enumerate(nodes):
        for k, child in enumerate(node):
            if child >= 0:
                parents[child][k].append(position)
    return parents


def _child_literal(
    cnf: Cnf, literals: Sequence[int], here: Sequence[int | None], origins: Origins
) -> int:
    leading = [literal for literal, above in zip(literals, origins, strict=True) if above]
    return leading[0] if here == [None] and len(leading) == 1 else cnf.new()


def _down(
    cnf: Cnf, node: Node, given: list[int], literals: Sequence[int], there: Sequence[int]
) -> None:
    """From this node, each value leads to its child."""
    possible = [literal for literal, child in zip(literals, node, strict=True) if child != FALSE]
    if len(possible) == 1:
        cnf.add([*given, possible[0]])
    for literal, child in zip(literals, node, strict=True):
        if child == FALSE:
            if len(possible) > 1:
                cnf.add([*given, -literal])
        elif child != TRUE and there[child] != literal:
            cnf.add([*given, -literal, there[child]])


def _up(
    cnf: Cnf,
    child: int,
    literals: Sequence[int],
    here: Sequence[int | None],
    origins: Origins,
) -> None:
    """To this child one of some values leads, and each of them from one of its parents."""
    if child in literals:
        return  # it is that value, directly below the root
    leading = [literal for literal, above in zip(literals, origins, strict=True) if above]
    if len(leading) < len(literals):
        cnf.add([-child, *leading])
    for literal, above in zip(literals, origins, strict=True):
        from_root = any(here[position] is None for position in above)
        if above and not from_root:
            cnf.add([-child, -literal, *(here[position] or 0 for position in above)])
