"""The documentation site: which files Sphinx reads, and how pages look. ``make site`` builds it.

The pages are the documents of the repository, where they are: the source folder is the repository
itself, so that links between documents, measurements and notebooks mean on the site what they mean
in the repository. ``index.md`` has the sections of the site; a page that none of them names is an
error. Nothing on a page is loaded from another address.
"""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

project = "Concord"
copyright = "the Concord authors, MIT licence"  # noqa: A001 - the name that Sphinx reads
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "links",  # beside this file
]
root_doc = "docs/site/index"
include_patterns = [
    "docs/**.md",
    "docs/**.rst",
    "notebooks/*.ipynb",
    "results/README.md",
    "results/reference/**.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = [
    "**/.*",  # environments and caches
    "build",
    "docs/disagreements/**",  # the parts that docs/disagreements.md is made of
    "docs/template/**",  # a project of its own
    "results/runs",
    "results/reference/versions/**",  # tables without a title
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # tests/docs/test_notebooks.py executes them; their outputs are committed
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80

html_theme = "furo"
html_title = "Concord"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["first"]  # index.html of the whole, which leads to the page of the sections
html_copy_source = False
html_show_sphinx = False


def rename_model(app: Sphinx, what: str, name: str, obj: object, options: object, *texts: str):
    """The signature and what is returned, with Model by its public name."""
    return tuple(text and text.replace("_Model", "Model") for text in texts)


def setup(app: Sphinx) -> None:
    """Register the above, and let MiniZinc's language be shown as it is: Pygments lacks it."""
    app.connect("autodoc-process-signature", rename_model)
    app.add_lexer("minizinc", TextLexer)
