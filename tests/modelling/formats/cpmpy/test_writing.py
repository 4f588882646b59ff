"""Problems as CPMpy models, and as source that makes them: solved by CPMpy's own OR-Tools."""

from itertools import islice

import cpmpy as cp
import pytest
from cpmpy.transformations.get_variables import get_variables_model

import concord
from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.suite import vocabulary
from concord import ModelError
from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Implies, Linear, Not, NotEqual, Sum, Table, equals
from modelling.formats import find_format
from modelling.formats.cpmpy import write
from modelling.laws.checking import draw_case
from modelling.laws.drawing import structure_over
from modelling.problem import Objective, Structure, build_problem
from modelling.vocabulary import VOCABULARY

KINDS = vocabulary(concord.backend("propagation"))


def source(problem):
    return "".join(write(problem))


def run(text):
    namespace = {}
    exec(compile(text, "source", "exec"), namespace)
    return namespace["model"]


def counted(model, names):
    """Solutions on these variables, by CPMpy's own solver; without repeats."""
    known = {variable.name: variable for variable in get_variables_model(model)}
    found = []
    values = lambda: found.append(tuple(int(known[name].value()) for name in names))  # noqa: E731
    model.solveAll(solver="ortools", display=values)
    assert len(set(found)) == len(found)
    return sorted(found)


def read_back(model, names):
    problem = concord.from_cpmpy(model)
    order = [problem.structure.index[name] for name in names]
    every = concord.Solutions(None, keep=None)
    found = concord.solve(problem, every).solutions
    return sorted(tuple(values[k] for k in order) for values in found)


EXAMPLE = """\
import cpmpy as cp

x = cp.intvar(1, 9, shape=(2, 3), name="x")
b = cp.boolvar(shape=2, name="b")
gap = cp.intvar(1, 7, name="gap")

model = cp.Model()

model += cp.InDomain(gap, [1, 3, 7])
model += cp.AllDifferent(x.flatten())
model += cp.sum(x[0, :]) == 15
model += 2 * x[0, 0] - x[1, 0] <= 3
model += b[0].implies(x[1, 2] * gap > 7)
model += ~b[0] | (cp.Abs(x[0, 0] - gap) == 2)
model += (x[0, 0] > 3) == b[1]
model += cp.ShortTable(x[:, 1], [[1, 2], [2, "*"]])
model += cp.LexLess(x[0, :], x[1, :])
model += cp.Element(x[0, :], gap) + cp.Count(x[1, :], gap) >= 1
model += x[0, 0] // x[0, 1] == gap % 2

model.minimize(x[0, 0] - gap + 3)
"""


def test_a_program_says_what_it_said():
    problem = concord.from_cpmpy(run(EXAMPLE))
    text = source(problem)
    again = concord.from_cpmpy(run(text))
    first = dict(zip(problem.structure.names, problem.structure.domains, strict=True))
    assert dict(zip(again.structure.names, again.structure.domains, strict=True)) == first
    by_name = again.structure.index
    moved = [by_name[name] for name in problem.structure.names]
    expected = tuple(c.over([moved[v] for v in c.scope]) for c in problem.structure.constraints)
    assert again.structure.constraints == expected
    assert "model += cp.LexLess(x[0, :], x[1, :])" in text
    assert "model += ~b[0] | (cp.Abs(x[0, 0] - gap) == 2)" in text


def test_a_model_has_the_same_names_and_words():
    m = concord.Model()
    x = m.ints(3, 0, 2, "x")
    m.add(concord.all_different(x), x[0] < x[1])
    m.maximize(x[1] * x[2])
    model = concord.to_cpmpy(m)
    assert [str(c) for c in model.constraints] == [
        "alldifferent(x[0],x[1],x[2])",
        "(x[0]) < (x[1])",
    ]
    assert model.solve(solver="ortools")
    assert model.objective_value() == 2
    assert concord.from_cpmpy(model) == m.problem()


def test_reserved_names_and_free_variables():
    problem = build_problem({"IV1": range(2), "_IV1": range(2), "BV": range(3)}, [])
    model = run(source(problem))
    assert sorted(v.name for v in get_variables_model(model)) == ["_BV", "_IV1", "__IV1"]
    assert model.solveAll(solver="ortools") == 12
    assert concord.to_cpmpy(problem).solveAll(solver="ortools") == 12


def test_givens_empty_domains_and_constant_objectives():
    structure = build_problem({"x": range(4), "y": (0, 2)}, [NotEqual(("x", "y"))]).structure
    model = concord.to_cpmpy(structure.problem({0: 2}))
    assert counted(model, ["x", "y"]) == [(2, 0)]
    empty = build_problem({"x": (), "y": range(2)}, [])
    assert concord.to_cpmpy(empty).solveAll(solver="ortools") == 0
    assert run(source(empty)).solveAll(solver="ortools") == 0
    aimless = build_problem({"x": range(2)}, [], objective=Objective("minimize", Sum(())))
    assert "model.minimize(cp.intvar(0, 0))" in source(aimless)
    assert concord.to_cpmpy(aimless).solve(solver="ortools")


def test_domains_too_large_to_be_listed():
    model = concord.to_cpmpy(
        build_problem({"x": range(10**9), "y": range(3)}, [NotEqual(("x", "y"))])
    )
    assert model.solve(solver="ortools")
    gaps = build_problem({"x": range(0, 10**9, 2)}, [])
    with pytest.raises(ModelError, match="one here has 500,000,000"):
        concord.to_cpmpy(gaps)
    with pytest.raises(ModelError, match="lists the values of a domain with gaps"):
        source(gaps)


def test_what_is_nested_too_deeply_is_refused():
    literal = deep = Linear((0,), (1,), "==", 1)
    for _ in range(150):
        deep = Not(Implies(literal, deep))
    problem = Structure(("x",), ((0, 1),), (deep,)).problem()
    with pytest.raises(ModelError, match="nested too deeply to be written"):
        source(problem)


def test_tables_that_cpmpy_would_count_twice_are_rewritten():
    overlapping = Table(("x", "y"), (("*", 1), (2, "*"), (2, "*")))
    apart = Table(("x", "y"), (("*", 1), ("*", 0), ("*", 0)))
    implied = Implies(equals("b", 1), Table(("x",), ((1,), (1,), (2,))))
    for constraint, word in ((overlapping, ""), (apart, "ShortTable"), (implied, "")):
        problem = build_problem({"x": range(3), "y": range(3), "b": range(2)}, [constraint])
        assert ("ShortTable" in source(problem)) == (word == "ShortTable")
        model = concord.to_cpmpy(problem)
        assert counted(model, ["x", "y", "b"]) == sorted(solutions(problem))


def test_an_output_is_refused():
    problem = build_problem(
        {"x": range(2), "y": range(2)}, [AllDifferent(("x", "y"))], output=["x"]
    )
    with pytest.raises(ModelError, match="it cannot tell solutions apart by an output"):
        concord.to_cpmpy(problem)
    with pytest.raises(ModelError, match="CPMpy cannot say this problem"):
        source(problem)


@pytest.mark.parametrize("kind", VOCABULARY, ids=lambda kind: kind.__name__)
def test_every_class_of_the_vocabulary(kind):
    """Bare, reified and nested, as drawn: CPMpy's own solver and Concord count what is true."""
    for seed in range(6):
        case = draw_case(kind, 900 + seed, 40)
        structure = structure_over(case.domains, (case.constraint,))
        problem = structure.problem()
        model = concord.to_cpmpy(problem)
        expected = sorted(solutions(problem))
        assert read_back(model, structure.names) == expected, (seed, case)
        assert counted(model, structure.names) == expected, (seed, case)


def test_drawn_problems_keep_their_solutions():
    tried = 0
    for kind, problem in islice(drawn_problems(0, KINDS, VOCABULARY), 120):
        structure = problem.structure
        if not structure.names or structure.output is not None or kind.startswith("foreign"):
            continue
        tried += 1
        expected = sorted(solutions(problem))
        model = run(source(problem))
        assert read_back(model, structure.names) == expected, source(problem)
        if structure.objective is not None:
            if expected:
                assert model.solve(solver="ortools")
                assert model.objective_value() == optima(problem)[0]
            model.objective_ = None
        assert counted(model, structure.names) == expected, source(problem)
    assert tried > 80


def test_it_is_a_format():
    form = find_format("cpmpy")
    assert (form.reads, form.writes) == (False, True)
    problem = build_problem({"x": range(3)}, [Linear(("x",), (2,), ">=", 2)])
    assert cp.__version__
    assert "".join(form.write(problem)) == (
        'import cpmpy as cp\n\nx = cp.intvar(0, 2, name="x")\n\n'
        "model = cp.Model()\n\nmodel += 2 * x >= 2\n"
    )
