"""The recursion limit is higher while a rung searches, and afterwards what it was before."""

import sys
from threading import Barrier, Thread

import pytest

from backends.interface.registry import get
from backends.ladder.recursion import recursion_limit
from puzzles.family import family

HARD = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."


@pytest.mark.parametrize("rung", ["placing", "pruning", "norvig"])
def test_a_search_leaves_the_limit_as_it_was(rung):
    before = sys.getrecursionlimit()
    get(f"ladder:{rung}").solve(family("sudoku").problem(HARD))
    assert sys.getrecursionlimit() == before


def test_the_limit_returns_after_an_error():
    before = sys.getrecursionlimit()
    with pytest.raises(KeyError, match=str(before + 500)), recursion_limit(before + 500):
        raise KeyError(sys.getrecursionlimit())
    assert sys.getrecursionlimit() == before


def test_a_lower_need_changes_nothing():
    before = sys.getrecursionlimit()
    with recursion_limit(10):
        assert sys.getrecursionlimit() == before


def test_the_highest_of_several_threads_holds():
    before = sys.getrecursionlimit()
    seen, entered = [], Barrier(2, timeout=30)

    def search_shortly():
        with recursion_limit(before + 900):
            entered.wait()

    thread = Thread(target=search_shortly)
    thread.start()
    with recursion_limit(before + 400):
        entered.wait()
        thread.join()
        seen.append(sys.getrecursionlimit())
    assert seen == [before + 400]
    assert sys.getrecursionlimit() == before
