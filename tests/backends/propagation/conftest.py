"""Compares what each test of a propagator has counted with what it counted before.

A propagator that removes less, or more, or wakes another time, changes these numbers, even where
every answer stays right. After a change that is meant, write them anew and look at the difference:

    COUNTS=write pytest tests/backends/propagation
"""

import json
import os
from pathlib import Path

import pytest

from tests.backends.propagation.propagator_checks import counts

FILE = Path(__file__).parent / "counts.json"


def read():
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


KNOWN = read()


@pytest.fixture(autouse=True)
def _same_counts(request):
    """Whoever draws other cases, or more, by variables of the environment, compares nothing."""
    counts.clear()
    yield
    name = request.node.nodeid.removeprefix("tests/backends/propagation/")
    if os.environ.get("COUNTS") == "write":
        write(name, [*counts])
    elif counts:
        drawn = [row[:2] for row in KNOWN.get(name, ())]
        if name not in KNOWN or drawn == [row[:2] for row in counts]:
            assert counts == KNOWN.get(name), "seed, cases, values left, nodes, failures, runs"


def write(name, rows):
    """Keep the counts of a test, in the order of names."""
    KNOWN.pop(name, None)
    if rows:
        KNOWN[name] = rows
    lines = [f"{json.dumps(key)}: {json.dumps(KNOWN[key])}" for key in sorted(KNOWN)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
