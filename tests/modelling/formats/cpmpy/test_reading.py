"""CPMpy's models as Problems: names, order, meanings, and what is refused."""

import random
from itertools import product

import cpmpy as cp
import numpy as np
import pytest
from cpmpy.expressions.globalconstraints import GlobalConstraint
from cpmpy.expressions.utils import argval

import concord
from concord import ModelError
from modelling.constraints import AllDifferent, And, Iff, Linear, NotEqual, Table, Truth
from modelling.formats.cpmpy.global_constraints import WORDS
from results.studies.correctness import cpmpy_constraints as study


def solutions(problem):
    found = []
    for values in product(*problem.structure.domains):
        if not concord.violations(problem, values):
            found.append(values)
    return found


def test_names_and_the_order_of_first_mention():
    x, b = cp.intvar(1, 3, shape=(2, 2), name="x"), cp.boolvar(name="b")
    y = cp.intvar(-1, 1)
    problem = concord.from_cpmpy(cp.Model(b.implies(x[1, 0] > y), cp.AllDifferent(x)))
    structure = problem.structure
    assert structure.names == ("b", "x[1,0]", y.name, "x[0,0]", "x[0,1]", "x[1,1]")
    assert structure.domains[:3] == ((0, 1), (1, 2, 3), (-1, 0, 1))
    assert structure.constraints[1] == AllDifferent((3, 4, 1, 5))
    assert structure.objective is None
    assert structure.output is None


def test_what_a_person_would_state():
    x = cp.intvar(0, 5, shape=3, name="x")
    b, c = cp.boolvar(name="b"), cp.boolvar(name="c")
    model = cp.Model(
        x[0] + 2 * x[1] - 3 <= x[2],
        x[0] != x[1],
        (x[0] > 1) == ~b,
        cp.sum([b, ~c, x[0] == 2]) >= 1,
        cp.Table([x[0], x[1]], [[1, 2], [2, 1]]),
        b & c,
        minimize=x[0] - x[1],
    )
    structure = concord.from_cpmpy(model).structure
    one, two, three, b_, c_ = (structure.index[n] for n in ("x[0]", "x[1]", "x[2]", "b", "c"))
    assert structure.constraints == (
        Linear((one, two, three), (1, 2, -1), "<=", 3),
        NotEqual((one, two)),
        Iff(Linear((one,), (1,), ">", 1), Linear((b_,), (1,), "==", 0)),
        Linear((b_, c_, Truth(Linear((one,), (1,), "==", 2))), (1, -1, 1), ">=", 0),
        Table((one, two), ((1, 2), (2, 1))),
        And((Linear((b_,), (1,), "==", 1), Linear((c_,), (1,), "==", 1))),
    )
    assert structure.objective.sense == "minimize"
    assert structure.objective.coefficients == (1, -1)


def test_constants_of_all_kinds():
    x, b = cp.intvar(0, 2, name="x"), cp.boolvar(name="b")
    model = cp.Model(True, np.bool_(True), cp.BoolVal(True), x == np.int64(1), b == True)  # noqa: E712
    assert solutions(concord.from_cpmpy(model)) == [(1, 1)]
    assert solutions(concord.from_cpmpy(cp.Model(x == 1, False))) == []
    assert concord.from_cpmpy(cp.Model()).structure.size == 0
    aimless = concord.from_cpmpy(cp.Model(x == 1, minimize=cp.BoolVal(True)))
    assert concord.solve(aimless, concord.Optimum()).objective == 1
    late = cp.NoOverlapOptional([True, x], [1, 1], is_present=[b, True])
    assert len(solutions(concord.from_cpmpy(cp.Model(late)))) == 5


@pytest.mark.parametrize("kind", study.KINDS)
def test_drawn_constraints_mean_what_cpmpy_says(kind):
    for seed in range(12):
        row = study.Row(kind)
        assert list(study.differences(kind, seed, 60, (), row)) == []
        assert row.assignments


def test_every_class_of_cpmpy_is_read_and_drawn():
    """But for Concord's own refusal; a class that a new CPMpy brings shows here."""
    known = {
        kind.__name__
        for module in (cp.expressions.globalconstraints, cp.expressions.globalfunctions)
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    known -= {"GlobalConstraint", "GlobalFunction", "FloatSum"}
    assert known <= set(WORDS)
    assert known - set(study.CONSTRAINTS) == {"DirectConstraint"}


def test_undefined_terms_falsify_the_nearest_expression():
    x, y, b = cp.intvar(0, 2, name="x"), cp.intvar(0, 1, name="y"), cp.boolvar(name="b")
    inner = x // y == 1
    for constraint in (inner, ~inner, inner == b, b | inner, cp.max([x % y, 0]) == 0):
        problem = concord.from_cpmpy(cp.Model(constraint, x >= 0, y >= 0, b >= 0))
        order = [problem.structure.names.index(name) for name in ("x", "y", "b")]
        found = {tuple(values[k] for k in order) for values in solutions(problem)}
        expected = set()
        for values in product(range(3), range(2), range(2)):
            x._value, y._value, b._value = values
            if argval(constraint):
                expected.add(values)
        assert found == expected, constraint


def test_an_objective_must_be_defined():
    x, y = cp.intvar(0, 4, name="x"), cp.intvar(-1, 1, name="y")
    problem = concord.from_cpmpy(cp.Model(x >= 1, y >= -1, maximize=x // y))
    assert {values[1] for values in solutions(problem)} == {-1, 1}
    best = concord.solve(problem, concord.Optimum())
    assert (best.objective, best.solutions) == (4, ((4, 1),))


def test_an_index_is_inside_in_every_dimension():
    cube = cp.cpm_array(list(range(8))).reshape((2, 2, 2))
    i, j, k = (cp.intvar(-1, 2, name=name) for name in "ijk")
    element = cp.expressions.globalfunctions.NDElement(cube, [i, j, k])
    found = solutions(concord.from_cpmpy(cp.Model(element >= 0)))
    assert sorted(found) == list(product(range(2), repeat=3))


def test_a_constraint_of_ones_own_is_read_by_its_decomposition():
    class Apart(GlobalConstraint):
        def __init__(self, x, y):
            super().__init__("apart", (x, y))

        def decompose(self):
            gap = cp.intvar(-10, 10, name="gap")
            return [abs(gap) >= 2], [gap == self.args[0] - self.args[1]]

    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 3, name="y")
    problem = concord.from_cpmpy(cp.Model(~Apart(x, y)))
    assert problem.structure.names == ("x", "y", "gap")
    assert problem.structure.output == (0, 1)
    for backend in ("propagation", "cpsat"):
        counted = concord.solve(problem, concord.Solutions(None), backend=backend)
        assert counted.count == sum(abs(a - b) < 2 for a, b in product(range(4), repeat=2))


def test_what_is_refused_says_why():
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 5, name="x")
    with pytest.raises(ModelError, match="two variables of this CPMpy model are called 'x'"):
        concord.from_cpmpy(cp.Model(x > y))
    with pytest.raises(ModelError, match="DirectConstraint 'AddCircuit' calls"):
        concord.from_cpmpy(cp.Model(cp.DirectConstraint("AddCircuit", (x,))))
    with pytest.raises(ModelError, match="the exponent 100000 is not between"):
        concord.from_cpmpy(cp.Model(x**100_000 > 1))
    model = cp.Model(x > 0)
    model.objective_, model.objective_is_min = object(), True
    with pytest.raises(ModelError, match="CPMpy's object cannot be read"):
        concord.from_cpmpy(model)
    deep = x
    for _ in range(5_000):
        deep = cp.Maximum([deep, 0])
    with pytest.raises(ModelError, match="nested too deeply"):
        concord.from_cpmpy(cp.Model(deep > 0))


def test_whole_models_count_alike():
    """Several drawn constraints at once, against CPMpy's values."""
    for seed in range(20):
        rng = random.Random(seed)
        d = study.Drawer(rng, 60)
        if not d.integers:
            continue
        drawn = [study.CONSTRAINTS[rng.choice(study.KINDS)](d) for _ in range(3)]
        constraint = cp.all([one for one in drawn if not isinstance(one, bool)])
        variables = d.integers + d.booleans
        expected = sum(truth for _, truth in study.truths(constraint, variables))
        problem = concord.from_cpmpy(cp.Model([constraint, *(v >= v.lb for v in variables)]))
        assert concord.solve(problem, concord.Solutions(None)).count == expected, seed
