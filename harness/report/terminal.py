"""A run on the screen: who won, the summary, agreement, timing, and why not, in lines that fit.

No name is cut and no number is broken over lines. A name that is too long for its column has a line
of its own, above its figures. Where the backends' names do not fit as heads of the timing table, it
has letters for heads, which the summary explains.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, product
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from harness.record import FAILED, FATES, SOLVED, UNPROVEN
from harness.report.first_screen import (
    explain_start,
    lay_out_kinds,
    lay_out_single,
    lay_out_sizes,
)
from harness.report.jobs import COLD
from harness.report.optima import MOST_SEARCHES, lay_out_optima, merge_repeats
from harness.report.sentences import name_inexact, name_question, name_unknown
from harness.report.standings import INSTANCE
from harness.report.table_text import (
    GAP,
    MISSING,
    Lines,
    align_named,
    choose_unit,
    fill,
    fold,
    format_cell,
    format_figure,
    list_rows,
    measure,
    to_text,
    wrap,
)
from modelling.wording import plural

if TYPE_CHECKING:
    from harness.report.run import Run

MOST_SETS = 25
"""Most sets that have a row."""

MOST_TROUBLES = 12
"""Most reasons, and most answers to look at, that are shown."""

MOST_LINES = 3
"""A reason is cut after this many lines; `export` has it in full."""

START = "start"
"""The row of the timing table that is about workers, not about a set."""

STATE = "state"
"""The row of the timing table about what is the same work for all backends."""

LEAST_STATING = 0.01
"""Seconds from which on stating a problem has a row, where it is more than half of a time."""

LONGEST_SET = 24
"""A longer name of a set makes room for the columns of backends, if they need it."""

LETTERS = {fate: fate[0] for fate in FATES if fate not in SOLVED}
LETTERS |= {"unverified": "n", "skipped": "k", UNPROVEN: "p"}
"""What follows the number of instances that were not solved."""

KEYS = {
    "kinds": 3,
    "sizes": 3,
    "summary": 2,
    "agreement": 2,
    "timing": 4,
    "optima": 5,
    "jobs": 1,
    "scores": 1,
    "quantiles": 1,
    "pairs": 2,
    "ranks": 1,
    "scaling": 3,
}
"""Columns of a table, the first ones, that say what its row is about."""

Section = tuple[str, Lines]
"""A heading and the lines below it."""

Row = dict[str, Any]


def lay_out(run: Run, width: int, wide: bool = False, folded: bool = False) -> list[Section]:
    """All that is shown of a run, in order; with ``wide`` its tables whole, however wide.

    With ``folded`` as well, their columns come in blocks that fit.
    """
    doubts = [find(run.summary, run.names) for find in (name_unknown, name_inexact)]
    sentences = [run.question, run.judging, run.headline, *doubts]
    found: list[Section] = [("", list(chain(*(wrap(text, width) for text in sentences if text))))]
    if wide:
        seeks = ["optima"] if len(run.optima) else []
        for name in ("kinds", "summary", "agreement", "timing", *seeks):
            table = getattr(run, name)
            lines = fold(table, width, KEYS[name]) if folded else to_text(table).splitlines()
            found.append((name.capitalize(), lines))
    elif is_single(run):
        found += [lay_out_single(run, width)]
    elif len(run.summary):
        heads, timing = _lay_out_timing(run, width)
        sizes = lay_out_sizes(run, width)
        found += [lay_out_kinds(run, heads, width), *sizes]
        found += [_lay_out_summary(run, heads, width), _lay_out_agreement(run, width), timing]
        if len(run.optima) and not (sizes and not run.optima["unproven"].any()):
            found.append(_lay_out_optima(run, width))
    about_one = not wide and is_single(run)
    reasons = [
        f"{row['backend']}: {row['reason']}"
        for row in list_rows(run.reasons)
        if about_one and row["reason"] and row["outcome"] != "timeout"
    ] or [
        f"{row['backend']}: {row['jobs']} {row['outcome']} (first: job {row['first_job']})"
        + (f": {row['reason']}" if row["reason"] else "")
        for row in list_rows(run.reasons)
        if not about_one
    ]
    troubles = [
        f"{row['backend']} on {row['set']} {row['instance']} (job {row['job']}): "
        f"{', '.join(filter(None, (row['verdict'], row['evidence'])))}"
        for row in list_rows(run.troubles)
    ]
    below = {
        "Not answered": _cut_list(reasons, "more reason", run, width),
        "Answers to look at": _cut_list(troubles, "more answer", run, width),
    }
    found += [(heading, lines) for heading, lines in below.items() if lines]
    # A set may be called as nothing on a terminal should be.
    return [
        (format_cell(heading), [format_cell(line) for line in lines]) for heading, lines in found
    ]


def is_single(run: Run) -> bool:
    """Whether the run is about one instance."""
    return len(run.standings.instances.drop_duplicates(INSTANCE)) == 1


def _lay_out_summary(run: Run, heads: dict[str, str], width: int) -> Section:
    """One row a backend, with the letter that it has in the timing table.

    A search for an optimum has two columns more; one of the counts makes room for them.
    """
    rows = list_rows(run.summary)
    factor, unit = choose_unit([row["par2_s"] for row in rows])
    names = [str(row["backend"]) for row in rows]
    seeks = not run.summary["to_best_percent"].isna().all()
    quality = ["unpr.", "to best %"] if seeks else []
    disputed = bool(run.summary["disputed"].any())
    counts = {"wrong": "wrong", "disp.": "disputed", "failed": "failed", "wins": "wins"}
    if seeks:
        del counts["wins" if disputed else "disp."]
    bounded = any(map(_has_interval, rows)) and not seeks
    lines = align_named(
        ["backend", "solved", *quality, *counts, "PAR-2", "x VBS"],
        [name if heads.get(name, name) == name else f"{heads[name]} {name}" for name in names],
        [_format_standing(row, list(counts.values()), factor, seeks) for row in rows],
        width,
    )
    notes = {
        "unpr.: solutions without proof": seeks,
        "to best: from the best known solution": seeks,
        f"PAR-2 in {unit}": True,
        "x VBS: times the virtual best solver" + " [95% interval]" * bounded: True,
        "all kinds weigh alike in both": run.kinds["kind"].nunique() > 1,
        "solved: verified+unwitnessed": any(row["unwitnessed"] for row in rows),
        "disp.: disputed": disputed,
        "failed counts unverified answers": any(row["unverified"] for row in rows),
    }
    lines += fill([note for note, applies in notes.items() if applies], width)
    number = {of: int(run.summary[f"{of}s"].max()) for of in ("set", "question", "instance")}
    if number["set"] == number["question"]:
        del number["question"]
    compared = ", ".join(plural(count, of) for of, count in number.items())
    by = "answers, to best, PAR-2" if seeks else "verified, unwitnessed, PAR-2"
    return f"Summary of {compared}; ranked by {by}", lines


def _has_interval(row: Row) -> bool:
    return not row["relative_note"] and not isnan(row["relative_low"])


def _format_standing(row: Row, counts: list[str], factor: float, seeks: bool) -> list[str]:
    unwitnessed = f"+{row['unwitnessed']}" if row["unwitnessed"] else ""
    relative = row["relative_note"] or format_figure(row["relative"])
    ends = row["relative_low"], row["relative_high"]
    if _has_interval(row) and not seeks:
        relative += f" [{','.join(map(format_figure, ends))}]"
    whole = row | {"failed": row["failed"] + row["unverified"]}
    numbers = [whole[name] for name in counts]
    penalised = format_figure(row["par2_s"] * factor)
    quality = [str(row[UNPROVEN]), format_figure(row["to_best_percent"])] if seeks else []
    return [f"{row['verified']}{unwitnessed}", *quality, *map(str, numbers), penalised, relative]


def _lay_out_optima(run: Run, width: int) -> Section:
    """What the searches for an optimum came to, by backend, and one by one if they are few."""
    optima = merge_repeats(run.optima)
    lines = lay_out_optima(optima, list(run.summary["backend"]), width)
    notes = [
        "* proven",
        "gap: between objective and bound",
        "to best: from the best known solution",
        "integral: primal integral in seconds",
    ]
    lines += fill(notes[len(optima) > MOST_SEARCHES :], width)
    if len(optima) > MOST_SEARCHES:
        lines.append("each search: concord table --which optima")
    return "Optima: what was proven, and how good the solutions are", lines


def _lay_out_agreement(run: Run, width: int) -> Section:
    """The sets on which something but agreement was found; in a line, if there are none."""
    summary, agreement = run.summary, run.agreement
    rows = list_rows(agreement)
    good, *bad = (name for name in agreement.columns if name not in ("set", "ask", "instances"))
    total = int(agreement["instances"].sum())
    failed = [f"{n} {fate}" for fate in FAILED if (n := int(summary[fate].sum()))]
    asked = plural(int(summary["instances"].sum()), "question")
    foot = wrap(f"of {asked} not answered: {', '.join(failed)}", width) if failed else []
    odd = [row for row in rows if row[good] < row["instances"]][:MOST_SETS]
    if not odd:
        every = "the one instance" if total == 1 else f"all {total} instances"
        return f"Agreement: {every} {good}", foot
    head = ["ask", "instances", *(kind for kind in (good, *bad) if agreement[kind].sum())]
    names = [str(row["set"]) for row in odd]
    body = [[str(row[name]) for name in head] for row in odd]
    rest = [row for row in rows if row not in odd]
    if rest:
        names.append(plural(len(rest), "other set"))
        body.append(["", *(str(sum(row[name] for row in rest)) for name in head[1:])])
    lines = align_named(["set", *head], names, body, width)
    return "Agreement: what became of the instances", lines + foot


def _lay_out_timing(run: Run, width: int) -> tuple[dict[str, str], Section]:
    """A row a set, a column a backend: the median time of the instances solved, and what failed.

    Also the heads of the columns, by backend. Names or letters, with quartiles or without, are
    tried in order. The first that fits is taken, with as many backends as there is room for.
    """
    rows = {(row["set"], row["ask"], str(row["backend"])): row for row in list_rows(run.timing)}
    factor, unit = choose_unit([row["median_s"] for row in rows.values()])
    backends = [str(name) for name in run.summary["backend"]]
    every = list(dict.fromkeys((name, ask) for name, ask, _ in rows))
    asks, sets = [ask for _, ask in every[:MOST_SETS]], [name for name, _ in every[:MOST_SETS]]
    usual = max(dict.fromkeys(asks), key=asks.count)
    questions = list(zip(sets, asks, strict=True))
    names = [
        f"{name}, {name_question(ask)}" if sets.count(name) > 1 else name for name, ask in questions
    ]

    longest = max(map(len, names))
    lettered = [_name_column(place) for place in range(len(backends))]
    rooms = (longest, min(longest, LONGEST_SET))
    for heads, quartiles, least in product((backends, lettered), (True, False), rooms):
        cells = [
            [_format_cell(rows.get((*one, name)), factor, quartiles) for name in backends]
            for one in questions
        ]
        widths = measure([heads, *cells])
        room = width - sum(GAP + column for column in widths)
        if room >= least:
            break
    longest = max((len(name) for name in names if len(name) <= max(room, LONGEST_SET)), default=3)
    shown = len(heads)
    while shown > 1 and longest + sum(GAP + column for column in widths[:shown]) > width:
        shown -= 1
    body = [row[:shown] for row in cells]
    starts = [_format_start(run, name, factor) for name in backends[:shown]]
    if any(starts):
        names, body = [*names, START], [*body, starts]
    stated = [_format_stating(run, name, factor) for name in backends[:shown]]
    if any(stated):
        names, body = [*names, STATE], [*body, stated]
    lines = align_named(["set", *heads[:shown]], names, body, width)

    text = "".join(chain(*body))
    notes = {
        "A, B, ...: backends, as in the summary": heads is lettered,
        "* first on its set by the same ranking": "*" in text,
        "a smaller median without *: some of its other times are long": _has_faster(rows),
        "[first and third quartile]": "[" in text,
        "over: beyond the limit, as every instance counts that was not solved": "over" in text,
        f"{START}: {explain_start(run, 'where that is more; not in the times')}": any(starts),
        f"{STATE}: of the times, to read and state the problem, where that is more than half; "
        "the same work for all": any(stated),
        f"MiniZinc flattens a model in {_find_flattening(run, factor)} {unit}; not in the times": (
            run.timing["flatten_s"].max() > 0
        ),
    }
    notes |= {
        f"{letter} {fate}": any(row[fate] for row in rows.values())
        for fate, letter in LETTERS.items()
    }
    odd = [
        f"{name}: {name_question(ask)}"
        for name, ask in questions
        if ask != usual and sets.count(name) == 1
    ]
    lines += fill([*(note for note, applies in notes.items() if applies), *odd], width)
    counts = ((len(every) - len(questions), "set"), (len(heads) - shown, "backend"))
    left_out = [plural(number, thing) for number, thing in counts if number]
    if left_out:
        lines.append(f"... and {' and '.join(left_out)} more: --wide shows all")
    heading = f"Timing: median {unit}; {name_question(usual)}"
    return dict(zip(backends, heads, strict=True)), (heading, lines)


def _has_faster(rows: Mapping[tuple[Any, Any, str], Row]) -> bool:
    """Whether somewhere another one has a smaller median than the first, with as much solved."""
    firsts = {key[:2]: row for key, row in rows.items() if row["rank"] == 1}
    return any(
        row["median_s"] < first["median_s"] and row["solved"] == first["solved"]
        for key, row in rows.items()
        if (first := firsts.get(key[:2]))
    )


def _format_cell(row: Row | None, factor: float, quartiles: bool) -> str:
    """The median, marked where the backend comes first, and what was not solved."""
    if row is None:
        return MISSING
    failed = "".join(f"{row[fate]}{letter}" for fate, letter in LETTERS.items() if row[fate])
    if not row["solved"]:
        return failed
    spots = [row[name] * factor for name in ("median_s", "p25_s", "p75_s")]
    median, *ends = ("over" if isinf(spot) else format_figure(spot) for spot in spots)
    if quartiles and row["solved"] > 1:
        median += f" [{','.join(ends)}]"
    first = row["rank"] == 1 and row["relative_note"] != "disqualified"
    return f"{median}{'*' if first else ''}{f' {failed}' if failed else ''}"


def _format_start(run: Run, backend: str, factor: float) -> str:
    """How long a worker takes to begin, if that is longer than the jobs that are measured, or cold:
    then it belongs to each of them."""
    rows = run.timing[run.timing["backend"] == backend]
    seconds, measured = rows["start_s"].max(), rows["median_s"].max()
    is_cold = (rows["start"] == COLD).all()
    return format_figure(seconds * factor) if is_cold or seconds > measured else ""


def _format_stating(run: Run, backend: str, factor: float) -> str:
    """How long stating the problems of a set takes, if that is most of the time of its jobs: what
    backends differ by is then little of it, and the machine's noise may be more."""
    rows = run.timing[run.timing["backend"] == backend]
    most = rows["model_s"][rows["model_s"] > rows["median_s"] / 2].max()
    return format_figure(most * factor) if most > LEAST_STATING else ""


def _find_flattening(run: Run, factor: float) -> str:
    """The most that the models of a set take to be flattened, on the mean."""
    return format_figure(run.timing["flatten_s"].max() * factor)


def _name_column(place: int) -> str:
    """``A`` to ``Z``, then ``AA`` and so on."""
    before, last = divmod(place, 26)
    return (_name_column(before - 1) if before else "") + chr(ord("A") + last)


def _cut_list(items: list[str], more: str, run: Run, width: int) -> Lines:
    """The first items, and the command that shows the others: one line, that it can be copied."""
    lines: Lines = []
    for item in items[:MOST_TROUBLES]:
        wrapped = wrap(format_cell(item), width - 4, indent="  ")
        cut = len(wrapped) > MOST_LINES
        lines += [*wrapped[: MOST_LINES - 1], f"{wrapped[2]} ..."] if cut else wrapped
    if len(items) > MOST_TROUBLES:
        lines.append(f"... and {plural(len(items) - MOST_TROUBLES, more)}:")
        lines.append(f"  concord table {run.folder} --which jobs")
    return lines
