"""The compiled solver, and the one that it is compared with."""

import pytest

from backends.interface import registry


@pytest.fixture(scope="module")
def compiled():
    return registry.get("compiled")


@pytest.fixture(scope="module")
def propagation():
    return registry.get("propagation")
