"""Which entries a hunt has found again, by its causes."""

from results.studies.correctness import found_again as study
from results.studies.correctness.disagreements import read_entries

AUTOMATON = "cpsat: duplicate solution with Regular in Iff"


def make_row(cause, seconds, *entries):
    return study.Row(cause, 2, seconds, list(entries), "seed 1")


ROWS = [
    make_row(AUTOMATON, 9.0, "cpsat-enforced-automaton"),
    make_row("cpsat: wrong count with Regular in Iff", 4.0, "cpsat-enforced-automaton"),
    make_row("choco: hang with nothing in particular", 5.0),
]


def test_the_first_cause_of_an_entry_counts():
    assert study.find_first(ROWS)["cpsat-enforced-automaton"].seconds == 4.0


def test_the_page_names_what_was_found_and_what_was_not():
    chosen = study.Options(command="python -m study")
    shown = study.report(ROWS, chosen)
    sought = [entry for entry in read_entries() if entry.signs]
    assert f"Of {len(sought)} wrong answers" in shown
    assert "found again from nothing: 1." in shown
    assert "automaton | 4 | cpsat: wrong count with Regular in Iff | 1 |" in shown
    assert "| choco: hang with nothing in particular | 2 | 5 |" in shown
    assert shown.count("\n- ") == len(sought) - 1
    assert "`python -m study`" in shown


def test_a_hunt_is_not_continued(tmp_path, capsys):
    (tmp_path / "hunt.json").write_text("{}", encoding="utf-8")
    assert study.main(["--run", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "there is a hunt already" in capsys.readouterr().err


def test_a_liar_is_hunted_and_written(tmp_path, capsys):
    """A hunt of a second, on a solver that is right: no cause, so no row."""
    given = ["--run", str(tmp_path / "hunt"), "--out", str(tmp_path / "out"), "--seconds", "1"]
    assert study.main([*given, "--backend", "brute_force"]) == 0
    page = (tmp_path / "out" / "found_again.md").read_text(encoding="utf-8")
    assert "found again from nothing: none." in page
