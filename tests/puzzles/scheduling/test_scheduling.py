"""Shops, projects and cars: files as they are, published instances, generators, charts."""

import gzip
from itertools import combinations, product

import pytest

from backends.interface.api import Optimum, Solutions
from backends.interface.registry import get
from modelling.errors import InputError, InstanceError
from puzzles.family import family, find_by_ending
from puzzles.random_stream import Stream
from puzzles.scheduling import car_sequencing, job_shop, open_shop, rcpsp
from puzzles.scheduling.car_sequencing import CAR_SEQUENCING
from puzzles.scheduling.dispatch import schedule_jobs, schedule_open
from puzzles.scheduling.gantt import Bar, draw_gantt
from puzzles.scheduling.job_shop import JOB_SHOP
from puzzles.scheduling.open_shop import OPEN_SHOP
from puzzles.scheduling.rcpsp import RCPSP, schedule_tasks
from puzzles.scheduling.taillard import draw_shop
from puzzles.sets import instances

SM = """\
************************************************************************
file with basedata            : small.bas
************************************************************************
projects                      :  1
jobs (incl. supersource/sink ):  5
horizon                       :  9
RESOURCES
  - renewable                 :  2   R
  - nonrenewable              :  0   N
  - doubly constrained        :  0   D
************************************************************************
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           5
   4        1          1           5
   5        1          0
************************************************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
------------------------------------------------------------------------
  1      1     0       0    0
  2      1     3       2    0
  3      1     2       3    1
  4      1     4       1    2
  5      1     0       0    0
************************************************************************
RESOURCEAVAILABILITIES:
  R 1  R 2
    4    2
************************************************************************
"""
TAILLARD = """\
Number of jobs, number of machines, time seed, machine seed, upper bound, lower bound
 2 2 11 12 9 9
Times
 3 2
 1 4
Machines
 2 1
 1 2
Number of jobs, number of machines, time seed, machine seed, upper bound, lower bound
 1 3 11 12 9 9
Times
 3 2 5
Machines
 2 3 1
"""
CARS = """\
These are two problems.

#------
# Problem 4/72  (the first)
#------
3 5 2
0 2 1 0 0 0 0
1 1 0 1 0 0 1

# Problem 60-01
2 1 2
1
2
0 1 1
1 1 0
"""
FILES = [
    ("job_shop", "la.txt", "2 2\n0 3 1 2\n 1 1 0 4\n", ["la:0=3 1=2 | 1=1 0=4"]),
    (
        "job_shop",
        "jobshop1.txt",
        "words\n +++\n instance one\n +++\n a remark\n 1 2\n0 3 1 2\n instance two\n1 1\n0 4\n",
        ["one:0=3 1=2", "two:0=4"],
    ),
    ("job_shop", "more.txt", "1 1\n0 3\n1 1\n0 4\n", ["more:1:0=3", "more:3:0=4"]),
    ("job_shop", "ta.txt", TAILLARD, ["ta-1:1=3 0=2 | 0=1 1=4", "ta-2:1=3 2=2 0=5"]),
    ("job_shop", "lines.txt", "0=3 1=2 | 1=1 <= 5 # two\n", ["two:0=3 1=2 | 1=1 <= 5"]),
    (
        "flexible_job_shop",
        "mk.fjs",
        "2 3 1.5\n2  1 1 4  2 1 3 3 2 \n\n1 2 2 5 1 0\n",
        ["mk.fjs:0=4 0=3/2=2 | 1=5/0=0"],
    ),
    ("flexible_job_shop", "lines.txt", "0=1/1=2 <= 3 # one\n", ["one:0=1/1=2 <= 3"]),
    ("open_shop", "tai.txt", TAILLARD, ["tai-1:2 3 | 1 4", "tai-2:5 3 2"]),
    ("open_shop", "gp.txt", "2 3\n1 2 3\n4 5 6\n", ["gp:1 2 3 | 4 5 6"]),
    ("open_shop", "lines.txt", "1 2 | 4 5 <= 9\n", ["lines:1:1 2 | 4 5 <= 9"]),
    ("rcpsp", "small.sm", SM, ["small:4 2: 3 2 0 > 3 | 2 3 1 | 4 1 2"]),
    ("rcpsp", "lines.txt", "4: 3 2 > 2 | 1 1 # one\n", ["one:4: 3 2 > 2 | 1 1"]),
    (
        "car_sequencing",
        "data.txt",
        CARS,
        ["4/72:1/2 2/3 1/3 2/5 1/5: 2=10000 1=01001", "60-01:1/2: 1=1 1=0"],
    ),
    ("car_sequencing", "one.txt", "2 1 1\n1\n2\n0 2 0\n", ["one:1/2: 2=0"]),
    ("car_sequencing", "lines.txt", "1/2: 2=0\n", ["lines:1:1/2: 2=0"]),
]


@pytest.mark.parametrize(("kind", "file", "content", "found"), FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_files_are_read_as_they_are(tmp_path, kind, file, content, found, packed):
    path = tmp_path / (f"{file}.gz" if packed else file)
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    entries = list(instances(str(path), kind))
    assert [f"{entry.name}:{entry.text}" for entry in entries] == found
    for entry in entries:  # a text is read as itself
        assert family(kind).text(family(kind).parse(entry.text)) == entry.text


def test_a_file_is_known_by_its_ending(tmp_path):
    path = tmp_path / "small.sm.gz"
    path.write_bytes(gzip.compress(SM.encode()))
    (entry,) = instances(str(path))
    assert (entry.family, entry.name) == ("rcpsp", "small")
    assert find_by_ending("x/myciel3.col") == "graph_colouring"
    assert find_by_ending("a.PLS") == "latin"
    assert find_by_ending("a.bpa.gz") == "bin_packing"
    assert find_by_ending("a.txt") is find_by_ending("a.sdk") is find_by_ending("-") is None


def in_sm(old, new, message):
    """A case of a damaged file: a project in which something was replaced."""
    return RCPSP, "sm", SM.replace(old, new), message


@pytest.mark.parametrize(
    ("kind", "form", "content", "message"),
    [
        (JOB_SHOP, "orlib", "", "f:1:1: there is no job shop in the file"),
        (JOB_SHOP, "orlib", "2", "f:1:1: expected the number of jobs and the number of machines"),
        (JOB_SHOP, "orlib", "2 2\n0 1 1 1", "f:2:1: the file ends; a line for each of 2 jobs"),
        (JOB_SHOP, "orlib", "1 2\n0 1 1", "f:2:1: 3 numbers where there must be 4; each is a mach"),
        (JOB_SHOP, "orlib", "1 2\n0 1 2 1", "f:2:5: a machine is 2; it must be from 0 to 1"),
        (JOB_SHOP, "orlib", "1 2\n0 1 1 1\n?", "f:3:1: expected the number of jobs and the numb"),
        (
            JOB_SHOP,
            "orlib",
            "2 2\n0 1 1 1\n1 1 0 1\n1 1 0 1\n1 1 0 1\n",
            "f:4:5: 4 numbers where a shop begins; write the numbers of jobs and machines alone",
        ),
        (JOB_SHOP, "orlib", "1 2\n0 1 1 1\n0 1 1 1", "f:3:5: 4 numbers where a shop begins; wri"),
        (JOB_SHOP, "orlib", "1 1 7\n0 1", "f:1:5: 3 numbers where a shop begins; write the numb"),
        (JOB_SHOP, "taillard", "", "f:1:1: there is no shop in the file"),
        (JOB_SHOP, "taillard", "a\n1 2 3\nb\n4 5\n", "f:4:1: the file ends; 1 lines of 2 numbers"),
        (JOB_SHOP, "taillard", "1 2\n4 5\nb\n1 1", "f:4:1: a machine occurs twice in a job"),
        (JOB_SHOP, "taillard", "1 2\n4 5\nb\n1 3", "f:4:3: a machine is 3; it must be from 1 to 2"),
        (OPEN_SHOP, "plain", "", "f:1:1: there is no open shop in the file"),
        (
            OPEN_SHOP,
            "plain",
            "2 2\n1 2",
            "f:1:1: 1 lines of durations follow, and not one for each",
        ),
        (OPEN_SHOP, "plain", "1 2\n0 0", "f:1:1: there is nothing to be done"),
        (RCPSP, "sm", "***", "f:1:1: there is no line 'jobs : N'"),
        in_sm(
            "nonrenewable              :  0",
            "nonrenewable : 2",
            "f:9:20: the number of nonrenewable is 2; it",
        ),
        in_sm("   2        1", "   2        3", "f:15:13: how many modes there"),
        in_sm("   4        1          1", "   4  1  2", "f:17:10: 1 jobs follow"),
        in_sm("  5      1     0", "  5      1     1", "f:27:1: job 5 stands for"),
        in_sm("       3    1", "       5    1", "f:25:24: the use of a resource"),
        in_sm("       3    1", "       3", "f:25:3: 1 demands, and 2 capacities"),
        in_sm("RESOURCEAV", "AV", "f:32:1: there is no section RESOURCEAVAILAB"),
        in_sm("4        1          1           5", "4 1 1 2", "f:1:1: task 1 wai"),
        in_sm(
            "4        1          1           5",
            "4 1 1 1",
            "f:17:10: a job that waits is 1; it must be from 2 to 5",
        ),
        in_sm(
            "5        1          0",
            "5 1 1 3",
            "f:18:8: job 5 stands for the end, and 1 jobs wait for it; write 0 and no jobs",
        ),
        (CAR_SEQUENCING, "csplib", "words", "f:1:1: there is no problem in the file"),
        (CAR_SEQUENCING, "csplib", "2 1 1\n0 2 0", "f:1:1: a line with 1 capacities should follow"),
        (CAR_SEQUENCING, "csplib", "2 1 1\n1\n2\n0 1 0", "f:1:1: the classes have 1 cars together"),
        (CAR_SEQUENCING, "csplib", "2 1 1\n3\n2\n0 2 0", "f:2:1: a capacity of 3/2"),
        (CAR_SEQUENCING, "csplib", "2 1 2\n1\n2\n0 2 0", "f:4:1: the file ends; 2 lines of 3 numb"),
        (CAR_SEQUENCING, "csplib", "2 1 1\n1\n2\n0 2", "f:4:1: 2 numbers where there must be 3"),
        (CAR_SEQUENCING, "csplib", "2 1 1\n1\n2\n0 2 2", "f:4:5: whether it has an option is 2"),
        (
            CAR_SEQUENCING,
            "csplib",
            "2 1 2\n1\n2\n0 1 0\n0 1 1",
            "f:5:1: class 0 where class 1 is expected; write them in order, from 0 on",
        ),
        (CAR_SEQUENCING, "csplib", "2 1 2\n1\n2\n1 1 0\n0 1 1", "f:4:1: class 1 where class"),
        (CAR_SEQUENCING, "csplib", "2 1 1\n?", "f:2:1: '?' is no row"),
    ],
)
def test_damaged_files(kind, form, content, message):
    *_, error = kind.in_format(form).read(content.splitlines(), "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)


def test_taillards_instances_are_drawn_from_his_seeds():
    """The first rows of ta01 and the whole of his first 4 x 4 open shop, as published."""
    first = draw_shop(15, 15, 840612802, 398197754)[0]
    assert [d for _, d in first] == [94, 66, 10, 53, 26, 15, 65, 82, 10, 27, 93, 92, 96, 70, 83]
    assert [m + 1 for m, _ in first] == [7, 13, 5, 8, 4, 3, 11, 12, 9, 15, 10, 14, 6, 1, 2]
    shop = draw_shop(4, 4, 1166510396, 164000672)
    assert [[d for _, d in job] for job in shop] == [
        [54, 34, 61, 2],
        [9, 15, 89, 70],
        [38, 19, 28, 87],
        [95, 34, 7, 29],
    ]
    assert open_shop.find_lower_bound(open_shop.order_by_machine(shop)) == 186
    with pytest.raises(InputError, match="a seed of 0; Taillard's seeds go from 1 to 2147483646"):
        draw_shop(2, 2, 0, 1)


@pytest.mark.once
@pytest.mark.parametrize(
    ("seeds", "optimum"), [((1166510396, 164000672), 193), ((1624514147, 1076870026), 236)]
)
def test_taillards_open_shops(seeds, optimum):
    text = OPEN_SHOP.text(
        open_shop.Puzzle(open_shop.order_by_machine(draw_shop(4, 4, *seeds)), None)
    )
    result = get("cpsat").solve(OPEN_SHOP.problem(text), Optimum())
    assert (result.status, result.objective) == ("OPTIMUM", optimum)


def test_counts_by_trying_everything():
    """By loops that know neither model nor family."""

    def apart(tasks):
        return all(s + d <= t or t + e <= s for (s, d), (t, e) in combinations(tasks, 2))

    jobs = [(a, b, c, d) for a, b, c, d in product(range(6), repeat=4) if b >= a + 2 and d >= c + 1]
    schedules = sum(
        apart([(a, 2), (d, 2)]) and apart([(b, 1), (c, 1)]) and max(b + 1, d + 2) <= 6
        for a, b, c, d in jobs
    )
    brute = get("brute_force")
    text = "0=2 1=1 | 1=1 0=2 <= 6"
    assert brute.solve(JOB_SHOP.problem(text), Solutions(None)).count == schedules > 10
    opened = sum(
        apart([(a, 1), (b, 2)]) and apart([(c, 2)]) and apart([(a, 1), (c, 2)])
        for a, b, c in product(range(4), range(3), range(3))
    )
    text = "1 2 | 2 0 <= 4"
    assert brute.solve(OPEN_SHOP.problem(text), Solutions(None)).count == opened > 3
    # two tasks of one time unit with half the resource each, the third after the first
    text = "2: 1 1 > 3 | 1 1 | 1 2 <= 3"
    projects = sum(c > a and c != b for a, b, c in product(range(3), repeat=3))
    assert brute.solve(RCPSP.problem(text), Solutions(None)).count == projects > 3
    text = "1/2: 2=1 2=0 1=0"
    lines = sum(
        all(line[i : i + 2] != ("a", "a") for i in range(4)) and sorted(line) == list("aabbc")
        for line in product("abc", repeat=5)
    )
    assert brute.solve(CAR_SEQUENCING.problem(text), Solutions(None)).count == lines


def test_rules_make_whole_schedules():
    """What a rule makes is never better than the best, nor worse than one thing at a time."""
    for item in range(5):
        made = JOB_SHOP.parse(job_shop.generate(Stream(3, item), jobs=6, machines=5)).jobs
        end = schedule_jobs(made)
        assert job_shop.find_lower_bound(made) <= end < sum(d for job in made for _, d in job)
        durations = OPEN_SHOP.parse(open_shop.generate(Stream(3, item), jobs=6, machines=5)).jobs
        bound = open_shop.find_lower_bound(durations)
        assert bound <= schedule_open(durations) <= 2 * bound  # as every dense schedule
        capacities, tasks, _ = RCPSP.parse(rcpsp.generate(Stream(3, item), tasks=20))
        assert rcpsp.find_lower_bound(capacities, tasks) <= schedule_tasks(capacities, tasks)
        assert schedule_tasks(capacities, tasks) <= sum(task.duration for task in tasks)


def test_generated_instances_depend_on_seed_and_item_alone():
    makers = [
        lambda seed, item: job_shop.generate(Stream(seed, item), jobs=3, machines=3),
        lambda seed, item: open_shop.generate(Stream(seed, item), jobs=3, machines=3),
        lambda seed, item: rcpsp.generate(Stream(seed, item), tasks=8),
        lambda seed, item: car_sequencing.generate(Stream(seed, item), cars=20, percent=80),
    ]
    for make in makers:
        assert make(1, 0) == make(1, 0)
        assert len({make(1, 0), make(1, 1), make(2, 0)}) == 3


def test_limits_are_shares_of_the_lower_bound():
    free = JOB_SHOP.parse(job_shop.generate(Stream(1, 0), jobs=4, machines=3))
    text = job_shop.generate(Stream(1, 0), jobs=4, machines=3, percent=120)
    assert text.endswith(f" <= {job_shop.find_lower_bound(free.jobs) * 120 // 100}")
    assert (
        OPEN_SHOP.parse(open_shop.generate(Stream(1, 0), jobs=2, machines=3, percent=0)).limit == 0
    )
    capacities, tasks, _ = RCPSP.parse(rcpsp.generate(Stream(1, 0), tasks=9))
    limit = RCPSP.parse(rcpsp.generate(Stream(1, 0), tasks=9, percent=100)).limit
    assert limit == rcpsp.find_lower_bound(capacities, tasks)
    for made in (job_shop, open_shop):
        with pytest.raises(InputError, match="a limit of -1 % of the lower bound"):
            made.generate(Stream(1, 0), jobs=2, machines=2, percent=-1)
        with pytest.raises(InputError, match="no shop of 0 jobs and 2 machines"):
            made.generate(Stream(1, 0), jobs=0, machines=2)


@pytest.mark.parametrize("resources", [1, 4, rcpsp.MOST_RESOURCES])
def test_the_lines_above_the_tasks_of_a_project_fit(resources):
    capacities = " ".join(["100000"] * resources)
    text = f"{capacities}: 3{' 1' * resources} > 2 | 1{' 2' * resources}"
    for limit in ("", " <= 500000"):
        lines = RCPSP.draw(RCPSP.parse(text + limit), None).splitlines()
        assert max(map(len, lines)) <= 80
        assert " ".join(line.strip() for line in lines[1:-2]) == f"capacities {capacities}"
        assert lines[-2:] == [f"   1: 3{' 1' * resources} > 2", f"   2: 1{' 2' * resources}"]


def test_projects_are_as_their_parameters():
    capacities, tasks, _ = RCPSP.parse(
        rcpsp.generate(Stream(5, 0), tasks=40, complexity=200, factor=100, strength=0)
    )
    assert sum(len(task.successors) for task in tasks) == 80
    assert all(all(task.demands) for task in tasks)
    assert capacities == tuple(max(task.demands[r] for task in tasks) for r in range(4))
    idle = RCPSP.parse(rcpsp.generate(Stream(5, 0), tasks=9, factor=0)).tasks
    assert not any(any(task.demands) for task in idle)
    with pytest.raises(InputError, match="factor and strength go from 0 to 100"):
        rcpsp.generate(Stream(5, 0), tasks=4, factor=101)
    with pytest.raises(InputError, match="no project of 0 tasks and 4 resources"):
        rcpsp.generate(Stream(5, 0), tasks=0)


def test_cars_use_the_room_that_they_are_given():
    for percent in (50, 90):
        puzzle = CAR_SEQUENCING.parse(
            car_sequencing.generate(Stream(2, 0), cars=100, percent=percent)
        )
        assert puzzle.cars == 100
        used = [
            puzzle.demand(option) / car_sequencing.find_room(capacity, 100)
            for option, capacity in enumerate(puzzle.capacities)
        ]
        assert max(used) == pytest.approx(percent / 100, abs=0.02)
    assert car_sequencing.find_room((2, 5), 11) == 5
    with pytest.raises(InputError, match="no stations of capacities"):
        car_sequencing.generate(Stream(2, 0), cars=10, percent=50, capacities=[(3, 2)])
    with pytest.raises(InputError, match="no 0 cars of 20 classes at 50 % of the room"):
        car_sequencing.generate(Stream(2, 0), cars=0, percent=50)


def test_charts():
    drawn = JOB_SHOP.render("0=3 1=2 | 1=4 0=2", [0, 4, 0, 4]).splitlines()
    head = "machine=duration of each job, to end as soon as can be"
    assert drawn == [
        f"{head}         machine 0 111.22",
        f"{'1: 0=3 1=2':{len(head)}}   -->   machine 1 222211",
        f"{'2: 1=4 0=2':{len(head)}}                   0    6",
    ]
    assert JOB_SHOP.write("0=3 1=2 | 1=4 0=2", [0, 4, 0, 4]) == "0 4 | 0 4"
    assert JOB_SHOP.value("0=3 1=2 | 1=4 0=2", [0, 4, 0, 4]) == 6
    assert OPEN_SHOP.render("3 2 | 1 4", [1, 5, 0, 1]).splitlines()[-3:] == [
        "machine 1 2111...",
        "machine 2 .222211",
        "          0     7",
    ]
    assert OPEN_SHOP.write("3 2 | 1 4", [0, 4, 3, 0]) == "0 4 | 3 0"
    assert RCPSP.render("2: 2 1 > 2 | 3 2", [0, 2]).splitlines()[-7:] == [
        "1 11...",
        "2 ..222",
        "  0   5",
        "",
        "used, in tenths (# all)",
        "resource 1 55###",
        "           0   5",
    ]
    assert CAR_SEQUENCING.render("1/2: 1=1 2=0", [2, 1, 2, 0, 1, 0]).splitlines() == [
        "3 cars, options 1/2             car 1",
        "1:   1 cars  X        -->       1/2 .X.",
        "2:   2 cars  .",
    ]
    assert CAR_SEQUENCING.write("1/2: 1=1 2=0", [2, 1, 2, 0, 1, 0]) == "2 1 2"


def test_charts_fit_80_columns():
    for end in (1, 79, 80, 81, 999, 54321):
        rows = [
            (f"machine {k}", [Bar(0, end // 2, "1"), Bar(end // 2, end, "2")]) for k in range(3)
        ]
        lines = draw_gantt(rows, end).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[-1].endswith(str(end))
    # of a cell with two bars the longer one is seen
    assert draw_gantt([("m", [Bar(0, 1, "1"), Bar(1, 200, "2")])], 200).startswith("m 2222")
