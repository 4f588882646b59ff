"""The sizes of instances: declared by their names, or a column of the jobs."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from modelling.errors import InputError
from modelling.wording import did_you_mean

FAMILY = "family"
"""The size is declared: the instance is named after its family and its size, as in queens-12, which
is how ``concord generate`` and the sizes of experiments name instances."""

NAME = "name"
"""The size is the whole number at the end of the name, whatever it counts."""

Sizes = dict[tuple[str, str], float]


def find_sizes(jobs: pd.DataFrame, column: str = FAMILY) -> Sizes:
    """The size of each instance, by set and name, where it has one above 0.

    Of a ``column`` of the jobs it is the median over the jobs. Raises InputError where there is no
    such column of numbers, or no instance has a size.
    """
    keys = jobs[["set", "instance"]].astype(str)
    values = _read_names(jobs, column) if column in (FAMILY, NAME) else _read_column(jobs, column)
    medians = values.groupby([keys["set"], keys["instance"]]).median()
    found: Any = medians[medians > 0].to_dict()
    if not found:
        what = {
            FAMILY: "no instance is named after its family and its size, such as queens-12",
            NAME: "no instance has a name that ends in a number",
        }
        raise InputError(
            f"instances have no sizes: {what.get(column, f'the column {column} is empty')}; name a "
            "column of numbers of the jobs with --size, such as stat_n_vars, or --size name for "
            "the number that names end in"
        )
    return {(str(name), str(instance)): float(size) for (name, instance), size in found.items()}


def _read_names(jobs: pd.DataFrame, kind: str) -> pd.Series[float]:
    families, names = jobs["family"].astype(str), jobs["instance"].astype(str)
    found = [
        re.fullmatch(
            rf"{re.escape(family)}-(\d{{1,9}})" if kind == FAMILY else r".*?(\d{1,9})", name
        )
        for family, name in zip(families, names, strict=True)
    ]
    sizes = [float(end[1]) if end else float("nan") for end in found]
    return pd.Series(sizes, index=jobs.index, dtype=float)


def _read_column(jobs: pd.DataFrame, column: str) -> pd.Series[float]:
    numeric = [str(name) for name in jobs.select_dtypes("number")]
    if column not in numeric:
        hint = did_you_mean(column, numeric)
        raise InputError(
            f"the jobs have no column {column!r} of numbers{hint}: name one that "
            "`concord table --which jobs --wide` shows, 'family' or 'name'"
        )
    values: pd.Series[float] = jobs[column].astype(float)
    return values
