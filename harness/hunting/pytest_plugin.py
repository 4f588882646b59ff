"""A plug-in of pytest: tests that fail where solvers disagree, and show on how little.

    def test_my_model(assert_agrees):
        assert_agrees(build_model(), backends=["cpsat", "sat"])

``--concord-backends cpsat,choco`` names the backends of all tests that name none. pytest finds the
plug-in by its entry point; what it needs is imported when a test needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

OPTION = "--concord-backends"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of the command line."""
    parser.getgroup("concord").addoption(
        OPTION,
        metavar="B,B",
        default="",
        help="Solvers that assert_agrees asks where a test names none (default: propagation, sat).",
    )


@pytest.fixture
def concord_backends(pytestconfig: pytest.Config) -> tuple[str, ...]:
    """The backends that the command line names, for tests that ask them in another way."""
    named = str(pytestconfig.getoption(OPTION))
    return tuple(name.strip() for name in named.split(";" if ";" in named else ",") if name.strip())


@pytest.fixture
def assert_agrees(concord_backends: tuple[str, ...]) -> Callable[..., None]:
    """``concord.assert_agrees``, whose backends are by default those of the command line."""
    import concord

    if not concord_backends:
        return concord.assert_agrees
    return partial(_ask, concord_backends)


def _ask(named: tuple[str, ...], problem: Any, backends: Any = None, **more: Any) -> None:
    """Ask those that the test names, else those of the command line."""
    __tracebackhide__ = True
    import concord

    concord.assert_agrees(problem, named if backends is None else backends, **more)
