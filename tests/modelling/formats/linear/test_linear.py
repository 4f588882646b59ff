"""LP and MPS as they are written: a reader of somebody else's finds the same optimum in MPS, and LP
is the same program."""

import re
from itertools import product

import pytest
from ortools.linear_solver.python import model_builder

from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.errors import ModelError
from modelling.formats.linear.program import program_of
from modelling.problem import Objective, Structure
from tests.modelling.formats.drawn import draw_problem, written
from tests.seeds import for_each


def best_of_mps(text):
    """What SCIP finds in an MPS file, read by OR-Tools; None: nothing holds."""
    model = model_builder.Model()
    assert model.import_from_mps_string(text)
    solver = model_builder.Solver("scip")
    status = solver.solve(model)
    if status == model_builder.SolveStatus.INFEASIBLE:
        return None
    assert status == model_builder.SolveStatus.OPTIMAL
    return round(solver.objective_value)


def parse_lp(text):
    """The parts of an LP file, by a grammar no wider than what is written."""
    plain = re.sub(r"^\\.*\n", "", text, flags=re.MULTILINE).replace("\n  ", " ")
    words = r"(Minimize|Maximize)\n obj: (.*)\nSubject To\n((?: .*\n)*)Bounds\n((?: .*\n)*)"
    found = re.fullmatch(words + r"(?:General\n((?: .*\n)+))?(?:Binary\n((?: .*\n)+))?End\n", plain)
    bounds = dict.fromkeys((found[6] or "").split(), (0, 1))
    for line in found[4].splitlines():
        if " = " in line:
            name, value = line.split(" = ")
            bounds[name.strip()] = int(value), int(value)
        else:
            low, name, high = line.split(" <= ")
            bounds[name] = int(low), int(high)
    assert set(bounds) == set((found[5] or "").split()) | set((found[6] or "").split())
    rows = []
    for line in found[3].splitlines():
        _, total, relation, constant = re.fullmatch(
            r" (c\d+): (.*) (<=|>=|=) (-?\d+)", line
        ).groups()
        rows.append((parse_sum(total), relation, int(constant)))
    return found[1], parse_sum(found[2]), rows, bounds


def parse_sum(text):
    assert re.fullmatch(r"(- )?\d+ [A-Za-z_][\w.]*( [+-] \d+ [A-Za-z_][\w.]*)*", text)
    found = re.findall(r"([+-] )?(\d+) (\S+)", text)
    return [(-int(n) if sign == "- " else int(n), name) for sign, n, name in found]


@for_each("seed", range(30))
def test_the_optimum_is_the_same(seed):
    problem = draw_problem(f"linear/{seed}")
    value, reached = optima(problem)
    assert best_of_mps(written("mps", problem)) == (value if reached else None)


@for_each("seed", range(30))
def test_lp_is_the_same_program(seed):
    problem = draw_problem(f"linear/{seed}")
    program = program_of(problem, "LP")
    sense, objective, rows, bounds = parse_lp(written("lp", problem))
    assert sense == ("Maximize" if program.maximise else "Minimize")
    name = program.names.__getitem__
    expected = [(factor, name(v)) for factor, v in program.objective]
    assert objective == (expected or [(0, program.names[0])])
    assert bounds == dict(zip(program.names, program.bounds, strict=True))
    relations = {"==": "=", "<=": "<=", ">=": ">="}
    assert rows == [
        ([(factor, name(v)) for factor, v in terms], relations[relation], constant)
        for terms, relation, constant in program.rows
    ]


@pytest.mark.parametrize(
    "domain", [(3,), (0, 1), (2, 3, 4), (0, 4), (-3, 0, 3, 6), (-2, -1, 5, 7, 8), (1, 2, 4, 5)]
)
@pytest.mark.parametrize("relation", ["==", "!=", "<", "<=", ">", ">="])
def test_programs_have_a_point_for_each_solution(domain, relation):
    """Auxiliary variables are determined: gaps of domains, and sums that differ from a number."""
    sums = Linear((0, 1), (2, -1), relation, 3)
    structure = Structure(("x", "y"), (domain, (0, 1, 2)), (sums,))
    program = program_of(structure.problem(), "LP")
    points = 0
    for values in product(*(range(low, high + 1) for low, high in program.bounds)):
        points += all(
            {"==": total == c, "<=": total <= c, ">=": total >= c}[r]
            for terms, r, c in program.rows
            for total in [sum(factor * values[v] for factor, v in terms)]
        )
    assert points == len(list(solutions(structure.problem())))


def test_all_different_is_sums_over_values():
    """No big numbers: a solver's relaxation sees that values are taken once."""
    queens = Structure(
        ("a", "b", "c", "d"),
        ((1, 2, 3), (2, 3, 7), (1, 7), (3,)),
        (AllDifferent((0, 1, 2, 3)), AllDifferent((0, 2))),
        Objective("maximize", (0, 1, 2, 3), (1, -1, 3, 1)),
    )
    program = program_of(queens.problem(), "LP")
    assert len(program.names) == 4 + 3 + 3 + 2 + 1
    assert len(program.rows) == 2 * 4 + 4 + 1
    value, _ = optima(queens.problem())
    assert best_of_mps(written("mps", queens.problem())) == value
    given = queens.problem({0: 2})
    assert best_of_mps(written("mps", given)) == optima(given)[0]


def test_names_that_the_formats_do_not_take_are_replaced():
    names = ("x[0]", "x(0)", "e5", "St", "9a", "x_0_", "X_0_", "free", "größe", "a b\nc", "ok.1")
    structure = Structure(names, ((0, 5),) * len(names), (AllDifferent((0, 1)),))
    text = written("lp", structure.problem())
    program = program_of(structure.problem(), "LP")
    assert len({name.lower() for name in program.names}) == len(program.names)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name) for name in program.names)
    assert program.names[-1 - 1 * (len(program.names) - len(names))] == "ok.1"
    assert '\\ x_0_ is "x[0]"\n' in text
    assert '\\ a_b_c is "a b\\nc"\n' in text
    parse_lp(text)
    assert best_of_mps(written("mps", structure.problem())) == 0


def test_edges():
    nothing = Structure((), (), ())
    false = Structure((), (), (Linear((), (), "==", 1),))
    alone = Structure(("x",), ((1, 2),), ())
    empty = Structure(("x",), ((),), ())
    for structure, found in ((nothing, 0), (false, None), (alone, 0), (empty, None)):
        assert best_of_mps(written("mps", structure.problem())) == found
        parse_lp(written("lp", structure.problem()))


def test_what_doubles_do_not_hold_is_refused():
    large = Structure(("x", "y"), (range(2**60), (0, 1)), (NotEqual((0, 1)),))
    with pytest.raises(ModelError, match="as MPS: x reaches beyond 9007199254740992"):
        written("mps", large.problem())
    steep = Structure(("x",), ((0, 1),), (Linear((0,), (2**60,), "<=", 5),))
    with pytest.raises(ModelError, match="as LP: a number of a sum of 1 terms is beyond"):
        written("lp", steep.problem())
