"""Advice, and the rounds that lead to it, as lines of text that fit the screen."""

from __future__ import annotations

from harness.advise.advice import Advice, Begun, Ended, Event
from harness.advise.guessed_advice import GuessedAdvice, find_median
from harness.advise.halving import Standing
from harness.advise.neighbours import WITHIN, count_good
from harness.report.table_text import format_cell, format_figure, wrap
from modelling.wording import plural

LABEL = 10
"""Columns before the text of a line."""

LONGEST_TOML = 7
"""Lines of an experiment that are shown; of a longer one the path alone."""

MOST_NAMED = 4
"""Candidates of a round that are named; more are a number, since each is named when it is out."""

MOST_ALIKE = 5
"""Measured instances that are named."""

Lines = list[str]


def describe_event(event: Event, width: int = 80) -> Lines:
    """What is begun, or who is out and why."""
    if isinstance(event, Begun):
        return _describe_begun(event, width)
    return _describe_ended(event, width)


def _describe_begun(event: Begun, width: int) -> Lines:
    asked, number = event.asked, len(event.asked.places)
    of = plural(number, "instance")
    if number < event.instances:
        of = f"{number} of {event.instances} instances"
    repeats = f", {plural(asked.repeats, 'repeat')}" if asked.repeats > 1 else ""
    limit = f"{format_figure(asked.limit)} s a job at most"
    names = ", ".join(asked.field) if len(asked.field) <= MOST_NAMED else ""
    names = names or f"{len(asked.field)} candidates"
    return _hang(f"round {event.number}", f"{names}; {of}, {limit}{repeats}", width)


def _describe_ended(event: Ended, width: int) -> Lines:
    reasons: dict[str, list[str]] = {}
    for one in event.out:
        reasons.setdefault(one.why, []).append(one.name)
    said = [f"{', '.join(names)} {format_cell(why)}" for why, names in reasons.items()]
    return _hang("  out", "; ".join(said), width) if said else []


def write_advice(advice: Advice, width: int = 80) -> Lines:
    """The advice in lines of at most ``width`` columns, but for a path or TOML."""
    lines = [_say(advice), *_hang("evidence", advice.evidence, width)]
    runner_up = next((one for one in advice.standings if one.name == advice.runner_up), None)
    if runner_up is not None:
        lines += _hang("next", _describe_standing(runner_up), width)
    if advice.excluded:
        lines += _hang("out", ", ".join(one.name for one in advice.excluded), width, most=2)
    lines += _hang("measured", _describe_measure(advice), width)
    if advice.toml:
        lines += _hang("repeat", f"concord run {advice.path}", width)
        toml = advice.toml.splitlines()
        if len(toml) <= LONGEST_TOML and all(len(line) + 2 <= width for line in toml):
            lines += [f"  {line}" for line in toml]
    return lines


def write_guess(advice: GuessedAdvice, width: int = 80) -> Lines:
    """Advice without a run in lines of at most ``width`` columns."""
    others = ", ".join(f"{one.name} {format_figure(one.factor)}" for one in advice.ranking[1:])
    found = advice.validation
    families = len(found.factors)
    of = plural(advice.instances, "instance")
    if advice.asked < advice.instances:
        of = f"{advice.asked} of {of}"
    factor = format_figure(advice.ranking[0].factor)
    lines = [f"Use {advice.solver}. This is a guess: nothing was run."]
    lines += _hang(
        "expected",
        f"{factor} times the time of the best solver" + (f"; {others}" if others else ""),
        width,
    )
    lines += _hang("alike", ", ".join(advice.nearest[:MOST_ALIKE]), width)
    lines += _hang(
        "error",
        f"each of {families} families held back: within {WITHIN:g} times the virtual best in "
        f"{found.good} of {families}, median {format_figure(find_median(found))} times; always "
        f"{found.best}: {count_good(found.single)} of {families}",
        width,
    )
    lines += _hang("measured", f"{of} compared with {advice.measured} that were measured", width)
    return lines


def _say(advice: Advice) -> str:
    if not advice.solver:
        return "No solver can be recommended."
    return f"Use {advice.solver}."


def _describe_standing(one: Standing) -> str:
    text = f"{one.name}, {one.solved} of {one.asked} solved, PAR-2 {format_figure(one.par2)} s"
    if one.to_best > 0:
        text += f", solutions {format_figure(one.to_best)}% from the best"
    return text


def _describe_measure(advice: Advice) -> str:
    of = plural(advice.instances, "instance")
    if advice.asked < advice.instances:
        of = f"{advice.asked} of {of}"
    limit = f", {format_figure(advice.limit)} s a job at most" if advice.asked else ""
    end = "; ended by Ctrl-C" if advice.interrupted else ""
    return f"{of}{limit}; {advice.seconds:.1f} s of {advice.given:g} s{end}"


def _hang(label: str, text: str, width: int, most: int = 4) -> Lines:
    """A label and its text, which continues below its own beginning, in ``most`` lines."""
    lines = wrap(text, max(width - LABEL, 20))
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: width - LABEL - 4] + " ..."]
    starts = [label.ljust(LABEL), *([" " * LABEL] * (len(lines) - 1))]
    return [f"{start}{line}".rstrip() for start, line in zip(starts, lines, strict=True)]


class PrintedAdvice(Advice):
    """Advice that ``print`` shows as its screen."""

    def __str__(self) -> str:
        return "\n".join(write_advice(self))


class PrintedGuess(GuessedAdvice):
    """A guess that ``print`` shows as its screen."""

    def __str__(self) -> str:
        return "\n".join(write_guess(self))
