"""What is compiled beforehand is all that a search may post."""

import ast
from pathlib import Path

import pytest

from backends.propagation import encode, everything, learning
from backends.propagation.everything import compile_batch, list_batches, list_propagators
from backends.propagation.learning.explanations import EXPLANATIONS, REDUNDANT

PARTS = [part for batch in list_batches() for part in batch]


def named(folder):
    """The names in the code of a folder."""
    names = set()
    for path in Path(folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name | ast.Attribute):
                names.add(node.id if isinstance(node, ast.Name) else node.attr)
    return names


def test_each_propagator_is_posted_somewhere():
    posted = named(encode.__path__[0]) | named(learning.__path__[0])
    assert {one.__name__ for one in list_propagators()} <= posted


def test_what_learning_posts_is_compiled_for_both_searches():
    learned = {part.function for part in PARTS if part.learns and not part.more}
    assert {*EXPLANATIONS, *REDUNDANT} < learned
    assert {*EXPLANATIONS, *REDUNDANT} <= set(list_propagators())
    explained = {part.function for part in PARTS if part.more}
    assert explained == set(EXPLANATIONS.values())


def test_each_part_is_in_one_batch():
    assert len(set(PARTS)) == len(PARTS)
    for batch in list_batches():
        assert len({(part.module, part.learns) for part in batch}) == 1


def test_the_searches_come_first():
    first = [batch[0].module for batch in list_batches()[:2]]
    assert first == [f"backends.propagation.{room}.search" for room in ("learning", "kernel")]


@pytest.mark.once
def test_what_is_compiled_is_kept():
    batch = next(one for one in list_batches() if one[0].name == "ordered")
    assert compile_batch(batch) == len(batch) == 1


def test_a_batch_is_measured_by_all_that_it_reaches():
    (short,) = (one for one in list_batches() if one[0].name == "ordered")
    own = len(short[0].function.__code__.co_code)
    assert everything._measure(short) > own
    assert everything._measure(short + short) == everything._measure(short)
