"""``concord generate`` as its users meet it: what comes out, wrong usage, progress."""

import os
import re
import sys
from functools import partial

import pytest
from rich.console import Console
from within_process import clean, invoke

from backends.interface import registry
from backends.interface.api import Solutions
from harness.cli import bars
from harness.cli.screen import Screen
from harness.streams import generating
from harness.streams.generating import (
    GenerateRequest,
    format_command,
    generate_instances,
    generate_portions,
)
from modelling.errors import InputError, WorkerError
from puzzles.family import family
from puzzles.grid.family import make_layout
from puzzles.grid.layout import Layout
from puzzles.sets import instances
from puzzles.sudoku.specification import PuzzleSpec

pytestmark = pytest.mark.once

NINE = Layout(9, (3, 3))
MINIMAL = GenerateRequest("sudoku", NINE, PuzzleSpec())


concord = partial(invoke, "generate")


def solutions(text, limit, kind="sudoku"):
    problem = family(kind).problem(text)
    return registry.get("propagation").solve(problem, Solutions(limit, 0)).count


# --- what comes out -------------------------------------------------------------------------------


def test_one_line_each_to_standard_output():
    done = clean(concord("sudoku", "--number", 3, "--seed", 5, "--quiet"))
    texts = done.stdout.splitlines()
    assert len(set(texts)) == 3
    assert done.stderr == ""
    for text in texts:
        assert re.fullmatch(r"[1-9.]{81}", text)
        assert solutions(text, 2) == 1
    again = clean(concord("sudoku", "-n", 2, "--seed", 5, "--start", 1)).stdout
    assert again.splitlines() == texts[1:]


@pytest.mark.parametrize(
    ("arguments", "kind", "pattern"),
    [
        (["sudoku", "--order", 4], "sudoku", r"[1-4.]{16}"),
        (["sudoku", "--box", "2x3"], "sudoku", r"[1-6.]{36}"),
        (["sudoku", "--box", "3x2", "--order", 6], "sudoku", r"3x2:[1-6.]{36}"),
        (["sudoku", "--order", 12, "--clues", 70], "sudoku", r"[1-9A-C.]{144}"),
        (["latin", "--order", 5], "latin", r"5:[1-5.]{25}"),
        (["latin", "--clues", 40, "--symmetry", "half-turn"], "latin", r"9:[1-9.]{81}"),
    ],
    ids=str,
)
def test_grids_of_other_shapes(arguments, kind, pattern):
    text = clean(concord(*arguments)).stdout.strip()
    assert re.fullmatch(pattern, text)
    assert solutions(text, 2, kind) == 1


def test_wishes_reach_the_puzzles():
    half = clean(concord("sudoku", "--clues", 32, "--symmetry", "half-turn")).stdout.strip()
    assert 81 - half.count(".") == 32
    assert [sign == "." for sign in half] == [sign == "." for sign in reversed(half)]
    five = clean(concord("sudoku", "--solutions", 5)).stdout.strip()
    assert solutions(five, 9) == 5
    none = clean(concord("sudoku", "--unsatisfiable")).stdout.strip()
    assert solutions(none, 1) == 0
    easy = clean(concord("sudoku", "--grade", "naked-single", "--backend", "ladder:one_integer"))
    assert solutions(easy.stdout.strip(), 2) == 1


def test_drawn():
    done = clean(concord("sudoku", "--order", 4, "-n", 2, "--show"))
    assert done.stdout.count("| . ") + done.stdout.count(" . |") > 2
    assert done.stdout.count("\n\n") == 2


def test_a_file_has_a_head_and_is_a_set(tmp_path):
    out = tmp_path / "set.txt"
    done = clean(concord("latin", "--order", 4, "-n", 3, "--seed", 2, "--out", out))
    assert done.stdout == ""
    first = out.read_text().splitlines()[:4]
    assert first[:3] == [
        "# family: latin",
        "# made by: concord generate latin --number 3 --seed 2 --order 4",
        "# seed: 2",
    ]
    assert re.fullmatch(r"# version: \S+", first[3])
    found = list(instances(str(out)))
    assert [one.family for one in found] == ["latin"] * 3
    words = first[1].removeprefix("# made by: concord generate ").split()
    again = tmp_path / "again.txt"
    clean(concord(*words, "--out", again))
    assert again.read_bytes() == out.read_bytes()


def test_drawn_and_written(tmp_path):
    done = clean(concord("sudoku", "--order", 4, "--show", "--out", tmp_path / "set.txt"))
    assert done.stdout.startswith("+")
    assert len(list(instances(str(tmp_path / "set.txt")))) == 1


def test_the_command_says_all_that_matters():
    spec = PuzzleSpec(clues=30, symmetry="mirror", grade="x-wing", attempts=7)
    assert format_command(GenerateRequest("sudoku", NINE, spec, 9, "sat"), 4, 2) == (
        "concord generate sudoku --number 4 --seed 9 --box 3x3 --start 2 --clues 30 "
        "--symmetry mirror --grade x-wing --attempts 7"
    )
    none = GenerateRequest("sudoku", NINE, PuzzleSpec(solutions=0))
    assert format_command(none, 1).endswith("--box 3x3 --unsatisfiable")
    several = GenerateRequest("sudoku", NINE, PuzzleSpec(solutions=12))
    assert format_command(several, 1).endswith("--solutions 12")
    # where counts give up it matters who counts
    large = GenerateRequest("sudoku", Layout(16, (4, 4)), PuzzleSpec(), backend="propagation")
    assert large.nodes == 10_000
    assert format_command(large, 1).endswith("--box 4x4 --backend propagation")
    assert GenerateRequest("latin", Layout(25), PuzzleSpec()).nodes == 1_000
    assert MINIMAL.nodes is None


def test_puzzles_as_instances():
    spec = PuzzleSpec(solutions=100, attempts=3)
    made = list(generate_instances(GenerateRequest("sudoku", NINE, spec), 12))
    assert 0 < len(made) < 12
    for one in made:
        assert re.fullmatch(r"item-\d+", one.name)
        assert solutions(one.text, 101) == 100
    with pytest.raises(InputError, match="fewer than 17"):
        list(generate_instances(GenerateRequest("sudoku", NINE, PuzzleSpec(clues=3)), 1))


# --- the same in any way --------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_family_of_square_grids_of_ones_own(tmp_path, monkeypatch, jobs):
    (tmp_path / "squares.py").write_text(
        "from puzzles.grid.family import GridFamily\nfrom puzzles.latin import LATIN\n"
        "SQUARES = GridFamily('squares', 'Latin squares again', LATIN.rules)\n"
    )
    monkeypatch.chdir(tmp_path)
    made = clean(concord("py:squares:SQUARES", "-n", 3, "--order", 5, "--jobs", jobs, "--quiet"))
    same = clean(concord("latin", "-n", 3, "--order", 5, "--quiet"))
    assert made.stdout == same.stdout


def test_any_number_of_processes_makes_the_same(tmp_path):
    outs = []
    for jobs in (1, 2):
        outs.append(tmp_path / f"{jobs}.txt")
        clean(concord("sudoku", "-n", 24, "--seed", 4, "--jobs", jobs, "--out", outs[-1]))
    texts = {out.read_bytes() for out in outs}
    assert len(texts) == 1
    assert len(texts.pop().splitlines()) == 28


def test_portions_grow_with_speed_and_no_further():
    size, seen = 1, []
    for seconds in (0.001, 0.001, 0.001, 1.0, 8.0, 0.0):
        seen.append(size)
        size = generating.choose_size(size, seconds)
    assert seen == [1, 4, 16, 64, 128, 32]
    for _ in range(20):
        size = generating.choose_size(size, 0.0)
    assert size == generating.TOGETHER


def prepare_to_die(request, until):
    return lambda items: os._exit(1)


def test_a_process_that_died_is_an_error(monkeypatch):
    monkeypatch.setattr(generating, "_prepare", prepare_to_die)
    request = GenerateRequest("sudoku", NINE, PuzzleSpec())
    with pytest.raises(WorkerError, match="a process died while it made puzzle 5"):
        list(generate_portions(request, 5, 5, jobs=2))


# --- specs that do not come true -----------------------------------------------------------------


def test_the_best_so_far_says_so(tmp_path):
    out = tmp_path / "few.txt"
    done = clean(concord("sudoku", "--clues", 17, "--attempts", 2, "-n", 3, "--out", out), 1)
    texts = out.read_text().splitlines()[4:]
    for item, text in enumerate(texts):
        tail = re.fullmatch(r"[1-9.]{81}  # item-(\d) # (\d\d) clues, 17 were asked for", text)
        assert int(tail[1]) == item
        assert int(tail[2]) == 81 - text[:81].count(".")
    assert "3 are not as asked for after 2 attempts" in done.stderr
    assert [one.name for one in instances(str(out))] == ["item-0", "item-1", "item-2"]


def test_nothing_found_is_a_comment():
    done = clean(concord("sudoku", "--solutions", 997, "--attempts", 1, "-n", 2), 1)
    assert done.stdout.splitlines() == [
        "# item-0: nothing found in 1 attempts",
        "# item-1: nothing found in 1 attempts",
    ]


def test_a_grid_too_hard_to_be_sure_of(monkeypatch):
    monkeypatch.setattr(generating, "EXACT_ORDER", 4)
    monkeypatch.setattr(generating, "NODES", {100: 5})
    done = clean(concord("sudoku", "-n", 4, "--backend", "ladder:one_integer"))
    assert "of the puzzles may hold clues that are not needed" in done.stderr
    for text in done.stdout.splitlines():
        assert solutions(text, 2) == 1


# --- wrong usage ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sudoko"], "did you mean 'sudoku'"),
        (["sudoko", "--help"], "did you mean 'sudoku'"),
        (["--number", "3"], "name one FAMILY"),
        (["--family"], "no family is called ''"),
        (["problem"], "the family 'problem' has no generator ("),
        (["xcsp3"], "the family 'xcsp3' has no generator ("),
        (["xcsp3", "--help"], "the family 'xcsp3' has no generator ("),
        (["knapsack", "--number", "0"], "'--number' / '-n': must be at least 1, not '0'"),
        (["knapsak"], "did you mean 'knapsack'"),
        (["knapsack", "--item", "3"], "--items"),
        (["knapsack", "--items", "0"], "items must be from 1 to 2000, not 0"),
        (["knapsack", "--items", "few"], "items must be a whole number, not 'few'"),
        (["knapsack", "--kind", "strng"], "did you mean 'strong'"),
        (["knapsack", "--clues", "3"], "--clues"),
        (["knapsack", "--family", "knapsack"], "name one FAMILY"),
        (["knapsack", "--resume"], "name it with --out"),
        (["bin_packing", "--least", "120"], "no 30 sizes from 120 to 100"),
        (["model_rb", "--phase", "one"], "phase must be a number, such as 0.42 or 1/3"),
        (["queens", "--size", "3", "--placed", "3", "--out", "q.txt"], "could not be placed"),
        (["cryptarithm", "--letters", "9", "--base", "8"], "there are 8 digits"),
        (
            ["bibd", "--k", "6", "--together", "1", "--kind", "excluded", "--start", "1"],
            "no item 1",
        ),
        (["social_golfers", "--groups", "8", "--players", "9"], "there are 0 such shapes"),
        (["costas", "--size", "41"], "costas of size 41: the order is 41"),
        (["sudoku", "--number", "0"], "--number"),
        (["sudoku", "--number", "many"], "--number"),
        (["sudoku", "--seed", "-1"], "--seed"),
        (["sudoku", "--seed", str(2**64)], "--seed"),
        (["sudoku", "--box", "3by3"], "--box must be rows by columns"),
        (["sudoku", "--box", "0x3"], "order 0"),
        (["sudoku", "--box", "3x3", "--order", "8"], "do not make a Sudoku of order 8"),
        (["sudoku", "--order", "101"], "orders go from 1 to 100"),
        (["latin", "--box", "3x3"], "grids of the family latin have no boxes"),
        (["latin", "--grade", "trial"], "a Latin square has none"),
        (["sudoku", "--clues", "16"], "fewer than 17"),
        (["sudoku", "--clues", "82"], "81 cells"),
        (["sudoku", "--clues", "few"], "--clues"),
        (["sudoku", "--symmetry", "mirored"], "did you mean 'mirror'"),
        (["sudoku", "--symmetry", "quarter-turn", "--clues", "30"], "orbits of 1 and 4 cells"),
        (["sudoku", "--grade", "xwing"], "no grade is called 'xwing'"),
        (["sudoku", "--solutions", "0"], "--solutions"),
        (["sudoku", "--solutions", "2", "--unsatisfiable"], "cannot be combined with --solutions"),
        (["sudoku", "--solutions", "2", "--grade", "trial"], "only a puzzle with one solution"),
        (["sudoku", "--attempts", "0"], "--attempts"),
        (["sudoku", "--attempts", "5000000"], "4,194,304 is the most"),
        (["sudoku", "--seconds", "0"], "must be a number above 0"),
        (["sudoku", "--seconds", "nan"], "must be a number above 0"),
        (["sudoku", "--start", "-1"], "--start"),
        (["sudoku", "--start", str(2**40)], "the last item is"),
        (["sudoku", "--jobs", "0"], "--jobs"),
        (["sudoku", "--backend", "compield"], "did you mean 'compiled'"),
        (["sudoku", "--backend", "python_constraint:minconflicts"], "incomplete"),
        (["sudoku", "--resume"], "name it with --out"),
        (["sudoku", "--out", "no/such/folder/set.txt"], "No such file or directory"),
        (["sudoku", "--out", "set.txt.gz"], "plain text"),
        (["sudoku", "--clue", "30"], "--clue"),
        ([], "FAMILY"),
    ],
    ids=lambda value: " ".join(value)[-40:] if isinstance(value, list) else "",
)
def test_what_is_wrong_is_said(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = clean(concord(*arguments), 2)
    assert message in done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


# --- layouts and progress -------------------------------------------------------------------------


def test_layouts():
    assert make_layout("sudoku", None, None) == NINE
    assert make_layout("sudoku", 12, None) == Layout(12, (3, 4))
    assert make_layout("sudoku", None, (5, 2)) == Layout(10, (5, 2))
    assert make_layout("latin", None, None) == Layout(9)
    with pytest.raises(InputError, match="no family"):
        make_layout("hitori", None, None)


def shown(screen, monkeypatch):
    times = iter([0.0, 0.0, 2.0, 20.0, 20.0, 20.0])
    monkeypatch.setattr(bars, "perf_counter", lambda: next(times))
    with bars.show_items(screen, "puzzles", 1000, 100) as show:
        show(110)
        show(400)


def test_progress_is_a_line_now_and_then(monkeypatch, capsys):
    shown(Screen(), monkeypatch)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "400 of 1,000 puzzles, 15/s, 0:40 left\n"


def test_quiet_says_nothing(monkeypatch, capsys):
    shown(Screen(quiet=True), monkeypatch)
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal_leaves_standard_output_alone(monkeypatch, capsys):
    monkeypatch.undo()
    screen = Screen()
    screen.err = Console(stderr=True, force_terminal=True, width=100)
    with bars.show_items(screen, "puzzles", 10) as show:
        show(5)
        sys.stdout.write("a puzzle\n")
    out, err = capsys.readouterr()
    assert out == "a puzzle\n"
    assert "5/10" in err
    with bars.show_items(screen, "puzzles", 10, hidden=True) as show:
        show(5)
    assert capsys.readouterr() == ("", "")
