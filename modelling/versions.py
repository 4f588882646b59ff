"""Versions of installed distributions; no other module asks for them."""

from __future__ import annotations

CONCORD = "solver-concord"
"""The distribution that this project is."""


def find_version(distribution: str = CONCORD) -> str:
    """The version of an installed distribution; empty where it is not installed.

    Concord itself is not installed in a checkout that is only on the path.
    """
    from importlib.metadata import PackageNotFoundError, version  # slow, and seldom needed

    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def read_requirements(distribution: str = CONCORD) -> list[str]:
    """What an installed distribution requires, extras included; none where it is not installed."""
    from importlib.metadata import PackageNotFoundError, requires  # as above

    try:
        return requires(distribution) or []
    except PackageNotFoundError:
        return []
