"""What workers are kept away from: the store, its key, and other processes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from harness_samples import experiment, tiny_file

from harness.report.run import run_experiment
from harness.store.keys import key_folder
from harness.supervise import hiding
from harness.supervise.settings import Settings, hide_store

HIDES, KEEPS_APART, REFUSED = (
    hiding.find_means(["/tmp"]) if hiding.LINUX else (False, False, "not Linux")
)

SPY = """
import json, os
from contextlib import suppress
from pathlib import Path
from backends.conformance.liars.liar import Liar

HERE = Path(__file__).parent

def look():
    seen = {"folders": [], "files": []}
    for folder in json.loads((HERE / "folders.json").read_text()):
        seen["folders"] += os.listdir(folder)
    pid = os.getppid()
    while pid > 1:
        with suppress(OSError):
            for entry in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):
                    seen["files"].append(os.readlink(entry))
        with suppress(OSError):
            seen["files"] += os.listdir(f"/proc/{pid}/cwd/")
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it is not seen either
            break
    return seen

AT_FIRST = look()

class Spy(Liar):
    def lie(self, problem, ask, limits, result):
        os.rename(HERE / "mine", HERE / "folder" / "mine")  # all else may be done
        os.rename(HERE / "folder" / "mine", HERE / "mine")
        (HERE / "seen.json").write_text(json.dumps([AT_FIRST, look()]))
        return result
"""


@pytest.mark.skipif(not (HIDES and KEEPS_APART), reason=f"nothing is hidden here: {REFUSED}")
@pytest.mark.parametrize("mode", ["pooled", "isolated", "fresh"])
def test_a_worker_sees_neither_store_nor_key_nor_processes(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither when it loads its backend nor when it solves."""
    (tmp_path / "spy.py").write_text(SPY)
    (tmp_path / "mine").write_text("")
    (tmp_path / "folder").mkdir()
    folders = [str(tmp_path / "run"), str(key_folder())]
    (tmp_path / "folders.json").write_text(json.dumps(folders))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    chosen = experiment(tiny_file(tmp_path, "3 4 -"), "py:spy:Spy", mode=mode, warm_ups=0)
    run = run_experiment(chosen, tmp_path / "run")
    assert list(run.jobs["outcome"]) == ["finished"], run.jobs["error"][0]
    assert run.jobs["isolation"][0].startswith("wall time, store hidden")
    for seen in json.loads((tmp_path / "seen.json").read_text()):
        assert seen == {"folders": [], "files": []}
    assert {"store.sqlite"} <= {path.name for path in (tmp_path / "run").iterdir()}


def test_what_workers_need_is_not_hidden(tmp_path: Path) -> None:
    run, key = tmp_path / "run", tmp_path / "key"
    run.mkdir()
    key.mkdir()
    folders = [str(run), str(key), str(tmp_path / "none")]
    assert hiding.choose_hidden(folders, ["", str(tmp_path)]) == (folders[:2], "")
    chosen, why = hiding.choose_hidden(folders, [str(run / "modules")])
    assert chosen == [str(key)]
    assert why == "its folder holds what workers need"


def test_what_is_not_had_is_said() -> None:
    assert hiding.describe(True, True, "") == "store hidden"
    assert hiding.describe(False, True, "unshare: refused") == "store in reach (unshare: refused)"


def test_a_system_that_refuses_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise PermissionError(1, "not here")

    monkeypatch.setattr(hiding, "LINUX", True)
    monkeypatch.setattr(hiding, "hide", refuse)
    monkeypatch.setattr(hiding, "keep_apart", refuse)
    hidden, apart, why = hiding.find_means(["/nowhere"])
    assert (hidden, apart) == (False, False)
    assert "not here" in why


def test_the_store_and_the_key_are_what_is_hidden(tmp_path: Path) -> None:
    settings = hide_store(Settings(), tmp_path)
    assert settings.hidden == (os.path.realpath(tmp_path), str(key_folder()))
