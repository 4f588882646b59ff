"""What becomes of a file: a problem, an error that says where, or a fault of the reader."""

from __future__ import annotations

import re
from dataclasses import dataclass
from traceback import extract_tb

from harness.hunting.fuzzing.files.families import FamilyFiles
from modelling.errors import InputError, InstanceError, ModelError
from modelling.formats import FORMATS, Format
from modelling.problem import Problem
from puzzles.family import list_family_names

READABLE = tuple(form.name for form in FORMATS if form.reads)
"""The formats that can be read."""

Reader = Format | FamilyFiles
"""What reads a file: a format of the field, or a family."""

PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)


@dataclass(frozen=True)
class Reading:
    """A problem, or what the error said; ``fault`` is empty unless the reader is at fault."""

    problem: Problem | None = None
    said: str = ""
    fault: str = ""


def find_format(name: str) -> Reader:
    """The format of this name, or the family."""
    return next((form for form in FORMATS if form.name == name), FamilyFiles(name))


def list_families() -> list[str]:
    """The families whose files have no format of the field."""
    known = {form.name for form in FORMATS}
    return [name for name in list_family_names() if name not in known and name != "problem"]


def name_file(form: Reader) -> str:
    """What a file of a finding is called."""
    return f"bug{form.endings[0]}"


def read(form: Reader, text: str) -> Reading:
    """Read a text; whatever the reader raises is caught."""
    source = name_file(form)
    try:
        return Reading(form.read(text.encode("utf-8", "surrogatepass"), source))
    except InstanceError as error:
        fault = "" if has_place(error, source, text) else "an error without a place"
        return Reading(said=str(error), fault=fault)
    except ModelError as error:  # whoever reads files puts the name of the file before it
        return Reading(said=str(error), fault="" if str(error) else "an error without a text")
    except InputError as error:  # of the file as a whole
        return Reading(
            said=str(error), fault="" if source in str(error) else "an error without its file"
        )
    except Exception as error:  # a traceback, which no user should see
        return Reading(said=f"{type(error).__name__}: {error}", fault=_describe(error))


def has_place(error: InstanceError, source: str, text: str) -> bool:
    """Whether an error says where, and the file has such a line."""
    found = PLACE.fullmatch(error.place)
    lines = text.count("\n") + text.count("\r") + 2
    return (
        found is not None
        and found[1] == source
        and 1 <= int(found[2]) <= lines
        and int(found[3]) >= 1
    )


def _describe(error: Exception) -> str:
    """The class of an error and the function that raised it: what one mistake has in common."""
    frames = extract_tb(error.__traceback__)
    where = f" in {frames[-1].name}" if frames else ""
    return f"{type(error).__name__}{where}"
