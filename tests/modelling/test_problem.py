"""Structures, problems, digests, the checker, the oracle and the rewrites."""

import subprocess
import sys
from dataclasses import replace

import pytest

from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Objective, Problem, build_problem
from modelling.rewriting import Declined, Profile, rewrite


def queens(n):
    rows = range(n)
    return build_problem(
        {f"q{r}": range(n) for r in rows},
        [AllDifferent([f"q{r}" for r in rows])]
        + [
            Linear((f"q{a}", f"q{b}"), (1, -1), "!=", sign * (b - a))
            for a in rows
            for b in range(a + 1, n)
            for sign in (1, -1)
        ],
    )


@pytest.mark.parametrize(("n", "count"), [(4, 2), (5, 10), (6, 4), (7, 40)])
def test_the_oracle_counts_queens(n, count):
    assert len(list(solutions(queens(n)))) == count


def test_no_variables_is_one_empty_solution():
    assert list(solutions(build_problem({}))) == [()]
    assert list(solutions(build_problem({}, [Linear((), (), ">", 0)]))) == []
    assert list(solutions(build_problem({"x": (3,)}, [Linear((), (), "==", 0)]))) == [(3,)]


def test_an_empty_domain_is_no_solution():
    assert list(solutions(build_problem({"x": (), "y": (1, 2)}))) == []
    structure = build_problem({"x": (1, 2)}).structure
    assert list(solutions(Problem(structure, (0,)))) == []


def test_a_free_variable_multiplies_the_count():
    assert len(list(solutions(build_problem({"x": range(3), "y": (-5, 7)})))) == 6


def test_of_solutions_with_one_output_the_first_stands_for_all():
    different = build_problem({"x": range(3), "y": range(2)}, [NotEqual(("x", "y"))])
    on_y = replace(different.structure, output=(1,))
    assert list(solutions(on_y.problem())) == [(0, 1), (1, 0)]
    on_nothing = replace(different.structure, output=())
    assert list(solutions(on_nothing.problem())) == [(0, 1)]


def test_optima():
    problem = build_problem(
        {"x": range(4), "y": range(4)},
        [NotEqual(("x", "y"))],
        objective=Objective("maximize", ("x", "y"), (1, 1)),
    )
    assert optima(problem) == (5, [(2, 3), (3, 2)])
    on_nothing = replace(problem.structure, output=())
    assert optima(on_nothing.problem()) == (5, [(2, 3)])
    on_x = replace(problem.structure, output=(0,))
    assert optima(on_x.problem()) == (5, [(2, 3), (3, 2)])
    impossible = replace(problem.structure, constraints=(NotEqual((0, 0)),))
    assert optima(impossible.problem()) == (0, [])


def test_domains_masks_and_givens():
    problem = build_problem({"x": (5, -3, 5, 0)}, givens={"x": 0})
    assert problem.structure.domains == ((-3, 0, 5),)
    assert problem.masks == (0b010,)
    assert problem.domain(0) == (0,)
    assert problem.narrowed() == [0]


def test_digests_tell_structures_apart_and_survive_a_new_interpreter():
    problem = queens(4)
    assert problem.structure.digest == queens(4).structure.digest
    assert problem.structure.digest != queens(5).structure.digest
    other = Problem(problem.structure, (1, *problem.masks[1:]))
    assert other.digest != problem.digest
    code = (
        "from modelling.problem import build_problem; from modelling.constraints import Table;"
        "print(build_problem({'x': (1, 2)}, [Table(('x',), ((1,),))]).digest)"
    )
    fresh = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert fresh == build_problem({"x": (1, 2)}, [Table(("x",), ((1,),))]).digest


@pytest.mark.parametrize(
    "native", [{NotEqual, Linear, Table}, {Linear, Table}, {Table}, {AllDifferent, Table}]
)
def test_rewrites_keep_the_solutions(native):
    problem = build_problem(
        {"x": (-2, 0, 1), "y": (0, 1, 3), "z": (1, 2)},
        [
            AllDifferent(("x", "y", "z")),
            NotEqual(("x", "z")),
            Linear(("x", "y"), (2, -1), "<=", 1),
            Table(("y", "z"), ((0, 1), (3, 2)), allowed=False),
        ],
    )
    rewritten = rewrite(problem.structure, Profile.of_plain(native)).structure
    assert {type(c) for c in rewritten.constraints} <= native
    assert list(solutions(Problem(rewritten, problem.masks))) == list(solutions(problem))


def test_what_no_rewrite_leads_to_is_named():
    class Strange(Constraint):
        def holds(self, values):
            return True

    profile = Profile.of_plain({NotEqual})
    structure = build_problem({"x": (1, 2)}, [AllDifferent(("x",))]).structure
    assert rewrite(structure, profile).structure.constraints == ()
    strange = build_problem({"x": (1, 2)}, [Strange(("x",))]).structure
    assert rewrite(strange, profile) == Declined(
        "Strange is not native, and no rewrite expresses it"
    )


def test_a_domain_that_is_too_long_for_decimal_digits_has_a_digest():
    """Python refuses to write integers of more than 4,300 digits."""
    problems = [build_problem({"x": range(size)}, []) for size in (14_284, 14_285, 20_001, 20_002)]
    assert len({problem.digest for problem in problems}) == len(problems)
    narrowed = problems[-1].masks[0] & ~1
    assert Problem(problems[-1].structure, (narrowed,)).digest != problems[-1].digest
