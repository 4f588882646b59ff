"""The python-constraint backend: forms of constraints, edge cases, solvers, what is refused."""

import random
import sys
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends import python_constraint
from backends.interface import registry
from backends.interface.api import Accepted, AllOptima, Limits, Optimum, Refused, Solutions
from backends.python_constraint import OPTIONS, SOLVERS, make
from modelling.brute_force import solutions
from modelling.check import violations
from modelling.constraints import RELATIONS, AllDifferent, Linear, Table
from modelling.errors import BackendUnavailable, UnknownBackend, Unsupported
from modelling.problem import Objective, Problem, Structure, build_problem
from modelling.versions import find_version
from tests.backends.small_problems import queens, send_more, sudoku
from tests.data import samples

COMPLETE = [solver for solver in SOLVERS if solver != "minconflicts"]


def state_sudoku(text):
    return sudoku().problem({i: int(d) for i, d in enumerate(text) if d in "123456789"})


def enumerated(problem, solver="backtracking"):
    return make(solver).solve(problem, Solutions(None, None))


def test_names_and_options():
    assert make("").name == "python_constraint:auto"
    assert make("solver=recursive").name == "python_constraint:recursive"
    assert registry.get("python_constraint:optimized").name == "python_constraint:optimized"
    assert make("").family == "python_constraint"
    assert make("").version == find_version("python-constraint2") != ""
    assert [option.name for option in OPTIONS] == ["solver"]
    with pytest.raises(UnknownBackend, match="did you mean 'recursive'"):
        make("recursiv")


def test_only_minconflicts_is_incomplete():
    assert {solver for solver in SOLVERS if not make(solver).complete} == {"minconflicts"}


@pytest.mark.parametrize("solver", COMPLETE)
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_sums(solver, data):
    """The library's sums against the definition: negative numbers, gaps, several at once."""
    n = data.draw(st.integers(1, 4))
    values = st.sets(st.integers(-6, 9), min_size=1, max_size=4)
    domains = [tuple(sorted(data.draw(values))) for _ in range(n)]
    constraints = []
    for _ in range(data.draw(st.integers(1, 3))):
        scope = data.draw(st.permutations(range(n)))[: data.draw(st.integers(1, n))]
        factor = st.sampled_from([1, 1, 1, 2, -1, -3, 0, 1000, 10**25])
        factors = [data.draw(factor) for _ in scope]
        near = sum(
            f * data.draw(st.sampled_from(domains[v])) for f, v in zip(factors, scope, strict=True)
        )
        relation = data.draw(st.sampled_from(list(RELATIONS)))
        constraints.append(Linear(scope, factors, relation, near + data.draw(st.integers(-2, 2))))
    names = tuple(f"x{i}" for i in range(n))
    problem = Structure(names, tuple(domains), tuple(constraints)).problem()
    result = enumerated(problem, solver)
    assert sorted(result.solutions) == sorted(solutions(problem))
    assert result.exhausted


def test_sums_that_empty_each_others_domains():
    """The library looks for the largest of an empty domain when the first sum left nothing."""
    x = [Linear("xyz", (1, 1, 1), relation, total) for relation in RELATIONS for total in (99, -99)]
    for first in x:
        for second in x:
            problem = build_problem({"x": range(4), "y": range(4), "z": (2,)}, [first, second])
            expected = sorted(solutions(problem))
            assert sorted(enumerated(problem).solutions) == expected


def test_sums_use_the_librarys_own_propagation():
    """SEND + MORE = MONEY has 10**8 assignments; bounds on the sum leave a few thousand tries."""
    result = enumerated(send_more())
    assert result.solutions == ((7, 5, 1, 6, 0, 8, 9, 2),)
    assert result.statistics["nodes"] < 10_000


@pytest.mark.parametrize("solver", COMPLETE)
def test_edge_cases(solver):
    def answers(problem):
        result = enumerated(problem, solver)
        assert result.exhausted
        return result.solutions

    assert answers(build_problem({})) == ((),)
    assert answers(build_problem({}, [Linear((), (), "==", 0)])) == ((),)
    assert answers(build_problem({}, [Linear((), (), "==", 1)])) == ()
    assert answers(build_problem({"x": range(3)}, [Table((), (), allowed=True)])) == ()
    assert answers(build_problem({"x": range(3), "y": ()})) == ()
    closed = build_problem({"x": range(3), "y": range(2)}).structure
    assert answers(Problem(closed, (0b111, 0))) == ()
    assert sorted(answers(Problem(closed, (0b101, 0b10)))) == [(0, 1), (2, 1)]
    assert (
        len(answers(build_problem({"x": range(5), "free": range(-3, 4)}, [AllDifferent(())]))) == 35
    )


def test_a_limit_on_the_solutions():
    result = make("").solve(queens(6), Solutions(2, 2))
    assert (result.count, result.stopped_by, len(result.solutions)) == (2, "enough", 2)
    everything = make("").solve(queens(6), Solutions(5))
    assert (everything.count, everything.stopped_by) == (4, "exhausted")


def test_sudoku():
    text = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
    solved = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
    result = make("").solve(state_sudoku(text), Solutions(2))
    assert (result.count, result.exhausted) == (1, True)
    assert "".join(map(str, result.solutions[0])) == solved
    clash = text.replace("..3.2.6..", "..3.2.63.", 1)
    assert make("").solve(state_sudoku(clash)).status == "UNSATISFIABLE"


@pytest.mark.parametrize(
    "name",
    samples.only(
        "easy.txt", "several.txt", "easy50.txt", "random_easy.txt", "serg_multi_solution.txt"
    ),
)
def test_puzzle_sets(name):
    for line in samples.lines(name)[:4]:
        problem = state_sudoku(line)
        result = make("").solve(problem, Solutions(2, 2))
        assert result.count == samples.SETS[name][1]
        assert not [v for row in result.solutions for v in violations(problem, row)]


@pytest.mark.parametrize("solver", COMPLETE)
@pytest.mark.parametrize("ask", [Solutions(1), Solutions(None)])
def test_the_time_limit_stops_the_search(solver, ask):
    pigeons = build_problem({f"p{i}": range(11) for i in range(12)}, [AllDifferent(range(12))])
    result = make(solver).solve(pigeons, ask, Limits(seconds=0.1))
    assert (result.stopped_by, result.status) == ("time", "UNKNOWN")
    assert result.statistics["nodes"] > 10


def test_the_time_limit_keeps_what_was_found():
    free = build_problem({f"x{i}": range(9) for i in range(9)})
    result = make("").solve(free, Solutions(None), Limits(seconds=0.1))
    assert result.stopped_by == "time"
    assert result.count > 10


def test_the_node_limit_gives_up():
    result = make("").solve(queens(12), Solutions(None), Limits(nodes=50))
    assert result.stopped_by == "gave_up"
    assert result.statistics["nodes"] == 51


def test_minconflicts_finds_but_never_proves():
    backend = make("minconflicts")
    easy = build_problem({c: range(3) for c in "abc"}, [AllDifferent("abc")])
    found = backend.solve(easy, Solutions(1), Limits(seed=1))
    assert (found.status, found.stopped_by) == ("SATISFIABLE", "enough")
    assert not violations(easy, found.solutions[0])
    unsatisfiable = [
        build_problem({c: range(2) for c in "abc"}, [AllDifferent("abc")]),
        build_problem({"x": ()}),
        build_problem({}, [Linear((), (), "==", 1)]),
    ]
    for problem in unsatisfiable:
        result = backend.solve(problem, Solutions(1))
        assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    assert backend.solve(build_problem({}), Solutions(1)).count == 1


def test_minconflicts_is_repeatable_with_a_seed():
    backend = make("minconflicts")
    problem = queens(8)
    state_before = random.getstate()
    runs = {backend.solve(problem, Solutions(1), Limits(seed=7)).solutions for _ in range(3)}
    assert len(runs) == 1
    assert random.getstate() == state_before


def test_minconflicts_stops_in_time():
    wide = build_problem({f"p{i}": range(29) for i in range(30)}, [AllDifferent(range(30))])
    result = make("minconflicts").solve(wide, Solutions(1), Limits(seconds=0.05))
    assert result.stopped_by == "time"


@pytest.mark.parametrize("ask", [Solutions(2), Solutions(None), Optimum(), AllOptima(1)])
def test_minconflicts_refuses_to_count_and_to_optimise(ask):
    problem = build_problem({"x": range(3)}, objective=Objective("minimize", ("x",), (1,)))
    with pytest.raises(Unsupported, match="it is incomplete"):
        make("minconflicts").solve(problem, ask)


def test_the_recursive_solver_refuses_what_it_would_recurse_on():
    long = build_problem({f"x{i}": range(2) for i in range(801)})
    refused = make("recursive").accepts(long)
    assert isinstance(refused, Refused)
    assert "use backtracking" in refused.reason
    with pytest.raises(Unsupported, match="801 variables"):
        make("recursive").solve(long)
    assert isinstance(make("").accepts(long), Accepted)
    deep = build_problem({f"x{i}": range(2) for i in range(800)})
    assert make("recursive").solve(deep).count == 1


def test_what_a_result_reports():
    result = make("").solve(queens(5))
    assert set(result.phases) == {"encode", "load", "solve", "decode", "first_solution"}
    assert result.statistics["nodes"] >= 5
    assert not result.encoding_reused


def test_a_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "constraint", None)
    with pytest.raises(BackendUnavailable, match="pip install -U python-constraint2"):
        make("")


def installed(monkeypatch, **versions):
    names = {"old": "python-constraint", "new": "python-constraint2"}
    known = {names[which]: version for which, version in versions.items()}
    monkeypatch.setattr(python_constraint, "find_version", lambda d: known.get(d, ""))


def test_the_old_library_over_the_new_one_is_found_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "constraint", ModuleType("constraint"))
    sys.modules["constraint"].__file__ = "site/constraint/__init__.py"
    installed(monkeypatch, old="1.4.0", new="2.9.0")
    with pytest.raises(
        BackendUnavailable, match=r"1\.4\.0 was installed over .*2 2\.9\.0"
    ) as found:
        make("")
    assert "pip uninstall python-constraint, then" in str(found.value)
    installed(monkeypatch, old="1.4.0")
    with pytest.raises(BackendUnavailable, match=r"1\.4\.0 is installed instead: pip uninstall"):
        make("")
    installed(monkeypatch)
    with pytest.raises(BackendUnavailable, match=r"another module, from site/constraint.*rename"):
        make("")
    del sys.modules["constraint"].__file__
    installed(monkeypatch, new="2.9.0")
    with pytest.raises(BackendUnavailable, match=r"files of .* missing: pip install --force"):
        make("")


def test_the_old_library_that_cannot_even_be_imported(monkeypatch):
    monkeypatch.setitem(sys.modules, "constraint", None)
    installed(monkeypatch, old="1.4.0", new="2.9.0")
    with pytest.raises(BackendUnavailable, match=r"python-constraint 1\.4\.0 hides it .*pip unins"):
        make("")


@pytest.mark.parametrize("version", ["2.0.3", "2.7.3"])
def test_versions_whose_sums_lose_solutions_are_refused(monkeypatch, version):
    installed(monkeypatch, new=version)
    with pytest.raises(BackendUnavailable, match=f"the sums of {version} lose solutions"):
        make("")


@pytest.mark.parametrize("version", ["2.8.0", "2.10.1", "3.0"])
def test_later_versions_are_taken(monkeypatch, version):
    installed(monkeypatch, new=version)
    assert make("").version == version


def test_a_solver_without_iteration_is_refused(monkeypatch):
    import constraint

    base = constraint.Solver.getSolutionIter
    monkeypatch.setattr(constraint.RecursiveBacktrackingSolver, "getSolutionIter", base)
    with pytest.raises(BackendUnavailable, match="one by one: pip install -U"):
        make("recursive")
    assert make("backtracking").complete


def test_the_solver_of_the_library_is_the_one_that_was_asked_for():
    for solver, kind in python_constraint.SOLVERS.items():
        backend = registry.get(f"python_constraint:solver={solver}")
        assert backend.solver.classes[solver].__name__ == kind


def test_domains_of_two_values_are_searched_in_a_fixed_order_by_default():
    for values, chosen in ((2, "optimized"), (3, "backtracking")):
        result = make().solve(
            build_problem({"x": range(2), "y": range(values)}, [AllDifferent(("x", "y"))])
        )
        assert result.configuration == chosen
    assert make("backtracking").solve(build_problem({"x": range(2)})).configuration == ""
