"""What stands below the tables of a run: how it was measured, and what the figures are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.run import Run


def feet(run: Run) -> list[str]:
    """One sentence each: warm-ups, repeats, witnesses, the noise of the machine."""
    return [
        *_warm_ups(run),
        *_first_sights(run),
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
