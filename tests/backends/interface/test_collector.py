"""The collector: what it counts, keeps, shows and says of what solvers hand to it."""

from hashlib import blake2b

import pytest

from backends.interface import collector as module
from backends.interface.api import AllOptima, Optimum, Solutions
from backends.interface.collector import Collector, solution_hash, text_hash

ROWS = [(0, 1), (1, 0), (1, 1), (2, 0)]


def digest(rows):
    """By its definition: the sum of the hashes of what ``repr`` writes, modulo 2**128."""
    hashes = (blake2b(repr(row).encode(), digest_size=16).digest() for row in rows)
    return f"{sum(int.from_bytes(one, 'little') for one in hashes) % 2**128:032x}"


def fed(ask, rows, sink=None):
    """The collector and whether it wanted more after each."""
    collector = Collector(ask, sink)
    return collector, [collector.add(row) for row in rows]


def test_all_are_counted_and_the_first_are_kept():
    collector, more = fed(Solutions(None, 2), ROWS)
    result = collector.result("exhausted", native_status="done", statistics={"nodes": 3})
    assert more == [True] * 4
    assert (result.count, result.solutions) == (4, ((0, 1), (1, 0)))
    assert (result.stopped_by, result.repeats, result.native_status) == ("exhausted", 0, "done")
    assert result.statistics == {"nodes": 3}
    assert result.digest == digest(ROWS)
    assert not result.encoding_reused


@pytest.mark.parametrize("keep", [0, 1, 3, 4, None])
def test_so_many_are_kept(keep):
    assert fed(Solutions(None, keep), ROWS)[0].kept == ROWS[: 4 if keep is None else keep]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_search_ends_with_the_last_that_is_wanted(limit):
    collector, more = fed(Solutions(limit, None), ROWS[:limit])
    assert more == [True] * (limit - 1) + [False]
    assert collector.result("exhausted").stopped_by == "enough"


def test_a_repeat_is_counted_again_and_told():
    for limit in (2, 3, None):  # also where two are all that is wanted
        collector, _ = fed(Solutions(limit, None), [(0, 1), (0, 1)])
        assert (collector.count, collector.repeats) == (2, 1)
        assert collector.digest == digest([(0, 1), (0, 1)])
    collector, _ = fed(Solutions(None, 0), [*ROWS, *ROWS, ROWS[0]])
    assert collector.repeats == 5
    assert fed(Solutions(None, 0), ROWS)[0].repeats == 0


def test_a_given_fingerprint_tells_solutions_apart():
    """It stands for the output: two solutions that differ elsewhere are one."""
    output = solution_hash((7,))
    collector = Collector(Solutions(None, None))
    for values in ((7, 0), (7, 1)):
        collector.add(values, output)
    assert (collector.count, collector.repeats) == (2, 1)
    assert collector.digest == digest([(7,), (7,)])
    assert collector.kept == [(7, 0), (7, 1)]


def test_memory_for_repeats_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED", 2)
    collector, _ = fed(Solutions(None, 0), [*ROWS, *ROWS])
    assert (collector.count, collector.repeats) == (8, 2)


def test_the_digest_is_that_of_the_set_in_any_order():
    assert fed(Solutions(None), ROWS[::-1])[0].digest == digest(ROWS)
    assert fed(Solutions(None), [])[0].digest == "0" * 32
    assert fed(Solutions(None), [(0, 1)])[0].digest != fed(Solutions(None), [(1, 0)])[0].digest
    assert solution_hash((0, 1)) == int(digest([(0, 1)]), 16)


def test_a_sink_sees_each_and_may_end_it():
    seen = []

    def sink(values):
        seen.append(values)
        return len(seen) < 2

    collector, more = fed(Solutions(None, 0), ROWS[:2], sink)
    assert (seen, more) == (ROWS[:2], [True, False])
    assert collector.result("exhausted").stopped_by == "sink"
    assert fed(Solutions(2), ROWS[:2], lambda _: False)[0].stopped_by == "enough"


def test_an_optimum_keeps_one_and_is_never_enough():
    collector, more = fed(Optimum(), ROWS)
    assert (more, collector.kept, collector.limit) == ([True] * 4, ROWS[:1], None)
    every, more = fed(AllOptima(2, 3), ROWS[:2])
    assert (more, every.kept, every.limit, every.keep) == ([True, False], ROWS[:2], 2, 3)


@pytest.mark.parametrize(("keep", "wanted"), [(0, 0), (3, 2), (9, 5), (None, 5)])
def test_how_many_of_a_block_are_wanted(keep, wanted):
    collector, _ = fed(Solutions(None, keep), ROWS[:1] if keep else [])
    assert collector.wanted(5) == wanted
    assert Collector(Solutions(None, 0), lambda _: True).wanted(5) == 5


def test_solutions_that_are_counted_only():
    collector = Collector(Solutions(4, 0))
    texts = [repr(row).encode() for row in ROWS]
    assert collector.add_texts(texts[:3]) is True
    assert collector.add_texts([texts[0]]) is False
    assert (collector.count, collector.repeats, collector.stopped_by) == (4, 1, "enough")
    assert collector.digest == digest([*ROWS[:3], ROWS[0]])
    assert collector.kept == []
    endless = Collector(Solutions(None, 0))
    assert endless.add_texts(texts)
    assert endless.stopped_by is None


def test_the_first_solution_has_its_time(monkeypatch):
    moments = iter([10.0, 12.0, 99.0])
    monkeypatch.setattr(module, "perf_counter", lambda: next(moments))
    collector, _ = fed(Solutions(None), ROWS)
    given = {"solve": 1.0}
    result = collector.result("time", phases=given, encoding_reused=True)
    assert result.phases == {"solve": 1.0, "first_solution": 2.0}
    assert given == {"solve": 1.0}
    assert result.encoding_reused
    assert collector.result("time", phases={"first_solution": 0.5}).phases["first_solution"] == 0.5
    monkeypatch.setattr(module, "perf_counter", iter([5.0, 8.0]).__next__)
    counted = Collector(Solutions(None, 0))
    counted.add_texts([b"(0,)"])
    counted.add_texts([b"(1,)"])
    assert counted.result("time").phases == {"first_solution": 3.0}
    monkeypatch.undo()
    assert "first_solution" not in Collector(Solutions(None)).result("exhausted").phases


def test_repeats_are_seen_among_texts_as_well():
    collector, _ = fed(Solutions(None, 0), ROWS[:1])
    collector.add_texts(repr(values).encode() for values in (ROWS[1], ROWS[0], ROWS[1]))
    assert (collector.count, collector.repeats) == (4, 2)
    assert collector.digest == digest([ROWS[0], ROWS[1], ROWS[0], ROWS[1]])


def test_a_text_has_the_hash_of_its_solution():
    for values in [(0, 1), (7,), (), (-1024, 4095), (-1025, 4096), (10**9, -1)]:
        assert (
            solution_hash(values) == text_hash(repr(values).encode()) == int(digest([values]), 16)
        )


def test_of_one_solution_nothing_need_be_remembered():
    collector, _ = fed(Solutions(1), [(0, 1), (0, 1)])
    assert (collector.count, collector.repeats) == (2, 0)
