"""No test reads or writes the folders of whoever runs it, or inherits how it was started."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# A slow machine is no failure: what is drawn is tested, and not how long a draw takes.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


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
