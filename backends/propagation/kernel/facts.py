"""Facts: what has become true of a variable, when, and why; for learning from conflicts.

A literal is two integers: a slot, which is a variable and how it is compared, and a value:

    4x + LEAST, v       x >= v
    4x + MOST, v        -x >= v
    4x + WITHOUT, v     x != v
    4x + EXACTLY, v     x == v

Slots that differ in their last bit are opposite: that of ``x >= v`` is ``-x >= 1 - v``, that of
``x != v`` is ``x == v``. A literal is never created: it is true or false of a domain.

A fact is a literal of the first three kinds as it became true below a decision. Facts lie in M in
the order in which they became true, and the number of a fact, from 1 on, is its place in time:

    M[f + SLOT], M[f + VALUE]   the literal
    M[f + FORMER]               for a bound: what the bound was before
    M[f + BEFORE]               for a bound: the fact of the same slot before it, or 0
    M[f + REASON]               why; see below
    M[f + LEVEL]                how many decisions had been taken
    M[f + NEED], M[f + SEEN]    for analysis

What holds without a decision is not a fact: it is true at place 0, and needs no reason. A reason is
a kind in the last four bits and a number above them. An explanation of a fact is facts that were
true before it, and that imply it by one constraint (Ohrimenko, Stuckey and Codish, *Propagation via
lazy clause generation*, 2009; Feydy and Stuckey, *Lazy clause generation reengineered*, 2009).
"""

from __future__ import annotations

from backends.propagation.kernel.layout import COUNT, MEMORY_HEAD, SCOPE, VARIABLE_HEADER

# --- the last bits of a slot ---
LEAST, MOST, WITHOUT, EXACTLY = range(4)

# --- the header of a variable that learns, before that of ``layout`` ---
LAST = -VARIABLE_HEADER - 2  # two cells: the last fact of its lower, of its upper bound; or 0
ROOT = LAST - 2  # two cells: the bounds that hold without a decision, as values of their slots
REMOVALS = ROOT - 1  # M[S[x + REMOVALS] + v] is the last fact that removed v; 0 for an interval
FOR_GOOD = -1  # instead of a fact: v has been removed without a decision
STRONGEST = REMOVALS - 2  # two cells, for analysis: the strongest fact of the slot that is needed
WATCHED = STRONGEST - 4  # four cells: the clauses that watch a literal of the slot
ACTIVITY = WATCHED - 1
HEAP = WATCHED - 2  # its place among the variables by activity, or 0
TIER = WATCHED - 3  # variables of a lower tier are branched on first
LEARNING_HEADER = -TIER

# --- facts ---
SLOT, VALUE, FORMER, BEFORE, REASON, LEVEL, NEED, SEEN = range(8)
FACT = 8

# --- reasons ---
DECISION, PROPAGATOR, CLAUSE, RIVAL, SKIPPED = range(5)
REMOVED = 8  # the reason removed the value that was the bound
KIND, NUMBER_SHIFT = 7, 4

# --- the head of M that only learning has ---
(
    M_FACTS,  # where fact 0 would lie
    M_FACT_TOP,  # the number that the next fact will have
    M_FACT_ROOM,  # there is room for facts with lower numbers
    M_FACT_HEAD,  # the next fact whose clauses are to be visited
    M_FULL,  # what has found no room, or 0
    M_ROOT_CHANGED,  # 1 after a domain has changed without a decision
    M_REASON,  # the reason of what happens now
    M_FAILED_SLOT,  # the literal that cannot become true, for this reason; slot 0 if the reason
    M_FAILED_VALUE,  # itself is a contradiction
    M_OUT,  # where explanations are written
    M_OUT_END,
    M_LONGEST,  # the most cells that an explanation takes
    M_CLAUSES,  # what places of clauses are relative to
    M_CLAUSE_TOP,  # the place of the next clause
    M_CLAUSE_END,  # there is room for clauses below this place
    M_LEARNED,  # how many clauses are learned and kept
    M_MOST_LEARNED,  # how many may be before some are forgotten
    M_HEAP,  # the variables by activity: the first is at M_HEAP + 1
    M_HEAP_SIZE,
    M_STEP,  # what a variable's activity gains
    M_LEVELS,  # for each level, the last conflict that counted it
    M_PENDING,  # the implication point, then the facts of lower levels that a conflict needs
    M_PENDING_END,
    M_STACK,  # the facts that minimising works on
    M_ASSERTION_LEVEL,  # where the learned clause has one open literal
    M_NEXT_RESTART,  # the number of conflicts at which to restart
    M_SOLVED,  # 1: exclude the assignment; 2: only better ones; 0 if there is none
    M_LITERALS,  # how many literals all learned clauses had
    M_MINIMISED,  # how many literals minimising has left out
    M_FORGOTTEN,
    M_LISTS,  # where the lists of watched literals begin
    M_LIST_TOP,
    M_LIST_END,
    M_AIM_RULE,  # what is decided first where the objective is to be least; see ``search``
    M_AIMS,  # where the slots lie that make it less, their number before them
    M_UNUSED,
) = range(MEMORY_HEAD, MEMORY_HEAD + 36)
LEARNING_HEAD = MEMORY_HEAD + 48
NO_ROOM_FOR_FACTS, NO_ROOM_FOR_LISTS = 1, 2

# --- T, before a propagator's row ---
EXPLAIN = -1  # T[a + EXPLAIN]: how its explanation is called; 0 if it has none
RESTS = -2  # T[a + RESTS]: 1 if it may be passed over while it finds nothing
# The cells of M after that of QUEUED: how often it is to be passed over, of how many times.
LEFT, PAUSE = 1, 2


def fact_before(S, M, slot, place):
    """The last fact of a bound's slot before ``place``; 0 if there is none."""
    i = S[(slot >> 2) + LAST + (slot & 1)]
    facts = M[M_FACTS]
    while i >= place:
        i = M[facts + FACT * i + BEFORE]
    return i


def bound_at(S, M, slot, place):
    """The bound of a slot, ``x`` or ``-x``, as it was before ``place``."""
    i = fact_before(S, M, slot, place)
    if i == 0:
        return S[(slot >> 2) + ROOT + (slot & 1)]
    return M[M[M_FACTS] + FACT * i + VALUE]


def lower_at(S, M, x, place):
    """The least value of ``x`` before ``place``."""
    return bound_at(S, M, 4 * x, place)


def upper_at(S, M, x, place):
    """The greatest value of ``x`` before ``place``."""
    return -bound_at(S, M, 4 * x + MOST, place)


def removal_before(S, M, x, value, place):
    """The fact before ``place`` that removed a value from within the bounds; 0 if there is none."""
    removals = S[x + REMOVALS]
    if removals == 0:
        return 0
    i = M[removals + value]
    f = M[M_FACTS] + FACT * i
    if i == FOR_GOOD or i >= place or M[f + SLOT] != 4 * x + WITHOUT or M[f + VALUE] != value:
        return 0
    return i


def is_out_at(S, M, x, value, place):
    """Whether a value was not open for ``x`` before ``place``."""
    if value < lower_at(S, M, x, place) or value > upper_at(S, M, x, place):
        return True
    removals = S[x + REMOVALS]
    if removals == 0:
        return False
    return M[removals + value] == FOR_GOOD or removal_before(S, M, x, value, place) != 0


def is_true_at(S, M, slot, value, place):
    """Whether a literal that is not an equation was true before ``place``."""
    if slot & WITHOUT:
        return is_out_at(S, M, slot >> 2, value, place)
    return bound_at(S, M, slot, place) >= value


def is_fixed_at(S, M, x, place):
    """Whether ``x`` had one value before ``place``."""
    return lower_at(S, M, x, place) == upper_at(S, M, x, place)


def write(M, place, slot, value):
    """Write a literal of an explanation; how many were written."""
    M[place] = slot
    M[place + 1] = value
    return 1


def write_exactly(M, place, x, value):
    """Write that ``x`` is ``value``, two literals; how many were written."""
    M[place] = 4 * x
    M[place + 1] = value
    M[place + 2] = 4 * x + MOST
    M[place + 3] = -value
    return 2


def write_bounds(S, M, place, x, time):
    """Write the bounds of ``x`` before ``time``; how many literals were written."""
    M[place] = 4 * x
    M[place + 1] = bound_at(S, M, 4 * x, time)
    M[place + 2] = 4 * x + MOST
    M[place + 3] = bound_at(S, M, 4 * x + MOST, time)
    return 2


def write_all_bounds(S, T, M, a, place, out):
    """Write the bounds of all variables of propagator ``a``: what explains more than is needed."""
    written = 0
    for k in range(a + SCOPE, a + SCOPE + T[a + COUNT]):
        written += write_bounds(S, M, out + 2 * written, T[k], place)
    return written


def write_domain(S, M, place, x, time):
    """Write all that was known of ``x`` before ``time``; how many literals were written."""
    lower, upper = lower_at(S, M, x, time), upper_at(S, M, x, time)
    M[place] = 4 * x
    M[place + 1] = lower
    M[place + 2] = 4 * x + MOST
    M[place + 3] = -upper
    n = 2
    if S[x + REMOVALS] != 0:
        for value in range(lower + 1, upper):
            if removal_before(S, M, x, value, time) != 0:
                n += write(M, place + 2 * n, 4 * x + WITHOUT, value)
    return n
