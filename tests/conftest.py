"""No test reads or writes the folders of whoever runs it."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _folders_of_nobody(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONCORD_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("CONCORD_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield
