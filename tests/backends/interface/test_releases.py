"""Names that ask for a release of a solver."""

import pytest

from backends.interface import registry
from modelling.errors import BackendUnavailable, UnknownBackend


def test_a_release_stands_before_the_options():
    spec = registry.spec("cpsat@9.12:workers=2,presolve=on")
    assert (spec.head, spec.release, spec.workers) == ("cpsat", "9.12", 2)
    assert spec.text == "cpsat@9.12:presolve=on,workers=2"
    assert registry.spec("cpsat@9.12").text == "cpsat@9.12"
    assert registry.spec("cpsat").release == ""
    assert registry.keeps_state("sat@1.9.dev16:reuse=solver")
    assert registry.workers("cpsat@9.12:workers=3") == 3
    assert [option.name for option in registry.options_of("cpsat@9.12")]


def test_releases_of_a_solver_are_one_family():
    assert registry.known_family("cpsat@9.12:workers=2") == registry.known_family("cpsat")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cpsat@", "'' is no release; write numbers with points, as in cpsat@9.12"),
        ("cpsat@latest", "'latest' is no release"),
        ("cpsat@9.12.*", "'9.12.*' is no release"),
        ("cpsat@../..", "is no release"),
        ("propagation@1", "propagation is no package of which a release could be installed"),
        ("minizinc@2.8:gecode", "minizinc is no package of which a release could be installed"),
        ("nobody@1", "no backend is called 'nobody'"),
        ("cpsat@9.12:fast", "cpsat: unknown option 'fast'"),
    ],
)
def test_what_can_be_no_release_is_refused_by_name(name, says):
    with pytest.raises(UnknownBackend) as refused:
        registry.spec(name)
    assert says in str(refused.value)


def test_a_process_has_the_release_that_is_installed():
    pytest.importorskip("ortools")
    with pytest.raises(BackendUnavailable) as refused:
        registry.get("cpsat@1.2")
    assert "cpsat@1.2 needs release 1.2 of ortools, and in this process" in str(refused.value)
    assert "concord environments make cpsat@1.2" in str(refused.value)


def test_a_release_is_a_number_or_goes_on_behind_it():
    assert registry.is_of_release("9.12.4544", "9.12")
    assert registry.is_of_release("9.12", "9.12")
    assert not registry.is_of_release("9.120", "9.12")
    assert not registry.is_of_release("", "9.12")
