"""The compiled rung as a backend: the shared suite, known counts, limits, other sizes."""

import os
import subprocess
import sys
from itertools import islice

import pytest

pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")

import numpy as np

from backends.conformance import conform
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Refused, Solutions
from backends.sudoku_kernel.recognise import recognise
from modelling.check import violations
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.errors import Unsupported
from modelling.problem import Problem, Structure, build_problem
from puzzles import sets
from puzzles.family import family

SUDOKU = family("sudoku")
EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
TWELVE = "...456789679813245548927136...594678857361492964782513...648957796135824485279361"
EMPTY = "." * 81


def squares(order, boxes=()):
    """A Latin square's structure, with further groups of cells if told."""
    cells = range(order * order)
    lines = [tuple(c for c in cells if c // order == k) for k in range(order)]
    lines += [tuple(c for c in cells if c % order == k) for k in range(order)]
    return Structure(
        tuple(f"x{c}" for c in cells),
        (tuple(range(1, order + 1)),) * len(cells),
        tuple(map(AllDifferent, (*lines, *boxes))),
    )


@pytest.mark.parametrize("name", ["compiled", "compiled:reuse=none"])
def test_conforms(name):
    report = conform(registry.get(name), problems=150)
    assert sum(report.accepted.values()) >= 150
    kinds = {kind.removesuffix(", other givens") for kind in report.refused}
    refused = {"foreign constraints", "terms and formulas", "output"}
    assert kinds <= refused  # AllDifferent and NotEqual are all that it takes


def test_a_sudoku_is_recognised_whatever_the_order_of_its_constraints():
    structure = SUDOKU.problem(EASY).structure
    assert recognise(structure).is_sudoku
    turned = Structure(structure.names, structure.domains, structure.constraints[::-1])
    assert recognise(turned).is_sudoku
    letters = Structure(
        structure.names, ((3, 5, 7, 11, 13, 17, 19, 23, 29),) * 81, turned.constraints
    )
    assert recognise(letters).is_sudoku
    fewer = Structure(structure.names, structure.domains, structure.constraints[:-1])
    assert not recognise(fewer).is_sudoku
    more = Structure(
        structure.names, structure.domains, (*structure.constraints, NotEqual((0, 80)))
    )
    assert not recognise(more).is_sudoku
    assert not recognise(squares(9)).is_sudoku
    assert not recognise(SUDOKU.problem("." * 256).structure).is_sudoku


def test_values_of_a_sudoku_may_be_any_nine(compiled):
    structure = SUDOKU.problem(EASY).structure
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23)
    renamed = Problem(
        Structure(structure.names, (primes,) * 81, structure.constraints),
        SUDOKU.problem(EASY).masks,
    )
    result = compiled.solve(renamed, Solutions(2))
    assert result.count == 1
    assert result.solutions[0] == tuple(primes[int(d) - 1] for d in SOLVED)


def test_a_value_with_one_place_left_is_put_there(compiled):
    """In ``abc`` only a can be 2, then in ``bde`` only b can be 0: what is left is f and g."""
    domains = {"a": range(3)} | dict.fromkeys("bcfg", (0, 1)) | dict.fromkeys("de", (1, 2))
    problem = build_problem(
        domains, [AllDifferent("abc"), AllDifferent("bde"), AllDifferent("dfg")]
    )
    result = compiled.solve(problem, Solutions(None))
    assert (result.count, result.statistics["nodes"], result.statistics["failures"]) == (2, 3, 0)


@pytest.mark.parametrize("is_turned", [False, True])
def test_an_easy_puzzle_needs_no_guess(compiled, is_turned):
    """As it is, and with rows and columns exchanged: both kinds of triads have all their rules."""
    text = "".join(EASY[column::9] for column in range(9)) if is_turned else EASY
    result = compiled.solve(SUDOKU.problem(text), Solutions(2))
    assert (result.count, result.statistics["nodes"]) == (1, 1)


def test_all_variables_of_a_search_can_be_fixed_at_once():
    from backends.sudoku_kernel.alldifferent import search_of, unit_tables

    tables = unit_tables([1, 2, 4], [(0, 1, 2)])
    search = search_of(np.array([1, 2, 4], np.uint64), tables, 3)
    assert min(len(search.queue), len(search.order), len(search.place)) >= 3


def test_sets_of_candidates_in_a_sudoku(compiled, propagation):
    """Masks that are neither one value nor all of them are taken by the 9x9 kernel too."""
    rng = np.random.default_rng(7)
    solution = [int(d) for d in SOLVED]
    several = unsatisfied = 0
    for _ in range(40):
        keep = rng.random((81, 9)) < rng.choice([0.15, 0.25, 0.3])
        masks = [
            1 << solution[c] - 1 | int(sum(1 << k for k in range(9) if keep[c, k]))
            for c in range(81)
        ]
        if rng.random() < 0.3:
            masks[int(rng.integers(81))] &= int(rng.integers(512))
        problem = Problem(SUDOKU.problem(EASY).structure, tuple(masks))
        ours = compiled.solve(problem, Solutions(300))
        theirs = propagation.solve(problem, Solutions(300))
        assert (ours.count, ours.stopped_by) == (theirs.count, theirs.stopped_by)
        if theirs.exhausted:
            assert ours.digest == theirs.digest
        several += ours.count > 1
        unsatisfied += ours.count == 0
    assert min(several, unsatisfied) > 0


def test_statistics_and_phases_are_told(compiled):
    result = compiled.solve(SUDOKU.problem(TWELVE), Solutions(None))
    assert result.count == 12
    assert result.exhausted
    assert set(result.statistics) == {"nodes", "failures", "propagations", "peak_depth"}
    assert result.statistics["nodes"] >= 2 * 12 - 1
    assert result.statistics["peak_depth"] >= 2
    assert {"encode", "solve", "first_solution"} <= set(result.phases)
    assert compiled.solve(SUDOKU.problem(TWELVE), Solutions(1)).encoding_reused


def test_what_it_does_not_take_is_refused_with_the_reason(compiled):
    sum_of_two = build_problem(
        {"x": range(3), "y": range(3)}, [Linear(("x", "y"), (1, 1), "==", 2)]
    )
    verdict = compiled.accepts(sum_of_two)
    assert isinstance(verdict, Refused)
    assert "Linear" in verdict.reason
    wide = build_problem({"x": range(40), "y": range(30, 80)}, [AllDifferent(("x", "y"))])
    assert "80 different values; it takes up to 64" in compiled.accepts(wide).reason
    with pytest.raises(Unsupported, match="80 different values"):
        compiled.solve(wide, Solutions(1))
    for ask in (Optimum(), AllOptima()):
        with pytest.raises(Unsupported, match=type(ask).__name__):
            compiled.solve(SUDOKU.problem(EASY), ask)


def test_clashing_givens_filled_grids_and_the_empty_grid(compiled):
    def count(text, limit=None):
        return compiled.solve(SUDOKU.problem(text), Solutions(limit)).count

    assert count(SOLVED) == 1
    assert count("11" + SOLVED[2:]) == 0
    assert count("11" + EMPTY[2:]) == 0
    assert count("1" + 8 * "." + "1" + 71 * ".") == 0
    assert count("1" + 9 * "." + "1" + 70 * ".") == 0
    result = compiled.solve(SUDOKU.problem(EMPTY), Solutions(3000, 3000))
    assert (result.count, result.stopped_by, result.repeats) == (3000, "enough", 0)
    assert len(set(result.solutions)) == 3000
    assert not violations(SUDOKU.problem(EMPTY), result.solutions[-1])


@pytest.mark.parametrize(("order", "number"), [(1, 1), (2, 2), (3, 12), (4, 576)])
def test_known_numbers_of_latin_squares(compiled, order, number):
    result = compiled.solve(squares(order).problem(), Solutions(None))
    assert (result.count, result.stopped_by) == (number, "exhausted")


def test_known_numbers_of_larger_squares_by_batch(compiled):
    """161,280 Latin squares of order 5; 28,200,960 Sudoku with 2x3 boxes, 720 first rows."""
    assert compiled.count_batch(squares(5), np.zeros((1, 25), np.uint8), 10**6)[0] == 161_280
    six = np.zeros((1, 36), np.uint8)
    six[0, :6] = range(1, 7)
    structure = SUDOKU.problem("." * 36).structure
    assert compiled.count_batch(structure, six, 10**6)[0] * 720 == 28_200_960


def test_more_variables_than_values_is_seen_at_once(compiled):
    names = [f"x{k}" for k in range(15)]
    problem = build_problem(dict.fromkeys(names, range(14)), [AllDifferent(tuple(names))])
    assert compiled.solve(problem, Solutions(1), Limits(nodes=1)).status == "UNSATISFIABLE"


@pytest.mark.parametrize("set_name", ["sudoku-sizes", "sudoku", "sudoku-several", "latin"])
def test_the_sets_that_ship(compiled, propagation, set_name):
    for entry in sets.instances(set_name):
        if isinstance(entry, Exception):
            continue
        problem = family(entry.family).problem(entry.text)
        ours = compiled.solve(problem, Solutions(2, 2))
        assert ours.stopped_by in ("exhausted", "enough")
        assert not any(violations(problem, values) for values in ours.solutions)
        if problem.structure.size <= 256:  # the others take propagation long
            assert ours.count == propagation.solve(problem, Solutions(2)).count, entry.name


def test_64_values(compiled):
    order, box = 64, 8
    cells = range(order * order)
    boxes: dict[int, list[int]] = {}
    for c in cells:
        boxes.setdefault(c // order // box * box + c % order // box, []).append(c)
    structure = squares(order, map(tuple, boxes.values()))
    grid = [(box * (c // order % box) + c // order // box + c % order) % order + 1 for c in cells]
    givens = {c: grid[c] for c in cells if (7 * c + c // order) % 4}
    result = compiled.solve(structure.problem(givens), Solutions(1), Limits(seconds=60))
    assert result.count == 1
    assert not violations(structure.problem(givens), result.solutions[0])


# --- limits -------------------------------------------------------------------------------------


def test_a_deadline_stops_an_endless_count(compiled):
    for structure in (SUDOKU.problem(EMPTY).structure, squares(12)):
        result = compiled.solve(structure.problem(), Solutions(None, 0), Limits(seconds=0.2))
        assert result.stopped_by == "time"  # endless otherwise
        assert result.count > 0


def test_nodes_limit_the_branchings(compiled):
    for structure in (SUDOKU.problem(EMPTY).structure, squares(12)):
        result = compiled.solve(structure.problem(), Solutions(1), Limits(nodes=3))
        assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
        assert result.statistics["nodes"] <= 2 * 3 + 1


def test_a_sink_sees_every_solution_and_stops_the_search(compiled):
    seen = []

    def sink(values):
        seen.append(values)
        return len(seen) < 2000

    result = compiled.solve(SUDOKU.problem(EMPTY), Solutions(None, 0), Limits(), sink)
    assert result.stopped_by == "sink"
    assert result.count == len(seen) == len(set(seen)) == 2000


@pytest.mark.parametrize("keep", [0, 1, 5, 70])
def test_counting_only_leaves_the_digest_as_it_is(compiled, keep):
    """Solutions that are neither kept nor shown take a shorter way."""
    for problem in (
        SUDOKU.problem("." * 81),
        SUDOKU.problem("1" + "." * 15),
        SUDOKU.problem("." * 256),
        squares(2).problem(),
        Structure(("x",), ((1, 2, 3),), ()).problem(),
        Structure(("x", "y"), ((0, 1, 2),) * 2, ()).problem(),
        Structure(("x", "y"), ((1, 2, 4),) * 2, ()).problem(),
    ):
        for limit in (60, 72):
            whole = compiled.solve(problem, Solutions(limit, None))
            short = compiled.solve(problem, Solutions(limit, keep))
            assert (short.count, short.stopped_by) == (whole.count, whole.stopped_by)
            assert short.digest == whole.digest
            assert short.solutions == whole.solutions[:keep]
            assert short.repeats == 0


def test_a_search_in_small_pieces_finds_the_same(compiled):
    """Two guesses and three solutions at a time: a search continues where it stopped."""
    from backends.sudoku_kernel import searches

    for problem in (SUDOKU.problem(TWELVE), SUDOKU.problem("12" + "." * 14)):
        whole = compiled.solve(problem, Solutions(None, None))
        expected = set(whole.solutions)
        search = searches.encode(recognise(problem.structure)).search(problem.masks)
        found = []
        while True:
            out = np.empty((3, problem.structure.size), np.uint8)
            number, ended = search.advance(out, 2)
            found += [tuple(row) for row in out[:number].tolist()]
            if ended == searches.EXHAUSTED:
                break
        assert len(found) == len(expected)
        assert set(found) == expected
        assert search.advance(out, 2) == (0, searches.EXHAUSTED)
        nodes, _, *others = search.statistics.tolist()
        assert [nodes, *others] == list(whole.statistics.values())


def test_two_searches_of_one_backend_do_not_disturb_each_other(compiled):
    inner = []

    def sink(values):
        inner.append(compiled.solve(SUDOKU.problem(EASY), Solutions(2)).count)
        return True

    result = compiled.solve(SUDOKU.problem(TWELVE), Solutions(None), Limits(), sink)
    assert (result.count, result.repeats) == (12, 0)
    assert inner == [1] * 12


# --- numba, its absence and its cache -----------------------------------------------------------


def run(code, **environment):
    import os

    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    ).stdout.strip()


def test_importing_the_module_imports_no_numba():
    code = "import sys, backends.sudoku_kernel; print({'numba', 'numpy'} & set(sys.modules))"
    assert run(code) == "set()"


def test_without_numba_it_says_what_to_install():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from backends.interface import registry\n"
        "try: registry.get('compiled')\n"
        "except registry.BackendUnavailable as error: print(error)"
    )
    assert "pip install 'solver-concord[compiled]'" in run(code)


def test_with_numbas_compiler_switched_off_it_says_so():
    code = (
        "from backends.interface import registry\n"
        "try: registry.get('compiled')\n"
        "except registry.BackendUnavailable as error: print(error)"
    )
    assert "NUMBA_DISABLE_JIT" in run(code, NUMBA_DISABLE_JIT="1")


def test_the_cache_is_stale_after_an_edit_of_any_file(tmp_path):
    from backends.sudoku_kernel import cache

    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("x = 1\n")
    before = cache.sources_digest(tmp_path)
    assert cache.sources_digest(tmp_path) == before
    (tmp_path / "two.py").write_text("x = 2\n")
    assert cache.sources_digest(tmp_path) != before


def test_the_cache_is_named_by_the_digest(compiled):
    from backends.sudoku_kernel import bitboard, cache

    compiled.count_batch(SUDOKU.problem(EASY).structure, np.zeros((1, 81), np.uint8))
    file = bitboard.count._cache._cache_file
    assert cache.DIGEST in file._index_name
    with open(file._index_path, "rb") as index:
        assert cache.DIGEST.encode() in index.read()


@pytest.mark.once  # it compiles a kernel, with an empty cache
def test_processes_that_start_together_compile_once(tmp_path):
    code = (
        "from backends.interface import registry; from puzzles.family import family\n"
        "registry.get('compiled').solve(family('sudoku').problem('.' * 81))"
    )
    settings = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DEBUG_CACHE": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code], env=settings, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=300)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    saved = [
        line.split("'")[1] for out in said for line in out.splitlines() if "data saved" in line
    ]
    assert len(saved) == len(set(saved)) > 0
    loaded = [line for out in said for line in out.splitlines() if "data loaded" in line]
    assert len(loaded) == 2 * len(saved)


def test_blocks_of_solutions_come_while_the_search_goes_on(compiled):
    from backends.interface.api import Deadline
    from backends.sudoku_kernel import searches

    search = searches.encode(recognise(squares(12))).search(squares(12).full_masks)
    blocks = list(islice(searches.blocks(search, 144, None, Deadline(None)), 3))
    assert all(len(rows) for rows, _ in blocks)
    assert all(why == "" for _, why in blocks)


def test_loading_ahead_leaves_nothing_for_the_first_problem():
    code = (
        "from backends.interface import registry; from backends.interface.api import load_ahead\n"
        "from puzzles.family import family\n"
        "load_ahead(registry.get('propagation'))\n"
        "backend = registry.get('compiled')\n"
        "def imports(cells):\n"
        "    problem = family('sudoku').problem('.' * cells)\n"
        "    return 'import' in backend.solve(problem).phases\n"
        "first = imports(81)\n"
        "load_ahead(backend)\n"
        "print(first, imports(81), imports(16))"
    )
    assert run(code) == "True False False"
