"""Damaged text of pencil puzzles: an instance that is read again, or an error with its place."""

import random

import pytest

from puzzles.sets import instances
from tests.puzzles.test_properties import judge

SIGNS = "0123456789ABXx.*_ ,/|+-=:<>!~?\\rc\t\u00e9\u0663"


def damage(text, draws):
    signs = list(text)
    for _ in range(draws.randint(1, 3)):
        at = draws.randrange(len(signs) + 1)
        kind = draws.choice(("insert", "replace", "delete", "cut", "move"))
        if kind == "insert":
            signs[at:at] = draws.choices(SIGNS, k=draws.randint(1, 3))
        elif kind == "replace":
            signs[at : at + 1] = draws.choice(SIGNS)
        elif kind == "delete":
            del signs[at : at + draws.randint(1, 12)]
        elif kind == "cut" and draws.random() < 0.2:
            del signs[at:]
        elif kind == "move" and signs:
            signs.insert(at, signs.pop(draws.randrange(len(signs))))
    return "".join(signs)


@pytest.mark.parametrize(
    "name", ["futoshiki", "kakuro", "kenken", "killer_sudoku", "nonogram", "zebra"]
)
def test_damaged_text(name):
    texts = [entry.text for entry in instances(name) if len(entry.text) < 300]
    draws = random.Random(4)
    for _ in range(250):
        judge(name, damage(draws.choice(texts), draws))
