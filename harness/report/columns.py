"""What every column of a run's tables means, and its unit; ``docs/columns.md`` is made of it.

python -m harness.report.columns > docs/columns.md
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.record import OUTCOMES

Meanings = Mapping[str, tuple[str, str]]
"""Column -> its unit, empty where it has none, and its meaning."""

STATISTICS: Meanings = {
    "stat_nodes": ("", "nodes of the search; decisions of a SAT solver"),
    "stat_failures": ("", "dead ends of the search; conflicts of a SAT solver"),
    "stat_propagations": ("", "values removed or literals set by propagation"),
    "stat_peak_depth": ("", "the deepest that the search went, in decisions"),
    "stat_restarts": ("", "restarts of the search"),
    "stat_booleans": ("", "Boolean variables that CP-SAT made"),
    "stat_n_vars": ("", "variables of the formula in clauses"),
    "stat_n_clauses": ("", "clauses of the formula"),
}
"""What the backends that ship report; there may be others, named ``stat_`` and what they are."""

JOBS: Meanings = {
    "job": ("", "the job's number in the run, from 1"),
    "set": ("", "the set that the instance is from"),
    "instance": ("", "the instance's name in its set"),
    "family": ("", "the kind of puzzle"),
    "backend": ("", "the backend with its options"),
    "backend_family": ("", "the family of solvers that the backend counts as"),
    "repeat": ("", "which repeat it is, from 1"),
    "role": ("", "timed, or witness: asked about what stood unwitnessed, untimed"),
    "ask": ("", "the question: a number of solutions at most, `all`, or the optimum"),
    "limit_s": ("s", "the limit on wall time; missing where there is none"),
    "solver_seed": ("", "the seed handed to the solver"),
    "threads": ("", "the number of threads handed to the solver"),
    "outcome": ("", f"what happened: {', '.join(OUTCOMES)}"),
    "status": ("", "what the solver claims: SATISFIABLE, UNSATISFIABLE, OPTIMUM, UNKNOWN"),
    "verdict": ("", "what validation found, see the glossary"),
    "evidence": ("", "what the verdict rests on"),
    "families": ("", "independent families that answered the same question in full"),
    "count": ("", "solutions found"),
    "exhausted": ("", "whether the search space was searched to its end, by the backend's account"),
    "digest": ("", "32 hexadecimal digits of the set of solutions, whatever their order"),
    "objective": ("", "the best value known"),
    "bound": ("", "the best bound proven"),
    "incumbents": (
        "",
        "of an optimum: each better solution and tighter bound, as seconds, value, kind (`found` "
        "or `bound`)",
    ),
    "wall_s": ("s", "stating the problem, accepting and solving it, by the worker's clock"),
    "cpu_s": ("s", "user and system time of the worker and its children"),
    "import_s": ("s", "loading the backend, at a worker's first job; in no other time"),
    "model_s": ("s", "phase: stating the problem"),
    "encode_s": ("s", "phase: putting it in the solver's terms"),
    "load_s": ("s", "phase: handing it to the solver"),
    "solve_s": ("s", "phase: the search"),
    "first_solution_s": ("s", "from the beginning of the search to the first solution"),
    "decode_s": ("s", "phase: putting solutions back in the problem's terms"),
    "elapsed_s": ("s", "from sending the job to reading its answer, by the supervisor's clock"),
    "peak_memory_mb": ("MB of 2**20 bytes", "the largest resident memory during the job"),
    "encoding_reused": ("", "whether the encoding was kept from an earlier job"),
    "warm_up": ("", "why the warm-up before the job failed; empty where none did"),
    "native_status": ("", "the status in the words of the solver"),
    "configuration": ("", "what the backend chose for this structure and question"),
    "error": ("", "why there is no answer: a reason, or a traceback"),
    "output": ("", "the end of what the worker printed, kept when the job went wrong"),
    "solutions": ("", "the solutions kept, values in the order of the structure's variables"),
    "worker": ("", "number of the worker that ran it, in its session"),
    "nth": (
        "",
        "number of the job among those of its worker, or with reuse=solver of its solver, from 1",
    ),
    "attempt": ("", "1, or 2 when it was run again because its machine or reaper was lost"),
    "isolation": ("", "the means by which limits were enforced"),
    "instance_digest": ("", "a digest of the problem"),
    "version": ("", "which library and interpreter answered: a key of `run.versions`"),
    "machine": ("", "which machine it ran on: a key of `run.machines`"),
    "ended_at": ("ISO 8601, UTC", "when it ended"),
    "source": ("", "file and line of the instance"),
    **STATISTICS,
}

PHASES = ("model", "encode", "load", "solve")
"""Those of which ``timing`` has means."""

_QUESTION: Meanings = {
    "set": ("", "the set"),
    "ask": JOBS["ask"],
}

SOLVED = ("verified", "unwitnessed")
FAILED = ("gave_up", "timeout", "memout", "unsupported", "refused", "lost", "error", "crashed")
FATES = (*SOLVED, "unverified", *FAILED, "disputed", "wrong")
"""From the best to the worst."""

_FATES: Meanings = {
    "instances": ("instances", "all that it was asked; each has one of the fates below"),
    "solved": ("instances", "verified and unwitnessed ones together"),
    "verified": ("instances", "answered, and shown and checked, proven, or agreed"),
    "unwitnessed": ("instances", "answered in full, and nothing confirms or contradicts it"),
    "unverified": ("instances", "answered, and no known family stands for the answer"),
    "gave_up": ("instances", "an incomplete method, or a limit on nodes, came to its end"),
    "timeout": ("instances", "no answer within the limit of time"),
    "memout": ("instances", "out of memory"),
    "unsupported": ("instances", "a constraint or question that the backend cannot express"),
    "refused": ("instances", "the backend declined the problem"),
    "lost": ("instances", "nothing is known of the end of the job"),
    "error": ("instances", "an exception, or an answer that is none"),
    "crashed": ("instances", "the worker died"),
    "disputed": ("instances", "the answer is in conflict with another one"),
    "wrong": ("instances", "the answer is refuted"),
    "failed": ("instances", ", ".join(FAILED)),
}

_SPEED: Meanings = {
    "wins": (
        "instances",
        "on which it is as fast as the virtual best solver; none if disqualified",
    ),
    "median_s": ("s", "the median over the solved instances"),
}

_RELATIVE: Meanings = {
    "par2_s": (
        "s",
        "mean over all instances, an unsolved one counted as twice its limit; infinite where that "
        "has no limit",
    ),
    "relative": (
        "ratio",
        "geometric mean over the instances of the time divided by that of the virtual best solver; "
        "missing, with a note, where instances are unsolved",
    ),
}

_RANK: Meanings = {
    "rank": (
        "",
        "by: not disqualified, most verified, most unwitnessed, least PAR-2; equal ones share one",
    ),
    "backend": JOBS["backend"],
}

SUMMARY: Meanings = {
    **_RANK,
    "disqualified": ("", "whether an answer of it is wrong"),
    **_FATES,
    "reason": ("", "the commonest reason why there was no answer"),
    "wins": _SPEED["wins"],
    "sets": ("sets", "those that it was asked; a set with two questions is two"),
    "sets_won": ("sets", "those that it solved whole and on which it ranks first"),
    "median_s": _SPEED["median_s"],
    **_RELATIVE,
    "relative_low": ("ratio", "lower end of the 95% interval of `relative`"),
    "relative_high": ("ratio", "upper end of the 95% interval of `relative`"),
    "relative_note": ("", "why `relative` is missing"),
    "both": ("instances", "those that it and the backend ranked first solved"),
    "to_first": ("ratio", "geometric mean over these of its time divided by that of the first"),
    "to_first_low": ("ratio", "lower end of the 95% interval of `to_first`"),
    "to_first_high": ("ratio", "upper end of the 95% interval of `to_first`"),
}

AGREEMENT: Meanings = {
    **_QUESTION,
    "instances": ("instances", "all; each is counted in one of the following"),
    "verified": ("instances", "solved, and the answer is verified"),
    "unwitnessed": ("instances", "solved, and the answer is unwitnessed"),
    "disputed": ("instances", "somebody's answer is disputed"),
    "wrong": ("instances", "somebody's answer is wrong"),
    "unsolved": ("instances", "nobody solved it"),
}

TIMING: Meanings = {
    **_QUESTION,
    **_RANK,
    **_FATES,
    **_SPEED,
    "p25_s": ("s", "a quarter of the solved instances took no longer"),
    "p75_s": ("s", "three quarters of the solved instances took no longer"),
    "mean_s": ("s", "the mean over the solved instances"),
    "p95_s": ("s", "95% of the solved instances took no longer"),
    "max_s": ("s", "the longest of the solved instances"),
    "total_s": ("s", "the sum over the solved instances"),
    "spread": (
        "ratio",
        "how far the repeats of an instance lie apart: 1.05 is typically 5% from their middle; "
        "missing without repeats",
    ),
    **{
        f"{phase}_s": ("s", f"mean of the phase {phase} over the jobs of the solved instances")
        for phase in PHASES
    },
    **_RELATIVE,
    "relative_note": ("", "why `relative` is missing"),
}

REASONS: Meanings = {
    "backend": JOBS["backend"],
    "outcome": ("", "what happened instead of an answer"),
    "reason": ("", "the error, of a traceback the last line, cut after 200 characters"),
    "jobs": ("jobs", "number of jobs that ended like this"),
    "first_job": ("", "the number of the first of them; `concord replay` runs it again"),
}

TABLES: Mapping[str, tuple[str, Meanings]] = {
    "summary": ("One row a backend, over all sets.", SUMMARY),
    "agreement": ("One row a set and question.", AGREEMENT),
    "timing": ("One row a set, question and backend.", TIMING),
    "reasons": ("One row a backend, outcome and reason: why there was no answer.", REASONS),
    "jobs": ("One row a job that has ended.", JOBS),
}

_HEAD = """# Columns

<!-- Made by: python -m harness.report.columns > docs/columns.md -->

A run has five tables, which are pandas DataFrames: `run.summary`, `run.agreement`, `run.timing`,
`run.reasons`, `run.jobs`. Their columns are always all there, also of a run without a job. Only
`run.jobs` may have more: one `stat_...` for each statistic that a backend of your own reports.
The other four are made of seventeen columns of `run.jobs`, which one query reads, so that a million
jobs have tables without all that is known of them in memory.

The time of an instance is the median over its repeats. Ratios take times below a microsecond, the
resolution of the clock, as a microsecond. The *virtual best solver* takes for each instance the
time of the fastest backend that solved it and is not disqualified. Intervals are of 95%, from 2,000
seeded draws of instances, set by set.
"""


def write_document() -> str:
    """The whole document, in Markdown."""
    parts = [_HEAD]
    for name, (about, meanings) in TABLES.items():
        rows = [f"| `{column}` | {unit} | {text} |" for column, (unit, text) in meanings.items()]
        head = ["| column | unit | meaning |", "|---|---|---|"]
        parts.append("\n".join([f"## run.{name}", "", about, "", *head, *rows, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    print(write_document(), end="")
