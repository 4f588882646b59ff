"""Backends of other distributions, as `concord backends` lists them."""

import importlib
import sys

import pytest

from backends.interface import registry
from modelling.errors import BackendUnavailable, UnknownBackend

CODE = """
from backends.interface.options import Option
from backends.propagation import make as propagation

OPTIONS = (Option("depth", ("low", "high"), "low", "how deep"),)


def mine(options=""):
    made = propagation()
    made.name, made.version = "mine", "7.1"
    return made


def unmade(options=""):
    raise RuntimeError("no licence was found\\nlook for it")
"""


@pytest.fixture
def plugged(tmp_path, monkeypatch):
    """Four plug-ins of a distribution: a good one, one of a name that is taken, two that fail."""
    (tmp_path / "plugged.py").write_text(CODE)
    (tmp_path / "torn.py").write_text("import a_module_that_is_not_there\n")
    info = tmp_path / "plugged-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(
        "[concord.backends]\nmine = plugged:mine\ntorn = torn:Torn\nunmade = plugged:unmade\n"
        "sat = plugged:mine\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield {one.name: one for one in registry._plugged_in()}
    for name in ("plugged", "torn"):
        sys.modules.pop(name, None)


def test_a_plug_in_is_listed_with_version_and_options(plugged):
    mine = plugged["mine"]
    assert (mine.installed, mine.version, mine.options) == (True, "7.1", ("depth=low",))
    assert mine.about == "a plug-in of plugged"
    assert "AllDifferent" in mine.native
    assert "mine" in [one.name for one in registry.infos()]


def test_a_plug_in_that_fails_says_why_in_one_line(plugged):
    torn, unmade = plugged["torn"], plugged["unmade"]
    assert not torn.installed
    assert torn.version == "1.2"
    assert torn.hint.startswith("torn (torn:Torn) cannot be loaded: ModuleNotFoundError: No module")
    assert unmade.hint == (
        "unmade (plugged:unmade) cannot be made: RuntimeError: no licence was found"
    )
    with pytest.raises(BackendUnavailable, match=r"torn \(torn:Torn\) cannot be loaded"):
        registry.get("torn")


def test_a_plug_in_never_takes_the_place_of_a_backend_that_ships(plugged):
    assert not plugged["sat"].installed
    assert "hidden by the backend that ships" in plugged["sat"].hint
    assert type(registry.get("sat").solver).__module__.startswith("backends.sat")


def test_a_plug_in_refuses_options_that_it_does_not_declare(plugged):
    assert registry.get("mine:high").name == "mine"
    assert registry.spec("mine:high").text == "mine:depth=high"
    for refuse in (registry.get, registry.spec):
        with pytest.raises(UnknownBackend, match="unknown option 'hihg'; did you mean 'high'"):
            refuse("mine:hihg")


def test_a_plug_in_without_options_takes_none(plugged, monkeypatch):
    monkeypatch.delattr(sys.modules["plugged"], "OPTIONS")
    assert registry.get("mine").name == "mine"
    with pytest.raises(UnknownBackend, match="mine has no options, but 'high' stands after"):
        registry.get("mine:high")
