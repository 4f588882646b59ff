"""The outline of a large run, kept as arrays beside its store, from which it loads in an instant.

The file is NumPy's ``.npz``, without pickles: for each column its numbers, or the codes of its
texts, whose words are in one JSON text.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

_WORDS = " words"
"""The name of the array that holds the texts of all columns."""


def write_columns(frame: pd.DataFrame, path: Path) -> None:
    """Write a table whose columns are numbers or categories of texts."""
    texts = {str(name) for name, kind in frame.dtypes.items() if kind == "category"}
    words = {name: list(frame[name].cat.categories) for name in sorted(texts)}
    arrays: dict[str, Any] = {
        str(name): np.asarray(column.cat.codes if name in texts else column)
        for name, column in frame.items()
    }
    arrays[_WORDS] = np.array(json.dumps(words))
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def read_columns(path: Path) -> pd.DataFrame:
    """The table that ``write_columns`` wrote; OSError or ValueError where it is none."""
    with np.load(path, allow_pickle=False) as arrays:
        words = json.loads(str(arrays[_WORDS]))
        made = {
            name: _decode(arrays[name], words.get(name)) for name in arrays.files if name != _WORDS
        }
    return pd.DataFrame(made, copy=False)


def _decode(array: Any, words: list[str] | None) -> Any:
    if words is None:
        return array
    return pd.Categorical.from_codes(array, categories=pd.Index(words), validate=False)
