"""A test that draws from many seeds is one item, and a failure names the seed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]


def for_each(name: str, values: Iterable[object]) -> Callable[[Test], Test]:
    """A decorator: the test runs with each value of the argument, and stops at the first failure.

    Fixtures are those of the whole item; a test that needs new ones is parametrised.
    """

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**given: Any) -> None:
            for value in values:
                try:
                    test(**given, **{name: value})
                except BaseException as error:
                    error.add_note(f"{name} = {value!r}")
                    raise

        signature = inspect.signature(test)
        others = [one for one in signature.parameters.values() if one.name != name]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
