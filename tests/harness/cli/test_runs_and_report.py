"""`concord runs` and `concord report`."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from html.parser import HTMLParser
from pathlib import Path

import pytest
from harness_samples import QUICK, UNSEALED, experiment, tiny_file
from within_process import within

from harness.report.run import run_experiment
from harness.runs.loading import RUNS
from harness.store.files import NAME, lock

LIAR = "py:liars:FalseUnsatisfiable"


@pytest.fixture
def folder(tmp_path: Path, made: Path) -> Path:
    """A folder of one's own with the run `results/runs/mine`."""
    shutil.copytree(made / "run", tmp_path / RUNS / "mine")
    return tmp_path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    chosen = experiment(tiny_file(folder, "3 4 -", "3 4 4"), "brute_force", LIAR, count="all")
    run_experiment(chosen, folder / "run", settings=QUICK)
    return folder


def listed(folder: Path) -> list[dict[str, object]]:
    done = within(folder, "runs", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return list(json.loads(done.stdout))


def test_where_there_is_no_run_it_says_so(tmp_path: Path) -> None:
    done = within(tmp_path, "runs")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no run under" in done.stderr
    assert listed(tmp_path) == []


def test_a_run_is_listed_with_its_state_and_faults(folder: Path) -> None:
    (one,) = listed(folder)
    assert (one["name"], one["jobs"], one["ended"], one["state"]) == ("mine", 4, 4, "complete")
    assert one["faults"] == {"wrong": 2}
    head, _, line = within(folder, "runs", COLUMNS="120").stdout.rstrip().splitlines()
    assert head.split("  ")[0] == "run"
    for word in ("mine", "4 of 4", "complete", "wrong 2"):
        assert word in line


def test_a_run_that_somebody_works_on_is_running(folder: Path) -> None:
    with lock(folder / RUNS / "mine"):
        assert [one["state"] for one in listed(folder)] == ["running"]


def test_a_run_with_jobs_left_is_unfinished(folder: Path) -> None:
    with sqlite3.connect(folder / RUNS / "mine" / NAME) as connection:
        connection.execute("DROP TRIGGER records_stay")
        connection.execute("DELETE FROM records WHERE job = 4")
        connection.execute("DELETE FROM verdicts WHERE job = 4")
        connection.executescript(UNSEALED)
    connection.close()
    (one,) = listed(folder)
    assert (one["state"], one["ended"]) == ("unfinished", 3)


def test_a_store_that_cannot_be_read_does_not_hide_the_others(folder: Path) -> None:
    (folder / RUNS / "broken").mkdir()
    (folder / RUNS / "broken" / NAME).write_text("no store")
    states = {str(one["name"]): one["state"] for one in listed(folder)}
    assert states == {"mine": "complete", "broken": "unreadable"}


# --- report --------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The words, headings and images of a page whose tags are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.headings: list[str] = []
        self.images: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "link"
        assert "src" not in dict(attrs) or tag == "img"
        if tag == "img":
            self.images.append(dict(attrs)["src"] or "")
        elif tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


@pytest.mark.once
def test_the_report_is_one_page_that_needs_nothing_else(folder: Path) -> None:
    done = within(folder, "report", "mine")
    path = RUNS / "mine" / "report.html"
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}\n", "")
    page = Page((folder / path).read_text(encoding="utf-8"))
    assert page.headings == [
        *("Solvers", "Sets", "Agreement", "Plots", "Families", "To look at", "Details")
    ]
    assert any(word.startswith(f"concord replay {RUNS / 'mine'} ") for word in page.words)
    assert all(image.startswith("data:image/svg+xml;base64,") for image in page.images)
    for word in ("brute_force", LIAR, f"{LIAR}: 2 of 2 instances wrong"):
        assert word in page.words


def test_a_report_is_replaced_only_by_force(folder: Path) -> None:
    words = ("report", "mine", "--out", "page.html")
    assert within(folder, *words).returncode == 0
    refused = within(folder, *words)
    assert refused.returncode == 2
    assert "page.html exists already; add --force" in refused.stderr
    assert within(folder, *words, "--force").returncode == 0


def test_a_run_without_an_ended_job_has_a_page(folder: Path) -> None:
    with sqlite3.connect(folder / RUNS / "mine" / NAME) as connection:
        connection.execute("DROP TRIGGER records_stay")
        connection.execute("DELETE FROM records")
        connection.execute("DELETE FROM verdicts")
        connection.executescript(UNSEALED)
    connection.close()
    assert within(folder, "report", "mine").returncode == 0
    page = Page((folder / RUNS / "mine" / "report.html").read_text(encoding="utf-8"))
    assert "No job has ended yet. 0 of 4 jobs have ended." in page.words


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("r.pdf", "r.pdf: the file is written as .html or .htm alone; name it r.html"),
        ("no/r.html", "the folder no does not exist"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused_at_first(
    tmp_path: Path, out: str, said: str
) -> None:
    done = within(tmp_path, "report", "latest", "--out", out)  # nor is there a run
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_page_goes_to_a_device(folder: Path) -> None:
    done = within(folder, "report", "mine", "--out", os.devnull)
    assert os.devnull in done.stdout
