"""What ``--help`` says of every verb, and what the program says of itself."""

import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from harness.cli.verbs import app
from puzzles.sets import read_catalogues, ships

ROOT = Path(__file__).parents[3]
WIDTH = 60
SENTENCE = re.compile(r"[A-Z].*[^.]\.", re.DOTALL)


def commands(command=None, path=()):
    """Every command with the words that call it."""
    command = command or typer.main.get_command(app)
    yield path, command
    for name in sorted(command.list_commands(None)) if hasattr(command, "list_commands") else ():
        yield from commands(command.get_command(None, name), (*path, name))


ALL = dict(commands())
VERBS = {path: command for path, command in ALL.items() if path}


def examples(command):
    lines = (command.epilog or "").splitlines()
    assert lines[:2] == ["\b", "Examples:"]
    return [line.strip() for line in lines[2:]]


def called(path):
    return " ".join(path)


@pytest.mark.parametrize("path", VERBS, ids=called)
def test_a_summary_fits_its_line(path):
    summary = VERBS[path].help.split("\n\n")[0]
    assert len(summary) <= WIDTH
    assert SENTENCE.fullmatch(summary)
    assert "\n" not in summary


def test_no_summary_is_cut_at_80_columns():
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).stdout
    assert "..." not in shown.partition("Commands:")[2]


@pytest.mark.parametrize("path", ALL, ids=called)
def test_help_fits_80_columns(path):
    shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "80"}).stdout
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("path", ALL, ids=called)
def test_every_help_is_a_whole_sentence(path):
    for parameter in ALL[path].params:
        assert SENTENCE.fullmatch(parameter.help or ""), parameter.name
    for paragraph in ALL[path].help.split("\n\n"):
        assert paragraph.rstrip()[-1] in ".?", paragraph


@pytest.mark.parametrize("path", VERBS, ids=called)
def test_examples_are_commands_that_are_understood(path):
    lines = examples(VERBS[path])
    assert lines
    for line in lines:
        words = shlex.split(line, comments=True)
        words = words[: min(words.index(sign) if sign in words else 99 for sign in "|>")]
        assert words[: 1 + len(path)] == ["concord", *path], line
        rest = words[1 + len(path) :]
        context = understand(path, rest)
        assert not [word for word in context.args if word.startswith("-")], line


def understand(path, words):
    """What a command makes of its words."""
    command = VERBS[path]
    context = command.make_context(called(path), list(words))
    if hasattr(command, "list_commands") and words and words[0] in command.list_commands(context):
        name, command, words = command.resolve_command(context, words)
        context = command.make_context(name, words, parent=context)
    return context


def sets_in(line):
    """The sets that an example names: words that are neither files nor puzzles themselves."""
    words = shlex.split(line, comments=True)[1:]
    words = words[: min(words.index(sign) if sign in words else 99 for sign in "|>")]
    path = max((path for path in VERBS if tuple(words[: len(path)]) == path), key=len)
    found = understand(path, words[len(path) :]).params
    named = [*(found.get("sets") or []), found.get("source") or ""]
    if path == ("sets", "fetch"):
        named += found["names"] or []
    if path == ("sets", "show"):
        named.append(found["name"])
    return [name.partition(":")[0] for name in named if re.fullmatch(r"[\w:-]{2,}", name)]


def test_every_set_in_an_example_is_there():
    lines = [line for command in VERBS.values() for line in examples(command)]
    named = {name for line in lines for name in sets_in(line)}
    assert {"sudoku", "sudoku-hard", "sudoku17"} <= named
    known = read_catalogues()
    assert [name for name in sorted(named) if not ships(name) and name not in known] == []


@pytest.mark.parametrize(
    "path",
    [(), ("solve",), ("generate",), ("generate", "queens"), ("sets",), ("sets", "add")],
    ids=called,
)
def test_help_is_asked_for_in_two_ways(path):
    short, long = (CliRunner().invoke(app, [*path, flag]) for flag in ("-h", "--help"))
    assert short.exit_code == 0
    assert short.stdout == long.stdout
    assert short.stdout.startswith("Usage: ")
    assert path == () or "Examples:\n" in short.stdout


def concord(*words, **settings):
    return subprocess.run(
        [sys.executable, "-m", "harness.cli.entry", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        **settings,
    )


def test_it_tells_its_version():
    done = concord("--version")
    assert (done.returncode, done.stdout) == (0, f"concord {version('solver-concord')}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_of_the_shell(shell, monkeypatch):
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    done = concord("--show-completion", shell)
    assert done.returncode == 0
    assert f"_CONCORD_COMPLETE=complete_{shell}" in done.stdout
    assert done.stderr == ""


def test_completion_knows_the_verbs_and_their_options(monkeypatch):
    for typed, known in (
        ("concord com", "compare"),
        ("concord solve --cou", "--count"),
        ("concord generate kna", "knapsack"),
        ("concord generate knapsack --ite", "--items"),
    ):
        monkeypatch.setenv("_CONCORD_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", typed)
        monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
        assert known in concord().stdout.split()


def test_the_families_fit_80_columns():
    shown = CliRunner().invoke(app, ["families"], env={"COLUMNS": "80"}).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert re.search(r"^knapsack +133  knapsack: the most valuable", shown, re.MULTILINE)
