"""clingo: ``Control``, ``add`` of rules and facts as text, ``ground``, ``solve``."""

from __future__ import annotations

from typing import Any

from clingo import Control

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Script, Solutions

QUEENS_RULES = f"""
column(0..{five.QUEENS - 1}).
{{ x(C, 0..{five.QUEENS - 1}) }} = 1 :- column(C).
:- x(C, R), x(D, R), C < D.
:- x(C, R), x(D, S), C < D, R + C = S + D.
:- x(C, R), x(D, S), C < D, R - C = S - D.
#show x/2.
"""

SUDOKU_RULES = """
1 { x(I, 1..9) } 1 :- cell(I).
:- unit(U, I), unit(U, J), I < J, x(I, D), x(J, D).
#show x/2.
"""

SEND_MORE_RULES = """
{ x(I, D) : D = L..9 } = 1 :- letter(I, W, L).
:- x(I, D), x(J, D), I < J.
:- #sum { W * D, I : x(I, D), letter(I, W, _) } != 0.
#show x/2.
"""

GOLOMB_RULES = f"""
mark(1..{five.MARKS - 1}). x(0, 0).
{{ x(I, 0..{five.LONGEST}) }} = 1 :- mark(I).
:- x(I, A), x(I + 1, B), B <= A.
distance(I, J, B - A) :- x(I, A), x(J, B), I < J, A < B.
:- distance(I, J, D), distance(K, L, D), (I, J) < (K, L).
#minimize {{ B : x({five.MARKS - 1}, B) }}.
#show x/2.
"""

PIGEONS_RULES = f"""
{{ x(I, 1..{five.HOLES}) }} = 1 :- I = 0..{five.PIGEONS - 1}.
:- x(I, H), x(J, H), I < J.
#show x/2.
"""


def _solutions(rules: str, size: int, arguments: list[str], limit: int = 0) -> Solutions:
    control: Any = Control(arguments)
    control.add("base", [], rules)
    control.ground([("base", [])])
    found: Solutions = []
    with control.solve(yield_=True) as models:
        for model in models:
            values = [0] * size
            for atom in model.symbols(shown=True):
                variable, value = atom.arguments
                values[variable.number] = value.number
            found.append(tuple(values))
            if len(found) == limit:
                break
    return found


def queens() -> Script:
    """A choice for each column; no two in a row or on a diagonal."""
    return lambda: _solutions(QUEENS_RULES, five.QUEENS, ["--models=0"])


def sudoku() -> Script:
    """A choice for each cell; no two of a unit alike."""
    facts = "".join(f"cell({i}). " for i in range(81))
    facts += "".join(f"unit({u}, {i}). " for u, unit in enumerate(five.UNITS) for i in unit)
    facts += "".join(f"x({i}, {given}). " for i, given in five.GIVENS.items())
    most = five.MOST_GRIDS
    return lambda: _solutions(SUDOKU_RULES + facts, 81, [f"--models={most}"], most)


def send_more() -> Script:
    """``#sum``."""
    letters = "".join(
        f"letter({i}, {five.WEIGHTS[x]}, {int(x in five.LEADING)}). "
        for i, x in enumerate(five.LETTERS)
    )
    return lambda: _solutions(letters + SEND_MORE_RULES, len(five.LETTERS), ["--models=1"], 1)


def golomb() -> Script:
    """``#minimize``."""
    return lambda: _solutions(GOLOMB_RULES, five.MARKS, ["--models=0"])[-1:]


def pigeons() -> Script:
    """A choice for each pigeon; no two in a hole."""
    return lambda: _solutions(PIGEONS_RULES, five.PIGEONS, ["--models=1"], 1)
