"""What is asked about a problem: a question, within limits, of a solver with its options."""

from __future__ import annotations

import random
from collections.abc import Iterator

from backends.interface.api import Limits
from harness.hunting.judging.asked import SECONDS
from harness.job import Question

MANY = 200
"""Most solutions that are asked for of a problem that brute force does not judge."""

EVERY = Question(None, None)
OPTIMUM, OPTIMA = Question(1, None, True), Question(None, None, True)


def draw_questions(
    rng: random.Random, has_objective: bool, optimises: bool, is_small: bool
) -> Iterator[tuple[Question, Limits]]:
    """Two or three questions: all solutions, or many; some; the optimum or all optima; and one in
    four times a question with a limit that stops the search."""
    every = EVERY if is_small else Question(MANY, None)
    asked = [every, Question(rng.choice((1, 1, 2, 3, 7)), None)]
    if has_objective and optimises:
        asked.append(rng.choice((OPTIMUM, OPTIMA)) if is_small else OPTIMUM)
    for question in asked:
        yield question, _draw_limits(rng)
    if rng.random() < 0.25:
        yield rng.choice(asked), _draw_tight(rng)


def draw_one_question(
    rng: random.Random, has_objective: bool, optimises: bool
) -> tuple[Question, Limits]:
    """One question about a small problem: all solutions three times in five; for another problem
    says more than another question about the same one."""
    best = OPTIMA if rng.random() < 0.6 else OPTIMUM
    few = Question(rng.choice((1, 1, 2, 3, 7)), None)
    has_best = has_objective and optimises
    question = rng.choices((EVERY, best, few), (6, 4 if has_best else 0, 1))[0]
    return question, _draw_tight(rng) if rng.random() < 0.06 else _draw_limits(rng)


def _draw_limits(rng: random.Random) -> Limits:
    """No limit that is reached; now and then a seed."""
    return Limits(seconds=SECONDS, seed=rng.randint(0, 5) if rng.random() < 0.2 else None)


def _draw_tight(rng: random.Random) -> Limits:
    kind = rng.randrange(3)
    if kind == 0:
        return Limits(seconds=SECONDS, nodes=rng.choice((1, 2, 5, 20)))
    if kind == 1:
        return Limits(seconds=SECONDS, conflicts=rng.choice((1, 2, 5, 20)))
    return Limits(seconds=rng.choice((0.0001, 0.001, 0.01)))


def loosen(limits: Limits) -> Limits:
    """The same limits ten times as wide."""
    return Limits(
        None if limits.seconds is None else min(10 * limits.seconds, SECONDS),
        None if limits.nodes is None else 10 * limits.nodes,
        None if limits.conflicts is None else 10 * limits.conflicts,
        limits.seed,
        limits.threads,
    )


def limit_name(limits: Limits) -> str:
    """Which limit is tight, in a word; empty for none."""
    if limits.nodes is not None:
        return "nodes"
    if limits.conflicts is not None:
        return "conflicts"
    return "time" if limits.seconds != SECONDS else ""
