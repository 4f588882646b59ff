"""Which variable to branch on, and which value to try first.

Rules for the variable:

dom/wdeg    the least ratio of open values to weight, where each failure of a constraint adds one to
            the weight of its variables (Boussemart et al., *Boosting systematic search by weighting
            constraints*, ECAI 2004; here the weights of constraints with no other open variable
            count too)
CHS         the same, but a failure weighs more the sooner it follows the constraint's last one
            (Habet and Terrioux, *Conflict history based branching*, ICTAI 2019), in fixed-point
            numbers, so that both forms calculate alike
activity    the same, but a variable weighs more the more often a node changes its domain, and the
            sooner it did so last (Michel and Van Hentenryck, *Activity-based search for black-box
            constraint programming solvers*, CPAIOR 2012). In place of the activities of all others,
            which fall there by 0.1% a node, what is added rises by as much
smallest    the fewest open values (Haralick and Elliott's fail-first, 1980)
first       the first open variable: the textbook's static order, for comparison
stated      what the problem says (``stated``), and dom/wdeg for the variables that it does not name

Before these comes the variable of the last decision that failed, until it has a value (Lecoutre
et al., *Reasoning from last conflict(s)*, AIJ 2009), unless all solutions are wanted: there it more
than doubles the nodes of queens. Ties go to the variable of the largest terms in sums
(``encode.order``), then to that of the least number, or, with a seed, to one by lot.
Auxiliary variables come after the declared ones, and so do declared ones that are sums of others.
Where tasks exclude each other, their orders come before their starts (``orders``), and before all
else, in every second run between two restarts, the objective is at its lower bound.

Rules for the value: the least; or the value that the variable had last (phase saving: Pipatsrisawat
and Darwiche, SAT 2007), else the least. An interval branches on its bounds only.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains
from backends.propagation.kernel.layout import (
    COUNT,
    LENGTH,
    M_ACTIVITY_STEP,
    M_BRANCHING,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_DEPTH,
    M_FAILURES,
    M_FAILURES_LEFT,
    M_LAST_CONFLICT,
    M_ORDERS,
    M_PHASE,
    M_RESTART_RULE,
    M_RESTARTS,
    M_STAMP,
    M_STOPPED,
    M_TRAIL_TOP,
    M_VALUES,
    NEVER,
    PHASE,
    QUEUED,
    SCOPE,
    SIZE,
    STAMP,
    T_AUXILIARY,
    T_GOAL,
    T_OPEN,
    T_OPEN_COUNTS,
    T_SIZE,
    T_VARIABLES,
    TIE,
    UPPER,
    WEIGHT,
    WORDS,
)
from backends.propagation.kernel.orders import choose_order
from backends.propagation.kernel.stated import choose_stated, stated_value
from backends.propagation.kernel.trail import pop, save

DOM_WDEG, SMALLEST, FIRST, CHS, ACTIVITY, STATED = range(6)
LEAST_VALUE, SAVED_VALUE = range(2)

WINDOW = 4096
"""The most open variables that a node compares: with 100,000 the choice would be all the work."""

ONE = 1 << 20
"""1 as a fixed-point number."""
FIRST_STEP, LAST_STEP = ONE * 4 // 10, ONE * 6 // 100
"""How far one failure moves the part of its constraint: 0.4, falling to 0.06 with failures."""

ACTIVITY_STEP, STEP_GROWTH, GREATEST_STEP = 1000, 1000, 1 << 20
"""What an activity gains at first, a part of it that is added, and where all are divided."""


def choose_variable(S, T, M):
    """The open variable to branch on; 0 if all are fixed."""
    if M[M_BRANCHING] == STATED:
        x = choose_stated(S, T, M)
        if x != 0:
            return x
    x = T[T_GOAL]
    if x != 0 and M[M_DEPTH] == 0 and tries_goal(M) and S[x + SIZE] > 1:
        return x
    x = M[M_LAST_CONFLICT]
    if x > 0 and S[x + SIZE] > 1:
        return x
    x = best_open(S, T, M, T[T_OPEN], T[T_OPEN_COUNTS])
    if x == 0 and M[M_ORDERS] != 0:
        x = choose_order(S, T, M)
    if x == 0:
        x = best_open(S, T, M, T[T_AUXILIARY], T[T_OPEN_COUNTS] + 1)
    return x


def tries_goal(M):
    """Whether the objective is at its lower bound until the next restart."""
    return M[M_ORDERS] != 0 and M[M_RESTART_RULE] != NEVER and M[M_RESTARTS] & 1 == 0


def choose_value(S, T, M, x):
    """The value of ``x`` to try first."""
    if M[M_PHASE] != 0:
        return stated_value(S, M, x)
    lower = S[x]
    if M[M_VALUES] == LEAST_VALUE:
        return lower
    value = S[x + PHASE]
    if S[x + LENGTH] == WORDS:
        return S[x + UPPER] if value >= S[x + UPPER] else lower
    return value if contains(S, x, value) else lower


def best_open(S, T, M, listed, count):
    """The best of the variables at ``listed``, of which S[count] may be open.

    A variable that is found to be fixed changes places with the last of these, so that undoing
    restores one number (sparse sets: Briggs and Torczon, 1993).
    """
    rule = M[M_BRANCHING]
    n = S[count]
    best, best_size, best_weight = 0, 0, 1
    i = 0
    while i < n and i < WINDOW:
        x = M[listed + i]
        size = S[x + SIZE]
        if size == 1:
            n -= 1
            M[listed + i] = M[listed + n]
            M[listed + n] = x
            continue
        i += 1
        if best == 0:
            best, best_size, best_weight = x, size, S[x + WEIGHT]
            continue
        difference = 0
        if rule == DOM_WDEG or rule == CHS or rule == ACTIVITY or rule == STATED:
            difference = size * best_weight - best_size * S[x + WEIGHT]
        elif rule == SMALLEST:
            difference = size - best_size
        if difference < 0 or (difference == 0 and S[x + TIE] < S[best + TIE]):
            best, best_size, best_weight = x, size, S[x + WEIGHT]
    if n != S[count]:
        counts = T[T_OPEN_COUNTS]
        if S[counts + STAMP] != M[M_STAMP]:
            save(S, M, counts)
        S[count] = n
    return best


def note_failure(S, T, M):
    """Count a failure, and weigh the variables of what failed; nothing has where the search is to
    stop."""
    if M[M_STOPPED] != 0:
        return
    M[M_FAILURES] += 1
    M[M_FAILURES_LEFT] -= 1
    if M[M_BRANCHING] == ACTIVITY:
        return
    failures = M[M_FAILURES]
    step = FIRST_STEP - failures
    if step < LAST_STEP:
        step = LAST_STEP
    a = M[M_CONFLICT]
    if a == 0:
        if M[M_BRANCHING] != CHS:
            step = 1
        S[M[M_CONFLICT_X] + WEIGHT] += step
        S[M[M_CONFLICT_Y] + WEIGHT] += step
        return
    more = 1
    if M[M_BRANCHING] == CHS:
        part = T[a + QUEUED] + 1
        reward = ONE // (failures - M[part + 1] + 1)
        more = (step * (reward - M[part])) // ONE
        M[part] += more
        M[part + 1] = failures
    for k in range(a + SCOPE, a + SCOPE + T[a + COUNT]):
        S[T[k] + WEIGHT] += more


def note_changes(S, T, M, mark):
    """Weigh the variables whose domains have changed since the trail was ``mark`` long."""
    variables = T[T_VARIABLES]
    last = T[variables + T[T_SIZE] - 1]
    step = M[M_ACTIVITY_STEP]
    top = M[M_TRAIL_TOP]
    while top > mark:
        r = M[top - 1]
        if r <= last:
            S[r + WEIGHT] += step
        top = pop(S, M, top)
    M[M_ACTIVITY_STEP] = step + step // STEP_GROWTH
    if step > GREATEST_STEP:
        for k in range(variables, variables + T[T_SIZE]):
            S[T[k] + WEIGHT] = S[T[k] + WEIGHT] // GREATEST_STEP + 1
        M[M_ACTIVITY_STEP] = ACTIVITY_STEP
