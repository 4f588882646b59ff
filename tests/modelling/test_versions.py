"""Versions are asked for in one place."""

from pathlib import Path

import modelling.versions
from modelling.versions import find_version

ROOT = Path(__file__).parents[2]
ASKING = ("PackageNotFoundError", "metadata.version", "metadata import version", ".__version__")


def test_what_is_not_installed_has_none():
    assert find_version("no-such-distribution") == ""
    assert find_version("msgspec")[0].isdigit()


def test_nothing_else_asks():
    sources = [ROOT / "concord.py"]
    for folder in ("modelling", "puzzles", "backends", "harness", "results/studies"):
        sources += (ROOT / folder).rglob("*.py")
    asking = [path for path in sources if any(word in path.read_text("utf-8") for word in ASKING)]
    alone = ROOT / "backends" / "proofs" / "checker.py"  # a program that imports nothing of ours
    assert asking == [Path(modelling.versions.__file__), alone]
