"""When the command line began: the seconds that a user gives a command count from there."""

from time import perf_counter

_begun: list[float] = []


def begin() -> None:
    """The command line begins now."""
    _begun[:] = [perf_counter()]


def find_beginning() -> float:
    """When it began, on the clock ``perf_counter``; now, where a verb is called by itself."""
    return _begun[0] if _begun else perf_counter()
