"""What the handlers add to: variables, pairs of rivals, propagators; the same for both forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from backends.propagation.kernel.layout import BOUNDS, DOMAIN, FIXED, LOWER_BOUND, UPPER_BOUND
from backends.propagation.propagators import linear
from backends.propagation.propagators.arithmetic.affine import affine as affine_view
from modelling.problem import Structure
from modelling.stopping import watched
from modelling.terms import Term, affine

Propagate = Callable[[Any, Any, Any, int], bool]
"""``propagate(S, T, M, a)``: a filtering function of ``propagators``."""


@dataclass(frozen=True, eq=False)
class Shared:
    """What several propagators share: cells of M, and a row of T.

    The row is the place of these cells, then the places of ``variables``, then ``constants``.
    """

    variables: Sequence[int]
    constants: Sequence[int]
    memory: Sequence[int]


class Posted(NamedTuple):
    """A propagator as it is posted.

    ``events[i]`` wake it when they happen to ``scope[i]``. ``states`` are blocks of cells, with
    their first values, that backtracking restores; ``scratch`` is what lies in M to begin with;
    the place of a ``shared`` row, and the ``constants``, follow the places of these among its
    arguments. ``idempotent`` says that running it twice in a row never removes more than running it
    once; ``rests`` that others check its constraint, so that a solver that learns may pass over it
    while it finds nothing.
    """

    propagate: Propagate
    scope: tuple[int, ...]
    events: tuple[int, ...]
    constants: Sequence[int] = ()
    states: Sequence[Sequence[int]] = ()
    scratch: Sequence[int] = ()
    priority: int = 1
    idempotent: bool = False
    shared: Shared | None = None
    rests: bool = False


Layout = Callable[[int, Sequence[int]], Posted]
"""``layout(word_bits, words)``: a propagator whose arguments depend on how long a word is, or on
how many words each variable has (none: it is an interval)."""


class Order(NamedTuple):
    """A truth value, 1 where the task of a start and a length comes before that of another; the
    numbers of these variables."""

    before: int
    start: int
    length: int
    other_start: int
    other_length: int


class Shifted(NamedTuple):
    """``factor * variable + constant``, a term that AllDifferent and its like take."""

    variable: int
    factor: int
    constant: int


@dataclass
class Draft:
    """The variables are numbers; the structure's own come first.

    ``rivals[x]`` has the pairs (y, d): where x is v, y is not v + d. ``groups`` are terms that
    differ, each a variable and what is added to it, no variable twice. ``possible`` is false when a
    constraint over constants is violated. ``explains`` asks for propagators that can explain what
    they do, and for ``clauses`` over literals of ``kernel.facts``, with numbers for variables.
    ``all_different`` is the consistency of AllDifferent: ``values``, ``bounds``, ``domain``, or
    ``auto``, what pays. ``cumulative`` is ``timetable``, or ``energy``: windows of energy, too.
    ``tasks`` says what is branched on for NoOverlap: ``orders``, or ``starts``.
    ``circuits`` are the successors of nodes in a tour, ``functions[y]`` a variable x and the value
    of y for each of x: what bounds on objectives need.
    ``bound`` keeps the objective at most M[M_BOUND], where a handler knows how to do so best.
    ``sums`` are the equations and inequalities without a condition whose terms are not alike;
    ``in_order`` says that variables are branched on in the order in which they were declared.
    ``pairs`` are those of tasks that a search may put in order.
    """

    structure: Structure
    domains: list[Sequence[int]]
    rivals: list[dict[tuple[int, int], None]]
    groups: list[Sequence[tuple[int, int]]] = field(default_factory=list)
    propagators: list[Posted | Layout] = field(default_factory=list)
    possible: bool = True
    explains: bool = False
    all_different: str = "auto"
    cumulative: str = "timetable"
    tasks: str = "starts"
    clauses: list[list[tuple[int, int]]] = field(default_factory=list)
    circuits: list[Sequence[int]] = field(default_factory=list)
    functions: dict[int, tuple[int, Mapping[int, int]]] = field(default_factory=dict)
    bound: Posted | None = None
    sums: list[Posted] = field(default_factory=list)
    in_order: bool = False
    pairs: list[Order] = field(default_factory=list)
    known: dict[Any, Any] = field(default_factory=dict)

    def variable(self, domain: Sequence[int]) -> int:
        """A further variable; ``domain`` ascends."""
        self.domains.append(domain)
        self.rivals.append({})
        return len(self.domains) - 1

    def post(self, posted: Posted | Layout) -> None:
        """A further propagator, or what will lay it out once all domains are known."""
        self.propagators.append(posted)

    def differ(self, x: int, y: int, shift: int) -> None:
        """``y != x + shift``."""
        if x == y:
            self.possible = self.possible and shift != 0
            return
        self.rivals[x][y, shift] = None
        self.rivals[y][x, -shift] = None

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What ``make`` returned when it was called first for ``key``."""
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    def constant(self, value: int) -> int:
        """The variable of one value."""
        found: int = self.once(("constant", value), lambda: self.variable((value,)))
        return found

    def shifted(self, term: Term) -> Shifted:
        """A term as factor, variable and constant; a constant by its variable."""
        if type(term) is int:
            return Shifted(term, 1, 0)
        variable, factor, constant = affine(term)
        if variable is None or factor == 0:
            return Shifted(self.constant(constant), 1, 0)
        return Shifted(variable, factor, constant)

    def view(self, term: Term) -> int:
        """A variable that equals an affine term."""
        if type(term) is int:  # as most are
            return term
        variable, factor, constant = self.shifted(term)
        if (factor, constant) == (1, 0):
            return variable
        key = "view", variable, factor, constant
        found: int = self.once(key, lambda: self._view(variable, factor, constant))
        return found

    def _view(self, variable: int, factor: int, constant: int) -> int:
        source = self.domains[variable]
        if isinstance(source, range) or len(source) == source[-1] - source[0] + 1:
            ends = factor * source[0] + constant, factor * source[-1] + constant
            values: Sequence[int] = range(min(ends), max(ends) + 1, abs(factor))
        else:
            values = tuple(sorted([factor * value + constant for value in source]))
        found = self.variable(values)
        post_linear(self, "==", [(found, 1), (variable, -factor)], constant)
        return found


def begin(structure: Structure, explains: bool = False) -> Draft:
    """The variables of a structure, and nothing that binds them.

    An empty domain leaves nothing to search; the handlers need not know that there are such.
    """
    known: dict[Any, Sequence[int]] = {}  # equal domains are one object, as handlers compare them
    domains = [known.setdefault(d, d) if len(d) else (0,) for d in watched(structure.domains)]
    possible = all(map(len, structure.domains))
    return Draft(structure, domains, [{} for _ in domains], possible=possible, explains=explains)


OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def merge(terms: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each variable once, with the sum of its factors, where that is not 0."""
    factors: dict[int, int] = {}
    for variable, factor in terms:
        factors[variable] = factors.get(variable, 0) + factor
    return [(variable, factor) for variable, factor in factors.items() if factor]


def post_linear(
    draft: Draft,
    relation: str,
    terms: Sequence[tuple[int, int]],
    constant: int,
    condition: tuple[int, int] | None = None,
) -> None:
    """Post ``sum(factor * variable) relation constant``; where ``condition`` is (b, v), only where
    b is v."""
    pairs = merge(terms)
    if relation in (">", ">="):
        pairs = [(variable, -factor) for variable, factor in pairs]
        constant, relation = -constant, {">": "<", ">=": "<="}[relation]
    if relation == "<":
        constant, relation = constant - 1, "<="
    pairs = [pair for pair in pairs if pair[1] > 0] + [pair for pair in pairs if pair[1] < 0]
    if not pairs and condition is None:
        holds = {"<=": constant >= 0, "==": constant == 0, "!=": constant != 0}[relation]
        draft.possible = draft.possible and holds
    elif condition is None and relation == "!=" and [f for _, f in pairs] == [1, -1]:
        (x, _), (y, _) = pairs
        draft.differ(x, y, -constant)  # x - y != c, so y != x - c
    elif condition is None and relation == "==" and is_view(pairs) and not draft.explains:
        (x, k), (y, m) = sorted(pairs, key=lambda pair: abs(pair[1]))
        draft.post(
            Posted(
                affine_view,
                (x, y),
                (DOMAIN, DOMAIN),
                (-k * m, k * constant),
                priority=0,
                idempotent=True,
            )
        )
    else:
        posted = _linear(relation, pairs, constant, condition)
        draft.post(posted)
        if condition is None and relation != "!=" and not is_even(draft, pairs):
            draft.sums.append(posted)


def is_even(draft: Draft, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether the terms of a sum are alike, by the first, the second and the last."""
    (x, k), (y, m), (z, n) = pairs[0], pairs[min(1, len(pairs) - 1)], pairs[-1]
    domains = draft.domains
    return domains[x] is domains[y] is domains[z] and abs(k) == abs(m) == abs(n)


def is_view(pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether an equation says that one of two variables is an affine term of the other."""
    return len(pairs) == 2 and any(abs(factor) == 1 for _, factor in pairs)


def _linear(
    relation: str,
    pairs: Sequence[tuple[int, int]],
    constant: int,
    condition: tuple[int, int] | None,
) -> Posted:
    plain, implied = {
        "<=": (linear.at_most, linear.implied_at_most),
        "==": (linear.equal, linear.implied_equal),
        "!=": (linear.not_equal, linear.implied_not_equal),
    }[relation]
    scope = tuple([variable for variable, _ in pairs])
    factors = [factor for _, factor in pairs]
    positive = len([factor for factor in factors if factor > 0])
    events = _linear_events(relation, positive, len(pairs))
    priority = 0 if len(scope) + (condition is not None) <= 3 else 1
    if condition is None:
        constants = [positive, *factors, constant]
        return Posted(plain, scope, events, constants, priority=priority, idempotent=True)
    variable, value = condition
    return Posted(
        implied,
        (*scope, variable),
        (*events, FIXED),
        [positive, *factors, constant, value],
        priority=priority,
        idempotent=variable not in scope,
    )


def _linear_events(relation: str, positive: int, count: int) -> tuple[int, ...]:
    """What wakes a comparison of distinct variables, those with ``positive`` factors first."""
    if relation == "<=":
        return (LOWER_BOUND,) * positive + (UPPER_BOUND,) * (count - positive)
    if relation == "!=":
        return (FIXED,) * count
    return (DOMAIN if count == 1 else BOUNDS,) * count
