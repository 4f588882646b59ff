"""What the mutation study names is there: the files of its parts, the lines of judged mutants."""

import tomllib
from pathlib import Path

from results.studies.mutation.parts import PARTS

ROOT = Path(__file__).resolve().parents[2]
JUDGED = ROOT / "results" / "studies" / "mutation" / "judged.toml"


def test_sources_and_tests_of_every_part_are_there():
    names = [name for part in PARTS for name in (*part.sources, *part.files, *part.read)]
    assert len(names) > 2 * len(PARTS)
    assert [name for name in names if not (ROOT / name).is_file()] == []


def test_lines_of_judged_mutants_are_there():
    mutants = tomllib.loads(JUDGED.read_text(encoding="utf-8"))["mutant"]
    assert mutants
    for mutant in mutants:
        source = (ROOT / mutant["file"]).read_text(encoding="utf-8")
        assert mutant["text"] in source, mutant
