"""A run in sentences: who won, what went wrong, and how it was measured."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from backends.interface.registry import is_exact, keeps_state, known_family
from harness.record import FAILED, FAULTS, REFUSALS, SOLVED, UNPROVEN
from harness.report.statistics.equality import LEVEL, name_difference_to_first
from harness.report.table_text import format_alike, list_rows
from modelling.wording import join_words, plural

if TYPE_CHECKING:
    import pandas as pd

    from harness.noise import Noise
    from harness.report.standings import Standings

DOUBTS = ("unwitnessed", "unverified", "disputed", "wrong")
ANSWERS = ("verified", *DOUBTS)

REMEDIES = {"unwitnessed": " (add --witness)"}
"""What can be done about answers that are in doubt."""

Figures = dict[str, Any]
"""A row of the summary."""

Sentences = list[str]

Counts = Mapping[str, int]
Causes = dict[tuple[str, str], str]
NONE: Counts = MappingProxyType({})


# --- who won --------------------------------------------------------------------------------------


def write_question(agreement: pd.DataFrame) -> str:
    """What was asked, of how many instances."""
    if not len(agreement):
        return ""
    numbers = agreement.groupby("ask", sort=False)["instances"].sum().to_dict()
    parts = [f"{name_question(str(ask))} of {plural(n, 'instance')}" for ask, n in numbers.items()]
    return f"Asked: {join_words(parts)}."


def name_question(ask: str) -> str:
    """A question in words."""
    words = {"1": "first solution", "all": "all solutions", "optima all": "all optima"}
    return words.get(ask, f"up to {ask} solutions" if ask.isdigit() else ask)


def write_headline(
    summary: pd.DataFrame,
    ended: int,
    total: int,
    unasked: int = 0,
    which: str = "",
    weakest: str = "",
) -> str:
    """Who comes first, by how much, what became of the answers, and how many jobs are to do.

    ``unasked`` is the number of instances that a budget left out, ``which`` who is first on which
    of several kinds, ``weakest`` the weakest ground of a solved answer.
    """
    rows = list_rows(summary)
    ranked = [row for row in rows if row["solved"] and not row["disqualified"]]
    name_first = _name_first_overall if which else _name_first
    ground = f", weakest ground: {weakest}" if weakest else ""
    said = [
        f"{name_first(ranked, rows)}; {_rate_answers(rows)}{ground}." if ranked else _blame(rows)
    ]
    if which and ranked:
        said.insert(0, which)
    fastest = max(ranked, key=lambda row: row["sets_won"], default=None)
    if (
        not which and fastest and fastest["sets_won"] > ranked[0]["sets_won"]
    ):  # but it left instances unsolved
        why = f", but solved {_count_share(fastest)} ({fastest['relative_note']})"
        won = _count_sets_won(fastest)
        said.append(f"{fastest['backend']} {won}{why if fastest['relative_note'] else ''}.")
    said += [
        f"{row['backend']} is disqualified: {plural(row['wrong'], 'wrong answer')}."
        for row in rows
        if row["disqualified"]
    ]
    said += [f"{ended} of {total} jobs have ended."] if ended < total else []
    if unasked:
        said.append(f"The budget had no time for {plural(unasked, 'instance')}.")
    return " ".join(said)


def _blame(rows: list[Figures]) -> str:
    """Why nobody is ranked."""
    if not rows:
        return "No job has ended yet."
    if rows[0][UNPROVEN] and not rows[0]["disqualified"]:
        return _praise(rows)
    if any(row["disqualified"] for row in rows):
        return "No backend is ranked: none that solved anything is without a wrong answer."
    number = rows[0]["instances"]
    nothing = "the one instance" if number == 1 else f"any of the {number} instances"
    if len(rows) == 1:
        return f"{rows[0]['backend']} did not solve {nothing}."
    return f"No backend solved {nothing}."


def _praise(rows: list[Figures]) -> str:
    """Who found the best solutions, where nobody proved any."""
    best = [row for row in rows if row["rank"] == 1]
    names = join_words([row["backend"] for row in best])
    gap = rows[0]["to_best_percent"]
    far = f"{gap:.3g}% from" if gap else "none worse than"
    verb = "has" if len(best) == 1 else "have"
    return f"No optimum was proven; {names} {verb} the best solutions, {far} the best known."


def _name_first(ranked: list[Figures], rows: list[Figures]) -> str:
    first, *others = ranked
    share, name = _count_share(first), first["backend"]
    if len(rows) == 1:
        return f"{name} solved {share}; no other backend to compare with"
    if not others:
        return f"only {name} is ranked: it solved {share}"
    level = [row["backend"] for row in ranked if row["rank"] == first["rank"]]
    if len(level) > 1:
        return f"{join_words(level)} are level: {share} solved each, in the same time"
    if others[0]["both"] == first["instances"]:
        return _compare_times(first, others)
    return f"{name} {_compare(first, others[0])}"


def _name_first_overall(ranked: list[Figures], rows: list[Figures]) -> str:
    """The same over several kinds, which weigh alike: where they are first is said before."""
    if len(ranked) < 2 or ranked[0]["rank"] == ranked[1]["rank"]:
        return _name_first(ranked, rows) if ranked else ""
    first, second = ranked[:2]
    if any(first[word] != second[word] for word in SOLVED):
        solved = f"{_count_share(first)} solved where {second['backend']} has {second['solved']}"
        return f"Over all kinds {first['backend']} ranks first with {solved}"
    speed = _compare_speed(second, "")
    if speed.startswith("though"):
        return f"With all kinds alike {first['backend']} has the lowest PAR-2, {speed}"
    return f"With all kinds alike {first['backend']} is {speed}"


def _compare_times(first: Figures, others: list[Figures]) -> str:
    """How the first compares with the next one, where both solved every instance."""
    name, second = first["backend"], others[0]
    if any(first[word] != second[word] for word in SOLVED) or second["both"] == 1:
        return f"{name} {_compare(first, second)}"
    if isnan(second["to_first_low"]):
        (taken,) = format_alike(second["to_first"])
        few = plural(first["instances"], "instance")
        if first["wins"] == first["instances"]:
            ratio = f"{taken} times faster than {second['backend']} overall"
            return f"{name} is fastest on each of {few}, too few for an error: {ratio}"
        ratio = f"{second['backend']} takes {taken} times as long"
        return f"{name} ranks first, but {few} are too few to distinguish them ({ratio})"
    difference = name_difference_to_first(second)
    if difference in LEVEL:
        taken, *ends = format_alike(*(second[f"to_first{end}"] for end in ("", "_low", "_high")))
        ratio = f"{second['backend']} takes {taken} [{', '.join(ends)}] times as long"
        if difference == "alike":
            return f"{name} and {second['backend']} are equally fast within the error ({ratio})"
        few = plural(first["instances"], "instance")
        return f"{name} and {second['backend']} cannot be distinguished with {few} ({ratio})"
    # By PAR-2, to which long times matter most, another one may rank first than by the ratios.
    is_fastest = not any(one["relative"] < first["relative"] for one in others)
    if first["questions"] == 1 and not is_fastest:
        return f"{name} ranks first (lowest PAR-2), {_compare_speed(second, ' overall')}"
    return f"{name} {_compare(first, second)}"


def _compare(first: Figures, second: Figures) -> str:
    """How the first compares with the next one: by what they are ranked by, and by speed."""
    name = second["backend"]
    where = " overall" if second["both"] == first["instances"] else " where both solved it"
    said = [_count_sets_won(first)] if first["sets_won"] else []
    if any(first[word] != second[word] for word in SOLVED):
        solved = [
            f"{row['verified']} of {row['instances']} verified"
            + (f" and {row['unwitnessed']} unwitnessed" if row["unwitnessed"] else "")
            for row in (first, second)
        ]
        ranks = f"ranks first with {solved[0]} where {name} has {solved[1]}"
        said = [ranks, *(said if first["questions"] > 1 else [])]
    elif first["solved"] < first["instances"]:
        said = [f"ranks first with {_count_share(first)} solved, as {name} has", *said]
        far, other = first["to_best_percent"], second["to_best_percent"]
        if far < other:
            said[0] = f"{said[0]}, and better solutions ({far:.3g}% and {other:.3g}% from the best)"
    return ", ".join([*(said or ["ranks first"]), _compare_speed(second, where)])


def _compare_speed(second: Figures, where: str) -> str:
    """How much faster than the second the first is, over the instances that both solved."""
    name = second["backend"]
    if not second["both"]:
        return f"no instance was solved by both it and {name}"
    ratio, low, high = (second[f"to_first{end}"] for end in ("", "_low", "_high"))
    if second["both"] == 1:
        (taken,) = format_alike(ratio)
        alone = "" if second["instances"] == 1 else " on the one instance that both solved"
        return f"{name} took {taken} times as long{alone}"
    if isnan(low):
        few = f"{where} ({second['both']} instances, too few for an error)"
        (value,) = format_alike(max(ratio, 1 / ratio))
        if value == "1.00":
            return f"as fast as {name}{few}"
        if ratio > 1:
            return f"{value} times faster than {name}{few}"
        return f"though {name} is {value} times faster{few}"
    value, *ends = format_alike(ratio, low, high)
    difference = name_difference_to_first(second)
    if difference in LEVEL:
        interval = f"{value} [{', '.join(ends)}] times its speed"
        if difference == "unclear":
            return f"not to be distinguished from {name}{where}: {interval}"
        return f"as fast as {name}{where} within the error: {interval}"
    if ratio > 1:
        return f"{value} times faster than {name}{where} [{', '.join(ends)}]"
    value, *ends = format_alike(1 / ratio, 1 / high, 1 / low)
    return f"though {name} is {value} times faster{where} [{', '.join(ends)}]"


def _count_sets_won(row: Figures) -> str:
    if row["questions"] == 1:
        return "is fastest"
    of = "sets" if row["sets"] == row["questions"] else "questions"
    return f"is fastest on {row['sets_won']} of {row['questions']} {of}"


def _count_share(row: Figures) -> str:
    solved, number = row["solved"], row["instances"]
    if solved == number:
        return "the one instance" if number == 1 else f"all {number} instances"
    return f"{solved} of {plural(number, 'instance')}"


def _rate_answers(rows: list[Figures]) -> str:
    """What the answers of all backends are worth."""
    number = {word: sum(row[word] for row in rows) for word in ANSWERS}
    doubtful = [f"{number[word]} {word}{REMEDIES.get(word, '')}" for word in DOUBTS if number[word]]
    answers = plural(sum(number.values()), "answer")
    rated = f"of {answers} {join_words(doubtful)}" if doubtful else "every answer verified"
    silent = {word: sum(row[word] for row in rows) for word in (UNPROVEN, *FAILED)}
    silent = {word: count for word, count in silent.items() if count and word not in ANSWERS}
    if not silent:
        return rated
    if not doubtful:
        rated = f"{answers} verified"
    listed = join_words([f"{count} {word}" for word, count in silent.items()])
    return f"{rated}, {plural(sum(silent.values()), 'question')} not answered ({listed})"


def name_unknown(summary: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Whose word does not make an answer agreed; empty if all are of known families.

    ``names`` has the names of backends by their short ones.
    """
    called = summary["backend"]
    unknown = [name for name in called if known_family(names.get(name, name)) is None]
    if not unknown:
        return ""
    return f"Of no known family, so that their agreement counts for nothing: {', '.join(unknown)}."


def name_inexact(summary: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Who calculates with doubles and has answers that are unverified; empty if nobody has."""
    doubtful = summary.loc[summary["unverified"] > 0, "backend"]
    inexact = [name for name in doubtful if not is_exact(names.get(name, name))]
    if not inexact:
        return ""
    return (
        "Inexact, so that UNSATISFIABLE, counts and optima by these alone are unverified: "
        f"{', '.join(inexact)}."
    )


# --- what went wrong ------------------------------------------------------------------------------


def find_faults(
    summary: pd.DataFrame,
    agreement: pd.DataFrame,
    reasons: pd.DataFrame,
    stated: Counts = NONE,
    hindered: Mapping[str, tuple[int, str]] = MappingProxyType({}),
) -> Sentences:
    """What is wrong with the answers of each backend; nothing where all is well.

    It makes the exit status of a comparison 1. A refusal with its reason is not a fault: a backend
    may say that a problem is not for it. Nor is a timeout, unless nothing at all was answered.
    """
    silent = {
        (row["backend"], row["outcome"])
        for row in list_rows(reasons)
        if row["outcome"] in REFUSALS and not row["reason"]
    }
    causes: Causes = {}
    for row in list_rows(reasons):  # the commonest first
        causes.setdefault((row["backend"], row["outcome"]), row["reason"])
    found = [text for row in list_rows(summary) for text in _find_own_faults(row, silent, causes)]
    contradicted = int(agreement[["disputed", "wrong"]].to_numpy().sum())
    if contradicted and not found:  # by a witness, whose own answers are not ranked
        found.append(f"{plural(contradicted, 'instance')} disputed, or answered wrong by a witness")
    found += [
        f"{name}: {plural(count, 'job')} hindered from outside and run by a new worker: {why}"
        for name, (count, why) in hindered.items()
    ]
    number = sum(stated.values())
    found += [
        f"{stated[word]} of {plural(number, 'stated answer')} {word}"
        for word in FAULTS
        if word in stated
    ]
    return found


def _find_own_faults(row: Figures, silent: set[tuple[str, str]], causes: Causes) -> Sentences:
    """The faults of one backend, a row of the summary; in ``silent`` it refused without a word.

    Names the commonest cause, by backend and outcome, if there is one.
    """
    name = row["backend"]
    asked = row["instances"] - sum(row[word] for word in (*REFUSALS, "skipped"))
    number = plural(row["instances"], "instance")
    found = [
        ": ".join(filter(None, [name, f"{row[word]} of {number} {word}", causes.get((name, word))]))
        for word in FAULTS
        if row[word]
    ]
    if asked and not found and not sum(row[word] for word in (UNPROVEN, *ANSWERS)):
        found.append(f"{name}: it answered none of {plural(asked, 'instance')}")
    found += [f"{name}: {word} without a reason" for word in REFUSALS if (name, word) in silent]
    return found


# --- how it was measured --------------------------------------------------------------------------


def _tell_proofs(name: str, found: Counts) -> str:
    """What became of the proofs of one backend."""
    words = ("checked", "rejected", "unchecked")
    number = join_words([f"{found[word]} {word}" for word in words if word in found])
    return (
        f"{name}: of {plural(sum(found.values()), 'answer')} with proofs {number}; a checked proof "
        "verifies what one family claims alone if its encoding was checked as well (column "
        "proof_encoding), and its check is in no time"
    )


def describe_mixtures(mixtures: Mapping[str, Mapping[str, int]]) -> Sentences:
    """For which backends several versions of a solver answered, and how often each."""
    return [
        f"{backend}: {len(counts)} versions of it answered, and its row mixes them: "
        + join_words([f"{solver or 'one unnamed'} ({count})" for solver, count in counts.items()])
        + "; for figures of one solver start a new run"
        for backend, counts in mixtures.items()
    ]


def write_footnotes(
    standings: Standings, timing: pd.DataFrame, warm_ups: int, noise: Noise | None
) -> Sentences:
    """How it was measured and what the times are worth, one sentence each."""
    said: Sentences = []
    if warm_ups:
        many = "one warm-up" if warm_ups == 1 else f"{warm_ups} warm-ups"
        of = ", ".join(f"{name} {count}" for name, count in standings.cold.items())
        failed = f"; warm-ups that failed, by backend: {of}" if of else ""
        said.append(
            f"{many} per worker, on a small problem that is none of the instances, not measured; a "
            "backend that keeps encodings builds them at the first instance of a structure, within "
            f"its time (phase encode){failed}"
        )
    said += [_tell_proofs(name, found) for name, found in standings.proofs.items()]
    names = standings.names
    backends = map(str, timing["backend"].unique())
    kept = [name for name in backends if keeps_state(names.get(name, name))]
    if kept:
        said.append(
            f"{', '.join(kept)}: one solver lives on from instance to instance and keeps what it "
            "learned; the other rows begin each instance with a new one"
        )
    spreads = timing["spread"].dropna()
    if len(spreads):
        said.append(
            "repeats: the time of an instance is their median; typically they lie "
            f"{100 * (spreads.median() - 1):.0f}% from it, {100 * (spreads.max() - 1):.0f}% where "
            "they vary most (column spread: --wide)"
        )
    said += [
        f"{name}: later repeats take {gain.ratio:.2g} of the first one's time ({gain.longest} of "
        f"{gain.instances} instances took longest at first); an answer may have been kept, so only "
        "the first repeat counts"
        for name, gain in standings.gains.items()
        if gain.is_systematic
    ]
    said += [
        f"{name}: it tells {1000 * found.told_s:.2g} ms an answer, and {1000 * found.hidden_s:.2g} "
        f"ms more passed by the harness's clock than for others, on {found.instances} instances; "
        "its times are those of the harness's clock"
        for name, found in standings.hidden.items()
    ]
    said += [
        f"witness {name}: asked about {plural(count, 'answer')} that stood unwitnessed; not timed, "
        "not ranked"
        for name, count in standings.witnesses.items()
    ]
    if standings.stated:
        counts = [f"{count} {word}" for word, count in standings.stated.items()]
        total = plural(sum(standings.stated.values()), "answer")
        said.append(f"{total} came with the instances, not ranked: {join_words(counts)}")
    return said if noise is None else [*said, noise.text]
