"""The library for MiniZinc: what its files declare is what FlatZinc's reader knows."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from modelling.constraint import Constraint, Predicate
from modelling.formats.flatzinc.globals import GLOBALS
from modelling.formats.flatzinc.libraries import OWN_ARGUMENTS, find, named_after
from modelling.formats.minizinc.reading import SOLVER
from modelling.terms import Formula, Int, Ints, Term, Terms
from modelling.vocabulary import VOCABULARY
from tests.missing_programs import require_program

LIBRARY = SOLVER.parent / "globals"

LETTERS = {
    "var int": "t",
    "var bool": "b",
    "int": "i",
    "bool": "i",
    "set of int": "s",
    "array[int] of var int": "T",
    "array[int] of var bool": "B",
    "array[int] of int": "I",
    "array[int] of bool": "I",
    "array[int] of set of int": "S",
}
"""How the reader takes an argument of a type. Later releases of MiniZinc refuse matrices here."""

NUMBERS_AS_TERMS = [("i", "t"), ("i", "b"), ("I", "T"), ("I", "B"), ("b", "t")]

DECOMPOSED = {
    "fzn_arg_sort_int": "the vocabulary has no sorting",
    "fzn_knapsack": "two sums",
    "fzn_member_bool": "a disjunction",
    "fzn_member_int": "a disjunction",
    "fzn_network_flow": "sums",
    "fzn_network_flow_cost": "sums",
    "fzn_sliding_sum": "sums",
    "fzn_sort": "the vocabulary has no sorting",
    "fzn_maximum_int": "MiniZinc's library calls array_int_maximum instead",
    "fzn_minimum_int": "MiniZinc's library calls array_int_minimum instead",
}
"""What the reader knows and the library does not declare, with the reason."""


def predicates():
    """File, name, types and whether there is a body, for each predicate of the library."""
    for file in sorted(LIBRARY.glob("*.mzn")):
        text = re.sub(r"%.*", "", file.read_text(encoding="ascii"))
        for item in filter(str.strip, text.split(";")):
            found = re.search(r"predicate (\w+)\(([^)]*)\)\s*(=?)", item)
            if found is not None:
                types = re.findall(r"((?:array\[[^\]]*\] of )?[a-z ]+): \w+", found[2])
                yield file.name, found[1], [one.strip() for one in types], bool(found[3])


def test_each_declaration_is_one_that_the_reader_knows():
    declared = [(file, name, types) for file, name, types, body in predicates() if not body]
    assert len(declared) > 200
    for file, name, types in declared:
        if "float" in "".join(types):
            continue
        known = find(name)
        assert known is not None, f"{file}: {name}"
        taken = "".join(LETTERS[one] for one in types)
        assert len(taken) == len(known.signature), f"{file}: {name}"
        for one, other in zip(taken, known.signature, strict=True):
            coarser = one == other or (one, other) in NUMBERS_AS_TERMS
            assert coarser, f"{file}: {name} has {taken}, the reader takes {known.signature}"


def test_each_is_declared_half_reified_and_reified_too():
    declared = {name for _, name, _, body in predicates() if not body}
    for name in declared:
        if not name.endswith(("_reif", "_imp")) and "float" not in name:
            assert {f"{name}_reif", f"{name}_imp"} <= declared, name


def test_each_global_of_the_reader_is_declared_or_decomposed_for_a_reason():
    declared = {name for _, name, _, body in predicates() if not body}
    for name in GLOBALS:
        own = name.replace(
            "fzn", "concord", 1
        )  # told where places are counted from, or without shape
        assert {name, own} & declared or name in DECOMPOSED, name
    for name in OWN_ARGUMENTS:
        assert not name.startswith("concord_") or name in declared, name


def test_each_global_of_minizinc_is_in_the_table():
    program = require_program("minizinc")
    said = subprocess.run([program, "--config-dirs"], capture_output=True, check=True)
    folder = Path(json.loads(said.stdout)["mznStdlibDir"]) / "std"
    included = re.findall(r'include "(\w+)\.mzn"', (folder / "globals.mzn").read_text())
    assert len(included) > 100
    page = (Path(__file__).parents[4] / "docs" / "minizinc-globals.md").read_text(encoding="utf-8")
    told = {
        name
        for row in re.findall(r"^\| (.*?) \|", page, re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert set(included) <= told


def test_files_are_named_after_what_they_replace():
    """MiniZinc includes ``fzn_NAME.mzn`` and ``fzn_NAME_reif.mzn``: both stand here or neither."""
    names = {file.stem for file in LIBRARY.glob("fzn_*.mzn")}
    for name in names:
        plain = name.removesuffix("_reif")
        assert {plain, f"{plain}_reif"} <= names, name
    for file, name, _, _ in predicates():
        if file.startswith("fzn_") and name.startswith("fzn_"):
            stem = re.sub("arg_(max|min)", r"\1imum_arg", file.removesuffix(".mzn"))
            assert name.startswith(stem.removesuffix("_set")), f"{file}: {name}"


def test_the_solver_definition_names_the_library():
    definition = json.loads(SOLVER.read_text(encoding="ascii"))
    assert (SOLVER.parent / definition["mznlib"]).samefile(LIBRARY)
    assert definition["executable"], "MiniZinc 2.6 looks for no library of a solver without one"


@dataclass(frozen=True)
class Toy(Predicate):
    """A class that no reader knows."""

    minizinc = "toy"

    terms: Terms
    least: Int
    values: Ints
    result: Term


@dataclass(frozen=True)
class Stated(Predicate):
    """A class with a field that FlatZinc cannot say."""

    formula: Formula


def test_a_class_without_a_reader_is_read_by_its_fields():
    assert named_after(Toy).signature == "TiIt"
    assert named_after(Stated) is None
    assert named_after(Constraint) is None
    for kind in VOCABULARY:
        if named_after(kind) is not None:
            assert find(f"fzn_{kind.minizinc}") is not None
