"""What is compared unless told otherwise: four kinds of solver, and the compiled one."""

from __future__ import annotations

from backends.interface import registry
from modelling.errors import BackendUnavailable

FASTEST = "compiled"
"""Taken where it is installed; not missed elsewhere, since it answers some problems only."""


def default_backends() -> tuple[list[str], list[str]]:
    """The default backends that can be used here, and for each that cannot, what to install.

    They are those of the quickstart: the four kinds, and what it adds to them.
    """
    from harness.plan.reading import load

    usable: list[str] = []
    hints: list[str] = []
    for name in [*load("quickstart").names(), FASTEST]:
        try:
            registry.get(name)
        except BackendUnavailable as error:
            if name != FASTEST and str(error) not in hints:
                hints.append(str(error))
        else:
            usable.append(name)
    return usable, hints
