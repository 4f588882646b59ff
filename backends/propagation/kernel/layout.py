"""What lies where in the three arrays.

Record
------
A record is a run of cells of S that the trail saves as a whole when the first of them changes
below a decision. A variable is one; so is a block of a propagator's state. A record is named by
the place of its first cell; its header lies before it:

    S[r + LENGTH]   how many cells are saved
    S[r + STAMP]    the stamp under which it was saved last

Variable
--------
A variable is the record of its domain, and every function that takes a variable ``x`` takes the
place of that record:

    S[x]            the least value (the lower bound)
    S[x + UPPER]    the greatest value
    S[x + SIZE]     how many values are open
    S[x + WORDS]... the values as bits: bit b of the w-th word is the value
                    S[x + BASE] + w * WORD_BITS + b; bits outside the bounds are 0

The bases of all variables differ by multiples of WORD_BITS, so that equal bits of two domains are
equal values. A variable without words (``S[x + LENGTH] == WORDS``) is an interval: a value within
its bounds cannot be removed, and ``remove`` leaves it open. So every propagator must fail when all
its variables are fixed and its constraint is violated, whatever it removed before.

Lists of a variable
-------------------
Each is a row of T, its length before it:

    S[x + WATCHERS]  pairs of a propagator and the events that wake it
    S[x + RIVALS]    pairs of a variable y and a shift: where x is v, y is not v + shift
    S[x + GROUPS]    pairs of a group and a shift c: x + c differs from all other members. A group
                     is a row of pairs, too: its members and their shifts

Propagator
----------
A propagator is named by the place ``a`` of its row in T:

    T[a]              how it is called: the function, or the address of its machine code
    T[a + HOT]        its number among those that are compiled into the fixpoint loop, or 0
    T[a + PRIORITY]   0, 1 or 2; a lower one runs first
    T[a + QUEUED]     the cell of M that is 1 while it is queued; in the next two lie its part in
                      the weights of its variables and the failure that it last caused
    T[a + IDEMPOTENT] 1 if running it twice in a row never removes more than running it once
    T[a + COUNT]      n, the number of its variables
    T[a + SCOPE]...   the n variables; then the places of its states in S and of its scratch in M,
                      then its constants (``arguments(T, a)`` is where these begin)
"""

from __future__ import annotations

# --- records in S ---
LENGTH, STAMP = -1, -2
RECORD_HEADER = 2

# --- variables in S ---
UPPER, SIZE, WORDS = 1, 2, 3
BASE, WATCHERS, RIVALS, GROUPS, WEIGHT, NUMBER, PHASE, TIE = -3, -4, -5, -6, -7, -8, -9, -10
VARIABLE_HEADER = 10
LEAST_ALWAYS = -1 << 61
"""In place of the value that a variable had last: its least value is tried first at all times."""

# --- propagators in T ---
HOT, PRIORITY, QUEUED, IDEMPOTENT, COUNT, SCOPE = 1, 2, 3, 4, 5, 6

# --- events: what has changed in a domain ---
FIXED, LOWER_BOUND, UPPER_BOUND, DOMAIN = 1, 2, 4, 8
BOUNDS = LOWER_BOUND | UPPER_BOUND

# --- the head of T ---
(
    T_VARIABLES,  # where the list of the variables begins
    T_SIZE,  # how many there are
    T_REPORTED,  # how many of them, from the first on, belong to a solution
    T_FIXED_QUEUE,  # where in M the variables lie whose fixed value must leave their rivals
    T_QUEUES,  # where in M the first of the three queues of propagators begins
    T_QUEUE_MASK,  # the capacity of each queue, a power of two, less one
    T_OPEN,  # where in M the declared variables lie, those that may be open first
    T_AUXILIARY,  # the same for the variables that are branched on after these
    T_OPEN_COUNTS,  # the record in S of how many of each, and of the orders, may be open
    T_LEVEL_CELLS,  # the most cells of the trail that one level can take
    T_OBJECTIVE,  # the propagator of the objective's bound, or 0
    T_GOAL,  # the variable that is minimised first, or 0
    T_ORDERS,  # where in M the rows lie of pairs of tasks to put in order; see ``orders``
) = range(13)
TABLE_HEAD = 16

# --- the head of M ---
(
    M_STAMP,  # the stamp of the level that is being built
    M_STATUS,  # what the next slice begins with; see ``search``
    M_FIXED_TOP,
    M_CURRENT,  # the idempotent propagator that runs, or 0
    M_CONFLICT,  # the propagator that failed, or 0
    M_CONFLICT_X,  # where M_CONFLICT is 0: two rivals with one value, or one variable twice
    M_CONFLICT_Y,
    M_DEPTH,
    M_NODES,
    M_FAILURES,
    M_PROPAGATIONS,
    M_PEAK_DEPTH,
    M_BOUND,  # the objective, with the sign of minimising, must be at most this
    M_BRANCHING,  # the rule that chooses a variable; see ``branching``
    M_VALUES,  # the rule that chooses a value
    M_ACTIVITY_STEP,  # what a variable's activity gains when its domain changes
    M_LAST_CONFLICT,  # the variable of the last decision that failed, 0, or -1: unused
    M_RESTARTS,
    M_RESTART_RULE,  # see ``restarts``
    M_RESTART_BASE,  # failures between two restarts, by the rule for these
    M_FAILURES_LEFT,  # failures before the next
    M_TURNS,  # how many rules of branching take turns, 1 if none do; see ``turns``
    M_TURNS_VALUES,  # the rule for values of all of them but ``first``
    M_TURNS_WEIGHTS,  # the weights that are set aside
    M_NODE,  # the number of the node, where the tree is recorded
    M_TREE,  # where the tree is recorded
    M_TREE_ROOM,  # how many nodes of it are recorded
    M_SOLUTIONS,  # where solutions are kept
    M_SOLUTION_ROOM,  # how many fit
    M_SOLUTION_COUNT,  # how many are kept
    M_DECISIONS,  # where the decisions begin
    M_DECISIONS_END,
    M_TRAIL,  # where the trail begins: the last region
    M_TRAIL_END,
    M_TRAIL_TOP,
    M_WATCHES,  # for each variable the nogoods that watch it; see ``nogoods``
    M_REFUTED,  # where the refuted decisions of the branch begin; 0 if no nogoods are kept
    M_REFUTED_TOP,
    M_REFUTED_END,
    M_NOGOODS,  # where nogoods begin
    M_NOGOOD_TOP,
    M_NOGOOD_END,
    M_LONGEST_NOGOOD,  # the most literals of a nogood that is kept
    M_EXCLUDED,  # how many values nogoods have excluded
    M_PHASES,  # where the phases of a stated search begin; see ``stated``
    M_PHASE,  # the one that has chosen the variable, or 0
    M_LOTS,  # the last number of the generator of lots
    M_WORK,  # how much has been done since Python was asked whether to stop; see ``fixpoint``
    M_ASK,  # how it is asked, or 0
    M_STOPPED,  # 1 once it has answered that the search is over
    M_ORDERS,  # 1 where the search branches on orders of tasks
    M_HEADS,  # for each queue: its first place, its length
) = range(52)
MEMORY_HEAD = 59

# --- M_RESTART_RULE; see ``restarts`` ---
NEVER, GEOMETRIC, LUBY = range(3)

# --- decisions in M: the top of the trail before, the variable, the value, the node before ---
DECISION = 4

# --- recorded nodes in M: the node above, the variable, the value, and a sum of what follows ---
NODE = 4
NODE_REFUTES, NODE_FAILED, NODE_SOLUTION = 1, 2, 4


def arguments(T, a):
    """Where the arguments of propagator ``a`` begin that follow its variables."""
    return a + SCOPE + T[a + COUNT]
