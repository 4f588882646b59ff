"""FlatZinc as a Problem: declarations, constraints, the question.

The grammar is that of MiniZinc's documentation, "Specification of FlatZinc". Items are taken in
any order in which what is used is declared before.

- Variables keep their names, in the order of the file; a ``bool`` is 0 or 1.
- The output is the variables that are annotated with ``output_var`` or ``output_array``. If nothing
  is annotated, or every variable is, the problem has no output of its own.
- A variable without bounds is given those that follow from the constraints (``bounds``); without
  such it is refused. No bounds are made up: an answer would rest on them.
- ``int_search`` and ``bool_search`` are kept as the search that the problem states. Other
  annotations say how to search or where a constraint comes from, not what holds: they are passed
  over. A constraint that is not known is an error, and so are floats and variables that are sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, cast

from modelling.constraint import Constraint
from modelling.errors import InstanceError, ModelError
from modelling.formats.flatzinc.bounds import derive_bounds
from modelling.formats.flatzinc.builtins import WRITTEN
from modelling.formats.flatzinc.declarations import Declarations, skip_annotations
from modelling.formats.flatzinc.items import LARGEST, Item, decode, items_of, shown
from modelling.formats.flatzinc.libraries import find
from modelling.problem import Objective, Phase, Problem, Structure
from modelling.terms import Term, affine
from modelling.vocabulary.formulas.connectives import TRUE, And
from modelling.vocabulary.formulas.linear import Sum

SEARCHES = {"int_search": "T", "bool_search": "B"}
"""Annotations that state a search, and what their first argument is read as."""
REMEDY = "flatten the model for MiniZinc's standard library: minizinc -c -G std"


def read(data: bytes, source: str) -> Problem:
    """The problem that a FlatZinc file states; InstanceError with the place of what is wrong."""
    text = decode(data, source)
    WRITTEN.set([0])
    reader = _Reader()
    for item in items_of(text, source):
        reader.take(item)
    if reader.sense is None:
        end = Item(text, source, len(text.rstrip()), [])
        end.fail(0, "the file has no solve item; its last item must be: solve satisfy;")
    return reader.problem()


class _Reader:
    """What has been read so far."""

    def __init__(self) -> None:
        self.declared = Declarations()
        self.constraints = self.declared.constraints
        self.sense: str | None = None
        self.search: tuple[Phase, ...] = ()
        self.goal: Term | None = None
        declared, names = self.declared, self.declared.names
        self.readers: dict[str, Callable[[Item, int], tuple[Any, int]]] = {
            "t": names.term,
            "T": names.terms_at,
            "b": names.boolean,
            "B": names.booleans_at,
            "i": names.number,
            "I": names.numbers_at,
            "s": names.set,
            "S": names.sets_at,
        }
        self.items: dict[str, Callable[[Item], None]] = {
            "var": declared.variable,
            "array": declared.array,
            "predicate": lambda item: None,
            **dict.fromkeys(("int", "bool", "float", "set"), declared.parameter),
        }

    def take(self, item: Item) -> None:
        """Read one item."""
        # Its own methods are not among the items: a reader that refers to itself, and with it all
        # domains, would stay in memory until Python looks for cycles.
        own = {"constraint": self.constraint, "solve": self.solve}
        read_it = self.items.get(item.tokens[0]) or own.get(item.tokens[0])
        if read_it is None:
            item.fail(
                0,
                f"no item begins with {shown(item.tokens[0])}; FlatZinc has predicate, parameter, "
                "var, array, constraint and solve items",
            )
        try:
            read_it(item)
        except IndexError:
            item.fail(len(item.tokens) - 1, "the item ends before it is complete")

    # --- constraints and the question ---

    def constraint(self, item: Item) -> None:
        """``constraint int_le(x, y) :: domain;``"""
        name = item.name_at(1)
        known = find(name)
        if known is None:
            item.fail(1, f"the constraint {shown(name)} is not known here; {REMEDY}")
        k = item.expect(2, "(")
        found: list[Any] = [self.declared.ends] if known.measures else []
        least = len(known.signature) - known.optional
        for number, kind in enumerate(known.signature):
            if number >= least and item.tokens[k] == ")":
                break
            if number:
                k = item.expect(k, ",")
            value, k = self.readers[kind](item, k)
            found.append(value)
        k = skip_annotations(item, item.expect(k, ")"))
        item.expect(k, ";")
        try:
            self.post(known.make(*found))
        except ModelError as wrong:
            item.fail(1, f"{name}: {wrong}")

    def post(self, constraint: Constraint) -> None:
        """Let a constraint hold; the parts of a conjunction each by itself."""
        if type(constraint) is And:
            self.constraints.extend(constraint.formulas)
        elif constraint != TRUE:
            self.constraints.append(constraint)

    def solve(self, item: Item) -> None:
        """``solve :: int_search(...) minimize cost;``"""
        if self.sense is not None:
            item.fail(0, "there is a solve item already; a file has one")
        k = skip_annotations(item, 1)
        self.search = tuple(self.phases(item, k))
        self.sense = item.tokens[k]
        if self.sense in ("minimize", "maximize"):
            self.goal, k = self.declared.names.term(item, k + 1)
        elif self.sense == "satisfy":
            k += 1
        else:
            item.fail(k, f"satisfy, minimize or maximize must stand here, not {shown(self.sense)}")
        item.expect(k, ";")

    def phases(self, item: Item, end: int) -> Iterator[Phase]:
        """The searches of variables among the annotations of a solve item, in their order.

        Constants are left out; a search of what is unknown here is passed over.
        """
        for k in range(1, end):
            reader = SEARCHES.get(item.tokens[k])
            if reader is None or item.tokens[k + 1] != "(":
                continue
            try:
                terms, after = self.readers[reader](item, k + 2)
            except InstanceError:
                continue
            comma, choice, second, values, *_ = (*item.tokens[after:end], *[""] * 4)
            parts = (affine(term) for term in terms)
            variables = tuple(x for x, factor, _ in parts if x is not None and factor > 0)
            if comma == second == "," and variables:
                yield Phase(variables, choice, values)

    # --- what it comes to ---

    def problem(self) -> Problem:
        """All that was read as a problem."""
        self.bound_variables()
        objective = None
        if self.goal is not None:
            sense = cast(Literal["minimize", "maximize"], self.sense)
            objective = Objective(sense, Sum((self.goal,)))
        declared = self.declared
        output = None if declared.output is None else tuple(dict.fromkeys(declared.output))
        if output is not None and len(output) == len(declared.called):
            output = None  # all of them, which is what no output means
        structure = Structure(
            tuple(declared.called),
            tuple(declared.domains),
            tuple(self.constraints),
            objective,
            output,
            search=self.search,
        )
        return structure.problem()

    def bound_variables(self) -> None:
        """Give bounds to the variables that have none."""
        declared, domains = self.declared, self.declared.domains
        for variable, (low, high) in derive_bounds(domains, self.constraints).items():
            item, k = declared.unbounded[variable]
            name = shown(declared.called[variable])
            if low is None or high is None:
                ends = [end for end, known in (("least", low), ("greatest", high)) if known is None]
                item.fail(
                    k,
                    f"the variable {name} has no {' and no '.join(ends)} value, and none follows "
                    f"from the constraints; declare its range, as in: var -1000..1000: {name}",
                )
            if max(-low, high) > LARGEST:
                item.fail(k, f"the values of {name} go beyond {LARGEST:,}")
            domains[variable] = declared.pool.domain(item, k, range(low, high + 1))
