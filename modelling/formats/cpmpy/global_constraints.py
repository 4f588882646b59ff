"""CPMpy's global constraints and functions in Concord's words, by the name of their class.

They mean what CPMpy's ``value()`` says, except for two edges. ``AllEqual`` without arguments is
true, as in CPMpy's decomposition. A capacity is never negative, not even if absent tasks of
negative length let ``value()`` check no time. Whether a task of length 0 may lie within another
depends on CPMpy's version (``zero_lengths_count``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from modelling.errors import ModelError
from modelling.expressions.expression import join
from modelling.expressions.functions import FUNCTIONS, sum_
from modelling.formats.cpmpy.operators import (
    Reader,
    Word,
    absolute,
    all_defined,
    call,
    conjunction,
    disjunction,
    implication,
    integer,
    integers,
    negation,
    power,
    product,
)
from modelling.terms import ANY
from modelling.vocabulary.formulas.connectives import Xor


def _of_list(name: str, *more: Any) -> Word:
    """A function of Concord's of all arguments as one list."""
    return lambda reader, e: FUNCTIONS[name](reader.every(e.args), *more)


def _of_arguments(name: str, kinds: str) -> Word:
    """A function of Concord's of the same arguments: ``t`` an expression, ``T`` a list of them,
    ``i`` an integer, ``I`` a list of integers."""

    def word(reader: Reader, e: Any) -> Any:
        read: Mapping[str, Callable[[Any], Any]] = {
            "t": reader.read,
            "T": reader.every,
            "i": lambda value: integer(value, type(e).__name__),
            "I": lambda values: integers(values, type(e).__name__),
        }
        return FUNCTIONS[name](*(read[kind](one) for kind, one in zip(kinds, e.args, strict=True)))

    return word


# --- functions -----------------------------------------------------------------------------------


def _element_of_matrix(reader: Reader, e: Any) -> Any:
    """Two dimensions make an element of a matrix; more make an element of such elements.

    So every index must be inside its dimension.
    """
    array, *indices = e.args
    return _within(reader, np.asarray(array, dtype=object), list(map(reader.read, indices)))


def _within(reader: Reader, array: Any, indices: list[Any]) -> Any:
    if array.ndim > 2:
        parts = [_within(reader, array[k], indices[1:]) for k in range(array.shape[0])]
        return FUNCTIONS["element"](parts, indices[0])
    rows = [[reader.read(one) for one in array[k]] for k in range(array.shape[0])]
    return FUNCTIONS["element_2d"](rows, *indices)


# --- equality, tables, automata ------------------------------------------------------------------


def _all_equal_except(reader: Reader, e: Any) -> Any:
    """At most one value, apart from the excepted ones."""
    terms, values = e.args
    return FUNCTIONS["nvalue"](reader.every(terms), integers(values, "AllEqualExceptN")) <= 1


def _table(allowed: bool) -> Word:
    def word(reader: Reader, e: Any) -> Any:
        terms, rows = e.args
        cells = [[_cell(value) for value in row] for row in rows]
        return FUNCTIONS["table"](reader.every(terms), cells, allowed)

    return word


def _cell(value: Any) -> Any:
    return ANY if isinstance(value, str) and value == ANY else integer(value, "table")


def _in_domain(reader: Reader, e: Any) -> Any:
    term, values = e.args
    rows = [[value] for value in dict.fromkeys(integers(values, "InDomain"))]
    return FUNCTIONS["table"]([reader.read(term)], rows)


def _regular(reader: Reader, e: Any) -> Any:
    """States are numbered. Where a state has two transitions for a value, CPMpy takes the last."""
    terms, transitions, start, accepting = e.args
    numbers: dict[Any, int] = {}
    arcs = {(state, value): to for state, value, to in transitions}
    rows = [
        (_number(numbers, state), integer(value, "Regular"), _number(numbers, to))
        for (state, value), to in arcs.items()
    ]
    finals = [_number(numbers, state) for state in accepting]
    return FUNCTIONS["regular"](reader.every(terms), rows, _number(numbers, start), finals)


def _number(numbers: dict[Any, int], state: Any) -> int:
    return numbers.setdefault(state, len(numbers))


def _mdd(reader: Reader, e: Any) -> Any:
    """The part of the diagram that can be reached, each state once for each layer it is in."""
    terms = reader.every(e.args[0])
    if not terms:
        return True
    numbers: dict[Any, int] = {}
    rows = []
    layer = [e.root_node]
    for depth in range(len(terms)):
        reached: dict[Any, None] = {}
        for state in layer:
            for value, to in e.mapping.get(state, {}).items():
                arc = _number(numbers, (depth, state)), value, _number(numbers, (depth + 1, to))
                rows.append(arc)
                reached[to] = None
        layer = list(reached)
    return FUNCTIONS["mdd"](terms, rows)


# --- counting, ordering, formulas ----------------------------------------------------------------


def _cardinality(reader: Reader, e: Any) -> Any:
    terms, values, counts = e.args
    return FUNCTIONS["global_cardinality"](
        reader.every(terms),
        integers(values, "GlobalCardinalityCount"),
        reader.every(counts),
        bool(e.closed),
    )


def _lex(strict: bool) -> Word:
    return lambda reader, e: FUNCTIONS["lex"]([reader.every(row) for row in e.args], strict)


def _if_then_else(reader: Reader, e: Any) -> Any:
    condition, yes, no = map(reader.read, e.args)
    return conjunction([implication(condition, yes), implication(negation(condition), no)])


# --- scheduling ----------------------------------------------------------------------------------


@cache
def zero_lengths_count() -> bool:
    """Whether this CPMpy forbids that a task of length 0 lies within another one, as 1.0 does."""
    from cpmpy import NoOverlap

    return not NoOverlap([1, 0], [0, 2]).value()


def _ends(starts: list[Any], durations: list[Any], ends: list[Any]) -> list[Any]:
    """That the ends are where they must be."""
    return [s + d == end for s, d, end in zip(starts, durations, ends, strict=True)]


def _no_overlap(reader: Reader, e: Any) -> Any:
    starts, durations, *ends = map(reader.every, e.args)
    apart = FUNCTIONS["no_overlap"](starts, durations, zero_lengths_count())
    return conjunction([apart, *(_ends(starts, durations, *ends) if ends else ())])


def _no_overlap_optional(reader: Reader, e: Any) -> Any:
    """For any two tasks that are present, one ends before the other starts."""
    starts, durations, *rest, present = map(reader.every, e.args)
    parts = all_defined(starts, durations, *rest)
    parts += [implication(p, d >= 0) for p, d in zip(present, durations, strict=True)]
    if rest:
        fits = _ends(starts, durations, *rest)
        parts += [implication(p, fit) for p, fit in zip(present, fits, strict=True)]
    tasks = list(zip(starts, durations, present, strict=True))
    for (s, d, p), (t, f, q) in combinations(tasks, 2):
        empty = [] if zero_lengths_count() else [d == 0, f == 0]
        apart = disjunction([*empty, s + d <= t, t + f <= s])
        parts.append(implication(conjunction([p, q]), apart))
    return conjunction(parts)


def _cumulative(reader: Reader, e: Any) -> Any:
    *lists, capacity = e.args
    starts, durations, *ends, demands = map(reader.every, lists)
    loads = FUNCTIONS["cumulative"](starts, durations, demands, reader.read(capacity))
    return conjunction([loads, *(_ends(starts, durations, *ends) if ends else ())])


def _cumulative_optional(reader: Reader, e: Any) -> Any:
    """A task that is not there takes no time and asks for nothing."""
    *lists, capacity, present = e.args
    starts, durations, *ends, demands = map(reader.every, lists)
    there = reader.every(present)
    times = [p * d for p, d in zip(there, durations, strict=True)]
    asked = [p * d for p, d in zip(there, demands, strict=True)]
    parts = [FUNCTIONS["cumulative"](starts, times, asked, reader.read(capacity))]
    parts += all_defined(*ends)
    if ends:
        fits = _ends(starts, durations, *ends)
        parts += [implication(p, fit) for p, fit in zip(there, fits, strict=True)]
    return conjunction(parts)


def _reservoir(reader: Reader, e: Any) -> Any:
    """Where an event is, what came until then lies between the capacities."""
    starts, demands, least, most, *present = e.args
    times, changes = reader.every(starts), integers(demands, "Reservoir")
    there = reader.every(present[0]) if present else [True] * len(times)
    low, high = integer(least, "Reservoir"), integer(most, "Reservoir")
    parts = all_defined(times)
    for now, p in zip(times, there, strict=True):
        events = zip(times, changes, there, strict=True)
        level = sum_([change * conjunction([q, time <= now]) for time, change, q in events])
        parts.append(implication(p, conjunction([low <= level, level <= high])))
    return conjunction(parts)


def _refuse_direct(reader: Reader, e: Any) -> Any:
    raise ModelError(
        f"CPMpy's DirectConstraint {e.name!r} calls a function of one solver, and says nothing to "
        "others; state what it means by constraints"
    )


WORDS: Mapping[str, Word] = {
    "Abs": absolute,
    "AllDifferent": _of_list("all_different"),
    "AllDifferentExcept0": _of_arguments("all_different", "TI"),
    "AllDifferentExceptN": _of_arguments("all_different", "TI"),
    "AllEqual": _of_list("all_equal"),
    "AllEqualExceptN": _all_equal_except,
    "Among": _of_arguments("count", "TI"),
    "Circuit": _of_list("circuit"),
    "Count": _of_arguments("count", "Tt"),
    "Cumulative": _cumulative,
    "CumulativeOptional": _cumulative_optional,
    "Decreasing": _of_list("increasing", False, True),
    "DecreasingStrict": _of_list("increasing", True, True),
    "DirectConstraint": _refuse_direct,
    "Division": call("truncated"),
    "Element": _of_arguments("element", "Tt"),
    "GlobalCardinalityCount": _cardinality,
    "IfThenElse": _if_then_else,
    "InDomain": _in_domain,
    "Increasing": _of_list("increasing"),
    "IncreasingStrict": _of_list("increasing", True),
    "Inverse": _of_arguments("inverse", "TT"),
    "LexChainLess": _lex(True),
    "LexChainLessEq": _lex(False),
    "LexLess": _lex(True),
    "LexLessEq": _lex(False),
    "MDD": _mdd,
    "Maximum": _of_list("maximum"),
    "Minimum": _of_list("minimum"),
    "Modulo": call("remainder"),
    "Multiplication": product,
    "NDElement": _element_of_matrix,
    "NValue": _of_list("nvalue"),
    "NValueExcept": _of_arguments("nvalue", "Ti"),
    "NegativeTable": _table(False),
    "NoOverlap": _no_overlap,
    "NoOverlapOptional": _no_overlap_optional,
    "Power": power,
    "Precedence": _of_arguments("precedence", "TI"),
    "Regular": _regular,
    "Reservoir": _reservoir,
    "ReservoirOptional": _reservoir,
    "ShortTable": _table(True),
    "Table": _table(True),
    "Xor": lambda reader, e: join(Xor, reader.every(e.args)),
}
"""CPMpy's global functions and constraints."""
