"""Who hears of what takes long."""

import pytest

from backends.waiting import announce, announce_by


@pytest.fixture(autouse=True)
def nobody():
    yield
    announce_by(None)


def test_nobody_hears_of_it_by_default():
    announce("compiling")


def test_the_last_who_asked_hears_of_it():
    first, second = [], []
    announce_by(first.append)
    announce("one")
    announce_by(second.append)
    announce("two")
    announce_by(None)
    announce("three")
    assert (first, second) == (["one"], ["two"])
