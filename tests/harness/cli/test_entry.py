"""How the command line begins: interrupted early, as a module, and hidden by a user's file."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def imported(words, **settings):
    """A process that tells each import on standard error as it is made."""
    return subprocess.Popen(
        [sys.executable, "-X", "importtime", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        **settings,
    )


def interrupted(words, number):
    """Status and talk of a command that is interrupted at import ``number`` after the first."""
    with imported(words) as process:
        after = -1
        for line in process.stderr:
            after += after >= 0 or line.endswith(" harness.interrupts\n")
            if after == number:
                process.send_signal(signal.SIGINT)
                break
        else:
            pytest.fail(f"there are no {number} imports after harness.interrupts")
        told = process.stderr.read()
    return process.returncode, [one for one in told.splitlines() if "import time:" not in one]


@pytest.mark.parametrize("number", [1, 3, 40, 90, 150, 200, 260, 280])
def test_an_interrupt_at_any_import_ends_quietly(number):
    """Of the command line itself, of typer, of what a verb needs."""
    words = ["-m", "harness.cli.entry", "solve", "-", "--backend", "propagation"]
    assert interrupted(words, number) == (130, ["concord: interrupted"])


PROBE = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from harness import interrupts
interrupts.leave_at_once()
try:
    with interrupts.raise_interrupts():
        import slow
        slow.work()
        time.sleep(60)
except KeyboardInterrupt:
    print('raised')
"""
IN_AN_IMPORT = """
import os, signal
os.kill(os.getpid(), signal.SIGINT)
for k in range(1000): pass
print('whole', flush=True)
work = int
"""
IN_A_FINALIZER = """
import os, signal

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for k in range(1000): pass

def work():
    Finalized()
    print('whole', flush=True)
"""


@pytest.mark.parametrize("slow", [IN_AN_IMPORT, IN_A_FINALIZER])
def test_an_interrupt_that_python_would_drop_is_raised_a_moment_later(tmp_path, slow):
    """Python ignores exceptions in finalizers and in the callbacks of its import locks: the
    interrupt would be lost, and an import would count as failed where a library expects an
    ``ImportError``."""
    (tmp_path / "slow.py").write_text(slow)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment, timeout=50
    )
    assert (done.stdout, done.stderr) == ("whole\nraised\n", "")


def test_an_interrupt_that_the_shell_ignores_stays_ignored():
    code = (
        "import os, signal\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from harness import interrupts\n"
        "interrupts.leave_at_once()\n"
        "with interrupts.raise_interrupts():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def run(*words, cwd=ROOT):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=cwd, env=environment
    )


def test_the_package_is_a_command():
    done = run("-m", "concord", "solve", "--backend", "propagation", "queens")
    assert done.returncode == 0
    assert (
        done.stdout == run("-m", "harness.cli.entry", "solve", "-b", "propagation", "queens").stdout
    )
    wrong = run("-m", "concord", "slove")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr


def test_as_a_command_it_imports_no_solver(tmp_path):
    code = (
        "import runpy, sys\n"
        "sys.argv = ['concord', '--help']\n"
        "try:\n"
        "    runpy.run_module('concord', run_name='__main__')\n"
        "except SystemExit as left:\n"
        "    print(left.code, sorted({'ortools', 'pandas', 'numpy'} & set(sys.modules)))\n"
    )
    assert run("-c", code).stdout.endswith("0 []\n")


def test_a_file_of_the_users_that_hides_a_package_is_named(tmp_path):
    (tmp_path / "harness.py").write_text("")
    done = run("-m", "concord", "sets", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("concord: concord needs its own package 'harness', but finds ")
    assert done.stderr.count("\n") == 1
