"""The checker of cutting planes: its rules are sound, and no mutant of a proof deceives it."""

import random
from itertools import product

import pytest

from backends.proofs.cutting_planes.inequality import Inequality, normalise
from backends.proofs.cutting_planes.program import Checker, check
from backends.proofs.cutting_planes.propagation import Propagation
from backends.proofs.cutting_planes.text import read_formula, read_inequality

HEAD = "pseudo-Boolean proof version 1.1"
FORMULA = ["+1 x1 +1 x2 >= 1 ;", "+1 x1 -1 x2 >= 0 ;", "-1 x1 +1 x2 >= 0 ;", "-1 x1 -1 x2 >= -1 ;"]
LOADED = ["l 1", "l 2", "l 3", "l 4"]


def verdict(*lines, formula=FORMULA):
    return check(formula, [HEAD, *lines])


def draw(rng, n=5, largest=6):
    pairs = [(rng.choice((1, -1)) * v, rng.randint(-largest, largest)) for v in range(1, n + 1)]
    return normalise(rng.sample(pairs, rng.randint(1, n)), rng.randint(-4, 10))


def holds(inequality, values):
    """``values`` has the truth value of each variable, from variable 1 on."""
    total = sum(
        weight * (values[abs(literal) - 1] == (literal > 0))
        for literal, weight in inequality.weights.items()
    )
    return total >= inequality.degree


ASSIGNMENTS = list(product((False, True), repeat=5))


# --- the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(200))
def test_what_is_derived_holds_wherever_its_premises_do(seed):
    rng = random.Random(seed)
    one, other = draw(rng), draw(rng)
    derived = [
        (one.copy().add(other), [one, other]),
        (one.copy().multiply(rng.randint(0, 4)), [one]),
        (one.copy().divide(rng.randint(1, 5)), [one]),
        (one.copy().saturate(), [one]),
        (one.copy().weaken(rng.randint(1, 5)), [one]),
        (Inequality({rng.choice((1, -3)): 1}, 0), []),
    ]
    for values in ASSIGNMENTS:
        for found, premises in derived:
            if all(holds(premise, values) for premise in premises):
                assert holds(found, values)
        assert holds(one.copy().negate(), values) != holds(one, values)


@pytest.mark.parametrize("seed", range(100))
def test_propagation_contradicts_only_what_has_no_solution(seed):
    rng = random.Random(seed)
    known, kept = Propagation(), []
    for _ in range(6):
        found = draw(rng)
        without = [v for v in ASSIGNMENTS if all(holds(one, v) for one in [*kept, found])]
        if known.refutes(found):
            assert not without
        else:  # it forgets what it was asked
            known.add(found)
            kept.append(found)
            assert not (known.contradicted and without)


def test_propagation_finds_units_and_their_consequences():
    known = Propagation()
    known.add(read_inequality(["+3", "x1", "+2", "x2", "+1", "x3", ">=", "3", ";"]))
    known.add(read_inequality(["+1", "~x1", "+1", "x4", ">=", "1", ";"]))
    assert known.refutes(read_inequality(["+2", "~x2", "+1", "~x3", "+3", "~x4", ">=", "5", ";"]))
    assert not known.refutes(read_inequality(["+1", "~x2", "+1", "~x3", ">=", "1", ";"]))
    assert not known.contradicted


@pytest.mark.parametrize(
    ("lines", "state", "said"),
    [
        ([*LOADED, "pol 1 2 + 2 d", "pol 4 3 + 2 d", "pol 5 6 +", "c 7"], "checked", ""),
        ([*LOADED, "rup +1 x1 >= 1 ;", "c 5"], "checked", ""),  # propagation ends it
        ([*LOADED, "pol 1 2 + 2 d"], "rejected", "without a contradiction"),
        ([*LOADED[:2], "pol 1 2 + 2 d", "c 3"], "rejected", "not contradictory"),
        (["rup +1 x1 >= 1 ;"], "rejected", "unit propagation"),
        (["l 5"], "rejected", "no inequality 5"),
        (["pol 1 2 +"], "rejected", "before this line"),
        ([*LOADED, "pol 1 2"], "rejected", "leave 2"),
        ([*LOADED, "pol 1 0 d"], "rejected", "less than 1"),
        ([*LOADED, "pol 1 -2 *"], "rejected", "less than 0"),
        ([*LOADED, "pol +"], "rejected", ""),
        ([*LOADED, "pol 1 2 + 3 *", "pol 5 x1"], "rejected", "leave 2"),
        (["a +1 x1 >= 1 ;"], "rejected", "excludes no solution"),
        (["soli x1 x2"], "rejected", "no objective"),
        (["red +1 x1 >= 1 ; x1 -> 1"], "rejected", "'red' is not a rule"),
        (["rup +1 x1 >= 1"], "rejected", "an inequality ends"),
        (["rup +1 y >= 1 ;"], "rejected", "'y' is not a literal"),
        (["c"], "rejected", ""),
    ],
)
def test_proofs(lines, state, said):
    found = verdict(*lines)
    assert found.state == state
    assert said in found.said


def test_other_versions_and_what_cannot_be_read_are_named():
    assert "begins with" in check(FORMULA, ["pseudo-Boolean proof version 2.0"]).said
    assert check(FORMULA, []).state == "rejected"
    assert check(["+1 x1 >= 1"], [HEAD]) == (
        "unchecked",
        "the formula cannot be read: an inequality ends with '>= DEGREE ;'",
        0,
    )


def test_an_objective_is_bounded_by_what_is_claimed_and_no_more():
    formula = ["min: +2 x1 +3 x2 ;", "than: 2", "+1 x1 +1 x2 >= 1 ;"]
    end = ["l 1", "pol 1 2 + s", "rup >= 1 ;", "c 4"]
    assert verdict("soli x1 ~x2", *end, formula=formula).state == "checked"
    assert "less than what is claimed" in verdict("soli ~x1 ~x2", *end, formula=formula).said
    assert "nothing of x2" in verdict("soli x1", *end, formula=formula).said
    formula[1] = "than: 3"  # 2 is better
    assert verdict("soli x1 ~x2", *end, formula=formula).state == "rejected"
    assert verdict("soli ~x1 x2", *end, formula=formula).state == "rejected"


def test_only_listed_solutions_are_excluded():
    formula = ["+1 x1 >= 1 ;", "excluded: +1 ~x1 >= 1 ;"]
    assert verdict("l 1", "a +1 ~x1 >= 1 ;", "c 2", formula=formula).state == "checked"
    assert verdict("l 1", "a +2 ~x1 >= 1 ;", "c 2", formula=formula).state == "rejected"


def test_weights_are_as_large_as_they_must_be():
    huge = 10**40
    formula = [f"+{huge} x1 +1 x2 >= {huge + 1} ;", "+1 ~x2 >= 1 ;"]
    assert verdict("l 1", "l 2", "pol 1 2 +", "c 3", formula=formula).state == "checked"
    assert normalise([(1, huge), (-1, huge)], huge) == Inequality({}, 0)


# --- mutants -------------------------------------------------------------------------------------


def try_mutants(seed, number):
    """Change proofs of Exact; return how many mutants there were, and how many were accepted.

    Whatever is accepted has valid lines, and is of a claim that is true.
    """
    pytest.importorskip("exact", reason="the extra exact is not installed")
    from results.studies.correctness.inequality_lines import (
        MOST_BOOLEANS,
        Meaning,
        ask_for,
        invalid_line,
        mutated,
        prove,
    )
    from tests.backends.propagation.test_proving import DRAWN, drawn

    rng = random.Random(seed)
    tried = accepted = 0
    while tried < number:
        problem = drawn(rng, rng.choice(list(DRAWN)))
        for proof in prove(problem, ask_for(rng, problem)):
            assert proof.verdict().state == "checked"
            if not 6 <= len(proof.lines) <= 60 or not 2 <= proof.booleans <= MOST_BOOLEANS:
                continue
            for _ in range(20):
                mutant = mutated(rng, proof)
                tried += 1
                if mutant.booleans > MOST_BOOLEANS or mutant.verdict().state != "checked":
                    continue
                accepted += 1
                checker = Checker(read_formula(mutant.formula))
                for place, line in enumerate(mutant.lines[: mutant.verdict().steps], 1):
                    checker.add(line, place)
                assert not invalid_line(mutant, checker.shown), mutant
                assert Meaning(mutant).claim_is_true(), mutant
    return tried, accepted


@pytest.mark.once
def test_mutants_of_proofs_are_rejected_unless_they_are_proofs():
    tried, accepted = try_mutants(27, 300)
    assert tried >= 300
    assert accepted < tried / 2
