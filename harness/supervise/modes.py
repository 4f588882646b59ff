"""The three ways in which a worker comes about; figures of different modes are never mixed.

Words
-----
pooled      a worker is a new interpreter that loads the backend once and serves many jobs: warm
isolated    a fork server loads the backend once, and each job is a fork of it: the import is warm,
            the solver cold, and no job sees what another one did
fresh       each job has a new interpreter, which loads the backend: cold
"""

from __future__ import annotations

from dataclasses import dataclass

from modelling.errors import ExperimentError


@dataclass(frozen=True)
class Mode:
    """``forked``: workers are forks of a process with the backend loaded; ``once``: for one job."""

    name: str
    forked: bool
    once: bool


MODES = {
    mode.name: mode
    for mode in (
        Mode("pooled", forked=False, once=False),
        Mode("isolated", forked=True, once=True),
        Mode("fresh", forked=False, once=True),
    )
}


def mode(name: str) -> Mode:
    """The mode called ``name``; raises ExperimentError when there is none."""
    if name not in MODES:
        raise ExperimentError(f"mode: {name!r} is unknown (there are: {', '.join(MODES)})")
    return MODES[name]
