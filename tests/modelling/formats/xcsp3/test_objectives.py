"""Objectives of every type, by the best value that brute force finds."""

import pytest

from modelling.brute_force import optima
from modelling.problem import Objective

X = '<array id="x" size="[3]"> -1..2 </array>'
RULE = "<intension> eq(add(x[0],x[1],x[2]),1) </intension>"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<minimize> x[2] </minimize>", lambda *x: x[2]),
        ("<maximize> mul(x[0],sub(x[1],3)) </maximize>", lambda *x: x[0] * (x[1] - 3)),
        ('<minimize type="sum"> x[0..1] </minimize>', lambda *x: x[0] + x[1]),
        ('<maximize type="sum"><list> x[] </list><coeffs> 3 -1 2 </coeffs></maximize>',
         lambda *x: 3 * x[0] - x[1] + 2 * x[2]),
        ('<maximize type="sum"><list> x[0] mul(x[1],x[2]) </list><coeffs> 2 1 </coeffs></maximize>',
         lambda *x: 2 * x[0] + x[1] * x[2]),
        ('<minimize type="sum"><list> x[0..1] </list><coeffs> x[2] 1 </coeffs></minimize>',
         lambda *x: x[0] * x[2] + x[1]),
        ('<minimize type="product"> x[] </minimize>', lambda *x: x[0] * x[1] * x[2]),
        ('<maximize type="minimum"> x[] </maximize>', lambda *x: min(x)),
        ('<minimize type="maximum"><list> x[] </list><coeffs> 1 2 -3 </coeffs></minimize>',
         lambda *x: max(x[0], 2 * x[1], -3 * x[2])),
        ('<maximize type="nValues"> x[] </maximize>', lambda *x: len(set(x))),
    ],
)  # fmt: skip
def test_objectives(state, text, value):
    problem = state(X, RULE, text)
    sense = min if "<minimize" in text else max
    every = [
        (a, b, c)
        for a in range(-1, 3)
        for b in range(-1, 3)
        for c in range(-1, 3)
        if a + b + c == 1
    ]
    best, reached = optima(problem)
    assert best == sense(value(*x) for x in every)
    assert reached == [x for x in every if value(*x) == best]


def test_a_variable_is_a_linear_objective(state):
    problem = state(X, "", "<minimize> x[2] </minimize>")
    assert problem.structure.objective == Objective("minimize", (2,), (1,))


def test_where_an_objective_has_no_value_there_is_no_solution(state):
    problem = state(X, RULE, "<maximize> div(x[0],x[1]) </maximize>")
    best, reached = optima(problem)
    assert (best, reached) == (1, [(1, 1, -1)])
    guard = problem.structure.constraints[-1]
    assert not guard.holds((1, 0))
    assert guard.holds((1, -1))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('<minimize type="lex"> x[] </minimize>', "'lex'"),
        ("<minimize> x[0] </minimize><maximize> x[1] </maximize>", "second of 2"),
        ("<minimize> </minimize>", "empty"),
        ('<minimize type="sum"> </minimize>', "empty"),
        ('<minimize type="sum"><list> x[] </list><coeffs> 1 </coeffs></minimize>', "1 coeff"),
        ("<optimize> x[0] </optimize>", "<optimize>"),
        ("<minimize> lt(x[0] </minimize>", "not to its end"),
    ],
)
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(X, "", text)
