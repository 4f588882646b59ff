"""Two runs compared: what got faster or slower beyond noise, and which verdicts changed.

Words
-----
side         a run, as far as it is compared: its answers, its times, machines and versions
pair         an instance that the same backend was asked about on both sides, with the same question
             and under the same digest
ratio        the median time of a pair in the new run over that in the base, where both are solved;
             of several pairs the geometric mean. Above 1 the new run is slower
change       what the interval and the sign-flip test, after Holm's correction, say of the ratio
             (``harness.report.statistics.equality``)
grade        how bad a fate is, from 0 (solved) to the last one (wrong); see ``GRADES``
borderline   solved on one side in more than half of the limit, and on the other not in time: noise
             alone may do that
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import ceil, log2
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np
import pandas as pd

from backends.interface.registry import label
from harness.machine import Machine
from harness.record import SOLVED, UNPROVEN, UNRUN, Version
from harness.report.standings import INSTANCE, TRIED
from harness.report.statistics.equality import find_chance, name_difference
from harness.report.statistics.significance import SIGNIFICANT, correct_by_holm
from harness.report.table_text import list_rows
from harness.statistics import (
    LEAST_FOR_INTERVAL,
    geometric_mean,
    interval,
    ratios,
)
from modelling.errors import InputError
from modelling.wording import did_you_mean, join_words, plural

if TYPE_CHECKING:
    from harness.report.run import Run

GRADES = (
    SOLVED,
    (UNPROVEN,),
    ("unverified",),
    ("gave_up", "timeout", "memout", *UNRUN, "unsupported", "refused"),
    ("lost", "error", "crashed"),
    ("disputed",),
    ("wrong",),
)
"""Fates from the best to the worst; those in one grade are equally bad."""

LATE = 0.5
"""The part of the limit from which on a solved instance is borderline."""

PAIR = [*INSTANCE, "family", "backend"]

SPEED = [
    *("backend", "new_backend", "family", "pairs", "timed", "base_s", "new_s"),
    *("ratio", "low", "high", "p", "change"),
]
VERDICTS = [
    *("set", "ask", "instance", "family", "backend", "new_backend"),
    *("base", "new", "base_answer", "new_answer", "change"),
]
LONE = ["run", "what", "name"]

Rows = list[dict[str, Any]]

Clock = Literal["wall", "cpu"]
"""By which times are compared."""


# --- the two sides -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """A run, as far as it is compared.

    ``answers``   one row a set, question, instance, family and backend: ``fate``, ``solved``,
                  ``wall_s`` and ``seconds``, the medians of the repeats by wall clock and by the
                  clock that is compared, ``limit_s``, ``digest`` of the instance, ``answer`` of
                  the worst repeat in words
    ``versions``  the versions that answered; ``machines``, the machines that they ran on
    ``doubts``    why its figures may mislead
    ``names``     the names of its backends, by the short ones that it has for them
    """

    answers: pd.DataFrame
    versions: Sequence[Version] = ()
    machines: Sequence[Machine] = ()
    doubts: Sequence[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def take_side(run: Run, clock: Clock = "wall") -> Side:
    """What is compared of a run, by wall clock or by CPU time."""
    run.jobs  # noqa: B018 - read before the standings, which then name instances as it does
    jobs = run.standings.jobs
    told = jobs.assign(
        answer=_word_answers(jobs),
        digest=jobs["instance_digest"].where(jobs["instance_digest"] != ""),
    )
    told = told.sort_values("code", ascending=False, kind="stable")  # the worst repeat first
    named = told.groupby(TRIED, observed=True)[["family", "answer"]].first()
    named["cpu_s"] = told[told["cpu_s"] > 0].groupby(TRIED, observed=True)["cpu_s"].median()
    digests = told.groupby(INSTANCE, observed=True)["digest"].first().fillna("").rename("digest")
    columns = [*TRIED, "fate", "solved", "wall_s", "limit_s"]
    answers = run.standings.instances[columns].astype({"fate": str})
    answers = answers[~answers["fate"].isin(UNRUN)]  # what a budget left out says nothing
    answers = answers.join(named, on=TRIED).join(digests, on=INSTANCE)
    answers["seconds"] = answers[f"{clock}_s"]
    doubts = []
    if not run.complete:
        doubts.append(f"{run.total - run.ended} of {plural(run.total, 'job')} have not ended")
    if run.noise is not None and run.noise.noisy:
        doubts.append(f"the machine was noisy: {'; '.join(run.noise.reasons)}")
    versions = [msgspec.structs.replace(one, backend=label(one.backend)) for one in run.versions]
    return Side(answers, versions, run.machines, doubts, run.names)


def _word_answers(jobs: pd.DataFrame) -> list[str]:
    """What each job answered, in words that are equal where the answers are."""
    columns = (jobs[name] for name in ("ask", "outcome", "status", "count", "objective"))
    return [_word_answer(*cells) for cells in zip(*columns, strict=True)]


def _word_answer(ask: str, outcome: str, status: str, count: int, objective: Any) -> str:
    if outcome != "finished":
        return outcome
    if not pd.isna(objective):
        status += f" {objective}"
    return status if ask in ("1", "optimum") else f"{status}, {plural(count, 'solution')}"


# --- the comparison ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Differences:
    """What two runs differ in.

    ``backends``       one row a backend, with the columns ``SPEED``; ``family`` is empty
    ``families``       the same, one row a backend and family
    ``verdicts``       one row a changed verdict or answer, with the columns ``VERDICTS``; its
                       ``change`` is one of ``CHANGES``
    ``lone``           what is in one run alone, with the columns ``LONE``
    ``circumstances``  machines, versions, limits and instances that differ, one sentence each
    ``doubts``         why the figures may mislead, one sentence each
    """

    backends: pd.DataFrame
    families: pd.DataFrame
    verdicts: pd.DataFrame
    lone: pd.DataFrame
    circumstances: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def worse(self) -> pd.DataFrame:
        """The verdicts that got worse."""
        return self.verdicts[self.verdicts["change"] == "worse"]

    def find_slower(self, factor: float) -> pd.DataFrame:
        """The backends that are slower beyond noise, and by more than ``factor``."""
        is_slower = (self.backends["change"] == "slower") & (self.backends["ratio"] > factor)
        return self.backends[is_slower]

    @property
    def unjudged(self) -> pd.DataFrame:
        """The backends with too few pairs to be ever found slower."""
        return self.backends[self.backends["timed"] < find_least_pairs(len(self.backends))]


def compare_sides(base: Side, new: Side, names: Mapping[str, str] | None = None) -> Differences:
    """The differences between two runs.

    ``names`` has for each backend of the base its name in the new run; without it all backends are
    compared with those of the same name. Raises InputError where a name is not in its run, or no
    pair is left.
    """
    chosen = _choose(base, new, names)
    known = base.answers[base.answers["backend"].isin(list(chosen))]
    found = new.answers[new.answers["backend"].isin(list(chosen.values()))]
    back = {name: [one for one, other in chosen.items() if other == name] for name in found.backend}
    found = found.assign(new_backend=found["backend"], backend=found["backend"].map(back))
    found = found.explode("backend", ignore_index=True)
    keys = [*TRIED, "family"]
    both = known.merge(found, on=keys, how="inner", suffixes=("", "_new"))
    is_other = (both["digest"] != both["digest_new"]) & (both[["digest", "digest_new"]] != "").all(
        axis=1
    )
    pairs = both[~is_other].reset_index(drop=True)
    if not len(pairs):
        raise InputError(
            "the runs have nothing in common: no backend was asked the same about the same "
            "instance in both"
        )
    speed = _measure_speed(pairs, [])
    return Differences(
        backends=speed,
        families=_measure_speed(pairs, ["family"]),
        verdicts=_list_verdicts(pairs),
        lone=_list_lone(base.answers, new.answers, chosen, names is not None),
        circumstances=[
            *_compare_names(base.names, new.names, chosen),
            *_compare_machines(base.machines, new.machines),
            *_compare_versions(base.versions, new.versions, chosen),
            *_compare_limits(pairs),
            *_word_others(both[is_other]),
        ],
        doubts=[*_join_doubts(base.doubts, new.doubts), *_doubt_machine(speed, base, new)],
    )


def _choose(base: Side, new: Side, names: Mapping[str, str] | None) -> dict[str, str]:
    """The backends to compare, by their names in the base."""
    before, after = (list(dict.fromkeys(side.answers["backend"])) for side in (base, new))
    if names is None:
        return {name: name for name in before if name in after}
    for name, known, which in (
        *((name, before, "BASE") for name in names),
        *((name, after, "NEW") for name in names.values()),
    ):
        if name not in known:
            raise InputError(
                f"{which} has no backend {name!r}{did_you_mean(name, known)} "
                f"(it has {join_words(known) if known else 'none'})"
            )
    return dict(names)


def _measure_speed(pairs: pd.DataFrame, more: list[str]) -> pd.DataFrame:
    """One row a backend, and by the columns ``more``; see ``SPEED``."""
    rows: Rows = []
    for key, part in pairs.groupby(["backend", "new_backend", *more], observed=True, sort=True):
        backend, new_backend, *family = key  # type: ignore[misc]
        timed = part[part["solved"] & part["solved_new"]]
        timed = timed[timed[["seconds", "seconds_new"]].notna().all(axis=1)]
        rows.append(
            {
                "backend": backend,
                "new_backend": new_backend,
                "family": str(family[0]) if family else "",
                "pairs": len(part),
                "timed": len(timed),
                **_measure_ratio(timed),
            }
        )
    chances = correct_by_holm([row["p"] for row in rows])
    for row, chance in zip(rows, chances, strict=True):
        row["p"] = chance
        row["change"] = name_difference(row["low"], row["high"], chance)
    return pd.DataFrame(rows, columns=SPEED)


def _measure_ratio(timed: pd.DataFrame) -> dict[str, float]:
    """Times, their ratio, its interval, and how likely it is by chance, not yet corrected."""
    before, after = timed["seconds"].to_numpy(), timed["seconds_new"].to_numpy()
    found = ratios(after, before)
    low, high = interval(found, list(timed["family"]))
    return {
        "base_s": geometric_mean(before),
        "new_s": geometric_mean(after),
        "ratio": geometric_mean(found),
        "low": low,
        "high": high,
        "p": find_chance(np.log(found), list(timed["family"])),
    }


# --- verdicts ------------------------------------------------------------------------------------


def find_grade(fate: str) -> int:
    """The place in ``GRADES`` of a fate."""
    return next(place for place, fates in enumerate(GRADES) if fate in fates)


def _list_verdicts(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs whose verdict or answer changed, the worst first."""
    rows: Rows = []
    for row in list_rows(pairs):
        change = _name_verdict(*(row[name] for name in _JUDGED))
        told = {"base": row["fate"], "new": row["fate_new"]}
        told |= {"base_answer": row["answer"], "new_answer": row["answer_new"], "change": change}
        rows += [row | told] if change else []
    rows.sort(
        key=lambda row: (
            *(CHANGES.index(row["change"]), -find_grade(row["new"])),
            *(row["backend"], row["set"], row["instance"]),
        )
    )
    return pd.DataFrame(rows, columns=VERDICTS)


CHANGES = ("worse", "changed", "borderline", "better")
"""What may have become of a verdict that is not the same."""

_JUDGED = (
    *("fate", "fate_new", "answer", "answer_new", "wall_s", "wall_s_new", "limit_s", "limit_s_new"),
)


def _name_verdict(
    base: str,
    new: str,
    base_answer: str,
    new_answer: str,
    base_s: float,
    new_s: float,
    base_limit: float,
    new_limit: float,
) -> str:
    """What became of a verdict, in a word; empty if it is the same."""
    before, after = find_grade(base), find_grade(new)
    if before == after == 0:  # two answers in full: if they differ, one of them is wrong
        return "worse" if base_answer != new_answer else ""
    if before == after:
        return "changed" if (base, base_answer) != (new, new_answer) else ""
    in_time = before == 0 and after < find_grade("lost") and base_s > LATE * base_limit
    by_luck = after == 0 and before < find_grade("lost") and new_s > LATE * new_limit
    if in_time or by_luck:
        return "borderline"
    return "worse" if after > before else "better"


# --- the gate ------------------------------------------------------------------------------------


def list_faults(found: Differences, factor: float | None, worse: bool) -> list[str]:
    """Why a new run does not pass, one sentence each; empty if it passes.

    It must not have a backend that is slower by more than ``factor``, nor, with ``worse``, a
    verdict that got worse. Raises InputError where no backend could ever be found slower.
    """
    faults = (
        [f"{plural(len(found.worse), 'verdict')} got worse"] if worse and len(found.worse) else []
    )
    if factor is None:
        return faults
    faults = [
        *(
            f"{row['new_backend']} is slower than {factor:g} times: {word_ratio(row)}"
            for row in list_rows(found.find_slower(factor))
        ),
        *faults,
    ]
    if not faults and len(found.unjudged) == len(found.backends):
        raise InputError(
            f"--fail-slower cannot judge {join_words(list(found.backends['backend']))}: too few "
            "instances are solved in both runs; compare on more, at least "
            f"{find_least_pairs(len(found.backends))}"
        )
    return faults


def list_unclear(found: Differences, factor: float) -> list[str]:
    """What the gate could not find out, one sentence a backend."""
    least = find_least_pairs(len(found.backends))
    few = [
        f"--fail-slower cannot judge {row['new_backend']}: "
        f"{plural(row['timed'], 'instance')} solved in both runs, {least} are needed"
        for row in list_rows(found.unjudged)
    ]
    passed = found.backends.drop(found.find_slower(factor).index)
    return few + [
        f"{row['new_backend']} may be slower than {factor:g} times: {word_ratio(row)}; more "
        "repeats, more instances or --time cpu narrow the interval"
        for row in list_rows(passed[passed["high"] > factor])
    ]


def find_least_pairs(backends: int) -> int:
    """The fewest pairs of a backend on which one of this many can be found slower.

    The least probability of n pairs is 2 ** (1 - n), and Holm's correction may multiply it by the
    number of backends.
    """
    return max(LEAST_FOR_INTERVAL, ceil(1 + log2(backends / SIGNIFICANT)))


def word_ratio(row: Mapping[str, Any]) -> str:
    """A ratio with its interval, where it has one."""
    if np.isnan(row["low"]):
        return f"{row['ratio']:.2f}"
    return f"{row['ratio']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


# --- what is not compared, and under which circumstances ------------------------------------------


def _list_lone(
    base: pd.DataFrame, new: pd.DataFrame, chosen: Mapping[str, str], is_narrowed: bool
) -> pd.DataFrame:
    """Backends and instances that only one run has; with ``is_narrowed`` no backends."""
    rows: Rows = []
    sides = ("BASE", base, new, list(chosen)), ("NEW", new, base, list(chosen.values()))
    for name, own, other, compared in sides:
        if not is_narrowed:
            lone = [one for one in dict.fromkeys(own["backend"]) if one not in compared]
            rows += [{"run": name, "what": "backend", "name": one} for one in lone]
        known = set(map(tuple, other[INSTANCE].to_numpy()))
        mine = own.drop_duplicates(INSTANCE)[INSTANCE].to_numpy()
        for parts in map(tuple, mine):
            if parts not in known:
                said = f"{parts[0]} {parts[2]} (asked for: {parts[1]})"
                rows.append({"run": name, "what": "instance", "name": said})
    return pd.DataFrame(rows, columns=LONE)


def _compare_machines(base: Sequence[Machine], new: Sequence[Machine]) -> list[str]:
    """Which machines differ, and in what."""
    before, after = ({one.id: one for one in machines} for machines in (base, new))
    if not before or not after or before.keys() == after.keys():
        return []
    pairs = zip_longest(
        (one for key, one in before.items() if key not in after),
        (one for key, one in after.items() if key not in before),
    )
    return [
        f"machine: {_describe(one, other)} in BASE, {_describe(other, one)} in NEW; "
        "times on different machines say little about solvers"
        for one, other in pairs
    ]


def _describe(machine: Machine | None, other: Machine | None) -> str:
    """The machine, by what is not the same in the other."""
    if machine is None:
        return "none more"
    found, known = _list_parts(machine), {} if other is None else _list_parts(other)
    return ", ".join(f"{key}{value}" for key, value in found.items() if known.get(key) != value)


def _list_parts(machine: Machine) -> dict[str, str | int]:
    return {
        "": machine.processor,
        "architecture ": machine.architecture,
        "cores ": machine.cores,
        "logical cores ": machine.logical_cores,
        "usable ": machine.usable,
        "memory in MB ": machine.memory_mb,
        "system ": machine.system,
        "Python ": machine.python,
    }


def _compare_names(
    base: Mapping[str, str], new: Mapping[str, str], chosen: Mapping[str, str]
) -> list[str]:
    """The short names that mean another backend in the new run."""
    same = [name for name, other in chosen.items() if name == other]
    return [
        f"{name}: it is {base.get(name, name)} in BASE, {new.get(name, name)} in NEW"
        for name in same
        if base.get(name, name) != new.get(name, name)
    ]


def _compare_versions(
    base: Iterable[Version], new: Iterable[Version], chosen: Mapping[str, str]
) -> list[str]:
    """Which versions of solvers, of Concord and of Python differ."""
    base, new, said = list(base), list(new), []
    for name, other in chosen.items():
        before = {one.solver or "unknown" for one in base if one.backend == name}
        after = {one.solver or "unknown" for one in new if one.backend == other}
        if before and after and before != after:
            again = "" if name == other else f"{other} "
            said.append(f"{name}: {_join(before)} in BASE, {again}{_join(after)} in NEW")
    for what, field_name in (("Concord", "concord"), ("Python", "python")):
        before, after = ({getattr(one, field_name) for one in side} for side in (base, new))
        if before and after and before != after:
            said.append(f"{what}: {_join(before)} in BASE, {_join(after)} in NEW")
    return said


def _join(names: Iterable[str]) -> str:
    return join_words(sorted(names))


def _join_doubts(base: Sequence[str], new: Sequence[str]) -> list[str]:
    both = [f"both runs: {doubt}" for doubt in base if doubt in new]
    before = [f"BASE: {doubt}" for doubt in base if doubt not in new]
    return [*both, *before, *(f"NEW: {doubt}" for doubt in new if doubt not in base)]


def _doubt_machine(speed: pd.DataFrame, base: Side, new: Side) -> list[str]:
    """Whether a backend changed speed whose version, Concord and Python are the same."""
    known, found = ({v.backend: v for v in side.versions} for side in (base, new))
    changed = [
        row["backend"]
        for row in list_rows(speed[speed["change"].isin(["slower", "faster"])])
        if row["backend"] in known and known[row["backend"]] == found.get(row["new_backend"])
    ]
    if not changed:
        return []
    return [
        f"{join_words(changed)} changed speed and not version: the machine may have been slower in "
        "one of the runs; put both releases into one run (--pair), or compare the time of the CPU "
        "(--time cpu)"
    ]


def _compare_limits(pairs: pd.DataFrame) -> list[str]:
    before, after = pairs["limit_s"].fillna(np.inf), pairs["limit_s_new"].fillna(np.inf)
    differ = before != after
    if not differ.any():
        return []
    return [
        f"limit: {_name_limits(before[differ])} in BASE, {_name_limits(after[differ])} in NEW, of "
        f"{plural(int(differ.sum()), 'pair')}; verdicts change by that alone"
    ]


def _name_limits(limits: pd.Series[float]) -> str:
    return _join("none" if np.isinf(one) else f"{one:g} s" for one in set(limits))


def _word_others(others: pd.DataFrame) -> list[str]:
    """Instances that only have their name in common."""
    if not len(others):
        return []
    names = list(dict.fromkeys(f"{row.set} {row.instance}" for row in others.itertuples()))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return [f"instances of one name that are not the same, left out: {', '.join(names[:3])}{more}"]
