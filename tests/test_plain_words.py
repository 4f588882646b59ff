"""The lint step that finds turns of phrase: what it reads, and what it finds."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / ".ci" / "plain_words.py"


def list_turns(folder, files):
    """The turns in files of a new repository with the project's list."""
    (folder / ".ci").mkdir()
    for path in (SCRIPT, SCRIPT.parents[1] / "pyproject.toml"):
        target = folder / path.relative_to(SCRIPT.parents[1])
        target.write_bytes(path.read_bytes())
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    command = [sys.executable, folder / ".ci" / "plain_words.py", "--list"]
    done = subprocess.run(command, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if line.startswith(tuple(files))], done


def test_it_finds_turns_in_documents_comments_and_docstrings_and_not_in_code(tmp_path):
    code = '"""Of two, the smaller."""\ntold = 1  # it stands first\nx = "x stands for y"\n'
    listed, done = list_turns(tmp_path, {"a.md": "It was told.\nA page.\n", "b.py": code})
    assert listed[:3] == ["a.md:1: told", 'b.py:1: """Of t', "b.py:2: stands"]
    assert done.returncode == 1
    assert "a.md: 1 such turns of phrase, 0 are known" in done.stdout


def test_nothing_is_found_where_nothing_is(tmp_path):
    listed, done = list_turns(tmp_path, {"a.md": "Of course it stands for y.\n"})
    assert (listed, done.returncode) == ([], 0)
