"""The checker of inferences: its rules against the definitions, and what it refuses."""

import random
from itertools import product

import pytest

from backends.proofs.inferences.box import Box, Literal
from backends.proofs.inferences.program import check
from backends.proofs.inferences.rules import Case, enumerated
from backends.proofs.inferences.text import read_literal, read_model, read_term

RELATIONS = (">=", "<=", "==", "!=")
KINDS = (
    *("linear", "different", "table", "forbidden", "element", "maximum", "product", "circuit"),
    *("no_overlap", "cumulative", "clause", "if"),
)


def draw_term(rng, most):
    if rng.random() < 0.1:
        return str(rng.randint(-3, 4))
    factor = rng.choice(("", "", "", "-", "2", "-3"))
    offset = rng.choice(("", "", "+1", "-2"))
    return f"{factor}x{rng.randrange(most)}{offset}"


def draw_row(rng, most, size):
    return "/".join([draw_term(rng, most), *[str(rng.randint(0, 4)) for _ in range(size - 1)]])


def draw_constraint(rng, n):
    def terms(count):
        return " ".join(draw_term(rng, n) for _ in range(count))

    kind = rng.choice(KINDS)
    k = rng.randint(1, 4)
    if kind in ("linear", "if"):
        names = rng.sample(range(n), min(k, n - 1))
        words = " ".join(f"{rng.choice((1, -1, 2, -3))}x{x}" for x in names if x or kind != "if")
        text = f"linear {words} {rng.choice(('<=', '==', '!='))} {rng.randint(-4, 8)}"
        return text if kind == "linear" else f"{rng.choice(('if', 'iff'))} x0==1 {text}"
    if kind in ("table", "forbidden"):
        cells = [str(rng.choice((*range(-1, 4), "*"))) for _ in range(k * rng.randint(1, 12))]
        return f"{kind} {terms(k)} : {' '.join(cells)}"
    if kind == "no_overlap":
        rows = " ".join(draw_row(rng, n, 2) for _ in range(k))
        return f"{kind} {rng.choice(('strict', 'plain'))} {rows}"
    if kind == "cumulative":
        return f"{kind} {rng.randint(0, 5)} {' '.join(draw_row(rng, n, 3) for _ in range(k))}"
    if kind == "clause":
        words = (f"x{rng.randrange(n)}{rng.choice(RELATIONS)}{rng.randint(-1, 4)}" for _ in "abc")
        return f"{kind} {' '.join(words)}"
    return f"{kind} {terms({'product': 3, 'element': 2 + k, 'maximum': 1 + k}.get(kind, k))}"


def draw_model(rng):
    n = rng.randint(2, 4)
    rows = []
    for x in range(n):
        values = sorted(rng.sample(range(-2, 8), rng.randint(1, 5)))
        rows.append(f"var x{x} {' '.join(map(str, values))}")
    return read_model(iter([*rows, f"c1 {draw_constraint(rng, n)}"]))


def solutions(box, constraint):
    scope = sorted(box.low)
    for row in product(*[list(box.values(x)) for x in scope]):
        if constraint.holds(dict(zip(scope, row, strict=True))):
            yield row


def narrowed(rng, box):
    """Literals that leave a value to every variable."""
    for _ in range(rng.randint(0, 5)):
        x = rng.choice(list(box.low))
        mark = box.mark()
        if not box.narrow(Literal(x, rng.choice(RELATIONS), rng.randint(-2, 8))):
            box.undo(mark)


def check_rules(rng, cases):
    """Check each rule against the definition; how often it saw what there is to see, and all."""
    seen = there = 0
    for _ in range(cases):
        model = draw_model(rng)
        (constraint,) = model.constraints.values()
        narrowed(rng, model.box)
        is_refuted = constraint.is_refuted(model.box, Case((), rng.choice(list(model.box.low))))
        has_none = next(solutions(model.box, constraint), None) is None
        assert has_none or not is_refuted, model
        assert (enumerated(constraint, model.box) is True) == has_none, model
        seen += is_refuted
        there += has_none
    return seen, there


def test_rules_refute_only_what_has_no_solution():
    seen, there = check_rules(random.Random(1), 800)
    assert seen > 0.8 * there > 100


@pytest.mark.once
def test_rules_refute_only_what_has_no_solution_often():
    seen, there = check_rules(random.Random(2), 20_000)
    assert seen > 0.8 * there


def test_a_box_is_a_set_of_values():
    rng = random.Random(3)
    for _ in range(300):
        values = sorted(rng.sample(range(-5, 9), rng.randint(1, 9)))
        box, left = Box(), [set(values)]
        box.add(0, [(value, value) for value in values])
        marks = []
        for _ in range(6):
            literal = Literal(0, rng.choice(RELATIONS), rng.randint(-6, 10))
            marks.append(box.mark())
            kept = {v for v in left[-1] if compare(v, literal.relation, literal.value)}
            assert box.is_false(literal) == (not kept)
            if not box.narrow(literal):
                assert not kept
                box.undo(marks.pop())
                break
            left.append(kept)
            assert set(box.values(0)) == kept
        for mark in reversed(marks):
            left.pop()
            box.undo(mark)
            assert set(box.values(0)) == left[-1]


def compare(value, relation, bound):
    return {
        ">=": value >= bound,
        "<=": value <= bound,
        "==": value == bound,
        "!=": value != bound,
    }[relation]


PAIR = ["var x0 0..1", "var x1 0..1", "var x2 0..1", "c1 different x0 x1 x2"]
COVER = ["var x0 0..3", "var x1 0..3", "c1 linear x0 x1 <= 1", "c2 linear -x0 -x1 <= -2"]
BEST = ["var x0 0..3", "c1 linear -x0 <= -1", "objective x0 <= 0"]


@pytest.mark.parametrize(
    ("model", "proof", "state", "said"),
    [
        (PAIR, "i 1 c1 >", "checked", "the checker"),
        (PAIR, "i 1 c1 x0>=1 > x1<=0\ni 2 c1 x0<=0 > x1>=1\nn 3 : 1 2", "rejected", "line 3"),
        (PAIR, "i 1 c1 x0>=1 > x1<=0", "rejected", "without a contradiction"),
        (PAIR, "", "rejected", "without a contradiction"),
        (PAIR, "i 1 c2 >", "rejected", "c2 is not a constraint"),
        (PAIR, "i 1 c1 x7>=1 >", "rejected", "x7 is not a variable"),
        (PAIR, "n 1 : 9", "rejected", "9 is not a line"),
        (PAIR, "x", "rejected", "cannot be read"),
        (PAIR, "i 1 c1 x0>1 >", "rejected", "'x0>1' is not a literal"),
        (PAIR, "i 1 c1 x0>=1 > x1<=0\ni 1 c1 >", "rejected", "two lines 1"),
        (PAIR, "i 1 - x0>=1 > x1<=0", "rejected", "from the domains"),
        (COVER, "i 1 c1 > x0<=1\ni 2 c1 x0>=1 > x1<=0\ni 3 c2 x0<=1 > x1>=1", "rejected", "end"),
        (COVER, "i 1 c1 > x0<=0", "rejected", "c1: x0==1 x1==0"),
        (BEST, "o 0\ni 1 o > x0<=0\ni 2 c1 >", "checked", "the checker"),
        (BEST, "i 1 o > x0<=0", "rejected", "no bound yet"),
        (BEST, "o -1", "rejected", "less than what is claimed, 0"),
        (["var x0"], "", "checked", "x0 has no value"),
        (["var x0 0", "c1 linear x1 <= 3"], "", "unchecked", "x1, which has no domain"),
        (["var x0 0", "c1 linear x0 < 3"], "", "unchecked", "'<' is not a relation"),
        (["var x0 0", "c1 sum x0 <= 3"], "", "unchecked", "cannot be read"),
        (["var x0 0", "c1 table x0 x0 : 1"], "", "unchecked", "the last row is too short"),
        (["var x0 0", "c1 forbidden : "], "", "unchecked", "a table without variables"),
        (["var x0 0", "c1 different 2y0"], "", "unchecked", "'2y0' is not a term"),
    ],
)
def test_what_is_said_of_a_proof(model, proof, state, said):
    found = check(model, proof.splitlines())
    assert found.state == state
    assert said in found.said


TASKS = ["var x0 0..9", "var x1 0..9", "var x2 0..1", "c1 no_overlap plain x0/2 x1/2 x1/0"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["order x2 c1 0 1"], "it ends"),
        (["order x2 c1 0 1", "order x2 c1 1 0"], "x2 orders two pairs"),
        (["order x2 c1 0 2"], "which of two tasks is first"),
        (["c2 no_overlap plain x2/1 x1/1", "order x2 c2 0 1"], "which of two tasks is first"),
        (["order x0 c1 0 1"], "which of two tasks is first"),
        (["order x2 c1 0 0"], "which of two tasks is first"),
        (["c2 linear x2 <= 0", "order x2 c1 0 1"], "x2 is an order, and a variable of c2"),
        (["objective x2 <= 0", "order x2 c1 0 1"], "a variable of the objective"),
        (["c2 linear x0 <= 0", "order x2 c2 0 1"], "without tasks"),
    ],
)
def test_an_order_says_nothing_but_which_task_is_first(more, said):
    assert said in check([*TASKS, *more], []).said


def test_tasks_in_order():
    model = [*TASKS, "order x2 c1 0 1"]
    begin = "i 1 c1 x2>=1 x0>=3 > x1>=5\n"
    assert check(model, (begin + "i 2 c1 x2<=0 x1>=3 > x0>=5").splitlines()).state == "rejected"
    assert check(model, [begin, "i 2 c1 x2>=1 x0>=3 > x1>=6"]).said.startswith("line 2")
    assert check(model, [begin, "i 2 c1 x2<=0 x0>=3 > x1>=5"]).said.startswith("line 2")


def test_what_is_too_large_to_know_is_not_accepted():
    rows = [f"var x{k} 0..99" for k in range(5)]
    model = [*rows, "c1 linear 2x0 2x1 2x2 2x3 2x4 == 501"]
    found = check(model, ["i 1 c1 >"])
    assert (found.state, "too large to list" in found.said) == ("unchecked", True)


def test_terms_and_literals_are_read():
    words = ("x3", "-x0", "2x1+5", "-3x12-4", "7", "-7")
    read = [tuple(read_term(word)) for word in words]
    assert read == [(1, 3, 0), (-1, 0, 0), (2, 1, 5), (-3, 12, -4), (0, 0, 7), (0, 0, -7)]
    assert tuple(read_literal("x12<=-4")) == (12, "<=", -4)
