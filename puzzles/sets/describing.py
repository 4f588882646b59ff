"""What is known of a set, one that ships or one of the catalogues, as plain data."""

from __future__ import annotations

from importlib import resources
from typing import Any

from modelling.errors import InputError
from modelling.wording import did_you_mean
from puzzles.sets import PuzzleSet, cache, facts, read_catalogues, sets
from puzzles.sets.catalogue import Listing

ADDED = {"ready": "added", "absent": "gone", "damaged": "changed"}
FETCHED = {"ready": "fetched", "absent": "to fetch", "damaged": "damaged"}
"""The state of a user's file, and of a set that is fetched, by that of its bytes."""


def describe_sets() -> list[dict[str, Any]]:
    """Every set: those that ship, then those of the catalogues, by name."""
    listings = sorted(read_catalogues().values(), key=lambda listing: listing.name)
    return [*map(_describe_shipped, sets()), *map(describe_listing, listings)]


def describe_set(name: str) -> dict[str, Any]:
    """The set of this name; raises ``InputError`` where there is none."""
    shipped = next((one for one in sets() if one.name == name), None)
    return describe_listing(find_listing(name)) if shipped is None else _describe_shipped(shipped)


def _describe_shipped(one: PuzzleSet) -> dict[str, Any]:
    known = {
        "name": one.name,
        "state": "ships",
        "family": one.family,
        "number": one.number,
        "about": one.about,
        "members": list(one.members),
        "path": str(resources.files("puzzles.sets") / f"{one.name}.txt"),
    }
    more = facts(one.name).items()
    return known | {key: fact for key, fact in more if key not in (*known, "sets", "puzzles")}


def describe_listing(listing: Listing) -> dict[str, Any]:
    """A set of the catalogues, whether it is on this machine or not."""
    try:
        found = cache.state(listing)
        state = (FETCHED if listing.file is None else ADDED)[found]
    except InputError:
        state = "unreadable"
    return {
        "name": listing.name,
        "state": state,
        "family": listing.family,
        "number": listing.puzzles,
        "about": listing.about,
        "members": [],
        "path": str(cache.path_of(listing)),
        "bytes": listing.bytes,
        "sha256": listing.sha256,
        "licence": listing.licence,
        "url": list(listing.urls),
        "catalogue": str(listing.catalogue),
    }


def find_listing(name: str) -> Listing:
    """The listing of a set that does not ship; raises ``InputError`` where there is none."""
    listings, shipped = read_catalogues(), [one.name for one in sets()]
    if name in listings:
        return listings[name]
    if name in shipped:
        raise InputError(f"{name!r} ships with Concord: it is always there")
    hint = did_you_mean(name, [*shipped, *listings])
    raise InputError(f"no set is called {name!r}{hint} (see `concord sets`)")
