"""Which tests answer for which source files: the parts of the study, and how many mutants of each.

The tests of a part run in the order of its list, the most direct first. The first that fails kills
the mutant. Names after ``::`` and ``-k`` are pytest's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Part:
    """Mutants are drawn from ``sources``; ``tests`` must kill them.

    The tests run with the variables of ``environment``, and also depend on the files ``read``. A
    test has ``each`` seconds of the processor; 0: as many as it takes.
    """

    name: str
    number: int
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    each: float = 0

    @property
    def files(self) -> tuple[str, ...]:
        """The files of its tests."""
        return tuple(dict.fromkeys(tests.split()[0].split("::")[0] for tests in self.tests))


def engine(name: str, sources: str, tests: tuple[str, ...]) -> Part:
    """A part of the hand-written solver: 20 of its 200 mutants; nothing is compiled."""
    room, tested = "backends/propagation", "tests/backends/propagation"
    helpers = ("propagator_checks", "learning_checks", "short_words", "conftest")
    return Part(
        name,
        20,
        tuple(f"{room}/{source}.py" for source in sources.split()),
        tuple(f"{tested}/{test}" for test in tests),
        {"PROPAGATOR_FORMS": "pure short"},
        (*(f"{tested}/{helper}.py" for helper in helpers), f"{tested}/counts.json"),
        each=4,
    )


BACKTRACKING = "test_counters.py -k 'not learning'"
LEARNING = "test_counters.py -k learning"
ENCODED = "test_encoded_constraints.py"
EXPLANATIONS = "test_explanations.py -k 'follow and not (crowded or variable or tasks or shared)'"
TASKS_EXPLAINED = "test_explanations.py -k 'follow and (tasks or shared)'"

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
        (
            "tests/harness/supervise/test_worker.py",
            "tests/harness/supervise/test_supervisor.py",
            "tests/harness/supervise/sandbox/test_afterwards.py",
        ),
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
            "tests/harness/judge/test_clocks.py",
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
            "tests/harness/runs/test_racing.py -k budget",
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
    engine(
        "propagators",
        "encode/draft kernel/branching kernel/domains kernel/fixpoint kernel/search"
        " propagators/linear",
        (
            "test_domains.py",
            "test_branching.py -k 'not both_forms'",
            "test_propagation.py -k 'not compiled'",
            BACKTRACKING,
            "test_linear_propagators.py",
            LEARNING,
            "test_learning.py",
        ),
    ),
    engine(
        "propagation_arrays",
        "encode/arena encode/bitsets encode/handlers kernel/nogoods kernel/queue kernel/restarts"
        " kernel/stated kernel/trail kernel/words propagators/member",
        (
            "test_domains.py",
            "test_nogoods.py -k 'not both_forms'",
            "test_stated_search.py -k 'not both_forms'",
            "test_aligned_words.py",
            "test_branching.py -k 'not both_forms'",
            "test_propagation.py -k 'not compiled'",
            BACKTRACKING,
            "test_linear_propagators.py",
            "test_extension_propagators.py",
            LEARNING,
            "test_learning.py -k explanations",
        ),
    ),
    engine(
        "propagation_arithmetic",
        "encode/arithmetic propagators/arithmetic/affine propagators/arithmetic/distance"
        " propagators/arithmetic/division propagators/arithmetic/element"
        " propagators/arithmetic/extremes propagators/arithmetic/product",
        ("test_arithmetic_propagators.py", EXPLANATIONS, LEARNING),
    ),
    engine(
        "propagation_different",
        "propagators/counting/aligned propagators/counting/different_bounds"
        " propagators/counting/different_domain propagators/counting/different_tight"
        " propagators/counting/different_values",
        (
            "test_aligned_words.py",
            "test_matchings.py",
            ENCODED,
            "test_counting_propagators.py",
            BACKTRACKING,
            EXPLANATIONS,
        ),
    ),
    engine(
        "propagation_counting",
        "encode/counting propagators/counting/count propagators/counting/inverse"
        " propagators/counting/lex propagators/counting/precedence",
        (ENCODED, "test_counting_propagators.py", EXPLANATIONS),
    ),
    engine(
        "propagation_extension",
        "encode/extension propagators/extension/allowed propagators/extension/forbidden"
        " propagators/extension/layers propagators/extension/rows",
        ("test_extension_propagators.py", "test_learning.py -k tables", EXPLANATIONS),
    ),
    engine(
        "propagation_formulas",
        "encode/clauses encode/formulas encode/graphs propagators/formulas/clauses"
        " propagators/formulas/equation_literal propagators/formulas/value_literals"
        " propagators/graphs/chains propagators/graphs/component"
        " propagators/graphs/connectivity",
        (ENCODED, "test_formula_propagators.py", "test_graph_propagators.py", EXPLANATIONS),
    ),
    engine(
        "propagation_scheduling",
        "encode/scheduling propagators/scheduling/bin_packing propagators/scheduling/cumulative"
        " propagators/scheduling/cumulative_energy"
        " propagators/scheduling/edge_finding propagators/scheduling/no_overlap"
        " propagators/scheduling/no_overlap_2d propagators/scheduling/sorting"
        " propagators/scheduling/theta_tree",
        (
            ENCODED,
            "test_no_overlap_propagators.py",
            "test_cumulative_energy.py",
            "test_cumulative_propagators.py",
            "test_bin_packing_propagators.py",
            "test_no_overlap_2d_propagators.py",
            TASKS_EXPLAINED,
        ),
    ),
    engine(
        "learning_analysis",
        "kernel/facts learning/analyse learning/domains learning/fixpoint learning/reasons",
        ("test_domains.py", LEARNING, "test_learning.py", EXPLANATIONS),
    ),
    engine(
        "learning_search",
        "learning/activity learning/clauses learning/layout learning/memory"
        " learning/scheduling learning/search learning/solver",
        (ENCODED, LEARNING, "test_learning.py", "test_objective_search.py", EXPLANATIONS),
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
