"""The page put together: template, styles, scripts, and the policy that forbids requests.

Jinja escapes all that comes from instances, solvers and paths; pictures of instances are images,
so that nothing in them runs. The page's own policy (CSP) allows the scripts whose digests it
names, and no request to any address: the browser keeps it, whatever an instance is called.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.report.data import find_obstacles
from harness.report.page.charts import Chart, bundle_javascript
from harness.report.page.content import Part, collect
from harness.report.presentation import Sheet, to_html
from modelling.errors import InputError
from modelling.versions import find_version

if TYPE_CHECKING:
    from harness.report.run import Run

_HOME = Path(__file__).parent


def make_page(runs: Sequence[Run]) -> str:
    """The page of some runs as one HTML text; InputError where jinja2 is missing."""
    try:
        from jinja2 import Environment, FileSystemLoader
        from markupsafe import Markup
    except ImportError as error:
        raise InputError("a report needs jinja2: pip install 'solver-concord[report]'") from error
    parts, excuse = collect(runs)
    charts: list[Chart] = []
    environment = Environment(
        loader=FileSystemLoader(_HOME), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "sheet": _render_sheet,
        "image": _embed_picture,
        "chart": partial(_number, charts=charts),
    }
    scripts = {"page": _read("page.js")}
    if any(map(_has_charts, parts)):
        scripts = {"vega": bundle_javascript(), **scripts}
    scripts = {name: text.replace("</script", "<\\/script") for name, text in scripts.items()}
    body = environment.get_template("body.html").render(
        parts=parts, excuse=excuse, obstacles=find_obstacles(runs) if len(runs) > 1 else []
    )
    return environment.get_template("page.html").render(
        title=" and ".join(part.name for part in parts),
        body=Markup(body),
        style=Markup(_read("page.css")),
        policy=_write_policy(list(scripts.values())),
        scripts=[Markup(text) for text in scripts.values()],
        charts=Markup(_as_json([chart.spec for chart in charts])),
        version=find_version() or "",
    )


def _has_charts(part: Part) -> bool:
    return bool(part.charts) or any(family.charts for family in part.families)


def _render_sheet(sheet: Sheet) -> Any:
    """The table, in which all text is escaped already."""
    from markupsafe import Markup

    return Markup(to_html(sheet))


def _number(chart: Chart, charts: list[Chart]) -> int:
    """The place of a chart's description among all of the page."""
    charts.append(chart)
    return len(charts) - 1


def _embed_picture(svg: str) -> str:
    """The address of a picture that lies in the page."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode('ascii')}"


def _as_json(value: Any) -> str:
    """JSON for a script element, of which nothing ends the element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _write_policy(scripts: Sequence[str]) -> str:
    """Which scripts may run, and that nothing is requested. Vega makes functions of texts."""
    digests = (b64encode(sha256(text.encode()).digest()).decode("ascii") for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'unsafe-eval' {allowed}; base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> str:
    return (_HOME / name).read_text(encoding="utf-8")
