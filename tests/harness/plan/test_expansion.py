"""Expansion: sizes, sequences, shares, and as little memory for many jobs as for few."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness_samples import TINY, expand, experiment, tiny_file

from harness.job import Job
from harness.plan.checking import check
from harness.plan.expansion import Expansion, Share
from harness.plan.experiment import BackendChoice, Experiment, SetChoice
from harness.plan.reading import dump, load
from harness.runs.execution import SequencedJobs
from modelling.errors import ExperimentError, InstanceError
from puzzles.family import family
from puzzles.sets.reading import read_set

KEPT = "sat:direct,solver,cadical153"


def keys(jobs: list[Job]) -> list[tuple[str, str, int]]:
    return [(job.instance, job.backend, job.repeat) for job in jobs]


def drained(chosen: Experiment, share: Share = Share()) -> Expansion:
    expansion = Expansion(chosen, share)
    for _ in expansion.instances():
        pass
    return expansion


# --- what a file may say -------------------------------------------------------------------


def test_families_come_in_sizes() -> None:
    chosen = Experiment(
        name="x",
        sets=[
            SetChoice(family="queens", sizes=[4, 6], count="all"),
            SetChoice(name="empty", family="latin", sizes=[3]),
            SetChoice(family="sudoku", sizes=[4, 6, 9], limit=2),
        ],
        backends=["brute_force"],
        order="listed",
    )
    jobs, bad = expand(chosen)
    assert not bad
    assert [(job.set, job.instance, job.text) for job in jobs] == [
        ("queens-sizes", "queens-4", "4"),
        ("queens-sizes", "queens-6", "6"),
        ("empty", "latin-3", "3:........."),
        ("sudoku-sizes", "sudoku-4", "." * 16),
        ("sudoku-sizes", "sudoku-6", "." * 36),
    ]
    assert [job.question.text for job in jobs] == ["all", "all", "1", "1", "1"]
    for job in jobs:
        assert family(job.family).problem(job.text).structure.size


def test_a_backend_may_be_a_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'sets = ["queens"]\n'
        "[[backends]]\n"
        'name = "sat"\n'
        'options = { encoding = "direct", engine = "cadical153" }\n'
        'reuse = "solver"\n'
        "[[backends]]\n"
        'name = "sat:direct"\n'
        'reuse = "none"\n'
    )
    chosen = load(path)
    assert chosen.names() == [
        "sat:encoding=direct,engine=cadical153,reuse=solver",
        "sat:direct,reuse=none",
    ]
    again = tmp_path / "again.toml"
    again.write_text(dump(chosen))
    assert load(again).backends == chosen.backends


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sets = ['queens']\nbackends = ['x']\nrepeat = 0", "mine.toml:3:1: repeat: must be at"),
        ("sets = [\n  'queens',\n  { name = 'x', limit = 0 },\n]\nbackends = ['brute_force']",
         "mine.toml:3:17: sets[1].limit: must be at least 1, not 0"),
        ("sets = ['queens']\nbackends = ['brute_force', 'cpsta']",
         "mine.toml:2:28: backends[1]: no backend is called 'cpsta'; did you mean 'cpsat'"),
        ("sets = ['queens']\n[[backends]]\nname = 'sat'\nreuse = 'all'",
         "mine.toml:4:1: backends[0].reuse: 'all' is unknown (there are: none, encoding, solver)"),
        ("sets = ['queens']\n[[backends]]\nname = 'sat'\nengin = 'x'",
         "mine.toml:4:1: backends[0]: unknown key 'engin'; did you mean options = { engine"),
        ("sets = ['queens']\nmode = 'fresh'\n[[backends]]\nname = 'sat'\nreuse = 'solver'",
         "backends[0]: 'sat:reuse=solver' keeps its solver from job to job, which mode = 'pooled'"),
        ("sets = ['queens']\nmode = 'fresh'\nbackends = ['sat:solver']",
         "backends[0]: 'sat:solver' keeps its solver from job to job, which mode = 'pooled'"),
        ("sets = ['queens']\nbackends = ['cpsat']\nwarm_ups = 1\nmode = 'isolated'",
         "mine.toml:3:1: warm_ups: a worker of mode 'isolated' serves one job only"),
        ("backends = ['brute_force']\nsets = [{ family = 'queens', sizes = [4, 0] }]",
         "mine.toml:2:42: sets[0].sizes[1]: must be at least 1, not 0"),
        ("backends = ['brute_force']\nsets = [{ family = 'queens', sizes = [4, 4] }]",
         "sets[0].sizes: 4 is listed twice"),
        ("backends = ['brute_force']\nsets = [{ family = 'queens', sizes = [] }]",
         "sets[0].sizes: there are none"),
        ("backends = ['brute_force']\nsets = [{ sizes = [4] }]", "sets[0]: sizes need the key fam"),
        ("backends = ['brute_force']\nsets = [{ limit = 4 }]", "sets[0]: the key name is missing"),
        ("backends = ['brute_force']\nsets = [{ family = 'cryptarithm', sizes = [4] }]",
         "sets[0].family: family 'cryptarithm' has no sizes (these have: sudoku, "),
        ("backends = ['brute_force']\nsets = [{ family = 'quens', sizes = [4] }]",
         "sets[0].family: no puzzle family is called 'quens'; did you mean 'queens'"),
        ("sets = ['queens']\nbackends = ['x']\ncount = 'x'",
         "mine.toml:3:1: count: 'x' is unknown (there are: a number, \"all\")"),
        ("sets = [{ name = 'queens', keep = 'x' }]\nbackends = ['x']",
         "mine.toml:1:28: sets[0].keep: 'x' is unknown (there are: a number, \"all\")"),
        ("sets = ['queens']\nbackends = ['py:nothere:X']",
         "mine.toml:2:13: backends[0]: py:nothere:X: there is no module 'nothere' in"),
        ("sets = ['queens']\n[[backends]]\nname = 'py:nothere.deep:X'",
         "mine.toml:3:1: backends[0].name: py:nothere.deep:X: there is no module 'nothere' in"),
        ("sets = ['queens']\nbackends = ['py:..:X']",
         "backends[0]: 'py:..:X': write py:package.module:attribute"),
        ("sets = ['queens']\nbackends = ['py:a b:X y']", "backends[0]: 'py:a b:X y': write py:"),
        ("backends = ['x']\nsets = [{ name = 'queens', family = 'py:nothere:X' }]",
         "mine.toml:2:28: sets[0].family: py:nothere:X: there is no module 'nothere' in"),
        ("backends = ['x']\nsets = [{ name = 'queens', family = 'py:X' }]",
         "mine.toml:2:28: sets[0].family: 'py:X': write py:package.module:attribute"),
        ("sets = ['queens']\nbackends = ['x'\nseconds = 1", "mine.toml:3:1: not TOML: unclosed"),
        ("sets = [", "mine.toml:1:9: not TOML: invalid value"),
        (f"sets = ['queens']\nlimit = {'1' * 5000}", "mine.toml:2:9: not TOML: a number has too"),
        (f"sets = {'[' * 20_000}{']' * 20_000}", "mine.toml: not TOML: it is nested too deeply"),
        (f"sets = {'[' * 300}{']' * 300}", "mine.toml:"),
    ],
    ids=range(28),
)  # fmt: skip
def test_an_error_names_line_and_column(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("['x']", "['brute_force']"))
    with pytest.raises(ExperimentError) as caught:
        check(load(path))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("sets", "says"),
    [
        ("['queen']", "mine.toml:2:9: sets[0]: no set and no file is called 'queen'; did you mean"),
        ("['latin',\n 'folder']", "mine.toml:3:2: sets[1]: "),
        ("['sudoku17']", "mine.toml:2:9: sets[0]: the set 'sudoku17' is"),
        ("['queens', { name = 'none.txt', family = 'py:tiny_family:Tiny' }]", "mine.toml:2:19: se"),
        ("['./q.txt', 'q.txt']", "mine.toml:2:20: sets[1]: 'q.txt' is there twice"),
    ],
    ids=["unknown", "folder", "not fetched", "unreadable", "twice"],
)
def test_an_error_about_a_set_names_its_place(
    sets: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "empty"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "two").mkdir()
    for name in ("q.txt", "two/q.txt"):
        (tmp_path / name).write_text("# family: queens\n4\n")
    path = tmp_path / "mine.toml"
    path.write_text(f"backends = ['brute_force']\nsets = {sets}")
    with pytest.raises(ExperimentError) as caught:
        expand(load(path))
    assert says in str(caught.value)


def test_a_wrong_option_is_told_at_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    table = "sets = ['queens']\n[[backends]]\nname = 'sat'\n[backends.options]\namo = 'pairwise'\n"
    path.write_text(f"{table}engine = 'cadical'\n")
    says = r"mine.toml:6:1: backends\[0\].options.engine: sat: unknown value of engine 'cadical'"
    with pytest.raises(ExperimentError, match=says):
        check(load(path))
    path.write_text(table.replace("'sat'", "'sta'"))
    with pytest.raises(ExperimentError, match=r"mine.toml:3:1: backends\[0\].name: no backend is"):
        check(load(path))


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("sets = ['queens']\nbackends = ['brute_force']", encoding="utf-8-sig")
    assert load(path).sets == ["queens"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"repeat = {10**15}", "repeat: must be at most 1000000, not 1000000000000000"),
        (f"repeat = {10**29}", "repeat: must be at most 1000000"),
        ("jobs = 5_000_000_000", "jobs: must be at most 10000, not 5000000000"),
        ("threads = 100_000", "threads: must be at most 1000, not 100000"),
        (f"limit = 0x{'f' * 5000}", "limit: must be at most 1000000000000"),
        (f"seed = {1 << 70}", "seed: must be at most 9223372036854775807"),
        ("solver_seed = -9223372036854775809", "solver_seed: must be at least -922337203685477"),
        (f"warm_ups = {10**9}", "warm_ups: must be at most 1000000, not 1000000000"),
        ("memory_mb = 1e300", "memory_mb: must be at most 1000000000, not 1e+300"),
        ("seconds = 1e10", "seconds: must be at most 1000000000, not 1e+10"),
        (f"seconds = 1{'0' * 400}", "seconds: "),
        ("cpu_seconds = nan", "cpu_seconds: must be above 0, not nan"),
    ],
    ids=range(12),
)
def test_a_number_beyond_all_bounds_is_refused(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"sets = ['queens']\nbackends = ['brute_force']\n{line}\n")
    with pytest.raises(ExperimentError) as caught:
        load(path)
    assert str(caught.value).startswith(f"mine.toml:3:1: {says}")


@pytest.mark.parametrize(
    ("family", "size", "says"),
    [
        ("latin", 100_000, "a Latin square of order 100000; orders go from 1 to 100"),
        ("sudoku", 100_000, "a Sudoku of order 100000; orders go from 1 to 100"),
        ("queens", 100_000, "a board of size 100000; sizes go from 1 to 500"),
        ("queens", 10**9, "must be at most 1000000, not 1000000000"),
        ("queens", 1 << 20_000, "must be at most 1000000"),
    ],
    ids=range(5),
)
def test_sizes_end_where_the_family_does(family: str, size: int, says: str) -> None:
    chosen = [SetChoice(family=family, sizes=[4, size])]
    with pytest.raises(ExperimentError) as caught:
        check(Experiment(name="x", sets=chosen, backends=["brute_force"]))
    assert str(caught.value).startswith("sets[0].sizes[1]: ")
    assert str(caught.value).endswith(says)


def test_a_number_among_the_options_is_bounded_too() -> None:
    chosen = Experiment(
        name="x", sets=["queens"], backends=[BackendChoice("sat", {"amo": 1 << 20_000})]
    )
    with pytest.raises(ExperimentError, match=r"backends\[0\].options: must be at most 922"):
        check(chosen)


def test_a_module_is_looked_for_beside_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Experiment(name="x", sets=["queens"], backends=["py:written-later:Mine"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ExperimentError, match=f"no module 'written-later' in {tmp_path}"):
        check(chosen)
    (tmp_path / "written-later.py").write_text("raise SystemExit\nMine = 1\n")  # it is not imported
    check(chosen)


def test_a_backend_of_ones_own_has_no_options() -> None:
    own = BackendChoice("py:liars:Honest", {"fast": 1})
    says = r"backends\[0\].options.fast: .*write py:package.module:attribute, which has no options"
    with pytest.raises(ExperimentError, match=says):
        check(Experiment(name="x", sets=["queens"], backends=[own]))


def test_a_family_of_ones_own_reads_files(tmp_path: Path) -> None:
    chosen = Experiment(
        name="x", sets=[SetChoice("queens", "py:tiny_family:Tiny")], backends=["brute_force"]
    )
    with pytest.raises(ExperimentError, match="'queens' is a set that ships; a family of your own"):
        expand(chosen)
    chosen.sets = [SetChoice("none.txt", "py:tiny_family:NoSuch")]
    with pytest.raises(ExperimentError, match="the module tiny_family has no 'NoSuch'"):
        expand(chosen)


# --- order ---------------------------------------------------------------------------------


def test_listed_order_is_as_it_stands(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -", "3 5 -")
    chosen = experiment(path, "brute_force", "py:liars:Honest", repeat=2, order="listed")
    assert keys(expand(chosen)[0]) == [
        (text, backend, repeat)
        for repeat in (1, 2)
        for text in ("3 4 -", "3 5 -")
        for backend in ("brute_force", "py:liars:Honest")
    ]


def test_backends_interleave_unless_a_budget_may_end_the_run(tmp_path: Path) -> None:
    """With a budget the jobs of an instance follow each other, so that whole instances remain."""
    path = tiny_file(tmp_path, *(f"3 4 {n}" for n in range(10)))

    def draw(**more: Any) -> list[str]:
        asked = experiment(path, "brute_force", "py:liars:Honest", **more)
        return [job.instance for job in expand(asked)[0]]

    interleaved, in_blocks = draw(), draw(budget=60.0)
    assert interleaved[::2] != interleaved[1::2]
    assert in_blocks[::2] == in_blocks[1::2] != sorted(in_blocks[::2])


def test_stated_answers_are_numbered_beyond_the_jobs_of_witnesses(tmp_path: Path) -> None:
    """At once beyond them, and the same in each share."""
    answers = tmp_path / "stated.toml"
    each = '[[answer]]\ninstance = "{}"\nstatus = "satisfiable"\n'
    answers.write_text("".join(map(each.format, ("3 4 -", "3 4 4"))))
    asked = experiment(
        tiny_file(tmp_path, "3 4 -", "3 4 4"),
        *("brute_force", "propagation"),
        witness=["sat"],
        answers=str(answers),
    )

    def number(share: Share) -> list[int]:
        return [placed.number for placed in drained(asked, share).jobs() if placed.role == "stated"]

    assert number(Share()) == [9, 10]  # 4 jobs are timed, and the witness may be asked 4 more
    assert [number(Share(n, 2)) for n in (1, 2)] == [[9], [10]]
    assert [record.job for record in drained(asked).records()] == [9, 10]


def test_a_round_ends_before_the_next_begins(tmp_path: Path) -> None:
    texts = [f"3 4 {n}" for n in range(10)]
    path = tiny_file(tmp_path, *texts)
    jobs, _ = expand(experiment(path, "brute_force", KEPT, "py:liars:Honest", repeat=3, seed=5))
    rounds = [jobs[start : start + 30] for start in (0, 30, 60)]
    pairs = {(text, backend) for text in texts for backend in {job.backend for job in jobs}}
    for number, part in enumerate(rounds, 1):
        assert {job.repeat for job in part} == {number}
        assert {(job.instance, job.backend) for job in part} == pairs
    orders = [[(job.instance, job.backend) for job in part] for part in rounds]
    assert orders[0] != orders[1] != orders[2]  # each round is shuffled by itself
    once, _ = expand(experiment(path, "brute_force", KEPT, "py:liars:Honest", repeat=1, seed=5))
    assert keys(once) == keys(rounds[0])


def test_a_sequence_keeps_the_order_of_the_sets_among_the_others(tmp_path: Path) -> None:
    texts = [f"3 4 {n}" for n in range(20)]
    chosen = experiment(tiny_file(tmp_path, *texts), "brute_force", KEPT, repeat=2)
    jobs, _ = expand(chosen)
    sequence = [job for job in jobs if job.backend == KEPT]
    assert [(job.repeat, job.instance) for job in sequence] == [
        (repeat, text) for repeat in (1, 2) for text in texts
    ]
    others = [job for job in jobs if job.backend != KEPT]
    assert [job.instance for job in others] != sorted(job.instance for job in others)
    numbers = [job.number for job in sequence]
    assert max(numbers) - min(numbers) > 40  # it interleaves with the others


def test_jobs_of_a_sequence_are_given_out_one_at_a_time(tmp_path: Path) -> None:
    texts = [f"3 4 {n}" for n in range(5)]
    chosen = experiment(tiny_file(tmp_path, *texts), KEPT, "brute_force", order="listed")
    jobs, _ = expand(chosen)
    turn = SequencedJobs(jobs)
    first, *others = list(turn)  # it ends for the time being: nothing has ended meanwhile
    assert first.backend == KEPT
    assert [job.backend for job in others] == ["brute_force"] * 5
    turn.ended(others[0].number)
    assert not list(turn)
    running = first
    for text in texts[1:]:
        turn.ended(running.number)
        (running,) = list(turn)
        assert (running.backend, running.instance) == (KEPT, text)
    turn.ended(running.number)
    assert not list(turn)


def test_jobs_that_wait_do_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.runs.execution.MOST_HELD", 3)
    texts = [f"3 4 {n}" for n in range(9)]
    jobs, _ = expand(experiment(tiny_file(tmp_path, *texts), KEPT, order="listed"))
    given = []

    def source() -> Any:
        for job in jobs:
            given.append(job)
            yield job

    turn = SequencedJobs(source())
    assert len(list(turn)) == 1
    assert len(given) == 4
    done = []
    while done != jobs:
        (job,) = list(turn) if done else [jobs[0]]
        done.append(job)
        turn.ended(job.number)


# --- shares --------------------------------------------------------------------------------


def test_shares_divide_the_jobs_by_instance(tmp_path: Path) -> None:
    texts = [f"3 4 {n}" for n in range(10)]
    chosen = experiment(tiny_file(tmp_path, *texts), "brute_force", "py:liars:Honest", KEPT)
    whole = {placed.number: placed for placed in drained(chosen).jobs()}
    shares = [list(drained(chosen, Share(n, 3)).jobs()) for n in (1, 2, 3)]
    together = [placed for share in shares for placed in share]
    assert {placed.number: placed for placed in together} == whole
    assert len(together) == len(whole) == 30
    for share in shares:
        others = {(placed.instance, placed.backend) for placed in share if placed.backend != KEPT}
        assert len(others) == 2 * len({instance for instance, _ in others})
    assert [sum(placed.backend == KEPT for placed in share) for share in shares] == [0, 0, 10]
    assert [drained(chosen, Share(n, 3)).totals().jobs for n in (1, 2, 3)] == [
        len(share) for share in shares
    ]


def test_a_share_is_the_whole_where_nothing_is_said() -> None:
    assert Share() == Share(1, 1)
    assert str(Share(2, 8)) == "2/8"


def test_a_set_draws_as_many_as_the_experiment_says_or_its_own_number(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, *(f"3 4 {n}" for n in range(10)))

    def drawn(choice: SetChoice, **more: Any) -> int:
        asked = experiment(path, "brute_force", **more)
        return drained(msgspec.structs.replace(asked, sets=[choice]))._instances

    plain = SetChoice(path, family=TINY)
    assert drawn(plain) == 10
    assert drawn(plain, sample=4) == 4
    assert drawn(plain, limit=3) == 3
    assert drawn(msgspec.structs.replace(plain, sample=2), sample=4) == 2
    assert drawn(msgspec.structs.replace(plain, limit=5), limit=3) == 5


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3", ""])
def test_a_share_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ExperimentError, match="write i/N"):
        Share.parse(text)
    assert Share.parse("2/8") == Share(2, 8)


@pytest.mark.parametrize(
    ("backends", "more", "seconds"),
    [
        (["brute_force"], {}, 20.0),
        (["brute_force"], {"repeat": 3}, 60.0),
        (["brute_force"], {"warm_ups": 2}, 60.0),  # each kill brings a worker that warms up
        (["brute_force"], {"warm_ups": 1, "seconds": 0.5}, 15.0),  # for a second, if it takes it
        (["brute_force"], {"warm_ups": 1, "seconds": 50.0}, 600.0),  # and for ten at the most
        (["brute_force"], {"limit": 1, "jobs": 4}, 2.0),  # one job is no faster on four slots
        (["brute_force"], {"jobs": 4}, 6.5),  # at least three rounds
        ([KEPT], {"jobs": 4}, 20.0),  # one after the other
        (["brute_force", KEPT], {"jobs": 4}, 26.5),
    ],
)
def test_the_worst_time_is_an_upper_bound(
    backends: list[str], more: dict[str, Any], seconds: float, tmp_path: Path
) -> None:
    path = tiny_file(tmp_path, *(f"3 4 {n}" for n in range(10)))
    expansion = drained(experiment(path, *backends, **({"seconds": 2.0} | more)))
    assert expansion.totals() == (len(expansion), seconds)


def test_totals_are_worked_out_not_counted(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, *(f"3 4 {n}" for n in range(10)))
    chosen = experiment(path, "brute_force", "propagation", repeat=10**6, seconds=1.0)
    assert drained(chosen).totals() == (20 * 10**6, 20e6)
    assert drained(chosen, Share(2, 3)).totals().jobs == 6 * 10**6
    path = tiny_file(tmp_path, *(f"3 4 {n}" for n in range(1000)))
    with pytest.raises(ExperimentError, match="repeat: 51 instances x 2 backends x 1000000 rep"):
        drained(chosen)


# --- identity ------------------------------------------------------------------------------


def test_the_digest_is_of_what_is_run(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -")
    (tmp_path / "other").mkdir()
    one = experiment(path, "brute_force")
    same = experiment(tiny_file(tmp_path / "other", "3 4 -"), "brute_force", jobs=3, about="x")
    same.tags = ["y"]
    assert one.digest == same.digest
    for changes in ({"seconds": 3.0}, {"seed": 1}, {"repeat": 2}, {"mode": "fresh"}):
        assert experiment(path, "brute_force", **changes).digest != one.digest
    table = experiment(path, "brute_force")
    table.backends = [BackendChoice("brute_force")]
    assert table.digest == one.digest


# --- many ----------------------------------------------------------------------------------


def test_names_given_and_made_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("# family: queens\n4\n5 # q:2\n6 # q:5\n7\n8 # q:2\n4 # a\n5 # a\n")
    names = [item.name for item in read_set(str(path)) if not isinstance(item, InstanceError)]
    assert names[:2] == ["q:2", "q:2 (2)"]
    assert len(set(names)) == len(names) == 7


@pytest.mark.once
def test_memory_is_that_of_a_number_a_job(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("# family: queens\n" + "1\n" * 1000)
    chosen = Experiment(name="x", sets=[str(path)], backends=["brute_force"], repeat=100)
    expansion = drained(chosen)
    jobs = expansion.jobs()
    next(jobs)
    tracemalloc.start()
    expansion = drained(chosen)
    count = sum(1 for _ in expansion.jobs())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == len(expansion) == 100_000
    assert peak < 100_000 * 24


def test_files_of_one_name_are_two_sets(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    paths = [tiny_file(tmp_path, "3 4 -"), tiny_file(tmp_path / "other", "3 4 4")]
    chosen = experiment(paths[0], "brute_force")
    chosen.sets = [SetChoice(path, TINY) for path in paths]
    jobs, _ = expand(chosen)
    assert [(job.set, job.instance) for job in jobs] == [
        (f"{tmp_path.name}/tiny.txt", "3 4 -"),
        ("other/tiny.txt", "3 4 4"),
    ]
    chosen.sets = [SetChoice(path, TINY) for path in (paths[0], f"{tmp_path}/./tiny.txt")]
    with pytest.raises(ExperimentError, match=r"'tiny\.txt' is there twice"):
        expand(chosen)
