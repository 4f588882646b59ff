"""`concord sets` as its users meet it; no byte leaves this machine."""

import hashlib
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from unreliable_server import Server, plain, stalling, status, whole

from harness.cli.verbs import app
from puzzles.sets import catalogue
from puzzles.sets.reading import read_set

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
DATA = f"{EASY}\n".encode() * 100
DIGEST = hashlib.sha256(DATA).hexdigest()
HALF = 4000

RUNG = ("--backend", "ladder:one_integer")
"""Starts quickly."""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.chdir(tmp_path)


class Done(NamedTuple):
    stdout: str
    stderr: str


@pytest.fixture
def concord(capsys):
    """Carries out a command and looks at its exit status."""

    def run(*arguments, status=0):
        with pytest.raises(SystemExit) as left:
            app(list(arguments), prog_name="concord")
        done = Done(*capsys.readouterr())
        assert left.value.code == status, done
        return done

    return run


@pytest.fixture
def server():
    with Server(whole(DATA)) as running:
        yield running


def add(concord, server, *more):
    url = ("--url", f"{server.address}/evening.txt", "--sha256", DIGEST)
    return concord("sets", "add", *url, "--bytes", str(len(DATA)), *more)


def listed(concord):
    return {one["name"]: one for one in json.loads(concord("sets", "--json").stdout)}


def test_what_there_is(concord):
    found = listed(concord)
    assert found["quickstart"]["state"] == "ships"
    assert found["quickstart"]["members"]
    assert found["top95"]["state"] == "to fetch"
    assert found["top95"]["number"] == 95
    text = concord("sets").stdout
    for name in found:
        assert name in text
    assert "to fetch" in text


def test_from_an_address_to_the_solutions(concord, server):
    done = add(concord, server, "--about", "for the [red]evening[/red]", "--family", "sudoku")
    assert "concord sets fetch evening" in done.stdout
    assert listed(concord)["evening"]["state"] == "to fetch"
    refused = concord("solve", "evening", status=2).stderr
    assert "get it with: concord sets fetch evening" in refused
    refused = concord("compare", "--set", "evening", "-b", "propagation", status=2).stderr
    assert "get it with: concord sets fetch evening" in refused
    done = concord("sets", "fetch", "evening")
    name, path = done.stdout.strip().split(": ", 1)
    assert name == "evening"
    assert Path(path).read_bytes() == DATA
    assert listed(concord)["evening"]["state"] == "fetched"
    assert concord("solve", "evening", *RUNG).stdout.splitlines() == [SOLVED] * 100
    done = concord("compare", "-s", "evening", *RUNG, "--limit", "2", "--json", "-q")
    assert json.loads(done.stdout)["agreement"][0]["set"] == "evening"
    facts = concord("sets", "show", "evening").stdout
    for fact in (DIGEST, path, "for the [red]evening[/red]", "sudoku", server.address):
        assert fact in facts
    assert json.loads(concord("sets", "show", "evening", "--json").stdout)["bytes"] == len(DATA)
    concord("sets", "fetch", "evening")
    assert len(server.asked) == 1
    assert "removed from" in concord("sets", "remove", "evening").stdout
    assert not Path(path).exists()
    assert "evening" not in listed(concord)


def test_a_file_of_ones_own(concord, tmp_path):
    (tmp_path / "mine.txt").write_text(f"{EASY}\n{EASY}\n", encoding="utf-8")
    assert concord("sets", "add", "mine.txt", "--about", "two").stdout == "mine: 2 puzzles\n"
    found = listed(concord)["mine"]
    assert (found["state"], found["number"], found["about"]) == ("added", 2, "two")
    assert concord("solve", "mine", *RUNG).stdout.splitlines() == [SOLVED] * 2
    (tmp_path / "mine.txt").write_text(f"{EASY}\n", encoding="utf-8")
    assert listed(concord)["mine"]["state"] == "changed"
    assert "has changed" in concord("solve", "mine", status=2).stderr
    assert json.loads(concord("sets", "add", "mine.txt", "--json").stdout)["number"] == 1
    (tmp_path / "mine.txt").unlink()
    assert listed(concord)["mine"]["state"] == "gone"
    (tmp_path / "mine.txt").write_text(f"{EASY}\n", encoding="utf-8")
    assert "stays as it is" in concord("sets", "remove", "mine").stdout
    assert (tmp_path / "mine.txt").exists()


def test_bad_lines_of_a_file_that_is_added_are_told(concord, tmp_path):
    (tmp_path / "mine.txt").write_text(f"{EASY}\n{'[bold]' * 2}\n" * 12, encoding="utf-8")
    done = concord("sets", "add", "mine.txt", status=1)
    assert done.stdout == "mine: 12 puzzles\n"
    assert "mine.txt:2:" in done.stderr
    assert "12 lines cannot be read; these are the first 10" in done.stderr


def test_several_sets_of_which_some_fail(concord, server):
    add(concord, server)
    add(concord, server, "--name", "twin")
    server.answers = [status(404), plain(DATA)]
    done = concord("sets", "fetch", "evening", "twin", "sudoku", "twin", status=1)
    assert "the server answers 404 Not Found" in done.stderr
    assert "sudoku ships with Concord" in done.stderr
    assert done.stdout.startswith("twin: ")
    done = concord("sets", "fetch", "evening", "twin", "--json", "-q")
    assert done.stderr == ""
    assert [one["state"] for one in json.loads(done.stdout)] == ["fetched"] * 2


def test_everything_behind_a_dead_proxy(concord, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # the port of a service nobody runs
    done = concord("sets", "fetch", "--all", "-q", status=1)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()  # the others are not tried
    assert "through the proxy 127.0.0.1:9 cannot be reached" in line
    assert "it is checked before it is used" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fetch",), "or --all (there are: "),
        (("fetch", "--all", "top95"), "or --all (there are: "),
        (("fetch", "top59"), "did you mean 'top95'?"),
        (("fetch", "top95", "zzzzzz"), "no set is called 'zzzzzz'"),
        (("fetsh",), "fetsh"),
        (("--json", "fetch", "top95"), "concord sets fetch ... --json"),
        (("add",), "name either a FILE"),
        (("add", "x.txt", "--url", "http://x/y"), "name either a FILE"),
        (("add", "--url", "http://x/y"), "--sha256 is missing"),
        (("add", "--url", "x/y", "--sha256", "0" * 64), "[y].url: must be an http address"),
        (("add", "--url", "http://x/y", "--sha256", "00"), "[y].sha256: must be 64"),
        (("add", "--url", "http://x/y", "--sha256", "0" * 64, "--bytes", "0"), "--bytes"),
        (("add", "--url", "http://x/y", "--sha256", "0" * 64, "--family", "x"), "[y].family"),
        (("add", "x.txt", "--sha256", "0" * 64), "--sha256 needs --url"),
        (("add", "none.txt"), "none.txt cannot be read"),
        (("add", "none.txt", "--name", "a/b"), "'a/b' cannot name a set"),
        (("remove", "top95"), "'top95' is not on this machine"),
        (("remove", "sudoku"), "'sudoku' ships with Concord"),
        (("show", "sudok"), "did you mean 'sudoku'?"),
    ],
)
def test_wrong_usage_is_explained_with_status_2(concord, arguments, message):
    assert message in concord("sets", *arguments, status=2).stderr


def test_a_set_that_ships_is_shown(concord):
    facts = json.loads(concord("sets", "show", "sudoku", "--json").stdout)
    assert facts["state"] == "ships"
    assert Path(facts["path"]).is_file()


def test_a_broken_catalogue_of_ones_own(concord, tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "catalogue.toml").write_text("[mine]\nurl = 3\n", encoding="utf-8")
    for arguments in (("sets",), ("sets", "fetch", "top95"), ("solve", "mine")):
        assert "catalogue.toml: [mine].url: must be" in concord(*arguments, status=2).stderr
    assert concord("solve", "sudoku-unsatisfiable", *RUNG).stdout


def until(condition):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never came about")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no Ctrl-C to one process")
def test_interrupted_it_says_how_to_go_on_and_goes_on(concord, server, tmp_path):
    add(concord, server)
    server.answers = [stalling(DATA, HALF)]
    running = subprocess.Popen(
        [sys.executable, "-m", "harness.cli.entry", "sets", "fetch", "evening"],
        stderr=subprocess.PIPE,
        text=True,
    )
    part = tmp_path / "cache" / "sets" / f"evening-{DIGEST[:12]}.txt.part"
    until(lambda: part.exists() and part.stat().st_size == HALF)
    running.send_signal(signal.SIGINT)
    _, talk = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "continue with: concord sets fetch evening" in talk
    assert "Traceback" not in talk
    assert sorted(path.suffix for path in part.parent.iterdir()) == [".origin", ".part"]
    server.answers = [whole(DATA)]
    concord("sets", "fetch", "evening")
    assert server.asked[-1]["Range"] == f"bytes={HALF}-"
    assert [path.suffix for path in part.parent.iterdir()] == [".txt"]


def test_bars_on_a_terminal_and_lines_elsewhere(tmp_path, monkeypatch):
    import io

    from rich.console import Console

    from harness.cli import bars
    from harness.cli.screen import Screen
    from puzzles.sets.fetch import Progress

    steps = [
        Progress("evening", 0, 2000, "connecting"),
        Progress("evening", 1000, 2000, "the server says [red]no[/red]; trying again in 1 s"),
        Progress("twin", 5, None, "fetching"),
        Progress("evening", 2000, 2000, "checking"),
    ]

    def shown(terminal, quiet=False):
        screen = Screen(quiet)
        talk = io.StringIO()
        screen.err = Console(file=talk, force_terminal=terminal, width=150)
        with bars.show_downloads(screen) as show:
            for step in steps if show else []:
                show(step)
        return talk.getvalue()

    drawn = shown(terminal=True)
    assert "evening" in drawn
    assert "2.0/2.0 kB" in drawn
    lines = shown(terminal=False)
    assert lines == (
        "evening: 1.0 kB of 2.0 kB, the server says [red]no[/red]; trying again in 1 s\n"
    )
    monkeypatch.setattr(bars, "LINE_SECONDS", -1.0)
    assert shown(terminal=False).splitlines()[2] == "twin: 5 bytes, fetching"
    assert shown(terminal=True, quiet=True) == ""


def test_the_catalogue_in_the_documents_can_be_read(tmp_path):
    text = (Path(__file__).parents[3] / "docs" / "sets.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (block,) = [one for one in blocks if "evening" in one]
    assert list(catalogue.parse(block, tmp_path)) == ["evening", "morning"]
    for key in catalogue.KEYS:
        assert f"`{key}`" in text


def test_a_family_of_ones_own_reads_a_set_by_its_name(tmp_path):
    (tmp_path / "config").mkdir()
    data = b"3 4 6\n2 2 1\n"
    (tmp_path / "tiny.txt").write_bytes(data)
    (tmp_path / "config" / "catalogue.toml").write_text(
        f"[sums]\nfile = '{(tmp_path / 'tiny.txt').as_posix()}'\n"
        f"sha256 = '{hashlib.sha256(data).hexdigest()}'\n",
        encoding="utf-8",
    )
    assert [one.text for one in read_set("sums", "py:tiny_family:Tiny")] == ["3 4 6", "2 2 1"]
