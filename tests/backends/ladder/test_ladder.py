"""The rungs of the ladder: the posts' worked examples, options, limits and refusals."""

from functools import partial

import pytest

from backends.conformance import ConformanceFailure, conform
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Refused, Solutions
from backends.ladder import RUNGS, Ladder, bitset, exclusives, flat, mutable_table, placing, pruning
from backends.ladder.meter import Meter
from backends.ladder.norvig import Norvig
from backends.ladder.one_integer import OneInteger
from backends.ladder.trail import Trail
from backends.ladder.units import Units, peers, recognised
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.errors import UnknownBackend, Unsupported
from modelling.problem import Objective, Problem, build_problem
from puzzles.family import family

pytestmark = pytest.mark.once  # each rung

NAMES = [
    *("ladder:generate_and_test", "ladder:placing", "ladder:pruning", "ladder:norvig"),
    *("ladder:exclusives", "ladder:bitset", "ladder:flat", "ladder:mutable_table"),
    *("ladder:trail", "ladder:one_integer", "ladder:trail,reuse=none"),
]

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
EASY_SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
TWELVE = "...456789679813245548927136...594678857361492964782513...648957796135824485279361"
SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
SEVENTEEN_SOLVED = (
    "693784512487512936125963874932651487568247391741398625319475268856129743274836159"
)
LEWELLEN = "200080300060070084030500209000105408000000000402706000301007040720040060004010003"
LEWELLEN_SOLVED = (
    "245981376169273584837564219976125438513498627482736951391657842728349165654812793"
)

SETTLED = """
56789 36789 35679   235679 23468 2345789   56789 1 2345689
4 136789 35679   235679 12368 1235789   56789 2356789 235689
156789 2 35679   35679 13468 1345789   56789 3456789 345689
269 369 2369   236 5 1238   4 2689 7
25679 4679 8   267 1246 1247   3 2569 12569
2567 3467 1   2367 9 23478   568 2568 2568
3 1689 69   4 7 59   2 5689 15689
26789 5 24679   1 23 239   6789 346789 34689
1279 1479 2479   8 23 6   1579 34579 13459
"""
"""The candidates of SEVENTEEN when pruning by fixed digits has settled, as the post prints them."""


def sudoku(text):
    return family("sudoku").problem(text)


def grid_of(text):
    return [tuple(map(int, cell)) for cell in text.split()]


def bits(*digits):
    """Digits 1 to 9 as a set of the bit rungs."""
    return sum(1 << digit - 1 for digit in digits)


def digits_of(cell):
    return tuple(digit for digit in range(1, 10) if cell >> digit - 1 & 1)


def row_units(size, values):
    return Units(
        tuple(f"x{i}" for i in range(size)),
        (tuple(values),) * size,
        (tuple(range(size)),) if size > 1 else (),
    )


# --- conformance ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_rung_conforms(name):
    report = conform(registry.get(name), problems=65)
    assert sum(report.accepted.values()) >= 65
    kinds = {kind.removesuffix(", other givens") for kind in report.refused}
    refused = {"foreign constraints", "terms and formulas", "output"}
    assert kinds <= refused  # AllDifferent and NotEqual are all that it takes


def test_every_rung_is_tested():
    assert {name.split(":")[1].split(",")[0] for name in NAMES} == set(RUNGS)


class Optimist(Ladder):
    """Says that it does not optimise, and answers all the same."""

    def solve(self, problem, ask=Solutions(1), limits=Limits(), sink=None):
        asked = ask if isinstance(ask, Solutions) else Solutions(1)
        return super().solve(problem, asked, limits, sink)


def test_conformance_holds_a_backend_to_its_refusal_of_optima():
    with pytest.raises(ConformanceFailure, match="declares that it does not optimise"):
        conform(Optimist(), problems=300)


# --- worked examples of the posts ----------------------------------------------------------------


SOLVED = {EASY: EASY_SOLVED, LEWELLEN: LEWELLEN_SOLVED, SEVENTEEN: SEVENTEEN_SOLVED}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (name, text)
        for name in NAMES
        for text in SOLVED
        if (name, text) != ("ladder:generate_and_test", SEVENTEEN)  # it would need minutes
    ],
)
def test_the_posts_puzzles(name, text):
    result = registry.get(name).solve(sudoku(text), Solutions(1))
    assert "".join(map(str, result.solutions[0])) == SOLVED[text]
    assert result.stopped_by == "enough"


@pytest.mark.parametrize("name", NAMES)
def test_twelve_solutions(name):
    """Asked again from within a sink, too."""
    backend, problem = registry.get(name), sudoku(TWELVE)
    every = backend.solve(problem, Solutions(None, None))
    assert every.count == len(set(every.solutions)) == 12
    assert every.exhausted
    two = backend.solve(problem, Solutions(2, 2))
    assert (two.count, two.stopped_by) == (2, "enough")
    assert set(two.solutions) < set(every.solutions)
    inner = []

    def sink(values):
        inner.append(backend.solve(problem, Solutions(None)).count)
        return True

    assert backend.solve(problem, Solutions(None), sink=sink).count == 12
    assert inner == [12] * 12


def test_peers_of_the_centre_cell():
    expected = [4, 13, 22, 30, 31, 32, 36, 37, 38, 39, 41, 42, 43, 44, 48, 49, 50, 58, 67, 76]
    units = recognised(sudoku(EASY).structure)
    assert list(peers(units.units, 40)) == list(units.peers[40]) == expected


def test_placing_finds_the_contradiction_in_three_cells():
    grid = [[7, 8], [7, 9], [7, 9]]
    near = [(1, 2), (0, 2), (0, 1)]
    assert placing.place(grid, 0, 7, near, Meter()) is None
    assert placing.place(grid, 0, 8, near, Meter()) == [[8], [7, 9], [7, 9]]
    assert grid == [[7, 8], [7, 9], [7, 9]]


def test_the_guess_goes_to_the_fewest_candidates():
    assert placing.working_cell([[1], [1, 2, 3], [1, 2], [2, 3]]) == 2
    assert placing.working_cell([[1], [2]]) is None


def test_pruning_settles_as_printed():
    problem = sudoku(SEVENTEEN)
    units = recognised(problem.structure)
    grid = pruning.settled(list(problem.domains()), units, pruning.prune_row, Meter())
    assert grid == grid_of(SETTLED)


def test_exclusives_settle_further_and_keep_the_solution():
    problem = sudoku(SEVENTEEN)
    units = recognised(problem.structure)
    start = list(problem.domains())
    grid = pruning.settled(start, units, exclusives.prune_row_twice, Meter())
    printed = grid_of(SETTLED)
    assert all(set(cell) <= set(before) for cell, before in zip(grid, printed, strict=True))
    assert sum(map(len, grid)) < sum(map(len, printed))
    assert all(int(digit) in cell for digit, cell in zip(SEVENTEEN_SOLVED, grid, strict=True))
    # what it means to be settled: no unit holds an exclusive that is not alone in its cells
    for unit in units.units:
        row = [grid[cell] for cell in unit]
        assert exclusives.prune_row_twice(row, True) == row


def test_all_rungs_with_exclusives_settle_alike():
    problem = sudoku(SEVENTEEN)
    units = recognised(problem.structure)
    start = units.sets(problem)
    lists = pruning.settled(list(problem.domains()), units, exclusives.prune_row_twice, Meter())
    grids = [bitset.settled(start, units, Meter())]
    for rung in (flat.Flat(units), mutable_table.MutableTable(units)):
        grids.append(rung.settled(start, Meter()))
    for grid in grids:
        assert [digits_of(cell) for cell in grid] == lists


def test_exclusives_of_the_sample_row():
    row = [(4, 6, 9), (1,), (5,), (6, 9), (7,), (2, 3, 6, 8, 9), (6, 9)] + [(2, 3, 6, 8, 9)] * 2
    assert sorted(exclusives.exclusive_possibilities(row)) == [(2, 3, 8), (4,)]
    pruned = [(4,), (1,), (5,), (6, 9), (7,), (2, 3, 8), (6, 9), (2, 3, 8), (2, 3, 8)]
    assert exclusives.prune_by_exclusives(row) == pruned
    as_bits = [bits(*cell) for cell in row]
    for find in (bitset.exclusive_possibilities, mutable_table.exclusive_possibilities):
        assert sorted(find(as_bits)) == sorted([16 >> 1, 268 >> 1])  # the post's bits start at 1
    assert bitset.prune_by_exclusives(as_bits) == [bits(*cell) for cell in pruned]


@pytest.mark.parametrize(
    ("row", "pruned"),
    [
        (  # a single: 1 has one place
            "4 2689 7 3 2569 12569 568 2568 2568",
            "4 2689 7 3 2569 1 568 2568 2568",
        ),
        (  # twins: 5 and 7
            "149 3 145679 1489 14689 14689 1489 2 1456789",
            "149 3 57 1489 14689 14689 1489 2 57",
        ),
        (  # triplets: 3, 8 and 9
            "457 457 57 2 3589 6 1 3489 3489",
            "457 457 57 2 389 6 1 389 389",
        ),
    ],
    ids=["single", "twins", "triplets"],
)
def test_singles_twins_and_triplets(row, pruned):
    assert exclusives.prune_by_exclusives(grid_of(row)) == grid_of(pruned)
    as_bits = [bits(*cell) for cell in grid_of(row)]
    assert bitset.prune_by_exclusives(as_bits) == [bits(*cell) for cell in grid_of(pruned)]


def test_the_inverted_table():
    row = [(3, 4, 6, 8, 9), (3, 4, 6, 7, 8, 9), (6, 7, 8, 9), (2, 3, 9), (2, 3), (1,)]
    row += [(2, 4, 6, 7, 9), (5,), (2, 6, 7, 8, 9)]
    post = [0, 688, 54, 134, 0, 654, 652, 526, 670]  # where the first cell is bit 1
    assert [2 * cells for cells in mutable_table.cell_indices([bits(*c) for c in row], 9)] == post


def test_two_prunings_in_turn_can_fix_a_digit_twice_in_an_unsettled_row():
    row = [bits(1), bits(1, 9), bits(3, 4, 9), *[bits(*range(2, 9))] * 6]
    in_turn = bitset.prune_by_exclusives(bitset.prune_by_fixed(row))
    assert in_turn[1] == in_turn[2] == bits(9)  # the pitfall itself
    settled = bitset.prune_row(row, tight=True)
    assert settled[1] == bits(9)
    assert settled[2] == bits(3, 4)
    unit = tuple(range(9))
    pruned = flat.prune_unit(row, unit, True, bitset.exclusive_possibilities)
    assert pruned[1] == bits(9)
    assert pruned[2] != bits(9)


@pytest.mark.parametrize("text", [EASY, TWELVE, SEVENTEEN, LEWELLEN])
def test_the_ways_to_settle_answer_alike(text):
    ways = ("ladder:flat", "ladder:bitset")
    answers = [registry.get(way).solve(sudoku(text), Solutions(None, None)) for way in ways]
    assert len({answer.digest for answer in answers}) == 1
    assert len({answer.count for answer in answers}) == 1


def test_norvigs_rules_follow_from_each_other():
    problem = sudoku(EASY)
    rung = Norvig(recognised(problem.structure))
    grid = rung.parsed(problem, Meter())
    assert "".join(grid[cell] for cell in rung.cells) == EASY_SOLVED  # no guess is needed


def test_lanes_of_the_one_integer():
    rung = OneInteger(recognised(sudoku(EASY).structure))
    assert len(rung.fields) == 324
    assert rung.everything.bit_count() == 4 * 729
    assert rung.width == 10
    # a candidate that holds takes with it the 4 fields of 9, and 20 peers' + 8 own other bits
    gone = rung.everything & ~rung.keep[40 * 9]
    candidates = {rung.candidate_at[k + 1] for k in range(gone.bit_length()) if gone >> k & 1}
    assert len(candidates) == 1 + 8 + 20


def test_boxes_are_cut_into_pieces_of_rows_and_of_columns():
    for text, groups in (("." * 81, [3, 3]), ("." * 36, [2, 3]), ("." * 144, [3, 4])):
        rung = Trail(recognised(sudoku(text).structure))
        order = int(len(text) ** 0.5)
        assert [len(cuts) for cuts in rung.cuts] == [0] * (2 * order) + [2] * order
        assert [len(cut) for cut in rung.cuts[-1]] == groups
        assert all(len(rest) > 1 for cuts in rung.cuts for cut in cuts for _, rest in cut)
    latin = Trail(recognised(family("latin").problem("4:" + "." * 16).structure))
    assert not any(latin.cuts)


def test_a_value_locked_in_a_piece_of_a_row_leaves_the_rest_of_the_row():
    structure = sudoku("." * 81).structure
    five = 1 << 4
    masks = list(structure.full_masks)
    for cell in (9, 10, 11, 18, 19, 20):  # the first box keeps 5 in the first row only
        masks[cell] &= ~five
    problem = Problem(structure, tuple(masks))
    rung = Trail(recognised(structure))
    grid = rung.start(problem)
    assert rung._settle(grid, [], [], rung.all_touched, Meter()) == ()
    without = [cell for cell in range(81) if not grid[cell] & rung.spread(five)]
    assert without == [3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20]


# --- AllDifferent with values to spare -----------------------------------------------------------


COUNTED = {
    "a value to spare": ({"x": [1, 2, 3], "y": [1, 2, 4]}, [AllDifferent("xy")], 7),
    "more variables than values": ({c: [1, 2, 3] for c in "abcd"}, [AllDifferent("abcd")], 0),
    "a free variable": ({"x": [1, 2], "y": [1, 2], "z": [-5, 0, 7]}, [NotEqual("xy")], 6),
}
"""Were hidden values placed in the first one, 3 would be forced into x or y."""


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_right(name):
    backend = registry.get(name)
    for case, (domains, constraints, count) in COUNTED.items():
        result = backend.solve(build_problem(domains, constraints), Solutions(None, None))
        assert (result.count, result.exhausted) == (count, True), case
    clash = sudoku("." * 81).structure.problem({0: 5, 1: 5})
    assert backend.solve(clash, Solutions(1)).status == "UNSATISFIABLE"
    latin = family("latin").problem("4:" + "." * 16)
    assert backend.solve(latin, Solutions(None)).count == 576


def test_tightness_is_told_from_the_values_of_the_unit():
    structure = build_problem(
        {"a": [1, 2], "b": [1, 2], "c": [1, 2, 3], "d": [7]},
        [AllDifferent("ab"), AllDifferent("bc"), NotEqual("ba"), AllDifferent("d")],
    ).structure
    units = recognised(structure)
    assert units.units == ((0, 1), (1, 2))
    assert units.tight == (True, False)
    assert units.layers == ((0,), (1,))
    assert recognised(structure) is units


def test_layers_of_a_sudoku_are_rows_columns_and_boxes():
    units = recognised(sudoku(EASY).structure)
    assert [len(layer) for layer in units.layers] == [9, 9, 9]
    assert all(units.tight)
    assert row_units(3, [1, 2, 3, 4]).tight == (False,)


# --- limits, sinks, statistics -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_limits_are_kept_and_statistics_told(name):
    backend, blank = registry.get(name), sudoku("." * 81)
    few = backend.solve(blank, Solutions(None, 0), Limits(nodes=5))
    assert (few.stopped_by, few.statistics["nodes"]) == ("gave_up", 5)
    assert few.status == ("SATISFIABLE" if few.count else "UNKNOWN")
    assert backend.solve(blank, Solutions(None, 0), Limits(seconds=0)).stopped_by == "time"
    statistics = backend.solve(sudoku(LEWELLEN), Solutions(2)).statistics
    assert set(statistics) == {"nodes", "failures", "propagations", "peak_depth"}
    assert statistics["nodes"] > statistics["failures"] >= 0
    assert statistics["propagations"] > 0
    assert statistics["nodes"] > statistics["peak_depth"]


@pytest.mark.parametrize(
    "name", ["ladder:norvig", "ladder:trail", "ladder:mutable_table", "ladder:one_integer"]
)
@pytest.mark.parametrize("cells", [16, 36, 144, 256])
def test_grids_of_other_sizes_from_blank(name, cells):
    result = registry.get(name).solve(sudoku("." * cells), Solutions(2, 2), Limits(seconds=30))
    assert result.count == 2


# --- names and refusals --------------------------------------------------------------------------


def test_names_say_the_rung_and_what_is_not_default():
    assert registry.get("ladder").name == "ladder:trail"
    assert registry.get("ladder:placing,reuse=encoding").name == "ladder:placing"
    assert registry.get("ladder:flat,none").name == "ladder:flat,reuse=none"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ladder:norvik", "did you mean 'norvig'"),
        ("ladder:placing,copy=undo", "option 'copy' was removed; leave out 'copy=undo'"),
        ("ladder:flat,settle=equality", "option 'settle' was removed"),
    ],
)
def test_wrong_names_are_explained(name, message):
    with pytest.raises(UnknownBackend, match=message):
        registry.get(name)


def test_other_constraints_are_refused_with_the_reason():
    problem = build_problem({"x": [1, 2], "y": [1, 2]}, [Linear(("x", "y"), (1, 1), "==", 3)])
    backend = registry.get("ladder:trail")
    verdict = backend.accepts(problem)
    assert isinstance(verdict, Refused)
    assert "constraint 0 is a Linear" in verdict.reason
    with pytest.raises(Unsupported, match="AllDifferent and NotEqual only"):
        backend.solve(problem)


@pytest.mark.parametrize("ask", [Optimum(), AllOptima()])
def test_an_optimum_is_refused(ask):
    problem = build_problem({"x": [1, 2]}, objective=Objective("minimize", ("x",), (1,)))
    backend = registry.get("ladder:trail")
    assert backend.solve(problem, Solutions(None)).count == 2
    with pytest.raises(Unsupported, match="cannot bound an objective"):
        backend.solve(problem, ask)


def test_an_encoding_is_reused_unless_told_otherwise():
    for reuse, expected in (("encoding", [False, True]), ("none", [False, False])):
        solve = partial(registry.get(f"ladder:trail,reuse={reuse}").solve, sudoku(EASY))
        assert [solve().encoding_reused for _ in range(2)] == expected
