"""Narrowing, its events, facts and undoing, against a set of values."""

import random
from typing import NamedTuple

import pytest

from backends.propagation.forms import LEARNING, pure_form, pure_learning_form
from backends.propagation.kernel import domains
from backends.propagation.kernel import facts as of
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.queue import dequeue, empty_queues
from backends.propagation.kernel.trail import undo
from backends.propagation.propagators.member import runs_of
from backends.propagation.rebinding import Binding
from modelling.constraints import Linear
from modelling.problem import build_problem
from tests.backends.propagation import learning_checks, propagator_checks, short_words
from tests.backends.propagation.propagator_checks import contains_in, draw_domain

PLAIN = Binding({}, {}, {}, lambda function, made: function)
FORMS = {
    "pure": (pure_form, PLAIN),
    "short": (short_words.short_form, short_words.SHORT),
    "learning": (pure_learning_form, LEARNING),
    "short learning": (short_words.short_learning_form, short_words.LEARNING),
}
EVENTS = (at.FIXED, at.LOWER_BOUND, at.UPPER_BOUND, at.DOMAIN)


class State(NamedTuple):
    """A variable, its place, four propagators that watch it, one for each event."""

    S: list
    T: list
    M: list
    x: int
    form: object
    binding: Binding
    watching: dict

    def call(self, function, *arguments):
        """Call a function of the kernel."""
        return self.binding.bound(function)(self.S, self.T, self.M, self.x, *arguments)

    def look(self, function, *arguments):
        """Call a function that reads the domain alone."""
        return self.binding.bound(function)(self.S, self.x, *arguments)

    def events(self):
        """The events that have woken propagators since the last look, which sleep again."""
        found = 0
        while (a := dequeue(self.T, self.M)) != 0:
            found |= self.watching[a]
        if self.M[at.M_FIXED_TOP]:
            assert found & at.FIXED
            assert self.M[self.T[at.T_FIXED_QUEUE]] == self.x
            assert self.M[at.M_FIXED_TOP] == 1
            self.M[at.M_FIXED_TOP] = 0
        else:
            assert not found & at.FIXED
        return found


def state_of(domain, name):
    make, binding = FORMS[name]
    sums = [Linear(("x", "y"), (1, 1), "<=", 100_000 + k) for k in range(4)]
    problem = build_problem({"x": domain, "y": (-5, 2)}, sums)
    checks = learning_checks if "learning" in name else propagator_checks
    found = checks.begun(problem, make())
    arena, (S, T, M) = found[:2]
    x = arena.places[0]
    row = S[x + at.WATCHERS]
    watching = dict(zip(T[row + 1 : row + 9 : 2], EVENTS, strict=True))
    T[row], T[row + 2 : row + 10 : 2] = 8, EVENTS
    form = make()
    if form.watchers is not None:
        (T[row - 1],) = form.watchers(T, [T[row + 1 : row + 9]])
    empty_queues(T, M)
    if "learning" in name:
        S[x + of.ROOT], S[x + of.ROOT + 1] = domain[0], -domain[-1]
        for value in range(domain[0], domain[-1] + 1):
            if S[x + of.REMOVALS] and value not in domain:
                M[S[x + of.REMOVALS] + value] = of.FOR_GOOD
    return State(S, T, M, x, form, binding, watching)


def check_domain(state, values):
    """The record says just what the set says."""
    S, x = state.S, state.x
    ordered = sorted(values)
    assert (S[x], S[x + at.UPPER], S[x + at.SIZE]) == (ordered[0], ordered[-1], len(values))
    if S[x + at.LENGTH] == at.WORDS:
        return
    bits = sum(
        S[x + at.WORDS + w] << w * state.form.word_bits for w in range(S[x + at.LENGTH] - at.WORDS)
    )
    assert bits == sum(1 << (value - S[x + at.BASE]) for value in values)


def check_looks(state, values, rng):
    """Contains, and the nearest values."""
    least, greatest = min(values), max(values)
    for value in {least - 1, least, greatest, greatest + 1, rng.randint(least - 3, greatest + 3)}:
        assert state.look(domains.contains, value) == (value in values)
        assert contains_in(state.S, state.x, value, state.form) == (value in values)
        if value <= greatest:
            assert state.look(domains.next_value, value) == min(v for v in values if v >= value)
        if value >= least:
            above = max(v for v in values if v <= value)
            assert state.look(domains.previous_value, value) == above


def expected_events(before, after):
    events = 0
    if before != after:
        events |= at.DOMAIN
        events |= at.LOWER_BOUND if min(before) != min(after) else 0
        events |= at.UPPER_BOUND if max(before) != max(after) else 0
        events |= at.FIXED if len(after) == 1 else 0
    return events


def draw_operation(rng, values, is_interval):
    """A function, its argument, and the values that it keeps."""
    least, greatest = min(values), max(values)
    value = rng.choice((rng.choice(sorted(values)), rng.randint(least - 2, greatest + 2)))
    step = rng.randint(0, 3)
    kind = rng.choice(("remove", "remove", "lower", "upper", "assign", "words"))
    if kind == "lower":
        value = rng.choice((min(value, least + step), value, greatest + 1 + step))
        return domains.set_lower, value, {v for v in values if v >= value}
    if kind == "upper":
        value = rng.choice((max(value, greatest - step), value, least - 1 - step))
        return domains.set_upper, value, {v for v in values if v <= value}
    if kind == "assign" and rng.random() < 0.4:
        return domains.assign, value, values & {value}
    if kind == "words" and not is_interval:
        return domains.keep_words, value, {v for v in values if rng.random() < 0.8}
    if is_interval and least < value < greatest:
        return domains.remove, value, values
    return domains.remove, value, values - {value}


def write_words(state, kept, rng):
    """Words at the end of M with these bits, and others outside of the bounds."""
    S, x, bits = state.S, state.x, state.form.word_bits
    place = len(state.M)
    count = S[x + at.LENGTH] - at.WORDS
    word = sum(1 << (value - S[x + at.BASE]) for value in kept)
    for bit in range(count * bits):
        if not S[x] <= S[x + at.BASE] + bit <= S[x + at.UPPER] and rng.random() < 0.5:
            word |= 1 << bit
    state.M.extend(word >> w * bits & ((1 << bits) - 1) for w in range(count))
    return place


def failed_literal(function, values, value):
    """What cannot become true where an operation leaves nothing."""
    if function is domains.set_lower:
        return of.LEAST, value
    if function is domains.set_upper:
        return of.MOST, -value
    return (of.WITHOUT if function is domains.remove else of.EXACTLY), value


def trailed_cells(state):
    """The record of the variable, and the last facts of its bounds, but for the stamp."""
    x = state.x
    return state.S[x : x + state.S[x + at.LENGTH]]


def check_history(state, history):
    """What is known of each moment of the past."""
    S, M, x = state.S, state.M, state.x
    for place, values in history:
        assert of.lower_at(S, M, x, place) == min(values)
        assert of.upper_at(S, M, x, place) == max(values)
        for value in range(min(values) - 1, max(values) + 2):
            if S[x + of.REMOVALS]:
                assert of.is_out_at(S, M, x, value, place) == (value not in values), place
        check_written(state, place, values)


def check_written(state, place, values):
    """What is written of a moment in the past: the bounds, and what facts removed within."""
    S, T, M, x = state.S, state.T, state.M, state.x
    out, least, greatest = M[of.M_OUT], min(values), max(values)
    both = [(4 * x, least), (4 * x + of.MOST, -greatest)]
    removals = S[x + of.REMOVALS]
    removed = [
        (4 * x + of.WITHOUT, value)
        for value in range(least, greatest + 1)
        if removals and value not in values and M[removals + value] != of.FOR_GOOD
    ]
    assert written(M, of.write_domain(S, M, out, x, place)) == both + removed
    found = written(M, of.write_all_bounds(S, T, M, next(iter(state.watching)), place, out))
    assert len(found) == 4
    assert found[:2] == both


def written(M, n):
    """The literals of an explanation: slots, and values."""
    return [(M[k], M[k + 1]) for k in range(M[of.M_OUT], M[of.M_OUT] + 2 * n, 2)]


def run_case(rng, name):
    """Some levels of some operations each, all of which are taken back."""
    domain = draw_domain(rng, 9) if rng.random() < 0.8 else tuple(range(-3, 120, 1))
    if rng.random() < 0.1:
        domain = range(7, 6000)
    state = state_of(domain, name)
    is_interval = state.S[state.x + at.LENGTH] == at.WORDS
    values = set(range(domain[0], domain[-1] + 1)) if is_interval else set(domain)
    levels, history = [], []
    if "learning" in name:
        values = narrow_for_good(state, values, is_interval, rng)
    if rng.random() < 0.3:  # stamps like sizes
        state.M[at.M_STAMP] += len(values)
    while len(values) > 1 and len(levels) < 4:
        levels.append((state.M[at.M_TRAIL_TOP], trailed_cells(state), set(values)))
        state.M[at.M_STAMP] += 1
        state.M[at.M_DEPTH] = len(levels)
        for _ in range(3):
            values = step(state, values, is_interval, history, rng)
    if "learning" in name:
        check_history(state, history)
    for mark, cells, before in reversed(levels):
        undo(state.S, state.M, mark)
        assert trailed_cells(state) == cells
        check_domain(state, before)
        check_looks(state, before, rng)


def narrow_for_good(state, values, is_interval, rng):
    """Some operations without a decision, of which no fact remains; the values that are left."""
    S, M, x = state.S, state.M, state.x
    for _ in range(rng.randint(0, 2)):
        values = step(state, values, is_interval, [], rng)
        assert M[of.M_FACT_TOP] == 1
        assert (S[x + of.ROOT], S[x + of.ROOT + 1]) == (min(values), -max(values))
        for value in range(min(values), max(values) + 1):
            if S[x + of.REMOVALS] and value not in values:
                assert M[S[x + of.REMOVALS] + value] == of.FOR_GOOD
    M[at.M_TRAIL_TOP] = M[at.M_TRAIL]
    return values


def check_new_facts(state, first, values, kept):
    """The facts of one operation: of which slot they are, why, when, and what was before."""
    M, x = state.M, state.x
    bounds = {of.LEAST: min(values), of.MOST: -max(values)}
    for i in range(first, M[of.M_FACT_TOP]):
        f = M[of.M_FACTS] + of.FACT * i
        slot, value = M[f + of.SLOT], M[f + of.VALUE]
        kind = slot - 4 * x
        assert M[f + of.LEVEL] == M[at.M_DEPTH]
        if kind == of.WITHOUT:
            assert value in values - kept
            assert M[f + of.REASON] == REASON
            continue
        assert M[f + of.FORMER] == bounds[kind] < value
        assert M[f + of.REASON] in (REASON, REASON | of.REMOVED, of.SKIPPED)
        bounds[kind] = value
    assert M[at.M_DEPTH] == 0 or bounds == {of.LEAST: min(kept), of.MOST: -max(kept)}


REASON = 5 << of.NUMBER_SHIFT | of.PROPAGATOR


def step(state, values, is_interval, history, rng):
    """One operation; the values that are left."""
    function, value, kept = draw_operation(rng, values, is_interval)
    is_learning = state.form.memory_head != at.MEMORY_HEAD
    if is_learning:
        history.append((state.M[of.M_FACT_TOP], set(values)))
    argument = value
    if function is domains.keep_words:
        if not kept and is_learning:
            return values
        argument = write_words(state, kept, rng)
    before, cells = state.M[at.M_TRAIL_TOP], trailed_cells(state)
    first = 0
    if is_learning:
        first, state.M[of.M_REASON] = state.M[of.M_FACT_TOP], REASON
    is_possible = state.call(function, argument)
    assert is_possible == bool(kept)
    if not kept:
        assert (state.M[at.M_TRAIL_TOP], trailed_cells(state)) == (before, cells)
        assert state.events() == 0
        if is_learning:
            failed = state.M[of.M_FAILED_SLOT], state.M[of.M_FAILED_VALUE]
            kind, literal = failed_literal(function, values, value)
            assert failed == (4 * state.x + kind, literal)
        return values
    check_domain(state, kept)
    check_looks(state, kept, rng)
    if is_learning:
        check_new_facts(state, first, values, kept)
    found = state.events()
    if function is not domains.keep_words or not is_learning:
        assert found == expected_events(values, kept)
    return kept


@pytest.mark.parametrize("name", FORMS)
def test_operations_do_what_sets_do(name):
    rng = random.Random(7)
    for _ in range(60):
        run_case(rng, name)


@pytest.mark.parametrize(
    ("function", "value"),
    [(domains.remove, 4), (domains.set_lower, 3), (domains.set_upper, 3), (domains.assign, 5)],
)
def test_a_fact_that_finds_no_room(function, value):
    state = state_of(range(9), "learning")
    state.M[at.M_DEPTH], state.M[of.M_FACT_ROOM] = 1, 1
    assert not state.call(function, value)
    assert state.M[of.M_FULL] == of.NO_ROOM_FOR_FACTS
    assert state.M[of.M_FACT_TOP] == 1


def test_values_that_follow_each_other_are_one_run():
    assert runs_of((1, 2, 3, 7, 9, 10)) == [3, 1, 3, 7, 7, 9, 10]
