"""No test reads or writes the folders of whoever runs it, or inherits how it was started."""

import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

# A slow machine is no failure: what is drawn is tested, and not how long a draw takes.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure():
    """Let Python keep what it compiles, as it does unless told otherwise.

    The tests start a thousand processes of this project, and each would compile it again. The
    controller of several test processes comes here before it starts them.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


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


@pytest.fixture(autouse=True, scope="session")
def _folders_of_nobody(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONCORD_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("CONCORD_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield
