"""WCNF: what clauses cost, in both forms, and what is wrong with a file, with its place."""

import random
from itertools import product

import pytest

import concord
from modelling.errors import InstanceError
from modelling.formats.dimacs.wcnf import read
from modelling.vocabulary.formulas.clauses import Clauses
from tests.modelling.formats.damage import check_damaged

OLD = b"c old\np wcnf 3 5 10\n10 1 -2 0\n10 2 3 0\n3 -3 0\n4 -1 -2 0\n2 1 0\n"
NEW = b"c new\nh 1 -2 0\nh 2 3 0\n3 -3 0\n4 -1 -2 0\n2 1 0\n"


def optimum(data, backend="cpsat"):
    return concord.solve(read(data, "f"), concord.Optimum(), backend=backend).objective


@pytest.mark.parametrize("data", [OLD, NEW])
@pytest.mark.parametrize("backend", ["cpsat", "sat", "propagation", "brute_force"])
def test_both_forms_say_the_same(data, backend):
    structure = read(data, "f").structure
    assert structure == read(OLD, "f").structure
    assert structure.names == ("x1", "x2", "x3")
    assert structure.constraints == (Clauses((0, 1, 2), ((1, -2), (2, 3))),)
    assert optimum(data, backend) == 3


@pytest.mark.parametrize(
    ("data", "cost"),
    [
        (b"p wcnf 2 2\n7 1 0\n5 -1 2 0\n", 0),
        (b"p wcnf 1 2\n7 1 0\n5 -1 0\n", 5),
        (b"p wcnf 1 2 6\n7 1 0\n5 -1 0\n", 5),
        (b"p wcnf 1 2 5\n7 1 0\n5 -1 0\n", None),
        (b"p wcnf 2 1 9\n4 0\n", 4),
        (b"4 0\n3 1 -1 0\n", 4),
        (b"h 1 0 2 1 1 0 6 -1 -1 0", 6),
        (b"c nothing\n", 0),
        (b"h 0\n", None),
        (b"36893488147419103232 1 0\n36893488147419103233 -1 0\n", 36893488147419103232),
        (
            b"p wcnf 1 2 36893488147419103232\n36893488147419103231 1 0\n36893488147419103232 -1 0",
            2**65 - 1,
        ),
    ],
)
def test_costs(data, cost):
    backend = "propagation" if cost is not None and cost > 1 << 60 else "cpsat"
    assert optimum(data, backend) == cost


def test_drawn_costs_are_what_clauses_weigh():
    rng = random.Random(4)
    for _ in range(20):
        rows = [
            (rng.randint(1, 9), [rng.choice((-1, 1)) * rng.randint(1, 4) for _ in range(n)])
            for n in (1, 1, 2, 3, 3, 2)
        ]
        text = "".join(f"{weight} {' '.join(map(str, row))} 0\n" for weight, row in rows)
        problem = read(text.encode(), "f")
        for values in product((0, 1), repeat=problem.structure.size):
            cost = sum(w for w, row in rows if not any(values[abs(x) - 1] == (x > 0) for x in row))
            assert problem.structure.objective.value(values) == cost


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"p wcnf 2\n", "f:1:1: the header 'p wcnf 2' is not of the form"),
        (b"p cnf 2 1\n1 0\n", "f:1:1: the header 'p cnf 2 1'"),
        (b"p wcnf 2 2 9\n1 1 0\n", "f:1:1: the header announces 2 clauses, and the file has 1"),
        (b"p wcnf 2 1 9\n1 3 0\n", "f:2:3: a literal of a variable beyond the 2 of the header"),
        (b"p wcnf 2 1 9\nh 1 0\n", "f:2:1: 'h' is no number"),
        (b"", "f:1:1: the file is empty"),
        (b"p wcnf 2 1 0\n1 1 0\n", "f:1:1: TOP is at least 1"),
        (b"h 1\n2 1 0\n", "f:1:1: a clause stands on one line, and ends with 0 there"),
        (b"0 1 0\n", "f:1:1: a weight is at least 1"),
        (b"h 1 0\n-3 1 0\n", "f:2:1: a weight is at least 1"),
        (b"h 1 0\n3 h 0\n", "f:2:3: h stands within a clause"),
        (b"hh 1 0\n", "f:1:1: 'hh' is no number"),
        (b"h 1 0\n2 1\n", "f:2:3: the last clause is not ended by a 0"),
        (b"1.5 1 0\n", "f:1:2: '1.5' is no number"),
        (b"1 5000000 0\n", "f:1:1: 5000000 variables in a file of 12 bytes"),
        (b"1 99999999999999999999 0\n", "f:1:3: a literal of a variable beyond the 2147483647"),
        (b"9" * 5000 + b" 1 0\n", "f:1:1: a weight has more than 4000 digits"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data, told):
    with pytest.raises(InstanceError) as caught:
        read(data, "f")
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("whole", [OLD, NEW])
def test_damaged_files_are_refused_with_a_place_or_read(whole):
    check_damaged(read, whole, (b"-", b" 0 ", b"h", b" 99", b"p wcnf ", b"\n", b"c"), 22)
