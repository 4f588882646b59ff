"""What a worker can import, and what is said of what it cannot."""

from __future__ import annotations

import pytest

from harness.plan.checking import ensure_importable
from modelling.errors import ExperimentError


def test_backends_and_families_of_the_script_itself_cannot_be_reached() -> None:
    ensure_importable("py:mine:Mine", "a backend")
    ensure_importable("cpsat", "a backend")
    with pytest.raises(ExperimentError, match=r"a family defined in a notebook cell.*py:mine:Fam"):
        ensure_importable("py:__main__:Fam", "a family")
