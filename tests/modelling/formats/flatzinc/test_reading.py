"""What FlatZinc files may say, what becomes of it, and what is refused, with its place."""

import pytest

from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Define, Linear, Product
from modelling.errors import InstanceError
from modelling.formats.flatzinc import builtins, read
from modelling.problem import LISTED
from tests.modelling.formats.damage import check_damaged

WHOLE = """% all that a file may have; a comment may have a ; in it
predicate my_own(array [int] of var int: x, set of int: s :: "a;b");
array [1..3] of int: weights = [2,-1,0x10];
int: n = 4;   bool: yes = true;
set of int: few = {3,1,1};
array [1..2] of set of int: sets = [1..2,{4}];
float: unused = 1.5e3;
array [1..0] of int: none = [];
var 1..4: x :: output_var;
var {1,3,7}: y;
var bool: b :: var_is_introduced :: is_defined_var;
var -5..5: z = -2;
array [1..3] of var int: all :: output_array([1..3]) = [x,z,3];
constraint int_lin_le(weights,all,n) :: domain :: defines_var(x);
constraint set_in(y,few);
constraint int_eq_reif(all[1],weights[1],b) :: mzn_path("main;file");
solve :: seq_search([int_search(all,input_order,indomain_min,complete)]) minimize x;
"""


def test_a_whole_file():
    structure = read(WHOLE.encode(), "whole.fzn").structure
    assert structure.names == ("x", "y", "b", "z")
    assert structure.domains == ((1, 2, 3, 4), (1, 3, 7), (0, 1), tuple(range(-5, 6)))
    assert [structure.names[v] for v in structure.output] == ["x", "z"]
    assert structure.objective.sense == "minimize"
    best, reached = optima(read(WHOLE.replace("16", "1").encode(), "a"))
    assert (best, reached) == (0, [])  # 2x + 2 + 48 is more than 4
    problem = read(WHOLE.replace("0x10", "0o1").encode(), "a")
    assert list(solutions(problem)) == []
    problem = read(WHOLE.replace("0x10", "-1").encode(), "a")
    assert [problem.named(one) for one in solutions(problem)] == [
        {"x": 1, "y": 1, "b": 0, "z": -2},
        {"x": 2, "y": 1, "b": 1, "z": -2},
    ]


def test_constraints_are_those_of_the_vocabulary():
    text = (
        "var 0..9: x; var 0..9: y; var 0..81: z; constraint fzn_all_different_int([x,y]);"
        "constraint int_times(x,y,z); constraint int_lin_eq([1,2,3],[x,2,x],5); solve satisfy;"
    )
    assert read(text.encode(), "a").structure.constraints == (
        AllDifferent((0, 1)),
        Define(2, Product((0, 1))),
        Linear((0,), (4,), "==", 1),
    )


def test_equal_domains_are_one_object_and_large_ones_are_not_listed():
    text = f"var 1..900: x; var 1..900: y; var 1..{LISTED + 1}: z; solve satisfy;"
    domains = read(text.encode(), "a").structure.domains
    assert domains[0] is domains[1]
    assert domains[2] == range(1, LISTED + 2)


@pytest.mark.parametrize(
    ("annotations", "output"),
    [
        (("", ""), None),
        ((":: output_var", ""), (0,)),
        ((":: output_var", ":: output_var"), None),
        (("", ":: foo(output_var)"), None),
        (("", ':: foo([1,{2}],"::") :: output_var'), (1,)),
    ],
)
def test_output(annotations, output):
    text = "var 0..1: x{}; var 0..1: y{}; solve satisfy;".format(*annotations)
    assert read(text.encode(), "a").structure.output == output


def test_the_type_of_an_array_limits_its_elements():
    text = (
        "var 0..9: x; var 2..3: y; array [1..3] of var 2..5: a = [x,y,4];"
        "array [1..1] of var {1,3}: c = [y]; solve satisfy;"
    )
    assert set(solutions(read(text.encode(), "a"))) == {(x, 3) for x in range(2, 6)}
    text = "array [1..1] of var 2..5: a = [6]; var bool: b; solve satisfy;"
    assert not list(solutions(read(text.encode(), "a")))


def test_an_objective_that_is_a_number():
    text = b"var 0..1: x; solve maximize 7;"
    assert optima(read(text, "a")) == (7, [(0,), (1,)])


# --- variables without bounds --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constraints", "low", "high"),
    [
        ("int_le(a,x); int_le(x,b)", 2, 9),
        ("int_eq(x,a)", 2, 5),
        ("int_lin_eq([1,-2,1],[x,a,b],0)", -5, 10),
        ("int_lin_eq([-3,1],[x,b],1)", 0, 2),
        ("int_lin_le([1,1],[x,a],7); int_lin_le([-2],[x],3)", -1, 5),
        ("int_times(a,b,x)", 0, 45),
        ("int_div(b,a,x)", 0, 4),
        ("int_abs(y,x); int_plus(a,y,b)", 0, 7),
        ("array_int_maximum(x,[a,b,3])", 3, 9),
        ("array_int_element(x,[1,2,3,4],a)", 1, 4),
        ("array_int_element(a,[8,-2,3,4,5],x)", -2, 8),
        ("fzn_table_int([a,x],[2,7,3,-7])", -7, 7),
        ("set_in(x,{1,5,9})", 1, 9),
        ("set_in(x,3..6)", 3, 6),
        ("bool2int(t,x)", 0, 1),
        ("fzn_count_eq([a,b],3,x)", 0, 2),
        ("int_eq(x,y); int_eq(y,z); int_eq(z,a)", 2, 5),
        ("int_plus(x,y,z); int_times(a,a,y); int_eq(z,b)", -25, 5),
        ("fzn_circuit([x,a,b])", 1, 3),
        ("fzn_subcircuit([x,a,b])", 1, 3),
        ("fzn_inverse([a,x],[b,2])", 1, 2),
        ("fzn_global_cardinality([a,b],[2,3],[x,1])", 0, 2),
        ("fzn_bin_packing_load([4,x],[a,b],[3,4])", 0, 7),
        ("fzn_bin_packing_load([a,b],[x,2],[3,4])", 1, 2),
        ("int_le(x,3); int_le(4,x)", 4, 3),
    ],
)
def test_bounds_follow_from_constraints(constraints, low, high):
    """For each in both orders, and against ranges that are wide enough."""
    found = []
    given = [part.strip() for part in constraints.split(";")]
    names = [name for name in ("y", "z") if f"{name}," in constraints or f"{name})" in constraints]
    for parts in (given, given[::-1]):
        text = "var 2..5: a; var 0..9: b; var bool: t; var int: x;"
        text += "".join(f"var int: {name};" for name in names)
        text += "".join(f"constraint {part};" for part in parts) + "solve satisfy;"
        problem = read(text.encode(), "a.fzn")
        domain = problem.structure.domains[3]
        assert tuple(domain) == tuple(range(low, high + 1))
        found.append(sorted(solutions(problem)))
        if not names:
            wide = read(text.replace("var int", "var -50..50").encode(), "a.fzn")
            found.append(sorted(solutions(wide)))
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize(
    ("constraint", "ends"),
    [
        ("int_le(x,a)", "no least value"),
        ("int_le(a,x)", "no greatest value"),
        ("int_ne(x,a)", "no least and no greatest value"),
        ("int_le(x,y); constraint int_le(y,x)", "no least and no greatest value"),
        ("int_eq_reif(x,a,t)", "no least and no greatest value"),
        ("int_times(x,x,y)", "no least and no greatest value"),
    ],
)
def test_without_bounds_a_variable_is_refused(constraint, ends):
    text = (
        f"var 2..5: a; var bool: t;\n  var int: x; var int: y;\nconstraint {constraint};"
        "solve satisfy;"
    )
    with pytest.raises(InstanceError) as caught:
        read(text.encode(), "a.fzn")
    assert caught.value.place == "a.fzn:2:12"
    assert f"the variable 'x' has {ends}" in caught.value.cause
    assert "var -1000..1000: 'x'" in caught.value.cause


# --- what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "cause"),
    [
        ("", "1:1", "the file has no solve item"),
        ("var 0..1: x;\n", "1:13", "the file has no solve item"),
        ("solve satisfy;\nsolve satisfy;", "2:1", "there is a solve item already"),
        ("solve satisfy", "1:1", "this item does not end in a semicolon"),
        ("solve satisfy % ;\n", "1:1", "this item does not end in a semicolon"),
        ("solve optimise x;", "1:7", "satisfy, minimize or maximize must stand here"),
        ("solve minimize y;", "1:16", "a variable or an integer must stand here, not 'y', which"),
        ("solve satisfy x;", "1:15", "';' must stand here, not 'x'"),
        ("solve :: f(x satisfy;", "1:21", "a bracket of an annotation is not closed"),
        ('include "globals.mzn";', "1:1", "no item begins with 'include'"),
        ("var 0..1: x; var 0..1: x;", "1:24", "'x' is declared already"),
        ("var 0..1: true;", "1:11", "'true' is declared already, or a word of the language"),
        ("var 0..1: 7;", "1:11", "a name must stand here, not '7'"),
        ("var 0..: x;", "1:8", "an integer must stand here, not ':'"),
        ("var 0..99999999999999999999: x;", "1:8", "an integer must stand here"),
        ("var foo: x;", "1:5", "a set of integers must stand here, not 'foo'"),
        ("var float: x;", "1:5", "the variable 'x' is a float, and only integers and Booleans"),
        ("var -1.5..2.0: abc;", "1:5", "the variable 'abc' is a float"),
        ("var set of 1..3: s;", "1:5", "the variable 's' is a set, and only integers and Bool"),
        ("array [1..1] of var set of 1..2: s = [{1}];", "1:21", "the variable 's' is a set"),
        ("array [1..2] of var int: a;", "1:27", "the array a must say what it holds"),
        ("array [1..2] of int: a = [1];", "1:26", "the array a has 1 elements, and 2 declared"),
        ("array [0..1] of int: a = [1,2];", "1:8", "counted from 1"),
        ("array [1..2] of int: a = [1,2;", "1:26", "no ']' closes what begins here"),
        ("array [1..2] of int: a = [1 2];", "1:29", "',' must stand here, not '2'"),
        ("array [1..2] of int: a = [1,b];", "1:29", "an integer must stand here, not 'b'"),
        ("int: n = 1.5;", "1:10", "an integer must stand here, not '1.5'"),
        ("array [1..1] of string: a = [1];", "1:17", "a type must stand here, not 'string'"),
        ("constraint foo(1);", "1:12", "the constraint 'foo' is not known here; flatten the model"),
        ("constraint int_le(1);", "1:20", "',' must stand here, not ')'"),
        ("constraint int_le(1,2,3);", "1:22", "')' must stand here, not ','"),
        ("constraint int_le 1;", "1:19", "'(' must stand here, not '1'"),
        ("constraint int_le(1,", "1:1", "this item does not end in a semicolon"),
        ("constraint int_le(1,;", "1:21", "the item ends before it is complete"),
        ("constraint;", "1:11", "a name must stand here, not ';'"),
        ("constraint int_le(x,2);", "1:19", "not 'x', which is not declared"),
        ("float: f = 1.5; constraint int_le(f,2);", "1:35", "floats are not covered"),
        ("constraint bool_eq(2,true);", "1:20", "true or false must stand here, not 2"),
        ("var 0..1: x; constraint bool_eq(x,true);", "1:33", "a Boolean must stand here"),
        ("constraint int_lin_eq(1,[2],3);", "1:23", "an array must stand here, not '1'"),
        (
            "array [1..1] of set of int: s = [{1}]; constraint int_lin_eq(s,[2],3);",
            "1:62",
            "an array of numbers must stand here, and s is none",
        ),
        (
            "array [1..1] of set of int: s = [{1}]; constraint fzn_all_equal_int(s);",
            "1:69",
            "an array of integers must stand here, and s is one of sets",
        ),
        (
            "var 1..2: x; array [1..1] of var int: a = [x]; constraint int_lin_eq(a,a,1);",
            "1:70",
            "an array of numbers must stand here, and a is none",
        ),
        ("array [1..1] of int: a = [4]; constraint int_le(a[2],1);", "1:51", "a has no element 2"),
        ("constraint int_le(1,2) foo;", "1:24", "';' must stand here, not 'foo'"),
        (
            'predicate f(x); var 1..2: x :: "open; solve satisfy;',
            "1:32",
            "a string of an annotation is not closed",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, place, cause):
    with pytest.raises(InstanceError) as caught:
        read(text.encode(), "a.fzn")
    assert cause in caught.value.cause
    assert caught.value.place == f"a.fzn:{place}"


def test_bytes_that_are_no_text():
    with pytest.raises(InstanceError, match="a byte is not UTF-8") as caught:
        read("var 1..2: x; % é\n".encode() + b"\x1f\x8b;", "a.fzn")
    assert caught.value.place == "a.fzn:2:2"


def test_digits_of_other_scripts_are_no_numbers():
    with pytest.raises(InstanceError):
        read(
            "var 1..2: x; constraint int_lin_eq([\N{ARABIC-INDIC DIGIT THREE}],[x],2);".encode(), ""
        )


def test_a_few_words_do_not_take_the_memory():
    lines = [f"var {k}..{k + 1_000_000}: x{k};" for k in range(20)]
    with pytest.raises(InstanceError, match="more than 16,777,216 values together") as caught:
        read("\n".join(lines).encode(), "a.fzn")
    assert caught.value.place == "a.fzn:17:5"


def test_nor_do_many_times_a_few_words(monkeypatch):
    monkeypatch.setattr(builtins, "MOST_WRITTEN_IN_FILE", 2_000_000)
    line = "constraint fzn_bin_packing(3, [x], [1]);\n"
    text = "var 1..90000: x;\n" + 40 * line + "solve satisfy;"
    with pytest.raises(InstanceError, match="it takes more than 2,000,000 terms") as caught:
        read(text.encode(), "a.fzn")
    assert caught.value.place == "a.fzn:24:12"


def test_damaged_files_are_refused_with_a_place_or_read():
    words = (*(bytes([sign]) for sign in b';:,.()[]{}=-01 abx%"\n\xff'), b"x,y", b"[1,2]", b"1..3")
    check_damaged(read, WHOLE.encode(), words, 7, 200)
