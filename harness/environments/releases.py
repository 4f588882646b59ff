"""Which releases of a solver there are to install, as the index of pip lists them.

Those with a wheel for this interpreter, without pre-releases where there are others, and without
those that were withdrawn (*yanked*). pip reports the last only when it is about to install one,
so it is asked about those that are wanted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from backends.interface.registry import is_of_release
from harness.environments.installing import ToolFailed, has_pip, is_unreached, run
from modelling.errors import BackendUnavailable, InputError

_KINDS = ("dev", "a", "b", "rc", "", "post")
_NUMBERS = re.compile(rf"([0-9]+(?:\.[0-9]+)*)\.?({'|'.join(filter(None, _KINDS))})?([0-9]*)")
_YANKED = "is a yanked version"
_LISTED = re.compile(r"Available versions: (.*)")


def list_releases(distribution: str) -> list[str]:
    """The releases of ``distribution``, the oldest first.

    Raises BackendUnavailable where the index is not reached or has none.
    """
    lines: list[str] = []
    for more in ([], ["--pre"]):  # as pip does: pre-releases where there is nothing else
        words = ["index", "versions", distribution, "--only-binary", ":all:", *more]
        try:
            lines = _pip(words)
        except ToolFailed as failed:
            lines = failed.lines
            if is_unreached(lines):
                raise BackendUnavailable(
                    f"the releases of {distribution} cannot be listed: the package index is not "
                    "reached; look after the network, or after what `pip config list` says"
                ) from failed
            continue
        found = _LISTED.search("\n".join(lines))
        if found is not None:
            return sorted(found[1].split(", "), key=order)
    said = " ".join(line for line in lines if line.startswith("ERROR")) or "pip names none"
    raise BackendUnavailable(f"no release of {distribution} was found: {said}")


def is_yanked(distribution: str, release: str) -> bool:
    """Whether a release was withdrawn by those who made it; it is fetched, not installed."""
    words = ["install", "--dry-run", "--no-deps", "--ignore-installed", "--no-input", "--quiet"]
    try:
        said = _pip([*words, "--only-binary", ":all:", f"{distribution}=={release}"])
    except ToolFailed:  # making its environment will say what is wrong
        return False
    return any(_YANKED in line for line in said)  # its report says so from pip 23.3 on only


def find_newest(release: str, releases: Sequence[str], distribution: str) -> str:
    """The newest of ``releases``, in their order, that ``release`` stands for; or InputError."""
    found = [one for one in releases if is_of_release(one, release)]
    if not found:
        raise InputError(
            f"{distribution} has no release {release} for this Python (there are: "
            f"{', '.join(releases)})"
        )
    return found[-1]


def order(release: str) -> tuple[object, ...]:
    """A key by which releases are in the order of their numbers, pre-releases before their own."""
    found = _NUMBERS.match(release)
    if found is None:
        raise BackendUnavailable(f"{release!r} is not a release of a Python package")
    whole = [int(number) for number in found[1].split(".")]
    return (whole, _KINDS.index(found[2] or ""), int(found[3] or 0))


def _pip(words: list[str]) -> list[str]:
    if not has_pip():
        raise BackendUnavailable(
            f"{sys.executable} has no pip, which lists releases; install it: "
            f"{sys.executable} -m ensurepip"
        )
    return run([sys.executable, "-m", "pip", *words], lambda line: None)
