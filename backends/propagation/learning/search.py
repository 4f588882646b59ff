"""Search that learns: decide, propagate, learn a clause from each conflict, and jump back.

It runs in slices as ``kernel.search`` does, over the same decisions and trail; what is new is in
the facts. Whatever needs more memory, or a tighter objective, goes back to where no decision is
taken. Restarts follow Luby's sequence (Luby, Sinclair and Zuckerman, *Optimal speedup of Las Vegas
algorithms*, 1993); each variable takes the value first that it had last (Pipatsrisawat and
Darwiche, 2007); learned clauses of many levels are forgotten (Audemard and Simon, *Predicting
learnt clauses quality in modern SAT solvers*, 2009). An objective may be decided before all else.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains
from backends.propagation.kernel.facts import (
    BEFORE,
    CLAUSE,
    DECISION,
    FACT,
    FOR_GOOD,
    LAST,
    LEAST,
    M_AIM_RULE,
    M_AIMS,
    M_ASSERTION_LEVEL,
    M_CLAUSE_END,
    M_CLAUSE_TOP,
    M_CLAUSES,
    M_FACT_HEAD,
    M_FACT_TOP,
    M_FACTS,
    M_FULL,
    M_LEARNED,
    M_LONGEST,
    M_MOST_LEARNED,
    M_NEXT_RESTART,
    M_REASON,
    M_ROOT_CHANGED,
    M_SOLVED,
    MOST,
    NO_ROOM_FOR_FACTS,
    NUMBER_SHIFT,
    REMOVALS,
    ROOT,
    SLOT,
    VALUE,
    WITHOUT,
)
from backends.propagation.kernel.layout import (
    DECISION as DECISION_CELLS,
)
from backends.propagation.kernel.layout import (
    M_BOUND,
    M_CURRENT,
    M_DECISIONS,
    M_DECISIONS_END,
    M_DEPTH,
    M_FAILURES,
    M_NODES,
    M_PEAK_DEPTH,
    M_RESTARTS,
    M_SOLUTION_COUNT,
    M_SOLUTION_ROOM,
    M_STAMP,
    M_STATUS,
    M_STOPPED,
    M_TRAIL,
    M_TRAIL_END,
    M_TRAIL_TOP,
    PHASE,
    T_LEVEL_CELLS,
    T_OBJECTIVE,
    T_SIZE,
    T_VARIABLES,
    UPPER,
)
from backends.propagation.kernel.queue import empty_queues, enqueue
from backends.propagation.kernel.search import (
    BRANCH,
    EXHAUSTED,
    FULL,
    GROW,
    OVER,
    PAUSED,
    keep_solution,
    queue_fixed,
)
from backends.propagation.kernel.search import ROOT as BEGIN
from backends.propagation.kernel.trail import undo
from backends.propagation.learning.activity import enter, grow_step, most_active
from backends.propagation.learning.analyse import analyse
from backends.propagation.learning.clauses import make_true, renew_clauses, watch
from backends.propagation.learning.domains import set_lower, set_upper
from backends.propagation.learning.fixpoint import propagate_to_fixpoint
from backends.propagation.learning.layout import (
    CLAUSE_LBD,
    CLAUSE_LITERALS,
    CLAUSE_SIZE,
    FIRST_CLAUSE,
)

LUBY_UNIT = 128
"""Conflicts of the shortest run between two restarts."""
KEPT_LBD = 2
"""Clauses of so few levels are never forgotten."""
MOST_LEVELS = 1 << 30


def search(S, T, M, nodes):
    """Search for ``nodes`` nodes more; why it ended, as ``kernel.search`` says.

    A node is a decision, or what follows a conflict.
    """
    if M[M_STATUS] == OVER:
        return EXHAUSTED
    stop = M[M_NODES] + nodes
    if M[M_STATUS] == BEGIN:
        begin(S, T, M)
    consistent = True
    if M[M_SOLVED] == BETTER:
        jump_back(S, T, M, 0)
        M[M_ROOT_CHANGED] = 1
        enqueue(T, M, T[T_OBJECTIVE])
    elif M[M_SOLVED] == OTHER:
        consistent = exclude_decisions(S, T, M)
    M[M_SOLVED] = 0
    while True:
        if consistent:
            consistent = settle(S, T, M)
        if not consistent:
            if M[M_STOPPED] != 0:
                return PAUSED
            full = M[M_FULL]
            if full != 0:
                M[M_FULL] = 0
                jump_back(S, T, M, 0)
                M[M_ROOT_CHANGED] = 1  # watch anew
                if full == NO_ROOM_FOR_FACTS:
                    return GROW
                consistent = True
                continue
            M[M_FAILURES] += 1
            if M[M_DEPTH] == 0:
                M[M_STATUS] = OVER
                return EXHAUSTED
            if lacks_room(T, M):
                jump_back(S, T, M, 0)
                M[M_ROOT_CHANGED] = 1  # watch anew
                return GROW
            consistent = learn(S, T, M)
            continue
        if M[M_NODES] >= stop:
            return PAUSED
        if is_restart_due(M):
            restart(S, T, M)
            continue
        if lacks_room(T, M):
            jump_back(S, T, M, 0)
            M[M_ROOT_CHANGED] = 1  # watch anew
            return GROW
        slot = next_aim(S, M)
        if slot != 0:
            consistent = decide_aim(S, T, M, slot)
            continue
        x = most_active(S, M)
        if x == 0:
            keep_solution(S, T, M)
            note_phases(S, T)
            M[M_SOLVED] = OTHER if T[T_OBJECTIVE] == 0 else BETTER
            if M[M_SOLUTION_COUNT] == M[M_SOLUTION_ROOM]:
                return FULL
            consistent = exclude_decisions(S, T, M)
            M[M_SOLVED] = 0
            continue
        consistent = decide(S, T, M, x)


OTHER, BETTER = 1, 2
# M[M_AIM_RULE], where the objective is to be least: it gets less with each solution; it is decided
# to be at its lower bound, or below the middle, before all else; its terms are, one by one; it is
# decided to be at its lower bound in every second run between restarts.
LINEAR, LOWER, HALVES, STRATIFIED, BOTH = range(5)


def begin(S, T, M):
    """Queue what is fixed; note the bounds; put all variables into the heap."""
    variables = T[T_VARIABLES]
    for k in range(variables, variables + T[T_SIZE]):
        x = T[k]
        S[x + ROOT] = S[x]
        S[x + ROOT + MOST] = -S[x + UPPER]
        S[x + PHASE] = S[x]
        enter(S, M, x)
        if S[x + REMOVALS] != 0:
            for value in range(S[x] + 1, S[x + UPPER]):
                if not contains(S, x, value):
                    M[S[x + REMOVALS] + value] = FOR_GOOD
    queue_fixed(S, T, M)
    M[M_NODES] += 1
    M[M_ROOT_CHANGED] = 1
    M[M_STATUS] = BRANCH


def settle(S, T, M):
    """Propagate; without a decision, until the clauses say nothing more either."""
    consistent = propagate_to_fixpoint(S, T, M)
    while consistent and M[M_DEPTH] == 0 and M[M_ROOT_CHANGED] != 0:
        M[M_ROOT_CHANGED] = 0
        consistent = renew_clauses(S, T, M, MOST_LEVELS) and propagate_to_fixpoint(S, T, M)
    if M[M_DEPTH] == 0:  # what holds now is never undone
        M[M_TRAIL_TOP] = M[M_TRAIL]
        M[M_STAMP] += 1
    return consistent


def next_aim(S, M):
    """The slot in which the objective is to be less, by a decision; 0 if there is none."""
    rule, aims = M[M_AIM_RULE], M[M_AIMS]
    if rule == LINEAR or (rule != STRATIFIED and M[M_DEPTH] > 0):
        return 0
    if rule == BOTH and M[M_RESTARTS] & 1 == 0:
        return 0
    for k in range(aims + 1, aims + 1 + M[aims]):
        x = M[k] >> 2
        if S[x] != S[x + UPPER]:
            return M[k]
    return 0


def decide_aim(S, T, M, slot):
    """A level deeper, let the variable of a slot have its best value, or one of the better half of
    those that would be an improvement; False if it does not fit."""
    x = slot >> 2
    best, worst = S[x], S[x + UPPER]
    if slot & 1 == LEAST:
        best, worst = -worst, -best
    if M[M_AIM_RULE] == HALVES:
        if worst > M[M_BOUND]:
            worst = M[M_BOUND]
        best = (best + worst) // 2
    begin_level(M)
    return make_true(S, T, M, slot, -best)


def decide(S, T, M, x):
    """A level deeper, narrow ``x`` towards its last value; False if it does not fit."""
    begin_level(M)
    lower, phase = S[x], S[x + PHASE]
    if phase <= lower or phase > S[x + UPPER]:
        return set_upper(S, T, M, x, lower)
    return set_lower(S, T, M, x, phase)


def begin_level(M):
    """Begin a level: what follows is decided."""
    depth = M[M_DEPTH]
    decision = M[M_DECISIONS] + DECISION_CELLS * depth
    M[decision] = M[M_TRAIL_TOP]
    M[decision + 1] = M[M_FACT_TOP]
    M[M_DEPTH] = depth + 1
    if depth + 1 > M[M_PEAK_DEPTH]:
        M[M_PEAK_DEPTH] = depth + 1
    M[M_NODES] += 1
    M[M_STAMP] += 1
    M[M_CURRENT] = 0
    M[M_REASON] = DECISION


def lacks_room(T, M):
    """Whether a further level, or a clause of all facts, might not fit into M."""
    return (
        M[M_TRAIL_TOP] + T[T_LEVEL_CELLS] > M[M_TRAIL_END]
        or M[M_DECISIONS] + DECISION_CELLS * (M[M_DEPTH] + 1) > M[M_DECISIONS_END]
        or M[M_CLAUSE_TOP] + CLAUSE_LITERALS + 2 * M[M_FACT_TOP] > M[M_CLAUSE_END]
    )


def jump_back(S, T, M, level):
    """Take back all decisions but ``level`` of them."""
    if M[M_DEPTH] == level:
        return
    empty_queues(T, M)
    decision = M[M_DECISIONS] + DECISION_CELLS * level
    mark = M[decision + 1]
    for i in range(M[M_FACT_TOP] - 1, mark - 1, -1):
        f = M[M_FACTS] + FACT * i
        slot = M[f + SLOT]
        if slot & WITHOUT == 0:
            x = slot >> 2
            S[x + LAST + (slot & 1)] = M[f + BEFORE]
            if S[x] == S[x + UPPER]:
                S[x + PHASE] = S[x]
            enter(S, M, x)
    M[M_FACT_TOP] = M[M_FACT_HEAD] = mark
    undo(S, M, M[decision])
    M[M_DEPTH] = level


def learn(S, T, M):
    """Learn a clause from a conflict, jump back to where it has one open literal, and make this
    true; False if that fails."""
    n = analyse(S, T, M)
    if n == 0:
        if M[M_STOPPED] == 0:
            M[M_DEPTH] = 0
        return False
    grow_step(S, T, M)
    return assert_clause(S, T, M, n)


def assert_clause(S, T, M, n):
    """Keep the clause at the end of the clauses, which has ``n`` literals; jump back, and make its
    first literal true."""
    M[M_NODES] += 1
    c = M[M_CLAUSE_TOP]
    literals = M[M_CLAUSES] + c + CLAUSE_LITERALS
    jump_back(S, T, M, M[M_ASSERTION_LEVEL])
    if n > 1:
        M[M_CLAUSE_TOP] = c + CLAUSE_LITERALS + 2 * n
        if not watch(S, M, c) or not watch(S, M, c + 1):
            return False
        if M[literals - CLAUSE_LITERALS + CLAUSE_LBD] > 0:
            M[M_LEARNED] += 1
        if 2 * n + 4 > M[M_LONGEST]:
            M[M_LONGEST] = 2 * n + 4
    M[M_CURRENT] = 0
    M[M_REASON] = (c << NUMBER_SHIFT) | CLAUSE
    return make_true(S, T, M, M[literals], M[literals + 1])


def exclude_decisions(S, T, M):
    """Keep a clause that says that not all decisions are as they are; False without a decision."""
    depth = M[M_DEPTH]
    if depth == 0:
        return False
    clause = M[M_CLAUSES] + M[M_CLAUSE_TOP]
    literals = clause + CLAUSE_LITERALS
    M[clause + CLAUSE_SIZE] = depth
    M[clause + CLAUSE_LBD] = 0
    for k in range(depth):
        decision = M[M_DECISIONS] + DECISION_CELLS * (depth - 1 - k)
        f = M[M_FACTS] + FACT * M[decision + 1]
        M[literals + 2 * k] = M[f + SLOT] ^ 1
        M[literals + 2 * k + 1] = 1 - M[f + VALUE]
    M[M_ASSERTION_LEVEL] = depth - 1
    return assert_clause(S, T, M, depth)


def is_restart_due(M):
    """Whether there have been as many conflicts as the sequence says."""
    return M[M_FAILURES] >= M[M_NEXT_RESTART]


def restart(S, T, M):
    """Take all decisions back; forget clauses if there are too many."""
    jump_back(S, T, M, 0)
    M[M_RESTARTS] += 1
    M[M_NEXT_RESTART] = M[M_FAILURES] + LUBY_UNIT * luby(M[M_RESTARTS] + 1)
    if M[M_LEARNED] > M[M_MOST_LEARNED]:
        M[M_MOST_LEARNED] += M[M_MOST_LEARNED] // 10
        renew_clauses(S, T, M, median_lbd(M))


def luby(i):
    """The i-th number, from 1 on, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..."""
    while True:
        k = 1
        while (1 << k) - 1 < i:
            k += 1
        if (1 << k) - 1 == i:
            return 1 << (k - 1)
        i -= (1 << (k - 1)) - 1


def median_lbd(M):
    """The least number of levels, above those always kept, that half of the learned clauses do
    not exceed."""
    base, end = M[M_CLAUSES], M[M_CLAUSE_TOP]
    worst = KEPT_LBD
    count = 0
    while 2 * count < M[M_LEARNED]:
        worst += 1
        count = 0
        c = FIRST_CLAUSE
        while c < end:
            lbd = M[base + c + CLAUSE_LBD]
            if 0 < lbd <= worst:
                count += 1
            c += CLAUSE_LITERALS + 2 * M[base + c + CLAUSE_SIZE]
    return worst


def note_phases(S, T):
    """Remember the values of a solution."""
    variables = T[T_VARIABLES]
    for k in range(variables, variables + T[T_SIZE]):
        S[T[k] + PHASE] = S[T[k]]
