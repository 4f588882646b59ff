"""CNF, WCNF and OPB as they are written: the same counts and optima when read again."""

import random
import re

import pytest

import concord
from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Iff, Linear, NotEqual, Table, equals
from modelling.errors import ModelError
from modelling.formats import find_format
from modelling.problem import Objective, Structure
from modelling.terms import Affine
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.linear import Sum
from tests.modelling.formats.drawn import draw_problem, written
from tests.seeds import for_each


def again(name, problem):
    return find_format(name).read(written(name, problem).encode(), f"again.{name}")


def count(problem):
    return concord.solve(problem, concord.Solutions(None), backend="sat").count


def best(problem):
    return concord.solve(problem, concord.Optimum(), backend="cpsat").objective


@for_each("seed", range(40))
def test_what_is_written_says_the_same(seed):
    problem = draw_problem(f"export/{seed}", objectives=0.5, outputs=0.3)
    if problem.structure.objective is None:
        expected = len(list(solutions(problem)))
        assert count(again("cnf", problem)) == expected
        assert count(again("opb", problem)) == expected
    else:
        assert count(again("opb", problem)) == len(list(solutions(problem)))
        value, reached = optima(problem)
        for name in ("wcnf", "opb"):
            assert best(again(name, problem)) == (value if reached else None)


FIRST = Structure(
    ("x", "size of b", "n", "z"),
    ((0, 1), (2, 3, 7), tuple(range(100)), (4,)),
    (Linear((0, 2), (3, 1), "<=", 50), NotEqual((1, 3))),
)


def test_cnf_has_a_map_of_its_literals():
    lines = written("cnf", FIRST.problem({0: 1})).splitlines()
    shown = [line for line in lines if line.startswith("c map")]
    direct = re.findall(r'c map "size of b" = (\d): (\d+)', "\n".join(shown))
    assert [value for value, _ in direct] == ["2", "3", "7"]
    steps = [line for line in shown if re.fullmatch(r"c map n >= \d+: -?\d+", line)]
    assert len(steps) == 99
    (yes,) = (line for line in shown if line.startswith("c map x = 1: "))
    (no,) = (line for line in shown if line.startswith("c map x = 0: "))
    assert int(yes.split()[-1]) == -int(no.split()[-1])
    assert f"{yes.split()[-1]} 0" in lines  # the given
    assert count(find_format("cnf").read("\n".join(lines).encode(), "f")) == 48 * 3


def test_large_integers_are_mapped_by_their_digits():
    structure = Structure(
        ("n", "m"), ((1, 3, 5), range(7, 5000)), (Linear((0, 1), (1, 1), "==", 40),)
    )
    text = written("cnf", structure.problem())
    (line,) = (line for line in text.splitlines() if line.startswith("c map m"))
    assert re.fullmatch(r"c map m: 7( \+\d+\*\d+){13}", line)
    assert count(find_format("cnf").read(text.encode(), "f")) == 3


def test_an_output_is_shown():
    structure = Structure(("x", "y"), ((0, 1, 2),) * 2, (NotEqual((0, 1)),), output=(1,))
    text = written("cnf", structure.problem())
    assert "\nc p show " in text
    assert count(find_format("cnf").read(text.encode(), "f")) == 3
    assert "\n* concord output x" in written("opb", structure.problem())
    assert count(again("opb", structure.problem())) == 3
    none = Structure(("x",), ((0, 1, 2),), (), output=())
    for name in ("cnf", "opb"):
        assert count(again(name, none.problem())) == 1


def test_clauses_are_written_as_they_are():
    rng = random.Random(2)
    rows = tuple(
        tuple(rng.choice((-1, 1)) * rng.randint(1, 20) for _ in range(rng.randint(1, 4)))
        for _ in range(50)
    )
    structure = Structure(
        tuple(f"x{k}" for k in range(1, 31)), ((0, 1),) * 30, (Clauses(tuple(range(30)), rows),)
    )
    text = written("cnf", structure.problem())
    assert text.splitlines()[:2] == ["p cnf 30 50", " ".join(map(str, (*rows[0], 0)))]
    assert again("cnf", structure.problem()).structure == structure
    shown = Structure(structure.names, structure.domains, structure.constraints, output=(3, 4))
    assert again("cnf", shown.problem()).structure == shown


def test_opb_keeps_sums():
    """A linear problem over 0 and 1 comes back as it was."""
    structure = Structure(
        ("x1", "x2", "x3"),
        ((0, 1),) * 3,
        (Linear((0, 1, 2), (3, -2, 5), ">=", 2), Linear((0, 2), (1, 1), "==", 1)),
        Objective("minimize", (0, 1, 2), (4, 5, -6)),
    )
    found = again("opb", structure.problem()).structure
    assert (found.names, found.constraints) == (structure.names, structure.constraints)
    assert best(found.problem()) == best(structure.problem())


def test_opb_says_conditions_on_sums_without_their_clauses():
    """Sums that are conditions, and at most one of several values, stay a few lines."""
    domain = tuple(range(30))
    structure = Structure(
        ("a", "b", "c", "d", "y"),
        (domain,) * 4 + ((0, 1),),
        (
            Iff(equals(4, 1), Linear((0, 1, 2, 3), (7, 5, -3, 11), "<=", 100)),
            Iff(equals(4, 0), Linear((0, 1, 2, 3), (1, 1, 1, 1), "==", 10)),
            Linear((0, 1, 2, 3), (1, 1, 1, 1), "!=", 9),
            AllDifferent((0, 1, 2)),
        ),
    )
    lines = written("opb", structure.problem()).splitlines()
    sums = [line for line in lines if not line.startswith("*")]
    assert len(sums) < 100
    assert all(re.fullmatch(r"([+-]\d+ x\d+ )+(>=|=) -?\d+ ;", line) for line in sums)
    given = structure.problem({0: 1, 1: 3, 2: 5})
    assert count(again("opb", given)) == count(given)


def test_objectives_keep_their_sense_and_constant():
    structure = Structure(
        ("x", "y"),
        ((0, 1), (1, 4, 6)),
        (Table((0, 1), ((0, 4), (1, 1), (1, 6))),),
        Objective("maximize", Sum((0, Affine(1, -1, 20)), (5, 2))),
    )
    wcnf, opb = written("wcnf", structure.problem()), written("opb", structure.problem())
    assert re.search(r"^c concord objective = -?\d+ - cost$", wcnf, re.MULTILINE)
    assert re.search(r"^\* concord objective = -?\d+ - cost$", opb, re.MULTILINE)
    for name in ("wcnf", "opb"):
        read = again(name, structure.problem())
        assert read.structure.objective.sense == "maximize"
        assert best(read) == 43


def test_what_a_format_cannot_say_is_refused():
    plain = Structure(("x",), ((0, 1),), (), output=())
    valued = Structure(("x",), ((0, 1),), (), Objective("minimize", (0,), (1,)))
    with pytest.raises(ModelError, match="as WCNF: it has no objective"):
        written("wcnf", plain.problem())
    with pytest.raises(ModelError, match="as CNF: it has an objective"):
        written("cnf", valued.problem())
