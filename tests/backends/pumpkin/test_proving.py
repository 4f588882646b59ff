"""Proofs of Pumpkin: certified, translated line by line, and no mutant deceives the checker."""

import random
import re
from math import prod

import pytest

pytest.importorskip("pumpkin_solver", reason="the extra pumpkin is not installed")

import concord
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.registry import get
from backends.proofs.inferences.program import check
from backends.proofs.inferences.text import read_model
from backends.pumpkin.proving import solver
from backends.pumpkin.proving.drcp import UnknownLine, translate
from modelling.constraints import Linear, NotEqual, Table
from modelling.problem import Objective
from results.studies.correctness.inference_lines import (
    Proof,
    invalid_line,
    mutated,
    mutated_text,
)
from tests.backends.propagation.proof_checks import stated
from tests.backends.propagation.test_proving import DRAWN, PROBLEMS, drawn

pytestmark = pytest.mark.once  # many proofs are checked

PROVING = "pumpkin:proof=check"


@pytest.mark.parametrize("kind", PROBLEMS)
def test_refutations_and_optima_are_certified(kind):
    problem = PROBLEMS[kind](random.Random(1))
    ask = Solutions(1) if problem.structure.objective is None else Optimum()
    found = concord.solve(problem, ask, backend=PROVING).certificate
    assert (found.state, found.said) == ("checked", "the checker of inferences")
    assert found.size > found.steps > 1


@pytest.mark.parametrize("optimum", ["sat-unsat", "unsat-sat"])
def test_counts_and_all_optima_are_certified(optimum):
    problem = stated(
        [range(4), range(4), (0, 2, 3)],
        [Linear((0, 1, 2), (1, 2, -1), "<=", 3), NotEqual((0, 2))],
        Objective("maximize", (0, 1, 2), (2, 1, 0)),
    )
    for ask in (Solutions(None), Optimum(), AllOptima()):
        found = concord.solve(problem, ask, backend=f"{PROVING},optimum={optimum}")
        other = concord.solve(problem, ask)
        assert (found.count, found.objective) == (other.count, other.objective)
        assert (found.certificate.state, found.certificate.encoding) == ("checked", "enumerated")


@pytest.mark.parametrize("seed", range(10))
def test_drawn_problems_are_certified(seed):
    rng = random.Random(seed)
    for _ in range(6):
        problem = drawn(rng, rng.choice(list(DRAWN)))
        ask = Solutions(None) if problem.structure.objective is None else AllOptima()
        found = concord.solve(problem, ask, backend=PROVING).certificate
        assert found.state in ("", "checked")


def test_allowed_tables_are_rewritten():
    """Pumpkin leaves premises out of what it infers by them."""
    backend = concord.get_backend(PROVING)
    rows = ((0, 1), (1, 2), (2, 0))
    problem = stated([range(3)] * 3, [Table(pair, rows) for pair in ((0, 1), (1, 2), (2, 1))])
    assert concord.solve(problem, backend=backend).certificate.state == "checked"


def test_a_line_that_is_not_known_leaves_the_proof_unchecked(monkeypatch):
    read = solver.read_proof
    monkeypatch.setattr(solver, "read_proof", lambda file: (read(file)[0] + b"\nz 1\n", ""))
    found = concord.solve(PROBLEMS["pigeons"](random.Random(1)), backend=PROVING).certificate
    assert (found.state, found.said) == ("unchecked", "Pumpkin writes a line unknown here: z 1")


# --- translation ---------------------------------------------------------------------------------


def test_lines_are_translated():
    proof = """\
a 1 [x0 >= 3]
a 2 [x1 == -2]
i 7 1 0 -2 c:4 l:linear_bounds
i 8 0 1 l:initial_domain
n 9 1 2 0 7 8
i 10 2 0 -1 c:9 l:nogood
n 11 0 10
c UNSAT
"""
    assert translate(proof.splitlines(), {4: "c2"}) == [
        "i 7 c2 x0>=3 > x1!=-2",
        "n 9 x0<=2 x1!=-2 : 7",
        "n 10 x1!=-2 x0<=2 : 9",
        "n 11 : 10",
    ]


@pytest.mark.parametrize(
    "line", ["a 1 [y >= 3]", "a x [x1 >= 3]", "i 3 1 0 c:9", "i 3 1", "n 2 5 0", "d 4", "b"]
)
def test_lines_that_are_not_known_are_named(line):
    with pytest.raises(UnknownLine, match=re.escape(line)):
        translate([line], {})


# --- the total -----------------------------------------------------------------------------------

TOTAL = ["var x0 0..2", "var x1 0..1", "var x2 0..5", "c1 linear 2x0 x1 -x2 == 0", "total x2 c1"]


def test_a_total_is_a_new_variable_that_holds_every_sum():
    assert read_model(iter(TOTAL)).box.high[2] == 5
    for place, line in (
        (2, "var x2 0..4"),
        (2, "var x2 1..5"),
        (2, "var x2 0..2 4..5"),
        (3, "c1 linear 2x0 x1 -x2 <= 0"),
        (3, "c1 linear 2x0 x1 -2x2 == 0"),
        (3, "c1 linear 2x0 x1 == 0"),
    ):
        changed = [*TOTAL[:place], line, *TOTAL[place + 1 :]]
        with pytest.raises(ValueError, match=r"x2|unpack"):
            read_model(iter(changed))
    with pytest.raises(ValueError, match="another constraint"):
        read_model(iter([*TOTAL, "c2 linear x2 <= 4"]))


# --- mutants -------------------------------------------------------------------------------------


def draw_proofs(rng, number, monkeypatch):
    """Proofs as Pumpkin writes them, with the model that each is of."""
    texts = []

    def note(lines, sources):
        texts.append((list(lines), sources))
        return translate(lines, sources)

    monkeypatch.setattr(solver, "translate", note)
    while number:
        problem = drawn(rng, rng.choice(list(DRAWN)))
        ask = Solutions(rng.choice((1, None)))
        if problem.structure.objective is not None:
            ask = rng.choice((Optimum(), AllOptima()))
        texts.clear()
        result = get(PROVING).solve(problem, ask, Limits())
        for (lines, sources), one in zip(texts, result.refutations, strict=False):
            model = one.formula().decode().splitlines()
            ended = one.proof.decode().splitlines()
            box = read_model(iter(model)).box
            is_small = prod(box.size(x) for x in box.low) <= 1000
            if number and is_small and len(ended) >= 4 and len(texts) == len(result.refutations):
                number -= 1
                yield Proof(model, ended, result), lines, sources


def try_mutants(seed, number, monkeypatch):
    """Change proofs, as Pumpkin writes them and as they are checked; return how many mutants there
    were, and how many were accepted, each of which has valid lines only."""
    rng = random.Random(seed)
    accepted = tried = 0
    for proof, lines, sources in draw_proofs(rng, -(-number // 20), monkeypatch):
        own = len(proof.lines) - len(translate(lines, sources))
        for k in range(20):
            tried += 1
            if k % 2:
                mutant = mutated(rng, proof)
            else:
                try:
                    changed = translate(mutated_text(rng, lines), sources)
                except UnknownLine:
                    continue
                ending = proof.lines[len(proof.lines) - own :]
                mutant = proof._replace(lines=[*changed, *ending])
            if mutant.verdict().state == "checked":
                accepted += 1
                assert not invalid_line(mutant), mutant
    return tried, accepted


@pytest.mark.once
def test_mutants_of_proofs_are_rejected_unless_they_are_proofs(monkeypatch):
    tried, accepted = try_mutants(27, 300, monkeypatch)
    assert tried >= 300
    assert accepted < 0.8 * tried


# --- what its proofs lack ------------------------------------------------------------------------


def test_proofs_by_tables_leave_out_premises(tmp_path):
    """docs/disagreements.md has the same lines: fails once Pumpkin writes what it infers from."""
    from pumpkin_solver import Model
    from pumpkin_solver.constraints import Table as Rows

    place = tmp_path / "table.drcp"
    model = Model(proof=str(place))
    x, y, z = (model.new_integer_variable(0, 2, name=f"x{k}") for k in range(3))
    rows = ((0, 1), (1, 2), (2, 0))
    for one, other in ((x, y), (y, z), (z, y)):
        model.add_constraint(Rows([one, other], list(map(list, rows)), model.new_constraint_tag()))
    model.satisfy()
    del model
    cells = " ".join(str(cell) for row in rows for cell in row)
    scopes = ("x0 x1", "x1 x2", "x2 x1")
    text = [f"var x{k} 0..2" for k in range(3)]
    text += [f"c{k} table {scope} : {cells}" for k, scope in enumerate(scopes, 1)]
    lines = translate(place.read_text().splitlines(), {1: "c1", 2: "c2", 3: "c3"})
    found = check(text, lines)
    assert (found.state, found.steps) == ("rejected", 1)
    assert "does not follow from c2" in found.said
