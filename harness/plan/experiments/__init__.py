"""The experiments that ship, as TOML files beside this one, and the names of the studies.

A study is a program that measured something and wrote a reference run. It is no part of the
installed package: it lies in ``results/studies`` of a checkout, and runs from there.
"""

from pathlib import Path

FOLDER = Path(__file__).parent

STUDIES = (
    "conformance",
    "cpsat",
    "dispatch",
    "endurance",
    "generation",
    "grading",
    "kernel",
    "ladder",
    "laws",
    "mutations",
    "overhead",
    "sat_defaults",
    "scrambles",
    "supervision",
    "toy_constraint",
    "uniformity",
)


def study_hint(name: str) -> str:
    """How to run the study with this name."""
    return (
        f"{name} is a study, not an experiment: run `python -m results.studies.{name}` "
        f"in a checkout of Concord"
    )
