"""What a backend, a set or an error is called is text, in every export."""

from io import StringIO

import pandas as pd

from harness.report.table_text import to_csv, to_markdown

TEXTS = ["=cmd|' /C calc'!A0", "@SUM(A1)", "+1", "-x", "<script>alert(1)</script>", "[a](b)", "a|b"]


def test_csv_has_no_formula():
    frame = pd.DataFrame({"=name": TEXTS, "kind": pd.Categorical(TEXTS), "seconds": [-1.5] * 7})
    lines = to_csv(frame).splitlines()
    assert lines[0] == "'=name,kind,seconds"
    assert [line[0] for line in lines[1:5]] == ["'"] * 4
    assert all(line.endswith(",-1.5") for line in lines[1:])
    assert not any(cell.startswith(tuple("=+@")) for line in lines for cell in line.split(","))


def test_csv_obeys_no_terminal():
    text = "one\n\x1b]0;title\x07 \u202e \x00"
    (written,) = pd.read_csv(StringIO(to_csv(pd.DataFrame({"error": [text]}))))["error"]
    assert written == "one\n\ufffd]0;title\ufffd \ufffd \ufffd"


def test_markdown_has_no_html_and_no_link():
    text = to_markdown(pd.DataFrame({"name": TEXTS}))
    assert "<" not in text
    assert "\\[a\\](b)" in text
    assert "a\\|b" in text


def test_csv_has_the_digits_of_large_whole_numbers_beside_none():
    large = 2**53 + 1
    frame = pd.DataFrame({"objective": pd.Series([large, None, 2], dtype=object)})
    assert to_csv(frame).split() == ["objective", str(large), '""', "2"]
