"""``make report``: its texts are the committed ones, and each kind of plot has a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.report.plots import KINDS
from results.studies import report
from results.studies.page_words import list_words

pytest.importorskip("matplotlib", reason="plots need the extra 'report'")
pytest.importorskip("altair", reason="the page needs the extra 'report'")

ROOT = Path(__file__).parents[2]
TEXTS = {".txt", ".csv", ".md"}


@pytest.mark.once
@pytest.mark.timeout(900)
def test_the_committed_texts_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert report.main(["--out", str(tmp_path)]) == 0
    made = [path for path in tmp_path.rglob("*") if path.suffix in TEXTS]
    assert len(made) > 20
    for path in made:
        golden = ROOT / path.relative_to(tmp_path)
        assert path.read_text() == golden.read_text(), f"{golden}: make report writes it again"
    for kind in KINDS:
        drawn = (tmp_path / report.PICTURES / f"{kind}.svg").read_text()
        assert "<dc:date>" not in drawn


def test_every_kind_of_plot_is_in_the_gallery() -> None:
    gallery = (ROOT / report.GALLERY).read_text()
    for kind in KINDS:
        assert "\n\n".join(report.describe_kind(kind)) in gallery, "make report writes it again"
        assert (ROOT / report.PICTURES / f"{kind}.svg").is_file()


def test_every_run_that_is_shown_is_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    runs = report.find_runs()
    assert {shown.run for shown in report.SHOWN.values()} <= set(runs)
    assert set(report.REPORTED) <= set(runs)


def test_another_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert report.main([]) == 2
    assert "start this in the project's folder" in capsys.readouterr().err


def test_the_words_of_a_page_are_its_blocks_and_rows() -> None:
    page = (
        "<title>no</title><main><h1>A &lt;b&gt;</h1><p>one <code>two</code></p><table>"
        "<tr><th>x</th><th>y</th></tr><tr><td>1</td><td></td></tr></table></main><p>after</p>"
    )
    assert list_words(page) == ["A <b>", "one two", "x | y", "1 |"]
