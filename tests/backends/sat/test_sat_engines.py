"""Engines: limits, and what a kept solver must not remember."""

import random

import pytest

from backends.interface.api import Limits, Solutions
from backends.sat import make
from backends.sat.engines import ENGINES, NOT_KEPT, pycosat_engine, pysat_engine
from modelling.brute_force import solutions
from modelling.check import violations
from modelling.constraints import AllDifferent, Linear
from modelling.errors import BackendUnavailable
from modelling.problem import Problem, Structure, build_problem
from tests.backends.small_problems import crowded as pigeons
from tests.backends.small_problems import sudoku
from tests.data import samples

pytestmark = pytest.mark.once  # each engine

WITHOUT_LIMITS = {"lingeling", "kissat404"}
INCREMENTAL = [engine for engine in ENGINES if engine not in NOT_KEPT]


def available(options):
    if "pycosat" in options:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    try:
        return make(options)
    except BackendUnavailable as missing:
        pytest.skip(str(missing))


def permutations(n):
    return build_problem({f"p{i}": range(n) for i in range(n)}, [AllDifferent(range(n))])


def latin(n):
    rows = [AllDifferent(range(r * n, r * n + n)) for r in range(n)]
    columns = [AllDifferent(range(c, n * n, n)) for c in range(n)]
    names = tuple(f"c{i}" for i in range(n * n))
    return Structure(names, (tuple(range(n)),) * (n * n), (*rows, *columns))


@pytest.mark.parametrize("engine", [e for e in ENGINES if e not in WITHOUT_LIMITS])
def test_the_time_limit_stops_a_hard_search(engine):
    ask = Solutions(None) if engine in {"cadical153", *NOT_KEPT} else Solutions(1)
    result = available(f"direct,{engine}").solve(pigeons(14), ask, Limits(seconds=0.15))
    assert (result.stopped_by, result.status) == ("time", "UNKNOWN")
    assert result.native_status == "UNKNOWN"


@pytest.mark.parametrize("engine", ["pycosat", "cadical153", "lingeling", "kissat404"])
def test_the_time_limit_stops_an_enumeration_with_what_was_found(engine):
    result = available(engine).solve(permutations(9), Solutions(None), Limits(seconds=0.15))
    assert result.stopped_by == "time"
    assert 0 < result.count < 362_880
    assert result.repeats == 0


@pytest.mark.parametrize("engine", ["pycosat", "cadical153", "kissat404"])
@pytest.mark.parametrize("reuse", ["none", "encoding"])
def test_no_time_at_all(engine, reuse):
    backend = available(f"{engine},reuse={reuse}")
    for ask in (Solutions(1), Solutions(None)):
        result = backend.solve(permutations(3), ask, Limits(seconds=0))
        assert (result.count, result.stopped_by) == (0, "time")


@pytest.mark.parametrize("engine", [e for e in ENGINES if e not in {"pycosat", "lingeling"}])
def test_the_conflict_budget_gives_up(engine):
    backend = available(f"direct,{engine}")
    result = backend.solve(pigeons(12), Solutions(1), Limits(conflicts=200))
    assert (result.stopped_by, result.status) == ("gave_up", "UNKNOWN")
    if engine not in ("kissat404", "cryptominisat"):
        assert 100 <= result.statistics["failures"] <= 5000


@pytest.mark.parametrize("engine", ["cadical153", "glucose4", "minisat22"])
def test_the_node_budget_gives_up_between_slices(engine):
    backend = available(f"direct,{engine}")
    result = backend.solve(pigeons(12), Solutions(1), Limits(nodes=1500))
    assert result.stopped_by == "gave_up"
    assert result.statistics["nodes"] >= 1500


def test_a_slice_is_not_longer_than_the_time_that_is_left(monkeypatch):
    """A worker that is late by a twentieth of a second is killed, and its statistics are lost."""

    class Undecided:
        """A solver, its library, its task and the clock: each conflict takes 1/1024 s."""

        name, limits, left, passed = "none", Limits(seconds=2.5), 2.5, False
        counters = counted = staticmethod(lambda *figures: {})

        def conf_budget(self, size):
            sizes.append(size)

        def solve_limited(self, assumptions):
            self.left -= sizes[-1] / 1024
            self.passed = self.left <= 0

    sizes = []
    one = Undecided()
    one.deadline = one
    monkeypatch.setattr(pysat_engine, "perf_counter", lambda: -one.left)
    search = pysat_engine.PysatSearch(one, one, one)
    monkeypatch.setattr(search, "_pace", lambda seconds: None)
    assert search.decide([]) == "time"
    assert sizes == [1000, 1000, 560]


@pytest.mark.parametrize("engine", INCREMENTAL)
def test_a_kept_solver_answers_in_full_after_a_budget_ran_out(engine):
    """A budget must not outlive its call, nor an unfinished search count as a proof."""
    backend = available(f"direct,{engine},reuse=solver")
    problem = pigeons(7)
    for limits in (Limits(conflicts=3), Limits(), Limits(conflicts=3), Limits(seconds=60)):
        result = backend.solve(problem, Solutions(1), limits)
        if result.stopped_by != "gave_up":
            assert result.status == "UNSATISFIABLE"
        if limits.conflicts is None:
            assert result.exhausted


@pytest.mark.parametrize("engine", INCREMENTAL)
def test_a_kept_solver_forgets_what_a_call_excluded(engine):
    """Counting blocks each solution; the next call must find all of them again."""
    backend = available(f"{engine},reuse=solver")
    structure = latin(3)
    rng = random.Random(engine)
    for turn in range(25):
        masks = [rng.choice([7, 7, 7, 3, 5, 6, 1]) for _ in range(9)]
        problem = Problem(structure, tuple(masks))
        expected = sorted(solutions(problem))
        limit = rng.choice([1, 2, None])
        result = backend.solve(problem, Solutions(limit, None))
        assert result.repeats == 0
        assert set(result.solutions) <= set(expected)
        assert result.count == (len(expected) if limit is None else min(limit, len(expected)))
        assert result.encoding_reused is (turn > 0)


def test_a_kept_solver_is_replaced_when_its_guards_are_used_up():
    backend = make("minisat22,reuse=solver")
    problem = latin(3).problem()
    for _ in range(2 * pysat_engine.GUARDS + 5):
        assert backend.solve(problem, Solutions(None)).count == 12


def test_a_sink_that_stops_or_fails_leaves_a_kept_solver_sound():
    backend = make("cadical153,reuse=solver")
    problem = latin(3).problem()

    def failing(values):
        raise RuntimeError("the sink's own fault")

    for _ in range(3):
        stopped = backend.solve(problem, Solutions(None), sink=lambda values: False)
        assert (stopped.count, stopped.stopped_by) == (1, "sink")
        with pytest.raises(RuntimeError, match="own fault"):
            backend.solve(problem, Solutions(None), sink=failing)
        assert backend.solve(problem, Solutions(None)).count == 12


def test_a_kept_solver_that_was_interrupted_is_not_used_again(monkeypatch):
    backend = make("minisat22,reuse=solver")
    problem = latin(3).problem()
    assert backend.solve(problem, Solutions(None)).count == 12
    decide, calls = pysat_engine.PysatSearch.decide, []

    def interrupted(search, assumptions):
        calls.append(search.solver)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return decide(search, assumptions)

    monkeypatch.setattr(pysat_engine.PysatSearch, "decide", interrupted)
    with pytest.raises(KeyboardInterrupt):
        backend.solve(problem, Solutions(None))
    assert backend.solve(problem, Solutions(None)).count == 12
    assert calls[2] is not calls[3]


@pytest.mark.parametrize(
    ("speed", "fastest"),
    [
        (
            10,
            10**9,
        ),  # limits so low that they end the enumeration: must continue, not take it for proof
        (3000, 10**12),
        (10**7, 10**12),  # the end can never be told from a limit: always ask again
    ],
)
def test_pycosat_tells_a_propagation_limit_from_the_end(monkeypatch, speed, fastest):
    pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    monkeypatch.setattr(pycosat_engine, "SPEED", speed)
    monkeypatch.setattr(pycosat_engine, "FASTEST", fastest)
    for problem, count in ((latin(3).problem(), 12), (permutations(5), 120), (pigeons(5), 0)):
        for options in ("direct,pycosat", "extended,pycosat,amo=commander"):
            result = make(options).solve(problem, Solutions(None), Limits(seconds=100))
            assert (result.count, result.repeats) == (count, 0)
            assert result.stopped_by == "exhausted"


def test_pycosat_starts_again_with_a_larger_limit(monkeypatch):
    pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    monkeypatch.setattr(pycosat_engine, "SPEED", 20)
    result = make("direct,pycosat").solve(pigeons(6), Solutions(1), Limits(seconds=100))
    assert result.status == "UNSATISFIABLE"


@pytest.mark.parametrize(
    "name",
    samples.only(
        *("few-clues.txt", "hardest.txt", "none.txt", "several.txt", "anchor_17clue_200.txt"),
        *("anchor_hardest_11plus_100.txt", "zero_solutions.txt", "serg_multi_solution.txt"),
    ),
)
def test_sudoku_by_a_sequence_of_calls(name):
    structure = sudoku()
    backends = [make("extended,cadical153,reuse=solver"), make("direct,glucose4,reuse=solver")]
    for line in samples.lines(name)[:15]:
        givens = {i: int(digit) for i, digit in enumerate(line) if digit != "."}
        problem = structure.problem(givens)
        for backend in backends:
            result = backend.solve(problem, Solutions(2, 2), Limits(seconds=60))
            assert result.count == samples.SETS[name][1]
            assert not [v for row in result.solutions for v in violations(problem, row)]


def test_twelve_solutions():
    text = "   456789679813245548927136   594678857361492964782513   648957796135824485279361"
    givens = {i: int(digit) for i, digit in enumerate(text) if digit != " "}
    for options in ("", "direct,glucose4", "reuse=solver", "amo=sequential"):
        result = make(options).solve(sudoku().problem(givens), Solutions(None))
        assert (result.count, result.exhausted) == (12, True)


def test_a_sum_over_many_variables_does_not_recurse():
    problem = build_problem(
        {f"x{i}": range(2) for i in range(3000)}, [Linear(range(3000), (1,) * 3000, "==", 3000)]
    )
    assert make("").solve(problem).solutions[0] == (1,) * 3000


# --- how clauses reach a solver ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cadical153", "glucose4", "minisat22"])
def test_clauses_go_straight_to_the_library(name, monkeypatch):
    from backends.sat.engines import PYSAT
    from backends.sat.engines.pysat_engine import Pysat

    library = Pysat(name, PYSAT[name])

    def one_by_one(*arguments):
        raise AssertionError("a clause went through the method in Python")

    monkeypatch.setattr(library.solver, "add_clause", one_by_one)
    solver = library.load([(1, 2), (-1, 3), (-2,)], seed=None)
    assert solver.solve()
    assert solver.get_model() == [1, -2, 3]
    solver.delete()


def solver_class(**methods):
    from pysat.solvers import Minisat22

    return type("Other", (Minisat22,), methods)


def test_a_library_that_hides_its_function_is_given_clauses_its_own_way():
    from backends.sat.engines.pysat_engine import _passing

    hidden = solver_class(add_clause=lambda self, clause, no_return=True: None)
    assert _passing(hidden) is hidden.append_formula


def test_a_function_that_loses_clauses_is_not_used(monkeypatch):
    import pysolvers
    from pysat.solvers import Minisat22

    from backends.sat.engines.pysat_engine import _passing

    assert _passing(Minisat22) is not Minisat22.append_formula
    monkeypatch.setattr(pysolvers, "minisat22_add_cl", lambda handle, clause: True)
    assert _passing(Minisat22) is Minisat22.append_formula


@pytest.mark.parametrize("options", ["", "reuse=solver", "direct,kissat404"])
def test_loading_is_told_apart_from_encoding(options):
    problem = build_problem({c: range(5) for c in "abcde"}, [AllDifferent("abcde")])
    try:
        backend = make(options)
    except BackendUnavailable as missing:
        pytest.skip(str(missing))
    result = backend.solve(problem)
    assert {"encode", "load", "solve", "decode", "first_solution"} == set(result.phases)
