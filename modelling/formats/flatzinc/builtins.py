"""The built-in constraints of FlatZinc over integers and Booleans, in the vocabulary's words.

MiniZinc's ``std/flatzinc_builtins.mzn`` defines what each means. A Boolean is a variable that is
0 or 1; a condition on it is ``b == 1``. ``NAME_reif`` has one argument more, a Boolean that is true
if and only if NAME holds; ``NAME_imp`` one that implies it (``reified`` makes both of any NAME).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.flatzinc.values import Numbers
from modelling.terms import Affine, Function, Term, affine, constant, is_constant, shortest
from modelling.vocabulary.formulas.linear import equals, within

Ends = Callable[[Term], tuple[int | None, int | None]]
"""The least and greatest value that a term can have by its declaration; None where it has none."""


class Builtin(NamedTuple):
    """A constraint that FlatZinc files name: its signature (``values``), and what it becomes.

    ``optional`` is how many of the arguments at the end may be missing; one that ``measures`` is
    given the ends of terms before its arguments.
    """

    signature: str
    make: Callable[..., Constraint]
    optional: int = 0
    measures: bool = False


MOST_WRITTEN = 1_000_000
MOST_WRITTEN_IN_FILE = 20 * MOST_WRITTEN
"""What would take more numbers than this, of a few words of a file, is refused."""

WRITTEN: ContextVar[list[int]] = ContextVar("WRITTEN")
"""How many numbers the constraints of the file that is being read have taken so."""


# --- conditions ----------------------------------------------------------------------------------


def holds(boolean: Term, truth: int = 1) -> Constraint:
    """That a Boolean is true (or false: ``truth`` 0)."""
    if is_constant(boolean):
        return core.TRUE if affine(boolean).offset == truth else core.FALSE
    return equals(boolean, truth)


def all_hold(booleans: Sequence[Term]) -> Constraint:
    """That all are true."""
    return core.And(tuple(map(holds, booleans))).simplified()


def some_hold(booleans: Sequence[Term], others: Sequence[Term] = ()) -> Constraint:
    """That one is true, or one of the others false."""
    return core.Or((*map(holds, booleans), *(holds(other, 0) for other in others))).simplified()


def odd_hold(booleans: Sequence[Term]) -> Constraint:
    """That an odd number is true."""
    return core.Xor(tuple(map(holds, booleans))).simplified()


def if_and_only_if(condition: Constraint, boolean: Term) -> Constraint:
    """``boolean <-> condition``."""
    return core.Iff(holds(boolean), condition).simplified()


def if_only(condition: Constraint, boolean: Term) -> Constraint:
    """``boolean -> condition``."""
    return core.Implies(holds(boolean), condition).simplified()


# --- sums and sets -------------------------------------------------------------------------------


def linear(factors: Sequence[int], terms: Sequence[Term], relation: str, bound: int) -> Constraint:
    """``sum(factor * term) RELATION bound``; constants and repeats are added up."""
    made = core.Linear(tuple(terms), tuple(factors), relation, bound)
    return made if made.is_plain else made.simplified()


def compare(x: Term, y: Term, relation: str) -> Constraint:
    """``x RELATION y``."""
    if relation == "!=" and not isinstance(x, Affine) and not isinstance(y, Affine) and x != y:
        return core.NotEqual((x, y))
    return linear((1, -1), (x, y), relation, 0)


def define(result: Term, term: Term) -> Constraint:
    """``result == term``, which is a function as a rule."""
    return core.Define(result, term) if isinstance(term, Function) else compare(result, term, "==")


def is_in(x: Term, numbers: Numbers) -> Constraint:
    """That ``x`` is one of the numbers."""
    if not numbers:
        return core.FALSE
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return core.And(
            tuple(part.simplified() for part in within(x, numbers[0], numbers[-1]))
        ).simplified()
    return core.Table((x,), tuple((number,) for number in numbers)).simplified()


def explicit_values(numbers: Numbers) -> tuple[int, ...]:
    """The numbers of a set, if they are few enough to be listed."""
    check_written(len(numbers))
    return tuple(numbers)


def shifted(term: Term, by: int = -1) -> Term:
    """``term + by``; what FlatZinc counts from 1 is counted from 0 here."""
    found = affine(term)
    return shortest(found._replace(offset=found.offset + by))


def check_written(number: int) -> None:
    """Refuse what a few words of the file would blow up."""
    if number > MOST_WRITTEN:
        raise ModelError(
            f"it would take {number:,} terms and numbers, more than {MOST_WRITTEN:,}; let MiniZinc "
            "flatten the model with -G std"
        )
    written = WRITTEN.get()
    written[0] += number
    if written[0] > MOST_WRITTEN_IN_FILE:
        raise ModelError(
            f"with those before it takes more than {MOST_WRITTEN_IN_FILE:,} terms and numbers; let "
            "MiniZinc flatten the model with -G std"
        )


# --- functions -----------------------------------------------------------------------------------


def element(index: Term, terms: Sequence[Term], result: Term) -> Constraint:
    """``terms[index] == result``, counted from 1."""
    if not terms:
        return core.FALSE
    return define(result, core.Element(tuple(terms), shifted(index)))


def element_of_numbers(index: Term, numbers: Sequence[int], result: Term) -> Constraint:
    """The same of numbers."""
    return element(index, tuple(map(constant, numbers)), result)


def extreme(
    kind: type[core.Maximum | core.Minimum],
) -> Callable[[Term, Sequence[Term]], Constraint]:
    """``result`` is the least, or the greatest, of the terms."""
    return lambda result, terms: define(result, kind(tuple(terms)))


def of_two(kind: Callable[[Term, Term], Function]) -> Callable[[Term, Term, Term], Constraint]:
    """``result`` is a function of two terms."""
    return lambda x, y, result: define(result, kind(x, y))


MOST_POWERS = 64


def power(ends: Ends, x: Term, y: Term, result: Term) -> Constraint:
    """``x ** y == result``: for each exponent that y can be."""
    low, high = ends(y)
    if low is None or high is None or high - low >= MOST_POWERS or max(-low, high) >= MOST_POWERS:
        raise ModelError(
            f"exponents must be declared to lie below {MOST_POWERS}, for each of them is a product"
        )
    check_written(sum(2 + abs(k) for k in range(low, high + 1)))
    if low == high:
        return _power(x, low, result)
    ways = (core.And((equals(y, k), _power(x, k, result))) for k in range(low, high + 1))
    return core.Or(tuple(ways)).simplified()


def _power(x: Term, exponent: int, result: Term) -> Constraint:
    """With a negative exponent it is ``1 div x ** -exponent``, which 0 does not have."""
    raised = core.Product((x,) * abs(exponent)).simplified()
    if exponent >= 0:
        return (
            define(result, raised)
            if isinstance(raised, Function)
            else compare(result, raised, "==")
        )
    return define(result, core.Quotient(constant(1), raised))


# --- the table -----------------------------------------------------------------------------------

RELATIONS = {"eq": "==", "ne": "!=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}


def _relations() -> dict[str, Builtin]:
    found = {}
    for word, relation in RELATIONS.items():

        def two(x: Term, y: Term, relation: str = relation) -> Constraint:
            return compare(x, y, relation)

        def many(
            factors: Sequence[int], terms: Sequence[Term], bound: int, relation: str = relation
        ) -> Constraint:
            return linear(factors, terms, relation, bound)

        def counted(
            factors: Sequence[int], terms: Sequence[Term], bound: Term, relation: str = relation
        ) -> Constraint:
            return linear((*factors, -1), (*terms, bound), relation, 0)

        found[f"int_{word}"] = Builtin("tt", two)
        found[f"bool_{word}"] = Builtin("bb", two)
        found[f"int_lin_{word}"] = Builtin("ITi", many)
        found[f"bool_lin_{word}"] = Builtin("IBt", counted)
    return found


def _exclusive_or(x: Term, y: Term, result: Term = constant(1)) -> Constraint:
    return if_and_only_if(odd_hold((x, y)), result)


BUILTINS: Mapping[str, Builtin] = {
    **_relations(),
    "int_abs": Builtin("tt", lambda x, result: define(result, core.Distance(x, constant(0)))),
    "int_plus": Builtin("ttt", lambda x, y, z: linear((1, 1, -1), (x, y, z), "==", 0)),
    "int_minus": Builtin("ttt", lambda x, y, z: linear((1, -1, -1), (x, y, z), "==", 0)),
    "int_negate": Builtin("tt", lambda x, y: linear((1, 1), (x, y), "==", 0)),
    "int_times": Builtin("ttt", of_two(lambda x, y: core.Product((x, y)))),
    "int_div": Builtin("ttt", of_two(core.Quotient)),
    "int_mod": Builtin("ttt", of_two(core.Remainder)),
    "int_min": Builtin("ttt", of_two(lambda x, y: core.Minimum((x, y)))),
    "int_max": Builtin("ttt", of_two(lambda x, y: core.Maximum((x, y)))),
    "int_pow": Builtin("ttt", power, measures=True),
    "int_pow_fixed": Builtin("tit", lambda x, k, z: power(_constant_ends, x, constant(k), z)),
    "array_int_element": Builtin("tIt", element_of_numbers),
    "array_bool_element": Builtin("tIb", element_of_numbers),
    "array_var_int_element": Builtin("tTt", element),
    "array_var_bool_element": Builtin("tBb", element),
    "array_int_maximum": Builtin("tT", extreme(core.Maximum)),
    "array_int_minimum": Builtin("tT", extreme(core.Minimum)),
    "array_bool_and": Builtin("Bb", lambda xs, b: if_and_only_if(all_hold(xs), b)),
    "array_bool_or": Builtin("Bb", lambda xs, b: if_and_only_if(some_hold(xs), b)),
    "array_bool_xor": Builtin("B", odd_hold),
    "array_bool_and_imp": Builtin("Bb", lambda xs, b: if_only(all_hold(xs), b)),
    "array_bool_or_imp": Builtin("Bb", lambda xs, b: if_only(some_hold(xs), b)),
    "array_bool_xor_imp": Builtin("Bb", lambda xs, b: if_only(odd_hold(xs), b)),
    "bool2int": Builtin("bt", lambda b, x: compare(b, x, "==")),
    "bool_and": Builtin("bbb", lambda x, y, b: if_and_only_if(all_hold((x, y)), b)),
    "bool_or": Builtin("bbb", lambda x, y, b: if_and_only_if(some_hold((x, y)), b)),
    "bool_xor": Builtin("bbb", _exclusive_or, optional=1),
    "bool_and_imp": Builtin("bbb", lambda x, y, b: if_only(all_hold((x, y)), b)),
    "bool_or_imp": Builtin("bbb", lambda x, y, b: if_only(some_hold((x, y)), b)),
    "bool_xor_imp": Builtin("bbb", lambda x, y, b: if_only(odd_hold((x, y)), b)),
    "bool_xor_reif": Builtin("bbb", _exclusive_or),
    "bool_not": Builtin("bb", lambda x, y: linear((1, 1), (x, y), "==", 1)),
    "bool_clause": Builtin("BB", some_hold),
    "set_in": Builtin("ts", is_in),
}


def _constant_ends(term: Term) -> tuple[int, int]:
    return affine(term).offset, affine(term).offset


def reified(known: Mapping[str, Builtin], name: str) -> Builtin | None:
    """What ``name`` means: one of ``known``, or that with a Boolean more."""
    found = known.get(name)
    if found is not None:
        return found
    for ending, connect in (("_reif", if_and_only_if), ("_imp", if_only)):
        inner = known.get(name.removesuffix(ending)) if name.endswith(ending) else None
        if inner is not None and not inner.optional:
            return Builtin(
                inner.signature + "b", _connected(inner.make, connect), measures=inner.measures
            )
    return None


def _connected(
    make: Callable[..., Constraint], connect: Callable[[Constraint, Term], Constraint]
) -> Callable[..., Constraint]:
    def made(*arguments: Any) -> Constraint:
        return connect(make(*arguments[:-1]), arguments[-1])

    return made
