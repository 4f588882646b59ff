"""No test reads or writes the folders of whoever runs it, or inherits how it was started."""

import gc
import os
import signal
import sys
from math import inf

import pytest
from conformance_rows import draw_table, find_rows
from hypothesis import HealthCheck, settings

from backends.interface.shipped import SHIPPED
from backends.propagation import solver as propagation
from tests.missing_programs import CACHE_KEY, count_missing_programs, skip_reason, was_skipped

SIGNALS = (signal.SIGINT, signal.SIGTERM)

TIERS = {
    "solvers": ("backends/", "known_bugs/"),
    "system": (
        *("docs/", "studies/", "test_house.py"),
        *(f"harness/{room}/" for room in ("cli", "environments", "judge", "report")),
        *(f"harness/{room}/" for room in ("runs", "streams", "supervise")),
    ),
}
"""What is the same on every Python, by folder: what solvers answer, and what runs of the whole say.
The others are unit tests, which every Python runs."""

EVERYWHERE = (
    *("backends/interface/", "backends/propagation/", "backends/ladder/"),
    *("backends/conformance/test_positions.py", "backends/conformance/test_toy_constraint.py"),
    *("backends/test_python_constraint.py", "backends/sudoku_kernel/test_compiled.py"),
    *("harness/cli/test_command_line.py", "harness/cli/test_help.py"),
    *("harness/judge/test_validate.py", "harness/judge/test_claims.py"),
    *("harness/report/test_run.py", "harness/report/test_tables.py"),
    *("harness/supervise/test_supervisor.py", "harness/supervise/test_worker.py"),
    "harness/supervise/test_starts.py",
)
"""The selection of both that every Python runs all the same: each solver once on everything, the
code that starts and reads processes, and one run from end to end."""

# What fails in what tests share is told as where it fails in a test.
pytest.register_assert_rewrite("tests.backends.solver_checks")

# A slow machine is no failure: what is drawn is tested, and not how long a draw takes.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_addoption(parser):
    parser.addoption(
        "--skipped-before",
        action="store_true",
        help="run the tests that the last run skipped, and no others",
    )


def find_tier(path):
    """The tier of a test by its path below ``tests``, or None for a unit test."""
    if path.startswith(EVERYWHERE):
        return None
    return next((tier for tier, rooms in TIERS.items() if path.startswith(rooms)), None)


def pytest_collection_modifyitems(config, items):
    """Mark the tiers. With ``--skipped-before``, the tests that the last run skipped remain."""
    for item in items:
        if tier := find_tier(item.nodeid.removeprefix("tests/")):
            item.add_marker(tier)
    if not config.getoption("skipped_before"):
        return
    skipped = config.cache.get(CACHE_KEY, [])
    remaining = [item for item in items if was_skipped(item.nodeid, skipped)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(remaining)])
    items[:] = remaining


def pytest_configure():
    """Let Python keep what it compiles, as it does unless told otherwise.

    The tests start a thousand processes of this project, and each would compile it again. The
    controller of several test processes comes here before it starts them.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


@pytest.fixture(autouse=True)
def interpreted(request, monkeypatch):
    """``propagation`` compiles nothing but in tests that run once.

    On a fresh clone each kind of constraint would be compiled when a slow machine first needs it.
    """
    if request.node.get_closest_marker("once") is None:
        monkeypatch.setattr(propagation, "PATIENCE", inf)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the garbage collector away from the tests and their modules, which live until the end.

    It would look through a million objects again and again, and find nothing.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter, config):
    """The backends that were examined for conformance; the tests that need a missing program.

    The controller of several test processes has all reports, so the nodes that were skipped are
    kept here.
    """
    kinds = ("passed", "failed", "skipped", "error", "")
    reports = [one for kind in kinds for one in terminalreporter.getreports(kind)]
    rows = find_rows(reports, [entry.name for entry in SHIPPED])
    if rows:
        terminalreporter.section("conformance")
        for line in draw_table(rows):
            terminalreporter.write_line(line)
    skipped = terminalreporter.getreports("skipped")
    yield
    if not config.getoption("skipped_before") and getattr(config, "cache", None) is not None:
        config.cache.set(CACHE_KEY, sorted({report.nodeid for report in skipped}))
    if missing := count_missing_programs(map(skip_reason, skipped)):
        terminalreporter.write_line(missing)


@pytest.fixture(autouse=True, scope="session")
def _interrupts_as_in_the_foreground():
    """A shell starts what goes to the background with SIGINT ignored, and children inherit that.

    A program that ignores it then does as it was told; what the tests send must arrive.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _signals_as_they_were():
    """A test that left one ignored would have the programs of later ones ignore it, too."""
    before = [signal.getsignal(number) for number in SIGNALS]
    yield
    after = [signal.getsignal(number) for number in SIGNALS]
    if after != before:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
    assert after == before, "the test has left signals handled otherwise than they were"


@pytest.fixture(autouse=True, scope="session")
def _folders_of_nobody(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONCORD_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("CONCORD_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield
