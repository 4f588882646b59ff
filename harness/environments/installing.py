"""How an environment is filled: by uv where it is on PATH, else by venv and pip.

The configuration of pip and its ``PIP_`` variables determine where packages come from;
Concord names no index. uv reads neither, so what they say is handed to it, where its own variables
do not say otherwise. Only wheels are installed: to build a solver needs tools that nobody has asked
for, and what comes of it differs from machine to machine.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from backends.interface.programs.leaving import leave_at_sigterm
from harness.environments.recipe import Recipe, interpreter_path
from modelling.errors import BackendUnavailable
from modelling.versions import find_version

OnLine = Callable[[str], None]
"""Hears each line that a tool prints."""

_KEPT_LINES = 200
_PIP_FOR_OTHERS = (22, 3)
"""From this release on pip installs into environments that it is not in itself."""

_HANDED_TO_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}

_UNREACHED = re.compile(
    r"connection broken by|Failed to establish a new connection|Name or service not known"
    r"|Temporary failure in name resolution|error sending request|Could not connect|dns error"
    r"|Connection refused|ConnectTimeout|Read timed out|Network is unreachable|tunnel",
    re.IGNORECASE,
)
_FROM_VERSIONS = re.compile(r"\(from versions: (.*?)\)")


class ToolFailed(Exception):
    """A tool has ended with a fault; ``lines`` are the last that it printed."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = list(lines)


def fill(folder: Path, recipe: Recipe, on_line: OnLine) -> str:
    """Make an environment in ``folder``, which is not there yet; what it was made by.

    Raises BackendUnavailable, with the cause and what to do, where that fails.
    """
    uv = shutil.which("uv")
    try:
        if uv is not None:
            settings = _settings_for_uv()
            run([uv, "venv", "--no-project", "--python", sys.executable, str(folder)], on_line)
            python = str(interpreter_path(folder))
            words = [uv, "pip", "install", "--python", python, "--only-binary", ":all:"]
            run([*words, "--compile-bytecode", *recipe.requires], on_line, settings)
            return "uv"
        bare = ["--without-pip"] if has_pip() else []
        run([sys.executable, "-m", "venv", *bare, str(folder)], on_line)
        python = str(interpreter_path(folder))
        pip = [sys.executable, "-m", "pip", "--python", python] if bare else [python, "-m", "pip"]
        words = ["install", "--only-binary", ":all:", "--progress-bar", "off", "--no-input"]
        run([*pip, *words, *recipe.requires], on_line)
        return "pip"
    except ToolFailed as failed:
        raise BackendUnavailable(explain(recipe, failed.lines)) from failed


def run(
    words: Sequence[str], on_line: OnLine, environment: Mapping[str, str] | None = None
) -> list[str]:
    """Run a tool to its end; the last lines that it printed. Raises ToolFailed.

    Whatever ends the wait, Ctrl-C and SIGTERM among it, ends the tool and all that it has started.
    """
    with (
        leave_at_sigterm(),
        subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | (environment or {}),
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        ) as process,
    ):
        last: deque[str] = deque(maxlen=_KEPT_LINES)
        try:
            assert process.stdout is not None
            for line in process.stdout:
                last.append(line.rstrip())
                on_line(last[-1])
            if process.wait() == 0:
                return list(last)
        except BaseException:
            _end(process)
            raise
    raise ToolFailed(last)


def _end(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def explain(recipe: Recipe, lines: Sequence[str]) -> str:
    """Why a release could not be installed, and what to do, in one line."""
    text = "\n".join(lines)
    listed = _FROM_VERSIONS.findall(text)
    known = [word for word in listed[-1].split(", ") if word != "none"] if listed else []
    if is_unreached(lines) and not known:
        return (
            f"{recipe} cannot be installed: the package index is not reached; look after the "
            "network, or after what `pip config list` says, and try again"
        )
    name = re.escape(recipe.distribution)  # pip says it in two ways, and uv too
    missing = rf"distribution found for {name}==|the requirement {name}=="
    missing += rf"|no versions? of {name}\b|only {name}[^a-z]* (is|are) available|has no wheels"
    if re.search(missing, text, re.IGNORECASE):
        there = f"; there are: {', '.join(known)}" if known else ""
        return (
            f"{recipe.distribution} has no release {recipe.release} with a wheel for "
            f"{recipe.python} on {recipe.platform}{there}; name another release, or run Concord "
            "by a Python that it has wheels for"
        )
    told = ("error", "cause", "caused by")
    said = [one for line in lines if (one := line.strip()).lower().startswith(told)]
    said = said or list(lines[-1:])
    return f"{recipe} cannot be installed: {' '.join(said) or 'without a word'}"


def is_unreached(lines: Sequence[str]) -> bool:
    """Whether a tool has failed for want of a network, by what it printed."""
    return _UNREACHED.search("\n".join(lines)) is not None


def has_pip() -> bool:
    """Whether this interpreter has a pip that installs for others."""
    numbers = re.match(r"(\d+)\.(\d+)", find_version("pip")) if find_spec("pip") else None
    return numbers is not None and (int(numbers[1]), int(numbers[2])) >= _PIP_FOR_OTHERS


def _settings_for_uv() -> dict[str, str]:
    """The configuration of pip as uv's variables; empty where this interpreter has no pip."""
    if find_spec("pip") is None:
        return {}
    lines = run([sys.executable, "-m", "pip", "config", "list"], lambda line: None)
    told: dict[str, str] = {}
    # Files come before variables, and of the files those for one command after the global ones.
    for line in lines:
        found = re.fullmatch(r"(global|install|:env:)\.([a-z-]+)=(.*)", line)
        if found is None or found[2] not in _HANDED_TO_UV:
            continue
        told[_HANDED_TO_UV[found[2]]] = " ".join(str(ast.literal_eval(found[3])).split())
    if "UV_FIND_LINKS" in told:  # uv parts these by commas
        told["UV_FIND_LINKS"] = ",".join(told["UV_FIND_LINKS"].split())
    if "UV_INDEX" in told:  # pip takes the best of all indexes, uv of the first that has any
        told["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return {name: value for name, value in told.items() if name not in os.environ}
