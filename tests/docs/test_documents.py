"""Every code block of the documents runs: Python, `$ concord ...` lines, and TOML.

The word after its fence says what a block is: ``python`` runs in a fresh namespace, ``python
continued`` in that of the block before, ``python ends`` in a process of its own, which it ends by a
signal, ``python exits`` in one that it ends with status 1; ``python prints`` prints the ``text``
block below it; ``python as NAME.py`` is written to a file, which later blocks import, and so is
``minizinc as NAME.mzn``. ``console`` runs each line that begins with ``$ concord``; ``console needs
PROGRAM`` is left out where that program is not installed. ``toml`` is written to ``mine.toml``,
where the lines after it expect it. ``sh`` and
``text`` are not run: they need a machine or files of the user.
"""

import re
import shlex
import shutil
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from harness.cli.entry import run_command_line

pytestmark = [pytest.mark.once, pytest.mark.timeout(900)]  # whole documents, on a busy machine

ROOT = Path(__file__).parents[2]
FOLDERS = ("", "routes", "site")
DOCUMENTS = [
    ROOT / "README.md",
    *(path for folder in FOLDERS for path in sorted((ROOT / "docs" / folder).glob("*.md"))),
]
FENCE = re.compile(
    r"^```(\w+)?( continued| ends| exits| prints| as \w+\.\w+| needs \w+)?\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
KNOWN = {"python", "console", "toml", "minizinc", "sh", "text"}


def name_of(path):
    return str(path.relative_to(ROOT))


def blocks(path):
    return [
        (m[1], (m[2] or "").strip(), m[3]) for m in FENCE.finditer(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_block_says_what_it_is(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(blocks(path))
    assert {kind for kind, _, _ in blocks(path)} <= KNOWN


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if blocks(path)], ids=name_of)
def test_every_block_runs(path, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    namespace = {}
    for (kind, how, code), below in zip_longest(blocks(path), blocks(path)[1:]):
        if kind == "toml":
            (tmp_path / "mine.toml").write_text(code, encoding="utf-8")
        elif kind == "console":
            if how and shutil.which(how.removeprefix("needs ")) is None:
                continue
            for line in code.splitlines():
                if line.startswith("$ concord "):
                    run(shlex.split(line, comments=True)[2:], monkeypatch, capfd)
        elif how.startswith("as "):
            (tmp_path / how.removeprefix("as ")).write_text(code, encoding="utf-8")
        elif kind == "python" and how == "ends":
            ended = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=300)
            by_itself = (0, 1)  # the end, and an exception of Python's
            assert ended.returncode not in by_itself, "it does not end the process any more"
        elif kind == "python" and how == "exits":
            ended = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=300)
            assert ended.returncode == 1, "the fault is not there any more"
        elif kind == "python":
            if "import z3\n" in code:
                pytest.importorskip("z3", reason="z3 is optional: pip install z3-solver")
            namespace = namespace if how == "continued" else {"__name__": "__main__"}
            capfd.readouterr()
            exec(compile(code, f"{path.name}, a block", "exec"), namespace)
            if how == "prints":
                assert ("text", "", capfd.readouterr().out) == below


def run(arguments, monkeypatch, capfd):
    """In this process, where everything is imported already; what it starts are real processes."""
    monkeypatch.setattr(sys, "argv", ["concord", *arguments])
    capfd.readouterr()
    with pytest.raises(SystemExit) as left:
        run_command_line()
    said = capfd.readouterr()
    assert not left.value.code, (arguments, said.err, said.out)
    assert said.out or {"--out", "--duplicates"} & set(arguments)


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_within_the_project_lead_somewhere(path):
    prose = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (path.parent / target).exists(), target
