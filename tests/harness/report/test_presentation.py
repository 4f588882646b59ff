"""Tables as people read them: golden LaTeX, Markdown, HTML; labels, units, intervals, the best."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from harness_samples import list_jobs

from harness.report.presentation import (
    FORMS,
    SCREENS,
    Sheet,
    choose_columns,
    present,
    to_html,
    to_latex,
    to_markdown,
)
from harness.report.standings import find_standings
from harness.report.tables import make_agreement, make_summary, make_timing
from modelling.errors import InputError
from tests.harness.report.test_tables import fixed_rows

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def frames() -> dict[str, pd.DataFrame]:
    jobs = list_jobs(fixed_rows())
    standings = find_standings(jobs)
    return {
        "summary": make_summary(standings),
        "timing": make_timing(standings),
        "agreement": make_agreement(jobs),
    }


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("table", ["agreement", "summary", "timing"])
def test_golden_sheets(frames: dict[str, pd.DataFrame], table: str, form: str) -> None:
    """To renew the files after a wanted change, delete them, run twice and read the difference."""
    text = FORMS[form](present(frames[table], SCREENS[table]).narrow())
    golden = GOLDEN / f"sheet.{table}.{form}.txt"
    if not golden.exists():
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} was not there; it has been written")
    assert text == golden.read_text(encoding="utf-8")


def read(sheet: Sheet, name: str) -> list[str]:
    place = [column.name for column in sheet.columns].index(name)
    return [row[place].text for row in sheet.rows]


def make(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"backend": ["a", "b", "c"], **columns})


def test_an_interval_is_beside_its_value_and_has_no_column() -> None:
    frame = make(relative=[1.0, 2.5, np.nan], relative_low=[1.0, 2.0, np.nan])
    frame["relative_high"] = [1.0, 3.25, np.nan]
    sheet = present(frame, ["backend", "relative"])
    assert read(sheet, "relative") == ["1.00 [1.00, 1.00]", "2.50 [2.00, 3.25]", "-"]
    assert [column.name for column in sheet.columns] == ["backend", "relative"]
    chosen = present(frame, [], ["backend", "relative", "relative_low"])
    assert read(chosen, "relative_low") == ["1.00", "2.00", "-"]


def test_short_times_are_in_milliseconds_and_unsolved_is_over() -> None:
    sheet = present(make(par2_s=[0.01234, 2.0, np.inf]), ["backend", "par2_s"])
    assert read(sheet, "par2_s") == ["12.3", "2000", "over"]
    assert sheet.columns[1].heading == "PAR-2 (ms)"
    slow = present(make(par2_s=[150.0, 2.0, 3.0]), ["backend", "par2_s"])
    assert slow.columns[1].heading == "PAR-2 (s)"
    assert read(slow, "par2_s")[0] == "150"


def test_the_best_of_each_question_is_marked_unless_all_are_alike() -> None:
    frame = pd.DataFrame(
        {
            "set": ["s", "s", "t", "t", "u", "u"],
            "ask": "1",
            "backend": ["a", "b"] * 3,
            "median_s": [1.0, 2.0, 4.0, 3.0, 5.0, 5.0],
            "verified": [3, 2, 1, 1, 0, 2],
        }
    )
    sheet = present(frame, ["set", "backend", "median_s", "verified"])
    best = [[cell.is_best for cell in row[2:4]] for row in sheet.rows]
    assert best == [
        [True, True],
        [False, False],
        [False, False],
        [True, False],
        [False, False],
        [False, True],
    ]


def test_columns_of_the_screen_that_say_nothing_are_left_out() -> None:
    sheet = present(
        make(disputed=[0, 0, 0], relative_note=["", "", ""], wrong=[0, 0, 0]),
        ["backend", "disputed", "wrong", "relative_note"],
    )
    assert [column.name for column in sheet.narrow().columns] == ["backend", "wrong"]
    assert [column.on_screen for column in sheet.columns] == [True, True, False, False]


def test_columns_are_chosen_by_name() -> None:
    frame = make(wins=[1, 2, 3])
    assert choose_columns(frame, "wins, backend") == ["wins", "backend"]
    with pytest.raises(InputError, match="no column is called 'win'; did you mean 'wins'"):
        choose_columns(frame, "win")


NASTY = "<script>|`50%_{}~^\\$&#[x](y)*"


def test_names_are_text_in_every_form() -> None:
    sheet = present(make(error=[NASTY, "", "x\x1b[31m"]), ["backend", "error"])
    html, markdown, latex = to_html(sheet), to_markdown(sheet), to_latex(sheet)
    assert "<script>" not in html + markdown + latex
    assert "&lt;script&gt;" in html
    assert r"\|\`50%\_" in markdown
    assert r"\textless{}script\textgreater{}|`50\%\_\{\}\textasciitilde{}" in latex
    assert "\x1b" not in html + markdown + latex
    assert latex.count("\\\\\n") == 4


def test_a_latex_table_with_a_caption_floats_and_has_a_label() -> None:
    sheet = present(pd.DataFrame({"backend": ["a_b"], "wins": [3]}), ["backend", "wins"])
    text = to_latex(sheet, "50 % of a_b", "tab:summary")
    lines = text.splitlines()
    assert lines[0] == "% needs \\usepackage{booktabs}"
    assert lines[1:5] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{50 \% of a\_b}",
        r"\label{tab:summary}",
    ]
    assert lines[5].startswith(r"\begin{tabular}")
    assert lines[-2:] == [r"\end{tabular}", r"\end{table}"]
    assert r"\begin{table}" not in to_latex(sheet)


def test_a_small_probability_is_not_0() -> None:
    frame = pd.DataFrame({"backend": ["a"], "p": [1e-4], "to_first_p": [1e-4]})
    (row,) = present(frame, list(frame.columns)).rows
    assert [cell.text for cell in row[1:]] == ["<0.001", "<0.001"]
