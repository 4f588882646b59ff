"""Are the tests of each part able to notice that its code is wrong?

    python -m results.studies.mutation.study [--seed S] [--part NAME]... [--jobs J] [--each N]
                                             [--out DIR] [--list] [--report]

One-line mutants (``mutator``) are drawn with a seed from the sources of each part (``parts``). Each
is put into a clone of the repository's last commit, where nothing lies beside the clone, and the
tests of its own part run until one fails:

killed      a test failed, or one, or all, did not end within the part's limit
survived    they passed
equivalent  no run can tell it from the original: ``judged.toml`` says why, and it is not run

``mutants.jsonl`` in ``--out`` has a line for each as soon as it is known. A killed mutant is not
run again while its file is the same and the test that killed it is there; one that survived is
tried again when the tests change. So a study that was stopped continues; ``--report`` writes the
report of the known ones. ``mutation.md`` is the report.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from time import monotonic

from results.studies.mutation.mutator import Mutant, mutants
from results.studies.mutation.parts import PARTS, Part

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PYTEST = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0")
PATIENCE = 4.0
"""A mutant's tests may take this many times as long as those of the unchanged code, and ..."""
MORE_PATIENCE = 60.0
"""... this many seconds more: it may have to compile, and others may use the machine."""

THE_START = "the start of the tests"
"""The killer of a mutant that cannot be imported."""

NO_SUCH_TEST, NO_TESTS = 4, 5
"""Exit statuses of pytest."""

_moment = count(1)


class Clone:
    """A clone of the repository alone in a folder, in which one mutant after another is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "concord"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(self.folder)], check=True)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
            "NUMBA_CACHE_DIR": str(folder / "numba"),
        }
        place = self._python("-c", "import harness; print(harness.__file__)").communicate()[0]
        if Path(place.strip()) != self.folder / "harness" / "__init__.py":
            raise SystemExit(f"the tests of {self.folder} would test {place.strip()}")
        self.nursery = self._python(str(HERE / "nursery.py"))
        assert self.nursery.stdin is not None  # both are pipes
        assert self.nursery.stdout is not None
        self.asked, self.answers = self.nursery.stdin, self.nursery.stdout
        self.answers.readline()

    def _python(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, arguments: list[str], seconds: float, part: Part) -> tuple[int, str]:
        """Exit status and output of pytest, or -1 when it has not ended in time."""
        output = self.folder.parent / "output"
        asked = {
            "arguments": arguments,
            "output": str(output),
            "seconds": seconds,
            "each": part.each,
            "environment": dict(part.environment),
        }
        self.asked.write(json.dumps(asked) + "\n")
        self.asked.flush()
        answer = self.answers.readline()
        if not answer:
            raise SystemExit("the process that runs the tests is gone")
        return json.loads(answer), output.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        self.asked.close()
        self.nursery.wait()

    def run_tests(self, part: Part, seconds: float, first: str = "") -> tuple[int, str]:
        """The tests of a part, one call of pytest after another, until one fails.

        ``first`` is the one that killed the mutant when it was tried before.
        """
        until = monotonic() + seconds
        for tests in (shlex.quote(first), *part.tests) if first else part.tests:
            file, *more = shlex.split(tests)
            if not (self.folder / file.split("::")[0]).exists():
                raise SystemExit(f"part {part.name}: there is no {file}")
            status, output = self.run([*PYTEST, file, *more], until - monotonic(), part)
            if status in (NO_SUCH_TEST, NO_TESTS) and file == first:
                continue
            if status:
                return status, output
        return 0, ""

    def try_mutant(
        self, mutant: Mutant, part: Part, seconds: float, first: str
    ) -> dict[str, object]:
        """Try a mutant with the tests of its part; return the outcome."""
        path = self.folder / mutant.file
        source = path.read_text(encoding="utf-8")
        begun = monotonic()
        try:
            self._write(path, mutant.applied(source))
            status, output = self.run_tests(part, seconds, first)
        finally:
            self._write(path, source)
        by = "time" if status == -1 else find_killer(output)
        return {
            "outcome": "killed" if status else "survived",
            "by": by if status else "",
            "seconds": round(monotonic() - begun, 1),
        }

    def _write(self, path: Path, source: str) -> None:
        """Set a new time too: Python takes bytecode of the same second and size for fresh."""
        path.write_text(source, encoding="utf-8")
        when = path.stat().st_mtime + 10 * next(_moment)
        os.utime(path, (when, when))


def find_killer(output: str) -> str:
    """Return the test that failed, from the output of pytest."""
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("FAILED", "ERROR") and rest:
            return rest.split(" - ")[0]
    return THE_START


def draw_mutants(part: Part, seed: int, number: int) -> list[Mutant]:
    """Draw mutants of a part with the seed."""
    every = [m for file in part.sources for m in mutants(file, (ROOT / file).read_text("utf-8"))]
    drawn = random.Random(f"{seed}/{part.name}").sample(every, min(number, len(every)))
    return sorted(drawn, key=lambda m: (m.file, m.line, m.column, m.new))


@dataclass(frozen=True)
class Marks:
    """Digests of what a mutant was tried with: its file, and all tests of its part."""

    source: str
    tests: str

    @classmethod
    def of(cls, mutant: Mutant, part: Part) -> Marks:
        return cls(_digest(mutant.file), _digest(*part.files, *part.read))

    def still_hold(self, line: dict[str, object]) -> bool:
        """Return whether an earlier result still holds.

        A mutant stays killed while its file is the same and the test that killed it is there; one
        that survived is tried again when the tests change.
        """
        if line["source"] != self.source:
            return False
        if line["outcome"] == "killed" and line["by"] not in ("time", THE_START):
            return _is_there(str(line["by"]))
        return line["tests"] == self.tests


def _digest(*names: str) -> str:
    digest = blake2b(digest_size=8)
    for name in names:
        digest.update((ROOT / name).read_bytes() if (ROOT / name).exists() else b"")
    return digest.hexdigest()


def _is_there(test: str) -> bool:
    file, _, name = test.split("[")[0].partition("::")
    path = ROOT / file
    return path.is_file() and (
        not name or f"def {name.split('::')[-1]}(" in path.read_text(encoding="utf-8")
    )


def check_committed(parts: list[Part]) -> None:
    """Refuse changes that are not committed: the study tries the last commit."""
    files = sorted({name for part in parts for name in (*part.sources, *part.files, *part.read)})
    status = ["git", "status", "--porcelain", "--", *files]
    changed = subprocess.run(status, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    if changed:
        raise SystemExit(f"commit first, the study clones the last commit:\n{changed}")


def read_judged() -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the facts of ``judged.toml``, by file, line and change."""
    facts = tomllib.loads((HERE / "judged.toml").read_text(encoding="utf-8"))
    return {(fact["file"], fact["text"], fact["change"]): fact for fact in facts["mutant"]}


def find_fact(mutant: Mutant, facts: dict[tuple[str, str, str], dict[str, str]]) -> dict[str, str]:
    return facts.get((mutant.file, mutant.text, mutant.change), {})


def read_earlier(path: Path) -> dict[str, dict[str, object]]:
    """Return the last results of an earlier study, by mutant."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {str(line["mutant"]): line for line in lines}


def make_record(
    mutant: Mutant, part: Part, marks: Marks, outcome: dict[str, object]
) -> dict[str, object]:
    return {
        "part": part.name,
        "mutant": mutant.name,
        "source": marks.source,
        "tests": marks.tests,
        "file": mutant.file,
        "line": mutant.line,
        "text": mutant.text,
        "change": mutant.change,
        **outcome,
    }


class Study:
    """The mutants of some parts, tried in clones side by side."""

    def __init__(self, parts: list[Part], args: argparse.Namespace) -> None:
        self.parts, self.jobs, self.seed = parts, args.jobs, args.seed
        self.path = args.out / "mutants.jsonl"
        self.mutants = [
            (part, mutant)
            for part in parts
            for mutant in draw_mutants(part, args.seed, args.each or part.number)
        ]
        self.marks = {mutant.name: Marks.of(mutant, part) for part, mutant in self.mutants}
        self.earlier = read_earlier(self.path)
        self.try_none: bool = args.report
        self.facts = read_judged()
        self.lock = Lock()
        self.done = 0

    def run(self) -> list[dict[str, object]]:
        """Every mutant's record, in the order of the parts."""
        found: dict[str, dict[str, object]] = {}
        waiting = []
        for part, mutant in self.mutants:
            fact = find_fact(mutant, self.facts)
            marks, earlier = self.marks[mutant.name], self.earlier.get(mutant.name)
            if fact.get("verdict") == "equivalent":
                found[mutant.name] = make_record(mutant, part, marks, {"outcome": "equivalent"})
            elif earlier is not None and marks.still_hold(earlier):
                found[mutant.name] = earlier | {"line": mutant.line}
            elif self.try_none:
                found[mutant.name] = make_record(mutant, part, marks, {"outcome": "not tried"})
            else:
                waiting.append((part, mutant))
        for result in self._try_all(waiting):
            found[str(result["mutant"])] = result
        return [found[mutant.name] for _, mutant in self.mutants]

    def _try_all(self, waiting: list[tuple[Part, Mutant]]) -> Iterator[dict[str, object]]:
        if not waiting:
            return
        with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
            clones: SimpleQueue[Clone] = SimpleQueue()
            every = [Clone(Path(folder) / str(number)) for number in range(self.jobs)]
            for clone in every:
                clones.put(clone)
            with ThreadPoolExecutor(self.jobs) as pool:
                needed = [part for part in self.parts if any(p is part for p, _ in waiting)]
                limits = dict(
                    zip(
                        (part.name for part in needed),
                        pool.map(lambda part: self._limit(clones, part), needed),
                        strict=True,
                    )
                )
                begun = monotonic()
                for result in pool.map(
                    lambda pair: self._one(clones, pair[0], pair[1], limits), waiting
                ):
                    self._print(result, monotonic() - begun, len(waiting))
                    yield result
            for clone in every:
                clone.close()

    def _limit(self, clones: SimpleQueue[Clone], part: Part) -> float:
        """Return the limit of a part in seconds; its tests must pass when nothing is changed."""
        clone, begun = clones.get(), monotonic()
        try:
            status, output = clone.run_tests(part, 900)
        finally:
            clones.put(clone)
        if status:
            raise SystemExit(f"part {part.name}: the tests fail as it is\n{output[-3000:]}")
        took = monotonic() - begun
        print(f"{part.name:18} {took:6.1f} s unchanged", file=sys.stderr, flush=True)
        return PATIENCE * took + MORE_PATIENCE

    def _one(
        self, clones: SimpleQueue[Clone], part: Part, mutant: Mutant, limits: dict[str, float]
    ) -> dict[str, object]:
        clone = clones.get()
        try:
            killer = str(self.earlier.get(mutant.name, {}).get("by", ""))
            first = killer if killer.startswith(part.files) else ""
            outcome = clone.try_mutant(mutant, part, limits[part.name], first)
        finally:
            clones.put(clone)
        result = make_record(mutant, part, self.marks[mutant.name], outcome)
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
        return result

    def _print(self, result: dict[str, object], seconds: float, number: int) -> None:
        self.done += 1
        left = seconds / self.done * (number - self.done)
        print(
            f"[{self.done}/{number}] {60 * self.done / seconds:.1f} a minute, {left / 60:.0f} min "
            f"left: {result['outcome']} {result['file']}:{result['line']} {result['change']}",
            file=sys.stderr,
            flush=True,
        )


# --- report ---------------------------------------------------------------------------------------


def report(results: list[dict[str, object]], seed: int) -> str:
    """The study as Markdown."""
    facts = read_judged()
    lines = [
        "# Mutants killed by the tests of their own part",
        "",
        f"`python -m results.studies.mutation.study --seed {seed}`; one change in one line each,",
        "in a clone with nothing beside it; the list is in `mutants.jsonl`, the parts and their",
        "tests in `results/studies/mutation/parts.py`. The rate leaves equivalent ones",
        "out, and is shown once all of a part are tried.",
        "",
        "| part | mutants | killed | of these by time | survived | equivalent | not tried | rate |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    names = list(dict.fromkeys(str(result["part"]) for result in results))
    for name in [*names, "all"]:
        lines.append(_row(name, [r for r in results if name in ("all", r["part"])]))
    for outcome, title in (("survived", "Survivors"), ("equivalent", "Equivalent")):
        lines += ["", f"## {title}", ""]
        of = [r for r in results if r["outcome"] == outcome]
        lines += [_item(result, facts) for result in of] or ["None."]
    return "\n".join(lines) + "\n"


def _row(name: str, results: list[dict[str, object]]) -> str:
    outcomes = [result["outcome"] for result in results]
    killed, equivalent = outcomes.count("killed"), outcomes.count("equivalent")
    by_time = sum(result.get("by") == "time" for result in results)
    survived, left = outcomes.count("survived"), outcomes.count("not tried")
    # Survivors whose tests have changed count as not tried, so a rate of the others would flatter.
    rate = "" if left or not killed + survived else f"{100 * killed / (killed + survived):.1f} %"
    cells = (name, len(results), killed, by_time, survived, equivalent, left, rate)
    return "| " + " | ".join(map(str, cells)) + " |"


def _item(result: dict[str, object], facts: dict[tuple[str, str, str], dict[str, str]]) -> str:
    key = (str(result["file"]), str(result["text"]), str(result["change"]))
    reason = facts.get(key, {}).get("reason", "not explained yet")
    return f"- `{result['file']}`, `{result['text']}`, {result['change']}: {reason}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", action="append", choices=[part.name for part in PARTS])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--each", type=int, help="number of mutants of each part, instead of its own"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "reference" / "mutation")
    parser.add_argument("--report", action="store_true", help="report what is known, try none")
    parser.add_argument("--list", action="store_true", help="list the mutants and try none")
    args = parser.parse_args(arguments)
    parts = [part for part in PARTS if not args.part or part.name in args.part]
    args.out.mkdir(parents=True, exist_ok=True)
    study = Study(parts, args)
    if args.list:
        for part, mutant in study.mutants:
            print(f"{part.name}: {mutant.file}:{mutant.line} {mutant.change}\n    {mutant.text}")
        return
    check_committed(parts)
    results = study.run()
    if not args.part and not args.each:  # only a whole study is a report
        lines = (json.dumps(r) + "\n" for r in results if r["outcome"] != "not tried")
        study.path.write_text("".join(lines), encoding="utf-8")
        (args.out / "mutation.md").write_text(report(results, args.seed), encoding="utf-8")
    else:
        sys.stdout.write(report(results, args.seed))


if __name__ == "__main__":
    main()
