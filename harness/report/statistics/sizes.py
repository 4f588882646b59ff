"""The sizes of instances: declared by the family or the model, counted, or a column of the jobs.

A family declares what is natural (``puzzles.family.Measured``), a model what it was given as
``size``. Where neither does, the size is the number of variables of the problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pandas as pd

from modelling.errors import ConcordError, InputError
from modelling.wording import did_you_mean
from puzzles.family import Family, Measured, Sized, family

DECLARED = "declared"
"""The size is that of the family or the model, and the number of variables where none is declared.

Without the text, as in most reference runs, it is in the name if that has family and size, as in
queens-12, which is how ``concord generate`` and the sizes of experiments name instances."""

VARIABLES = "variables"
"""The size is the number of variables of the problem."""

NAME = "name"
"""The size is the whole number at the end of the name, whatever it counts."""

LONGEST_STATED = 20_000
"""Characters of an instance that is stated to count its variables."""

_KEYS = ["set", "instance"]


class _Sized(NamedTuple):
    sizes: list[float]
    unit: str


def find_sizes(
    named: pd.DataFrame,
    size: str = DECLARED,
    jobs: Callable[[], pd.DataFrame] | None = None,
    most: int | None = None,
) -> pd.DataFrame:
    """``named`` with the columns ``size`` and ``unit``, which says what it counts.

    ``named`` is ``Run.named``: ``set``, ``instance``, ``family``, ``text``; instances without a
    size above 0 are left out. ``size`` is one of the words above or a column of numbers of
    ``jobs()``, of which it is the median over the jobs of an instance. A family of which more
    than ``most`` problems would have to be stated has declared sizes alone. Raises InputError where
    the jobs have no such column, or no instance has a size.
    """
    if size in (DECLARED, VARIABLES, NAME):
        found = _measure_families(named, size, most)
    else:
        found = _read_column(named, size, pd.DataFrame() if jobs is None else jobs())
    sized = found[found["size"] > 0].reset_index(drop=True)
    if len(named) and not len(sized):
        raise InputError(f"instances have no sizes: {_explain(size)}")
    return sized


def _explain(size: str) -> str:
    remedy = "name a column of numbers of the jobs with --size, such as stat_n_vars"
    if size == NAME:
        return f"no name ends in a number; {remedy}"
    if size == DECLARED:
        return (
            "the run keeps no texts, and no instance is named after its family and its size, such "
            f"as queens-12; {remedy}, or name for the number that names end in"
        )
    if size == VARIABLES:
        return f"the run keeps no texts of which variables could be counted; {remedy}"
    return f"the column {size} is empty; name another one"


def format_size(size: float) -> str:
    """A size as it is read: ``12``, not ``12.0``."""
    return f"{size:.12g}"


# --- declared, counted ---------------------------------------------------------------------


def _measure_families(named: pd.DataFrame, size: str, most: int | None) -> pd.DataFrame:
    found = named.assign(size=np.nan, unit="")
    for name, rows in found.groupby("family", observed=True).groups.items():
        part = found.loc[rows, ["instance", "text"]].astype(object)
        part = part.where(part.notna(), "").astype(str)
        codes, pairs = pd.factorize(pd.MultiIndex.from_frame(part))
        sized = _measure_family(str(name), list(pairs), size, most)
        found.loc[rows, "size"] = np.array(sized.sizes)[codes]
        found.loc[rows, "unit"] = sized.unit
    return found


def _measure_family(name: str, pairs: list[tuple[str, str]], size: str, most: int | None) -> _Sized:
    """The sizes of instances of one family by name and text, all of one unit."""
    if size == NAME:
        return _Sized([_read_number(r".*?(\d{1,9})", one) for one, _ in pairs], "number in name")
    kind = None
    with suppress(ConcordError, ImportError):
        kind = family(name)
    declared = _Sized([np.nan] * len(pairs), "")
    if size == DECLARED and kind is not None:
        declared = _Sized([_declare(kind, *pair) for pair in pairs], getattr(kind, "unit", "size"))
    texts = {text for _, text in pairs if 0 < len(text) <= LONGEST_STATED}
    left = int(np.isnan(declared.sizes).sum())
    if kind is None or not left or not texts or (most is not None and len(texts) > most):
        return declared
    counted = {text: _count_variables(kind, text) for text in texts}
    variables = _Sized([counted.get(text, np.nan) for _, text in pairs], VARIABLES)
    return variables if np.isnan(variables.sizes).sum() < left else declared


def _declare(kind: Family, name: str, text: str) -> float:
    """The size of an instance that its family declares, or its name where the text is not there."""
    if not text:
        is_named = isinstance(kind, Sized)
        return _read_number(rf"{re.escape(kind.name)}-(\d{{1,9}})", name) if is_named else np.nan
    if isinstance(kind, Measured):
        with suppress(ConcordError):
            found = kind.size_of(text)
            return np.nan if found is None else float(found)
    return np.nan


def _count_variables(kind: Family, text: str) -> float:
    with suppress(ConcordError, ImportError):
        return float(len(kind.problem(text).structure.names))
    return np.nan


def _read_number(pattern: str, name: str) -> float:
    found = re.fullmatch(pattern, name)
    return float(found[1]) if found else np.nan


# --- a column ------------------------------------------------------------------------------


def _read_column(named: pd.DataFrame, column: str, jobs: pd.DataFrame) -> pd.DataFrame:
    numeric = [str(name) for name in jobs.select_dtypes("number")]
    if column not in numeric:
        hint = did_you_mean(column, [*numeric, DECLARED, VARIABLES, NAME])
        raise InputError(
            f"the jobs have no column {column!r} of numbers{hint} (name one that "
            f"`concord table --which jobs --wide` shows, {DECLARED!r}, {VARIABLES!r} or {NAME!r})"
        )
    keys = [jobs[key].astype(str) for key in _KEYS]
    medians = jobs[column].astype(float).groupby(keys).median().rename("size").reset_index()
    found = named.assign(**{key: named[key].astype(str) for key in _KEYS})
    return found.merge(medians, on=_KEYS, how="left").assign(unit=column)
