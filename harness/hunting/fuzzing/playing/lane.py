"""The state of a hunt for one solver: all that a later session needs to continue it.

A hunt has a lane for each solver. What is asked in a lane depends on the seed and on what the lane
has asked before, never on time or on other lanes; so a hunt that was stopped and continued finds
what one in a single session finds.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec

from harness.hunting.fuzzing.guidance import SLOTS
from harness.hunting.fuzzing.novelty import Entry
from harness.job import Question
from harness.judge.claims import Claim
from modelling.errors import InputError


class Said(msgspec.Struct, frozen=True):
    """What a solver claims about a problem that every lane draws alike, by its key."""

    key: str
    backend: str
    question: Question
    claim: Claim


class Lane(msgspec.Struct):
    """One solver's part of a hunt.

    ``rounds`` counts the problems, ``fresh`` those that were drawn and not made of earlier ones.
    ``comparisons`` counts answers that were compared with something, ``wrong`` the findings among
    them by the text of their cause, ``refused`` problems and questions that the solver does not
    take, ``unanswered`` those that it gave up. ``cells`` is the coverage, ``features`` how often
    each feature was asked (``guidance``).
    """

    backend: str
    rounds: int = 0
    fresh: int = 0
    questions: int = 0
    comparisons: int = 0
    refused: int = 0
    unanswered: int = 0
    seconds: float = 0.0
    seen: set[str] = msgspec.field(default_factory=set)
    corpus: list[Entry] = msgspec.field(default_factory=list)
    cells: dict[str, int] = msgspec.field(default_factory=dict)
    features: bytearray = msgspec.field(default_factory=lambda: bytearray(SLOTS))
    wrong: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """The file that keeps it."""
        return f"{re.sub(r'[^A-Za-z0-9_.@=-]+', '-', self.backend)}.json"

    def write(self, folder: Path) -> None:
        """Write it, whole at any moment."""
        path = folder / self.file_name
        beside = path.with_suffix(".new")
        beside.write_bytes(msgspec.json.encode(self, order="deterministic"))
        os.replace(beside, path)


def read_lane(folder: Path, backend: str) -> Lane:
    """The lane of a backend as it was written; a new one if there is none.

    Raises InputError for a file that is none of ours.
    """
    lane = Lane(backend)
    path = folder / lane.file_name
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Lane)
    except FileNotFoundError:
        return lane
    except (msgspec.MsgspecError, OSError) as error:
        raise InputError(
            f"{path}: cannot be read ({error}); remove it, or choose another --out"
        ) from error
    if len(found.features) != SLOTS:
        raise InputError(f"{path}: is not of this version; remove it, or choose another --out")
    if found.backend != backend:
        raise InputError(f"{path}: is of {found.backend}, not of {backend}; choose another --out")
    return found
