"""The page of wrong answers is what its folders say; each folder is whole."""

import re
from pathlib import Path

import pytest

from harness.hunting.findings import FILE, Answer, Finding
from harness.job import Question
from modelling.errors import InputError
from results.studies.correctness import disagreements as page

ROOT = Path(__file__).parents[3]
ENTRIES = page.read_entries()


def test_the_page_is_current(capsys):
    assert page.main(["--check"]) == 0, "run python -m results.studies.correctness.disagreements"
    assert capsys.readouterr().out == "disagreements.md is current\n"


def test_there_is_an_entry_for_each_folder():
    assert len({entry.anchor for entry in ENTRIES}) == len(ENTRIES) > 30


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_file_of_an_entry_has_a_place(entry):
    """But for those that are not shown."""
    folder = page.FOLDER / entry.name
    for path in folder.iterdir():
        if path.name not in (page.ANSWER, page.TEXT, page.ISSUE, FILE):
            shown = path.read_text(encoding="utf-8").rstrip()
            assert shown in entry.text, path
    assert "{{" not in entry.text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_its_cases_are_there(entry):
    for path, name in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", entry.text):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in text, (path, name)


# --- folders that lack something -----------------------------------------------------------------


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


ANSWER = 'solver = "s 1"\nfault = "crash"\nright = "2"\nwrong = "it ends"\n'


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"text_md": "# T\n"}, "answer.toml: No such file"),
        ({"answer_toml": ANSWER}, "issue.md: No such file"),
        ({"answer_toml": ANSWER, "text_md": "T\n"}, "its text begins with 'T'"),
        ({"answer_toml": "solver = 1", "text_md": "# T\n"}, "it lacks fault"),
        ({"answer_toml": ANSWER + "x = 1", "text_md": "# T\n"}, "x is unknown"),
        ({"answer_toml": "=", "text_md": "# T\n"}, "answer.toml: Invalid"),
        ({"answer_toml": ANSWER.replace("crash", "bug"), "text_md": "# T\n"}, "fault is one of"),
        ({"answer_toml": ANSWER, "text_md": "# T\n{{bug.py}}\n"}, "bug.py: No such file"),
    ],
)
def test_what_is_missing_is_named(tmp_path, files, said):
    with pytest.raises(InputError, match=re.escape(said)):
        page.read_entry(write(tmp_path / "one", **files))


def test_a_folder_of_shrink_is_an_entry(tmp_path):
    """Its script ends with status 1, which the block says."""
    text = '{"names":["x"],"domains":[[0,1]],"constraints":[]}'
    right = Answer("SATISFIABLE", count=2)
    claimed = Answer("SATISFIABLE", count=1)
    question = Question(None, None)
    made = Finding(
        text, question, "py:mine:S", "wrong count", claimed, right, "oracle", version="1"
    )
    made.write(tmp_path / "one")
    write(tmp_path / "one", issue_md="# S 1: it is wrong\n\nIt is.\n\n```python\nx = 1\n```\n")
    entry = page.read_entry(tmp_path / "one")
    assert (entry.solver, entry.right, entry.wrong) == ("py 1", "2 solutions", "1 solution")
    assert entry.text == "It is.\n\n```python exits\nx = 1\n```"
    shown = page.write_page([entry], "# H\n")
    assert (
        "| [S 1: it is wrong](#s-1-it-is-wrong) | wrong count | 2 solutions | 1 solution |" in shown
    )
    assert shown.endswith("## S 1: it is wrong\n\nIt is.\n\n```python exits\nx = 1\n```\n")


def test_a_script_that_ends_its_process_says_so(tmp_path):
    files = {"answer_toml": ANSWER + "ends = true", "text_md": "# T\n\n{{bug.py}}\n"}
    entry = page.read_entry(write(tmp_path / "one", bug_py="abort()\n", **files))
    assert entry.text == "```python ends\nabort()\n```"


def test_causes_are_matched_by_signs():
    def find(cause):
        return [entry.name for entry in page.match(cause, ENTRIES)]

    assert find("cpsat: duplicate solution with Regular in Iff") == ["cpsat-enforced-automaton"]
    assert find("cpsat@9.12: wrong solution with Linear, Minimum in Linear") == [
        "cpsat-minimum-of-a-shifted-variable"
    ]
    assert find("choco@0.3.0: wrong solution with Cumulative in Iff") == [
        "choco-reified-cumulative"
    ]
    assert find("python_constraint: wrong count with Table") == []


def test_arguments_are_checked(capsys):
    with pytest.raises(SystemExit) as left:
        page.main(["--chek"])
    assert left.value.code == 2
    assert "--check" in capsys.readouterr().err
