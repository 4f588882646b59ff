"""Integers as literals: every encoding gives the same literals, and determines all of them."""

import random
import subprocess
import sys
from itertools import pairwise, product
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from backends.conformance.positions import POSITIONS, ask_position, draw_position
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.handlers import profile_of
from backends.sat import make
from backends.sat.at_most_one import ENCODINGS
from backends.sat.cnf import Cnf
from backends.sat.encode import begin, finish
from backends.sat.gates import conjunction, disjunction, equivalence, parity, sum_and_carry
from backends.sat.integers.choice import MOST_DIRECT, MOST_ORDER, forms_of
from backends.sat.integers.integer import View
from backends.sat.integers.log import at_least, at_most, outside
from backends.sat.sums import adder, counter, totalizer
from modelling import constraints as mc
from modelling.brute_force import solutions
from modelling.problem import Objective, Problem, Structure, build_problem
from modelling.rewriting import rewrite

pytestmark = pytest.mark.once  # each encoding of integers

FORMS = ["direct", "order", "log"]
SUMS = ["diagram", "totalizer", "counter", "adder"]


def models(cnf):
    with Minisat22(bootstrap_with=[list(clause) for clause in cnf.clauses]) as solver:
        return list(solver.enum_models())


def integers(form, *domains):
    """Integers in a formula of their own, each Boolean named."""
    names = tuple(f"x{k}" for k in range(len(domains)))
    structure = Structure(names, tuple(map(tuple, domains)), ())
    draft = begin(structure, ENCODINGS["pairwise"], False, form)
    made = [draft.integer(k) for k in range(len(domains))]
    return draft, made


def read(draft, cnf):
    """Each model with the values that it stands for."""
    encoding = finish(draft)
    return [(model, encoding.assignment(encoding.chosen(model))) for model in models(cnf)]


def is_true(model, literal):
    return model[abs(literal) - 1] == literal


domains = st.sets(st.integers(-9, 14), min_size=1, max_size=9).map(sorted)


@pytest.mark.parametrize("form", FORMS)
@given(domains, st.sampled_from([1, -1, 3, -2]), st.integers(-3, 3))
@settings(max_examples=25, deadline=None)
def test_literals_of_a_view_are_what_they_say_and_determined(form, domain, factor, offset):
    draft, (integer,) = integers(form, domain)
    view = View(integer, factor, offset)
    values = [factor * value + offset for value in domain]
    asked = range(min(values) - 2, max(values) + 3)
    literals = {v: (view.value_literal(v), view.step(v)) for v in asked}
    digits = integer.digits()
    found = read(draft, draft.cnf)
    assert sorted(value for _, (value,) in found) == domain
    assert (view.low, view.high, view.size) == (min(values), max(values), len(values))
    assert list(view) == sorted(values)
    for model, (value,) in found:
        for v, (equal, reached) in literals.items():
            assert is_true(model, equal) == (factor * value + offset == v)
            assert is_true(model, reached) == (factor * value + offset >= v)
        weighted = sum(weight for weight, x in digits.weighted if is_true(model, x))
        assert digits.offset + weighted == value


@pytest.mark.parametrize("width", [1, 3, 5])
def test_a_binary_number_is_kept_out_of_an_interval_by_few_clauses(width):
    bits = list(range(1, width + 1))
    for least, most in product(range(1 << width), repeat=2):
        clauses = list(outside(bits, least, most)) if least <= most else []
        assert len(clauses) <= 2 * width
        for number in range(1 << width):
            model = [x if number >> x - 1 & 1 else -x for x in bits]
            kept = all(any(is_true(model, x) for x in clause) for clause in clauses)
            assert kept == (not least <= number <= most)
    assert list(at_most(bits, -1)) == [()] == list(at_least(bits, 1 << width))
    assert list(at_most(bits, 1 << width)) == [] == list(at_least(bits, 0))


def test_gates_fold_constants_and_repeats():
    rng = random.Random(0)
    for _ in range(200):
        cnf = Cnf()
        literals = [cnf.new() for _ in range(3)]
        cnf.name(literals)
        pool = [*literals, *(-x for x in literals), cnf.true, -cnf.true]
        a, b, c = (rng.choice(pool) for _ in range(3))
        last, first = sum_and_carry(cnf, a, b, c)
        gates = conjunction(cnf, (a, b, c)), disjunction(cnf, (a, b, c)), parity(cnf, (a, b, c))
        both, clauses = equivalence(cnf, a, b), len(cnf.clauses)
        again = conjunction(cnf, (c, a, b)), disjunction(cnf, (b, c, a)), parity(cnf, (a, b, c))
        assert (again, len(cnf.clauses)) == (gates, clauses)
        found = models(cnf)
        assert len(found) == 8
        for model in found:
            x, y, z = (is_true(model, literal) for literal in (a, b, c))
            said = tuple(is_true(model, gate) for gate in (last, first, *gates, both))
            carry = x + y + z >= 2
            odd = bool((x + y + z) % 2)
            assert said == (odd, carry, x and y and z, x or y or z, odd, x == y)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("technique", [totalizer, counter, adder])
def test_a_sum_is_an_integer(form, technique):
    rng = random.Random(f"{form}{technique.__name__}")
    for _ in range(25):
        chosen = [
            sorted(rng.sample(range(-3, 6), rng.randint(2, 3))) for _ in range(rng.randint(1, 4))
        ]
        factors = [rng.choice((1, 1, -1, 2, -3, 40)) for _ in chosen]
        draft, made = integers(form, *chosen)
        terms = list(zip(factors, made, strict=True))
        cap = None if technique is adder else rng.choice((None, 1, 3, 7))
        total = technique.total(draft.cnf, terms, *([] if technique is adder else [cap]))
        sums = sorted(
            {sum(f * v for f, v in zip(factors, row, strict=True)) for row in product(*chosen)}
        )
        most = sums[-1] if cap is None else min(sums[-1], sums[0] + cap)
        steps = {value: total.step(value) for value in range(sums[0] - 1, most + 2)}
        found = read(draft, draft.cnf)
        assert len(found) == len({row for _, row in found}) == len(list(product(*chosen)))
        for model, row in found:
            value = sum(f * v for f, v in zip(factors, row, strict=True))
            for v, reached in steps.items():
                assert is_true(model, reached) == (v <= sums[0] or min(value, most) >= v), (v, row)


@pytest.mark.parametrize("technique", [totalizer, counter])
def test_the_size_of_a_merged_sum_is_bounded(technique):
    rng = random.Random(3)
    for _ in range(30):
        draft, made = integers("order", *([(0, 1)] * rng.randint(2, 20)))
        terms = [(rng.choice((1, 1, 1, 2, 5)), integer) for integer in made]
        cap = rng.choice((None, 2, 5))
        before = len(draft.cnf.clauses)
        technique.total(draft.cnf, terms, cap)
        assert len(draft.cnf.clauses) - before <= technique.clauses(terms, cap) + 1
    at_most_five = [(1, integer) for integer in made]
    assert technique.clauses(at_most_five, 2) < technique.clauses(at_most_five, None)


def sample():
    """Sums, comparisons, tables, truths and gaps over four variables and a Boolean."""
    truth = mc.Truth(mc.Linear((0, 1), (1, -1), "<", 0))
    return build_problem(
        {"a": range(-2, 4), "b": (0, 3, 4, 9), "c": range(5), "d": (-5, 5), "e": (0, 1), "f": (7,)},
        [
            mc.AllDifferent("abc"),
            mc.NotEqual("bd"),
            mc.Linear((0, 1, 2, truth, 3), (2, -1, 3, 4, 1), "<=", 11),
            mc.Implies(mc.Linear("e", (1,), "==", 1), mc.Linear("ab", (1, 1), "==", 3)),
            mc.Iff(mc.Linear("e", (1,), "==", 0), mc.Linear("cb", (2, -1), ">=", 1)),
            mc.Table("ac", ((-2, 1), (0, 4), (1, 2), (3, 0), (2, 3), (-1, 2), (0, 0)), True),
            mc.Linear("abcd", (1, 1, 1, 1), "!=", 9),
        ],
        objective=Objective("maximize", "abcd", (1, -2, 3, 1)),
    )


def engines():
    return ["cadical153", "minisat22,reuse=solver", "pycosat"]


@pytest.mark.parametrize("engine", engines())
@pytest.mark.parametrize("form", ["auto", *FORMS])
def test_all_encodings_of_integers_count_alike(form, engine):
    if engine == "pycosat":
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    problem = sample()
    expected = sorted(solutions(problem))
    best = max(map(problem.structure.objective.value, expected))
    for sums in ("auto", *SUMS):
        backend = make(f"{engine},integers={form},sums={sums}")
        result = backend.solve(problem, Solutions(None, None))
        assert sorted(result.solutions) == expected
        optimum = backend.solve(problem, Optimum())
        assert (optimum.status, optimum.objective) == ("OPTIMUM", best)
        every = backend.solve(problem, AllOptima(None, None))
        assert {problem.structure.objective.value(row) for row in every.solutions} == {best}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("options", ["cadical153", "minisat22,reuse=solver"])
def test_an_instance_may_close_any_values(form, options):
    structure = Structure(
        ("x", "y", "z"),
        (tuple(range(9)), (-4, 0, 1, 2, 8, 30), (0, 1)),
        (mc.Linear((0, 1), (1, 1), "<=", 9), mc.NotEqual((0, 2))),
    )
    backend = make(f"{options},integers={form}")
    rng = random.Random(form)
    for _ in range(40):
        masks = tuple(rng.randrange(1, 1 << len(domain)) for domain in structure.domains)
        problem = Problem(structure, masks)
        result = backend.solve(problem, Solutions(None, None))
        assert sorted(result.solutions) == sorted(solutions(problem)), masks
    assert backend.solve(structure.problem(), Solutions(None)).count == sum(
        1 for _ in solutions(structure.problem())
    )


def test_a_domain_that_cannot_be_listed():
    problem = build_problem(
        {"x": range(0, 10**12, 3), "y": range(-(10**9), 10**9), "z": range(4)},
        [
            mc.Linear("xy", (1, -1000), "==", 17),
            mc.Linear("xz", (1, 1), "<", 400),
            mc.Linear("y", (1,), ">=", -3),
        ],
    )
    backend = make("")
    result = backend.solve(problem, Solutions(None, None))
    assert result.exhausted
    assert sorted(result.solutions) == []
    assert {row[0] for row in result.solutions} <= set(range(0, 400, 3))
    looser = build_problem(
        {"x": range(0, 10**12, 3), "y": range(10**9)},
        [mc.Linear("xy", (1, -1000), "==", 15), mc.Linear("x", (1,), "<=", 7000)],
        objective=Objective("minimize", "xy", (-3, 7)),
    )
    found = backend.solve(looser, Solutions(None, None))
    assert sorted(found.solutions) == [(15, 0), (3015, 3), (6015, 6)]
    assert backend.solve(looser, Optimum()).solutions == ((6015, 6),)
    given = looser.structure.problem({0: 3015})
    assert backend.solve(given, Solutions(None, None)).solutions == ((3015, 3),)
    assert backend.solve(looser, AllOptima(None, None)).count == 1


def test_large_domains_are_as_large_as_their_use():
    sizes = MOST_DIRECT + 1, MOST_ORDER + 1
    structure = build_problem(
        {
            "small": range(5),
            "boolean": range(2),
            "compared": range(sizes[0]),
            "other": range(sizes[0]),
            "summed": range(sizes[0]),
            "valued": range(sizes[0]),
            "long": range(sizes[1]),
        },
        [
            mc.Linear(("compared", "other"), (1, -1), "<=", 0),
            mc.Linear(("summed", "small", "boolean"), (1, 1, 1), "<=", 9),
            mc.AllDifferent(("small", "valued")),
            mc.Linear(("long",), (1,), ">=", 7),
        ],
    ).structure
    expected = ["direct", "order", "order", "order", "log", "order", "log"]
    assert forms_of(structure, "auto") == expected
    assert forms_of(structure, "log") == ["log"] * 7


def test_a_boolean_that_is_a_formula_takes_no_clause():
    formula = mc.Linear(("x", "y"), (1, -1), "<", 0)
    pair = {"x": range(5), "y": range(5)}
    plain = make("").solve(build_problem(pair, [mc.NotEqual("xy")]), Solutions(None))
    defined = build_problem(
        {**pair, "b": (0, 1)}, [mc.NotEqual("xy"), mc.Iff(mc.Linear("b", (1,), "==", 1), formula)]
    )
    result = make("").solve(defined, Solutions(None, None))
    assert result.count == plain.count == 20
    assert all(b == (x < y) for x, y, b in result.solutions)
    given = defined.structure.problem({2: 1})
    assert make("").solve(given, Solutions(None)).count == 10
    free = build_problem({"b": (0, 1), **pair}, [], output=["b"])
    assert make("").solve(free, Solutions(None)).count == 2


def test_booleans_defined_in_a_circle_or_a_long_chain():
    def same(one, other):
        return mc.Iff(mc.Linear((one,), (1,), "==", 1), mc.Linear((other,), (1,), "==", 1))

    circle = build_problem(
        dict.fromkeys("abc", (0, 1)), [same("a", "b"), same("b", "c"), same("c", "a")]
    )
    assert make("").solve(circle, Solutions(None)).count == 2
    names = [f"b{k}" for k in range(2000)]
    chain = [same(one, other) for one, other in pairwise(names)]
    long = build_problem(dict.fromkeys(names, (0, 1)), chain)
    limit = sys.getrecursionlimit()
    assert make("").solve(long, Solutions(None, 0)).count == 2
    assert sys.getrecursionlimit() == limit


def test_the_last_bound_of_a_sum_of_digits():
    """Optima over domains of a thousand values, by bounds on the digits of the objective."""
    problem = build_problem(
        {"x": range(1000), "y": range(1000), "z": range(1000)},
        [mc.Linear("xyz", (3, 5, -7), "<=", 1234), mc.Linear("xy", (1, 1), "<=", 1001)],
        objective=Objective("maximize", "xyz", (5, 4, -6)),
    )
    result = make("integers=log").solve(problem, Optimum(), Limits(seconds=60))
    assert result.status == "OPTIMUM"
    every = max(
        5 * x + 4 * y - 6 * max(0, -((1234 - 3 * x - 5 * y) // 7))
        for x in range(1000)
        for y in range(min(1000, 1002 - x))
        if max(0, -((1234 - 3 * x - 5 * y) // 7)) < 1000
    )
    assert result.objective == every


def test_extremes_by_steps():
    for form in FORMS:
        problem = build_problem(
            {"x": range(4), "y": (-1, 2, 5), "z": range(-2, 7)},
            [mc.Linear((mc.Maximum(("x", "y", mc.constant(1))), "z"), (1, -1), "==", 0)],
        )
        result = make(f"integers={form}").solve(problem, Solutions(None, None))
        assert sorted(result.solutions) == sorted(solutions(problem))


MEASURED = """
import resource, sys
from backends.sat import make
from modelling.constraints import AllDifferent
from modelling.problem import build_problem
from modelling.terms import Affine, constant, constants
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
n = 3000
names = {f"x{i}": range(300) for i in range(300)}
pairwise = make("integers=direct,amo=pairwise")
print(pairwise.accepts(build_problem(names, [AllDifferent(tuple(range(300)))])).reason)
few = {f"x{i}": range(9) for i in range(n)}
print(make("").accepts(build_problem(few, [Circuit(tuple(range(n)))])).reason)
lengths = tuple(constant(1) for _ in range(n))
print(make("").accepts(build_problem(few, [NoOverlap(tuple(range(n)), lengths)])).reason)
try:  # of this program alone: what getrusage tells begins at the peak of whoever started it
    with open("/proc/self/status") as file:
        print(next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024)
except FileNotFoundError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 << 20))  # macOS: in bytes
"""


def test_what_would_take_gigabytes_is_refused_while_it_is_small():
    """13 million clauses of pairs, 100 million of a circuit, a rewrite of 180 million numbers."""
    pytest.importorskip("resource", reason="Windows does not tell what a process has used")
    run = subprocess.run(
        [sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True, timeout=100
    )
    *reasons, megabytes = run.stdout.splitlines()
    assert [("5,000,000" in reasons[k], "amo=product" in reasons[k]) for k in (0, 1)] == [
        (True, True)
    ] * 2
    assert "NoOverlap would be rewritten to about 180,060,000 numbers" in reasons[2]
    assert int(megabytes) < 300


@pytest.mark.parametrize(
    "kind", [mc.Circuit, mc.Cumulative, mc.Inverse, mc.Element, mc.Quotient, mc.Regular]
)
@pytest.mark.parametrize("form", ["auto", *FORMS])
def test_a_handler_is_right_in_every_position(form, kind):
    backend = make(f"minisat22,integers={form}")
    for number in range(3):
        for position in POSITIONS:
            answered = ask_position(backend, draw_position(kind, position, number))
            assert (answered.refused, answered.faults) == ("", ()), (position, number)


def test_larger_ones_are_what_they_mean():
    """Tours of more nodes, and tasks at more times, than are drawn."""
    for n, count in ((2, 1), (3, 2), (5, 24), (6, 120)):
        tours = build_problem({f"x{i}": range(n) for i in range(n)}, [mc.Circuit(tuple(range(n)))])
        assert make("").solve(tours, Solutions(None, 0)).count == count
    assert make("").solve(build_problem({"x": (0,)}, [mc.Circuit((0,))])).count == 0
    starts = {f"s{i}": range(0, 9, 2) for i in range(3)}
    tasks = mc.Cumulative(
        (0, 1, mc.Affine(2, -1, 8)), mc.constants(3, 2, 4), mc.constants(2, 1, 2), mc.constant(3)
    )
    problem = build_problem(starts, [tasks])
    expected = list(solutions(problem))
    assert 0 < len(expected) < 5**3
    assert make("").solve(problem, Solutions(None, 0)).count == len(expected)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_an_objective_with_a_fixed_variable(form, sense):
    """The fixed one adds a constant, by which every bound on the other one is moved."""
    constraints = (mc.Linear((0,), (1,), ">", 1), mc.Linear((0,), (1,), "<", 5))
    objective = Objective(sense, (0, 1), (1, -3))
    problem = Structure(("x", "y"), (tuple(range(7)), (1,)), constraints, objective).problem()
    result = make(f"integers={form}").solve(problem, Optimum())
    assert (result.status, result.objective) == ("OPTIMUM", -1 if sense == "minimize" else 1)


# --- growth --------------------------------------------------------------------------------------


def _circuit(n):
    return build_problem({f"x{i}": range(n) for i in range(n)}, [mc.Circuit(tuple(range(n)))])


def _cumulative(n):
    tasks = mc.Cumulative(
        tuple(range(n)), mc.constants(*[3] * n), mc.constants(*[2] * n), mc.constant(7)
    )
    return build_problem({f"s{i}": range(60) for i in range(n)}, [tasks])


def _regular(n):
    arcs = tuple((s, v, (2 * s + v) % 5) for s in range(5) for v in range(3))
    return build_problem(
        {f"x{i}": range(3) for i in range(n)}, [mc.Regular(tuple(range(n)), arcs, 0, (0, 1))]
    )


def _inverse(n):
    inverse = mc.Inverse(tuple(range(n)), tuple(range(n, 2 * n)))
    return build_problem({f"x{i}": range(n) for i in range(2 * n)}, [inverse])


@pytest.mark.parametrize("form", ["order", "log"])
@pytest.mark.parametrize(
    ("make", "stated"), [(_circuit, 2), (_cumulative, 2), (_regular, 1), (_inverse, 2)]
)
def test_encodings_grow_as_their_classes_state(make, stated, form):
    """The exponent between n and 2n terms; binary digits add a logarithm."""
    driver = registry.get(f"sat:integers={form}")
    sizes = []
    for n in (33, 66) if make is _circuit else (17, 34):
        rewritten = rewrite(make(n).structure, profile_of(driver.solver.handlers))
        sizes.append(len(driver.preparation.encode("", rewritten.structure).clauses))
    assert 0 < log2(sizes[1] / sizes[0]) < stated + 0.35
