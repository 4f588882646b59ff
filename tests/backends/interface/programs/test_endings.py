"""What the end of a run says."""

from types import SimpleNamespace

from backends.interface.programs.endings import without_last_again


def test_a_last_solution_that_is_printed_again_at_the_end_was_not_found_twice():
    def printed():
        yield from "abcc"  # found twice while it may search: that is for the count to tell
        process.told_to_end = True
        yield "c"

    process = SimpleNamespace(told_to_end=False)
    assert list(without_last_again(printed(), process)) == ["a", "b", "c", "c"]
