"""Carries the trials out: each is a run of its own, with its store, and says who was caught how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from harness.plan.experiment import Experiment, SetChoice
from harness.selftest.checks import name_check
from harness.selftest.trials import FAMILY, HONEST, SLOW_S, Trial, list_trials

if TYPE_CHECKING:
    from harness.report.run import Run

SECONDS = 5.0
"""The limit of each job."""


class Catch(NamedTuple):
    """A liar, the check that caught it, empty if none did, and what was said."""

    liar: str
    check: str
    said: str

    def describe(self, width: int) -> str:
        """A line of at most ``width`` characters."""
        said = " ".join(self.said.partition("; it claims")[0].split())
        line = f"{self.liar:<19} {self.check or 'NOT CAUGHT':<25} {said}"
        return line if len(line) <= width else f"{line[: width - 3]}..."


def hunt(jobs: int = 1, trials: Iterable[Trial] | None = None) -> Iterator[Catch]:
    """Every liar of the trials, after the run that it was in; ``jobs`` at once."""
    for trial in list_trials() if trials is None else trials:
        with TemporaryDirectory(prefix="concord-selftest-") as folder:
            run = _carry_out(trial, Path(folder, "run"), jobs)
            spoiled = _find_harm(run)
            for liar in trial.liars:
                check, said = ("", spoiled) if spoiled else _find_catch(trial, liar.__name__, run)
                yield Catch(liar.__name__, check, said)


def _name(liar: str) -> str:
    return f"py:backends.conformance.liars:{liar}"


def _carry_out(trial: Trial, folder: Path, jobs: int) -> Run:
    from harness.report.run import run_experiment  # pandas would only delay the rest

    texts = {f"{number}: {text}": text for number, text in enumerate(trial.texts, 1)}
    experiment = Experiment(
        name="selftest",
        sets=[SetChoice("trial", family=FAMILY, texts=texts)],
        backends=[*HONEST, *(_name(liar.__name__) for liar in trial.liars)],
        seconds=SECONDS,
        # Who attacks its rivals needs them beside it, who lies about time needs nobody.
        jobs=1 if trial.about == "times" else max(jobs, 2 if trial.about == "rivals" else 1),
        **trial.asks,
    )
    return run_experiment(experiment, folder, on_warning=lambda text: None)


def _find_harm(run: Run) -> str:
    """What a run did to the honest; empty where they are verified, and before all who lie.

    Who has only right answers may be faster: on a busy machine, by chance.
    """
    jobs = run.jobs
    found = set(jobs.loc[jobs["backend"].isin(HONEST), "verdict"])
    if found != {"verified"}:
        return f"answers of honest solvers are {', '.join(sorted(found))}"
    if run.disqualified & set(HONEST):
        return "an honest solver is disqualified"
    ranks = list(run.summary["backend"])
    before = set(ranks[: max(map(ranks.index, HONEST))])
    lies = set(jobs.loc[jobs["verdict"] != "verified", "backend"])
    return "it ranks before an honest solver" if before & lies else ""


def _find_catch(trial: Trial, liar: str, run: Run) -> tuple[str, str]:
    """The check that caught it, and its words; two empty texts where none did."""
    name = _name(liar)
    jobs = run.jobs[run.jobs["backend"] == name]
    hides = [fault for fault in run.tamper if name in fault and "hides time" in fault]
    if trial.about == "times" and hides:
        return name_check(hides[0]), hides[0]
    if trial.about == "times":
        least = jobs["wall_s"].min()
        said = f"its times are {1000 * least:.0f} ms and more, and it takes {1000 * SLOW_S:.0f} ms"
        if hidden := run.standings.hidden.get(name):
            said = f"it hides {1000 * hidden.hidden_s:.0f} ms an answer, and counts as that slow"
            return "times by a clock of our own", said
        return ("times by a clock of our own", said) if least >= SLOW_S else ("", said)
    if trial.about == "rivals":
        blamed = [fault for fault in run.faults if f"beside {name}" in fault]
        return ("signals noticed", blamed[0]) if blamed else _find_hindrance(run)
    if tampered := [text for text in run.tamper if name in text]:
        return name_check(tampered[0]), tampered[0]
    faults = [fault for fault in run.faults if fault.startswith(f"{name}: ")]
    lies = jobs[jobs["verdict"] != "verified"]
    if not faults or not len(lies):
        return "", "nobody has noticed it"
    job = lies.iloc[0]
    said = str(job["evidence"] or job["error"]).strip() or faults[0]
    return name_check(said), said


def _find_hindrance(run: Run) -> tuple[str, str]:
    """Where signals do not reach rivals: what kept them away."""
    kept = str(run.jobs["isolation"].iloc[0])
    return ("signals refused", kept) if "signals" in kept else ("", "nobody has noticed it")
