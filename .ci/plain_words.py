"""Finds turns of phrase that the project does not use; part of ``make lint``.

``[tool.plain-words]`` in pyproject.toml lists them as regular expressions. It looks for them
in the documents, and in comments and strings of the code. ``.ci/plain-words.json`` says how many
each room still has. More are an error, and fewer too, until ``--update`` writes the lower number.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
KNOWN = ROOT / ".ci" / "plain-words.json"
KEPT = ("CHANGELOG.md", "results/reference/", ".ci/", "puzzles/sets/data/")
TEXTS = (tokenize.COMMENT, tokenize.STRING)


def list_files() -> list[str]:
    """The documents and the code that git knows or would add."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.md", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        name for name in listed.splitlines() if not name.startswith(KEPT) and (ROOT / name).exists()
    ]


def read_prose(name: str) -> Iterator[tuple[int, str]]:
    """Each line of prose with its number: of code, what is in comments and strings."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".md"):
        yield from enumerate(text.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in TEXTS:
            yield from enumerate(token.string.splitlines(), token.start[0])


def find_turns(names: list[str]) -> Iterator[tuple[str, int, str]]:
    """File, line and words of each turn."""
    turns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["plain-words"]["turns"]
    pattern = re.compile("|".join(turns))
    for name in names:
        for number, line in read_prose(name):
            for match in pattern.finditer(line):
                yield name, number, match[0].strip()


def main() -> int:
    """Exit status 1 where a room has more turns than are known, or fewer."""
    found = list(find_turns(list_files()))
    counts = dict(sorted(Counter(name.split("/")[0] for name, _, _ in found).items()))
    known = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    if "--update" in sys.argv:
        KNOWN.write_text(json.dumps(counts, indent=1) + "\n")
        return 0
    if "--list" in sys.argv:
        print(*(f"{name}:{number}: {words}" for name, number, words in found), sep="\n")
    rooms = [room for room in {*counts, *known} if counts.get(room, 0) != known.get(room, 0)]
    for room in sorted(rooms):
        print(f"{room}: {counts.get(room, 0)} such turns of phrase, {known.get(room, 0)} are known")
    if rooms:
        print("python .ci/plain_words.py --list shows them, --update writes a lower number")
    return bool(rooms)


if __name__ == "__main__":
    sys.exit(main())
