"""DIMACS CNF: what a file states, and what is wrong with one, with its place."""

import random

import pytest

import concord
from modelling.errors import InstanceError
from modelling.formats.dimacs import numbers
from modelling.formats.dimacs.cnf import read
from modelling.vocabulary.formulas.clauses import Clauses
from tests.modelling.formats.damage import check_damaged

FILE = b"""c a formula
p cnf 3 2
1 -3 0
2 3 -1 0
"""


def count(data, backend="sat"):
    problem = read(data, "f")
    return concord.solve(problem, concord.Solutions(None), backend=backend).count


def test_a_file_is_one_block_over_its_variables():
    structure = read(FILE, "f.cnf").structure
    assert structure.names == ("x1", "x2", "x3")
    assert set(structure.domains) == {(0, 1)}
    assert structure.constraints == (Clauses((0, 1, 2), ((1, -3), (2, 3, -1))),)
    assert structure.output is None


@pytest.mark.parametrize(
    ("text", "models"),
    [
        (FILE, 5),
        (b"p cnf 3 2\n1 -3 0 2 3 -1 0", 5),
        (b"p cnf 3 2\r\n1\r\n-3 0\n2 3\nc between\n-1\n0\n\n", 5),
        (b"p cnf 3 2\n1 -3 0 c after\n2 3 -1 0 c\n%\n0\n\n", 5),
        (b"c\nc first\n  c blanks before\np cnf 3 2 \n\t1 -3 0 c\n2 3 -1 0", 5),
        (b"p cnf 3 0\n", 8),
        (b"p cnf 0 0\n", 1),
        (b"p cnf 0 1\n0\n", 0),
        (b"p cnf 2 1\n0\n", 0),
        (b"p cnf 2 3\n1 1 0 1 -1 0 2 -1 2 0\n", 1),
        (b"p cnf 2 1\n-2 +0", None),
        (b"c p show 1 0\np cnf 3 2\n1 -3 0\n2 3 -1 0", 2),
        (b"p cnf 3 2\nc p show 3\n1 -3 0\n2 3 -1 0\nc p show 3 2 0", 4),
        (b"p cnf 3 2\nc ind 3 0\nc p weight 1 0.5 0\n1 -3 0\n2 3 -1 0", 2),
        (b"p cnf 3 2\nc p show 0\n1 -3 0\n2 3 -1 0", 1),
        (b"p cnf 3 2\nc p show 3 1 2 0\n1 -3 0\n2 3 -1 0", 5),
        (b"p cnf 3 2\nc p shown 1 0\n1 -3 0\n2 3 -1 0", 5),
    ],
)
def test_models_are_counted(text, models):
    if models is None:
        with pytest.raises(InstanceError, match="no number"):
            read(text, "f")
        return
    assert count(text) == models
    assert count(text, "brute_force") == models


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "f:1:1: the header is missing"),
        (b"c only\n\n  1 2 0\n", "f:3:3: the header is missing"),
        (b"p cnf 3\n1 0\n", "f:1:1: the header 'p cnf 3' is not of the form"),
        (b"p wcnf 3 1\n1 0\n", "f:1:1: the header 'p wcnf 3 1'"),
        (b"p cnf -3 1\n1 0\n", "f:1:1: the header 'p cnf -3 1'"),
        (b"p cnf 3 1\n1 0 2 x3 0\n", "f:2:7: 'x3' is no number"),
        (b"p cnf 3 1\n1 0\n\n- 2 0\n", "f:4:1: '-' is no number"),
        (b"p cnf 3 1\n1-2 0\n", "f:2:2: '1-2' is no number"),
        (b"p cnf 3 1\n1 --2 0\n", "f:2:4: '--2' is no number"),
        (b"p cnf 3 1\n1 2.5 0\n", "f:2:4: '2.5' is no number"),
        (b"p cnf 3 1\n1 -4 0\n", "f:2:3: a literal of a variable beyond the 3 of the header"),
        (b"p cnf 3 1\n1 99999999999999999999999999 0\n", "f:2:3: a literal of a variable beyond"),
        (b"p cnf 3 1\n1 18446744073709551617 0\n", "f:2:3: a literal of a variable beyond"),
        (b"p cnf 3 2\n1 0\n", "f:1:1: the header announces 2 clauses, and the file has 1"),
        (b"c\np cnf 2 1\n1 0\n2 0\n", "f:2:1: the header announces 1 clauses, and the file has 2"),
        (b"p cnf 3 1\n1 0\n2\n", "f:3:2: the last clause is not ended by a 0"),
        (b"p cnf 3 1\n1 0\n%\n0\n1 0\n", "f:3:2: a line % ends the file"),
        (b"p cnf 3 1\nc p show 4 0\n1 0\n", "f:2:1: variable 4 is to be shown"),
        (b"p cnf 3 1\nc p show -1 0\n1 0\n", "f:2:1: '-1' is no variable to show"),
        (b"p cnf 900000000 0\n", "f:1:1: 900000000 variables in a file of 18 bytes"),
        (b"p cnf " + b"9" * 5000 + b" 0\n", "f:1:1: a number of the header is too long"),
        (b"p cnf 3 1\n1 \x00 0\n", "f:2:3: "),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, told):
    with pytest.raises(InstanceError) as caught:
        read(text, "f")
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize("piece", [1, 2, 7, 50])
def test_pieces_do_not_matter(monkeypatch, piece):
    rng = random.Random(piece)
    rows = [
        [rng.choice((-1, 1)) * rng.randint(1, 120) for _ in range(rng.randint(0, 5))]
        for _ in range(60)
    ]
    text = "".join(" ".join(map(str, [*row, 0])) + rng.choice(("\n", " ", "\r\n")) for row in rows)
    data = f"p cnf 120 60\n{text}".encode()
    monkeypatch.setattr(numbers, "PIECE", piece)
    (found,) = read(data, "f").structure.constraints
    assert list(found.literals) == [tuple(row) for row in rows]


def test_damaged_files_are_refused_with_a_place_or_read():
    whole = b"c p show 1 2 0\n" + FILE + b"c end\n%\n0\n"
    check_damaged(read, whole, (b"-", b" 0 ", b"c", b"99", b"p cnf ", b"\n"), 20, 200)
