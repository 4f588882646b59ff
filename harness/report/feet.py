"""What stands below the tables of a run: how it was measured, and what the figures are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backends.interface.registry import keeps_state

if TYPE_CHECKING:
    from harness.report.run import Run


def feet(run: Run) -> list[str]:
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
    asked = run.asked_of_witnesses
    return [
        f"witness {name}: asked about {count} {'answer' if count == 1 else 'answers'} that stood "
        "unwitnessed; not timed, not ranked"
        for name, count in asked.items()
    ]
