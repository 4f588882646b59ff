"""Models: variables and their names and domains, what is posted, objectives, output; solving."""

import pytest

import concord
from modelling.constraints import FALSE, Sum
from modelling.errors import ModelError, Unfinished
from modelling.problem import LISTED, build_problem


@pytest.fixture
def m():
    return concord.Model()


def test_domains_in_every_spelling(m):
    m.int(1, 3, "a")
    m.int([7, 1, 3, 3], name="b")
    m.int(range(0, 10, 4), name="c")
    m.bool("d")
    m.int({5}, name="e")
    m.int(3, 2, "f")
    m.int(0, LISTED, "g")
    small = ((1, 2, 3), (1, 3, 7), (0, 4, 8), (0, 1), (5,), ())
    assert m.problem().structure.domains == (*small, range(LISTED + 1))


def test_equal_domains_are_one_object(m):
    m.ints((10, 10), 1, 9, "x")
    m.ints(10, [3, 1, 2], name="y")
    m.int([1, 2, 3], name="z")
    domains = m.problem().structure.domains
    assert all(domain is domains[0] for domain in domains[:100])


def test_names(m):
    m.ints((2, 2), 0, 1, "x")
    m.int(0, 1)
    m.bools(2)
    names = ("x[0,0]", "x[0,1]", "x[1,0]", "x[1,1]", "v4", "v5[0]", "v5[1]")
    assert m.problem().structure.names == names
    for again in ("x", "x[0,1]", "v5[1]", "v4"):
        with pytest.raises(ModelError, match=r"is called .* already; choose another name"):
            m.int(0, 1, again)


def test_wrong_domains_and_shapes(m):
    for trap, match in [
        (lambda: m.int(3), "3 is no domain"),
        (lambda: m.int("abc"), "'abc' is no domain"),
        (lambda: m.int([1, 2], "z"), "write name='z'"),
        (lambda: m.int(1, 2.5), "2.5 is no integer"),
        (lambda: m.int([1.0]), "1.0 is no integer"),
        (lambda: m.ints(2.5, 0, 1), "2.5 is no integer"),
        (lambda: m.ints((2, -1), 0, 1), "negative length"),
    ]:
        with pytest.raises(ModelError, match=match):
            trap()


def test_what_can_be_added(m):
    x = m.ints(3, 0, 9, "x")
    b = m.bool("b")
    m.add(x[0] > 1, [x[1] > 1, (one > 2 for one in x)])
    m.add(x < 9)
    m.add(b, True, concord.all_([]))
    assert len(m.problem().structure.constraints) == 9
    m.add(False)
    assert m.problem().structure.constraints[-1] == FALSE
    assert m.count() == 0
    assert m.solve() is None


def test_a_problem_is_made_once_and_again_when_the_model_changes(m):
    x = m.int(0, 3, "x")
    before = m.problem()
    assert m.problem() is before
    m.add(x > 1)
    assert m.count() == 2
    m.int(0, 1, "y")
    assert m.count() == 4
    m.output(x)
    assert m.count() == 2
    m.minimize(x)
    assert m.optimum().x == 2


def test_objectives(m):
    x, y = m.int(0, 5, "x"), m.int(0, 5, "y")
    m.add(x + y >= 4)
    with pytest.raises(ModelError, match="no objective; call minimize or maximize"):
        m.optimum()
    m.minimize(2 * x + y + 3)
    assert m.problem().structure.objective.term.value_at((1, 2)) == 7
    best = m.optimum(backend="cpsat")
    assert (best.x, best.y, best.objective) == (0, 4, 7)
    with pytest.raises(ModelError, match="an objective already"):
        m.maximize(x)


def test_a_linear_objective_is_what_every_backend_takes(m):
    x = m.ints(3, 0, 5, "x")
    m.maximize(x[0] + 2 * x[2] - x[0])
    objective = m.problem().structure.objective
    assert objective.is_linear
    assert objective.term == Sum((2,), (2,))


def test_an_objective_that_can_be_undefined_is_refused_with_the_remedy(m):
    x, y = m.int(0, 5, "x"), m.int(0, 5, "y")
    for made in (
        lambda: concord.truncated(x, y),
        lambda: x + concord.array([1, 2, 3])[y],
        lambda: concord.maximum(x, concord.remainder(x, y)),
    ):
        with pytest.raises(ModelError, match=r"has no value for some .* z = m.int\(least, most\)"):
            m.minimize(made())
    m.minimize(x // (y + 1))
    assert m.optimum().objective == 0


def test_no_solution(m):
    x = m.int(0, 3, "x")
    m.add(x > 5)
    m.minimize(x)
    assert m.solve() is None
    assert m.solutions() == []
    assert m.count() == 0
    assert m.optimum() is None


def test_some_solutions(m):
    x = m.ints(4, 0, 9, "x")
    m.add(concord.increasing(x, strict=True))
    assert len(m.solutions(5)) == 5
    assert len(set(m.solutions())) == m.count() == 210


def test_a_search_that_a_limit_ended_says_so(m):
    x = m.ints(12, 0, 11, "x")
    m.add(concord.all_different(x))
    m.maximize(sum(k * one for k, one in enumerate(x)))
    with pytest.raises(Unfinished, match="more seconds, or try another backend") as told:
        m.count(nodes=3)
    assert told.value.result.stopped_by == "gave_up"
    with pytest.raises(Unfinished) as told:
        m.optimum(nodes=40)
    assert sorted(told.value.best["x"]) == list(range(12))


def test_models_are_compared_in_worker_processes(m, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    x = m.ints((2, 2), 0, 3, "x")
    m.add(concord.all_different(x))
    m.minimize(concord.maximum(x) - x[0, 0])
    other = concord.Model()
    other.int(0, 3, "y")
    run = m.compare(["propagation", "brute_force"], seconds=20)
    assert set(run.jobs["set"]) == {"optima"}
    assert set(run.jobs["verdict"]) == {"verified"}
    run = concord.compare({"one": m, "two": other}, "propagation", seconds=20)
    assert dict(zip(run.jobs["instance"], run.jobs["set"], strict=True)) == {
        "one": "optima",
        "two": "problems",
    }
    assert set(run.jobs["outcome"]) == {"finished"}


def test_what_concord_takes_of_a_problem_it_takes_of_a_model(m):
    x = m.int(0, 3, "x")
    m.add(x != 2)
    assert concord.solve(m, concord.Solutions(None)).count == 3
    assert repr(m) == "<Model: 1 variables, 1 constraints>"


@pytest.mark.parametrize("size", [0, -1, True, "12", float("inf"), float("nan")])
def test_a_size_is_a_number_above_0(size):
    with pytest.raises(ModelError, match="above 0"):
        concord.Model(size=size)


def test_a_model_hands_its_size_on():
    assert concord.Model(size=12).problem().size == 12
    assert concord.Model().problem().size is None
    assert build_problem({"x": [1]}, size=3, givens={"x": 1}).size == 3
