"""Globals in MiniZinc's models: each arrives as a constraint of the vocabulary, and means the same.

All cases stand in one model, in three positions each: ``P``, ``r <-> P`` and ``h -> P``. It is
flattened with Concord's library; the model of all ``P`` is flattened with MiniZinc's own (``-G
std``) too. The solutions of the parts of both, which share no variables, must be the same.

Words
-----
case      variables with their domains, a condition on them, the classes that must arrive
position  root, reified or half-reified: how the condition stands in the model
part      the variables of a case at a position, and the constraints on them
"""

import re
import subprocess
from collections import defaultdict
from dataclasses import replace
from itertools import count, product

import pytest

from modelling import constraints as mc
from modelling.brute_force import solutions
from modelling.formats import flatzinc, minizinc
from modelling.problem import Structure
from tests.missing_programs import require_program

pytestmark = pytest.mark.once

X3 = "a:0..3 b:0..3 c:0..3"
X4 = "a:1..4 b:1..4 c:1..4 d:1..4"
Z4 = "a:0..3 b:0..3 c:0..3 d:0..3"
B3 = "p:bool q:bool s:bool"
DFA = "[|1,2|0,1|]"

CASES = [
    # equality and counting
    (X3, "all_different([a, b, c])", mc.AllDifferent),
    (Z4, "all_different(array2d(0..1, 0..1, [a, b, c, d]))", mc.AllDifferent),
    (X3, "all_different_except_0([a, b, c])", mc.AllDifferent),
    (X3, "all_different_except([a, b, c], {1, 2})", mc.AllDifferent),
    ("a:0..6 b:0..3 c:0..2", "all_equal([a, 2 * b, 3 * c])", mc.AllEqual),
    (Z4, "symmetric_all_different(array1d(0..3, [a, b, c, d]))", mc.Inverse),
    (f"{X3} n:-1..4", "among(n, [a, b, c], {1, 3})", mc.Count),
    (X3, "at_least(2, [a, b, c], 1)", mc.Count),
    (X3, "at_most(1, [a, b, c], 1)", mc.Count),
    (X3, "exactly(1, [a, b, c], 1)", mc.Count),
    *(
        (f"a:0..2 b:0..2 c:0..2 {more}", f"count{word}([a, b, c], {arguments})", mc.Count)
        for word in ("", "_eq", "_neq", "_leq", "_lt", "_geq", "_gt")
        for more, arguments in (("v:1..2 n:0..3", "v, n"), ("", "1, 2"))
    ),
    (f"{X3} n:0..3", "nvalue(n, [a, b, c])", mc.NValue),
    ("n:0..3 m:0..3 v:0..2 a:0..2 b:0..2", "distribute([n, m], [v, 1], [a, b])", mc.Count),
    (
        f"{X3} n:0..3 m:0..3",
        "global_cardinality([a, b, c], array1d(0..1, [1, 3]), array1d(0..1, [n, m]))",
        mc.GlobalCardinality,
    ),
    (f"{X3} n:0..3", "global_cardinality([a, b, c], [1, 1], [n, n])", mc.Count),
    (
        f"{X3} n:0..3 m:0..3",
        "global_cardinality_closed([a, b, c], [1, 3], [n, m])",
        mc.GlobalCardinality,
    ),
    (X3, "global_cardinality([a, b, c], [1, 3], [0, 1], [1, 2])", mc.Count),
    (X3, "global_cardinality_closed([a, b, c], [1, 3], [0, 1], [1, 3])", mc.Count),
    # packing
    (X3, "bin_packing(4, [a, b, c], [2, 3, 2])", mc.BinPacking),
    (X3, "bin_packing_capa(array1d(0..1, [4, 3]), [a, b, c], [2, 3, 2])", mc.BinPacking),
    (
        "a:1..4 b:1..4 n:0..5 m:0..5",
        "bin_packing_load(array1d(2..3, [n, m]), [a, b], [2, 3])",
        mc.BinPacking,
    ),
    # graphs
    (X4, "circuit([a, b, c, d])", mc.Circuit),
    ("a:-1..3 b:-1..3 c:-1..3", "circuit(array1d(0..2, [a, b, c]))", mc.Circuit),
    ("a:2..4 b:2..4 c:2..4", "subcircuit(array1d(2..4, [a, b, c]))", mc.SubCircuit),
    (
        "a:3..6 b:3..6 c:0..2 d:0..2",
        "inverse(array1d(0..1,[a,b]), array1d(4..5,[c,d]))",
        mc.Inverse,
    ),
    # scheduling
    ("a:0..3 b:0..3 d:0..2 n:-1..3", "cumulative([a, b], [2, d], [1, 2], n)", mc.Cumulative),
    ("a:0..3 b:0..3 d:0..2", "disjunctive([a, b], [2, d])", mc.NoOverlap),
    ("a:0..3 b:0..3 d:1..2", "disjunctive([a, b], [2, d])", mc.NoOverlap),
    ("a:0..3 b:0..3 d:0..2", "disjunctive_strict([a, b], [2, d])", mc.NoOverlap),
    ("a:0..3 b:0..2 d:0..2", "diffn([a, 1], [b, 1], [d, 2], [1, 1])", mc.NoOverlap2D),
    ("a:0..3 b:0..2 d:0..2", "diffn_nonstrict([a, 1], [b, 1], [d, 2], [1, 1])", mc.NoOverlap2D),
    ("a:0..3 b:0..2 d:0..2", "diffn_k([|a, b|1, 1|], [|d, 1|2, 1|])", mc.NoOverlap2D),
    ("a:0..3 b:0..2 d:0..2", "diffn_nonstrict_k([|a, b|1, 1|], [|d, 1|2, 1|])", mc.NoOverlap2D),
    ("a:0..2 b:0..1 d:0..2", "diffn_k([|a, b, 1|1, 1, 1|], [|d, 1, 1|2, 1, 1|])", mc.Or),
    # order
    *(
        (variables, f"{word}([{elements}])", mc.Increasing)
        for word in ("increasing", "decreasing", "strictly_increasing", "strictly_decreasing")
        for variables, elements in ((X3, "a, b, c"), ("p:bool q:bool", "p, q"))
    ),
    *(
        (variables, f"{word}({rows})", mc.Lex)
        for word in ("lex_less", "lex_lesseq", "lex_greater", "lex_greatereq")
        for variables, rows in ((X4, "[a, b], array1d(0..2, [c, d, a])"), (B3, "[p, q], [q, s]"))
    ),
    *(
        (variables, f"{word}(array2d(0..1, {cells}))", mc.Lex)
        for word in ("lex_chain_less", "lex_chain_lesseq", "lex_chain_greater")
        for variables, cells in ((X4, "3..5, [a, b, c, d, a, 2]"), (B3, "3..4, [p, q, s, true]"))
    ),
    (X4, "lex2([|a, b|c, d|])", mc.Lex),
    (X4, "strict_lex2([|a, b|c, d|])", mc.Lex),
    ("a:0..1 b:0..1 c:0..1 d:0..1", "lex_chain_lesseq_orbitope([|a, b|c, d|], 1)", mc.Lex),
    (X3, "value_precede(1, 3, [a, b, c])", mc.Precedence),
    (X4, "value_precede_chain([2, 1, 4], [a, b, c, d])", mc.Precedence),
    ("a:0..5 b:0..5 c:0..5", "seq_precede_chain([a, b, c])", mc.Precedence),
    # automata and tables
    (X3, f"regular([a, b, c], 2, 2, {DFA}, 1, {{1}})", mc.Regular),
    (X3, f"regular([a, b, c], 2, 0..1, array2d(1..2, 0..1, {DFA}), 1, {{1}})", mc.Regular),
    (X3, "regular_nfa([a, b, c], 2, 2, [|1..2, {2}|{}, {1}|], 1, {2})", mc.Regular),
    (
        X3,
        "regular_nfa([a, b, c], 2, 0..1, array2d(1..2, 0..1, [1..2, {2}, {}, {1}]), 1, {2})",
        mc.Regular,
    ),
    *(
        (
            "a:0..4 b:0..4",
            f"{word}([a, b], 3, [1, 2, 2], 5, [1, 1, 2, 3, 3], "
            "[{1}, 2..3, {4}, {1, 4}, {2}], [2, 3, 0, 0, 0])",
            mc.MDD,
        )
        for word in ("mdd", "mdd_nondet")
    ),
    (X3, "table([a, b, c], [|0, 1, 2|3, 3, 3|])", mc.Table),
    ("p:bool q:bool", "table([p, q], [|true, false|false, true|])", mc.Table),
    # functions
    (f"{X3} n:0..3", "maximum(n, [a, b, c])", mc.Maximum),
    (f"{X3} n:0..3", "n = min([a, b, c])", mc.Minimum),
    (f"{X3} n:0..3", "n = max(a, b)", mc.Maximum),
    *(
        (f"{variables} i:-1..3", f"{word}(array1d(0..2, [{elements}])) = i", extreme)
        for word, extreme in (("arg_max", mc.Maximum), ("arg_min", mc.Minimum))
        for variables, elements in ((X3, "a, b, c"), (B3, "p, q, s"))
    ),
    ("a:0..3 b:0..3 i:-1..3", "array1d(0..2, [a, b, 3])[i] = 2", mc.Element),
    ("i:-1..3 n:0..9", "array1d(0..2, [4, 2, 9])[i] = n", mc.Element),
    (f"{B3} i:0..3", "array1d(1..3, [p, q, s])[i]", mc.Element),
    ("a:0..1 i:-1..2 j:2..5", "array2d(0..1, 3..4, [a, 1, 0, a])[i, j] = 1", mc.Element2D),
    ("a:-2..2 b:-2..2", "abs(a) = b", mc.Distance),
    ("a:-3..3 b:-2..2 n:-6..6", "a * b = n", mc.Product),
    ("a:-3..3 b:-2..2 n:-4..4", "a div b = n", mc.Quotient),
    ("a:-3..3 b:-2..2 n:-4..4", "a mod b = n", mc.Remainder),
    ("a:-2..2 n:-8..8", "pow(a, 3) = n", mc.Product),
    (f"{X3} n:0..4", "(if a = 1 then b elseif b = 2 then c else 4 endif) = n", mc.IfThenElse),
    ("a:0..3 p:bool q:bool", "if a = 1 then p else q endif", mc.IfThenElse),
    (B3, "xorall([p, q, s])", mc.Xor),
]

OPTIONAL = [
    # with variables that may be absent: x and y, told apart by a and b
    ("all_different([x, y, 1])", mc.AllDifferent),
    ("cumulative([x, y, 2], [2, 1, 1], [1, 2, 1], 2)", mc.Cumulative),
    ("disjunctive([x, y], [2, 1])", mc.NoOverlap),
    ("disjunctive([x, y, 1], [2, 0, 1])", mc.NoOverlap),
    ("disjunctive_strict([x, y, 1], [2, 0, 1])", mc.Or),
    ("global_cardinality([x, y], [1, 3], [1, 0])", mc.GlobalCardinality),
    ("value_precede_chain([1, 2], [x, y])", mc.Precedence),
]
ABSENT = -1
DECLARED = (
    "var opt 0..3: x; var opt 0..3: y; "
    f"constraint a = x default {ABSENT}; constraint b = y default {ABSENT};"
)


POSITIONS = {"root": "{}", "reified": "(r = 1) <-> ({})", "half": "(r = 1) -> ({})"}


def renamed(text, number):
    """Variables of one letter with the number of a part."""
    return re.sub(r"(?<![\w.])([a-dijm-npqrsvxy])(?![\w(])", rf"\1_{number}", text)


def declared(variables):
    """Name -> values."""
    found = {}
    for one in variables.split():
        name, kind = one.split(":")
        low, high = (0, 1) if kind == "bool" else map(int, kind.split(".."))
        found[name] = range(low, high + 1)
    return found


def every_part(positions):
    """Number -> the case, the position, and its items in a model."""
    numbers = count()
    optional = [(f"a:{ABSENT}..3 b:{ABSENT}..3", *case, DECLARED) for case in OPTIONAL]
    for variables, condition, kind, *more in (*CASES, *optional):
        for position in positions:
            names = [
                f"var {kind}: {name};" for name, kind in (v.split(":") for v in variables.split())
            ]
            stated = POSITIONS[position].format(condition)
            names += ["var 0..1: r;"] * (position != "root")
            text = " ".join([*names, *more, f"constraint {stated};"])
            yield next(numbers), (variables, condition, kind, position), text


def model_of(positions):
    texts = [renamed(text, number) for number, _, text in every_part(positions)]
    return "\n".join(['include "globals.mzn";', *texts, "solve satisfy;"]).encode()


def parts_of(problem):
    """Number of a part -> a problem of its variables and what they are joined with."""
    structure = problem.structure
    root = list(range(structure.size))

    def find_root(variable):
        while root[variable] != variable:
            root[variable] = variable = root[root[variable]]
        return variable

    for constraint in structure.constraints:
        for variable in constraint.scope:
            root[find_root(variable)] = find_root(constraint.scope[0])
    joined, numbers = defaultdict(list), defaultdict(set)
    for variable, name in enumerate(structure.names):
        number = name.rpartition("_")[2] if re.fullmatch(r"[a-z]_[0-9]+", name) else ""
        joined[find_root(variable)].append(variable)
        if number:
            numbers[int(number)].add(find_root(variable))
    of_root = defaultdict(list)
    for constraint in structure.constraints:
        if constraint.scope:
            of_root[find_root(constraint.scope[0])].append(constraint)
    for number, roots in numbers.items():
        variables = sorted(v for one in roots for v in joined[one])
        place = {variable: k for k, variable in enumerate(variables)}
        made = [c.mapped(place.__getitem__) for one in roots for c in of_root[one]]
        names = [structure.names[v] for v in variables]
        yield (
            number,
            Structure(tuple(names), tuple(structure.domains[v] for v in variables), tuple(made)),
        )


def shown(structure, number, names):
    """The solutions, by the values of variables of a part."""
    places = [structure.names.index(f"{name}_{number}") for name in names]
    found = replace(structure, output=tuple(places)).problem()
    return {tuple(values[k] for k in places) for values in solutions(found)}


def classes_in(item):
    """The classes of which a constraint or function is made."""
    yield type(item)
    for part in item.parts():
        yield from classes_in(part)


@pytest.fixture(scope="module")
def meant(tmp_path_factory):
    """Case -> its solutions by MiniZinc's own definitions."""
    program = require_program("minizinc")
    folder = tmp_path_factory.mktemp("std")
    (folder / "m.mzn").write_bytes(b'include "nosets.mzn";\n' + model_of(["root"]))
    command = [program, "-c", "-G", "std", "--no-output-ozn", "--fzn", "m.fzn", "m.mzn"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    problem = flatzinc.read((folder / "m.fzn").read_bytes(), "m.fzn")
    cases = {number: case for number, case, _ in every_part(["root"])}
    found = {}
    for number, structure in parts_of(problem):
        variables, condition, _, _ = cases[number]
        found[variables, condition] = shown(structure, number, declared(variables))
    return found


def test_each_global_arrives_and_means_what_minizinc_says(meant):
    problem = minizinc.read(model_of(POSITIONS), "m.mzn")
    parts = dict(parts_of(problem))
    for number, (variables, condition, kind, position), _ in every_part(POSITIONS):
        where = f"{condition} at {position}"
        structure = parts[number]
        arrived = {one for item in structure.constraints for one in classes_in(item)}
        assert kind in arrived, f"{where}: {structure.constraints}"
        domains = declared(variables)
        true = meant[variables, condition]
        assert len(true) > 0, where
        if position == "root":
            assert shown(structure, number, domains) == true, where
            continue
        wanted = {
            (*values, truth)
            for values in product(*domains.values())
            for truth in (0, 1)
            if truth == (values in true) or (position == "half" and not truth)
        }
        assert shown(structure, number, [*domains, "r"]) == wanted, where


def test_a_model_that_is_called_as_a_global(tmp_path):
    """``globals.mzn`` includes MiniZinc's file of that name, not the model."""
    require_program("minizinc")
    model = b'include "globals.mzn"; var 0..2: x; var 0..9: w;'
    model += b"constraint knapsack([2], [1], [x], w, 1);"
    (tmp_path / "knapsack.mzn").write_bytes(model)
    problem = minizinc.read(model, str(tmp_path / "knapsack.mzn"))
    assert len(list(solutions(problem))) == 1
