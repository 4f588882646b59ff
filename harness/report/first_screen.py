"""The first lines of a run on the screen: which solver for which kind, and searches by size.

    kind         n  first  next                  not for it
    sudoku      91  choco  cpsat 1.5x [1.3,1.6]  clingo 13x, bitwuzla 70 stopped
    latin        8  choco  sat 1.2x, unclear

A run of one instance has a table of its own: who answered what, and how fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from harness.record import FATES, SOLVED, UNPROVEN
from harness.report.jobs import COLD
from harness.report.kinds import BY_LENGTH, BY_SET, is_first, is_ranked
from harness.report.statistics.equality import LEVEL, name_difference_to_first
from harness.report.table_text import (
    GAP,
    Lines,
    choose_unit,
    fill,
    format_figure,
    list_rows,
    measure,
    wrap,
)
from modelling.wording import plural
from puzzles.problem import PROBLEM

if TYPE_CHECKING:
    from harness.report.run import Run

FAR = 10.0
"""Who takes this many times as long as the first is not for this kind."""

LEAST_FOR_SIZES = 4
MOST_TABLES = 3
"""A search by size is shown of kinds with this many instances or more, and of a few kinds only."""

LEAST_NAME = 6
"""The column of kinds is never narrower than this; then the remarks follow below the table."""

OVERALL = "overall"

Row = dict[str, Any]
Names = Mapping[str, str]
"""What each backend is called on the screen: its name, or a letter."""


# --- by kind --------------------------------------------------------------------------------------


def lay_out_kinds(
    run: Run, letters: Names, width: int, names: Names = MappingProxyType({})
) -> tuple[str, Lines]:
    """A row a kind: how many instances, who is first, who is next, and who is not for it; below
    them all kinds together, which weigh alike. Where names are too long, backends have letters."""
    rows = list_rows(run.kinds)
    kinds = [[row for row in rows if row["kind"] == kind] for kind in run.kinds["kind"].unique()]
    if len(kinds) > 1:
        kinds.append([{**row, "kind": OVERALL} for row in list_rows(run.summary)])
    cells = [
        [one[0]["kind"], str(one[0]["instances"]), *_place(one, names), _exclude(one, names)]
        for one in kinds
    ]
    if len(kinds) > 1:
        cells[-1][-1] = ""  # the rows above say it
    is_alone = len({row["backend"] for row in rows}) == 1
    head = ["kind", "n", "backend" if is_alone else "first", "next", "not for it"]
    lines = _align(head, cells, width)
    heading = "Which?  " + _answer(kinds, len(kinds) > 1, names)
    if not names and max(map(len, [heading, *lines])) > width:
        return lay_out_kinds(run, letters, width, letters)
    text = " ".join(cell for row in cells for cell in row)
    notes = {
        "2.0x: takes 2.0 times as long as the first, as geometric mean": "x" in text,
        "[95% interval]": "[" in text,
        "A, B, ...: backends, as in the summary": any(k != v for k, v in names.items()),
        "unclear: may be chance": "unclear" in text,
        "few: under 6 instances": ", few" in text,
        "PAR-2: by the mean, in which long times weigh more, the order is another": "PAR-2" in text,
        f"{OVERALL}: all kinds weigh alike": len(kinds) > 1,
    }
    lines += fill([note for note, applies in notes.items() if applies], width)
    return heading, lines


def _answer(kinds: list[list[Row]], several: bool, names: Names) -> str:
    """The heading: whether one solver is first everywhere."""
    ranked = [one for one in kinds if one[0]["kind"] != OVERALL]
    firsts = {one[0]["backend"] for one in ranked if is_ranked(one[0])}
    if not firsts:
        return "Nobody solved any instance"
    if len(firsts) > 1:
        level = [name for name in sorted(firsts) if all(is_first(name, one) for one in ranked)]
        name = names.get(level[0], level[0]) if level else ""
        return f"{name}, first or level on each kind" if level else "It depends on the kind"
    (first,) = (names.get(name, name) for name in firsts)
    if all(len(one) == 1 for one in kinds):
        return f"{first}, the only one"
    if not several and (rival := _find_rival(kinds[0])):
        rival = names.get(rival, rival)
        return f"{first} or {rival}: the error is larger than what they differ by"
    return f"{first}{', on each kind' if several else ''}"


def _find_rival(ranked: list[Row]) -> str:
    """The next one, where it is level with the first."""
    able = [str(row["backend"]) for row in ranked if is_ranked(row)]
    return able[1] if len(able) > 1 and is_first(able[1], ranked) else ""


def _place(ranked: list[Row], names: Names) -> list[str]:
    """Who is first and who is next, each with its figures."""
    able = [row for row in ranked if is_ranked(row)]
    if not able:
        return ["-", ""]
    first, *others = able
    return [
        _count(first, names),
        _compare(first, others[0], names) if others else "",
    ]


def _count(row: Row, names: Names) -> str:
    """A name, with how many instances it solved where these are not all."""
    name = names.get(row["backend"], row["backend"])
    return (
        name if row["solved"] == row["instances"] else f"{name} {row['solved']}/{row['instances']}"
    )


def _compare(first: Row, second: Row, names: Names) -> str:
    """The next one, with its times by those of the first."""
    name = _count(second, names)
    ratio, low, high = (second[f"to_first{end}"] for end in ("", "_low", "_high"))
    if not second["both"] or isnan(ratio):
        return name
    said = f"{name} {format_ratio(ratio)}"
    if isnan(low):
        return said if second["both"] == 1 else f"{said}, few"
    if name_difference_to_first(second) in LEVEL:
        return f"{said}, unclear"
    if ratio < 1 and second["solved"] == first["solved"]:
        return f"{said}, PAR-2 {format_ratio(second['par2_s'] / first['par2_s'])}"
    decimals = 2 if ratio < 2 else 1 if ratio < FAR else 0
    value, *ends = (f"{figure:.{decimals}f}" for figure in (ratio, low, high))
    return f"{name} {value}x [{','.join(ends)}]"


def format_ratio(value: float) -> str:
    """``1.4x``, or ``23x``."""
    return f"{value:.0f}x" if value >= FAR else f"{value:.2f}x" if value < 1 else f"{value:.1f}x"


def _exclude(ranked: list[Row], names: Names) -> str:
    """Who is not for it, and why: wrong, no answer, or far behind.

    What became of as many instances with the first or the next excludes nobody.
    """
    placed = [row for row in ranked if is_ranked(row)][:2]
    able = [row["backend"] for row in placed]
    allowed = {fate: max((row[fate] for row in placed), default=0) for fate in FATES}
    said = []
    for row in ranked:
        name = names.get(row["backend"], row["backend"])
        left = {fate: row[fate] for fate in FATES if fate not in SOLVED and row[fate]}
        left = {
            fate: number
            for fate, number in left.items()
            if number > allowed[fate] or fate == UNPROVEN  # how far off it is differs
        }
        if row["disqualified"]:
            said.append(f"{name} {row['wrong'] or 'elsewhere'} wrong")
        elif left and (row["backend"] not in able or not is_ranked(row)):
            fate, number = max(left.items(), key=lambda one: one[1])
            far = f", {row['to_best_percent']:.2g} % off" * (fate == UNPROVEN)
            said.append(f"{name} {number} {fate}{far}")
        elif row["backend"] not in able and row["to_first"] >= FAR:
            said.append(f"{name} {format_ratio(row['to_first'])}")
    return ", ".join(said)


def _align(head: list[str], cells: list[list[str]], width: int) -> Lines:
    """A table whose last column is folded over lines; a long name has a line of its own."""
    before = [row[1:-1] for row in cells]
    used = sum(GAP + column for column in measure([head[1:-1], *before]))
    longest = max(len(row[0]) for row in [head, *cells])
    remarks = [remark for row in cells for remark in row[-1].split(", ")]
    least = max(len(head[-1]), *map(len, remarks))
    room = max(width - used - GAP - longest, least)
    if width - used - GAP - room < min(longest, LEAST_NAME):  # the remarks follow below
        lines = _align_texts(head[:-1], [row[0] for row in cells], before, width)
        reasons = [f"not for {row[0]}: {row[-1]}" for row in cells if row[-1]]
        return [*lines, *(line for text in reasons for line in wrap(text, width, "  "))]
    names: list[str] = []
    body: list[list[str]] = []
    for row in cells:
        folded = fill(row[-1].split(", "), room) if row[-1] else [""]
        names += [row[0], *[""] * (len(folded) - 1)]
        blank = [""] * len(row[1:-1])
        body += [[*(row[1:-1] if not at else blank), text] for at, text in enumerate(folded)]
    return _align_texts(head, names, body, width)


def _align_texts(
    head: list[str],
    names: list[str],
    cells: list[list[str]],
    width: int,
    numbers: Sequence[str] = ("n",),
) -> Lines:
    """As ``align_named``, but only the columns ``numbers`` are aligned to the right."""
    widths = measure([head[1:], *cells])
    room = width - sum(GAP + column for column in widths)
    longest = max(len(name) for name in [head[0], *names] if len(name) <= max(room, len(head[0])))

    def line(name: str, row: Sequence[str]) -> str:
        pairs = zip(head[1:], row, widths, strict=True)
        rest = [c.rjust(w) if title in numbers else c.ljust(w) for title, c, w in pairs]
        return (" " * GAP).join([name.ljust(longest), *rest]).rstrip()

    lines = [line(head[0], head[1:]), line("-" * longest, ["-" * column for column in widths])]
    for name, row in zip(names, cells, strict=True):
        lines += [line(name, row)] if len(name) <= longest else [*wrap(name, width), line("", row)]
    return lines


# --- searches for an optimum, by size -------------------------------------------------------------


def lay_out_sizes(run: Run, width: int) -> list[tuple[str, Lines]]:
    """For each kind of which optima are asked: how many each backend proved, by size; how far it is
    from the best; and its PAR-2 on the smallest and on the largest instances."""
    rows = list_rows(run.sizes)
    found: list[tuple[str, Lines]] = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        ranked = [row for row in list_rows(run.kinds) if row["kind"] == kind]
        if ranked[0]["instances"] >= LEAST_FOR_SIZES:
            heading = f"Optimum of {kind}: proven by size, {_name_unit(own[0]['unit'])}"
            found.append((heading, _lay_out_sizes(own, ranked, width)))
    return found if len(found) <= MOST_TABLES else []


def _name_unit(unit: str) -> str:
    """What a size is, in a heading."""
    words = {
        BY_SET: "a set each",
        BY_LENGTH: "the length of the text",
        PROBLEM.unit: "as the model declares it",
    }
    return words.get(unit, f"the number of {unit}")


def _lay_out_sizes(rows: list[Row], ranked: list[Row], width: int) -> Lines:
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    by = {(row["backend"], row["size"]): row for row in rows}
    ends = [sizes[0], sizes[-1]]
    first = {size: min(rows, key=lambda row: _badness(row, size))["backend"] for size in ends}
    cells = []
    for row in ranked:
        name = row["backend"]
        times = " > ".join(format_time(by[name, size]["par2_s"]) for size in ends[: len(sizes)])
        best = [size for size in ends if first[size] == name and row["rank"] > 1]
        word = {sizes[0]: "first if small", sizes[-1]: "first if large"}
        remark = word[best[0]] if best and len(sizes) > 1 else ""
        proven = [f"{by[name, size]['proven']}/{by[name, size]['instances']}" for size in sizes]
        cells.append([*proven, format_percent(row["to_best_percent"]), times, remark])
    head = ["backend", *sizes, "to best", "PAR-2, small > large", ""]
    if not any(row[-1] for row in cells):
        head, cells = head[:-1], [row[:-1] for row in cells]
    names = [row["backend"] for row in ranked]
    if sum(GAP + column for column in measure([head[1:], *cells])) + len(head[0]) > width:
        head[1 : len(sizes) + 1] = [str(place) for place in range(1, len(sizes) + 1)]
    return _align_texts(head, names, cells, width, head[1 : len(sizes) + 2])


def format_percent(value: float) -> str:
    """``0 %``, ``1.90 %``, or a dash."""
    return f"{format_figure(value) if value else 0} %"


def _badness(row: Row, size: str) -> tuple[bool, int, float, float]:
    far = 0.0 if isnan(row["to_best_percent"]) else row["to_best_percent"]
    return row["size"] != size, -row["proven"], far, row["par2_s"]


def format_time(seconds: float) -> str:
    """``34 ms`` or ``3.6 s``."""
    return f"{format_figure(seconds * 1000)} ms" if seconds < 1 else f"{format_figure(seconds)} s"


# --- one instance ---------------------------------------------------------------------------------


def lay_out_single(run: Run, width: int) -> tuple[str, Lines]:
    """A row a backend: what it answered to the one instance, how fast, and what became of that."""
    jobs = {row["backend"]: row for row in reversed(list_rows(run.jobs)) if row["role"] == "timed"}
    starts = dict(zip(run.timing["backend"], run.timing["start_s"], strict=True))
    rows = [row for row in list_rows(run.summary) if row["backend"] in jobs]
    times = {
        row["backend"]: row["median_s"] if row["solved"] else jobs[row["backend"]]["wall_s"]
        for row in rows
    }
    factor, unit = choose_unit(times.values())
    seeks = bool((run.summary["to_best_percent"] > 0).any())
    cells = []
    for row in rows:
        job = jobs[row["backend"]]
        is_run = job["outcome"] not in ("stopped", "skipped")
        both = row["both"] and row["solved"]
        far = [format_percent(row["to_best_percent"])] if seeks else []
        cells.append(
            [
                _word_answer(job),
                job["verdict"] if job["outcome"] == "finished" or row["disqualified"] else "",
                *far,
                format_figure(times[row["backend"]] * factor) if is_run else "-",
                format_ratio(row["to_first"]) if both else "",
                format_figure(starts.get(row["backend"], float("nan")) * factor) if is_run else "-",
            ]
        )
    quality = ["to best"] if seeks else []
    head = ["backend", "answer", "verdict", *quality, unit, "x first", "start"]
    lines = _align_texts(head, [row["backend"] for row in rows], cells, width, head[-3 - seeks :])
    stated = run.timing["model_s"].max()
    least = min((row["median_s"] for row in rows if row["solved"]), default=0.0)
    notes = {
        f"start: {unit} {explain_start(run, 'in no other time')}": True,
        f"{format_figure(stated * factor)} of each time state the problem": stated > least / 2,
    }
    (first, *_) = list_rows(run.jobs)
    lines += fill([note for note, applies in notes.items() if applies], width)
    return f"{first['set']} {first['instance']}", lines


def explain_start(run: Run, warm: str) -> str:
    """What a start is; where it is ``warm``, that is added."""
    if (run.timing["start"] == COLD).all():
        return "to load the solver, which each job does; start and time are from file to answer"
    return f"to load a worker and warm it up, {warm}"


def _word_answer(job: Row) -> str:
    """What a job answered, in a few words."""
    ask, value = str(job["ask"]), job["objective"]
    has_value = value is not None and not (isinstance(value, float) and isnan(value))
    if job["outcome"] != "finished":
        return f"{job['outcome']}, {value}" if has_value else str(job["outcome"])
    if job["status"] == "UNSATISFIABLE" or (ask in ("1", "optimum") and not has_value):
        return str(job["status"]).lower()
    if ask == "optimum":
        return f"optimum {value}"
    number = plural(int(job["count"]), "optimum" if has_value else "solution")
    return f"{number} {value}" if has_value else number
