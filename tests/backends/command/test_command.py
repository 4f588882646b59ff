"""Programs as backends: what becomes of their answers, and of programs that give none."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import concord
from backends.interface.api import Ask, Limits, Optimum, Result, Solutions
from backends.interface.programs import formulas, process
from backends.interface.programs.answers import file as answer_file
from modelling.errors import BackendUnavailable, ProgramFailed, Unsupported
from modelling.problem import Problem, Structure

FAKE = Path(__file__).with_name("fake_solver.py")


def fake(behaviour: str, arguments: str = "", settings: str = "dimacs") -> str:
    return f"command:{settings}:{{python}} -I -S {FAKE} {behaviour} {arguments}"


def small() -> Problem:
    """Three variables, ten solutions; the formula has few literals."""
    return concord.problem(
        {"x": (0, 1), "y": (0, 2, 5), "b": (0, 1)}, [concord.Linear(("x", "y"), (1, 1), "<=", 5)]
    )


def solve(name: str, ask: Ask = Solutions(1), seconds: float | None = None) -> Result:
    return concord.solve(small(), ask, backend=name, limits=Limits(seconds=seconds))


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not asked for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def wait_for_end(pid: int) -> bool:
    until = time.perf_counter() + 5
    while is_alive(pid) and time.perf_counter() < until:
        time.sleep(0.01)
    return not is_alive(pid)


@pytest.fixture(autouse=True)
def _no_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert not list(folder.iterdir())


@pytest.mark.parametrize("behaviour", ["honest", "honest_reversed", "wrong_exit_status"])
def test_a_solution_counts_and_the_exit_status_does_not(behaviour: str) -> None:
    found = solve(fake(behaviour))
    assert (found.status, found.count) == ("SATISFIABLE", 1)


@pytest.mark.parametrize(
    ("behaviour", "settings"),
    [
        ("honest", "dimacs"),
        pytest.param("positive_only", "dimacs", marks=pytest.mark.once),
        ("all_models", "dimacs,all="),
        pytest.param("last_of_all", "dimacs,all=", marks=pytest.mark.once),
    ],
)
def test_all_solutions_are_counted_by_leaving_out_those_shown(
    behaviour: str, settings: str
) -> None:
    found = solve(fake(behaviour, settings=settings), Solutions(None, keep=None))
    assert (found.count, found.stopped_by, found.repeats) == (10, "exhausted", 0)
    assert found.digest == solve("brute_force", Solutions(None)).digest


def test_a_model_may_be_written_to_a_file() -> None:
    found = solve(fake("to_file", "{answer} {file}"), Solutions(2))
    assert (found.count, found.stopped_by) == (2, "enough")


@pytest.mark.parametrize(
    ("behaviour", "status", "stopped_by", "words"),
    [
        ("unknown", "UNKNOWN", "gave_up", "UNKNOWN"),
        ("odd_word", "UNKNOWN", "gave_up", "UNSAT"),
        ("unsatisfiable", "UNSATISFIABLE", "exhausted", "UNSATISFIABLE"),
    ],
)
def test_only_the_word_itself_says_unsatisfiable(
    behaviour: str, status: str, stopped_by: str, words: str
) -> None:
    found = solve(fake(behaviour))
    assert (found.status, found.stopped_by, found.native_status) == (status, stopped_by, words)


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("silent", "it ended without an answer.*stderr ends in: c parsed . c gave no answer"),
        ("refuses", "exit status is 2; stderr ends in: unknown option -q"),
        ("both", "it says both SATISFIABLE and UNSATISFIABLE"),
        ("model_and_unsatisfiable", "it shows a solution and says UNSATISFIABLE"),
        ("no_model", "it says SATISFIABLE and shows no solution"),
        ("cut_short", "its output breaks off within a solution"),
        ("wrong_model", "is no solution|gives . no value, or two"),
        ("foreign_words", "a model has literals, not 'x1 is true, my friend 0'"),
        ("binary", "it ended without an answer"),
        ("one_endless_line", "it printed a line of more than 1,000,000 bytes"),
        ("crash", "it was ended by SIGSEGV; stderr ends in: about to crash"),
    ],
)
def test_what_is_no_answer_is_an_error_that_names_the_command(
    behaviour: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LONGEST_LINE", 1_000_000)
    with pytest.raises(ProgramFailed, match=message) as caught:
        solve(fake(behaviour), seconds=30)
    assert f"fake_solver.py {behaviour}" in str(caught.value)


def test_an_optimum_is_of_a_solution_that_is_shown() -> None:
    problem = concord.problem(
        {"x": (0, 1), "y": (0, 1)}, [], objective=concord.Objective("maximize", ("x", "y"), (3, 2))
    )
    best = concord.solve(problem, Optimum(), backend=fake("optimum -5", "'x1 x2'", "opb"))
    assert (best.status, best.objective) == ("OPTIMUM", 5)
    for value, model in ((-6, "x1 x2"), (-5, "x1 -x2"), (0, "x1 x2")):
        with pytest.raises(ProgramFailed, match="shows no solution of that value"):
            concord.solve(problem, Optimum(), backend=fake(f"optimum {value}", f"'{model}'", "opb"))


def test_what_a_program_says_does_nothing_to_a_terminal() -> None:
    native = solve(fake("escapes")).native_status
    assert native.startswith("?[31mODD?[0mDDD")
    assert len(native) <= 200
    with pytest.raises(ProgramFailed, match="stderr ends in") as caught:
        solve(fake("escapes", "{file}", settings="flatzinc"))
    assert str(caught.value).isprintable()


def test_a_file_that_is_not_written_is_no_answer() -> None:
    with pytest.raises(
        ProgramFailed, match=r"ended without an answer.*output ends in: SATISFIABLE"
    ):
        solve(fake("file_not_written", "{answer} {file}"))


def prints(settings: str, text: str) -> str:
    return fake("prints", f"'{text}'", settings)


@pytest.mark.parametrize(
    ("settings", "text", "words"),
    [
        ("xcsp3", r"s UNKNOWN\nd COMPLETE EXPLORATION\n", "UNKNOWN"),
        ("xcsp3", r"s UNSUPPORTED\nd COMPLETE EXPLORATION\n", "UNSUPPORTED"),
        ("flatzinc", r"=====UNKNOWN=====\n==========\n", "UNKNOWN"),
        ("flatzinc", r"=====ERROR=====\n==========\n", "ERROR"),
        ("flatzinc", r"=====UNSATorUNBOUNDED=====\n==========\n", "UNSATorUNBOUNDED"),
    ],
)
def test_a_complete_search_that_shows_nothing_is_not_unsatisfiable(
    settings: str, text: str, words: str
) -> None:
    found = solve(prints(settings, text))
    assert (found.status, found.stopped_by, found.native_status) == ("UNKNOWN", "gave_up", words)
    problem = concord.problem(
        {"x": (0, 1)}, [], objective=concord.Objective("maximize", ("x",), (1,))
    )
    best = concord.solve(problem, Optimum(), backend=prints(settings, text))
    assert (best.status, best.objective) == ("UNKNOWN", None)


def test_a_mark_of_the_end_late_in_a_limit_is_not_unsatisfiable() -> None:
    name = fake("prints_late", r"1.56 '==========\n'", "flatzinc")
    found = solve(name, seconds=2.0)
    assert (found.status, found.stopped_by) == ("UNKNOWN", "time")


ONE = "<instantiation> <list> x y b </list> <values> 0 0 0 </values> </instantiation>"


@pytest.mark.parametrize(
    ("settings", "text", "message"),
    [
        ("xcsp3", r"s UNSATISFIABLE\ns SATISFIABLE\n", "it says both"),
        ("xcsp3", rf"v {ONE}\ns OPTIMUM FOUND\ns UNSATISFIABLE\n", "it says both"),
        ("dimacs", r"s UNSATISFIABLE\ns UNKNOWN\n", "it says both"),
        ("flatzinc", r"=====UNSATISFIABLE=====\n=====UNKNOWN=====\n", "it says both"),
        ("xcsp3", r"v <list> x x </list> <values> 0 1 </values> </instantiation>\n", "two values"),
        ("flatzinc", r"x = 0;\nx = 1;\n----------\n", "two values"),
        ("dimacs", r"v 1 -1 0\n", "both true and false"),
        ("opb", r"v x1 -x1\n", "both true and false"),
    ],
)
def test_answers_that_contradict_each_other_are_errors(
    settings: str, text: str, message: str
) -> None:
    with pytest.raises(ProgramFailed, match=message):
        solve(prints(settings, text))


@pytest.mark.parametrize(
    "values", ["0x" + "1" * 5000, "1" * 5000, "0x900000000", "0 0 1_0", r"\u0663 0 0"]
)
def test_values_of_xcsp3_that_are_none_are_errors(values: str) -> None:
    text = f"v <list> x y b </list> <values> {values} </values> </instantiation>"
    with pytest.raises(ProgramFailed, match="a solution has"):
        solve(prints("xcsp3", rf"s SATISFIABLE\n{text}\n"))


def test_an_answer_of_many_elements_is_an_error_in_time() -> None:
    start = time.perf_counter()
    with pytest.raises(ProgramFailed, match="a solution has a list and values"):
        solve(fake("many_elements", settings="xcsp3"), seconds=10)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    ("printed", "written"),
    [
        (r"s SATISFIABLE\n", "UNSAT"),
        (r"SATISFIABLE\n", "UNSAT"),
        (r"s SATISFIABLE", "UNSAT"),
        (r"s UNKNOWN\n", "UNSAT"),
        (r"s UNSATISFIABLE\n", "INDET"),
        (r"s UNSATISFIABLE\ns SATISFIABLE\n", "INDET"),
    ],
)
def test_what_is_printed_must_not_contradict_the_file(printed: str, written: str) -> None:
    with pytest.raises(ProgramFailed, match=r"it prints .* and writes|it says both"):
        solve(fake("prints_and_writes", f"'{printed}' '{written}' {{answer}}"))


def test_what_is_printed_may_agree_with_the_file() -> None:
    for printed in (r"SAT?\nv 1 0\n", r"UNSATISFIABLE\n", r"s UNSATISFIABLE\n"):
        found = solve(fake("prints_and_writes", f"'{printed}' UNSAT {{answer}}"))
        assert found.status == "UNSATISFIABLE"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("pipe", "its answer file is not a plain file"),
        ("folder", "its answer file is not a plain file"),
        ("device", "its answer file is not a plain file"),
        ("zeros", "its answer file has a line of more than 1,000,000 bytes"),
        ("nothing", "it ended without an answer"),
    ],
)
def test_only_a_plain_file_of_plain_lines_is_an_answer(
    kind: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LONGEST_LINE", 1_000_000)
    with pytest.raises(ProgramFailed, match=message):
        solve(fake(f"makes_of_answer {kind}", "{answer} {file}"), seconds=30)


def test_an_answer_file_is_not_longer_than_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_file, "MOST_BYTES", 100)
    with pytest.raises(ProgramFailed, match="its answer file has more than 100 bytes"):
        solve(fake("prints_and_writes", rf"'' '{'x' * 60}\n{'x' * 60}\n' {{answer}}"))


def test_a_pipe_in_place_of_the_problem_is_removed_before_the_next_run() -> None:
    found = solve(fake("pipe_for_problem"), Solutions(2), seconds=30)
    assert found.count == 2


def test_the_file_of_the_run_before_is_no_answer() -> None:
    with pytest.raises(ProgramFailed, match="ended without an answer"):
        solve(fake("to_file_once", "{answer} {file}"), Solutions(2))


def test_a_solution_that_was_left_out_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_SAVED", str(tmp_path / "saved"))
    with pytest.raises(ProgramFailed, match="shows a solution again that its problem leaves out"):
        solve(fake("same_again"), Solutions(2))


def test_a_crash_behind_a_solution_takes_nothing_from_it() -> None:
    assert solve(fake("model_then_crash")).count == 1


@pytest.mark.once
def test_much_output_is_passed_over() -> None:
    assert solve(fake("many_lines")).count == 1


@pytest.mark.parametrize("behaviour", ["endless", "stubborn"])
def test_a_program_that_does_not_end_is_ended_in_time(behaviour: str) -> None:
    found = solve(fake(behaviour), seconds=0.5)
    assert (found.status, found.stopped_by) == ("UNKNOWN", "time")


def test_a_program_that_is_told_to_end_may_show_what_it_has() -> None:
    found = solve(fake("best_at_the_end"), seconds=1.0)
    assert (found.status, found.count) == ("SATISFIABLE", 1)


@pytest.mark.parametrize("behaviour", ["model_then_endless", "closed_output"])
def test_one_solution_is_not_waited_beyond(behaviour: str) -> None:
    assert solve(fake(behaviour), seconds=60).count == 1


@pytest.mark.parametrize("behaviour", ["with_child", "endless_with_child", "endless_with_session"])
def test_what_a_program_has_started_ends_with_it(
    behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child"
    monkeypatch.setenv("FAKE_CHILD", str(child))
    found = solve(fake(behaviour), seconds=1.0)
    assert found.count == (behaviour == "with_child")
    assert wait_for_end(int(child.read_text()))


def test_temporary_files_of_a_program_lie_in_the_folder_that_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_SAVED", str(tmp_path / "saved"))
    solve(fake("temporary"))
    made, file = (tmp_path / "saved").read_text().splitlines()
    assert Path(made).parent == Path(file).parent
    assert not Path(made).exists()


# --- programs that cannot be run ------------------------------------------------------------------


def write(path: Path, text: str, mode: int = 0o755) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_a_program_that_is_not_there_is_named_with_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "cadikal", "#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendUnavailable, match=r"no program 'cadical' on the PATH.*cadikal"):
        concord.get_backend("command:dimacs:cadical -q")
    with pytest.raises(BackendUnavailable, match="there is no program /nowhere/solver"):
        concord.get_backend("command:dimacs:/nowhere/solver")


def test_a_file_of_this_folder_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "mine", "#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BackendUnavailable, match=r"did you mean \./mine"):
        concord.get_backend("command:dimacs:mine")
    assert concord.get_backend("command:dimacs:./mine").name == "command:dimacs:./mine"


def test_a_file_that_is_not_executable_or_a_folder_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "plain", "#!/bin/sh\n", 0o644)
    with pytest.raises(BackendUnavailable, match="is not executable: chmod"):
        concord.get_backend(f"command:dimacs:{path}")
    with pytest.raises(BackendUnavailable, match="is a folder"):
        concord.get_backend(f"command:dimacs:{tmp_path}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("echo hello\n", "made for another kind of machine, or is a script without"),
        ("\x7fELF nothing", "made for another kind of machine, or is a script without"),
        ("#!/nowhere/python\n", "the interpreter or loader that it asks for is missing"),
    ],
)
def test_what_the_system_does_not_run_says_why(content: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "solver", content)
    with pytest.raises(BackendUnavailable, match=message):
        solve(f"command:dimacs:{path}")


def test_what_a_format_cannot_say_is_unsupported_by_name() -> None:
    name = fake("honest", settings="flatzinc")
    problem = concord.problem({"x": (0, 10**30)}, [concord.Linear(("x",), (1,), ">", 0)])
    with pytest.raises(Unsupported, match=r"command:flatzinc:.*the number 1000000000") as caught:
        concord.solve(problem, backend=name)
    assert caught.value.backend == concord.get_backend(name).name


def test_a_formula_is_kept_and_givens_of_every_kind_are_clauses() -> None:
    backend = concord.get_backend(fake("honest"))
    for masks in ((3, 7, 3), (1, 7, 3), (3, 5, 2), (3, 6, 3), (2, 2, 1)):
        problem = Problem(small().structure, masks)
        found = concord.solve(problem, Solutions(None), backend=backend)
        assert found.digest == concord.solve(problem, Solutions(None)).digest
    assert found.encoding_reused


@pytest.mark.parametrize(
    ("domain", "factor", "sense", "best"),
    [
        ((0, 1), 3, "maximize", 1),
        ((3, 5, 9), -2, "minimize", 9),
        ((3, 5, 9), 2, "minimize", 5),
        (range(-5, 5000), -1, "minimize", 4999),
    ],
)
def test_an_optimum_of_one_variable_adds_clauses_to_the_formula(
    domain: Sequence[int], factor: int, sense: str, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    make = formulas.FormulaBase.__init__

    def noting(self: formulas.FormulaBase, structure: Structure, name: str) -> None:
        made.append(structure)
        make(self, structure, name)

    monkeypatch.setattr(formulas.FormulaBase, "__init__", noting)
    problem = concord.problem(
        {"x": domain},
        [concord.Linear(("x",), (1,), "!=", 3)],
        objective=concord.Objective(sense, ("x",), (factor,)),
    )
    backend = concord.get_backend(fake("honest"))
    found = concord.solve(problem, Optimum(), backend=backend)
    assert (found.status, found.objective, found.solutions) == (
        "OPTIMUM",
        factor * best,
        ((best,),),
    )
    assert len(made) == 1


def test_an_optimum_of_a_sum_is_a_formula_for_each_bound() -> None:
    problem = concord.problem(
        {"x": (0, 1, 2), "y": (0, 3)},
        [concord.NotEqual(("x", "y"))],
        objective=concord.Objective("maximize", ("x", "y"), (1, -1)),
    )
    best = concord.solve(problem, Optimum(), backend=fake("honest"))
    assert (best.status, best.objective) == ("OPTIMUM", 2)


def test_an_optimum_that_is_not_proven_is_no_optimum() -> None:
    problem = concord.problem(
        {"x": (0, 1, 2)}, [], objective=concord.Objective("minimize", ("x",), (1,))
    )
    found = concord.solve(problem, Optimum(), backend=fake("unknown_of_units"))
    assert (found.status, found.stopped_by, found.count) == ("SATISFIABLE", "gave_up", 1)
