"""The page of `concord report` in a real Chromium: it sorts, filters, names, drills, asks nobody.

Names, messages and paths that would be HTML are shown as text; axe finds no serious barrier.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness_samples import TINY, experiment, tiny_file

import concord
from harness.plan.experiment import SetChoice
from harness.report.page import make_page
from harness.report.run import Run, run_experiment
from harness.supervise.settings import Settings
from puzzles.formats import label

pytestmark = pytest.mark.once  # a browser takes long to start

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
MARKUP = "<script>document.title='taken'</script>"
NASTY = "<script>document.title='taken'<:script><b>&amp.txt"
if BROWSER is None:
    pytest.skip("needs the program chromium, which is not installed", allow_module_level=True)
pytest.importorskip("altair", reason="plots of the page need the extra 'report'")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    reason = "needs playwright (extra 'dev')"
    playwright = pytest.importorskip("playwright.sync_api", reason=reason)
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()


class Visit:
    """A page that is open, with what the console said and what was requested."""

    def __init__(self, browser: Any, path: Path, width: int = 1280, scheme: str = "light") -> None:
        size = {"width": width, "height": 900}
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_function("document.documentElement.dataset.ready === 'yes'")

    def draw_all(self) -> None:
        """Open everything, and have every plot drawn."""
        self.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        for plot in self.page.query_selector_all(".plot"):
            plot.scroll_into_view_if_needed()
            self.page.wait_for_function("plot => plot.dataset.drawn === 'yes'", arg=plot)

    def column(self, title: str, name: str) -> list[str]:
        """The cells of a column that are shown."""
        return list(
            self.page.evaluate(
                """([title, name]) => {
                    const table = document.querySelector(`.sheet[aria-label="${title}"] table`);
                    const heads = [...table.tHead.rows[0].cells];
                    const place = heads.findIndex(head => head.dataset.name === name);
                    return [...table.tBodies[0].rows].filter(row => !row.hidden)
                        .map(row => row.cells[place].innerText);
                }""",
                [title, name],
            )
        )


@pytest.fixture(scope="module")
def fine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run in which all is well, with searches for an optimum."""
    folder = tmp_path_factory.mktemp("fine")
    run = concord.compare(
        ["queens", "knapsack"], ["propagation", "cpsat"], seconds=10, limit=6, out=folder / "run"
    )
    return write(folder, run)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run with a wrong answer, a failure, and names that would be HTML."""
    folder = tmp_path_factory.mktemp("nasty")
    sets = Path(tiny_file(folder, "3 4 -", "3 4 4")).rename(folder / NASTY)
    named = ("py:liars:FalseUnsatisfiable", "py:faulty:Raises", "py:faulty:RaisesMarkup")
    chosen = experiment(str(sets), "brute_force", *named, count="all")
    chosen.sets.append(SetChoice("named", family=TINY, texts={MARKUP: "2 3 -"}))
    how = Settings(exit_seconds=0.5, tick=0.02)
    run = run_experiment(chosen, folder / "<b>run", settings=how)
    return write(folder, run)


def write(folder: Path, run: Run) -> Path:
    page = folder / "page.html"
    page.write_text(make_page([run]), encoding="utf-8")
    return page


@pytest.mark.parametrize("width", [360, 1280, 2560])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_whole_and_quiet(browser: Any, fine: Path, width: int, scheme: str) -> None:
    visit = Visit(browser, fine, width, scheme)
    visit.draw_all()
    assert visit.said == []
    assert [url for url in visit.asked if not url.startswith(("file:", "data:"))] == []
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert visit.page.evaluate(wide) <= 0, "tables scroll, the page does not"
    drawn = visit.page.evaluate("document.querySelectorAll('.plot svg path').length")
    assert drawn > 20


def test_a_table_sorts_filters_and_shows_more(browser: Any, fine: Path) -> None:
    visit = Visit(browser, fine)
    page = visit.page
    head = page.locator('.sheet[aria-label="Instances"] th[data-name="cpsat_s"]')
    for order, reverse in (("ascending", False), ("descending", True)):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        seconds = [float(cell) for cell in visit.column("Instances", "cpsat_s")]
        assert seconds == sorted(seconds, reverse=reverse)
    page.get_by_label("Filter the rows of Instances").fill("knapsack")
    assert set(visit.column("Instances", "set")) == {"knapsack"}
    page.get_by_label("Filter the rows of Instances").fill("")
    assert len(visit.column("Instances", "set")) == 12
    hidden = page.locator('.sheet[aria-label="Solvers"] th[data-name="median_s"]')
    assert not hidden.is_visible()
    page.get_by_role("button", name="All columns").first.click()
    assert hidden.is_visible()


def test_the_keyboard_reaches_all(browser: Any, fine: Path) -> None:
    visit = Visit(browser, fine)
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.className") == "skip"
    head = visit.page.locator('.sheet[aria-label="Solvers"] th[data-name="backend"] button')
    head.focus()
    visit.page.keyboard.press("Enter")
    assert visit.column("Solvers", "backend") == ["cpsat", "propagation"]


def test_a_point_names_its_instance_and_drills(browser: Any, fine: Path) -> None:
    visit = Visit(browser, fine)
    visit.draw_all()
    chart = visit.page.locator(".chart", has_text="Two solvers against each other")
    point = chart.locator("svg .mark-symbol path").first
    point.scroll_into_view_if_needed()
    point.hover(force=True)
    tip = visit.page.locator("#vg-tooltip-element")
    tip.wait_for(state="visible")
    assert "instance" in tip.inner_text()
    point.click(force=True)
    sought = visit.page.get_by_label("Filter the rows of Instances").input_value()
    assert sought
    assert sought in visit.column("Instances", "instance")
    select = chart.locator("select").first
    before = chart.locator("svg .mark-symbol path").first.get_attribute("transform")
    select.select_option(index=1)
    visit.page.wait_for_timeout(300)
    assert chart.locator("svg .mark-symbol path").first.get_attribute("transform") != before


def test_tests_are_shown_under_the_pointer(browser: Any, fine: Path) -> None:
    visit = Visit(browser, fine)
    visit.draw_all()
    page = visit.page
    page.get_by_role("link", name="Comparisons").click()
    tip = page.locator("#vg-tooltip-element")
    ratios = page.locator(".chart", has_text="Pairwise ratios")
    ratios.locator("svg .mark-rect.role-mark path").first.hover(force=True)
    tip.wait_for(state="visible")
    for word in ("p (Holm)", "95% interval", "effect", "wins"):
        assert word in tip.inner_text()
    ranks = page.locator(".chart", has_text="The mean rank of each solver")
    assert ranks.locator("svg .mark-symbol path").count() == 2
    assert "critical difference" in ranks.inner_text()
    growth = page.locator(".chart", has_text="Growth of queens")
    assert growth.locator("svg .mark-line path").count() == 2
    assert set(visit.column("Every two solvers", "other")) < {"cpsat", "propagation"}


def test_what_would_be_html_is_text(browser: Any, nasty: Path) -> None:
    visit = Visit(browser, nasty)
    visit.draw_all()
    assert visit.page.title() == "sample: Concord"
    assert visit.page.locator("main b b, main script").count() == 0
    assert visit.said == []
    sets = visit.column("Sets", "set")
    assert label(NASTY) in sets or NASTY in " ".join(sets)
    assert "<b>run" in visit.page.locator("main").inner_text()
    assert MARKUP in visit.column("Instances", "instance")
    failed = visit.page.locator(".fault", has_text="RaisesMarkup").first
    assert f"{MARKUP}<img src=x" in failed.inner_text()
    assert visit.page.locator("main img[src='x']").count() == 0


def test_a_fault_has_its_picture_and_its_command(browser: Any, nasty: Path) -> None:
    visit = Visit(browser, nasty)
    fault = visit.page.locator(".fault", has_text="FalseUnsatisfiable").first
    assert fault.locator(".kind").inner_text() == "wrong"
    fault.locator("summary").click()
    fault.locator("img").wait_for(state="visible")
    assert fault.locator("img").evaluate("image => image.naturalWidth") > 10
    assert "concord replay" in fault.locator("code").inner_text()
    failed = visit.page.locator(".fault", has_text="Raises").first
    assert failed.locator(".kind").inner_text() == "error"
    assert visit.page.get_by_role("link", name="To look at (").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_barrier(browser: Any, fine: Path, nasty: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs extra 'dev'")
    for path in (fine, nasty):
        visit = Visit(browser, path, scheme=scheme)
        visit.draw_all()
        found = axe.Axe().run(visit.page).response["violations"]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        told = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in serious]
        assert told == []
