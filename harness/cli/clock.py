"""When the command line began: the seconds that a user gives a command count from there."""

from time import perf_counter, time

_marks: list[bool] = []


def mark_process() -> None:
    """This process was started for one command."""
    _marks[:] = [True]


def find_beginning() -> float:
    """When the command began, on the clock ``perf_counter``: when its process was started.

    Now, where a verb is called in a process that has done something else before.
    """
    if not _marks:
        return perf_counter()
    import psutil

    age: float = time() - psutil.Process().create_time()
    return perf_counter() - age
