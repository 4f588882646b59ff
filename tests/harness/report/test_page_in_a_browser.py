"""The page of `concord report` as a browser shows it, and not only as a parser reads it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from harness_samples import experiment, tiny_file

from harness.report.page import make_page
from harness.report.run import run_experiment
from harness.supervise.settings import Settings
from puzzles.formats import label

pytestmark = pytest.mark.once  # a browser takes long to start

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
NASTY = "<script>document.title='taken'</script><b>&amp.txt"

LOOK = """<script>
document.title = JSON.stringify({
  title: document.title,
  scripts: document.scripts.length,
  bold: document.querySelectorAll("b").length,
  cells: [...document.querySelectorAll("td")].map(cell => cell.innerText),
  images: [...document.images].map(image => image.naturalWidth > 99),
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
});
</script>"""
"""What the browser sees, told in the title of the page, since that is all that it prints."""


@pytest.mark.skipif(BROWSER is None, reason="needs the program chromium, which is not installed")
@pytest.mark.parametrize("width", [500, 1400])
def test_a_page_is_whole_and_names_are_text(tmp_path: Path, width: int) -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra 'report'")
    sets = Path(tiny_file(tmp_path, "3 4 -", "3 4 4")).rename(tmp_path / NASTY.replace("/", ":"))
    chosen = experiment(str(sets), "brute_force", "py:liars:FalseUnsatisfiable", count="all")
    run = run_experiment(chosen, tmp_path / "run", settings=Settings(exit_seconds=0.5, tick=0.02))
    page = tmp_path / "page.html"
    page.write_text(make_page(run).replace("</body>", f"{LOOK}</body>"), encoding="utf-8")
    assert BROWSER is not None
    done = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *(f"--window-size={width},900", f"--user-data-dir={tmp_path / 'profile'}"),
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert found is not None, done.stderr
    seen = json.loads(unescape(found[1]))
    assert seen["title"] == chosen.name
    assert seen["scripts"] == 1, "the one of this test"
    assert seen["bold"] == 0
    assert label(str(sets)) in seen["cells"]
    assert seen["images"] == [True, True]
    assert seen["overflow"] <= 0, "tables scroll, the page does not"
