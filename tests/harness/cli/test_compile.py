"""`concord compile`: how far it is, what it says at its end, and what goes wrong."""

import pytest

from backends.propagation import everything, forms
from harness.cli.verbs import app, compiling
from modelling.errors import BackendUnavailable, WorkerError

SMALL = [
    (everything.Part("m", "f", False), everything.Part("m", "g", False)),
    (everything.Part("n", "h", True),),
]


@pytest.fixture
def concord(capsys, monkeypatch):
    """Carries out ``concord compile`` on two small batches; what it printed."""
    monkeypatch.setattr(everything, "list_batches", lambda: SMALL)
    monkeypatch.setattr(forms, "machine", lambda: None)
    monkeypatch.setattr(compiling, "_prepare", lambda: None)

    def run(do_in_order, *arguments, status=0):
        monkeypatch.setattr("harness.streams.side_by_side.do_in_order", do_in_order)
        with pytest.raises(SystemExit) as left:
            app(["compile", *arguments], prog_name="concord")
        assert left.value.code == status
        return capsys.readouterr()

    return run


def keeping(jobs, prepare, works, ahead, describe):
    """Every batch is kept."""
    assert jobs == 1
    assert ahead == len(SMALL)
    assert describe(works[0]) == "compiled m"
    yield from map(len, works)


def test_it_says_how_many_functions_are_compiled(concord):
    said = concord(keeping, "--jobs", "1")
    assert said.out.startswith("propagation: 3 functions compiled in ")


def test_what_cannot_be_kept_is_an_error(concord):
    said = concord(lambda *_, **__: iter([2, 0]), status=1)
    assert said.err == (
        "1 function cannot be kept: no folder can be written; let NUMBA_CACHE_DIR name one that "
        "can\n"
    )


def test_a_process_that_dies_is_an_error(concord):
    def die(*_, **__):
        yield 2
        raise WorkerError("a process died while it compiled n")

    assert "while it compiled n" in concord(die, status=1).err


def test_without_numba_it_says_what_to_install(concord, monkeypatch):
    def lack():
        raise BackendUnavailable("numba is not installed: pip install it")

    monkeypatch.setattr(forms, "machine", lack)
    assert "pip install" in concord(keeping, status=2).err


@pytest.mark.parametrize("jobs", ["0", "x"])
def test_a_wrong_number_of_jobs(concord, jobs):
    assert "--jobs" in concord(keeping, "--jobs", jobs, status=2).err
