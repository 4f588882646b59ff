"""Where Concord keeps what belongs to a user, by the custom of the platform.

cache folder     sets that were fetched; whatever is in it can be fetched again.
                 ``CONCORD_CACHE`` overrides it
configuration    ``catalogue.toml``, the user's own sets. ``CONCORD_CONFIG`` overrides it
"""

from __future__ import annotations

import os
from pathlib import Path

CACHE = "CONCORD_CACHE"
CONFIG = "CONCORD_CONFIG"
"""Environment variables that name a folder each."""


def cache_folder() -> Path:
    """The folder of what can be fetched again; it need not exist yet."""
    from platformdirs import user_cache_path

    return _given(CACHE) or user_cache_path("concord", appauthor=False)


def config_folder() -> Path:
    """The folder of what the user has said; it need not exist yet."""
    from platformdirs import user_config_path

    return _given(CONFIG) or user_config_path("concord", appauthor=False)


def _given(variable: str) -> Path | None:
    value = os.environ.get(variable, "")
    return Path(os.path.abspath(os.path.expanduser(value))) if value else None
