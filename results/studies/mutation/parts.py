"""Which tests answer for which source files: the parts of the study, and how many mutants of each.

The tests of a part run in the order in which they stand, the most direct first, and a mutant is
killed by the first that fails. Names behind ``::`` and ``-k`` are pytest's.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Mutants are drawn from ``sources``; ``tests`` must kill them."""

    name: str
    number: int
    sources: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = (
    Part(
        "collector",
        14,
        ("backends/collector.py",),
        ("tests/backends/test_collecting.py", "tests/backends/test_collector.py"),
    ),
    Part(
        "check",
        14,
        ("modelling/check.py", "modelling/brute_force.py"),
        ("tests/modelling/test_check.py", "tests/modelling/test_problem.py"),
    ),
    Part(
        "validate",
        20,
        ("harness/validate.py",),
        ("tests/harness/test_validate.py",),
    ),
    Part(
        "store",
        22,
        ("harness/store.py", "harness/store_commits.py", "harness/store_file.py"),
        (
            "tests/harness/test_store.py",
            "tests/harness/test_store_faults.py",
            "tests/harness/test_merging.py",
        ),
    ),
    Part(
        "limits",
        20,
        ("harness/limit_watch.py", "harness/isolation.py", "harness/cgroups.py"),
        (
            "tests/harness/test_limit_watch.py",
            "tests/harness/test_isolation.py",
            "tests/harness/test_supervision.py",
        ),
    ),
    Part(
        "worker",
        16,
        ("harness/worker.py",),
        ("tests/harness/test_worker.py", "tests/harness/test_supervision.py"),
    ),
    Part(
        "sat",
        26,
        (
            "backends/sat/encode.py",
            "backends/sat/linear.py",
            "backends/sat/table.py",
            "backends/sat/at_most_one.py",
            "backends/sat/diagram.py",
            "backends/sat/decode.py",
        ),
        ("tests/backends/test_sat_encoding.py", "tests/backends/test_sat.py"),
    ),
    Part(
        "cpsat",
        18,
        (
            "backends/cpsat/backend.py",
            "backends/cpsat/formulations.py",
        ),
        ("tests/backends/test_cpsat.py", "tests/backends/test_conformance.py -k cpsat"),
    ),
    Part(
        "python_constraint",
        14,
        ("backends/python_constraint.py",),
        ("tests/backends/test_python_constraint.py",),
    ),
    Part(
        "propagators",
        30,
        (
            "backends/propagation/all_different.py",
            "backends/propagation/branching.py",
            "backends/propagation/encoding.py",
            "backends/propagation/linear.py",
            "backends/propagation/search.py",
            "backends/propagation/state.py",
            "backends/propagation/table.py",
        ),
        (
            "tests/backends/test_propagation.py",
            "tests/backends/test_propagators.py",
            "tests/backends/test_conformance.py -k propagation",
        ),
    ),
    Part(
        "kernels",
        26,
        (
            "backends/ladder/compiled/bitboard.py",
            "backends/ladder/compiled/alldifferent.py",
            "backends/ladder/compiled/searches.py",
            "backends/ladder/compiled/recognise.py",
        ),
        ("tests/backends/test_compiled_batch.py", "tests/backends/test_compiled.py"),
    ),
    Part(
        "tables",
        20,
        ("harness/tables.py", "harness/statistics.py"),
        ("tests/harness/test_tables.py",),
    ),
    Part(
        "resume",
        12,
        ("harness/executing.py",),
        ("tests/harness/test_run.py", "tests/harness/test_run_verbs.py"),
    ),
)
