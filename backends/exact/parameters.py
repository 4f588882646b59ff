"""The options of Exact that a backend's name may set.

Its library has no list of them, so their names are written here, as ``--help`` of release 2.2
prints them; the library checks names and values.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.interface.libraries.making import import_library
from backends.interface.libraries.muting import muted
from backends.interface.libraries.parameters import (
    FILES,
    OUTPUT,
    QUESTION,
    SEED,
    TIME,
    Parameter,
    Parameters,
)
from backends.interface.options import Value, write_value
from backends.signals import keep_handlers

TAKEN = ("SIGINT", "SIGTERM", "SIGXCPU")
"""Signals for which Exact puts a handler of its own, and stops for good once it has had one."""

# fmt: off
NAMES = (
    "luby-base", "luby-mult", "var-weight", "var-sol", "var-objective", "var-conflict",
    "var-reason", "db-decay", "db-base", "db-exp", "db-scale", "db-safelbd", "db-maxlbd",
    "lp-budget", "lp-intolerance", "lp-learnduals", "lp-cut-gomory", "lp-cut-learned",
    "lp-cut-gomlim", "lp-cut-maxcos", "ca-multweaken", "ca-multiply", "ca-division",
    "ca-weaken-nonimplying", "ca-min", "ca-cancelingunknowns", "ca-liftdegree", "bits-overflow",
    "bits-reduced", "bits-learned", "opt-ratio", "opt-coreguided", "opt-reusecores",
    "opt-stratification", "opt-precision", "int-encoding", "inp-purelits", "inp-dombreaklim",
    "inp-probing", "inp-atmostone", "inp-basetime",
)
# fmt: on

REFUSED = {
    "timeout*": TIME,
    "seed": SEED,
    "onlyparse": QUESTION,
    "format": QUESTION,
    "int-continuous": QUESTION,
    "int-unbounded": QUESTION,
    "int-defbound": QUESTION,
    "proof-*": FILES,
    "print-*": OUTPUT,
    "verbosity": OUTPUT,
    "help": OUTPUT,
    "copyright": OUTPUT,
    "license": OUTPUT,
}


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """The names that are known."""
    return {name: Parameter(name) for name in NAMES}


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """What Exact says of a name or value that it does not take."""
    library = import_library("exact")
    for name, value in values.items():
        try:
            with keep_handlers(*TAKEN), muted(2):
                library.Exact([("verbosity", "0"), (name, str(value))])
        except ValueError as error:
            said = str(error).splitlines()[0].rstrip(".")
            return f"Exact does not take {write_value(value)} for {name}: {said}"
    return ""


PARAMETERS = Parameters("exact", find_parameters, REFUSED, check=check)
