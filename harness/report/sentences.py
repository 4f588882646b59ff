"""What is said of a run in sentences, apart from its headline.

``find_faults`` says what makes the exit status of a comparison 1, and ``footnotes`` how it was
measured and what the figures are worth. A refusal with its reason is no
fault: a backend may say that a problem is not for it. Nor is a timeout, unless the backend answered
nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backends.interface.registry import keeps_state
from harness.report.table_text import as_rows
from harness.wording import plural

if TYPE_CHECKING:
    from harness.report.run import Run

FAULTS = ("wrong", "disputed", "error", "crashed", "lost")
"""Fates of which one is too many."""

ANSWERS = ("verified", "unwitnessed", "unverified", "disputed", "wrong")
REFUSALS = ("refused", "unsupported")


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
