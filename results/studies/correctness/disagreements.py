"""The page of wrong answers, made of a folder for each: docs/disagreements.md.

    python -m results.studies.correctness.disagreements [--check]

``docs/disagreements/`` has a folder for each. It holds

- ``answer.toml``: ``solver`` with its release, ``fault``, the ``right`` and the ``wrong`` answer in
  some words; ``signs``, regular expressions of the causes that ``concord fuzz`` would name (where
  it can find it); ``ends = true`` for a script that ends its process
- ``text.md``: a title, and what is wrong, why that is known, and how backends avoid it. A line
  ``{{bug.py}}`` has the place of a file
- ``bug.py``, ``bug.xml``, ``bug.mzn``: the script, or the file that a program reads
- ``finding.json``: the problem, and both answers, where ``concord shrink`` has made it small

A folder as ``concord shrink`` leaves it has ``finding.json``, ``bug.py`` and ``issue.md``, and is
enough by itself: what ``answer.toml`` would say is taken from the finding. With ``--check`` nothing
is written; the exit status is 1 where the page is not what the folders say.
"""

from __future__ import annotations

import re
import sys
import tomllib
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from harness.hunting.findings import FILE, FORKED, Answer, Fault, Finding
from modelling.errors import InputError
from modelling.wording import plural
from results.studies.markdown import join_page, list_table

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "disagreements"
PAGE = ROOT / "docs" / "disagreements.md"

ANSWER, TEXT, ISSUE, SCRIPT, HEAD = "answer.toml", "text.md", "issue.md", "bug.py", "head.md"

FAULTS = (*get_args(Fault), "wrong proof", "none")
"""What may be wrong; ``none`` is what looks wrong and is not."""

LANGUAGES = {".py": "python", ".xml": "text", ".mzn": "text"}
NEEDED = ("solver", "fault", "right", "wrong")
ALLOWED = {*NEEDED, "signs", "ends"}


@dataclass(frozen=True)
class Entry:
    """A wrong answer: ``text`` is Markdown, with the files in their places."""

    name: str
    title: str
    text: str
    solver: str
    fault: str
    right: str
    wrong: str
    signs: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """What a link to its section has after ``#``, as GitHub and MyST make it of the title."""
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")


def read_entries(folder: Path = FOLDER) -> list[Entry]:
    """One for each folder, by name; raises InputError for one that lacks something."""
    return [read_entry(one) for one in sorted(folder.iterdir()) if one.is_dir()]


def read_entry(folder: Path) -> Entry:
    """The entry of a folder."""
    said = _read_answer(folder)
    has_text = (folder / TEXT).exists()
    text = _read(folder / (TEXT if has_text else ISSUE))
    title, _, body = text.partition("\n")
    if not title.startswith("# "):
        raise InputError(f"{folder}: its text begins with {title!r}; write a title after '# '")
    body = _put_files(folder, body, ends=bool(said.get("ends"))) if has_text else _mark(body)
    solver, fault, right, wrong = (str(said[key]) for key in NEEDED)
    signs = tuple(said.get("signs", ()))
    name, title = folder.name, title.removeprefix("# ").strip()
    return Entry(name, title, body.strip(), solver, fault, right, wrong, signs)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; each folder has it") from error


def _read_answer(folder: Path) -> Mapping[str, Any]:
    path = folder / ANSWER
    if not path.exists() and (folder / FILE).exists():
        return _describe(Finding.read(folder))
    try:
        said = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}") from error
    lacking, unknown = [key for key in NEEDED if key not in said], sorted({*said} - ALLOWED)
    if lacking or unknown:
        what = f"it lacks {lacking[0]}" if lacking else f"{unknown[0]} is unknown"
        raise InputError(f"{path}: {what}; it has {', '.join(NEEDED)}, and may have signs and ends")
    if said["fault"] not in FAULTS:
        raise InputError(f"{path}: fault is one of {', '.join(FAULTS)}, not {said['fault']!r}")
    return said


def _describe(finding: Finding) -> dict[str, str]:
    """The answer in some words, as far as a finding has them."""
    solver = f"{finding.backend.partition(':')[0]} {finding.version}".strip()
    wrong = finding.claimed.note if finding.fault in FORKED else _write(finding.claimed)
    return {
        "solver": solver,
        "fault": finding.fault,
        "right": _write(finding.right),
        "wrong": wrong,
    }


def _write(answer: Answer) -> str:
    if answer.objective is not None:
        return f"the optimum {answer.objective}"
    return answer.status if answer.count is None else plural(answer.count, "solution")


def _put_files(folder: Path, text: str, *, ends: bool) -> str:
    def put(place: re.Match[str]) -> str:
        path = folder / place[1]
        how = " ends" if ends and path.suffix == ".py" else ""
        return f"```{LANGUAGES.get(path.suffix, 'text')}{how}\n{_read(path).rstrip()}\n```"

    return re.sub(r"^\{\{([\w.]+)\}\}$", put, text, flags=re.MULTILINE)


def _mark(issue: str) -> str:
    """The text of an issue, whose script ends with status 1."""
    return issue.replace("```python\n", "```python exits\n")


def write_page(entries: Sequence[Entry], head: str) -> str:
    """The page: what it is, a table, and a section for each."""
    rows = (
        f"[{one.title}](#{one.anchor}) | {one.fault} | {one.right} | {one.wrong}" for one in entries
    )
    table = list_table("what is wrong | fault | right | found", rows)
    sections = (f"## {one.title}\n\n{one.text}" for one in entries)
    return join_page(head.strip(), table, *sections)


def make_page(folder: Path = FOLDER) -> str:
    """The page of all folders."""
    return write_page(read_entries(folder), _read(folder / HEAD))


def match(cause: str, entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries whose signs a cause shows, as ``concord fuzz`` writes causes."""
    for entry in entries:
        if any(map(partial(re.fullmatch, string=cause), entry.signs)):
            yield entry


def main(arguments: Sequence[str]) -> int:
    """Write the page, or compare it."""
    parser = ArgumentParser(
        description=__doc__, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--check", action="store_true", help="only compare the page that is there")
    made = make_page()
    if parser.parse_args(arguments).check:
        is_current = PAGE.read_text(encoding="utf-8") == made
        print(f"{PAGE.name} is {'current' if is_current else 'not what the folders say'}")
        return not is_current
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
