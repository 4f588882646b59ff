"""A fixed point that takes long ends at the limit of time, and after Ctrl-C."""

import gc
import os
import signal
import threading

import numpy as np
import pytest

from backends.interface import registry
from backends.interface.api import Limits, Solutions
from backends.propagation.asking import _Asked
from backends.propagation.forms import compiled_form, pure_form, pure_learning_form
from backends.propagation.kernel import facts, fixpoint
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.search import PAUSED
from backends.propagation.learning import clauses
from backends.propagation.learning.layout import LIST_SIZE
from modelling.constraints import Linear
from modelling.problem import build_problem
from modelling.stopping import stop_when
from tests.backends.propagation import learning_checks
from tests.backends.propagation.propagator_checks import begun

FORMS = [
    "propagation:form=pure",
    "propagation:search=learning,form=pure",
    pytest.param("propagation:search=learning,form=auto", marks=pytest.mark.once),
    pytest.param("propagation:search=learning,form=compiled", marks=pytest.mark.once),
    pytest.param("propagation:form=auto", marks=pytest.mark.once),
    pytest.param("propagation:form=compiled", marks=pytest.mark.once),
    pytest.param("propagation:search=lns", marks=pytest.mark.once),
]


def creeping(values=10**9, bits=0):
    """Each variable is to be greater than the other, and bits, together: bounds rise by 1, a
    billion times."""
    further, ones = tuple(range(2, 2 + bits)), (1,) * bits
    less = [Linear((*pair, *further), (1, -1, *ones), "<=", -1) for pair in ((0, 1), (1, 0))]
    domains = {f"b{k}": (0, 1) for k in further}
    return build_problem({"x": range(values), "y": range(values), **domains}, less)


def long_for(name):
    """A long first fixed point; learning takes no domains of a billion values."""
    return creeping(200_000, 10_000) if "learning" in name else creeping()


@pytest.mark.parametrize("name", FORMS)
def test_a_limit_of_time_holds_within_a_fixed_point(name):
    backend = registry.get(name)
    backend.load()
    found = backend.solve(long_for(name), Solutions(1), Limits(seconds=0.4))
    assert found.stopped_by == "time"
    assert found.count == 0


@pytest.fixture
def _raises_interrupts():
    """The command line's handler would end the process. Hypothesis measures collections of garbage
    by callbacks, and Python drops what these raise, a Ctrl-C that arrives within one as well."""
    before, kept = signal.signal(signal.SIGINT, signal.default_int_handler), gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks.extend(kept)
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_raises_interrupts")
@pytest.mark.parametrize("name", FORMS)
def test_ctrl_c_ends_a_fixed_point(name):
    backend = registry.get(name)
    backend.solve(long_for(name), Solutions(1), Limits(seconds=0.4))
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        backend.solve(long_for(name), Solutions(1), Limits(seconds=60))
    timer.join()


def test_a_stopped_fixed_point_asks_once_for_much_work():
    _, (S, T, M) = begun(creeping(), pure_form())
    asked = []
    M[at.M_ASK] = lambda: len(asked) > 1 or asked.append(1) or 0
    assert pure_form().search(S, T, M, 10) == 2  # PAUSED
    assert M[at.M_STOPPED] == 1
    assert M[at.M_FAILURES] == 0
    assert len(asked) == 2


@pytest.mark.once
def test_machine_code_that_is_stopped_writes_within_its_arrays():
    form = compiled_form()
    _, search = begun(creeping(), form)
    room = [np.full(len(cells) + 200, 77) for cells in search]
    S, T, M = (cells[100:-100] for cells in room)
    for cells, copied in zip((S, T, M), search, strict=True):
        cells[:] = copied
    M[at.M_ASK] = form.ask()
    with stop_when(lambda: True):
        assert form.search(S, T, M, 10) == 2
    assert M[at.M_STOPPED] == 1
    assert all((cells[:100] == 77).all() and (cells[-100:] == 77).all() for cells in room)


def test_nothing_is_asked_before_there_is_much_work():
    M = [0] * at.MEMORY_HEAD
    M[at.M_ASK] = lambda: 1
    assert not fixpoint.must_stop(M, fixpoint.MOST_WORK - 1)
    assert fixpoint.must_stop(M, 1)
    assert M[at.M_WORK] == 0
    assert not fixpoint.must_stop([0] * at.MEMORY_HEAD, fixpoint.MOST_WORK)


def test_long_lists_of_rivals_count():
    S, M, x = [1] * 30, [0] * at.MEMORY_HEAD, 20
    for pairs, counted in ((fixpoint.LARGE // 2, 0), (fixpoint.LARGE, 2 * fixpoint.LARGE)):
        row = [2 * pairs, *[x, 0] * pairs]
        assert fixpoint.remove_from(S, row, M, 0, x, 1, 1)
        assert M[at.M_WORK] == counted


def test_what_is_raised_while_it_is_asked_is_kept():
    asked = _Asked()
    assert asked.function() == 0
    with stop_when(lambda: True):
        assert asked.function() == 1

    def fail():
        raise KeyboardInterrupt

    with stop_when(fail):
        assert asked.function() == 1
    assert isinstance(asked.raised, KeyboardInterrupt)
    assert asked.function() == 0


def none_or_half():
    """Half of 300 bits are to be 1, and none may be if the first is not: what learning decides
    first contradicts that."""
    n = 300
    sums = [
        Linear(tuple(range(n)), (1 - n,) + (1,) * (n - 1), "<=", 0),
        Linear(tuple(range(n)), (1,) * n, ">=", n // 2),
    ]
    return build_problem({f"x{k}": (0, 1) for k in range(n)}, sums)


@pytest.mark.parametrize(
    ("left", "depth", "failures"), [(1, 0, 0), (1500, 1, 0), (10_000, 1, 1), (20_000, 1, 1)]
)
def test_learning_that_is_stopped_refutes_nothing(left, depth, failures):
    search = learning_checks.begun(none_or_half(), pure_learning_form()).search
    M = search.M
    M[at.M_ASK], M[at.M_WORK] = lambda: 1, fixpoint.MOST_WORK - left
    assert pure_learning_form().search(*search, 2) == PAUSED
    assert M[at.M_STOPPED] == 1
    assert (M[at.M_DEPTH], M[at.M_FAILURES], M[facts.M_LEARNED]) == (depth, failures, 0)


def test_each_256th_fact_is_counted():
    search = learning_checks.begun(none_or_half(), pure_learning_form()).search
    S, T, M = search
    M[facts.M_FACT_TOP] = M[facts.M_FACT_HEAD] + fixpoint.LARGE
    for i in range(fixpoint.LARGE + 1):
        M[M[facts.M_FACTS] + facts.FACT * i + facts.SLOT] = 4 * T[T[at.T_VARIABLES]]
    assert clauses.propagate_clauses(S, T, M)
    assert M[at.M_WORK] == clauses.WORK


def test_long_lists_of_clauses_are_counted():
    M = [0] * (facts.LEARNING_HEAD + 3 * fixpoint.LARGE)
    for size, counted in ((fixpoint.LARGE, 0), (fixpoint.LARGE + 2, fixpoint.LARGE + 2)):
        M[facts.LEARNING_HEAD + LIST_SIZE] = size
        assert clauses.visit([facts.LEARNING_HEAD], [], M, 0, 1, 1)
        assert M[at.M_WORK] == counted
