"""Problems as Python source: what it looks like, and that it says the same problem."""

from itertools import islice

import pytest

import concord
from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.suite import vocabulary
from concord import ModelError
from modelling.brute_force import optima, solutions
from modelling.formats import find_format
from modelling.formats.source import write
from modelling.problem import build_problem
from modelling.vocabulary import VOCABULARY


def source(problem):
    return "".join(write(problem))


def run(text):
    namespace = {}
    exec(compile(text, "source", "exec"), namespace)
    return namespace["m"].problem()


EXAMPLE = """\
import concord

m = concord.Model()
x = m.ints((2, 3), 1, 9, "x")
open_ = m.bools(2, "open")
gap = m.int([1, 3, 7], name="gap")

m.add(concord.all_different(x))
m.add(sum(x[0, :]) == 15)
m.add(2 * x[0, 0] - x[1, 0] <= 3)
m.add(x[0, 1] != gap)
m.add(open_[0].implies(x[1, 2] * gap > 7))
m.add(~open_[0] | (concord.distance(x[0, 0], gap) == 2))
m.add((x[0, 0] > 3).iff(open_[1]))
m.add(concord.all_([open_[0], x[0, 0] > 1, x[0, 1] < 9]).implies(gap >= 3))
m.add(concord.table(x[:, 1], [[1, 2], [2, "*"]]))
m.add(concord.count(x[1, :], [gap]) + concord.nvalue(x[0, :], except_=[1]) >= 1)
m.add(concord.lex([x[0, :], x[1, :]], strict=True))
m.add(concord.truncated(x[0, 0], x[0, 1]) == concord.remainder(gap, 2))

m.minimize(x[0, 0] - gap + 3)

m.output(x)
"""


def test_a_program_says_what_it_said():
    problem = run(EXAMPLE)
    assert source(problem) == EXAMPLE.replace("open_", "open_2")
    assert run(source(problem)).structure == problem.structure


def test_names_that_are_no_identifiers():
    names = ["x", "x[0]", "x[1]", "a b", "class", "m", "a_b", "y[0]", "y[2]", "é", "1st", "'\"", ""]
    problem = build_problem({name: range(2) for name in names}, [])
    text = source(problem)
    assert run(text).structure.names == tuple(name or "v12" for name in names)
    assert 'class_2 = m.bool("class")' in text
    assert 'x_0 = m.bool("x[0]")' in text


def test_givens_are_narrower_domains():
    m = concord.Model()
    x = m.ints((2, 2), 1, 4, "x")
    y = m.int(0, 10**9, "y")
    m.add(concord.all_different(x), y > x[0, 0])
    problem = m.problem().structure.problem({1: 3})
    text = source(problem)
    assert '    [m.int(1, 4, "x[0,0]"), m.int(3, 3, "x[0,1]")],\n' in text
    assert 'y = m.int(0, 1000000000, "y")' in text
    again = run(text)
    assert again.structure.domains == ((1, 2, 3, 4), (3,), *[(1, 2, 3, 4)] * 2, range(10**9 + 1))
    assert again.structure.constraints == problem.structure.constraints


def test_domains_too_large_to_be_listed():
    problem = build_problem(
        {"x": range(0, 10**9, 2), "y[0]": range(10**9), "y[1]": range(10**9)}, []
    )
    text = source(problem)
    assert 'x = m.int(range(0, 1000000000, 2), name="x")' in text
    assert 'y = m.ints(2, 0, 999999999, "y")' in text
    assert run(text).structure.domains == problem.structure.domains


def test_long_tables_are_broken_into_lines():
    m = concord.Model()
    x = m.ints(3, 0, 9, "x")
    m.add(concord.table(x, [(k, 9 - k, k) for k in range(10)]))
    text = source(m.problem())
    assert "m.add(concord.table(x, [[0, 9, 0],\n    [1, 8, 1],\n" in text
    assert run(text) == m.problem()


def test_drawn_problems_keep_their_solutions():
    kinds = vocabulary(concord.backend("propagation"))
    written = same = 0
    for kind, problem in islice(drawn_problems(5, kinds, VOCABULARY), 300):
        if kind.startswith("foreign"):
            with pytest.raises(ModelError, match="no class of Concord's vocabulary"):
                source(problem)
            continue
        text = source(problem)
        again = run(text)
        written += 1
        same += again.structure.constraints == problem.structure.constraints
        order = [again.structure.index[name] for name in problem.structure.names]
        found = sorted(tuple(values[k] for k in order) for values in solutions(again))
        assert found == sorted(solutions(problem)), text
        if problem.structure.objective is not None and found:
            assert optima(again)[0] == optima(problem)[0]
    assert written > 250
    assert same > written / 2


def test_it_is_a_format(capsys):
    form = find_format("python")
    assert (form.reads, form.writes) == (False, True)
    assert "".join(form.write(run(EXAMPLE))).startswith("import concord\n")


def test_a_constraint_of_ones_own_is_refused():
    class Odd(concord.Constraint):
        def holds(self, values):
            return sum(values) % 2 == 1

    problem = build_problem({"x": range(3)}, [Odd(("x",))])
    with pytest.raises(ModelError, match="Odd cannot be written as Python source"):
        source(problem)
