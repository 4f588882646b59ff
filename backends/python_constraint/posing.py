"""Constraints as python-constraint has them: its own, or functions of the values.

AllDifferent and NotEqual are the library's AllDifferent, sums over two variables or more its sums,
all else functions. Constraints are simplified first, so that a sum names each variable once: with a
repeated one the library loses solutions. Where smaller constraints say the same, these are posed:
of two variables the library looks ahead as soon as one of them has a value. A function of more is
asked at each value tried, if partial assignments can show that it fails (``early``).

Words
-----
form      what is posed: what makes it anew, and the variables that it is about
reader    gives the value of a term, or of a list of them, from the values of the scope
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

from backends.python_constraint.arithmetic import compile_arithmetic
from backends.python_constraint.early import CHECKS, RANGES
from backends.python_constraint.sums import DifferentSums, lines_of
from modelling.constraint import Constraint, Predicate
from modelling.constraints import (
    VOCABULARY,
    AllDifferent,
    And,
    Define,
    Element,
    Linear,
    NotEqual,
    Table,
)
from modelling.definedness import never_in
from modelling.problem import Problem
from modelling.rewriting import simplify
from modelling.terms import Fielded, Function, Kind, Term, affine, fields_of, is_constant
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.clauses import Block, Clauses
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

NATIVE = frozenset({AllDifferent, NotEqual, Linear, Table})
"""What the library has a form for, or a quicker function than the definition."""

Known = Sequence[Any]
Read = Callable[[Known], Any]


class ConstraintFactory(NamedTuple):
    """One constraint of the library's; ``make`` gives a new one, for they hold its state."""

    make: Callable[[], Any]
    scope: tuple[int, ...]


class ModelBuilder:
    """States problems to the library, in its constraints; variables are positions."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self._views = type("Views", (Views, library.Constraint), {})
        self._different_sums = type("DifferentSums", (DifferentSums, library.Constraint), {})
        self._unassigned = library.Unassigned
        self._sums = {
            "==": _guarded(library.ExactSumConstraint),
            "<=": _guarded(library.MaxSumConstraint),
            ">=": _guarded(library.MinSumConstraint),
        }

    def pose(
        self, solver: Any, problem: Problem, forms: Sequence[ConstraintFactory], watch: Any
    ) -> Any:
        """The library's Problem. No domain is empty and no constraint over no variables: it takes
        neither."""
        domains = problem.domains()
        posed = self.library.Problem(solver)
        for variable, domain in enumerate(domains):
            posed.addVariable(variable, domain)
        if domains:
            posed.addConstraint(watch, range(len(domains)))
        for make, scope in forms:
            posed.addConstraint(make(), scope)
        return posed

    def all_forms(self, constraints: Sequence[Constraint]) -> list[ConstraintFactory]:
        """What says the same as all of them; what two variables must not differ by is one set."""
        found: list[ConstraintFactory] = []
        apart: dict[tuple[int, int, int, int], set[int]] = {}
        parts = list(chain.from_iterable(map(self.parts, constraints)))
        for part in _in_pairs(parts):
            if _says_apart(part):
                assert isinstance(part, Linear)
                (x, y), (p, q), constant = part.scope, part.coefficients, part.constant
                if x > y:
                    (x, p), (y, q) = (y, q), (x, p)
                if p < 0:
                    p, q, constant = -p, -q, -constant
                apart.setdefault((x, y, p, q), set()).add(constant)
            else:
                found.append(ConstraintFactory(self.form(part), part.scope))
        for (x, y, p, q), constants in apart.items():
            found.append(ConstraintFactory(self._apart(p, q, frozenset(constants)), (x, y)))
        return found

    def parts(self, constraint: Constraint) -> list[Constraint]:
        """Constraints of some variables that together say the same; flat ones are simplified."""
        simple = constraint if constraint.parts() else simplify(constraint)
        found = list(smaller(simple))
        if any(not part.scope and not part.holds(()) for part in found):
            return [constraint]  # false whatever values there are, and still about some variables
        return [part for part in found if part.scope]

    def _apart(self, p: int, q: int, constants: frozenset[int]) -> Callable[[], Any]:
        """``p * x + q * y`` is not in ``constants``."""
        if len(constants) == 1:
            (constant,) = constants
            if (p, q) == (1, -1):
                return self._function(lambda x, y: x - y != constant)
            return self._function(lambda x, y: p * x + q * y != constant)
        if (p, q) == (1, -1):
            return self._function(lambda x, y: x - y not in constants)
        return self._function(lambda x, y: p * x + q * y not in constants)

    def form(self, constraint: Constraint) -> Callable[[], Any]:
        """What makes the library's constraint, or function, that says the same.

        A subclass of a known constraint may mean something else. So would the library's constraint
        over terms other than distinct variables. In both cases the result is a function.
        """
        if type(constraint) in NATIVE and constraint.is_plain:
            match constraint:
                case AllDifferent() | NotEqual():
                    made: Callable[[], Any] = self.library.AllDifferentConstraint
                    return made
                case Linear(scope=(_, _, *_), relation=relation) if relation != "!=":
                    return self._sum(constraint)
                case Table(allowed=allowed, tuples=tuples):
                    rows = frozenset(tuples)
                    return self._function(lambda *row: (row in rows) is allowed)
        if type(constraint) is AllDifferent and not constraint.except_ and not constraint.parts():
            views = [affine(term)[1:] for term in constraint.terms]
            if len(views) == len(constraint.scope):
                return lambda: self._views(views)
        if type(constraint) is AllDifferent and (lines := lines_of(constraint)) is not None:
            return lambda: self._different_sums(lines)
        return self._chosen(constraint) or self._defined(constraint)

    def _chosen(self, constraint: Constraint) -> Callable[[], Any] | None:
        """An element of constants or a clause: most frequent, and quicker without readers."""
        match constraint:
            case Clauses(literals=literals) if constraint.is_plain and len(literals) == 1:
                (clause,) = literals
                if sorted(map(abs, clause)) == list(range(1, len(constraint.scope) + 1)):
                    wrong = tuple(-x in clause for x in range(1, len(clause) + 1))
                    return self._function(lambda *values: tuple(map(bool, values)) != wrong)
            case Define(result=int() as result, function=Element(terms=terms, index=int() as i)):
                if len({result, i}) == 2 and all(map(is_constant, terms)):
                    row = tuple(term.offset for term in terms)
                    end = len(row)
                    if constraint.scope == (result, i):
                        return self._function(lambda r, k: 0 <= k < end and row[k] == r)
            case Define(
                result=int() as result,
                function=Element2D(matrix=matrix, row=int() as i, column=int() as j),
            ):
                if len({result, i, j}) == 3 and all(map(is_constant, chain(*matrix))):
                    rows = tuple(tuple(term.offset for term in row) for row in matrix)
                    last, width = len(rows), len(rows[0])
                    if constraint.scope == (result, i, j):
                        return self._function(
                            lambda r, k, n: 0 <= k < last and 0 <= n < width and rows[k][n] == r
                        )
        return None

    def _defined(self, constraint: Constraint) -> Callable[[], Any]:
        """A function by the definition, and by what partial assignments show."""
        readers = readers_of(constraint)
        if readers is None:
            counted = counted_in(constraint)
            if counted is None:
                quick = compile_arithmetic(constraint)
                return self._function(quick or (lambda *values: constraint.holds(values)))
            return self._function(self._partial(constraint.holds, counted), assigned=False)
        assert isinstance(constraint, Predicate)
        relates, check = constraint.relates, CHECKS.get(type(constraint))
        if type(constraint) is Define and isinstance(constraint.function, Function):
            function = constraint.function
            value, check = function.value, CHECKS.get(type(function))

            def relates(result: int, *fields: Any) -> bool:
                return bool(value(*fields) == result)

        def decide(values: Sequence[int]) -> bool:
            return relates(*[read(values) for read in readers])

        if check is None or len(constraint.scope) < 3:
            quick = compile_arithmetic(constraint)
            return self._function(quick or (lambda *values: decide(values)))
        shown = check
        return self._function(
            self._partial(decide, lambda known: shown(*[read(known) for read in readers])),
            assigned=False,
        )

    def _partial(
        self, decide: Callable[[Sequence[int]], bool], check: Callable[[Known], bool]
    ) -> Callable[..., bool]:
        """Decides where all is known, and else checks what is."""
        unassigned = self._unassigned

        def function(*values: Any) -> bool:
            if unassigned not in values:
                return decide(values)
            return check([None if value is unassigned else value for value in values])

        return function

    def _sum(self, linear: Linear) -> Callable[[], Any]:
        strict = {"<": ("<=", -1), ">": (">=", 1)}
        relation, shift = strict.get(linear.relation, (linear.relation, 0))
        plain = set(linear.coefficients) == {1}
        multipliers = None if plain else list(linear.coefficients)
        kind, bound = self._sums[relation], linear.constant + shift
        return lambda: kind(bound, multipliers)

    def _function(self, holds: Callable[..., bool], assigned: bool = True) -> Callable[[], Any]:
        made = self.library.FunctionConstraint
        return lambda: made(holds, assigned)


def _says_apart(constraint: Constraint) -> bool:
    return (
        type(constraint) is Linear
        and constraint.relation == "!="
        and constraint.is_plain
        and len(constraint.scope) == 2
    )


class Views:
    """AllDifferent over views of variables, each of another one; mixed with the library's
    ``Constraint``. As the library's own it closes the values that are taken."""

    def __init__(self, views: Sequence[tuple[int, int]]) -> None:
        self.views = views

    def __call__(
        self, variables: Any, domains: Any, assignments: Any, forwardcheck: Any = False
    ) -> bool:
        seen, left, value_of = set(), [], assignments.get
        for variable, (factor, offset) in zip(variables, self.views, strict=True):
            value = value_of(variable)
            if value is None:
                left.append((variable, factor, offset))
                continue
            value = factor * value + offset
            if value in seen:
                return False
            seen.add(value)
        if forwardcheck:
            for variable, factor, offset in left:
                domain = domains[variable]
                for value in [value for value in domain if factor * value + offset in seen]:
                    domain.hideValue(value)
                if not domain:
                    return False
        return True


def _in_pairs(parts: Sequence[Constraint]) -> Iterator[Constraint]:
    """The same, with each two variables apart in place of several AllDifferents over the same ones:
    what two queens must not differ by is then looked at once, in place of three lines of all."""
    over: dict[frozenset[int], list[Constraint]] = {}
    for part in parts:
        if _differs_by_views(part):
            over.setdefault(frozenset(part.scope), []).append(part)
    for part in parts:
        same = over.get(frozenset(part.scope), ()) if type(part) is AllDifferent else ()
        if part not in same or len(same) < 2 or all(other.is_plain for other in same):
            yield part
            continue
        assert isinstance(part, AllDifferent)
        for (x, _, a), (y, _, b) in combinations(map(affine, part.terms), 2):
            yield Linear((x, y), (1, -1), "!=", b - a)


def _differs_by_views(constraint: Constraint) -> bool:
    """Whether it is AllDifferent over variables that are moved, each another one."""
    if type(constraint) is not AllDifferent or constraint.except_ or constraint.parts():
        return False
    terms = constraint.terms
    return len(constraint.scope) == len(terms) and all(affine(t).factor == 1 for t in terms)


# --- smaller constraints -------------------------------------------------------------------------


def smaller(constraint: Constraint) -> Iterator[Constraint]:
    """Constraints of fewer variables that together say the same, and what helps them."""
    if type(constraint) not in VOCABULARY:
        yield constraint
        return
    match constraint:
        case And(formulas=parts):
            for part in parts:
                yield from smaller(part if part.parts() else simplify(part))
        case AllEqual() | Increasing() if not constraint.parts():
            relation = constraint.relation if isinstance(constraint, Increasing) else "=="
            for pair in pairwise(constraint.terms):
                yield simplify(Linear(pair, (1, -1), relation, 0))
        case AllDifferent(terms=terms) if not constraint.is_plain and not constraint.parts():
            if not constraint.except_ and len(constraint.scope) == len(terms):
                yield constraint
                return
            for pair in combinations(terms, 2):
                yield AllDifferent(pair, constraint.except_)
        case Clauses(literals=literals) if len(literals) > 1 and not constraint.parts():
            for clause in literals:
                alone = Clauses(*_alone(constraint.terms, clause))
                is_simple = alone.is_plain and len(clause) == len(alone.scope)
                yield alone if is_simple else simplify(alone)
        case NoOverlap(starts=(_, _, *_)):
            tasks = zip(constraint.starts, constraint.lengths, strict=True)
            for (s, d), (t, e) in combinations(tasks, 2):
                yield NoOverlap((s, t), (d, e), constraint.strict)
        case NoOverlap2D(xs=(_, _, *_)):
            sides = constraint.xs, constraint.ys, constraint.widths, constraint.heights
            for one, other in combinations(zip(*sides, strict=True), 2):
                xs, ys, widths, heights = zip(one, other, strict=True)
                yield NoOverlap2D(xs, ys, widths, heights, constraint.strict)
        case Circuit(next=terms) | SubCircuit(next=terms) | Inverse(f=terms):
            yield constraint
            if len(set(terms)) == len(terms) and AllDifferent(terms).is_plain:
                yield AllDifferent(terms)
        case _:
            yield constraint


def _alone(terms: Sequence[Term], clause: Sequence[int]) -> tuple[tuple[Term, ...], Block]:
    """A clause over the terms that it names."""
    place = {k: n for n, k in enumerate(dict.fromkeys(map(abs, clause)), 1)}
    moved = tuple(place[x] if x > 0 else -place[-x] for x in clause)
    return tuple(terms[k - 1] for k in place), Block((moved,))


# --- readers -------------------------------------------------------------------------------------


def readers_of(constraint: Constraint) -> list[Read] | None:
    """A reader for each field that ``relates`` takes, or for the result and the fields that
    ``value`` takes; None: it has functions or formulas within, or lacks such fields."""
    place = {variable: k for k, variable in enumerate(constraint.scope)}
    if not isinstance(constraint, Predicate) or not _is_of_relates(constraint):
        return None
    if type(constraint) is not Define or not isinstance(constraint.function, Function):
        return None if constraint.parts() else _readers_of_fields(constraint, place)
    if isinstance(constraint.result, Function) or constraint.function.parts():
        return None
    result = _reader(constraint.result, place)
    return [result, *_readers_of_fields(constraint.function, place)]


def _is_of_relates(constraint: Predicate) -> bool:
    """Whether ``relates`` says it all: a user's class may say it in ``holds``."""
    return type(constraint) in VOCABULARY


def _readers_of_fields(item: Fielded, place: dict[int, int]) -> list[Read]:
    return [_reader_of_field(getattr(item, f.name), f.kind, place) for f in fields_of(type(item))]


def _reader_of_field(held: Any, kind: Kind, place: dict[int, int]) -> Read:
    if kind is Kind.TERM and held is not None:
        return _reader(held, place)
    if kind is Kind.TERMS and held is not None:
        return _reader_of_all([_reader(term, place) for term in held])
    if kind is Kind.MATRIX:
        return _reader_of_all(
            [_reader_of_all([_reader(term, place) for term in row]) for row in held]
        )
    return lambda values: held


def _reader(term: Term, place: dict[int, int]) -> Read:
    variable, factor, offset = affine(term)
    if variable is None:
        return lambda values: offset
    k = place[variable]
    if (factor, offset) == (1, 0):
        return lambda values: values[k]
    return lambda values: None if values[k] is None else factor * values[k] + offset


def _reader_of_all(readers: Sequence[Read]) -> Read:
    return lambda values: [read(values) for read in readers]


def counted_in(constraint: Constraint) -> Callable[[Known], bool] | None:
    """A check of a comparison of counts: whether it can still hold with what is left to count.

    None: the comparison has other parts.
    """
    if type(constraint) is not Linear:
        return None
    parts = constraint.parts()
    if not parts or not all(type(part) in RANGES and not part.parts() for part in parts):
        return None
    place = {variable: k for k, variable in enumerate(constraint.scope)}
    ranges = [_range(term, place) for term in constraint.terms]
    factors, relation, constant = (
        constraint.coefficients,
        constraint.relation,
        constraint.constant,
    )

    def check(known: Known) -> bool:
        low = high = 0
        for factor, range_of in zip(factors, ranges, strict=True):
            ends = range_of(known)
            if ends is None:
                return True
            ends = sorted((factor * ends[0], factor * ends[1]))
            low, high = low + ends[0], high + ends[1]
        return not never_in(low, high, relation, constant)

    return check


def _range(term: Term, place: dict[int, int]) -> Read:
    """The least and greatest value that a term can still have; None where that is not known."""
    if isinstance(term, Function):
        range_of, readers = RANGES[type(term)], _readers_of_fields(term, place)
        return lambda values: range_of(*[read(values) for read in readers])
    read = _reader(term, place)

    def ends(values: Known) -> tuple[int, int] | None:
        value = read(values)
        return None if value is None else (value, value)

    return ends


def _guarded(kind: Any) -> Any:
    """The library's sum, which looks for the extremes of a domain even when it is empty."""

    def pre_process(
        self: Any, variables: Sequence[int], domains: Any, constraints: Any, by_variable: Any
    ) -> None:
        if all(domains[variable] for variable in variables):
            kind.preProcess(self, variables, domains, constraints, by_variable)

    return type(kind.__name__, (kind,), {"preProcess": pre_process})
