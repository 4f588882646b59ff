"""The documentation site: it builds without a warning, and loads nothing from another address."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest

import concord

pytestmark = [pytest.mark.once, pytest.mark.timeout(1200)]  # a build, on a busy machine
for package in ("sphinx", "furo", "myst_nb"):
    if find_spec(package) is None:  # importing them takes long, and only the build needs them
        pytest.skip("needs the extra 'site'", allow_module_level=True)

ROOT = Path(__file__).parents[2]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
LOADING = {"src", "srcset", "poster", "data", "background"}
"""Attributes whose address a browser loads; that of ``link`` is in ``href``."""
POINTING = {"next", "prev", "search", "author", "index", "canonical"}
"""What a ``link`` may be for without being loaded."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``make site`` does; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs/site"]
    done = subprocess.run(
        [*words, "-d", str(folder / "read"), ".", str(folder / "html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return folder / "html"


class Addresses(HTMLParser):
    """What a page loads, what it links to, and its style sheets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.styles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.loaded += [value for name, value in known.items() if name in LOADING]
        self.styles += [value for name, value in known.items() if name == "style"]
        if tag == "link" and not set(known.get("rel", "").split()) <= POINTING:
            self.loaded.append(known.get("href", ""))
        elif tag in ("use", "image", "feimage"):
            self.loaded += [value for name, value in known.items() if name.endswith("href")]
        elif tag == "a" and "href" in known:
            self.linked.append(known["href"])

    def handle_data(self, data: str) -> None:
        if self.rawdata and self.cdata_elem == "style":
            self.styles.append(data)


def loaded_by_style(text: str) -> Iterator[str]:
    for match in re.finditer(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", text):
        yield match[1] or match[2]


def is_outside(address: str) -> bool:
    parts = urlsplit(address.strip())
    return bool(parts.netloc) or parts.scheme not in ("", "data")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Addresses]:
    found = sorted(site.rglob("*.html"))
    assert len(found) > 50
    return {page: Addresses(page.read_text(encoding="utf-8")) for page in found}


def test_addresses_are_found() -> None:
    """The parser sees what it looks for."""
    seen = Addresses(
        "<link rel='stylesheet' href='//a.b/c.css'><script src='http://a.b/c.js'></script>"
        "<style>@import 'https://a.b/d.css'; p { background: url(http://a.b/e.png) }</style>"
        "<a href='x.html'>x</a><link rel='next' href='y.html'>"
    )
    assert seen.linked == ["x.html"]
    outside = [*seen.loaded, *loaded_by_style("".join(seen.styles))]
    assert len(outside) == 4
    assert all(map(is_outside, outside))


def test_no_page_loads_anything_from_another_address(
    site: Path, pages: dict[Path, Addresses]
) -> None:
    for page, seen in pages.items():
        addresses = [*seen.loaded, *loaded_by_style("\n".join(seen.styles))]
        assert not list(filter(is_outside, addresses)), page
    for sheet in site.rglob("*.css"):
        addresses = list(loaded_by_style(sheet.read_text(encoding="utf-8")))
        assert not list(filter(is_outside, addresses)), sheet


def test_links_between_pages_lead_somewhere(pages: dict[Path, Addresses]) -> None:
    missing = [
        (str(page), address)
        for page, seen in pages.items()
        for address in seen.linked
        if not is_outside(address)
        and urlsplit(address).path
        and not (page.parent / unquote(urlsplit(address).path)).is_file()
    ]
    assert not missing


def test_the_reference_has_every_public_name(site: Path) -> None:
    from sphinx.util.inventory import InventoryFile

    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    known = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    assert {f"concord.{name}" for name in concord.__all__} <= known


def test_every_model_is_shown() -> None:
    shown = (ROOT / "docs" / "site" / "models.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "models").glob("*.py"):
        assert f"../models/{path.name}" in shown


LOOK = """<script>
addEventListener("load", () => setTimeout(() => parent.postMessage({
  page: document.title,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  loaded: performance.getEntriesByType("resource").map(one => one.name),
}, "*"), 500));
</script>"""
"""A page says to the one around it how much wider it is than its window, and what it has loaded."""
AROUND = """<!doctype html><title>[]</title><script>
const seen = [];
addEventListener("message", said => {
  seen.push(said.data);
  document.title = JSON.stringify(seen);
});
</script>"""
"""A browser's window has a least width, a frame has none."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Nothing: the tests have their own output."""


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Where this machine serves the site: what a page loads from a file has no entry."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.skipif(BROWSER is None, reason="needs the program chromium, which is not installed")
def test_a_browser_shows_pages_of_any_width(site: Path, address: str, tmp_path: Path) -> None:
    names = ("docs/site/index", "docs/columns", "docs/site/api", "docs/gallery")
    names += ("docs/glossary", "notebooks/ladder", "docs/minizinc-model")
    frames = ""
    for name in names:
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        looking = site / f"{name}.look.html"
        looking.write_text(text.replace("</body>", f"{LOOK}</body>"), encoding="utf-8")
        for width in (360, 1280):
            frames += f"<iframe width={width} height=900 src='{name}.look.html'></iframe>"
    (site / "around.html").write_text(AROUND + frames, encoding="utf-8")
    assert BROWSER is not None
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    words += ["--virtual-time-budget=20000", f"--user-data-dir={tmp_path / 'profile'}"]
    done = subprocess.run(
        [*words, f"{address}around.html"], capture_output=True, text=True, timeout=600, check=True
    )
    found = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert found is not None, done.stderr
    seen = json.loads(unescape(found[1]))
    assert len(seen) == 2 * len(names)
    for one in seen:
        assert one["overflow"] <= 0, one["page"]
        assert one["loaded"], one["page"]
        assert all(loaded.startswith((address, "data:")) for loaded in one["loaded"]), one
