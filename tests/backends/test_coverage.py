"""What a backend is said to do with each class is what it does."""

import pytest

from backends.coverage import Coverage, coverage, sample
from backends.cpsat.handlers import HANDLERS
from backends.interface import registry
from backends.interface.api import Accepted
from modelling.constraints import AllDifferent, Constraint, Element, Linear, Table
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.graphs.circuit import Circuit


def test_cpsat_from_its_handlers():
    backend = registry.get("cpsat")
    assert coverage(backend, Linear) == Coverage("full")
    assert coverage(backend, Table) == Coverage("full")
    assert coverage(backend, AllDifferent) == Coverage("half", True)
    assert coverage(backend, Element) == Coverage("root", True)
    for kind in set(VOCABULARY) - set(HANDLERS):
        assert coverage(backend, kind) == Coverage("rewritten"), kind


def test_any_constraint_is_taken_by_its_definition():
    for name in ("python_constraint", "brute_force"):
        assert Constraint in registry.get(name).solver.handlers
        assert coverage(registry.get(name), Circuit) == Coverage("full")


def test_a_backend_without_handlers():
    ladder = registry.get("ladder")
    assert coverage(ladder, AllDifferent) == Coverage("root")
    assert coverage(ladder, Circuit) == Coverage("refused")


@pytest.mark.parametrize("kind", VOCABULARY, ids=lambda kind: kind.__name__)
def test_a_sample_is_accepted_where_it_is_said_so(kind):
    backend = registry.get("propagation")
    accepted = isinstance(backend.accepts(sample(kind)), Accepted)
    assert accepted == (coverage(backend, kind).way != "refused")
