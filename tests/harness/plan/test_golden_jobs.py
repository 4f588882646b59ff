"""The jobs of an experiment stay the same: a run that was begun can be resumed, and merged, later.

``golden_jobs.json`` holds for each experiment its digest, and for each of some shares how many jobs
there are, a digest of all of them in their order, and a digest of the instances. It was computed
once; where a change of Concord alters it on purpose, runs of before cannot be resumed, and the
version of the store's schema has to say so. To compute it anew::

    python tests/harness/plan/test_golden_jobs.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.plan.expansion import Expansion, Share
from harness.plan.experiment import BackendChoice, Experiment, SetChoice
from harness.plan.reading import list_shipped, load, read
from modelling.errors import InstanceError

GOLDEN = Path(__file__).with_name("golden_jobs.json")
EARLIER = Path(__file__).with_name("earlier_experiments")
SHARES = (Share(), Share(2, 3))

KEPT = "sat:direct,cadical153,reuse=solver"


def by_hand() -> Iterator[Experiment]:
    """Experiments that use what the shipped ones do not."""
    yield Experiment(
        name="everything",
        sets=[
            "queens",
            SetChoice("latin", limit=3, seconds=2.5),
            SetChoice(family="queens", sizes=[4, 6, 5], count="all", keep=3),
            SetChoice(name="empty", family="latin", sizes=[3]),
            SetChoice(name="two", family="sudoku", texts={"a": "." * 16, "b": "1" + "." * 15}),
            SetChoice(name="bad", family="queens", texts={"fine": "6", "nonsense": "x"}),
        ],
        backends=[
            "brute_force",
            BackendChoice("sat", {"engine": "cadical195"}, "encoding"),
            BackendChoice("cpsat"),
        ],
        witness=["propagation"],
        count=2,
        repeat=3,
        seed=7,
        threads=2,
        solver_seed=11,
        warm_ups=1,
        tags=["a", "b"],
    )
    yield Experiment(
        name="sequences",
        sets=["cryptarithm", SetChoice("sudoku", limit=6)],
        backends=["propagation", KEPT, "brute_force"],
        count=1,
        repeat=2,
        seed=-3,
    )
    yield Experiment(
        name="listed",
        sets=["quickstart"],
        backends=["propagation", KEPT],
        order="listed",
        optimum=True,
        repeat=2,
    )
    yield Experiment(
        name="drawn",
        sets=[SetChoice("sudoku-minimal", sample=20), SetChoice("sudoku-hard", limit=100)],
        backends=["propagation", "cpsat:workers=2"],
        count=1,
        sample=7,
        seed=5,
        jobs=2,
        mode="isolated",
        memory_mb=500,
        cpu_seconds=9.5,
    )


def experiments() -> dict[str, Experiment]:
    return {name: load(name) for name in list_shipped()} | {one.name: one for one in by_hand()}


def described(experiment: Experiment) -> dict[str, Any]:
    return {
        "digest": experiment.digest,
        "shares": {str(share): expanded(experiment, share) for share in SHARES},
    }


def expanded(experiment: Experiment, share: Share) -> dict[str, Any]:
    """The jobs in words that do not depend on how Concord holds them."""
    expansion = Expansion(experiment, share)
    instances, bad = [], []
    for entry in expansion.instances():
        if isinstance(entry, InstanceError):
            bad.append(entry.place)
        else:
            instances.append((entry.set, entry.name, entry.family, entry.text))
    jobs, number = blake2b(digest_size=16), 0
    for job in expansion.jobs():
        asked, limits = job.question, job.limits
        cells = (
            *(job.number, instances[job.instance], job.backend, job.repeat, job.role),
            *(asked.text, asked.limit, asked.keep, asked.optimum),
            *(limits.seconds, limits.nodes, limits.conflicts, limits.seed, limits.threads),
        )
        jobs.update(msgspec.json.encode(cells) + b"\n")
        number += 1
    totals = expansion.totals()
    assert totals.jobs == number
    return {
        "jobs": number,
        "of": len(expansion),
        "seconds_at_worst": round(totals.seconds, 6),
        "digest": jobs.hexdigest(),
        "bad": bad,
    }


def earlier() -> dict[str, str]:
    """The digests of experiment files as runs of an earlier Concord wrote them.

    They are copies: the references themselves change whenever they are measured again.
    """
    return {path.stem: read(path).digest for path in sorted(EARLIER.glob("*.toml"))}


GOLDEN_VALUES: dict[str, Any] = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}


@pytest.mark.parametrize("name", GOLDEN_VALUES["experiments"] if GOLDEN_VALUES else [])
def test_an_experiment_gives_the_same_jobs(name: str) -> None:
    assert described(experiments()[name]) == GOLDEN_VALUES["experiments"][name]


def test_no_experiment_is_forgotten() -> None:
    assert set(GOLDEN_VALUES["experiments"]) == set(experiments())


def test_experiments_of_earlier_runs_keep_their_digests() -> None:
    assert earlier() == GOLDEN_VALUES["earlier"]


if __name__ == "__main__":
    found = {name: described(one) for name, one in experiments().items()}
    text = json.dumps({"experiments": found, "earlier": earlier()}, indent=2) + "\n"
    GOLDEN.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
