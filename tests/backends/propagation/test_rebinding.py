"""What is compiled anew: what has changed, and what calls it."""

from types import FunctionType

from backends.propagation.rebinding import Binding


def plain(function, made):
    return made


def binding(substitutes=None, constants=None):
    below = Binding({}, {}, constants or {}, plain)
    return Binding({}, substitutes or {}, constants or {}, plain, below)


NUMBER = 5


def inner(x):
    return x + NUMBER


def outer(x):
    return inner(x) * 2


def other(x):
    return x - NUMBER


for function in (inner, outer, other):
    function.__module__ = "backends.propagation.example"


def test_constants_and_functions_take_the_place_of_others_all_the_way_down():
    assert binding().rebound(outer)(1) == 12
    assert binding(constants={"NUMBER": 7}).rebound(outer)(1) == 16
    assert binding({inner: other}).rebound(outer)(1) == -8
    assert outer(1) == 12


def test_a_digest_changes_with_all_that_a_function_calls_and_reads():
    same = binding().digest(outer)
    assert binding().digest(outer) == same
    assert binding().digest(outer, b"more") != same
    assert binding(constants={"NUMBER": 7}).digest(outer) != same
    assert binding({inner: other}).digest(outer) != same
    changed = FunctionType(inner.__code__.replace(co_consts=(None, 3)), inner.__globals__, "inner")
    changed.__module__ = inner.__module__
    assert binding({inner: changed}).digest(outer) != same


def test_what_is_not_called_does_not_matter():
    assert binding({other: inner}).digest(outer) == binding().digest(outer)
