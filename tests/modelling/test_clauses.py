"""Clauses: the block as a value, and long blocks, which numpy looks at."""

import pickle
import random
from itertools import product

import numpy as np
import pytest

import concord
from backends.interface import registry
from backends.interface.driver import Driver
from backends.interface.handlers import Handler
from backends.interface.session import Capabilities, Solver
from modelling.constraints import AllDifferent, Iff, Linear, NotEqual, Table, equals
from modelling.errors import ModelError
from modelling.problem import Objective, Structure
from modelling.rewriting import normalise, simplify
from modelling.terms import Affine
from modelling.text import from_text, to_text
from modelling.vocabulary.formulas import clauses as module
from modelling.vocabulary.formulas.clauses import Block, Clauses, chunks_of, clauses_in

SOLVERS = ("sat", "sat:engine=glucose4", "cpsat", "propagation", "python_constraint")


def random_clauses(rng, variables, number, most=3):
    return tuple(
        tuple(rng.choice((-1, 1)) * rng.randint(1, variables) for _ in range(rng.randint(1, most)))
        for _ in range(number)
    )


def test_a_block_is_a_value():
    block = Block(((1, -2), (), (3,)))
    same = Block.of_numbers(np.array([1, -2, 0, 0, 3, 0]))
    assert block == same
    assert hash(block) == hash(same)
    assert block != Block(((1, -2), (3,)))
    assert block == Block.of_numbers(block.data) == Block.of_numbers([1, -2, 0, 0, 3, 0])
    assert pickle.loads(pickle.dumps(block)) == block
    assert (len(block), block.literals, block.most, block.has_empty) == (3, 3, 3, True)
    assert repr(block) == "Block(((1, -2), (), (3,)))"
    assert eval(repr(block)) == block
    assert block != "Block"
    assert (len(Block()), Block().most) == (0, 0)


def test_what_is_no_block_is_refused():
    for clauses in (((1, 0),), ((1 << 31,),), (("x",),), ((1.5,),)):
        with pytest.raises(ModelError):
            Block(clauses)
    for numbers in ([1, 2], b"\1\0\0", b"\1\0\0\0"):
        with pytest.raises(ModelError, match="not ended"):
            Block.of_numbers(numbers)
    with pytest.raises(ModelError, match="literal 3 or its negation stands for no term"):
        Clauses((0, 1), ((1, -3),))


@pytest.mark.parametrize("chunk", [1, 5, 64])
def test_a_long_block_is_as_a_short_one(monkeypatch, chunk):
    rng = random.Random(chunk)
    rows = (*random_clauses(rng, 9, 40, 6), (), (1,) * 20)
    short = Block(rows)
    asked = (len(short), short.literals, short.most, short.has_empty, list(short))
    values = [
        ([rng.randint(-1, 1) for _ in range(9)], Clauses(tuple(range(9)), rows[:k]))
        for k in range(1, 42)
    ]
    held = [made.holds(row) for row, made in values]
    monkeypatch.setattr(module, "SHORT", 0)
    monkeypatch.setattr(module, "CHUNK", chunk)
    long = Block(rows)
    assert (len(long), long.literals, long.most, long.has_empty, list(long)) == asked
    again = [Clauses(made.terms, Block(list(made.literals))).holds(row) for row, made in values]
    assert again == held
    assert len(set(held)) == 2
    assert all(piece[-1] == 0 for piece in chunks_of(long.numbers))
    assert list(map(tuple, clauses_in(long.numbers))) == list(rows)


def test_text_and_digest_tell_long_blocks_apart():
    rng = random.Random(3)
    rows = random_clauses(rng, 30, 60)
    structure = over(30, Clauses(tuple(range(30)), rows))
    again = from_text(to_text(structure.problem())).structure
    assert (again, again.digest) == (structure, structure.digest)
    other = over(30, Clauses(tuple(range(30)), (*rows[1:], rows[0])))
    assert other.digest != structure.digest


def over(variables, *constraints, domain=(0, 1), **more):
    names = tuple(f"x{k}" for k in range(variables))
    return Structure(names, (domain,) * variables, constraints, **more)


def holds(structure, row):
    return all(c.holds([row[v] for v in c.scope]) for c in structure.constraints)


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_count_the_models(solver):
    rng = random.Random(5)
    for variables in (1, 4, 6):
        rows = random_clauses(rng, variables, 2 * variables)
        made = Clauses(tuple(range(variables)), rows)
        expected = sum(made.holds(row) for row in product((0, 1), repeat=variables))
        answer = concord.solve(
            over(variables, made).problem(), concord.Solutions(None), backend=solver
        )
        assert answer.count == expected


@pytest.mark.parametrize("solver", SOLVERS)
def test_beside_other_constraints_givens_and_objectives(solver):
    """Over views, values that are not 0 and 1, in a formula, and with an objective."""
    block = Clauses((0, Affine(1, -1, 1), 2, 3), ((1, 2), (-1, 3), (-3, 4, -2)))
    domains = ((0, 1), (0, 1), (-1, 0, 2), (5,))
    structure = Structure(
        ("a", "b", "c", "d"),
        domains,
        (block, Iff(equals(0, 1), Clauses((1, 2), ((1,), (2,))))),
        Objective("maximize", (0, 1, 2), (1, 2, 3)),
    )
    expected = [row for row in product(*domains) if holds(structure, row)]
    assert 1 < len(expected) < 8
    found = concord.solve(structure.problem(), concord.Solutions(None, keep=None), backend=solver)
    assert sorted(found.solutions) == sorted(expected)
    best = concord.solve(structure.problem(), concord.Optimum(), backend=solver)
    assert best.objective == max(structure.objective.value(row) for row in expected)
    given = structure.problem({2: 0})
    fixed = concord.solve(given, concord.Solutions(None), backend=solver)
    assert fixed.count == sum(row[2] == 0 for row in expected)


def test_simple_forms():
    assert simplify(Clauses((0, 1), ())).holds(())
    assert not simplify(Clauses((0, 1), ((1,), ()))).holds(())
    assert simplify(Clauses((0, 1), ((-2,),))) == Linear((1,), (1,), "==", 0)
    doubled = Clauses((0, 0, Affine(None, 0, 0), 1), ((1, 2, 3), (1, -2), (-3,), (4, 2)))
    assert simplify(doubled) == Clauses((0, 1), ((1,), (2, 1)))
    (kept,) = normalise(over(2, Clauses((0, 1), ((1, 2), (1, 2))))).constraints
    assert kept == Clauses((0, 1), ((1, 2),))


def leave(draft, constraint):
    """Pose nothing."""


class Few(Solver):
    """What every solver takes, and no more."""

    capabilities = Capabilities(family="few")
    handlers = dict.fromkeys((AllDifferent, NotEqual, Linear, Table), Handler(leave))

    def encode(self, structure):
        return None


def test_a_block_too_large_to_be_rewritten_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_EXPANDED", 1000)
    rng = random.Random(9)
    rows = random_clauses(rng, 250, 700)
    structure = over(250, Clauses(tuple(range(250)), rows))
    verdict = Driver("few", Few()).accepts(structure.problem())
    assert "Clauses is not native" in verdict.reason
    assert "far too many tuples" in verdict.reason
    many = over(20_000, Clauses((0, 1), ((1, 2),))).problem()
    assert "more than 1,000,000,000,000" in registry.get("brute_force").accepts(many).reason
    assert Clauses(tuple(range(250)), rows).negated() is None


def test_the_formula_of_a_block_is_the_block():
    rng = random.Random(1)
    rows = random_clauses(rng, 40, 90)
    block = Block(rows)
    driver = registry.get("sat")
    structure = over(41, Clauses(tuple(range(40)), block))
    encoding = driver.preparation.encode("", structure)
    assert encoding.blocks[0] is block.numbers
    assert encoding.clauses == [(42,), (42, 41)]  # the last variable stands in no clause
    assert encoding.number == 92
    turned = over(40, Clauses(tuple(reversed(range(40))), block))
    (moved,) = driver.preparation.encode("", turned).blocks
    assert moved.tolist() == [
        (41 - abs(x)) * (1 if x > 0 else -1) if x else 0 for x in block.numbers
    ]
