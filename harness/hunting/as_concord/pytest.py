"""``concord.pytest``: the plug-in of pytest by the name under which it is documented.

For ``pytest -p concord.pytest`` and ``pytest_plugins = ["concord.pytest"]``, where the plug-in is
not found by its entry point. That has the same name, so that pytest loads one of the two.
"""

from __future__ import annotations

from harness.hunting.pytest_plugin import assert_agrees, concord_backends, pytest_addoption

__all__ = ["assert_agrees", "concord_backends", "pytest_addoption"]
