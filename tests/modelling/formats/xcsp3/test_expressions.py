"""Expressions: each operator against Python, and what is refused."""

from math import prod

import pytest

from modelling.formats.xcsp3.reader.document import DEEPEST

XYZ = '<var id="x"> -2..2 </var><var id="y"> -1 0 1 3 </var><var id="z"> 0..2 </var>'


def truncated(x, y):
    return int(x / y)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("eq(neg(x),y)", lambda x, y, z: -x == y),
        ("eq(abs(x),z)", lambda x, y, z: abs(x) == z),
        ("eq(abs(sub(x,3)),add(z,1))", lambda x, y, z: abs(x - 3) == z + 1),
        ("eq(sqr(x),add(y,z))", lambda x, y, z: x * x == y + z),
        ("eq(add(x,y,z,-1),2)", lambda x, y, z: x + y + z - 1 == 2),
        ("eq(add(x,add(y,add(z,x))),1)", lambda x, y, z: 2 * x + y + z == 1),
        ("lt(sub(x,y),z)", lambda x, y, z: x - y < z),
        ("eq(mul(x,y,2),z)", lambda x, y, z: x * y * 2 == z),
        ("eq(mul(x,mul(y,z)),-2)", lambda x, y, z: prod((x, y, z)) == -2),
        ("eq(div(x,y),z)", lambda x, y, z: y != 0 and truncated(x, y) == z),
        ("not(eq(div(x,y),z))", lambda x, y, z: y == 0 or truncated(x, y) != z),
        ("eq(mod(x,y),-1)", lambda x, y, z: y != 0 and x - y * truncated(x, y) == -1),
        ("eq(div(-7,2),sub(x,2))", lambda x, y, z: x == -1),
        ("eq(pow(x,3),y)", lambda x, y, z: x**3 == y),
        ("eq(pow(x,z),1)", lambda x, y, z: x**z == 1),
        ("eq(dist(x,y),z)", lambda x, y, z: abs(x - y) == z),
        ("eq(min(x,y,z),-1)", lambda x, y, z: min(x, y, z) == -1),
        ("eq(max(x,max(y,z)),2)", lambda x, y, z: max(x, y, z) == 2),
        ("le(x,y)", lambda x, y, z: x <= y),
        ("gt(x,min(3,1))", lambda x, y, z: x > 1),
        ("ge(3,add(x,y))", lambda x, y, z: x + y <= 3),
        ("ne(x,y)", lambda x, y, z: x != y),
        ("ne(x,y,z)", lambda x, y, z: len({x, y, z}) == 3),
        ("eq(x,y,z)", lambda x, y, z: x == y == z),
        ("in(x,set(-2,1))", lambda x, y, z: x in (-2, 1)),
        ("in(x,set(y,z))", lambda x, y, z: x in (y, z)),
        ("in(add(x,y),set(-3,4,5))", lambda x, y, z: x + y in (-3, 4, 5)),
        ("notin(x,set(0))", lambda x, y, z: x != 0),
        ("or(in(x,set()),in(y,set(z)))", lambda x, y, z: y == z),
        ("in(x,set(sub(z,2)))", lambda x, y, z: x == z - 2),
        ("not(lt(x,y))", lambda x, y, z: x >= y),
        ("and(lt(x,y),lt(y,z),lt(x,0))", lambda x, y, z: x < y < z and x < 0),
        ("or(lt(x,y),or(lt(y,z),eq(x,z)))", lambda x, y, z: x < y or y < z or x == z),
        ("xor(lt(x,y),lt(y,z),lt(x,0))", lambda x, y, z: ((x < y) + (y < z) + (x < 0)) % 2 == 1),
        ("iff(lt(x,y),lt(y,z))", lambda x, y, z: (x < y) == (y < z)),
        ("iff(lt(x,y),lt(y,z),eq(x,0))", lambda x, y, z: (x < y) == (y < z) == (x == 0)),
        ("imp(lt(x,y),eq(z,1))", lambda x, y, z: x >= y or z == 1),
        ("eq(if(lt(x,0),y,z),1)", lambda x, y, z: (y if x < 0 else z) == 1),
        ("eq(add(lt(x,0),lt(y,0),lt(z,1)),2)", lambda x, y, z: (x < 0) + (y < 0) + (z < 1) == 2),
        ("eq(lt(x,0),ge(y,z))", lambda x, y, z: (x < 0) == (y >= z)),
        ("lt( add( x , 1 ) ,\n y )", lambda x, y, z: x + 1 < y),
        ("lt(x,+1)", lambda x, y, z: x < 1),
    ],
)  # fmt: skip
def test_operators(says, text, predicate):
    says(XYZ, f"<intension> {text} </intension>", predicate)


def test_conditions_of_constants_are_true_or_false(state):
    assert state(XYZ, "<intension> lt(1,2) </intension>").structure.constraints == ()
    (false,) = state(XYZ, "<intension> and(lt(2,1),lt(1,2)) </intension>").structure.constraints
    assert not false.holds(())


def test_long_chains_are_read_however_they_are_nested(says):
    right = "x"
    for _ in range(5_000):
        right = f"add(1,{right})"
    says(XYZ, f"<intension> gt({right},5000) </intension>", lambda x, y, z: x > 0)
    left = "add(" * 5_000 + "x" + ",1)" * 5_000
    says(XYZ, f"<intension> gt({left},5000) </intension>", lambda x, y, z: x > 0)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("lt(x,y", "not to its end"),
        ("lt(x,y))", "closes"),
        ("lt(x,,y)", "comma"),
        ("lt(,x,y)", "comma"),
        ("lt(x,y,)", "closes"),
        ("lt(x y)", "comma must"),
        ("lt x,y", "'lt'"),
        (",", "comma"),
        ("(x)", "no operator"),
        ("x(", "'x'"),
        ("lt(x,y)lt(x,y)", "comma must"),
        ("lt(x)", "does not take 1"),
        ("lt(x,y,z)", "does not take 3"),
        ("abs(x,y)", "does not take 2"),
        ("foo(x,y)", "'foo'"),
        ("lt(x,u)", "'u'"),
        ("lt(x,1.5)", "'1.5'"),
        ("lt(x,99999999999999999999)", "integer"),
        ("in(x,y)", "set"),
        ("lt(x,set(1))", "set"),
        ("in(set(1),set(1))", "set"),
        ("and(x,lt(y,z))", "condition"),
        ("not(x)", "condition"),
        ("eq(pow(x,y),1)", "exponent"),
        ("eq(pow(x,100),1)", "exponent"),
        ("eq(x,%0)", "%0"),
        ("eq(x,__import__('os'))", "__import__"),
    ],
)
def test_what_is_no_expression(refuses, text, cause):
    told = refuses(XYZ, f"<intension> {text} </intension>")
    assert told.startswith("<intension>")
    assert cause in told


def test_expressions_are_bounded_in_depth(refuses, state):
    text = "abs(" * DEEPEST + "x" + ")" * DEEPEST
    assert "nested" in refuses(XYZ, f"<intension> eq({text},1) </intension>")
    text = "abs(" * (DEEPEST - 1) + "x" + ")" * (DEEPEST - 1)
    problem = state(XYZ, f"<intension> eq({text},1) </intension>")
    assert problem.structure.digest
    assert [c.holds((-1,)) for c in problem.structure.constraints] == [True]
