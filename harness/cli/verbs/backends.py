"""`concord backends`: what there is to run."""

from __future__ import annotations

from harness.cli.command import FINE, Json, verb, write_json


@verb("concord backends", "concord backends --json")
def backends(as_json: Json = False) -> int:
    """List the solvers, and what to install for missing ones."""
    from dataclasses import asdict

    from backends.interface.registry import infos

    found = [asdict(info) for info in infos()]
    if as_json:
        return write_json(found)
    import pandas as pd

    from harness.cli.screen import Screen

    screen = Screen()
    rows = [
        {
            "backend": info["name"],
            "installed": "yes" if info["installed"] else "no",
            "version": info["version"],
            "native constraints": " ".join(info["native"]),
            "options and defaults": " ".join(info["options"]),
            "about": info["about"],
        }
        for info in found
    ]
    screen.table(pd.DataFrame(rows))
    for info in found:
        if info["hint"]:
            screen.line(f"{info['name']}: {info['hint']}")
    return FINE
