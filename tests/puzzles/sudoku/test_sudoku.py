"""Sudoku: known puzzles and their solutions, the model, the check, drawing and writing."""

import pytest

from modelling.check import violations
from modelling.constraints import AllDifferent
from modelling.errors import InstanceError
from puzzles.grid.layout import Layout, units
from puzzles.sudoku import SUDOKU, peers, sudoku_layout
from tests.puzzles.exhaustive_count import count, solve

KNOWN = {
    "easy": (
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
        "483921657967345821251876493548132976729564138136798245372689514814253769695417382",
    ),
    "17 clues": (
        ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
        "693784512487512936125963874932651487568247391741398625319475268856129743274836159",
    ),
    "17 clues and the first": (
        "6......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
        "693784512487512936125963874932651487568247391741398625319475268856129743274836159",
    ),
    "other 17 clues": (
        ".......12.5.4............3.7..6..4....1..........8....92....8.....51.7.......3...",
        "364978512152436978879125634738651429691247385245389167923764851486512793517893246",
    ),
    "zeros for blanks": (
        "200080300060070084030500209000105408000000000402706000301007040720040060004010003",
        "245981376169273584837564219976125438513498627482736951391657842728349165654812793",
    ),
    "hard": (
        "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7",
        "375694821164287935928153746739541268586972413412836579847365192293718654651429387",
    ),
}
TWELVE = "   456789679813245548927136   594678857361492964782513   648957796135824485279361"
EASY, EASY_SOLVED = KNOWN["easy"]


def values(text):
    return [int(sign) for sign in text]


@pytest.mark.parametrize(("puzzle", "solution"), KNOWN.values(), ids=list(KNOWN))
def test_known_solution_is_the_only_one(puzzle, solution):
    problem = SUDOKU.problem(puzzle)
    assert solve(problem, limit=2) == [tuple(values(solution))]
    assert SUDOKU.check(puzzle, values(solution)) == []
    assert violations(problem, values(solution)) == []


def test_twelve_solutions_each_correct():
    found = solve(SUDOKU.problem(TWELVE))
    assert len(set(found)) == 12
    assert all(SUDOKU.check(TWELVE, solution) == [] for solution in found)


def test_numbers_of_grids():
    assert count(SUDOKU.problem("." * 16)) == 288
    assert count(SUDOKU.problem("1" + "." * 15)) == 72


def test_peers_of_the_centre_cell():
    expected = [4, 13, 22, 30, 31, 32, 36, 37, 38, 39, 41, 42, 43, 44, 48, 49, 50, 58, 67, 76]
    assert list(peers(40)) == expected


def test_every_cell_of_a_9x9_has_20_peers():
    assert {len(peers(cell)) for cell in range(81)} == {20}
    assert all(cell in peers(peer) for cell in range(81) for peer in peers(cell))


def test_structure_of_a_9x9():
    structure = SUDOKU.problem(EASY).structure
    assert structure.names[:2] == ("r1c1", "r1c2")
    assert structure.names[80] == "r9c9"
    assert set(structure.domains) == {tuple(range(1, 10))}
    assert all(isinstance(c, AllDifferent) for c in structure.constraints)
    scopes = [c.scope for c in structure.constraints]
    assert len(scopes) == 27
    assert scopes[0] == tuple(range(9))
    assert scopes[9] == tuple(range(0, 81, 9))
    assert scopes[18] == (0, 1, 2, 9, 10, 11, 18, 19, 20)
    assert scopes[26] == (60, 61, 62, 69, 70, 71, 78, 79, 80)


@pytest.mark.parametrize("box", [(2, 3), (3, 2), (2, 4), (4, 3), (1, 5)])
def test_every_unit_of_a_layout_is_a_partition(box):
    layout = sudoku_layout(box[0] * box[1], box)
    n = layout.order
    every = units(layout)
    for kind in (every[:n], every[n : 2 * n], every[2 * n :]):
        assert sorted(cell for unit in kind for cell in unit) == list(range(layout.cells))
        assert {len(unit) for unit in kind} == {n}


def test_box_shapes_differ():
    wide, tall = sudoku_layout(6), sudoku_layout(6, (3, 2))
    assert wide == Layout(6, (2, 3))
    assert units(wide)[12] == (0, 1, 2, 6, 7, 8)
    assert units(tall)[12] == (0, 1, 6, 7, 12, 13)


@pytest.mark.parametrize(
    ("order", "box"), [(4, (2, 2)), (6, (2, 3)), (9, (3, 3)), (12, (3, 4)), (16, (4, 4))]
)
def test_default_boxes_are_no_higher_than_wide(order, box):
    assert sudoku_layout(order).box == box


def test_instances_of_one_size_share_one_structure():
    one, other = SUDOKU.problem(EASY), SUDOKU.problem(KNOWN["hard"][0])
    assert one.structure is other.structure
    assert one.structure is not SUDOKU.problem("." * 16).structure
    assert one.masks != other.masks


def test_short_and_long_way_state_the_same_problem():
    canonical = EASY
    spelt = EASY.replace(".", "0")
    SUDOKU.problem(canonical)
    assert SUDOKU.problem(canonical) == SUDOKU.problem(spelt)
    assert SUDOKU.problem(canonical).narrowed() == [i for i, s in enumerate(EASY) if s != "."]
    assert SUDOKU.problem(canonical).domain(2) == (3,)


def test_clashing_givens_can_be_stated_and_have_no_solution():
    clashing = "11" + "." * 14
    assert count(SUDOKU.problem(clashing)) == 0
    assert count(SUDOKU.problem("11" + "." * 79)) == 0


def test_text_that_is_no_sudoku_cannot_be_stated():
    for text in ("", "..", "a" * 81, EASY + "\n" + EASY):
        with pytest.raises(InstanceError):
            SUDOKU.problem(text)


def test_check_finds_each_kind_of_fault():
    solution = values(EASY_SOLVED)
    assert SUDOKU.check(EASY, solution[:80]) == ["80 values for 81 cells"]
    swapped = list(solution)  # r1c1 and r1c2 are blank: rows stay right, columns do not
    swapped[0], swapped[1] = swapped[1], swapped[0]
    assert any("column 1" in fault for fault in SUDOKU.check(EASY, swapped))
    assert not any("row" in fault for fault in SUDOKU.check(EASY, swapped))
    outside = list(solution)
    outside[0] = 10
    assert any("r1c1 = 10" in fault for fault in SUDOKU.check(EASY, outside))
    zero = list(solution)
    zero[0] = 0
    assert SUDOKU.check(EASY, zero) == ["r1c1 = 0 is not between 1 and 9"]


def test_check_finds_a_fault_that_only_boxes_show():
    rows = [[(r + c) % 4 + 1 for c in range(4)] for r in range(4)]
    flat = [v for row in rows for v in row]
    faults = SUDOKU.check("." * 16, flat)
    assert faults
    assert all(fault.startswith("box") for fault in faults)


def test_check_finds_a_given_that_was_not_kept():
    other = EASY_SOLVED.translate(str.maketrans("123456789", "234567891"))
    faults = SUDOKU.check(EASY, values(other))
    assert len(faults) == sum(sign != "." for sign in EASY)
    assert all("its given is" in fault for fault in faults)


def test_check_tells_tall_boxes_from_wide_ones():
    wide = solve(SUDOKU.problem("." * 36), limit=1)[0]
    assert SUDOKU.check("." * 36, wide) == []
    assert SUDOKU.check("3x2:" + "." * 36, wide) != []


def test_check_agrees_with_the_model_on_every_change_of_one_cell():
    solution = values(EASY_SOLVED)
    problem = SUDOKU.problem(EASY)
    for cell in range(81):
        for value in range(11):
            changed = [*solution[:cell], value, *solution[cell + 1 :]]
            assert (SUDOKU.check(EASY, changed) == []) == (violations(problem, changed) == [])


def test_puzzle_and_solution_side_by_side():
    drawn = SUDOKU.render(EASY, values(EASY_SOLVED)).splitlines()
    assert len(drawn) == 13
    assert drawn[0] == "+-------+-------+-------+         +-------+-------+-------+"
    assert drawn[1] == "| . . 3 | . 2 . | 6 . . |         | 4 8 3 | 9 2 1 | 6 5 7 |"
    assert drawn[6] == "| 7 . . | . . . | . . 8 |   -->   | 7 2 9 | 5 6 4 | 1 3 8 |"
    assert sum("-->" in line for line in drawn) == 1


@pytest.mark.parametrize("text", [EASY, "3x2:1" + "." * 35, "." * 16, "." * 255 + "G"])
def test_a_drawing_can_be_read_again(text):
    (instance,) = SUDOKU.read(SUDOKU.render(text).splitlines(), "drawing")
    assert instance.text == text


def test_drawing_a_wrong_solution_marks_what_is_no_value():
    assert "?" in SUDOKU.render("." * 16, [17, *[1] * 15])
    with pytest.raises(InstanceError, match="3 values for 16 cells"):
        SUDOKU.render("." * 16, [1, 2, 3])


def test_a_solution_is_written_on_one_line_and_read_again():
    assert SUDOKU.write(EASY, values(EASY_SOLVED)) == EASY_SOLVED
    tall = "3x2:" + "." * 36
    solution = solve(SUDOKU.problem(tall), limit=1)[0]
    (again,) = SUDOKU.read([SUDOKU.write(tall, solution)], "written")
    assert again.text.startswith("3x2:")
    assert SUDOKU.check(again.text, solution) == []
