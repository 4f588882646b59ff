"""Every class of the vocabulary: it brings all that it must, its edges are right, the laws hold."""

from dataclasses import dataclass, replace
from inspect import getattr_static
from itertools import combinations
from pathlib import Path

import pytest

from modelling import constraints, vocabulary
from modelling import constraints as mc
from modelling.brute_force import solutions
from modelling.constraint import Constraint, Predicate
from modelling.errors import ModelError
from modelling.laws import checking as laws
from modelling.laws.checking import (
    PROFILES,
    correspondence_faults,
    edge_faults,
    faults_of,
    missing_parts,
)
from modelling.laws.drawing import structure_over
from modelling.rewriting import rewrite
from modelling.terms import Function, Terms, bounds

DRAWS = 15
"""The study ``results.studies.correctness.laws`` makes 2,000 of each."""
FEWER = 8
"""Of classes to which no other expands."""
MOST = 12


@pytest.mark.parametrize("kind", mc.VOCABULARY, ids=lambda kind: kind.__name__)
def test_a_class_brings_all_that_it_must(kind):
    assert missing_parts(kind) == []
    assert list(edge_faults(kind)) == []


@pytest.mark.parametrize("kind", mc.VOCABULARY, ids=lambda kind: kind.__name__)
def test_the_laws_hold(kind):
    draws = DRAWS if others_expand_to(kind) else FEWER
    assert [fault for seed in range(draws) for fault in faults_of(kind, seed, MOST)] == []


def others_expand_to(kind):
    basic = kind.__module__.startswith(f"{vocabulary.__name__}.formulas.")
    return basic or kind in (mc.AllDifferent, mc.NotEqual, mc.Count, mc.Define, mc.Element)


# --- that the laws notice ------------------------------------------------------------------------


@dataclass(frozen=True)
class Bare(Predicate):
    terms: Terms


@dataclass(frozen=True)
class BareFunction(Function):
    terms: Terms


def test_a_class_that_lacks_a_part_is_named_with_it():
    names = ["EDGES", "xcsp3", "minizinc", "docstring"]
    assert missing_parts(Bare) == ["relates", "expand", "draw", "negated", *names]
    assert missing_parts(BareFunction) == ["value", "bounds", "expand", "draw", *names]


PARTS = ["relates", "expand", "draw", "EDGES", "xcsp3", "minizinc"]


@pytest.mark.parametrize("kind", mc.VOCABULARY, ids=lambda kind: kind.__name__)
def test_each_part_that_is_taken_from_a_class_is_missed(kind, monkeypatch):
    base = Predicate if issubclass(kind, Predicate) else Function
    parts = PARTS if base is Predicate else ["value", "bounds", *PARTS[1:]]
    if base is Predicate:
        parts = [*parts, "negated"]
    for part in parts:
        if part not in kind.WITHOUT:
            monkeypatch.setattr(kind, part, getattr_static(base, part, ()))
            assert missing_parts(kind) == [part]
            monkeypatch.undo()
    for part in kind.WITHOUT:
        monkeypatch.setattr(kind, "WITHOUT", {part: ""})  # no reason is none
        assert part in missing_parts(kind)
        monkeypatch.undo()


def test_a_reason_for_going_without_what_is_there_is_told(monkeypatch):
    monkeypatch.setattr(mc.Linear, "WITHOUT", {"negated": "too hard"})
    assert missing_parts(mc.Linear) == ["WITHOUT of negated"]
    monkeypatch.setattr(mc.Linear, "WITHOUT", {"relates": "nobody asked"})
    monkeypatch.setattr(mc.Linear, "relates", Predicate.relates)
    assert missing_parts(mc.Linear) == ["relates"]


def test_the_vocabulary_is_what_stands_in_its_folder():
    """A class in a new file of the folder needs no other line; two of one name would hide."""
    names = [kind.__name__ for kind in mc.VOCABULARY]
    assert len(set(names)) == len(names)
    assert {"AllDifferent", "Xor", "Sum", "Element", "IfThenElse"} <= set(names)
    folder = Path(vocabulary.__file__).parent
    files = {path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")}
    files -= {path for path in files if path.stem in ("__init__", "comparisons")}
    told = [kind.__module__.removeprefix(f"{vocabulary.__name__}.") for kind in mc.VOCABULARY]
    assert {Path(*name.split(".")) for name in told} == files
    assert max(len(list(room.glob("*.py"))) for room in folder.iterdir() if room.is_dir()) <= 15
    for kind in mc.VOCABULARY:
        assert getattr(constraints, kind.__name__) is kind


@dataclass(frozen=True)
class OnlyDefined(mc.AllDifferent):
    def relates(self, terms, except_):
        return True


def test_what_follows_from_another_meaning_is_not_inherited():
    assert missing_parts(OnlyDefined)[:1] == ["expand"]
    assert OnlyDefined((0, 1)).holds((5, 5))


def law_faults(kind, law, draws=150):
    """Those of each draw, in turn."""
    for seed in range(draws):
        yield from laws.LAWS[law](laws.draw_case(kind, seed, MOST))


@pytest.mark.parametrize(
    ("law", "method", "wrong"),
    [
        ("same when expanded", "expand", lambda self, fresh: mc.Linear((), (), "==", 0)),
        ("same when simple", "simplified", lambda self: mc.Linear((), (), "==", 0)),
        ("excluded middle", "negated", lambda self: self),
        ("relabelling", "holds", lambda self, values: 0 in values),
        ("travels", "canonical", lambda self: ()),
    ],
)
def test_a_wrong_method_breaks_its_law(monkeypatch, law, method, wrong):
    monkeypatch.setattr(mc.AllDifferent, method, wrong)
    assert any(law_faults(mc.AllDifferent, law) if law != "travels" else digests_of_two())


def digests_of_two():
    one, other = (structure_over(((1, 2),) * 2, (mc.AllDifferent(s),)) for s in ((0,), (0, 1)))
    return [one.digest] if one.digest == other.digest else []


def test_a_function_that_is_not_made_total_loses_solutions(monkeypatch):
    monkeypatch.setattr(mc.Element, "guards", lambda self: ())
    with pytest.raises(ModelError, match="a definition, is undefined"):
        list(law_faults(mc.Element, "same when rewritten"))


@dataclass(frozen=True)
class ClearlyDifferent(mc.AllDifferent):
    """A subclass that means more: values differ by two at least."""

    def holds(self, values):
        return all(abs(x - y) > 1 for x, y in combinations(values, 2))


@dataclass(frozen=True)
class Least(mc.Sum):
    """A function that means something else than the one it comes from."""

    def value(self, terms, coefficients):
        return min(terms)

    def bounds(self, domains):
        return min(bounds(term, domains)[0] for term in self.terms), 99


class Multiple(Constraint):
    """Somebody else's, no dataclass of its own."""

    def __init__(self, scope, of):
        super().__init__(scope)
        object.__setattr__(self, "of", of)

    def holds(self, values):
        return sum(values) % self.of == 0


@pytest.mark.parametrize(
    "constraint",
    [
        ClearlyDifferent((0, 1, 2)),
        mc.Not(ClearlyDifferent((2, 0))),
        mc.Or((Multiple((0, 1), 2), Multiple((0, 1), 3))),
        mc.Iff(Multiple((0, 1), 2), Multiple((0, 1), 3)),
        mc.Linear((Least((0, 1)), 2), (1, 1), "==", 3),
        mc.Linear((mc.Sum((Least((0, 1)), 0)),), (1,), ">", 3),
    ],
)
def test_a_subclass_with_a_meaning_of_its_own_keeps_it(constraint):
    structure = structure_over((tuple(range(6)),) * 3, (constraint,))
    expected = list(solutions(structure.problem()))
    assert expected
    for name in ("plain", "table"):
        rewritten = rewrite(structure, PROFILES[name])
        assert correspondence_faults(rewritten, structure, expected) == []


def test_constraints_of_one_class_are_equal_by_what_they_mean():
    assert Multiple((0, 1), 2) == Multiple((0, 1), 2)
    assert Multiple((0, 1), 2) != Multiple((0, 1), 3)
    assert hash(Multiple((0, 1), 2)) == hash(Multiple((0, 1), 2))


def test_an_edge_that_is_wrong_is_named(monkeypatch):
    monkeypatch.setattr(mc.AllDifferent, "EDGES", ((((),), False),))
    assert list(edge_faults(mc.AllDifferent)) == [
        "AllDifferent(terms=(), except_=()) is True, not False"
    ]


@pytest.mark.parametrize("profile", ["plain", "linear", "different", "half"])
def test_a_dropped_definition_is_caught_as_repeats(profile):
    """Without the constraints that define an auxiliary, solutions come several times."""
    count = mc.Count((0, 1, 2), (3,))
    structure = structure_over(
        ((0, 1, 5, 9),) * 4 + ((0, 1),),
        (mc.Iff(mc.equals(4, 1), mc.Linear((count, 3), (2, -1), ">=", 0)),),
    )
    rewritten = rewrite(structure, PROFILES[profile])
    expected = list(solutions(structure.problem()))
    assert rewritten.auxiliaries
    assert correspondence_faults(rewritten, structure, expected) == []
    for auxiliary, _ in rewritten.definitions:
        left = tuple(c for c in rewritten.structure.constraints if auxiliary not in c.scope)
        undefined = replace(rewritten, structure=replace(rewritten.structure, constraints=left))
        faults = correspondence_faults(undefined, structure, expected)
        assert "repeats" in faults[0]
