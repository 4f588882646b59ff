"""Names of programs: what is typed, on a command line and in TOML, and what is run."""

from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path

import pytest

import concord
from backends.command.backend import Command
from backends.command.name import read
from backends.interface import registry
from backends.interface.api import Limits
from backends.interface.programs.program import Order
from modelling.errors import UnknownBackend

ORDER = Order("one", "/t/problem.cnf", "/t/answer", None, None, None)
FAKE = Path(__file__).with_name("fake_solver.py")


def words(text: str, order: Order = ORDER) -> list[str]:
    return Command(read(text), "/bin/solver").words(order)[1:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dimacs:solver", ["/t/problem.cnf"]),
        ("dimacs:solver -q", ["-q", "/t/problem.cnf"]),
        ("dimacs:solver {file} -q", ["/t/problem.cnf", "-q"]),
        ("dimacs:solver {file} {answer}", ["/t/problem.cnf", "/t/answer"]),
        ("dimacs:solver --in={file}", ["--in=/t/problem.cnf"]),
        ("dimacs:solver 'two words' \"a:b\" c\\ d", ["two words", "a:b", "c d", "/t/problem.cnf"]),
        ("dimacs:solver $HOME `ls` ; rm *", ["$HOME", "`ls`", ";", "rm", "*", "/t/problem.cnf"]),
        ("dimacs:solver {{x}} {file}", ["{x}", "/t/problem.cnf"]),
        (
            "dimacs:solver -t {seconds} -s {seed} -p {threads}",
            "-t 1000000 -s 0 -p 1 /t/problem.cnf",
        ),
        ("dimacs,workers=3:solver {threads}", "3 /t/problem.cnf"),
        (" dimacs , all = 0 :  solver", None),
        ("dimacs,all=0:solver", ["/t/problem.cnf"]),
    ],
)
def test_the_words_of_a_command(text: str, expected: list[str] | str | None) -> None:
    if expected is None:
        with pytest.raises(UnknownBackend, match="unknown option 'all '"):
            read(text)
        return
    assert words(text) == (expected.split() if isinstance(expected, str) else expected)


def test_limits_and_flags_are_filled_in() -> None:
    text = 'opb,all="-n 0",optimum=-o:solver {flags} -t {seconds} -m {milliseconds} -s {seed}'
    every = Order("all", "/f", "/a", 2.75, 7, 2)
    assert words(text, every) == ["-n", "0", "-t", "2", "-m", "2750", "-s", "7", "/f"]
    assert words(text, Order("optimum", "/f", "/a", 0.001, 7, 2))[:3] == ["-o", "-t", "1"]
    assert words(text, Order("one", "/f", "/a", 2.75, 7, 2))[0] == "-t"
    assert words("opb,all=0:solver -q", every) == ["-q", "0", "/f"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "command: a format and a program must be named; write command:FORMAT:PROGRAM"),
        ("dimacs", "command:dimacs: a program must be named"),
        ("cadical -q", "a format and a program must be named"),
        ("dimacs:", "no program is named"),
        ("dimax:solver", "unknown format 'dimax'; did you mean 'dimacs'"),
        ("cnf:solver", "unknown format 'cnf'; did you mean 'dimacs'"),
        (":solver", "no format"),
        ("dimacs,al=0:solver", "unknown option 'al'; did you mean 'all'"),
        ("dimacs,all:solver", "all needs a value"),
        ("dimacs,all=0,all=1:solver", "all is given twice"),
        ("dimacs,workers=two:solver", "workers takes an integer of at least 1, not 'two'"),
        ("dimacs,workers=0:solver", "workers takes an integer of at least 1"),
        ("dimacs:solver {fil}", "unknown place-holder {fil}; did you mean 'file'"),
        ("dimacs,all={x}:solver", "unknown place-holder {x}"),
        ("dimacs:solver 'x", "cannot be split into words: no closing quotation"),
    ],
)
def test_what_cannot_be_a_command_says_what_to_write(text: str, message: str) -> None:
    for ask in (registry.spec, registry.get):
        with pytest.raises(UnknownBackend) as caught:
            ask(f"command:{text}")
        assert message in str(caught.value)


def test_a_wrong_head_is_told_the_right_one() -> None:
    with pytest.raises(UnknownBackend, match="did you mean 'command'"):
        registry.spec("comand:dimacs:cadical")


def test_a_name_goes_through_a_shell_and_through_toml() -> None:
    name = 'command:opb,all="-n 0":{python} -c "print(1)" {file}'
    assert shlex.split(f"concord compare --backend {shlex.quote(name)}")[-1] == name
    assert tomllib.loads(f"backends = ['{name}']")["backends"] == [name]
    assert registry.spec(name).text == name
    assert concord.get_backend(name).name == name
    spaced = "command: opb :  {python} -c x "
    assert registry.spec(spaced).text == "command:opb:{python} -c x"
    assert concord.get_backend(spaced).name == "command:opb:{python} -c x"


def test_threads_are_told_to_the_harness() -> None:
    assert registry.workers("command:dimacs,workers=4:cadical") == 4
    assert registry.workers("command:dimacs:cadical") == 1


def test_limits_reach_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SAVED", str(tmp_path / "saved"))
    name = f"command:dimacs:{{python}} -I -S {FAKE} told {{seconds}} {{seed}} {{threads}} {{file}}"
    problem = concord.problem({"x": (0, 1)}, [])
    concord.solve(problem, backend=name, limits=Limits(seconds=10, seed=5, threads=3))
    (told,) = (tmp_path / "saved").read_text().splitlines()
    assert told.startswith("['8', '5', '3', ")


def test_the_version_is_that_of_the_program_and_of_its_files(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    found = set()
    for content in ("1", "2", "2"):
        script.write_text(content)
        found.add(concord.get_backend(f"command:dimacs:{sys.executable} {script}").version)
    assert len(found) == 2
