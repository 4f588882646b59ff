"""The sizes of instances: what their names end in, or a column of the jobs."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from modelling.errors import InputError
from modelling.wording import did_you_mean

NAME = "name"
"""The size is the whole number at the end of an instance's name, as in queens-12."""

Sizes = dict[tuple[str, str], float]


def find_sizes(jobs: pd.DataFrame, column: str = NAME) -> Sizes:
    """The size of each instance, by set and name, where it has one above 0.

    Of a ``column`` of the jobs it is the median over the jobs. Raises InputError where there is no
    such column of numbers, or no instance has a size.
    """
    keys = jobs[["set", "instance"]].astype(str)
    values = _read_names(keys["instance"]) if column == NAME else _read_column(jobs, column)
    medians = values.groupby([keys["set"], keys["instance"]]).median()
    found: Any = medians[medians > 0].to_dict()
    if not found:
        why = "no instance has a name that ends in a number" if column == NAME else "it is empty"
        raise InputError(
            f"the size {column!r} cannot be used: {why}; name a column of numbers of the jobs with "
            "--size, such as stat_n_vars"
        )
    return {(str(name), str(instance)): float(size) for (name, instance), size in found.items()}


def _read_names(names: pd.Series[str]) -> pd.Series[float]:
    ends = {name: re.search(r"(\d{1,9})$", name) for name in names.unique()}
    return names.map({name: float(end[1]) for name, end in ends.items() if end}).astype(float)


def _read_column(jobs: pd.DataFrame, column: str) -> pd.Series[float]:
    numeric = [str(name) for name in jobs.select_dtypes("number")]
    if column not in numeric:
        hint = did_you_mean(column, numeric)
        raise InputError(
            f"the jobs have no column {column!r} of numbers{hint}: name one that "
            "`concord table --which jobs --wide` shows, or 'name', the number that names end in"
        )
    values: pd.Series[float] = jobs[column].astype(float)
    return values
