"""The search that a problem states: what each rule chooses, and what a result says of it."""

from dataclasses import replace

import pytest

import concord
from backends.interface import registry
from backends.interface.api import Optimum, Solutions
from backends.propagation.encode.arena import Search, Settings, build
from backends.propagation.encode.draft import begin
from backends.propagation.forms import INTERPRETED, pure_form
from backends.propagation.kernel import branching
from backends.propagation.kernel import layout as at
from backends.propagation.kernel import stated as rules
from backends.propagation.kernel.branching import STATED
from backends.propagation.stated import CHOICES, INSTEAD, VALUES, StatedSearch
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.errors import ModelError, UnknownBackend
from modelling.formats.flatzinc import read
from modelling.problem import Phase, build_problem
from puzzles.family import family
from tests.backends.propagation.propagator_checks import begun

choose_value = INTERPRETED.bound(branching.choose_value)
choose_variable = INTERPRETED.bound(branching.choose_variable)


def stating(problem, *phases):
    """A problem with a stated search, each phase as Phase takes it."""
    search = tuple(Phase(*phase) for phase in phases)
    return replace(problem, structure=replace(problem.structure, search=search))


def begin_stated(domains, phases, constraints=()):
    """The arrays of a search by ``phases``, and where the variables lie."""
    problem = build_problem({f"x{k}": domain for k, domain in enumerate(domains)}, constraints)
    if constraints:
        arena, _ = begun(problem, pure_form())
    else:
        arena = build(begin(problem.structure), pure_form(), None, len(domains))
    cells = StatedSearch(tuple(Phase(*phase) for phase in phases)).cells()
    settings = Settings(branching=STATED, phases=cells)
    return Search(arena.S.copy(), arena.T, arena.memory(settings)), list(arena.places)


DOMAINS = [(5,), (2, 3, 4), (1, 7), (0, 1, 2, 3), (1, 2, 9)]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("input_order", 4),
        ("first_fail", 2),
        ("anti_first_fail", 3),
        ("smallest", 3),
        ("largest", 4),
        ("max_regret", 2),
        ("dom_w_deg", 2),
    ],
)
def test_the_rule_chooses_the_variable(choice, expected):
    search, places = begin_stated(DOMAINS, [((0, 4, 1, 2, 3), choice, "indomain_min")])
    assert choose_variable(*search) == places[expected]


def test_weights_divide_the_number_of_values():
    search, places = begin_stated(DOMAINS, [((1, 2, 3), "dom_w_deg", "indomain_min")])
    search.S[places[3] + at.WEIGHT] = 3
    assert choose_variable(*search) == places[3]


@pytest.mark.parametrize("choice", [*CHOICES])
def test_ties_go_to_the_variable_that_is_named_first(choice):
    search, places = begin_stated([(3,), *[(1, 2)] * 3], [((0, 2, 1, 3), choice, "indomain")])
    assert choose_variable(*search) == places[2]


@pytest.mark.parametrize(("weights", "expected"), [((3, 4), 1), ((2, 4), 2), ((1, 1), 1)])
def test_ratios_are_compared_crosswise(weights, expected):
    """3 values of weight 3 before 5 of weight 4; 5 of weight 4 before 3 of weight 2."""
    search, places = begin_stated(
        [(0,), range(3), range(5)], [((1, 2), "dom_w_deg", "indomain_min")]
    )
    for place, weight in zip(places[1:], weights, strict=True):
        search.S[place + at.WEIGHT] = weight
    assert choose_variable(*search) == places[expected]


@pytest.mark.parametrize(("choice", "expected"), [("occurrence", 2), ("most_constrained", 2)])
def test_constraints_of_a_variable_count(choice, expected):
    less = [Linear((f"x{k}", "x2"), (1, 1), "<=", 6) for k in (0, 1, 3)]
    search, places = begin_stated([range(4)] * 4, [((0, 1, 2, 3), choice, "indomain")], less)
    assert choose_variable(*search) == places[expected]


def test_terms_that_differ_count_as_a_constraint():
    differ, less = AllDifferent(("x0", "x1", "x2")), Linear(("x3", "x4"), (1, 1), "<=", 6)
    phases = [((3, 0), "occurrence", "indomain")]
    search, places = begin_stated([range(4)] * 5, phases, [differ, less])
    assert choose_variable(*search) == places[0]


def test_each_rival_counts():
    differ = [NotEqual(("x0", f"x{k}")) for k in (1, 2, 3)]
    phases = [((1, 0), "occurrence", "indomain")]
    search, places = begin_stated([range(4)] * 4, phases, differ)
    assert choose_variable(*search) == places[0]


def test_the_first_phase_with_an_open_variable_chooses_and_then_any_rule():
    phases = [((0, 1), "input_order", "indomain_max"), ((3, 2), "input_order", "indomain_min")]
    search, places = begin_stated([(4,), (1,), (2, 3), (6,), (7, 8)], phases)
    S, T, M = search
    assert choose_variable(S, T, M) == places[2]
    assert choose_value(S, T, M, places[2]) == 2
    S[places[2] + at.SIZE] = 1
    assert choose_variable(S, T, M) == places[4]
    assert choose_value(S, T, M, places[4]) == 7


VALUE = [
    ("indomain", (1, 2, 3, 8, 9), 1),
    ("indomain_min", (1, 2, 3, 8, 9), 1),
    ("indomain_max", (1, 2, 3, 8, 9), 9),
    ("indomain_median", (1, 2, 3, 8, 9), 3),
    ("indomain_median", (1, 2, 8, 9), 2),
    ("indomain_middle", (0, 1, 3, 8), 3),
    ("indomain_middle", (0, 1, 5, 8), 5),
    ("indomain_middle", (0, 2, 6, 8), 2),
    ("indomain_middle", (0, 4, 6, 8), 4),
    ("indomain_split", (1, 2), 1),
    ("indomain_reverse_split", (1, 2), 2),
    ("indomain_median", range(10_000), 0),  # an interval keeps what lies within
    ("indomain_max", range(10_000), 9_999),
]


@pytest.mark.parametrize(("values", "domain", "expected"), VALUE)
def test_the_rule_chooses_the_value(values, domain, expected):
    search, (x,) = begin_stated([domain], [((0,), "input_order", values)])
    assert choose_variable(*search) == x
    assert choose_value(*search, x) == expected


def test_lots_reach_each_value():
    search, (x,) = begin_stated([(1, 4, 6)], [((0,), "input_order", "indomain_random")])
    choose_variable(*search)
    drawn = [choose_value(*search, x) for _ in range(60)]
    assert set(drawn) == {1, 4, 6}
    state, expected = 0, []
    for _ in drawn:  # the generator of the C standard's example
        state = (1103515245 * state + 12345) % 2**31
        expected.append((1, 4, 6)[state // 256 % 3])
    assert drawn == expected


# --- whole searches ----------------------------------------------------------------------------

TEXT = """
array [1..2] of int: c = [1, 1];
var 0..3: x; var bool: b; var 0..2: z;
array [1..3] of var int: a = [z, x, 3];
constraint int_lin_le(c, [x, z], 4);
solve :: restart_luby(100) :: seq_search([
    int_search(a, input_order, indomain_max, complete), bool_search([b], input_order, indomain_min)
]) satisfy;
"""


def solutions_of(problem, options="", ask=Solutions(None, None)):
    return registry.get(f"propagation:pure,branching=stated{options}").solve(problem, ask)


def test_the_search_of_a_file_is_followed():
    problem = read(TEXT.encode(), "file")
    assert problem.structure.search == (
        Phase((2, 0), "input_order", "indomain_max"),
        Phase((1,), "input_order", "indomain_min"),
    )
    found = solutions_of(problem)
    order = [(z, x, b) for z in (2, 1, 0) for x in (3, 2, 1, 0) for b in (0, 1) if x + z <= 4]
    assert [(z, x, b) for x, b, z in found.solutions] == order
    assert found.configuration == "stated"


@pytest.mark.parametrize(
    "annotation",
    [
        "int_search(a, input_order, indomain_max, complete)",
        "int_search([x, 3, z], first_fail, indomain_split)",
        "int_search(nowhere, first_fail, indomain_min)",
        "int_search(a)",
        "int_search",
        "int_search([3], first_fail, indomain_min)",
        "bool_search(a, first_fail, indomain_min)",
        "float_search(a, 0.1, input_order, indomain_split, complete)",
        "priority_search([x], [int_search([z], smallest, indomain)], largest)",
    ],
)
def test_no_annotation_makes_a_file_unreadable(annotation):
    head, _, _ = TEXT.partition("solve")
    problem = read(f"{head}solve :: {annotation} satisfy;".encode(), "file")
    assert solutions_of(problem).count == 2 * 11


def test_what_is_done_instead_is_said():
    problem = build_problem({"x": range(3), "y": range(3)}, [NotEqual(("x", "y"))])
    found = solutions_of(
        stating(problem, ((0,), "impact", "indomain_split"), ((1,), "smallest", "outdomain_max"))
    )
    assert found.configuration == (
        "stated+impact as dom_w_deg+indomain_split as indomain_min+outdomain_max as indomain_min"
    )
    assert found.solutions[0] == (0, 1)


def test_a_problem_without_is_searched_as_by_default():
    problem = family("golomb").problem("6")
    found = solutions_of(problem, ask=Optimum())
    plain = registry.get("propagation:pure").solve(problem, Optimum())
    assert found.configuration == "unstated"
    assert found.statistics == plain.statistics


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("values", [*VALUES, *INSTEAD])
def test_every_rule_finds_every_solution_and_the_optimum(choice, values):
    names = [f"x{k}" for k in range(4)]
    problem = build_problem(
        {name: range(k, 5 + k) for k, name in enumerate(names)},
        [AllDifferent(tuple(names)), Linear(tuple(names), (1, -2, 1, 1), "<=", 5)],
    )
    found = solutions_of(stating(problem, ((3, 1, 0), choice, values)), ",seed=4")
    plain = registry.get("propagation:pure").solve(problem, Solutions(None))
    assert (found.count, found.digest) == (plain.count, plain.digest)


@pytest.mark.once
def test_both_forms_visit_the_same_nodes():
    problem = family("golomb").problem("6")
    variables = tuple(range(problem.structure.size))
    for choice in CHOICES:
        for values in VALUES:
            stated = stating(problem, (variables, choice, values))
            pure, compiled = (
                registry.get(f"propagation:{form},branching=stated").solve(stated, Optimum())
                for form in ("pure", "compiled")
            )
            assert pure.statistics == compiled.statistics, (choice, values)


def test_a_search_changes_neither_meaning_nor_digest():
    plain = build_problem({"x": range(3)})
    stated = stating(plain, ((0,), "largest", "indomain"))
    assert stated.structure == plain.structure
    assert stated.digest == plain.digest


def test_learning_has_its_own_rules():
    with pytest.raises(UnknownBackend, match="branching is a choice of backtracking"):
        registry.get("propagation:learning,branching=stated")


def test_a_phase_names_variables_of_the_problem():
    with pytest.raises(ModelError, match="search refers to variable 7"):
        stating(build_problem({"x": range(3)}), ((7,), "largest", "indomain"))


def test_the_tree_of_a_stated_search():
    problem = stating(concord.problem({"x": range(3)}, []), ((0,), "input_order", "indomain_max"))
    tree = concord.search_tree(problem, Solutions(1), branching="stated")
    assert tree.nodes[1][1] == "x=2"


def test_rules_have_names():
    assert sorted(CHOICES.values()) == list(range(rules.DOM_W_DEG + 1))
    assert set(VALUES.values()) == set(range(rules.INDOMAIN_RANDOM + 1))
