"""An element for each constraint, and for the objective.

A constraint is written as an element of its own (``WORDS``), as a condition on what a function
measures, as clauses, or as a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.formats.xcsp3.writer.profile import (
    Measured,
    Tour,
    measured,
    reached_finals,
    says_measured,
    shift_of,
)
from modelling.formats.xcsp3.writer.wording import OPERATORS, Wording, is_expression, say_number
from modelling.problem import Objective, Structure
from modelling.terms import ANY, Term, affine, is_constant

INDENT = "    "
Text = str | tuple[str, str]
"""The text of a child, or its attributes and its text."""


def is_clause(item: core.Or, domains: Sequence[Sequence[int]]) -> bool:
    """Whether a disjunction is written as a clause: each part says that a 0/1 variable has one of
    its values."""
    return bool(item.formulas) and all(
        isinstance(part, core.Linear)
        and len(part.terms) == 1
        and (part.coefficients, part.relation) == ((1,), "==")
        and part.constant in (0, 1)
        and type(part.terms[0]) is int
        and set(domains[part.terms[0]]) <= {0, 1}
        for part in item.formulas
    )


class Writer:
    """Writes constraints as elements, with the identifiers of the variables."""

    def __init__(
        self, structure: Structure, names: Sequence[str], domains: Sequence[Sequence[int]]
    ) -> None:
        self.structure = structure
        self.names = names
        self.domains = domains
        self.wording = Wording(names)

    # --- elements ---

    def element(self, tag: str, attributes: str = "", **children: Text) -> str:
        """An element with children of text.

        The part of a child's name after ``_`` distinguishes children with the same tag.
        """
        lines = [f"{INDENT}<{tag}{attributes}>\n"]
        for name, told in children.items():
            opening, text = told if isinstance(told, tuple) else ("", told)
            plain = name.partition("_")[0]
            lines.append(f"{INDENT}  <{plain}{opening}> {text} </{plain}>\n")
        lines.append(f"{INDENT}</{tag}>\n")
        return "".join(lines)

    def intension(self, text: str) -> str:
        """A formula."""
        return f"{INDENT}<intension> {text} </intension>\n"

    def never(self, variable: int) -> str:
        """A false constraint over a variable, in a form that every reader takes."""
        return self.intension(f"lt({self.names[variable]},{say_number(self.domains[variable][0])})")

    def list(self, terms: Sequence[Term]) -> str:
        """Terms, apart by blanks."""
        return self.wording.terms(terms)

    def shifted(self, terms: Sequence[Term], attribute: str = "startIndex") -> tuple[str, int]:
        """Variables, and the number that is taken off them."""
        shift = shift_of(terms)
        assert shift is not None, attribute
        return " ".join(self.names[affine(term).variable] for term in terms), shift

    def numbers(self, values: Sequence[int]) -> str:
        """Integers, apart by blanks."""
        return " ".join(map(say_number, values))

    def condition(self, relation: str, operand: Term) -> str:
        """``(le,5)``."""
        return f"({OPERATORS[relation]},{self.wording.term(operand)})"

    def mention(self, mentioned: Collection[int]) -> Iterator[str]:
        """Constraints that each variable not yet mentioned is equal to itself.

        Readers ignore variables that nothing mentions, and do not count their values.
        """
        for position, name in enumerate(self.names):
            if position not in mentioned:
                yield self.intension(f"eq({name},{name})")

    # --- constraints ---

    def constraint(self, item: Constraint) -> Iterator[str]:
        """The element, or elements, of a constraint that the profile takes."""
        if isinstance(item, core.Clauses):
            yield from self._clauses(item)
            return
        if not item.scope:
            yield _constant(self, item.holds(()))
            return
        found = measured(item)
        if found is not None and says_measured(found, self.structure):
            yield self._measured(found)
            return
        write = WORDS.get(type(item))
        if write is not None:
            yield write(self, item)
        elif isinstance(item, core.Or) and is_clause(item, self.structure.domains):
            yield f"{INDENT}<clause> {' '.join(map(self._literal, item.formulas))} </clause>\n"
        else:
            yield self.intension(self.wording.formula(item))

    def group(self, tables: Sequence[core.Table]) -> str:
        """Tables with the same tuples, which are written once."""
        lines = (f"{INDENT}  <args> {self.list(one.terms)} </args>\n" for one in tables)
        template = _table(self, tables[0], "%...").replace("\n    ", "\n      ")
        return f"{INDENT}<group>\n  {template.rstrip(' ')}{''.join(lines)}{INDENT}</group>\n"

    def _literal(self, part: Any) -> str:
        name = self.names[part.terms[0]]
        return name if part.constant else f"not({name})"

    def _clauses(self, item: core.Clauses) -> Iterator[str]:
        names = [self.names[term] for term in item.terms]
        for clause in item.literals:
            literals = (names[x - 1] if x > 0 else f"not({names[-x - 1]})" for x in clause)
            yield f"{INDENT}<clause> {' '.join(literals)} </clause>\n"

    def _measured(self, found: Measured) -> str:
        function, condition = found.function, self.condition(found.relation, found.operand)
        is_equal = found.relation == "=="
        value = (
            {"value": self.wording.term(found.operand)} if is_equal else {"condition": condition}
        )
        if isinstance(function, core.Count):
            return self.element(
                "count",
                list=self.list(function.terms),
                values=self.list(function.values),
                condition=condition,
            )
        if isinstance(function, core.NValue):
            excepted = _excepted(self, function.except_)
            return self.element(
                "nValues", list=self.list(function.terms), **excepted, condition=condition
            )
        if isinstance(function, (core.Minimum, core.Maximum)):
            tag = "minimum" if isinstance(function, core.Minimum) else "maximum"
            return self.element(tag, list=self.list(function.terms), condition=condition)
        if isinstance(function, core.Element):
            index, start = self.shifted([function.index])
            return self.element(
                "element", list=(_starting(start), self.list(function.terms)), index=index, **value
            )
        assert isinstance(function, core.Element2D)
        row, first = self.shifted([function.row])
        column, second = self.shifted([function.column])
        starts = _starting(first, "startRowIndex") + _starting(second, "startColIndex")
        return self.element(
            "element", matrix=(starts, self.rows(function.matrix)), index=f"{row} {column}", **value
        )

    def rows(self, rows: Sequence[Sequence[Term]]) -> str:
        """``(x,y)(z,3)``."""
        return "".join(f"({','.join(map(self.wording.term, row))})" for row in rows)

    # --- objectives ---

    def objective(self, objective: Objective) -> str:
        """``<minimize>`` or ``<maximize>``."""
        tag, term = objective.sense, objective.term
        if not is_listed(objective, self.structure):
            return f"{INDENT}<{tag}> {self.wording.term(term)} </{tag}>\n"
        kind = OBJECTIVES[type(term)]
        coefficients = set(term.coefficients) if isinstance(term, core.Sum) else {1}
        if coefficients == {1} and len(term.terms) == 1:
            return f"{INDENT}<{tag}> {self.wording.term(term.terms[0])} </{tag}>\n"
        children: dict[str, Text] = {"list": self.list(term.terms)}
        if coefficients != {1}:
            children["coeffs"] = self.numbers(term.coefficients)
        return self.element(tag, f' type="{kind}"', **children)


OBJECTIVES: dict[type[Any], str] = {
    core.Sum: "sum",
    core.Product: "product",
    core.Minimum: "minimum",
    core.Maximum: "maximum",
    core.NValue: "nValues",
}


def is_listed(objective: Objective, structure: Structure) -> bool:
    """Whether it is written as a list, which cannot contain constants."""
    term = objective.term
    if type(term) not in OBJECTIVES or not term.terms or any(map(is_constant, term.terms)):
        return False
    if isinstance(term, core.NValue) and term.except_:
        return False
    return all(is_expression(one, structure.domains) for one in term.terms)


def _starting(start: int, attribute: str = "startIndex") -> str:
    """The attribute, where it is needed."""
    return f' {attribute}="{say_number(start)}"' if start else ""


# --- a function for each class -------------------------------------------------------------------


def _linear(w: Writer, item: core.Linear) -> str:
    short = len(item.terms) == 1 or (len(item.terms) == 2 and sorted(item.coefficients) == [-1, 1])
    if short and all(is_expression(term, w.structure.domains) for term in item.terms):
        return w.intension(w.wording.formula(item))
    children: dict[str, Text] = {"list": w.list(item.terms)}
    if set(item.coefficients) != {1}:
        children["coeffs"] = w.numbers(item.coefficients)
    condition = f"({OPERATORS[item.relation]},{say_number(item.constant)})"
    return w.element("sum", "", **children, condition=condition)


def _constant(w: Writer, truth: bool) -> str:
    """What is true or false without variables."""
    if truth:
        return ""
    return w.never(0) if w.names else w.intension("eq(0,1)")


def _table(w: Writer, item: core.Table, terms: str = "") -> str:
    if not item.tuples:
        return ""  # all tuples are taken; a table that takes none is written otherwise
    if len(item.terms) == 1:
        rows = w.numbers(sorted({row[0] for row in item.tuples}))  # ACE reads no others rightly
    else:
        # In order: beside a variable of one value ACE 2.6 takes other tuples for what they are not.
        short = any(ANY in row for row in item.tuples)
        tuples = item.tuples if short else sorted(item.tuples)
        rows = "".join([f"({','.join(map(str, row))})" for row in tuples])
    kind = "supports" if item.allowed else "conflicts"
    return w.element("extension", "", **{"list": terms or w.list(item.terms), kind: rows})


def _regular(w: Writer, item: core.Regular) -> str:
    finals = " ".join(map(_state, reached_finals(item)))
    children: dict[str, Text] = {"start": _state(item.start), "final": finals}
    return w.element(
        "regular", "", list=w.list(item.terms), transitions=_arcs(item.transitions, {}), **children
    )


def _mdd(w: Writer, item: core.MDD) -> str:
    """All leaves as one, as XCSP3 asks for."""
    inner = {state for state, _, _ in item.transitions}
    leaves = {to: "t" for _, _, to in item.transitions if to not in inner}
    arcs = _arcs(item.transitions, leaves)
    return w.element("mdd", list=w.list(item.terms), transitions=arcs)


def _state(state: int) -> str:
    return f"q{state}" if state >= 0 else f"n{-state}"


def _arcs(arcs: Any, renamed: dict[int, str]) -> str:
    said = (
        f"({_state(one)},{say_number(value)},{renamed.get(to) or _state(to)})"
        for one, value, to in arcs
    )
    return "".join(dict.fromkeys(said))


def _all_different(w: Writer, item: core.AllDifferent) -> str:
    if not item.except_:
        return f"{INDENT}<allDifferent> {w.list(item.terms)} </allDifferent>\n"
    return w.element("allDifferent", list=w.list(item.terms), **_excepted(w, item.except_))


def _excepted(w: Writer, values: Sequence[int]) -> dict[str, str]:
    """The child with the values that are excepted, in ascending order, as ACE 2.6 wants them."""
    return {"except": w.numbers(sorted(set(values)))} if values else {}


def _all_equal(w: Writer, item: core.AllEqual) -> str:
    return f"{INDENT}<allEqual> {w.list(item.terms)} </allEqual>\n"


def _cardinality(w: Writer, item: core.GlobalCardinality) -> str:
    closed = ' closed="true"' if item.closed else ""
    return w.element(
        "cardinality",
        list=w.list(item.terms),
        values=(closed, w.numbers(item.values)),
        occurs=w.list(item.counts),
    )


def _lex(w: Writer, item: core.Lex) -> str:
    lists = {f"list_{k}": w.list(row) for k, row in enumerate(item.rows)}
    return w.element("lex", "", **lists, operator="lt" if item.strict else "le")


def _increasing(w: Writer, item: core.Increasing) -> str:
    return w.element("ordered", list=w.list(item.terms), operator=OPERATORS[item.relation])


def _precedence(w: Writer, item: core.Precedence) -> str:
    return w.element("precedence", list=w.list(item.terms), values=w.numbers(item.values))


def _inverse(w: Writer, item: core.Inverse) -> str:
    """The values of each list count from where the other one starts."""
    f, g_start = w.shifted(item.f)
    g, f_start = w.shifted(item.g)
    if item.f == item.g:
        return w.element("channel", list=(_starting(f_start), f))
    return w.element("channel", list=(_starting(f_start), f), list_g=(_starting(g_start), g))


def _circuit(w: Writer, item: core.Circuit) -> str:
    """One of all nodes."""
    nodes, start = w.shifted(item.next)
    return w.element("circuit", list=(_starting(start), nodes), size=str(len(item.next)))


def _tour(w: Writer, item: Tour) -> str:
    nodes, start = w.shifted(item.next)
    return w.element("circuit", list=(_starting(start), nodes))


def _cumulative(w: Writer, item: core.Cumulative) -> str:
    return w.element(
        "cumulative",
        origins=w.list(item.starts),
        lengths=w.list(item.durations),
        heights=w.list(item.demands),
        condition=w.condition("<=", item.capacity),
    )


def _no_overlap(w: Writer, item: core.NoOverlap) -> str:
    return w.element(
        "noOverlap", _zeros(item.strict), origins=w.list(item.starts), lengths=w.list(item.lengths)
    )


def _no_overlap_2d(w: Writer, item: core.NoOverlap2D) -> str:
    return w.element(
        "noOverlap",
        _zeros(item.strict),
        origins=w.rows(list(zip(item.xs, item.ys, strict=True))),
        lengths=w.rows(list(zip(item.widths, item.heights, strict=True))),
    )


def _zeros(strict: bool) -> str:
    return ' zeroIgnored="false"' if strict else ""


def _bin_packing(w: Writer, item: core.BinPacking) -> str:
    kind = "limits" if item.relation == "<=" else "loads"
    limits = {kind: w.list(item.limits)}
    return w.element(
        "binPacking", "", list=w.list(item.items), sizes=w.numbers(item.sizes), **limits
    )


WORDS: dict[type[Any], Callable[[Writer, Any], str]] = {
    core.Linear: _linear,
    core.Table: _table,
    core.Regular: _regular,
    core.MDD: _mdd,
    core.AllDifferent: _all_different,
    core.AllEqual: _all_equal,
    core.GlobalCardinality: _cardinality,
    core.Lex: _lex,
    core.Increasing: _increasing,
    core.Precedence: _precedence,
    core.Inverse: _inverse,
    core.Circuit: _circuit,
    Tour: _tour,
    core.Cumulative: _cumulative,
    core.NoOverlap: _no_overlap,
    core.NoOverlap2D: _no_overlap_2d,
    core.BinPacking: _bin_packing,
}
"""How each class that is not a formula is written."""
