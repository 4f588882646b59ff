"""What a run ends with on the screen: golden text at 80 columns, and nothing that does not fit."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from harness_samples import make_run
from msgspec import structs

from harness.job import Question
from harness.report.run import Run
from harness.report.table_text import fill, fold, format_figure, to_text, wrap
from harness.report.terminal import MOST_SETS, lay_out
from modelling.wording import plural
from tests.harness.report.test_summary import Answer, rows_of, run_of, several

GOLDEN = Path(__file__).parent / "golden"

REUSED = "sat:extended,cadical153,reuse=solver"
SETS = ("cryptarithm", "queens", "sudoku-hard", "sudoku-many-solutions")
SPEED = {"propagation": 1.0, "cpsat": 4.0, "sat": 9.0, REUSED: 1.5, "python_constraint": 40.0}


def usual() -> list[Answer]:
    """Six backends, of which one refuses a set, and one runs out of time."""
    answers: list[Answer] = []
    for place, name in enumerate(SETS):
        for number in range(5):
            base = 0.0004 * (1 + place) * (1 + number / 4)
            answers += [(name, str(number), b, base * speed) for b, speed in SPEED.items()]
            compiled = "refused" if name == "cryptarithm" else base / 3
            answers.append((name, str(number), "compiled", compiled))
    late = {("sudoku-hard", "4", "python_constraint"), ("sudoku-hard", "3", "python_constraint")}
    return [(*a[:3], "timeout") if a[:3] in late else a for a in answers]


def bad() -> list[Answer]:
    """Everything that can go wrong, and answers that stand alone."""
    return several(
        {
            "honest": [0.5, 0.5, "unwitnessed", "disputed", 1.0, 0.2],
            "liar": [0.1, 0.1, "wrong", "disputed", "wrong", 0.1],
            "py:a.module.with.a.long.name:AndAClass": ["crashed", "error", "lost", 1.0, 2.0, 0.1],
            "own": ["unverified", "unverified", 0.5, "memout", "gave_up", "unsupported"],
        },
        2,
    )


def many(backends: int, sets: int = 3) -> list[Answer]:
    return several({f"backend-{n:02}": [0.001 * (n + 1)] * 3 for n in range(backends)}, sets)


def long_names() -> list[Answer]:
    names = [f"py:package.module:{'Very' * 5}Long{n}" for n in range(6)]
    answers = several({name: [0.1 * (n + 1), 30.0] for n, name in enumerate(names)})
    sets = [f"a-{'very-' * 9}long-name-{n}.txt" for n in range(3)]
    return [(name, *a[1:]) for name in sets for a in answers]


def shown(run: Run, width: int, wide: bool = False) -> list[str]:
    return [line for part in lay_out(run, width, wide) for line in (part[0], *part[1], "")]


CASES = {
    "usual": usual(),
    "bad": bad(),
    "one": many(1),
    "two": many(2),
    "seven": many(7),
    "twelve": many(12),
    "one-set": many(3, 1),
    "long-names": long_names(),
    "nothing": several({"a": ["timeout"] * 2, "b": ["refused"] * 2}),
    "empty": [],
}


@cache
def run_in(case: str) -> Run:
    """A run makes its tables once."""
    return run_of(CASES[case])


@cache
def run_of_many(backends: int) -> Run:
    """On one set."""
    return run_of(many(backends, 1))


@pytest.mark.parametrize("case", sorted(CASES))
def test_golden_screen(case: str) -> None:
    """To renew the files after a wanted change, delete them, run twice and read the difference."""
    text = "\n".join(shown(run_in(case), 80)) + "\n"
    golden = GOLDEN / f"screen.{case}.txt"
    if not golden.exists():
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} was not there; it has been written")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("case", sorted(CASES))
def test_every_line_fits(case: str, width: int) -> None:
    assert max(map(len, shown(run_in(case), width))) <= width


def test_fifteen_sets_and_six_backends_fit_sixty_lines() -> None:
    lines = shown(run_of(many(6, 15)), 80)
    assert len(lines) + len(["noise", "run", "plot"]) <= 60


def test_two_questions_of_one_set_are_named_in_words() -> None:
    first = rows_of(many(2, 1))
    every = [
        structs.replace(
            row,
            job=structs.replace(row.job, number=number, question=Question(None, None)),
            record=structs.replace(row.record, job=number),
            verdict=structs.replace(row.verdict, job=number),
        )
        for number, row in enumerate(first, 100)
    ]
    text = "\n".join(shown(make_run(first + every), 80))
    assert "backend-00 is fastest on 2 of 2 questions, " in text
    assert "Summary of 1 set, 2 questions, 6 instances" in text
    assert "\nset0, first solution" in text
    assert "\nset0, all solutions" in text
    assert "set0: all solutions" not in text  # below the table: it stands in it


def test_every_figure_is_whole_in_every_width() -> None:
    """The numbers of the timing table are the same, however wide it is."""
    run = run_in("usual")
    medians = [format_figure(1000 * seconds) for seconds in run.timing["median_s"].dropna()]
    for width in (80, 120, 200):
        words = re.split(r"[\s*\[\],]+", " ".join(shown(run, width)))
        assert not set(medians) - set(words)


def test_wide_shows_all_columns_and_rows() -> None:
    run = run_of(many(12, MOST_SETS + 5))
    text = "\n".join(shown(run, 80, wide=True))
    for frame in (run.kinds, run.summary, run.agreement, run.timing):
        for column in frame.columns:
            assert re.search(rf"\b{re.escape(column)}\b", text)
    assert text.count("backend-11 ") == 2 + (MOST_SETS + 5)


def test_beyond_some_sets_and_backends_the_rest_is_told() -> None:
    text = "\n".join(shown(run_of(many(15, MOST_SETS + 5)), 80))
    assert "... and 5 sets and 3 backends more: --wide shows all" in text
    for number in range(15):
        assert f"backend-{number:02}" in text


def test_a_reason_is_told_once_with_its_count() -> None:
    lines = shown(run_in("usual"), 200)
    assert "compiled: 5 refused (first: job 6): cannot, for refused" in lines
    assert sum("refused (first" in line for line in lines) == 1
    assert any(line.startswith("python_constraint: 2 timeout") for line in lines)


def test_many_reasons_are_cut() -> None:
    answers: list[Answer] = several({f"b{n:02}": ["timeout", 1.0] for n in range(20)})
    assert any(line == "... and 8 more reasons:" for line in shown(run_of(answers), 80))


def test_what_a_terminal_would_take_for_a_command_is_harmless() -> None:
    """A set is called as its file is, and an error may say anything."""
    answers: list[Answer] = [("a\x1b[31mb", "1", "x\x9by", what) for what in (0.1, "disputed")]
    for wide in (False, True):
        text = "\n".join(shown(run_of(answers), 80, wide))
        assert text.replace("\n", "").isprintable()
        assert "a\N{REPLACEMENT CHARACTER}[31mb" in text


# --- names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("case", sorted(set(CASES) - {"empty"}))
def test_every_name_is_whole(case: str, width: int) -> None:
    """Of backends in the summary, of sets in the timing table."""
    run, text = run_in(case), "\n".join(shown(run_in(case), width))
    for name in (*run.summary["backend"], *run.timing["set"]):
        assert name in text


def head(run: Run, width: int) -> list[str]:
    """The head of the timing table."""
    return next(lines[0].split() for title, lines in lay_out(run, width) if "Timing" in title)


def test_letters_stand_for_names_that_do_not_fit() -> None:
    run = run_in("usual")
    assert head(run, 80) == ["set", *"ABCDEF"]
    assert head(run, 200) == ["set", *run.summary["backend"]]
    (summary,) = (lines for title, lines in lay_out(run, 80) if title.startswith("Summary"))
    for letter, name in zip("ABCDEF", run.summary["backend"], strict=True):
        assert any(line.startswith(f"{letter} {name}") for line in summary)


@pytest.mark.parametrize("backends", [2, 5, 7, 12, 30])
@pytest.mark.parametrize("width", [80, 120, 200])
def test_as_many_backends_as_there_is_room_for(backends: int, width: int) -> None:
    run = run_of_many(backends)
    heads = head(run, width)[1:]
    text = "\n".join(shown(run, width))
    if len(heads) < backends:
        assert f"... and {plural(backends - len(heads), 'backend')} more" in text
        assert len(heads) >= 9
    else:
        assert "more: --wide" not in text
    assert heads[:2] in (["A", "B"], ["backend-00", "backend-01"])


def test_letters_go_on_after_z() -> None:
    run = run_of_many(30)
    assert head(run, 300)[-4:] == ["AA", "AB", "AC", "AD"]


def test_an_interval_is_not_broken() -> None:
    assert wrap("a is faster [2.4, 4.0]", 16) == ["a is faster", "[2.4, 4.0]"]
    assert fill(["one two", "three four"], 12) == ["one two,", "three four"]


def test_wide_tables_are_folded_on_a_terminal_and_nothing_is_lost() -> None:
    head = ["set", "backend", "solved", "reason", "par2_s"]
    frame = pd.DataFrame([["latin", "sat", 12, "r" * 30, 0.5]], columns=head)
    lines = fold(frame, 24, 2)
    assert lines[:3] == [
        "set    backend  solved",
        "-----  -------  ------",
        "latin  sat          12",
    ]
    assert [line.split() for line in lines if line.startswith("set ")] == [
        ["set", "backend", "solved"],
        ["set", "backend", "reason"],
        ["set", "backend", "par2_s"],
    ]
    assert fold(frame, 200, 2) == to_text(frame).splitlines()


def test_stating_is_shown_where_it_is_most_of_a_time() -> None:
    """Of a model that MiniZinc flattens for each backend, say: it is no backend's merit."""
    run = run_of(many(2))
    run.timing["median_s"] = 0.3
    run.timing["model_s"] = run.timing["backend"].map({"backend-00": 0.28, "backend-01": 0.1})
    (line,) = [line for line in shown(run, 80) if line.startswith("state ")]
    assert line.split() == ["state", "280"]
    assert "state: of the times, to read and state the problem" in " ".join(shown(run, 80))
    run.timing["median_s"], run.timing["model_s"] = 0.003, 0.002
    assert not any(line.startswith("state ") for line in shown(run, 80))


def test_a_start_is_shown_where_it_takes_longer_than_the_jobs() -> None:
    """Of a backend that does its work while it is loaded, say."""
    run = run_of(many(2))
    run.timing["start_s"] = run.timing["backend"].map({"backend-00": 0.5, "backend-01": 0.0001})
    (line,) = [line for line in shown(run, 80) if line.startswith("start ")]
    assert line.split() == ["start", "500"]
    assert "start: to load a worker and warm it up" in " ".join(shown(run, 80))
    assert not any(line.startswith("start ") for line in shown(run_of(many(2)), 80))
