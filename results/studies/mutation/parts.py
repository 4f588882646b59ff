"""Which tests answer for which source files: the parts of the study, and how many mutants of each.

The tests of a part run in the order of its list, the most direct first. The first that fails kills
the mutant. Names after ``::`` and ``-k`` are pytest's.
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

    @property
    def files(self) -> tuple[str, ...]:
        """The files of its tests."""
        return tuple(dict.fromkeys(tests.split()[0].split("::")[0] for tests in self.tests))


PARTS = (
    Part(
        "validate",
        20,
        (
            "harness/judge/validate.py",
            "harness/judge/claims.py",
            "harness/judge/answers.py",
        ),
        (
            "tests/harness/judge/test_claims.py",
            "tests/harness/judge/test_validate.py",
            "tests/harness/judge/test_optimum_rules.py",
            "tests/harness/judge/test_clocks.py",
            "tests/harness/judge/test_witness.py",
            "tests/harness/judge/test_first_sights.py",
            "tests/harness/judge/test_stated_answers.py",
        ),
    ),
    Part(
        "evidence",
        12,
        (
            "backends/interface/evidence/answer.py",
            "backends/interface/evidence/batch.py",
        ),
        ("tests/backends/interface/evidence/test_evidence.py",),
    ),
    Part(
        "collector",
        12,
        ("backends/interface/collector.py",),
        ("tests/backends/interface/test_collector.py",),
    ),
    Part(
        "check",
        12,
        (
            "modelling/check.py",
            "modelling/brute_force.py",
        ),
        (
            "tests/modelling/test_check.py",
            "tests/modelling/test_problem.py",
        ),
    ),
    Part(
        "store",
        20,
        (
            "harness/store/store.py",
            "harness/store/reading.py",
        ),
        (
            "tests/harness/store/test_store.py",
            "tests/harness/store/test_store_faults.py",
            "tests/harness/store/test_sealing.py",
        ),
    ),
    Part(
        "worker",
        14,
        ("harness/supervise/worker.py", "harness/supervise/answering.py"),
        ("tests/harness/supervise/test_worker.py", "tests/harness/supervise/test_supervisor.py"),
    ),
    Part(
        "limits",
        16,
        (
            "harness/supervise/limits.py",
            "harness/supervise/settings.py",
            "harness/supervise/cgroups.py",
        ),
        (
            "tests/harness/supervise/test_limits.py",
            "tests/harness/supervise/test_settings.py",
            "tests/harness/supervise/test_cgroups.py",
            "tests/harness/supervise/test_descendants.py",
            "tests/harness/supervise/test_supervision.py -k 'limit or give or cost or pinned'",
        ),
    ),
    Part(
        "tables",
        18,
        (
            "harness/report/jobs.py",
            "harness/report/optima.py",
            "harness/report/standings.py",
            "harness/report/tables.py",
            "harness/statistics.py",
        ),
        (
            "tests/harness/report/test_tables.py",
            "tests/harness/report/test_optima.py",
            "tests/harness/report/test_summary.py",
            "tests/harness/report/test_columns_of_jobs.py",
        ),
    ),
    Part(
        "resume",
        12,
        (
            "harness/runs/execution.py",
            "harness/plan/expansion.py",
            "puzzles/sets/reading.py",
        ),
        (
            "tests/puzzles/sets/test_reading.py",
            "tests/harness/plan/test_expansion.py",
            "tests/harness/runs/test_execution.py",
            "tests/puzzles/sets/test_models.py -k two_models",
            "tests/harness/cli/test_command_line.py -k 'likely or sample'",
            "tests/harness/report/test_run.py -k 'end_to_end or refused or complete or another'",
        ),
    ),
    Part(
        "sat",
        20,
        (
            "backends/sat/encode.py",
            "backends/sat/sums/linear.py",
            "backends/sat/constraints/table.py",
            "backends/sat/at_most_one.py",
            "backends/sat/sums/diagram.py",
        ),
        (
            "tests/backends/sat/test_sat_encoding.py",
            "tests/backends/sat/test_sat_integers.py",
        ),
    ),
    Part(
        "cpsat",
        14,
        (
            "backends/cpsat/backend.py",
            "backends/cpsat/callback.py",
            "backends/cpsat/formulations.py",
            "backends/cpsat/configuration.py",
            "backends/cpsat/search.py",
            "backends/cpsat/views.py",
            "backends/cpsat/handlers/counting.py",
            "backends/cpsat/handlers/formulas.py",
            "backends/cpsat/handlers/functions.py",
            "backends/cpsat/handlers/graphs.py",
            "backends/cpsat/handlers/guards.py",
            "backends/cpsat/handlers/ordering.py",
            "backends/cpsat/handlers/scheduling.py",
        ),
        (
            "tests/backends/cpsat/test_cpsat.py",
            "tests/backends/cpsat/test_native.py",
            "tests/backends/cpsat/test_plan.py",
            "tests/backends/conformance/test_edges.py -k cpsat",
            "tests/backends/conformance/test_common.py -k cpsat",
            "tests/backends/conformance/test_conformance.py -k cpsat",
        ),
    ),
    Part(
        "python_constraint",
        12,
        (
            "backends/python_constraint/__init__.py",
            "backends/python_constraint/early.py",
            "backends/python_constraint/posing.py",
        ),
        (
            "tests/backends/test_python_constraint.py",
            "tests/backends/test_early_checks.py",
            "tests/backends/conformance/test_edges.py -k python_constraint",
            "tests/backends/conformance/test_common.py -k python_constraint",
            "tests/backends/conformance/test_positions.py -k python_constraint",
            "tests/backends/conformance/test_conformance.py -k python_constraint",
        ),
    ),
    Part(
        "propagators",
        20,
        (
            "backends/propagation/encode/draft.py",
            "backends/propagation/kernel/branching.py",
            "backends/propagation/kernel/domains.py",
            "backends/propagation/kernel/fixpoint.py",
            "backends/propagation/kernel/search.py",
            "backends/propagation/propagators/linear.py",
        ),
        (
            "tests/backends/propagation/test_branching.py",
            "tests/backends/propagation/test_linear_propagators.py",
            "tests/backends/propagation/test_propagation.py",
        ),
    ),
    Part(
        "kernels",
        16,
        (
            "backends/sudoku_kernel/bitboard.py",
            "backends/sudoku_kernel/alldifferent.py",
            "backends/sudoku_kernel/searches.py",
            "backends/sudoku_kernel/recognise.py",
        ),
        (
            "tests/backends/sudoku_kernel/test_compiled_batch.py",
            "tests/backends/sudoku_kernel/test_compiled.py",
        ),
    ),
)
