"""docs/decisions: a record is at most one page; its links and those of the notes lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
NOTES = sorted((ROOT / "results" / "reference").glob("*/notes.md"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_is_at_most_one_page(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize(
    "path", [*RECORDS, *NOTES], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+)[)#]", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
