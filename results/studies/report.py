"""Makes again what the committed runs show: tables, plots, the report and the gallery.

    python -m results.studies.report [--out DIR]

It reads ``results/reference`` and ``docs/gallery.md`` of the folder that it is started in. It
writes below ``DIR``, which is that folder by default:

- the tables of each reference run as text and CSV, and its cactus plot;
- the report of ``REPORTED``: the page below ``build/report``, its words as ``report.txt`` beside
  the run;
- a picture of each kind of plot in ``docs/pictures/gallery``, and the part of ``docs/gallery.md``
  that shows them.

Equal runs give equal texts. Pictures are equal where matplotlib is of the same release. A test
compares the texts with the committed ones.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from inspect import getdoc
from pathlib import Path
from typing import Any, NamedTuple

from harness.report.page import make_page
from harness.report.plots import KINDS, write_figure
from harness.report.run import Run, load, write_tables
from harness.runs.loading import RECORDS
from results.studies.page_words import list_words

REFERENCE = Path("results") / "reference"
GALLERY = Path("docs") / "gallery.md"
PICTURES = Path("docs") / "pictures" / "gallery"
PAGES = Path("build") / "report"
REPORTED = ("quickstart",)
BEGIN, END = "<!-- begin of what `make report` writes -->", "<!-- end of what it writes -->"


class Shown(NamedTuple):
    """The run that a kind of plot is shown of, and what its function takes besides."""

    run: str
    options: Mapping[str, Any] = {}


GENERAL = Shown("quickstart")
"""What is shown of a kind that is not in ``SHOWN``."""

SHOWN: Mapping[str, Shown] = {
    "scatter": Shown("advise/run", {"x": "cpsat", "y": "propagation"}),
    "profile": Shown("advise/run"),
    "box": Shown("quickstart"),
    "phases": Shown("advise/run"),
    "objective": Shown("advise/run"),
    "scaling": Shown("sizes"),
    "wins": Shown("advise/run"),
    "agreement": Shown("advise/run"),
    "ladder": Shown("rungs"),
    "critical-difference": Shown("advise/run"),
}


@cache
def open_run(name: str) -> Run:
    """A reference run; one that several plots are made of is read once."""
    return load(REFERENCE / name)


def find_runs() -> list[str]:
    """The reference runs that have their records, by their paths below ``results/reference``."""
    found = (path.parent.relative_to(REFERENCE) for path in REFERENCE.rglob(RECORDS))
    return sorted(path.as_posix() for path in found)


def write_text(path: Path, text: str) -> Path:
    """Write a text, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# --- runs ------------------------------------------------------------------------------------


def make_tables(name: str, out: Path) -> Iterator[Path]:
    """The tables of a run, and its cactus plot."""
    run, folder = open_run(name), out / REFERENCE / name
    write_tables(run, folder)
    yield folder
    title = run.experiment.name if run.experiment else ""
    yield draw(run, "cactus", folder / "cactus.png", title=title)


def draw(run: Run, kind: str, path: Path, **options: Any) -> Path:
    """Draw a plot of a run into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_figure(run.plot(kind, **options), path, path.suffix[1:], 120)
    return path


def make_report(name: str, out: Path) -> Iterator[Path]:
    """The report of a run, and its words."""
    page = make_page([open_run(name)])
    yield write_text(out / PAGES / f"{name}.html", page)
    words = "\n".join(list_words(page)) + "\n"
    yield write_text(out / REFERENCE / name / "report.txt", words)


# --- the gallery -----------------------------------------------------------------------------


def make_gallery(out: Path) -> Iterator[Path]:
    """A picture of each kind of plot, and the document that shows them."""
    for kind in KINDS:
        shown = SHOWN.get(kind, GENERAL)
        yield draw(open_run(shown.run), kind, out / PICTURES / f"{kind}.svg", **shown.options)
    before, _, rest = GALLERY.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    parts = [part for kind in KINDS for part in describe_kind(kind)]
    yield write_text(out / GALLERY, "\n\n".join([f"{before}{BEGIN}", *parts, f"{END}{after}"]))


def describe_kind(kind: str) -> list[str]:
    """The paragraphs of a kind of plot: what it shows, the command that draws it, the picture."""
    about = " ".join((getdoc(KINDS[kind].draw) or "").split("\n\n")[0].split())
    shown = SHOWN.get(kind, GENERAL)
    picture = (PICTURES / f"{kind}.svg").relative_to(GALLERY.parent).as_posix()
    command = f"$ concord plot {(REFERENCE / shown.run).as_posix()} {kind}"
    backends = "".join(f" -b {shown.options[axis]}" for axis in "xy" if axis in shown.options)
    return [
        f"### {kind}",
        about,
        f"```sh\n{command}{backends} --out {kind}.svg\n```",
        f"![The plot {kind} of the run {shown.run}]({picture})",
    ]


def make_all(out: Path) -> Iterator[Path]:
    """Everything, each file or folder when it is written."""
    for name in find_runs():
        yield from make_tables(name, out)
    for name in REPORTED:
        yield from make_report(name, out)
    yield from make_gallery(out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make everything again, and name each file."""
    parser = argparse.ArgumentParser(description="make tables, plots, report and gallery again")
    parser.add_argument("--out", type=Path, default=Path(), help="folder to write to (default: .)")
    chosen = parser.parse_args(arguments)
    if not REFERENCE.is_dir():
        print(f"{REFERENCE} is not here: start this in the project's folder", file=sys.stderr)
        return 2
    for path in make_all(chosen.out):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
