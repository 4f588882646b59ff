"""What holds for all verbs: what is there is kept, text is UTF-8, limits are numbers."""

import gzip
import json
import re
from pathlib import Path

import pytest
from msgspec import structs
from within_process import invoke as concord

from backends.sat.engines import PYSAT
from harness.plan.expansion import Expansion
from harness.plan.experiment import Experiment, SetChoice
from modelling.errors import InstanceError

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
KEPT = "what somebody had written"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("convert", "sudoku", "--to", "lines"),
        ("scramble", "sudoku"),
        ("generate", "sudoku", "--number", "1"),
    ],
    ids=lambda words: words[0],
)
def test_nothing_is_replaced_without_force(words):
    out = Path("there.txt")
    out.write_text(KEPT)
    refused = concord(*words, "--out", str(out))
    assert refused.exit_code == 2
    assert "there.txt exists already; add " in refused.stderr
    assert "--force to replace it" in refused.stderr
    assert out.read_text() == KEPT
    assert concord(*words, "--out", str(out), "--force").exit_code == 0
    assert KEPT not in out.read_text()


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "-inf", "soon"])
@pytest.mark.parametrize("verb", [("solve", "sudoku"), ("grade", "sudoku"), ("watch",)])
def test_a_limit_is_a_number_of_seconds_above_0(verb, seconds):
    done = concord(*verb, "--seconds", seconds)
    assert done.exit_code == 2
    assert f"must be a number above 0, not '{seconds}'" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare", "--limit", "0"), "'--limit': must be at least 1, not '0'"),
        (("compare", "--seed", "x"), "'--seed': must be a whole number, not 'x'"),
        (("replay", "latest", "0"), "'ROW': must be at least 1, not '0'"),
        (
            ("generate", "sudoku", "--seed", str(2**64)),
            f"must be at most {2**64 - 1}, not '{2**64}'",
        ),
        (
            ("table", "--which", "foo"),
            "'--which': 'foo' is none of its values (there are: all,\nkinds, ",
        ),
        (("plot", "latest", "foo"), "no plot is called 'foo' (there are: cactus, "),
        (
            ("export", "--format", "foo"),
            "'--format': 'foo' is none of its values (there are:\ncsv, ",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_value_that_cannot_be_is_told_in_plain_words(words, message):
    done = concord(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
def test_text_that_is_not_utf_8_is_told_with_its_place(packed, end, mark):
    data = mark + end.join([EASY.encode(), "# Müller".encode(), b"# M\xfcller", EASY.encode()])
    Path("some.txt").write_bytes(gzip.compress(data) if packed else data)
    done = concord("solve", "some.txt", "--backend", "propagation")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [SOLVED, "# error"]
    assert done.stderr.startswith("some.txt:3:4: the byte 0xFC is not UTF-8; save the file as")


@pytest.mark.parametrize("verb", ["solve", "grade", "canonical", "scramble", "explain", "convert"])
def test_a_file_that_is_no_text_at_all_is_wrong_usage(verb):
    Path("some.txt").write_bytes(b"\x89PNG\r\n\x1a\n")
    more = ["--to", "lines"] if verb == "convert" else []
    done = concord(verb, "some.txt", *more)
    assert done.exit_code == 2
    assert done.stderr == (
        "concord: some.txt:1:1: the byte 0x89 is not UTF-8; save the file as UTF-8\n"
    )


def test_a_puzzle_may_stand_in_the_place_of_a_file():
    for verb, says in (("solve", SOLVED), ("scramble", "#"), ("canonical", "."), ("grade", "1")):
        done = concord(verb, EASY)
        assert done.exit_code == 0, done.stderr
        assert says in done.stdout
    wrong = concord("solve", EASY[:-1])
    assert (wrong.exit_code, wrong.stdout) == (1, "# error\n")
    assert wrong.stderr.startswith("puzzle:1:81: 80 cells found")


def test_a_dry_run_tells_its_totals_as_json():
    done = concord("run", "quickstart", "--dry-run", "--json")
    told = json.loads(done.stdout)
    assert told["jobs"] > 0
    assert told["seconds_at_worst"] >= 30 * told["jobs"]


FAMILY = """
from modelling.problem import build_problem
from puzzles.family import Instance


class Pairs:
    name, about = "pairs", "a number and itself"

    def read(self, lines, source):
        for number, line in enumerate(lines, 1):
            yield Instance(self.name, f"p{number}", line.strip(), f"{source}:{number}")

    def problem(self, text):
        return build_problem({"x": range(int(text))})

    def check(self, text, values):
        return [] if 0 <= values[0] < int(text) else ["too large"]

    def render(self, text, values=None):
        return text if values is None else f"{text} --> {values[0]}"

    def write(self, text, values):
        return str(values[0])
"""


def test_a_family_of_ones_own_works_in_every_verb_that_takes_one(monkeypatch):
    monkeypatch.setenv("CONCORD_CONFIG", str(Path("config").absolute()))
    Path("pairs_family.py").write_text(FAMILY)
    Path("pairs.txt").write_text("1\n3\n")
    Path("pairs.txt.gz").write_bytes(gzip.compress(b"1\n3\n"))
    own = "py:pairs_family:Pairs"
    every = "1\t0\n2\t0\n2\t1\n2\t2\n"
    for source, text in (("pairs.txt", None), ("pairs.txt.gz", None), ("-", "1\n3\n")):
        done = concord("solve", source, "--family", own, "--count", "all", text=text)
        assert (done.exit_code, done.stdout) == (0, every), done.stderr
    asked = ["--family", own, "--backend", "brute_force", "--quiet", "--seconds", "20", "--json"]
    run = concord("compare", "--set", "pairs.txt", *asked, "--out", "run")
    assert run.exit_code == 0, run.stderr
    assert json.loads(run.stdout)["timing"][0]["solved"] == 2
    Path("mine.toml").write_text(
        f"sets = [{{ name = 'pairs.txt', family = '{own}' }}]\nbackends = ['brute_force']\n"
    )
    assert json.loads(concord("run", "mine.toml", "--dry-run", "--json").stdout)["jobs"] == 2
    added = concord("sets", "add", "pairs.txt", "--name", "pairs", "--family", own)
    assert (added.exit_code, added.stdout) == (0, "pairs: 2 puzzles\n"), added.stderr
    assert concord("solve", "pairs", "--count", "all").stdout == every
    Path("bold.txt").write_text(f"# family: {own}\n1\n")
    bold = concord("solve", "bold.txt")
    assert bold.exit_code == 2
    assert "a file does not decide which code is run" in bold.stderr


def chosen(**settings):
    sets = settings.pop("sets", ["sudoku-easy"])
    experiment = Experiment(name="x", sets=sets, backends=["brute_force"], **settings)
    return [
        one.name for one in Expansion(experiment).instances() if not isinstance(one, InstanceError)
    ]


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order():
    first = chosen(sample=20, seed=3)
    assert first == chosen(sample=20, seed=3) == sorted(set(first))
    assert first != chosen(sample=20, seed=4)
    assert len(first) == 20
    assert first[-1] > "easy-0100"
    assert set(chosen(sample=5, limit=8)) <= set(chosen(limit=8))
    assert chosen(sample=10**6, limit=8) == chosen(limit=8)
    assert len(chosen(sets=[SetChoice("sudoku-easy", sample=3), "queens"], sample=2)) == 5


def test_every_instance_is_as_likely_as_any_other():
    """2,000 samples of 3 of 10: each instance 600 times, with a deviation of 20.5."""
    from collections import Counter
    from random import Random

    from puzzles.family import Instance
    from puzzles.sets.reading import draw_sample

    items = [Instance("f", str(k), str(k), "", "s") for k in range(10)]
    seen = Counter(one.name for seed in range(2000) for one in draw_sample(items, 3, Random(seed)))
    assert sum(seen.values()) == 6000
    assert all(abs(number - 600) < 5 * 20.5 for number in seen.values())
    first = sum(next(draw_sample(items[:2], 1, Random(seed))) == items[0] for seed in range(2000))
    assert abs(first - 1000) < 5 * 22.4  # one of two


def test_without_a_sample_the_digest_is_as_before():
    asked = Experiment(name="x", sets=["queens"], backends=["brute_force"], count=1)
    plain = structs.replace(asked, optimum=False)
    drawn = structs.replace(asked, sample=3)
    assert structs.replace(asked, count=None).digest != plain.digest == asked.digest
    assert plain.digest != drawn.digest
    assert plain.digest == "a5da41c70cc952e56f5fb21b364ddb71"


@pytest.mark.parametrize("number", [1, 9, 10, 15, 25])
def test_constraints_beside_backends(number):
    """Of up to 21 backends each constraint has one row, within 80 columns."""
    rungs = ["trail", "norvig", "bitset"]
    chosen = ["propagation", "sat", "cpsat", "python_constraint"]
    chosen += [f"ladder:{rung}" for rung in rungs]
    chosen += [f"propagation:branching={way}" for way in ("smallest", "first")]
    chosen += [f"sat:{engine}" for engine in PYSAT if engine != "cadical153"]
    done = concord("constraints", *chosen[:number])
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    legend = done.stdout.partition("\nconstraint")[0]
    assert re.findall(r"\d+(?=: )", legend) == [str(n + 1) for n in range(number)]
    assert "F, H, R: native." in legend
    rows = [line.split() for line in lines if line.startswith("GlobalCardinality")]
    assert len(rows) == (1 if number <= 21 else 2)
    names = 3 if number <= 9 else 2 if number <= 15 else 1
    expected = ["GlobalCardinality", "cardinality", "global_cardinality"]
    assert rows[0][:names] == expected[:names]
    assert sum(len(row) for row in rows) == names * len(rows) + number
    assert ("--json" in legend) == (names < 3)


def test_constraints_of_chosen_backends_as_json():
    done = concord("constraints", "ladder", "python_constraint", "--json")
    rows = {row["constraint"]: row for row in json.loads(done.stdout)}
    assert rows["Circuit"]["minizinc"] == "circuit"
    assert rows["Circuit"]["backends"] == {
        "ladder": {"way": "refused", "guarded": False},
        "python_constraint": {"way": "full", "guarded": False},
    }


def test_a_backend_that_is_not_there_has_no_constraints():
    done = concord("constraints", "cpsta")
    assert done.exit_code == 2
    assert "no backend is called 'cpsta'; did you mean 'cpsat'?" in done.stderr
