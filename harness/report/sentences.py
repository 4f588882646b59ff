"""What is said of a run in sentences.

``headline`` says who won, ``find_faults`` what makes the exit status of a comparison 1, and
``footnotes`` how it was measured and what the figures are worth. A refusal with its reason is no
fault: a backend may say that a problem is not for it. Nor is a timeout, unless the backend answered
nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backends.interface.registry import keeps_state
from harness.report.standings import SOLVED
from harness.report.table_text import as_rows
from harness.wording import join_words, plural

if TYPE_CHECKING:
    import pandas as pd

    from harness.report.run import Run

Rows = list[dict[str, Any]]

FAULTS = ("wrong", "disputed", "error", "crashed", "lost")
"""Fates of which one is too many."""

ANSWERS = ("verified", "unwitnessed", "unverified", "disputed", "wrong")
REFUSALS = ("refused", "unsupported")


# --- who won -------------------------------------------------------------------------------------


def headline(summary: pd.DataFrame) -> str:
    """Who comes first, by how much, and what became of the answers."""
    rows: Rows = as_rows(summary)
    if not rows:
        return "No job has ended yet."
    ranked = [row for row in rows if row["solved"] and not row["disqualified"]]
    sentences = [f"{_first(ranked, rows)}; {_answers(rows)}."] if ranked else [_nobody(rows)]
    sentences += _fastest(ranked) + _disqualified(rows)
    return " ".join(sentences)


def _nobody(rows: Rows) -> str:
    if any(row["disqualified"] for row in rows):
        return "No backend is ranked: none that solved anything is without a wrong answer."
    number = rows[0]["instances"]
    nothing = "the one instance" if number == 1 else f"any of the {number} instances"
    if len(rows) == 1:
        return f"{rows[0]['backend']} did not solve {nothing}."
    return f"No backend solved {nothing}."


def _first(ranked: Rows, rows: Rows) -> str:
    first, *others = ranked
    if len(rows) == 1:
        return f"{first['backend']} solved {_share_solved(first)}; no other backend to compare with"
    if not others:
        return f"only {first['backend']} is ranked: it solved {_share_solved(first)}"
    level = [row["backend"] for row in ranked if row["rank"] == first["rank"]]
    if len(level) > 1:
        return (
            f"{join_words(level)} are level: {_share_solved(first)} solved each, in the same time"
        )
    return f"{first['backend']} {_compare_with(first, others[0])}"


def _compare_with(first: dict[str, Any], second: dict[str, Any]) -> str:
    """How the first compares with the next one: by what they are ranked by, and by speed."""
    name, where = second["backend"], " overall"
    said = [_sets_won(first)] if first["sets_won"] else []
    if any(first[word] != second[word] for word in SOLVED):
        where = " where both solved it"
        ranks = f"ranks first with {_count_solved(first)} where {name} has {_count_solved(second)}"
        said = [ranks, *(said if first["sets"] > 1 else [])]
    return ", ".join([*(said or ["ranks first"]), _speed(second, name, where)])


def _sets_won(row: dict[str, Any]) -> str:
    if row["sets"] == 1:
        return "is fastest"
    return f"is fastest on {row['sets_won']} of {row['sets']} sets"


def _speed(second: dict[str, Any], name: str, where: str) -> str:
    """How much faster than the second the first is, over the instances that both solved."""
    if not second["both"]:
        return f"no instance was solved by both it and {name}"
    ratio, low, high = (second[f"to_first{end}"] for end in ("", "_low", "_high"))
    if second["both"] == 1:
        (taken,) = _format_alike(ratio)
        return f"{name} took {taken} times as long on the one instance that both solved"
    value, *ends = _format_alike(ratio, low, high)
    interval = f"[{', '.join(ends)}]"
    if low <= 1 <= high:
        return f"as fast as {name}{where} within the error: {value} {interval} times its speed"
    if ratio > 1:
        return f"{value} times faster than {name}{where} {interval}"
    value, *ends = _format_alike(1 / ratio, 1 / high, 1 / low)
    return f"though {name} is {value} times faster{where} [{', '.join(ends)}]"


def _format_alike(*values: float) -> list[str]:
    """Numbers with as many decimals as the least of them needs."""
    least = min(values)
    decimals = 2 if least < 2 else 1 if least < 20 else 0
    return [f"{value:.{decimals}f}" for value in values]


def _share_solved(row: dict[str, Any]) -> str:
    solved, number = row["solved"], row["instances"]
    if solved == number:
        return "the one instance" if number == 1 else f"all {number} instances"
    return f"{solved} of {plural(number, 'instance')}"


def _count_solved(row: dict[str, Any]) -> str:
    alone = f" and {row['unwitnessed']} unwitnessed" if row["unwitnessed"] else ""
    return f"{row['verified']} of {row['instances']} verified{alone}"


def _answers(rows: Rows) -> str:
    """What the answers of all backends are worth."""
    words = ("unwitnessed", "unverified", "disputed", "wrong")
    open_ones = {word: sum(row[word] for row in rows) for word in words}
    said = [f"{number} {word}" for word, number in open_ones.items() if number]
    if not said:
        return "every answer verified"
    total = sum(open_ones.values()) + sum(row["verified"] for row in rows)
    return f"of {plural(total, 'answer')} {join_words(said)}"


def _fastest(ranked: Rows) -> list[str]:
    """Who is fastest on more sets than the first, but left instances unsolved."""
    if len(ranked) < 2:
        return []
    first, best = ranked[0], max(ranked, key=lambda row: row["sets_won"])
    if best["sets_won"] <= first["sets_won"]:
        return []
    why = f" ({best['relative_note']})" if best["relative_note"] else ""
    but = f", but solved {_share_solved(best)}{why}" if why else ""
    return [f"{best['backend']} {_sets_won(best)}{but}."]


def _disqualified(rows: Rows) -> list[str]:
    return [
        f"{row['backend']} is disqualified: {plural(row['wrong'], 'wrong answer')}."
        for row in rows
        if row["disqualified"]
    ]


# --- what went wrong -----------------------------------------------------------------------------


def find_faults(run: Run) -> list[str]:
    """What is wrong with the answers of each backend; nothing where all is well."""
    silent = {
        (row["backend"], row["outcome"])
        for row in as_rows(run.reasons)
        if row["outcome"] in REFUSALS and not row["reason"]
    }
    found = [text for row in as_rows(run.summary) for text in _faults_of(row, silent)]
    contradicted = int(run.agreement[["disputed", "wrong"]].to_numpy().sum())
    if contradicted and not found:  # by a witness, whose own answers are not ranked
        found.append(f"{plural(contradicted, 'instance')} disputed, or answered wrong by a witness")
    return found


def _faults_of(row: dict[str, Any], silent: set[tuple[str, str]]) -> list[str]:
    """The faults of one backend, a row of the summary; in ``silent`` it refused without a word."""
    name, asked = row["backend"], row["instances"] - sum(row[word] for word in REFUSALS)
    found = [
        f"{name}: {row[word]} of {plural(row['instances'], 'instance')} {word}"
        for word in FAULTS
        if row[word]
    ]
    if asked and not found and not sum(row[word] for word in ANSWERS):
        found.append(f"{name}: it answered none of {plural(asked, 'instance')}")
    found += [f"{name}: {word} without a reason" for word in REFUSALS if (name, word) in silent]
    return found


# --- how it was measured -------------------------------------------------------------------------


def footnotes(run: Run) -> list[str]:
    """One sentence each: warm-ups, solvers kept, repeats, clocks, witnesses, the machine."""
    return [
        *_warm_ups(run),
        *_kept_solvers(run),
        *_repeats(run),
        *_first_sights(run),
        *_hidden(run),
        *_witnesses(run),
        *([] if run.noise is None else [run.noise.text]),
    ]


def _warm_ups(run: Run) -> list[str]:
    number = 0 if run.experiment is None else run.experiment.warm_ups
    if not number:
        return []
    many = "one warm-up" if number == 1 else f"{number} warm-ups"
    said = f"{many} per worker and structure, not measured"
    failed = run.failed_warm_ups
    if failed:
        of = ", ".join(f"{name} {count}" for name, count in failed.items())
        said += f"; warm-ups that failed, by backend: {of}"
    return [said]


def _kept_solvers(run: Run) -> list[str]:
    """What rows of reuse=solver are: no solver that starts from nothing."""
    names = [str(name) for name in run.summary["backend"] if keeps_state(str(name))]
    if not names:
        return []
    return [
        f"{', '.join(names)}: one solver lives on from instance to instance and keeps what it "
        "learned; the other rows begin each instance with a new one"
    ]


def _repeats(run: Run) -> list[str]:
    spreads = run.timing["spread"].dropna()
    if spreads.empty:
        return []
    return [
        "repeats: the time of an instance is their median; typically they lie "
        f"{100 * (spreads.median() - 1):.0f}% from it, {100 * (spreads.max() - 1):.0f}% where they "
        "vary most (column spread: --wide)"
    ]


def _hidden(run: Run) -> list[str]:
    return [
        f"{name}: it tells {1000 * found.told_s:.2g} ms an answer, and {1000 * found.hidden_s:.2g} "
        f"ms more passed by the harness's clock than for others, on {found.instances} instances; "
        "its times are those of the harness's clock"
        for name, found in run.hidden.items()
    ]


def _first_sights(run: Run) -> list[str]:
    return [
        f"{name}: later repeats take {gain.ratio:.2g} of the first one's time ({gain.longest} of "
        f"{gain.instances} instances took longest at first); an answer may have been kept, so only "
        "the first repeat counts"
        for name, gain in run.gains.items()
        if gain.is_systematic
    ]


def _witnesses(run: Run) -> list[str]:
    return [
        f"witness {name}: asked about {plural(count, 'answer')} that stood unwitnessed; not timed, "
        "not ranked"
        for name, count in run.asked_of_witnesses.items()
    ]
