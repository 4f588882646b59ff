"""Tables of a large run, kept as arrays beside its store, from which they load in an instant.

The file is NumPy's ``.npz``, without pickles. A column of numbers is an array, of one number where
all rows have the same. Texts, and values that may be missing, have an array of codes; their words
are in one JSON text. A column of ``Int64`` has an array more, which says where it is missing.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

_ABOUT = " about"
"""The name of the array that holds the number of rows, and the words and dtypes of columns."""

_MISSING = " missing"
"""What the name of an array ends in that says which values are missing."""

Arrays = dict[str, Any]


def write_columns(frame: pd.DataFrame, path: Path) -> None:
    """Write a table of numbers, texts, categories of texts, and values that JSON has."""
    arrays: Arrays = {}
    words: dict[str, list[Any]] = {}
    for label, column in frame.items():
        name, values = str(label), column.array
        if isinstance(values, pd.Categorical):
            arrays[name], words[name] = values.codes, list(values.categories)
        elif isinstance(values, pd.arrays.IntegerArray):
            arrays[name] = _shorten(values.to_numpy("int64", na_value=0))
            arrays[name + _MISSING] = _shorten(values.isna())
        elif isinstance(column.dtype, np.dtype) and column.dtype != object:
            arrays[name] = _shorten(column.to_numpy())
        else:
            arrays[name], words[name] = _encode(values)
    dtypes = {str(name): str(kind) for name, kind in frame.dtypes.items()}
    about = {"rows": len(frame), "words": words, "dtypes": dtypes}
    arrays[_ABOUT] = np.array(json.dumps(about))
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def read_columns(path: Path) -> pd.DataFrame:
    """The table that ``write_columns`` wrote; OSError or ValueError where it is none."""
    with np.load(path, allow_pickle=False) as arrays:
        about = json.loads(str(arrays[_ABOUT]))
        rows, words = about["rows"], about["words"]
        made = {}
        for name, kind in about["dtypes"].items():
            array = arrays[name]
            if kind == "Int64":
                missing = _lengthen(arrays[name + _MISSING], rows)
                made[name] = pd.arrays.IntegerArray(_lengthen(array, rows), missing)
            elif name in words:
                made[name] = _decode(_lengthen(array, rows), words[name], kind)
            else:
                made[name] = _lengthen(array, rows)
    return pd.DataFrame(made, copy=False)


def _shorten(array: Any) -> Any:
    """One value, where all are equal; nan is equal to itself here."""
    if len(array) > 1:
        same = array == array[0]
        if array.dtype.kind == "f" and np.isnan(array[0]):
            same = np.isnan(array)
        if same.all():
            return array[:1]
    return array


def _lengthen(array: Any, rows: int) -> Any:
    return np.full(rows, array[0]) if len(array) == 1 else array


def _encode(values: Iterable[Hashable]) -> tuple[Any, list[Any]]:
    """The codes of values, in as few bytes as will do, and the values."""
    known: dict[Any, int] = {}
    codes = np.fromiter((known.setdefault(value, len(known)) for value in values), np.int32)
    least = np.min_scalar_type(max(0, len(known) - 1))
    return _shorten(codes.astype(least)), list(known)


def _decode(codes: Any, words: list[Any], kind: str) -> Any:
    if kind == "category":
        return pd.Categorical.from_codes(codes, categories=pd.Index(words), validate=False)
    if kind == "object":
        known = np.empty(len(words), dtype=object)
        known[:] = words
        return known[codes]
    return pd.Index(words, dtype="str").take(codes)
