"""The words of a page of HTML, so that a page can be compared and its changes be read."""

from __future__ import annotations

from html.parser import HTMLParser

BLOCKS = {
    *("h1", "h2", "h3", "p", "li", "dt", "dd", "summary", "pre", "tr", "caption", "section"),
    *("div", "ul", "dl", "table", "details", "article", "main"),
}
CELLS = {"td", "th"}


class _Words(HTMLParser):
    """Collects the lines of one element: a block is a line, and so is a row of a table."""

    def __init__(self, element: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._element, self._depth = element, 0
        self._line = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._depth += tag == self._element
        if tag in BLOCKS:
            self.end_line()
        elif tag in CELLS and self._line:
            self._line += " | "

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        self._depth -= tag == self._element

    def handle_data(self, data: str) -> None:
        if self._depth:
            self._line += data.replace("\n", " ")

    def end_line(self) -> None:
        text = " ".join(self._line.split())
        self.lines += [text] if text else []
        self._line = ""


def list_words(page: str, element: str = "main") -> list[str]:
    """The text of an element of the page, a line for each heading, paragraph, item and row."""
    reader = _Words(element)
    reader.feed(page)
    reader.close()
    return reader.lines
