"""`concord sets`: what there is to run on."""

from __future__ import annotations

from harness.command import FINE, Json, verb, write_json


@verb("sets")
def list_sets(as_json: Json = False) -> int:
    """What there is to run on."""
    from dataclasses import asdict

    from puzzles.sets import sets

    found = [asdict(puzzle_set) for puzzle_set in sets()]
    if as_json:
        return write_json(found)
    import pandas as pd

    from harness.screen import Screen

    columns = {"name": "set", "family": "family", "number": "puzzles", "about": "about"}
    Screen().table(pd.DataFrame(found)[list(columns)].rename(columns=columns))
    return FINE
