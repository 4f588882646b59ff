"""Models in MiniZinc: what is written, how one is flattened, and what MiniZinc itself says of it.

Where there is a ``minizinc`` on the PATH, what is written is flattened by it and read again.
"""

import os
import shutil
import sys
from collections import Counter
from itertools import islice

import pytest

from backends.conformance.drawn_problems import drawn_problems
from backends.interface import registry
from backends.interface.api import Solutions
from modelling import constraints as mc
from modelling.brute_force import solutions
from modelling.errors import InstanceError, ModelError
from modelling.formats.minizinc import PROFILE, flatten, read, write
from modelling.problem import Objective, Structure, build_problem

pytestmark = pytest.mark.once

INSTALLED = shutil.which("minizinc") is not None
needs_minizinc = pytest.mark.skipif(not INSTALLED, reason="no program minizinc is on the PATH")


def text_of(problem):
    return "".join(write(problem))


def test_an_example():
    names = [f"x[{i},{j}]" for i in range(2) for j in range(1, 3)]
    domains = {name: range(1, 5) for name in names} | {"n": range(3), "b 1": (0, 1)}
    problem = build_problem(
        domains,
        [
            mc.AllDifferent(names),
            mc.Increasing(names[:2]),
            mc.Increasing(names[::2]),
            mc.Implies(mc.Linear(("b 1",), (1,), "==", 1), mc.Linear(names[:2], (1, -2), "<", -3)),
            mc.Linear((mc.Product(names[:2]), "n"), (1, -1), "==", 0),
        ],
        objective=Objective("minimize", mc.Maximum((names[0], mc.Affine("n", 2, -1)))),
        givens={"x[1,1]": 3},
        output=["x[0,1]", "n"],
    )
    assert (
        text_of(problem)
        == """\
% b 1 is called b_1
include "alldifferent.mzn";
include "increasing.mzn";

array[0..1, 1..2] of var 1..4: x;
constraint x[1,1] = 3;
var 0..2: n;
var 0..1: b_1;

constraint alldifferent(x);
constraint increasing(x[0,..]);
constraint increasing(x[..,1]);
constraint (b_1 = 1) -> (x[0,1] + 3 < 2*x[0,2]);
constraint (x[0,1]*x[0,2]) = n;

solve minimize max([x[0,1], 2*n - 1]);

output [
  "x[0,1] = \\(x[0,1]);\\n",
  "n = \\(n);\\n",
];
"""
    )


SAID = [
    (mc.Linear((0, 1), (1, -1), "<=", 0), "x <= y"),
    (mc.Linear((0, 1), (-2, -1), "<", 3), "2*x + y > -3"),
    (mc.Linear((0, 1), (1, -1), ">=", -4), "x + 4 >= y"),
    (mc.Linear((0,), (1,), "==", -4), "x = -4"),
    (mc.Implies(mc.NotEqual((0, 1)), mc.NotEqual((1, 2))), "(x != y) -> (y != z)"),
    (mc.AllDifferent((mc.Affine(0, 2, -1), mc.Affine(1, -1, 0))), "alldifferent([2*x - 1, -y])"),
    (mc.AllDifferent((0, 1, 2)), "alldifferent([x, y, z])"),
    (mc.AllDifferent((0, 1, 2), (3, 1)), "alldifferent_except([x, y, z], {1, 3})"),
    (mc.AllEqual((0, 1, 2)), "all_equal([x, y, z])"),
    (mc.Increasing((0, 1), strict=True, decreasing=True), "strictly_decreasing([x, y])"),
    (mc.Lex(((0, 1), (1, 2)), strict=True), "lex_less([x, y], [y, z])"),
    (mc.Lex(((0,), (1,), (2,))), "lex_lesseq([x], [y]) /\\ lex_lesseq([y], [z])"),
    (mc.Precedence((0, 1, 2), (3, 1)), "value_precede_chain([3, 1], [x, y, z])"),
    (mc.Circuit((0, 1, 2)), "circuit(array1d(0..2, [x, y, z]))"),
    (mc.SubCircuit((0, 1, 2)), "subcircuit(array1d(0..2, [x, y, z]))"),
    (mc.Inverse((0,), (1,)), "inverse(array1d(0..0, [x]), array1d(0..0, [y]))"),
    (
        mc.Cumulative((0, 1), mc.constants(1, 2), (2, mc.constant(2)), mc.constant(3)),
        "cumulative([x, y], [1, 2], [z, 2], 3)",
    ),
    (mc.NoOverlap((0, 1), mc.constants(1, 2)), "disjunctive([x, y], [1, 2])"),
    (mc.NoOverlap((0, 1), mc.constants(1, 2), strict=True), "disjunctive_strict([x, y], [1, 2])"),
    (
        mc.NoOverlap2D((0, 1), (1, 2), mc.constants(1, 2), mc.constants(1, 2), strict=True),
        "diffn([x, y], [y, z], [1, 2], [1, 2])",
    ),
    (
        mc.NoOverlap2D((0, 1), (1, 2), mc.constants(1, 2), mc.constants(1, 2)),
        "diffn_nonstrict([x, y], [y, z], [1, 2], [1, 2])",
    ),
    (
        mc.GlobalCardinality((0, 1), (1, 3), (2, mc.constant(1))),
        "global_cardinality([x, y], [1, 3], [z, 1])",
    ),
    (
        mc.GlobalCardinality((0, 1), (1, 3), (2, mc.constant(1)), closed=True),
        "global_cardinality_closed([x, y], [1, 3], [z, 1])",
    ),
    (
        mc.BinPacking((0, 1), (3, 4), "==", (2, mc.constant(4))),
        "bin_packing_load(array1d(0..1, [z, 4]), [x, y], [3, 4])",
    ),
    (
        mc.BinPacking((0, 1), (3, 4), "<=", mc.constants(5, 4)),
        "bin_packing_capa(array1d(0..1, [5, 4]), [x, y], [3, 4])",
    ),
    (
        mc.Regular((0, 1), ((7, 0, 8), (8, 1, 7)), 7, (7,)),
        "regular([x + 1, y + 1], 2, 2, [| 2, 0 | 0, 1 |], 1, {1})",
    ),
    (
        mc.Regular((0, 1), ((7, 1, 8), (7, 1, 7)), 7, (8,)),
        "regular_nfa([x, y], 2, 1, [| {1, 2} | {} |], 1, {2})",
    ),
    (mc.Table((0, 1), ((1, 2), (3, 4))), "table([x, y], [| 1, 2 | 3, 4 |])"),
    (mc.Table((0,), ((1,), (3,))), "x in {1, 3}"),
    (mc.Table((0,), ((1,), (2,), (3,)), allowed=False), "not (x in 1..3)"),
    (
        mc.Table((0, 1), ((1, 2), (3, 4)), allowed=False),
        "not ((x = 1 /\\ y = 2) \\/ (x = 3 /\\ y = 4))",
    ),
    (mc.Table((0, 1), ((1, mc.ANY),)), "((x = 1))"),
    (
        mc.Or((mc.Table((0, 1, 2), ((1, 2, 3), (mc.ANY, 1, 3))), mc.NotEqual((0, 1)))),
        "((x = 1 /\\ y = 2 /\\ z = 3) \\/ (y = 1 /\\ z = 3)) \\/ (x != y)",
    ),
    (mc.Define(0, mc.Quotient(1, 2)), "x = (y div z)"),
    (mc.Define(0, mc.Remainder(1, mc.Sum((1, 2)))), "x = (y mod (y + z))"),
    (mc.Define(0, mc.Distance(1, 2)), "x = abs(y - z)"),
    (mc.Define(0, mc.Distance(1, mc.constant(2))), "x = abs(y - 2)"),
    (mc.Define(0, mc.Distance(1, mc.constant(0))), "x = abs(y)"),
    (mc.Define(0, mc.Minimum((1, 2))), "x = min([y, z])"),
    (mc.Define(0, mc.Element((1, 2), 0)), "x = array1d(0..1, [y, z])[x]"),
    (
        mc.Define(0, mc.Element2D(((1, 2), (0, 0)), 0, 1)),
        "x = array2d(0..1, 0..1, [y, z, x, x])[x, y]",
    ),
    (mc.Define(0, mc.Count((1, 2), (0,))), "x = count([y, z], x)"),
    (
        mc.Define(0, mc.Count((1, 2), mc.constants(1, 2))),
        "x = (sum(t_ in [y, z])(bool2int(t_ in {1, 2})))",
    ),
    (
        mc.Define(0, mc.Count((1,), (0, 2))),
        "x = (let { array[int] of var int: t_ = [y, x, z] } in "
        "sum(i_ in 1..1)(bool2int(exists(j_ in 2..3)(t_[i_] = t_[j_]))))",
    ),
    (mc.Define(0, mc.NValue((1, 2))), "x = nvalue([y, z])"),
    (
        mc.Or((mc.Linear((mc.NValue((1, 2)),), (1,), "<=", 1), mc.NotEqual((0, 1)))),
        "((let { array[int] of var int: t_ = [y, z] } in sum(v_ in 0..4)"
        "(bool2int(exists(i_ in 1..2)(t_[i_] = v_)))) <= 1) \\/ (x != y)",
    ),
    (
        mc.Linear((mc.Element((0,), 0), 0), (0, 1), ">", 0),
        "max([x, min([x, array1d(0..0, [x])[x]])]) > 0",
    ),
    (
        mc.Define(0, mc.Sum((mc.Product((mc.constant(0), mc.Quotient(1, 2))), 1))),
        "max([x, min([x, (y div z)])]) = y",
    ),
    (
        mc.Define(0, mc.Maximum((mc.Element((1, mc.Quotient(1, 2)), mc.constant(0)), 2))),
        "x = max([max([array1d(0..1, [y, (y div z)])[0], "
        "min([array1d(0..1, [y, (y div z)])[0], (y div z)])]), z])",
    ),
    (
        mc.Define(0, mc.NValue((1, 2), (3,))),
        "x = (let { array[int] of var int: t_ = [y, z] } in "
        "sum(v_ in 0..4 diff {3})(bool2int(exists(i_ in 1..2)(t_[i_] = v_))))",
    ),
    (
        mc.Define(0, mc.IfThenElse(mc.NotEqual((0, 1)), 1, mc.constant(3))),
        "x = (if x != y then y else 3 endif)",
    ),
    (
        mc.Define(0, mc.IfThenElse(mc.NotEqual((0, 1)), mc.Quotient(1, 2), mc.constant(3))),
        "x = array1d(0..1, [3, (y div z)])[bool2int(x != y)]",
    ),
    (
        mc.Linear((mc.Truth(mc.NotEqual((0, 1))), mc.Truth(mc.NotEqual((1, 2)))), (1, 2), "<=", 2),
        "bool2int(x != y) + 2*bool2int(y != z) <= 2",
    ),
    (mc.Not(mc.AllDifferent((0, 1))), "not alldifferent([x, y])"),
    (
        mc.Iff(mc.NotEqual((0, 1)), mc.And((mc.NotEqual((0, 1)), mc.NotEqual((1, 2))))),
        "(x != y) <-> ((x != y) /\\ (y != z))",
    ),
    (mc.Xor((mc.NotEqual((0, 1)), mc.NotEqual((1, 2)))), "(x != y) xor (y != z)"),
    (
        mc.Xor((mc.NotEqual((0, 1)), mc.NotEqual((1, 2)), mc.NotEqual((0, 2)))),
        "xorall([x != y, y != z, x != z])",
    ),
    (mc.Clauses((0, 1), ((1, -2),)), "x != 0 \\/ y = 0"),
    (
        mc.Or((mc.Clauses((0, 1), ((1,), (-2, 1))), mc.NotEqual((0, 1)))),
        "((x != 0) /\\ (y = 0 \\/ x != 0)) \\/ (x != y)",
    ),
]


@pytest.mark.parametrize(("constraint", "said"), SAID, ids=[said for _, said in SAID])
def test_what_is_said_of_each_class(constraint, said):
    structure = Structure(("x", "y", "z"), (tuple(range(5)),) * 3, (constraint,))
    lines = text_of(structure.problem()).splitlines()
    assert f"constraint {said};" in lines


def test_every_class_is_native_or_rewritten():
    kinds = {native.kind for native in PROFILE.natives}
    said = {type(part) for constraint, _ in SAID for part in within(constraint)}
    assert kinds <= said | {mc.Product, mc.Maximum}
    assert {kind.__name__ for kind in set(mc.VOCABULARY) - kinds - {mc.Define}} == {"MDD"}


def within(item):
    yield item
    for part in item.parts():
        yield from within(part)


def test_a_wide_table_within_a_formula_is_written_out():
    table = mc.Table(range(6), ((1, 2, 3, 1, 2, 3),))
    said = mc.Linear((mc.Truth(table), 0), (1, 1), "<=", 1)
    structure = Structure(tuple("abcdef"), ((1, 2, 3),) * 6, (table, said))
    written = text_of(structure.problem())
    assert written.count("table([a, b, c, d, e, f]") == 1
    assert "bool2int(((a = 1 /\\ b = 2" in written


def test_what_can_only_hold_is_rewritten_within_formulas():
    circuit = mc.Or((mc.Circuit((0, 1, 2, 3)), mc.NotEqual((0, 1))))
    structure = Structure(("x", "y", "z", "w"), (tuple(range(99)),) * 4, (circuit,))
    written = text_of(structure.problem())
    assert "circuit" not in written
    assert "var 0..1: aux" in written
    assert written.endswith(
        "output [\n" + "".join(f'  "{n} = \\({n});\\n",\n' for n in "xyzw") + "];\n"
    )


@pytest.mark.parametrize(
    ("names", "declared"),
    [
        (["x[0]", "x[1]"], ["array[0..1] of var 1..2: x;"]),
        (["x[1]", "x[0]"], ["array[0..1] of var 1..2: x;"]),
        (["x[0]", "x[2]"], ["var 1..2: x_0;", "var 1..2: x_2;"]),
        (["x[-1]", "x[0]"], ["array[-1..0] of var 1..2: x;"]),
        (["x[00]", "x[1]"], ["var 1..2: x_00;", "array[1..1] of var 1..2: x;"]),
        (["x[0]", "x"], ["var 1..2: x_0;", "var 1..2: x;"]),
        (["x[0]", "x[0,1]"], ["var 1..2: x_0;", "var 1..2: x_0_1;"]),
        (["sum[0]", "sum"], ["var 1..2: sum_0;", "var 1..2: sum_2;"]),
        (["é", "_"], ["var 1..2: v;", "var 1..2: v_2;"]),
    ],
)
def test_names_and_arrays(names, declared):
    written = text_of(Structure(tuple(names), ((1, 2),) * len(names), ()).problem())
    assert [line for line in written.splitlines() if "var" in line] == declared


def test_domains_of_arrays_and_givens():
    domains = {"x[0]": range(4), "x[1]": range(4), "x[2]": (1, 3), "y[0]": (), "y[1]": (7, 9)}
    written = text_of(build_problem(domains, givens={"x[0]": 2})).strip().split("\n\n")[0]
    assert written.splitlines() == [
        "array[0..2] of var 0..3: x;",
        "constraint x[0] = 2;",
        "constraint x[2] in {1, 3};",
        "array[0..1] of var 7..9: y;",
        "constraint false;",
        "constraint y[1] in {7, 9};",
    ]


def test_large_domains_of_arrays_are_not_gone_through():
    domains = {"x[0]": range(10**12), "x[1]": range(10**12), "x[2]": range(7, 10**11)}
    assert text_of(build_problem(domains)).split("\n\n")[0].splitlines() == [
        "array[0..2] of var 0..999999999999: x;",
        "constraint x[2] in 7..99999999999;",
    ]


@pytest.mark.parametrize(
    ("problem", "cause"),
    [
        (build_problem({"x": range(0, 10**9, 2)}), "the domain of x has too many gaps"),
        (build_problem({"x": (0, 10**20)}), "the number 100000000000000000000 is too large"),
    ],
)
def test_what_cannot_be_said(problem, cause):
    with pytest.raises(ModelError, match=cause):
        text_of(problem)


# --- flattening ----------------------------------------------------------------------------------

FAKE = """#!{python}
import sys, time, pathlib
arguments = sys.argv[1:]
made = pathlib.Path(arguments[arguments.index("--fzn") + 1])
model = next(a for a in arguments if a.endswith("model.mzn"))
text = pathlib.Path(model).read_text()
if "wrong" in text:
    sys.exit(f"{{model}}:3.7-9:\\nError: syntax error, unexpected wrong")
if "slow" in text:
    time.sleep(60)
if "nothing" not in text:
    data = "".join(pathlib.Path(a).read_text() for a in arguments if a.endswith(".dzn"))
    made.write_text(f"var 1..{{data or 3}}: x;solve satisfy;")
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A program ``minizinc`` that knows four models."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "minizinc"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder) + os.pathsep + os.environ["PATH"])
    return tmp_path


def test_a_model_is_flattened_and_read(fake):
    assert read(b"ok", "m.mzn").structure.domains == ((1, 2, 3),)


def test_data_beside_the_model_are_taken(fake):
    (fake / "m.dzn").write_text("5")
    assert read(b"ok", str(fake / "m.mzn")).structure.domains == ((1, 2, 3, 4, 5),)


@pytest.mark.parametrize(
    ("model", "place", "cause"),
    [
        (b"wrong", "m.mzn:3:7", "MiniZinc: syntax error, unexpected wrong"),
        (b"nothing", "m.mzn:1:1", "refused the model without naming an error"),
    ],
)
def test_what_minizinc_says_is_passed_on(fake, model, place, cause):
    with pytest.raises(InstanceError) as caught:
        read(model, "m.mzn")
    assert caught.value.place == place
    assert cause in caught.value.cause


def test_flattening_has_an_end(fake):
    with pytest.raises(InstanceError, match=r"did not flatten the model within 0.2 seconds"):
        flatten(b"slow", "m.mzn", [], seconds=0.2)


def test_without_minizinc_it_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        InstanceError, match=r"install MiniZinc .* or flatten it elsewhere"
    ) as caught:
        read(b"solve satisfy;", "m.mzn")
    assert caught.value.place == "m.mzn:1:1"


# --- with MiniZinc -------------------------------------------------------------------------------


@needs_minizinc
@pytest.mark.parametrize(("constraint", "said"), SAID, ids=[said for _, said in SAID])
def test_minizinc_means_the_same(constraint, said):
    problem = Structure(("x", "y", "z"), (tuple(range(5)),) * 3, (constraint,)).problem()
    found = registry.get("propagation").solve(
        read(text_of(problem).encode(), "m.mzn"), Solutions(None)
    )
    assert found.count == len(list(solutions(problem)))


@needs_minizinc
def test_minizinc_means_the_same_of_drawn_problems():
    backend = registry.get("propagation")
    kinds = [kind for kind in mc.VOCABULARY if issubclass(kind, mc.Constraint)]
    for kind, problem in islice(drawn_problems(3, kinds), 26):
        wanted = Counter(solutions(problem))
        found = backend.solve(read(text_of(problem).encode(), "m.mzn"), Solutions(None))
        assert found.count == len(wanted), kind


@needs_minizinc
def test_what_minizinc_does_not_understand_has_its_place():
    with pytest.raises(InstanceError) as caught:
        read(b"var 1..3: x;\nconstraint x = y;\nsolve satisfy;", "folder/m.mzn")
    assert caught.value.place.startswith("folder/m.mzn:2:")
    assert "y" in caught.value.cause
