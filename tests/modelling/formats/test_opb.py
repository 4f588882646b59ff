"""OPB and WBO: sums, products, big numbers, costs; what is wrong with a file, with its place."""

import pytest

import concord
from modelling.constraints import And, Linear, Sum, Truth, equals
from modelling.errors import InstanceError
from modelling.formats.opb import read
from tests.modelling.formats.damage import check_damaged

FILE = b"""* #variable= 4 #constraint= 3
* a comment
min: +2 x1 -3 x2 x3 +4 ~x4 ;
+1 x1 +4 ~x2 >= 2 ;
+1 x1 x4 -1 x3
  = 0 ;
-2 x4 +5 ~x4 >= -99999999999999999999999999;
"""


def test_sums_and_products():
    structure = read(FILE, "f").structure
    assert structure.names == ("x1", "x2", "x3", "x4")
    both = Truth(And((equals(0, 1), equals(3, 1))))
    assert structure.constraints == (
        Linear((0, 1), (1, -4), ">=", -2),
        Linear((both, 2), (1, -1), "==", 0),
        Linear((3,), (-7,), ">=", -99999999999999999999999999 - 5),
    )
    objective = structure.objective
    assert objective.sense == "minimize"
    assert [objective.value(row) for row in ((0, 0, 0, 0), (1, 1, 1, 1), (1, 0, 1, 0))] == [
        4,
        -1,
        6,
    ]
    for backend in ("cpsat", "sat", "propagation"):
        found = concord.solve(
            read(FILE.replace(b"9" * 26, b"99"), "f"), concord.Optimum(), backend=backend
        )
        assert found.objective == 0
    assert concord.solve(read(FILE, "f"), concord.Optimum(), backend="propagation").objective == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (b"* #variable= 2 #constraint= 0\n", 4),
        (b"+1 x1 +1 x2>=1;", 3),
        (b"+1 x1 +1 x2 <= 1 ; 1 x1 < 1 ; +1 x3 != 1;", 2),
        (b"+1 x1 +1 x1 > 1 ;", 1),
        (b"+1 x1 -1 x1 >= 1 ;", 0),
        (b"+1 x1 ~x1 = 0 ;", 2),
        (b"* concord output x2\n+1 x1 +1 x2 +1 x3 >= 1 ;", 2),
        (b"* concord output\n+1 x1 +1 x2 >= 1 ;", 1),
        (b"* concord output x2 x1 x2 \r\n+1 x1 +1 x2 >= 1 ;", 3),
        (b"* concord output 2\n+1 x1 +1 x2 +1 x3 >= 1 ;", 7),
        (b"+1 x1 x1 x2 >= 1 ;", 1),
        (b"* #variable= 3 #constraint= 1\n >= 0 ;", 8),
        (b"0 >= 1 ;", None),
        (b">= 1 ;", 0),
    ],
)
def test_models_are_counted(text, count):
    if count is None:
        with pytest.raises(InstanceError, match="after 0 stands no variable"):
            read(text, "f")
        return
    for backend in ("sat", "brute_force"):
        found = concord.solve(read(text, "f"), concord.Solutions(None), backend=backend)
        assert found.count == count


@pytest.mark.parametrize(
    ("limit", "optimum"), [(b"", 3), (b"6", 3), (b"4", 3), (b"3", None), (b"99", 3)]
)
def test_soft_constraints_cost(limit, optimum):
    text = b"soft: " + limit + b" ;\n[3] +1 x1 +1 x2 >= 2 ;\n-1 x1 >= 0 ;\n[4] +1 x2 = 1 ;\n"
    for backend in ("cpsat", "sat", "brute_force"):
        found = concord.solve(read(text, "f.wbo"), concord.Optimum(), backend=backend)
        assert found.objective == optimum


def test_objectives_of_both_senses_and_of_nothing():
    for text, value in ((b"max: +1 x1 +1 x2 ;+1 x1 +1 x2 <= 1;", 1), (b"min: ;+1 x1 >= 1;", 0)):
        for backend in ("cpsat", "sat", "brute_force"):
            assert (
                concord.solve(read(text, "f"), concord.Optimum(), backend=backend).objective
                == value
            )
    (total,) = (read(b"min: +1 ~x1 ;", "f").structure.objective.term,)
    assert type(total) is Sum


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"+1 x1 >= 1", "f:1:1: a statement is not ended by a semicolon"),
        (b"* c\n+1 x1 ;", "f:2:4: a constraint has a relation and a number"),
        (b";+1 x1 >= ;", "f:1:8: after the relation stands one number"),
        (b"+1 x1 >= 1 2;", "f:1:7: after the relation stands one number"),
        (b"+1 x1 == 1;", "f:1:7: after the relation stands one number"),
        (b"+1 x1 >= x2;", "f:1:10: 'x2' is not expected here"),
        (b"x1 >= 1;", "f:1:1: x1 has no coefficient"),
        (b"+1 +2 x1 >= 1;", "f:1:1: after +1 stands no variable"),
        (b"+1 y1 >= 1;", "f:1:1: after +1 stands no variable"),
        (b"+1.5 x1 >= 1;", "f:1:1: after +1 stands no variable"),
        (b"+1 x0 >= 1;", "f:1:4: x0 is no variable"),
        (b"+1 x9999999 >= 1;", "f:1:4: 9999999 variables in a file of 17 bytes"),
        (b"+1 x99999999999999999999 >= 1;", "f:1:4: 4611686018427387904 variables"),
        (b"* #variable= 1 #constraint= 1\n+1 x2 >= 1;", "f:2:4: x2 is beyond the 1 variables"),
        (
            b"* #variable= 1 #constraint= 2\n+1 x1 >= 1;",
            "f:1:1: the header announces 2 constraints",
        ),
        (b"* #variable= 99999999 #constraint= 2\n", "f:1:1: 99999999 variables"),
        (b"+1 x1 >= 1;\nmin: +1 x1;", "f:2:1: min: must be the first statement"),
        (b"min: +1 x1;\n[2] +1 x1 >= 1;", "f:1:1: a file with soft constraints has no objective"),
        (b"min: +1 x1 >= 2;", "f:1:12: '>=' is not expected here"),
        (b"[0] +1 x1 >= 1;", "f:1:1: a soft constraint begins with [COST]"),
        (b"[3 +1 x1 >= 1;", "f:1:1: a soft constraint begins with [COST]"),
        (b"[", "f:1:1: a statement is not ended"),
        (b"[;", "f:1:1: a soft constraint begins"),
        (b"soft: 1 2;", "f:1:1: soft: and at most one number"),
        (b"+1 ~ >= 1;", "f:1:1: after +1 stands no variable"),
        (b"+" + b"1" * 5000 + b" x1 >= 1;", "f:1:1: a number has more than 4000 digits"),
        (b"+1 x1 >= 0;\n* concord output x2\n", "f:2:1: an output of variables that are not"),
        (b"\xff;", "f:1:1: "),
        (b"\xb9 x1 >= \xb2;", "f:1:1: '\\xb9' is not expected here"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, told):
    with pytest.raises(InstanceError) as caught:
        read(text, "f")
    assert str(caught.value).startswith(told)


def test_damaged_files_are_refused_with_a_place_or_read():
    for whole in (FILE, b"soft: 9 ;\n[3] +1 x1 +1 ~x2 >= 2 ;\n-1 x1 >= 0 ;\n"):
        check_damaged(read, whole, (b"-", b";", b"~", b"x9", b"[", b"min: ", b"\n*"), 21)
