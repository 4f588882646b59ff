"""CP-SAT: what is its own; the conformance suite does the rest."""

import random
from dataclasses import dataclass
from itertools import combinations, permutations, product

import pytest

from backends.cpsat.formulations import FORMULATIONS, intervals, merged
from backends.cpsat.handlers import formulate
from backends.cpsat.parameters import LEVELS
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from modelling.constraints import AllDifferent, Constraint, Linear, Not, NotEqual, Or, Table
from modelling.errors import BackendError, UnknownBackend, Unsupported
from modelling.laws.drawing import structure_over
from modelling.problem import Objective, build_problem
from modelling.versions import find_version
from puzzles.family import family

cp_model = pytest.importorskip("ortools.sat.python.cp_model")


@pytest.mark.parametrize(
    ("values", "flat"),
    [((), []), ((3,), [3, 3]), ((1, 2, 5), [1, 2, 5, 5]), ((-2, -1, 0, 4, 5), [-2, 0, 4, 5])],
)
def test_intervals(values, flat):
    assert intervals(values) == flat


@pytest.mark.parametrize("options", ["", ":booleans", ":presolve=off", ":booleans,presolve=off"])
def test_eight_queens_are_all_found(options):
    problem = family("queens").problem("8")
    result = registry.get(f"cpsat{options}").solve(problem, Solutions(None, 0))
    assert (result.count, result.exhausted, result.repeats) == (92, True, 0)


def test_enumeration_with_several_workers_is_refused():
    problem = family("queens").problem("8")
    with pytest.raises(Unsupported, match="2 workers: CP-SAT returns wrong counts"):
        registry.get("cpsat").solve(problem, Solutions(None), Limits(threads=2))
    result = registry.get("cpsat").solve(problem, Solutions(1), Limits(threads=2))
    assert result.status == "SATISFIABLE"


def test_values_beyond_its_integers_are_refused():
    backend = registry.get("cpsat")
    problem = build_problem({"x": (0, 1 << 60)})
    assert "reaches beyond" in backend.accepts(problem).reason
    with pytest.raises(Unsupported, match="reaches beyond"):
        backend.solve(problem)


def test_the_sink_sees_incumbents_of_an_optimum():
    problem = build_problem(
        {"x": range(50), "y": range(50)},
        [Linear(("x", "y"), (3, 5), "<=", 100)],
        objective=Objective("maximize", ("x", "y"), (2, 3)),
    )
    seen = []

    def sink(values):
        seen.append(values)
        return True

    result = registry.get("cpsat").solve(problem, Optimum(), Limits(), sink)
    assert result.status == "OPTIMUM"
    assert result.objective == result.bound == 2 * seen[-1][0] + 3 * seen[-1][1]


@pytest.mark.parametrize("backend", ["cpsat", "cpsat:alldifferent,presolve=off"])
def test_a_limit_on_conflicts_is_not_told_as_one_on_time(backend):
    """With both, as an experiment may have them throughout."""
    hard = family("costas").problem("12")
    result = registry.get(backend).solve(hard, Solutions(1), Limits(seconds=60, conflicts=1))
    assert (result.stopped_by, result.status) == ("gave_up", "UNKNOWN")


# --- constraints that CP-SAT does not know --------------------------------------------------------


@dataclass(frozen=True)
class Product(Constraint):
    """The third value is the product of the first two."""

    def holds(self, values):
        return values[0] * values[1] == values[2]


def products(largest):
    numbers = range(1, largest + 1)
    return build_problem({"x": numbers, "y": numbers, "z": (6, 35)}, [Product(("x", "y", "z"))])


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_no_constraint_is_skipped_without_a_word(formulation):
    with pytest.raises(BackendError, match="cannot pose Product"):
        formulate(cp_model, formulation, products(7).structure)


def test_a_value_of_one_variable_alone_needs_no_constraint():
    """Only the value that both can have is kept apart."""
    model = formulate(cp_model, "booleans", structure_over([(0, 1), (1, 2)], ()))
    before = len(model.model.proto.constraints)
    model.all_different((0, 1), (model.literal(),))
    assert len(model.model.proto.constraints) == before + 1


# --- tables over the same variables ---------------------------------------------------------------

ROWS = ((-8, -7), (-8, 11), (-4, 11), (4, -3), (-4, -3))
APART = Table("xy", ((-8, 7), (4, -7)))


@pytest.mark.parametrize("options", ["", ":alldifferent,presolve=off", ":booleans", ":presolve=on"])
@pytest.mark.parametrize(
    ("other", "count"),
    [
        (Table("xy", ROWS), 0),
        (Table("yx", tuple(row[::-1] for row in ROWS)), 0),
        (Table("xyz", tuple((*row, k % 3) for k, row in enumerate(ROWS))), 0),
        (Table("xyz", ((4, -7, 2), (4, -7, 1), (-8, 7, 0), (-8, 11, 0))), 3),
        (Table("y", ((7,), (11,))), 3),
    ],
)
def test_tables_over_the_same_variables(options, other, count):
    """CP-SAT 9.15 without presolve ends the process on the first three, posed as they stand."""
    domains = {"x": (-8, -5, -4, 4), "y": (-7, -3, -1, 7, 11), "z": (0, 1, 2)}
    problem = build_problem(domains, [APART, other])
    assert registry.get(f"cpsat{options}").solve(problem, Solutions(None, None)).count == count


def test_merged_tables_have_the_solutions_of_all():
    rng = random.Random(1)
    for _ in range(200):
        tables = []
        for _ in range(rng.randint(0, 5)):
            scope = tuple(rng.sample(range(4), rng.randint(1, 3)))
            every = product(range(2), repeat=len(scope))
            tables.append(Table(scope, tuple(row for row in every if rng.random() < 0.7)))
        apart = merged(tables)

        def fits(those, row):
            return all(t.holds([row[v] for v in t.scope]) for t in those)

        for row in product(range(2), repeat=4):
            assert fits(tables, row) == fits(apart, row)
        assert not [
            (one, other)
            for one, other in permutations(apart, 2)
            if set(one.scope) <= set(other.scope)
        ]


# --- what auto takes -----------------------------------------------------------------------------

THREE = {"x": range(4), "y": range(4), "z": range(4)}
NAMES = ("x", "y", "z")
WEIGHED = Objective("maximize", NAMES, (1, 2, 3))
AT_MOST = Linear(NAMES, (1, 1, 1), "<=", 5)
PAIRS = [NotEqual(pair) for pair in combinations(NAMES, 2)]


@pytest.mark.parametrize(
    ("constraints", "objective", "ask", "taken"),
    [
        ([AllDifferent(NAMES)], None, Solutions(1), "booleans,presolve=off"),
        ([AllDifferent(NAMES)], None, Solutions(2), "booleans,presolve=off"),
        (PAIRS[:1], None, Solutions(None), "booleans,presolve=off"),
        (PAIRS, None, Solutions(1), "alldifferent,presolve=light"),
        ([Linear(("x", "y"), (1, -1), "!=", 1)], None, Solutions(1), "booleans,presolve=off"),
        ([Linear(("x", "y"), (1, -1), "<", 1)], None, Solutions(1), "alldifferent,presolve=off"),
        ([AT_MOST], None, Solutions(None), "alldifferent,presolve=on"),
        ([Table(("x", "y"), ((1, 2),))], None, Solutions(1), "alldifferent,presolve=off"),
        ([AT_MOST], WEIGHED, Optimum(), "alldifferent,presolve=light"),
        ([AT_MOST], Objective("maximize", ("x",), (1,)), Optimum(), "alldifferent,presolve=off"),
        ([AT_MOST, AllDifferent(NAMES)], WEIGHED, Optimum(), "alldifferent,presolve=off"),
        ([AT_MOST], WEIGHED, AllOptima(), "alldifferent,presolve=light"),
        (
            [Linear(("x", "y"), (1, -1), "!=", 1)],
            None,
            Solutions(None),
            "booleans,presolve=off,search=fixed",
        ),
        (
            [AllDifferent(NAMES), AT_MOST],
            None,
            Solutions(None),
            "alldifferent,presolve=off,search=fixed",
        ),
        ([AllDifferent(NAMES), AT_MOST], None, Solutions(2), "alldifferent,presolve=off"),
        (
            [AllDifferent(NAMES), AT_MOST, AT_MOST],
            None,
            Solutions(None),
            "alldifferent,presolve=on",
        ),
        (
            [AllDifferent(NAMES), AT_MOST],
            Objective("minimize", ("z",), (1,)),
            Optimum(),
            "alldifferent,presolve=on",
        ),
        (
            [AllDifferent(NAMES), AT_MOST],
            Objective("minimize", ("z",), (1,)),
            Solutions(1),
            "alldifferent,presolve=off",
        ),
    ],
)
def test_what_is_taken_depends_on_the_structure_and_the_ask(constraints, objective, ask, taken):
    problem = build_problem(THREE, constraints, objective=objective)
    assert registry.get("cpsat").solve(problem, ask).configuration == taken


def test_what_is_said_is_taken():
    problem = build_problem(THREE, [AllDifferent(NAMES)])
    said = (
        "booleans,presolve=on",
        "alldifferent,presolve=light",
        "alldifferent,presolve=off,search=fixed",
    )
    for options in said:
        result = registry.get(f"cpsat:{options}").solve(problem)
        assert result.configuration == options
    result = registry.get("cpsat:alldifferent").solve(problem, Solutions(1), Limits(threads=2))
    assert result.configuration == "alldifferent,presolve=on,workers=2"


@pytest.mark.parametrize("options", ["alldifferent", "presolve=off", "workers=2"])
def test_the_measured_search_belongs_to_what_was_chosen(options):
    """What is said of the rest leaves the solver its own search."""
    problem = build_problem(THREE, [AllDifferent(NAMES), AT_MOST])
    assert "search=fixed" in registry.get("cpsat").solve(problem, Solutions(None)).configuration
    ask = Solutions(1) if options == "workers=2" else Solutions(None)
    said = registry.get(f"cpsat:{options}").solve(problem, ask)
    assert "search=" not in said.configuration


@pytest.mark.parametrize("pigeons", [6, 12])
def test_more_variables_than_values_have_no_trial(pigeons):
    structure = structure_over(
        [range(pigeons - 1)] * pigeons, [AllDifferent(tuple(range(pigeons)))]
    )
    result = registry.get("cpsat").solve(structure.problem())
    assert result.status == "UNSATISFIABLE"
    assert result.configuration == "alldifferent,presolve=on"


def test_large_grids_are_posed_as_integers():
    for order, taken in ((9, "booleans,presolve=off"), (16, "alldifferent,presolve=on")):
        problem = family("latin").problem(f"{order}:" + "." * order**2)
        assert registry.get("cpsat").solve(problem).configuration == taken


# --- several workers -----------------------------------------------------------------------------


def test_workers_are_asked_for_by_name():
    backend = registry.get("cpsat:workers=2")
    assert backend.name == "cpsat:workers=2"
    problem = build_problem(THREE, [AT_MOST], objective=WEIGHED)
    result = backend.solve(problem, Optimum())
    assert (result.status, result.objective) == ("OPTIMUM", 13)
    assert result.configuration.endswith("workers=2")
    for ask in (Solutions(2), Solutions(None), AllOptima()):
        with pytest.raises(Unsupported, match="enumeration with 2 workers"):
            backend.solve(problem, ask)


def test_the_limit_on_threads_bounds_the_workers():
    backend = registry.get("cpsat:workers=8")
    problem = build_problem(THREE, [AT_MOST])
    result = backend.solve(problem, Solutions(None, 0), Limits(threads=1))
    assert result.exhausted
    assert result.count == 44
    assert registry.get("cpsat:workers=1").solve(problem, Solutions(1), Limits(threads=4)).count


@pytest.mark.parametrize("words", ["workers=0", "workers=-1", "workers=many", "workers=1.5"])
def test_workers_are_a_number(words):
    with pytest.raises(UnknownBackend, match="workers"):
        registry.get(f"cpsat:{words}")


# --- the kept case: docs/disagreements.md --------------------------------------------------------

FORBIDDEN = [
    *((4, 2, 4), (3, 2, 4), (4, 2, 1), (1, 3, 1), (1, 2, 1), (2, 2, 4)),
    *((3, 3, 1), (1, 3, 2), (2, 2, 1), (2, 3, 4), (4, 3, 1), (1, 3, 4)),
]
CLOSED = {(0, 4), (1, 3), (3, 4), (3, 1)}
PLACES = (0, 3, 1)


def status(**parameters):
    """What CP-SAT says of the kept case: permutations of four, some forbidden."""
    model = cp_model.CpModel()
    is_value = [{v: model.new_bool_var("") for v in range(1, 5)} for _ in range(4)]
    for of in is_value:
        model.add_exactly_one(of.values())
    for v in range(1, 5):
        model.add_exactly_one(of[v] for of in is_value)
    for i, v in CLOSED:
        model.add(is_value[i][v] == 0)
    integers = {i: model.new_int_var(1, 4, "") for i in PLACES}
    for i, integer in integers.items():
        model.add(integer == sum(v * b for v, b in is_value[i].items()))
    model.add_forbidden_assignments([integers[i] for i in PLACES], FORBIDDEN)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    return solver.status_name(solver.solve(model))


def test_the_kept_case_has_solutions():
    allowed = [
        p
        for p in permutations(range(1, 5))
        if tuple(p[i] for i in PLACES) not in FORBIDDEN and all(p[i] != v for i, v in CLOSED)
    ]
    assert allowed == [(1, 4, 3, 2), (2, 1, 4, 3), (3, 1, 4, 2)]
    assert status(cp_model_presolve=False) == "OPTIMAL"
    assert status(presolve_inclusion_work_limit=0) == "OPTIMAL"


@pytest.mark.xfail(
    find_version("ortools").startswith("9.15"),
    reason="CP-SAT 9.15 answers INFEASIBLE: docs/disagreements.md",
    strict=True,
)
def test_presolve_of_9_15_loses_solutions():
    assert status() == "OPTIMAL"


@pytest.mark.parametrize(
    ("coefficients", "constant"),
    [((1 << 70, 1), (1 << 70) + 1), ((4 * 10**18, 4 * 10**18), 8 * 10**18), ((1, 1), 1 << 60)],
)
def test_sums_beyond_its_integers_are_refused(coefficients, constant):
    backend = registry.get("cpsat")
    linear = Linear(("x", "y"), coefficients, "==", constant)
    for made in (linear, Not(linear), Or((Not(linear), linear))):
        problem = build_problem({"x": range(4), "y": range(4)}, [made])
        assert "a sum of 2 terms reaches beyond" in backend.accepts(problem).reason


@pytest.mark.parametrize("factor", [1 << 53, 1 << 58, 1 << 63, 1 << 70])
def test_an_objective_beyond_doubles_is_not_optimised(factor):
    """Its bounds are doubles, and end its search: docs/disagreements.md has a wrong optimum."""
    backend = registry.get("cpsat")
    objective = Objective("maximize", ("x", "y"), (factor, 1))
    problem = build_problem({"x": (1, 2, 3), "y": range(45)}, [], objective=objective)
    assert backend.solve(problem, Solutions(None, 0)).count == 135
    for ask in (Optimum(), AllOptima(None, 1)):
        with pytest.raises(Unsupported, match="an objective that reaches beyond 9007199254740992"):
            backend.solve(problem, ask)


# --- local search ---------------------------------------------------------------------------------


def _objective(problem):
    names = problem.structure.names
    different = AllDifferent(tuple(names))
    weighed = Objective("maximize", tuple(names), tuple(range(1, len(names) + 1)))
    return build_problem(
        {name: range(len(names)) for name in names}, [different], objective=weighed
    )


def test_local_search_finds_one_and_claims_nothing_of_the_others():
    backend = registry.get("cpsat:ls")
    assert backend.name == "cpsat:search=ls"
    assert not backend.complete
    different = build_problem(
        {name: range(6) for name in "abcdef"}, [AllDifferent(tuple("abcdef"))]
    )
    result = backend.solve(different)
    assert (result.count, result.stopped_by) == (1, "enough")
    assert len(set(result.solutions[0])) == 6
    assert "search=ls" in result.configuration
    for ask in (Solutions(2), Solutions(None), AllOptima()):
        with pytest.raises(Unsupported, match="local search is incomplete"):
            backend.solve(_objective(different), ask)


@pytest.mark.parametrize("name", ["cpsat:ls", "cpsat:ls,presolve=on", "cpsat:ls,workers=2"])
def test_local_search_never_says_unsatisfiable(name):
    tight = build_problem({name: range(2) for name in "abc"}, [AllDifferent(tuple("abc"))])
    odd = build_problem({"x": range(9), "y": range(9)}, [Linear(("x", "y"), (2, 2), "==", 7)])
    empty = build_problem({"x": ()}, [])
    for problem in (tight, odd, empty):
        for limits in (Limits(seconds=0.2), Limits()):
            result = registry.get(name).solve(problem, limits=limits)
            assert result.status == "UNKNOWN"
            assert result.stopped_by in ("gave_up", "time")


def test_local_search_has_a_good_solution_and_no_proof():
    problem = _objective(build_problem({name: range(5) for name in "abcde"}, []))
    events = []
    result = registry.get("cpsat:ls").solve(
        problem, Optimum(), Limits(seconds=0.3), emit=lambda event: events.append(event) or True
    )
    assert (result.status, result.objective) == ("SATISFIABLE", 40)
    assert result.solutions == ((0, 1, 2, 3, 4),)
    assert events


def test_variables_left_unfixed_are_no_optimum():
    """Why no backend sets ``instantiate_all_variables`` to false (docs/disagreements.md)."""
    rng = random.Random("knapsack/0")
    names = tuple(f"x{i}" for i in range(10))
    weights = tuple(rng.randint(5, 40) for _ in names)
    objective = Objective("maximize", names, tuple(w + rng.randint(-3, 6) for w in weights))
    room = Linear(names, weights, "<=", sum(weights) * 2 // 3)
    problem = build_problem({name: range(3) for name in names}, [room], objective=objective)
    assert registry.get("propagation").solve(problem, Optimum()).objective == 182
    reached = {}
    for every in (True, False):
        model, solver = formulate(cp_model, "alldifferent", problem.structure), cp_model.CpSolver()
        parameters = {**LEVELS["off"], "num_workers": 1, "instantiate_all_variables": every}
        for name, value in parameters.items():
            setattr(solver.parameters, name, value)
        total = cp_model.LinearExpr.weighted_sum(model.expressions, objective.coefficients)
        model.model.maximize(total)
        assert solver.solve(model.model) == cp_model.OPTIMAL
        best = model.reader(problem)(solver.response_proto.solution)
        reached[every] = problem.structure.objective.value(best)
    assert reached[True] == 182
    assert reached[False] != 182
