"""The command line as its users meet it: in a process of its own."""

import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
import within_process

from backends.interface import registry
from harness.cli.output_file import open_output
from modelling.errors import InputError

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
NONE = "11" + "." * 79
UNSATISFIABLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def command(*arguments):
    return [sys.executable, "-m", "harness.cli.entry", *arguments]


@pytest.fixture
def concord(tmp_path):
    """Runs a command in an empty folder and returns what came out."""

    def run(*arguments, text=None, **more):
        return subprocess.run(
            command(*arguments),
            input=text,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=120,
            check=False,
            **more,
        )

    return run


@pytest.fixture
def within(tmp_path):
    """The same in this process."""
    return partial(within_process.within, tmp_path)


def clean(result, status):
    """The exit status is as it should be and there is no traceback."""
    assert "Traceback" not in result.stderr, result.stderr
    assert result.returncode == status, result.stderr
    return result


def test_help_names_every_verb(within):
    text = clean(within("--help"), 0).stdout
    for verb in ("compare", "run", "solve", "backends", "sets", "table", "export"):
        assert verb in text
        assert clean(within(verb, "--help"), 0).stdout


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """What a comparison has said; commands in the folder of its run."""
    within = partial(within_process.within, tmp_path_factory.mktemp("compared"))
    words = ("compare", "-s", "latin", "-b", "propagation", "-b", "cpsat")
    return within, clean(within(*words), 0)


def test_compare_says_who_won_and_prints_agreement_and_timing(compared):
    within, done = compared
    asked, _, said = done.stdout.partition("\n")
    assert asked == "Asked: first solution of 8 instances."
    assert re.match(
        r"(propagation|cpsat) (is fastest|ranks first|and \w+ (are equally|cannot be))", said
    )
    assert "Summary of 1 set, 8 instances; ranked by" in done.stdout
    assert "Agreement: all 8 instances" in done.stdout
    assert "Timing: median ms" in done.stdout
    assert "run: results/runs/" in done.stderr.replace(os.sep, "/")
    table = clean(within("table", "--format", "markdown", "--which", "agreement"), 0).stdout
    assert table.splitlines()[0].startswith("| set | ask | instances | verified |")
    assert "| latin | 1 |" in table
    jobs = clean(within("table", "--which", "jobs"), 0).stdout
    assert "solution checked; agreed by 2 families" in jobs
    rows = [json.loads(line) for line in within("export", "--format", "jsonl").stdout.splitlines()]
    assert {row["backend"] for row in rows} == {"propagation", "cpsat"}
    assert all(row["verdict"] == "verified" for row in rows)
    assert clean(within("export"), 0).stdout.startswith("job,set,instance")
    clean(within("export", "--format", "parquet"), 2)
    clean(within("export", "--format", "csv", "--out", "jobs.csv"), 0)
    assert (within.args[0] / "jobs.csv").read_text("utf-8").startswith("job,set,instance")


def test_a_comparison_can_be_drawn(within, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra 'report'")
    words = ("compare", "-s", "latin", "--limit", "2", "-b", "propagation", "--plot")
    done = clean(within(*words, "--out", "mine"), 0)
    assert f"plot: mine{os.sep}cactus.png" in done.stderr
    assert (tmp_path / "mine" / "cactus.png").read_bytes().startswith(b"\x89PNG")


def test_tables_as_csv_are_one_table_each(compared):
    within, _ = compared
    heads = {
        "summary": "rank,backend,disqualified,",
        "agreement": "set,ask,instances,",
        "timing": "set,ask,rank,backend,",
        "jobs": "job,set,instance,",
    }
    for which, head in heads.items():
        text = clean(within("table", "--format", "csv", "--which", which), 0).stdout
        frame = pd.read_csv(io.StringIO(text))
        assert text.startswith(head)
        assert len(frame) == {"summary": 2, "agreement": 1, "timing": 2, "jobs": 16}[which]
        assert "\n\n" not in text
    assert clean(within("table", "--format", "csv"), 0).stdout.startswith(heads["summary"])
    markdown = clean(within("table", "--format", "markdown"), 0).stdout
    assert markdown.startswith("| rank | backend |")
    assert markdown.count("| set | ask | ") == 2
    assert "stat_nodes" not in clean(within("table", "--which", "jobs"), 0).stdout
    assert "stat_nodes" in clean(within("table", "--which", "jobs", "--wide"), 0).stdout
    assert "relative_low" in clean(within("table", "--wide"), 0).stdout


FAILING = """
import os
from backends.interface.api import Accepted, Result

class Raises:
    name, native, version = "failing", frozenset(), ""
    def accepts(self, problem):
        return Accepted()
    def solve(self, problem, ask=None, limits=None, sink=None):
        raise RuntimeError("out of order")

class Dies(Raises):
    def solve(self, problem, ask=None, limits=None, sink=None):
        os._exit(3)

class GivesUp(Raises):
    def solve(self, problem, ask=None, limits=None, sink=None):
        return Result(count=0, stopped_by="gave_up")
"""


def test_backends_that_fail_make_the_exit_status_1(within, tmp_path):
    (tmp_path / "failing.py").write_text(FAILING)
    faults = {
        "Raises": "1 of 1 instance error: ",
        "Dies": "1 of 1 instance crashed",
        "GivesUp": "it answered none of 1 instance",
    }
    own = [word for name in faults for word in ("-b", f"py:failing:{name}")]
    done = clean(within("compare", "-s", "latin", "--limit", "1", "-b", "propagation", *own), 1)
    for name, fault in faults.items():  # each alone makes it 1
        assert f"py:failing:{name}: {fault}" in done.stderr
    assert "Not answered" in done.stdout


def test_a_refusal_is_no_failure_and_its_reason_is_shown(within):
    words = ("compare", "-s", "cryptarithm", "--limit", "2", "-b", "propagation")
    done = clean(within(*words, "-b", "ladder:trail"), 0)
    assert re.search(r"ladder:trail: 2 (refused|unsupported) \(first: job \d\): \w", done.stdout)


def test_an_export_that_cannot_be_written_says_why(compared):
    within, _ = compared
    tmp_path = within.args[0]
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    says = "cannot be written: {}; name another file"
    for form in ("csv", "jsonl", "parquet"):
        for out, cause in (
            ("nowhere/x.csv", "No such file or directory"),
            ("file/x.csv", "Not a directory"),
            ("folder", "it is a folder"),
            ("x" * 300, "File name too long"),
            *([("/dev/full", "No space left on device")] if Path("/dev/full").exists() else []),
        ):
            done = clean(within("export", "--format", form, "--out", out), 2)
            assert f"concord: {out} {says.format(cause)}" in done.stderr
    assert not list(tmp_path.rglob("*.new"))
    clean(within("export", "--out", os.devnull), 0)
    assert Path(os.devnull).is_char_device() or os.name == "nt"


def test_a_read_only_file_is_not_replaced(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(InputError, match="read-only"), open_output(tmp_path / "mine.csv") as stream:
        stream.write("other")
    assert (tmp_path / "mine.csv").read_text() == "mine"


def test_results_as_json(within):
    arguments = ("-s", "cryptarithm", "-b", "propagation", "--limit", "2", "--json", "-q")
    done = clean(within("compare", *arguments), 0)
    data = json.loads(done.stdout)
    assert data["agreement"][0]["instances"] == 2
    assert data["timing"][0]["solved"] == 2
    assert data["summary"][0]["verified"] == 2
    assert data["headline"].startswith("propagation solved all 2 instances")
    assert data["reasons"] == []
    assert done.stderr == ""
    assert len(json.loads(within("backends", "--json").stdout)) >= 5
    assert {s["name"] for s in json.loads(within("sets", "--json").stdout)} > {"quickstart"}


@pytest.fixture
def _without_two(monkeypatch):
    """On a machine where two solvers are not installed."""
    found = registry.missing
    hints = {name: f"{name} needs {name}-lib: pip install {name}-lib" for name in ("choco", "z3")}
    monkeypatch.setattr(
        registry,
        "missing",
        lambda entry: hints[entry.name] if entry.name in hints else found(entry),
    )


@pytest.mark.usefixtures("_without_two")
@pytest.mark.parametrize(
    ("backends", "message"),
    [
        (("choco",), "concord: choco needs choco-lib: pip install choco-lib\n"),
        (
            ("choco:search=first", "z3"),
            "concord: none of the backends can be used here:\n"
            "choco needs choco-lib: pip install choco-lib\nz3 needs z3-lib: pip install z3-lib\n",
        ),
    ],
)
def test_nothing_runs_where_no_backend_is_installed(within, tmp_path, backends, message):
    named = [word for name in backends for word in ("-b", name)]
    done = clean(within("compare", "-s", "latin", *named), 2)
    assert (done.stdout, done.stderr) == ("", message)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("_without_two")
def test_a_backend_that_is_not_installed_is_told_of_before_the_first_job(within):
    done = within("compare", "-s", "latin", "--limit", "1", "-b", "choco", "-b", "propagation")
    first = "choco will answer nothing: choco needs choco-lib: pip install choco-lib"
    assert done.stderr.startswith(first)


def test_an_engine_that_is_not_installed_is_told_of_at_once(within, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycryptosat", None)
    done = clean(within("compare", "-s", "latin", "-b", "sat:cryptominisat"), 2)
    assert "pip install 'solver-concord[cryptominisat]'" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("verb", "option", "wrong", "cause"),
    [
        ("compare", "--set", "sudok", "no set and no file is called 'sudok'; did you mean"),
        ("compare", "--set", "py", "no set and no file is called 'py'"),
        ("compare", "--backend", "propagatoin", "no backend is called 'propagatoin'"),
        ("compare", "--witness", "propagatoin", "no backend is called 'propagatoin'"),
        (
            "compare",
            "--family",
            "py:nowhere:Family",
            "py:nowhere:Family: there is no module 'nowhere'",
        ),
        ("compare", "--family", "sudok", "no puzzle family is called 'sudok'; did you mean"),
        ("compare", "--seconds", "1e12", "must be at most 1000000000, not 1e+12"),
        ("compare", "--limit", f"{10**13}", "must be at most 1000000000000"),
        ("compare", "--sample", f"{10**8}", "must be at most 10000000, not 100000000"),
        ("compare", "--repeat", f"{10**7}", "must be at most 1000000, not 10000000"),
        ("compare", "--jobs", "10001", "must be at most 10000, not 10001"),
        ("compare", "--seed", f"{-(2**63) - 1}", "must be at least -9223372036854775808"),
        ("run quickstart --dry-run", "--jobs", "10001", "must be at most 10000, not 10001"),
    ],
)
def test_an_error_names_the_option_and_not_the_key_of_a_file(within, verb, option, wrong, cause):
    sets = () if option == "--set" or verb != "compare" else ("--set", "latin")
    done = clean(within(*verb.split(), *sets, option, wrong), 2)
    assert done.stderr.startswith(f"concord: {option}: ")
    assert cause in done.stderr


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("table", "--which", "pair"), "'pair' is none of its values; did you mean 'pairs'?"),
        (("table", "--format", "latx"), "did you mean 'latex'?"),
        (("export", "--format", "jsn"), "did you mean 'jsonl'? (there are: csv, jsonl, parquet)"),
        (("table", "latst"), "latst does not exist; did you mean 'latest'?"),
        (("compare", "jobshp.mzn"), "'jobshp.mzn'; did you mean 'jobshop.mzn' or"),
        (("compare", "models/jobshp.mzn"), "did you mean 'models/jobshop.mzn'?"),
    ],
)
def test_a_typo_has_a_suggestion(within, tmp_path, monkeypatch, words, cause):
    (tmp_path / "models").mkdir()
    for folder in (tmp_path, tmp_path / "models"):
        (folder / "jobshop.mzn").touch()
    monkeypatch.setenv("COLUMNS", "80")
    done = clean(within(*words), 2)
    assert cause in " ".join(done.stderr.split())
    if "Error:" in done.stderr:
        assert max(map(len, done.stderr.splitlines())) <= 80


def test_an_error_about_a_set_by_position_names_no_option(within):
    for word, cause in (("sudok", "no set and no file is called"), ("a.mzn b.dzn", "there is no")):
        done = clean(within("compare", *word.split()), 2)
        assert done.stderr.startswith(f"concord: {cause}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "--sett", "x"), "--set"),
        (("compare", "--set", "nowhere/none.txt"), "no set and no file"),
        (("compare", "--backend", "cpsat:bools"), "did you mean 'booleans'"),
        (("compare", "--seconds", "x"), "--seconds"),
        (("compare", "--seconds", "-1"), "seconds"),
        (("compare", "--count", "none"), "'all'"),
        (("compare", "--repeat", "0"), "--repeat"),
        (("compare", "--jobs", "0"), "--jobs"),
        (("run",), "quickstart"),
        (("run",), "python -m results.studies.ROOM.NAME"),
        (("run", "quickstart", "--dryrun"), "--dryrun"),
        (("run", "wrapper"), "checkout, as `python -m results.studies.ROOM.NAME`"),
        (("run", "quikstart"), "did you mean 'quickstart'"),
        (("run", "--resume", "nowhere"), "does not exist"),
        (("solve", "nowhere.txt"), "no set and no file"),
        (("solve", "sudoku", "--backend", "propagatoin"), "did you mean 'propagation'"),
        (("solve", "sudoku", "--count", "0"), "--count"),
        (("solve", "sudoku", "--family", "sudoko"), "did you mean 'sudoku'"),
        (("table", "nowhere"), "does not exist"),
        (("table", "latest"), "there is no run"),
        (("table", "--format", "xml"), "--format"),
        (("table", "--columns", "backend"), "--columns needs the table"),
        (("table", "--caption", "Times"), "--caption is for one table in LaTeX"),
        (("table", "--caption", "Times", "--format", "latex"), "--which"),
        (("export", "nowhere"), "does not exist"),
        (("export", "--format", "xml"), "--format"),
        (("compair",), "compair"),
    ],
)
def test_wrong_usage_is_explained_with_status_2(within, arguments, message):
    result = clean(within(*arguments), 2)
    assert message in result.stderr
    assert result.stdout == ""


def test_solve_answers_line_by_line(within):
    text = f"{EASY}\n{NONE}\n\n# a comment\n{UNSATISFIABLE}\n{EASY}x\n{SOLVED}\n"
    result = clean(within("solve", "-", text=text), 1)
    lines = result.stdout.splitlines()
    assert lines[0] == SOLVED
    assert lines[1] == "# error"
    assert lines[2] == "# unsatisfiable"
    assert lines[3] == "# error"
    assert lines[4] == SOLVED
    assert "stdin:2:" in result.stderr
    assert "stdin:6:" in result.stderr


def test_solve_counts_and_shows(within):
    twelve = "   456789679813245548927136   594678857361492964782513   648957796135824485279361"
    result = clean(within("solve", "--count", "all", text=f"{EASY}\n{twelve}\n"), 0)
    assert result.stdout.splitlines()[0] == f"1\t{SOLVED}"
    assert sum(line.startswith("2\t") for line in result.stdout.splitlines()) == 12
    shown = clean(within("solve", "--show", text=EASY), 0).stdout
    assert "-->" in shown
    assert "4 8 3 | 9 2 1 | 6 5 7" in shown
    drawn = clean(
        within("solve", "--picture", "--count", "3", text=f"{EASY}\n{twelve}\n"), 0
    ).stdout
    pictures = [ElementTree.fromstring(line) for line in drawn.splitlines()]
    words = [[one.text for one in picture.iter() if one.text] for picture in pictures]
    assert "".join(words[0]) == SOLVED
    assert [len(told) for told in words] == [81] * 4


@pytest.mark.once
def test_solve_with_several_processes_keeps_the_order(concord, within):
    text = "\n".join([EASY, SOLVED] * 100)
    one = clean(within("solve", text=text), 0).stdout
    assert clean(concord("solve", "--jobs", "2", text=text), 0).stdout == one


@pytest.mark.parametrize("backend", ["cpsat", "sat", "python_constraint"])
def test_solve_with_other_backends(within, backend):
    assert clean(within("solve", "-b", backend, text=EASY), 0).stdout.strip() == SOLVED


def test_an_empty_input_is_an_error(within, tmp_path):
    (tmp_path / "empty.txt").write_text("")
    result = clean(within("solve", "empty.txt"), 1)
    assert "empty.txt:1:1:" in result.stderr
    for asked in ([], ["-b", "propagation", "-b", "cpsat"]):  # nothing is said before the error
        result = clean(within("compare", "empty.txt", *asked), 2)
        (line,) = result.stderr.splitlines()
        assert "the first bad line: empty.txt:1:1:" in line


def test_bad_lines_are_told_and_the_others_are_done(within, tmp_path):
    (tmp_path / "some.txt").write_text(f"{EASY}\n{NONE}\n123\n{SOLVED}\n")
    result = clean(within("compare", "--set", "some.txt", "-b", "propagation"), 1)
    assert "some.txt:2:" in result.stderr
    assert "some.txt:3:" in result.stderr
    assert "propagation solved all 2 instances" in result.stdout


def test_a_reader_that_leaves_is_no_error(tmp_path):
    (tmp_path / "many.txt").write_text(f"{EASY}\n" * 5000)
    with subprocess.Popen(
        command("solve", "many.txt"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stdout.readline().strip() == SOLVED
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


@pytest.mark.parametrize("words", [("sets",), ("compare", "-s", "latin", "-b", "propagation")])
def test_a_reader_of_tables_that_leaves_is_no_error(tmp_path, words):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        done = subprocess.run(
            [*command(*words), *(["--quiet"] if "compare" in words else [])],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [
        *((("solve", "sudoku"), ""), (("solve", "sudoku"), "1"), (("sets",), "")),
        *((("sets", "--json"), "1"), (("--help",), "")),
    ],
)
def test_a_full_disk_behind_the_output_is_told_in_one_line(tmp_path, words, unbuffered):
    with FULL.open("w") as full:
        done = subprocess.run(
            command(*words),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        )
    says = "concord: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, says)


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix closes the output")
@pytest.mark.parametrize("closed", [">&-", "<&- >&-"])
def test_a_closed_output_is_no_error(tmp_path, closed):
    words = command("compare", "-s", "latin", "-b", "propagation", "--limit", "1", "-q")
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *words], stderr=subprocess.PIPE, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, b"")


LONG = "x" * 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "no set " * 40), f"no set and no file is called '{('no set ' * 40)[:100]}...'"),
        (("solve", LONG), "no set and no file"),
        (("compare", "--set", LONG), "no set and no file"),
        (("run", LONG), "File name too long"),
        (("run", "long.toml"), "File name too long"),
        (("table", LONG), "File name too long"),
        (("watch", LONG), "File name too long"),
        (("run", "--resume", LONG), "File name too long"),
        (("solve", "sudoku", "--count", "\N{SUPERSCRIPT TWO}"), "--count must be a number"),
    ],
)
def test_a_name_that_no_file_can_have_is_an_error_like_others(within, tmp_path, arguments, message):
    (tmp_path / "long.toml").write_text(f'sets = ["{LONG}"]\nbackends = ["propagation"]\n')
    assert message in " ".join(clean(within(*arguments), 2).stderr.split())


def test_a_lie_is_found_out_with_status_1(within):
    words = ("-b", "py:liars:FalseUnsatisfiable", "-b", "propagation")
    assert "wrong" in clean(within("compare", "-s", "latin", *words), 1).stdout


def records_of(store):
    """How many jobs have ended, as another process may ask at any time."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=60)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM records").fetchone()[0]
        except sqlite3.OperationalError:  # the file is there, its tables are not yet
            return 0


def test_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(tmp_path):
    words = ("compare", "-s", "sudoku-easy", "--limit", "100", "-b", "propagation", "-b", "sat")
    with subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        store = None
        for _ in range(6000):
            store = next(tmp_path.glob("results/runs/*/store.sqlite"), None)
            if store is not None and records_of(store):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert "concord run --resume" in stderr
    assert 0 < records_of(store) < 200
    resumed = subprocess.run(
        command("run", "--resume", str(store.parent)),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=240,
        check=False,
    )
    clean(resumed, 0)
    assert "Agreement" in resumed.stdout
    assert records_of(store) == 200


def test_a_dry_run_says_how_much_it_is(within):
    result = clean(within("run", "quickstart", "--dry-run"), 0)
    assert "jobs, at most" in result.stdout


def test_solve_does_not_import_what_it_does_not_need():
    code = (
        "import sys; from harness.cli.verbs import app;"
        "from harness.streams.solving import solve, SolveRequest;"
        "answers = list(solve('sudoku', None, SolveRequest('propagation')));"
        "heavy = {'pandas', 'numpy', 'ortools', 'pysat', 'constraint', 'matplotlib'};"
        "print(len(answers), sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "20 []"
