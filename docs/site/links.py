"""Links to folders, which have no page of their own: each leads to a page about what is in it."""

from __future__ import annotations

import posixpath

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

FOLDERS = {
    "docs/decisions": "docs/site/decisions",
    "docs/models": "docs/site/models",
    "results/reference/cpmpy": "results/reference/cpmpy/cpmpy_constraints",
}
"""Folders that documents link to, and the pages that take their place."""


def lead_to_pages(app: Sphinx, doctree: nodes.document) -> None:
    """Turn the links to folders into links to pages; MyST warns of those that FOLDERS lacks."""
    here = posixpath.dirname(app.env.docname)
    for link in list(doctree.findall(pending_xref)):
        page = FOLDERS.get(posixpath.normpath(posixpath.join(here, link["reftarget"])))
        if link["reftype"] == "myst" and page:
            link["refdomain"], link["reftarget"], link["reftargetid"] = "doc", page, None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the step with Sphinx."""
    app.connect("doctree-read", lead_to_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
