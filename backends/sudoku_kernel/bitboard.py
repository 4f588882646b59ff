"""9x9 Sudoku, compiled by numba: counts and solutions, all nine digits in vector registers.

Words used
    box, band (three boxes side by side), stack (three boxes on top of each other);
    minirow, minicol: the three cells of a box in one row, in one column; a *triad* is either;
    alive: a candidate, or a triad with a candidate, that is still possible for a digit;
    forced: a triad that must hold a digit, since it is the digit's last one in its row (column) or
    in its box.

State. For every digit a word of four 32-bit lanes (simd.py). Lane c holds the candidates in column
c of every box, 27 bits: bit 9 * r + 3 * band + box for row r of a band. Lane 3 is a copy of lane 2.
So, for all digits at once:
    * the minirows alive are the OR of the lanes: 27 bits, the same in every lane;
    * the minicols alive in lane c are the OR of the three groups of 9 bits: 9 bits a lane;
    * what one cell says to another is a turn of lanes or a shift, and never a table look-up;
    * what one digit says to another is an AND, an OR or a sum over words.

Propagation, ``sweep``: one pass over all digits, units and cells without a branch, repeated while
it changes anything.
    * Within a band a digit's minirows are a permutation of three rows over three boxes. A forced
      minirow kills the digit's other minirows in its row and in its box. That is locked candidates,
      pointing and claiming.
    * The same for minicols, with stacks.
    * A cell with one candidate (naked single) forces its triads.
    * A digit whose minirow and minicol in a box are both forced has its cell (hidden single in row,
      column or box); the other digits leave it.
When nothing changes, ``triads`` applies two rules that count digits in a triad:
    * three digits alive in a triad: all three are forced there;
    * three digits forced in a triad: the others leave it.

Branching: in the band or stack with the fewest triads alive that is not settled, the digit with the
fewest triads, on one of its triads: it holds the digit, or it does not.

Sources of the ideas: triads as variables, their two counting rules, and branching on the most
constrained band are tdoku's (T. Dillon, https://t-dillon.github.io/tdoku/); 27-bit bands a digit
with locked candidates go back to zhouyundong and champagne (JCZSolve). The layout, one word a digit
so that a sweep updates the whole grid at once, is this file's.

The search keeps its open alternatives on a stack of states; there is nothing else to it, so a
search stopped by a limit continues later from the same stack.
"""

import numpy as np

from backends.sudoku_kernel.cache import inline, kernel
from backends.sudoku_kernel.endings import (
    ENOUGH,
    EXHAUSTED,
    FAILURES,
    GUESSES,
    NODE_LIMIT,
    NODES,
    PEAK_DEPTH,
    PROPAGATIONS,
)
from backends.sudoku_kernel.simd import (
    LANES,
    STATE_LANES,
    all_digits,
    any_digit,
    constant_word,
    difference,
    digit_of_least,
    exactly_three,
    is_zero,
    least_half,
    load,
    load_word,
    one_two,
    only_digit,
    popcount,
    read_grid,
    shuffle,
    store,
    sum_digits,
    trailing_zeros,
    turner,
    write_grid,
)

# A guess forces one of 9 * 54 pairs of digit and triad, and a digit has 18 forced triads at most:
# no more than 162 alternatives are open at a time. Two more places serve ``choose``.
SLOTS = 163
SCRATCH = SLOTS * STATE_LANES
STACK_SIZE = SCRATCH + 2 * STATE_LANES

# --- constants ---

CELLS = (1 << 27) - 1
NINE = (1 << 9) - 1
BAND = 0o007007007  # bits of the first band in 27 bits of minirows
STACK = 0o111111111  # bits of the first stack in 27 bits of packed minicols

every_cell = constant_word(CELLS, CELLS, CELLS, CELLS)
nine_bits = constant_word(NINE, NINE, NINE, NINE)
lanes_0_2 = constant_word(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
lane_3 = constant_word(0, 0, 0, 0xFFFFFFFF)
pack_shifts = constant_word(0, 9, 18, 18)
band_of_lane = constant_word(BAND, BAND << 3, BAND << 6, 0)
stack_of_lane = constant_word(STACK, STACK << 1, STACK << 2, 0)

# lanes 0..2 turned round by one and by two; lane 3 continues copying lane 2
turn1 = shuffle(1, 2, 0, 0)
turn2 = shuffle(2, 0, 1, 1)
# the two steps of a butterfly over four lanes
swap1 = shuffle(1, 0, 3, 2)
swap2 = shuffle(2, 3, 0, 1)
only_lane_3 = shuffle(3, 3, 3, 3)
only_lanes_0_2 = shuffle(0, 1, 2, 2)

# Four neighbours of every minirow, one a lane: next box, box after it, next row, row after it.
minirow_neighbours = turner(
    right=(1, 2, 9, 18), left=(2, 1, 18, 9), kept=(0o333333333, 0o111111111, (1 << 18) - 1, NINE)
)

# Masks of the bands (even places) and stacks (odd places) as ``least_half`` numbers them.
MASKS = np.array([BAND, STACK, BAND << 3, STACK << 1, BAND << 6, STACK << 2, 0, 0], np.uint32)


def _removals():
    """What a branch removes: for minirow i (0..26: row, band, box) and minicol 27 + i (column,
    band, box), the candidates of the digit that go when the triad holds it, and those that go when
    it does not; four lanes each."""
    bit = np.arange(27)
    row, band, box = bit // 9, bit // 3 % 3, bit % 3
    table = np.zeros((54, 2, LANES), np.uint32)
    for i in range(27):
        major, own_band, own_box = i // 9, i // 3 % 3, i % 3
        same_box = (band == own_band) & (box == own_box)
        same_row = (row == major) & (band == own_band)
        for lane in range(LANES):
            column = min(lane, 2)
            minirow = same_row & same_box
            minicol = same_box & (column == major)
            same_column = (box == own_box) & (column == major)
            for table_row, mine, peers in (
                (i, minirow, same_row | same_box),
                (27 + i, minicol, same_column | same_box),
            ):
                table[table_row, 0, lane] = np.sum(1 << bit[peers & ~mine])
                table[table_row, 1, lane] = np.sum(1 << bit[mine])
    return table.reshape(-1)


REMOVALS = _removals()

# --- triads of a state ---


@inline
def minirows(x):
    """Minirows alive, the same 27 bits in every lane; also of any set of cells."""
    return x | turn1(x) | turn2(x)


@inline
def minicols(x):
    """Minicols alive: in lane c, bit 3 * band + box."""
    return (x | (x >> 9) | (x >> 18)) & nine_bits()


@inline
def repeated(n):
    """Nine bits a lane repeated for the three rows of a band."""
    return n | (n << 9) | (n << 18)


@inline
def other_minirows(m):
    """Which minirows have company: in their row (lanes 0, 1), in their box (lanes 2, 3)."""
    y = minirow_neighbours(m)
    return y | swap1(y)


@inline
def other_minicols(n):
    """Which minicols have company: in their column (the other bands), in their box (the other
    lanes)."""
    twice = n | (n << 9)
    return (twice >> 3) | (twice >> 6), turn1(n) | turn2(n)


@inline
def without_company(m, company):
    return m & ~(company & swap2(company))


@inline
def peers_of_minirows(f):
    """Cells of the minirows that share a row or a box with one in f."""
    k = minirow_neighbours(f)
    k = k | swap1(k)
    return k | swap2(k)


@inline
def peers_of_minicols(g):
    in_column, in_box = other_minicols(g)
    return repeated((in_column | in_box) & nine_bits())


# --- propagation ---


@inline
def sweep(x):
    """One pass. Returns the new state, a Word that is zero unless there is a contradiction, and the
    cells that had two candidates or more before the pass.

    Without such a cell and without a contradiction the state is a solution: it was checked that
    every cell has a digit and that every row, column and box has a place for every digit."""
    one, two = one_two(x)
    single = x & (one & ~two)
    around = turn1(single) | turn2(single)  # the two other cells of the minirow of a naked single

    m = minirows(x)
    row_company = other_minirows(m)
    f = without_company(m, row_company) | single | around
    x = x & ~peers_of_minirows(f) & ~around

    n = minicols(x)
    in_column, in_box = other_minicols(n)
    g = n & ~(in_column & in_box)
    # a row or a box, a column without a place for a digit
    placed = all_digits((m | row_company) & (n | in_column | ~nine_bits()))
    x = x & ~peers_of_minicols(g)

    hidden = f & repeated(g) & x
    x = x & (hidden | ~any_digit(hidden))
    return x, ~(one & placed) & every_cell(), two


@inline
def triads(x, m, n):
    """The two rules that count. Returns the state after the second, the triads forced by the first,
    and a Word that is zero if all that is nothing new."""
    f = without_company(m, other_minirows(m))
    in_column, in_box = other_minicols(n)
    g = n & ~(in_column & in_box)
    # minirows are counted in lane 3, minicols in lanes 0 to 2
    three = exactly_three((n & lanes_0_2()) | (m & lane_3()))
    full = exactly_three((g & lanes_0_2()) | (f & lane_3()))
    y = x & (f | ~only_lane_3(full)) & ~repeated(only_lanes_0_2(full) & ~g)
    forced_rows = m & only_lane_3(three)
    forced_cols = n & only_lanes_0_2(three)
    news = difference(x, y) | any_digit((forced_rows & ~f) | (forced_cols & ~g))
    return y, forced_rows, forced_cols, news


# --- branching ---


@inline
def choose(m, n, stack):
    """The digit (0..8) and the triad (0..26 minirow, 27..53 minicol) to branch on."""
    packed = minirows(n << pack_shifts())  # all minicols in every lane: column, band, box
    store(stack, SCRATCH, m)
    store(stack, SCRATCH + STATE_LANES, packed)
    # triads of each digit in the three bands (low halves) and stacks (high halves); 27 in all when
    # settled
    alive = popcount(m & band_of_lane()) | (popcount(packed & stack_of_lane()) << 16)
    half = least_half(sum_digits(alive), 27)
    digit = digit_of_least(alive, half, 3)
    upright = half & 1
    w = stack[SCRATCH + upright * STATE_LANES + LANES * digit] & MASKS[half]
    # prefer a triad that has exactly one other in its box: then both branches settle the box
    after = (w >> np.uint32(9)) | (w << np.uint32(18))
    before = (w >> np.uint32(18)) | (w << np.uint32(9))
    pair = w & (after ^ before)
    if pair == 0:
        pair = w
    return digit, 27 * upright + trailing_zeros(pair)


@inline
def branch(x, digit, triad, stack, depth):
    """Put the state without the triad on the stack and return the state with it."""
    own = only_digit(digit)
    at = triad * (2 * LANES)
    store(stack, depth * STATE_LANES, x & ~(load_word(REMOVALS, at + LANES) & own))
    return x & ~(load_word(REMOVALS, at) & own)


# --- search ---


@inline
def first_state(grids, p):
    given = read_grid(grids, p)
    return given | (~any_digit(given) & every_cell())


@inline
def search(stack, depth, out, row, keep, limit, node_limit, statistics):
    """Search the ``depth`` states on the stack until ``limit`` solutions are found or
    ``node_limit`` guesses made. Solution k (from 0) goes to ``out[row + k]`` if ``k < keep``.

    Returns the number of solutions found, the depth of the stack that is left, and why the search
    ended."""
    found = 0
    guesses = 0
    while depth > 0:
        depth -= 1
        x = load(stack, depth * STATE_LANES)
        if statistics is not None:
            statistics[NODES] += 1
        while True:
            y, bad, open_cells = sweep(x)
            if statistics is not None:
                statistics[PROPAGATIONS] += 1
            if not is_zero(bad):
                if statistics is not None:
                    statistics[FAILURES] += 1
                break
            if is_zero(open_cells):
                if found < keep:
                    write_grid(y, out, row + found)
                found += 1
                break
            if not is_zero(difference(x, y)):
                x = y
                continue
            m = minirows(x)
            n = minicols(x)
            y, forced_rows, forced_cols, news = triads(x, m, n)
            if not is_zero(news):
                x = y & ~peers_of_minirows(forced_rows) & ~peers_of_minicols(forced_cols)
                continue
            if guesses == node_limit:
                if statistics is not None:  # the state is looked at again when the search continues
                    statistics[NODES] -= 1
                    statistics[PROPAGATIONS] -= 1
                store(stack, depth * STATE_LANES, x)
                return found, depth + 1, NODE_LIMIT
            digit, triad = choose(m, n, stack)
            x = branch(x, digit, triad, stack, depth)
            depth += 1
            guesses += 1
            if statistics is not None:
                statistics[NODES] += 1
                statistics[GUESSES] += 1
                statistics[PEAK_DEPTH] = max(statistics[PEAK_DEPTH], depth)
        if found == limit and depth > 0:
            return found, depth, ENOUGH
    return found, depth, EXHAUSTED


@kernel
def count(grids, limit, counts, kept, status, node_limit, statistics):
    """Count the solutions of every grid, up to ``limit``.

    grids       uint8[N, 81], C order, row by row, digits 1..9, 0 for a blank (nothing else)
    limit       1 or more, up to UNLIMITED
    counts      int64[N]: filled with the number of solutions found
    kept        uint8[N * k, 81], C order: rows p * k and on get up to k solutions of grid p, the
                first ones (further rows are left alone); k follows from the shape
    status      uint8[N]: filled with EXHAUSTED, ENOUGH (there may be more) or NODE_LIMIT
    node_limit  guesses a grid, or UNLIMITED
    statistics  None, or int64[STATISTICS]: sums over the grids are added (PEAK_DEPTH: the maximum);
                None compiles a version without them
    """
    stack = np.empty(STACK_SIZE, np.uint32)
    keep = kept.shape[0] // max(grids.shape[0], 1)
    for p in range(grids.shape[0]):
        store(stack, 0, first_state(grids, p))
        found, _, ended = search(stack, 1, kept, p * keep, keep, limit, node_limit, statistics)
        counts[p] = found
        status[p] = ended


@kernel
def begin(domains, stack):
    """Put a grid with these candidates (uint16[81], bit d - 1 for digit d) on an empty stack
    (uint32[STACK_SIZE]); the depth for ``resume`` is 1."""
    for i in range(STATE_LANES):
        stack[i] = 0
    for cell in range(81):
        row, column = cell // 9, cell % 9
        place = np.uint32(1) << np.uint32(9 * (row % 3) + 3 * (row // 3) + column // 3)
        for digit in range(9):
            if domains[cell] >> np.uint16(digit) & 1:
                stack[LANES * digit + column % 3] |= place
                if column % 3 == 2:
                    stack[LANES * digit + 3] |= place


@kernel
def resume(stack, depth, out, node_limit, statistics):
    """Go on with a search until ``out`` (uint8[N, 81], C order) is full of solutions, or
    ``node_limit`` guesses were made, or nothing is left.

    Returns the number of solutions written, the depth to continue with, and why it ended (ENOUGH:
    ``out`` is full)."""
    return search(stack, depth, out, 0, out.shape[0], out.shape[0], node_limit, statistics)
