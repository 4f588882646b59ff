"""Published claims that contradict one another come out disputed, or wrong, and none verified.

    python -m results.studies.formats.disputed_claims CLAIMS.json [--out FOLDER]

``CLAIMS.json`` lists disputes in the published results of the MiniZinc Challenge: for each instance
what solvers claimed (``"unsat"``, ``"sat"``, ``"opt 1515"``) and which better solutions others
showed. Each is made a stated answer (``harness.plan.answers``) and judged as answers that come with
an instance are, without the instance: nothing is checked, so what contradicts is disputed.
Exit status 1 if a dispute does not come out as one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from backends.interface.api import Limits
from harness.job import Job
from harness.judge.validate import judge
from harness.plan.answers import STATED, Answer, find_question, make_record
from harness.record import Row, VerdictWord
from results.studies.runner import write_text

SENSES = {"MIN": "minimize", "MAX": "maximize"}


def list_claims(dispute: dict[str, Any]) -> Iterator[Answer]:
    """The claims about one instance, each with the solver that made it."""
    common: dict[str, Any] = {"instance": name_of(dispute), "sense": SENSES.get(dispute["kind"])}
    for claim, solvers in dispute["claims"].items():
        word, _, value = claim.partition(" ")
        for solver in solvers:
            if word == "opt":
                yield Answer("optimal", optimum=int(value), stated=solver, **common)
            elif word == "unsat":
                yield Answer("unsatisfiable", stated=solver, instance=common["instance"])
            elif word == "sat":
                yield Answer("satisfiable", stated=solver, instance=common["instance"])
            else:
                raise ValueError(f"{common['instance']}: {claim!r} is no claim that is known")
    for shown in dispute["better_solutions_shown"]:
        value = shown["value"]
        yield Answer("satisfiable", objective=value, stated=shown["solver"], **common)


def name_of(dispute: dict[str, Any]) -> str:
    """Year, problem and instance."""
    return f"{dispute['year']} {dispute['problem']} {dispute['instance']}"


def judge_claims(claims: Sequence[Answer]) -> list[tuple[str, VerdictWord, str]]:
    """By whom each is stated, its verdict and what that rests on."""
    rows = []
    for number, answer in enumerate(claims, 1):
        by, question = f"{STATED}{answer.stated}", find_question(answer)
        job = Job(
            number, "claims", str(answer.instance), "", "", by, question, Limits(), role="stated"
        )
        rows.append(Row(job=job, record=make_record(answer, number)))
    found = zip(claims, judge(rows), strict=True)
    return [(str(answer.stated), verdict.verdict, verdict.evidence) for answer, verdict in found]


def report(disputes: Sequence[dict[str, Any]]) -> tuple[str, bool]:
    """The table as Markdown, and whether every dispute came out as one."""
    lines = [
        "# Published claims that contradict one another",
        "",
        "Made by `python -m results.studies.formats.disputed_claims CLAIMS.json` from disputes in "
        "the published results of the MiniZinc Challenge: each claim is judged as an answer that "
        "came with the instance.",
        "",
        "| instance | claims | disputed | wrong | others | the first says |",
        "|---|---:|---:|---:|---|---|",
    ]
    fine = True
    for dispute in disputes:
        verdicts = judge_claims(list(list_claims(dispute)))
        count = Counter(word for _, word, _ in verdicts)
        others = ", ".join(f"{n} {w}" for w, n in count.items() if w not in ("disputed", "wrong"))
        first = next((said for _, word, said in verdicts if word in ("disputed", "wrong")), "")
        fine &= count["disputed"] + count["wrong"] >= 2 and not count["verified"]
        lines.append(
            f"| {name_of(dispute)} | {len(verdicts)} | {count['disputed']} | {count['wrong']} | "
            f"{others or '-'} | {first.partition('; ')[0]} |"
        )
    return "\n".join(lines) + "\n", fine


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the claims, print the table, and write it to ``--out``."""
    parser = argparse.ArgumentParser(description="judge published claims that are in dispute")
    parser.add_argument("claims", type=Path, help="the JSON file of disputes")
    parser.add_argument("--out", type=Path, help="folder of disputed_claims.md")
    chosen = parser.parse_args(arguments)
    disputes = json.loads(chosen.claims.read_text(encoding="utf-8"))["disputes"]
    table, fine = report(disputes)
    print(table)
    if chosen.out is not None:
        write_text(chosen.out / "disputed_claims.md", table)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
