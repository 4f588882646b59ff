"""The options of Kissat that a backend's name may set: ``sat:kissat,restartint=50``.

They are those that ``kissat --range`` lists. The engines that are libraries take none.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import lru_cache

from backends.interface.libraries.parameters import (
    FILES,
    OUTPUT,
    SEED,
    Parameter,
    Parameters,
)
from backends.interface.options import Value
from backends.sat.engines.kissat_engine import find_program
from modelling.errors import BackendUnavailable

SECONDS = 10.0
"""How long Kissat may take to list its options."""

REFUSED = {
    "seed": SEED,
    "quiet": OUTPUT,
    "verbose": OUTPUT,
    "statistics": OUTPUT,
    "profile": OUTPUT,
    "log": OUTPUT,
    "*proof*": FILES,
}


@lru_cache(maxsize=1)
def list_parameters() -> Mapping[str, Parameter]:
    """The names with their ranges: ``restartint 1 1 10000``, where the middle is the default."""
    try:
        done = subprocess.run(
            [find_program(), "--range"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BackendUnavailable(f"sat:kissat does not list its options: {error}") from error
    found = {}
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        name, least, _, most = line.split()
        found[name] = Parameter(name, "integer", least=int(least), most=int(most))
    return found


def find_parameters(options: Mapping[str, str]) -> Mapping[str, Parameter]:
    """Those of Kissat where it is the engine."""
    return list_parameters() if options["engine"] == "kissat" else {}


def write_arguments(values: Mapping[str, Value]) -> list[str]:
    """The values as arguments of Kissat."""
    return [f"--{name}={value}" for name, value in values.items()]


PARAMETERS = Parameters("sat", find_parameters, REFUSED)
