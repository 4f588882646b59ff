"""Runs as one HTML file that needs no other: the answer in words, tables, plots, what went wrong.

In: runs. Out: the text of the page. Read ``content``, which collects what is shown; ``charts`` and
``faults``, which make parts of it; ``assembly``, which puts it into ``page.html``.
"""

from harness.report.page.assembly import make_page

__all__ = ["make_page"]
