"""Values written as TOML."""

from __future__ import annotations

import json
import re
from typing import Any


def write_pair(key: str, value: Any) -> str:
    """``key = value``"""
    return f"{write_key(key)} = {write_value(value)}"


def write_key(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else write_value(key)


def write_value(value: Any) -> str:
    """A string, number, truth value, list or table, on one line; of a table, what is not None."""
    if isinstance(value, dict):
        pairs = (write_pair(key, item) for key, item in value.items() if item is not None)
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(write_value, value)) + "]"
    # JSON's strings, numbers and truth values are TOML's, but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
