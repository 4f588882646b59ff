"""Problems as text: read back they are the same, and what cannot travel is refused by name."""

import re
import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

import pytest

from backends.conformance.drawn_problems import drawn_problems
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.errors import ModelError
from modelling.problem import Objective, Problem, build_problem
from modelling.text import LONG, from_text, to_text


@dataclass(frozen=True)
class Product(Constraint):
    """The product of all values is at most ``most``, or with ``exact`` equal to it."""

    most: int
    exact: bool = False
    remark: str = ""

    def holds(self, values):
        product = 1
        for value in values:
            product *= value
        return product == self.most if self.exact else product <= self.most


class Odd(Constraint):
    """A subclass that is not a dataclass of its own."""

    def holds(self, values):
        return sum(values) % 2 == 1


EVERY = build_problem(
    {"x": range(1, 5), "y # ;/ é": (-7, -6, 3, 9), "z": range(-2, 3), "": (0,), "free": range(9)},
    [
        AllDifferent(("x", "z")),
        NotEqual(("x", "y # ;/ é")),
        Linear(("x", "z"), (1, -2), "<=", 7),
        Linear((), (), "==", 0),
        Table(("x", "z"), ((1, 0), (3, -2)), allowed=False),
        Product(("x", "z"), 12, True, "a remark; with # signs // in it"),
        Odd(("x",)),
    ],
    objective=Objective("maximize", ("x", "z"), (1, -3)),
    givens={"x": 3},
)


def same(problem):
    again = from_text(to_text(problem))
    assert again == problem
    assert again.digest == problem.digest
    assert to_text(again) == to_text(problem)
    return again


def test_everything_that_a_problem_can_hold_is_read_back():
    again = same(EVERY)
    assert [type(c) for c in again.structure.constraints[-2:]] == [Product, Odd]


@pytest.mark.parametrize(
    "problem",
    [
        build_problem({}),
        build_problem({}, [Linear((), (), ">", 0)]),
        build_problem({"x": ()}),
        Problem(build_problem({"x": (1, 2)}).structure, (0,)),
        Problem(build_problem({"x": range(5), "y": range(5)}).structure, (0b10110, 0b11111)),
        build_problem({"x": range(-(10**30), -(10**30) + 3)}),
        build_problem({"x": range(20_000)}, givens={"x": 19_999}),
    ],
    ids=range(7),
)
def test_edges_are_read_back(problem):
    again = from_text(to_text(problem))
    assert again == problem
    assert again.structure.digest == problem.structure.digest


def test_drawn_problems_are_read_back():
    kinds = (AllDifferent, NotEqual, Linear, Table)
    for _, problem in islice(drawn_problems(7, kinds), 100):
        same(problem)


def test_a_large_problem_is_compressed():
    table = Table(("x", "y"), tuple((a, b) for a in range(50) for b in range(50) if a * b % 7 == 1))
    problem = build_problem({"x": range(50), "y": range(50)}, [table])
    text = to_text(problem)
    assert text.startswith("z")
    assert LONG < len(text) < 3 * LONG
    same(problem)


def test_the_text_is_one_line_without_signs_of_a_comment():
    for problem in (EVERY, build_problem({"#;//\n\t x": range(3)}, givens={"#;//\n\t x": 1})):
        assert re.fullmatch(r"[^\s#;/]+( [^\s#;/]+)?", to_text(problem))


def test_texts_of_one_structure_share_it():
    structure = EVERY.structure
    one, other = (to_text(structure.problem({0: value})) for value in (1, 2))
    assert one.split()[0] == other.split()[0]
    assert from_text(one).structure is from_text(other).structure


@dataclass(frozen=True)
class Among(Constraint):
    values: frozenset[int]

    def holds(self, values):
        return set(values) <= self.values


@dataclass(frozen=True)
class Listed(Constraint):
    rows: list[int]

    def holds(self, values):
        return values[0] in self.rows


def local():
    class Inner(Constraint):
        def holds(self, values):
            return True

    return Inner


def of_main():
    found = local()
    found.__module__, found.__qualname__ = "__main__", "Inner"
    return found


@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        (Among(("x",), frozenset({1})), r"Among\.values holds a frozenset, which cannot be handed"),
        (Listed(("x",), [1]), r"Listed\.rows holds a list, .* tuples of these"),
        (local()(("x",)), "Inner is defined in a notebook cell, in the script itself or within a"),
        (of_main()(("x",)), "write it to a file beside, say mine.py, .*: from mine import Inner"),
    ],
    ids=range(4),
)
def test_what_cannot_travel_is_refused_by_name(constraint, says):
    with pytest.raises(ModelError, match=says):
        to_text(build_problem({"x": range(3)}, [constraint]))


@dataclass(frozen=True)
class Shifting(Odd):
    """Made again of its own fields, it is another one."""

    by: int

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "by", self.by + 1)


def test_a_constraint_that_changes_on_its_way_is_noticed():
    with pytest.raises(ModelError, match="the problem is another one once it has been written"):
        to_text(build_problem({"x": range(3)}, [Shifting(("x",), 1)]))


PLAIN = '{"names":["x"],"domains":[[1,3]],"constraints":[]}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "one or two words, not 0"),
        (f"{PLAIN} 0=1 0=1", "one or two words, not 3"),
        ("{", "not the text of a problem: JSONDecodeError"),
        ("[1]", "not the text of a problem: TypeError"),
        ("{}", "not the text of a problem: KeyError"),
        ("[" * 100_000, "not the text of a problem"),
        ("zAAAA", "damaged"),
        ("z*", "(damaged|cut short|not the text)"),
        (to_text(EVERY)[:300], "(damaged|cut short|not the text)"),
        (f"{PLAIN} 1=1", "'1=1' is no position and mask of one of the 1 variables"),
        (f"{PLAIN} -1=1", "'-1=1' is no position and mask"),
        (f"{PLAIN} 0=-1", "'0=-1' is no position and mask"),
        (f"{PLAIN} 0=8", "reaches beyond a base domain"),
        (f"{PLAIN} size=0", "the size 0 is not a number above 0"),
        (f"{PLAIN} size=large", "'size=large'.* position and mask"),
        (PLAIN.replace("[1,3]", "[1,3,4]"), "not the text of a problem: ValueError"),
        (
            PLAIN.replace("[1,3]", "[1,99999999999,200000000000,200000000000]"),
            "more than 16777216 values",
        ),
        (PLAIN.replace("[]", '[["Alldifferent",{"scope":[0]}]]'), "no constraint is called 'Alldi"),
        (PLAIN.replace("[]", '[["AllDifferent",{"scop":[0]}]]'), "not the text of a problem: Type"),
        (PLAIN.replace("[]", '[["AllDifferent",{"scope":[1]}]]'), "refers to variable 1"),
        (PLAIN.replace("[]", '[["nowhere:X",{"scope":[0]}]]'), "'nowhere:X' cannot be imported fr"),
        (PLAIN.replace("[]", '[["modelling.text:X",{"scope":[0]}]]'), "cannot be imported from"),
        (PLAIN.replace("[]", '[["os:getcwd",{}]]'), "'os:getcwd' is not a subclass of concord.Con"),
    ],
    ids=range(23),
)
def test_text_that_is_no_problem_is_refused(text, says):
    with pytest.raises(ModelError, match=says):
        from_text(text)


def test_another_process_reads_the_same_problem(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import concord\n"
        "class Odd(concord.Constraint):\n"
        "    def holds(self, values):\n"
        "        return sum(values) % 2 == 1\n"
    )
    tell = (
        "import mine, concord; problem = concord.problem({'x': range(4)}, [mine.Odd(('x',))]); "
        "print(problem.digest, concord.instance(problem).text)"
    )
    read = (
        "import sys, concord; problem = concord.family('problem').problem(sys.argv[1]); "
        "print(problem.digest, concord.solve(problem, concord.Solutions(None), "
        "backend='brute_force').count)"
    )

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-c", *arguments],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        return done.stdout.strip().split(" ", 1)

    digest, text = run(tell)
    assert "mine:Odd" in text
    assert run(read, text) == [digest, "2"]


@pytest.mark.parametrize("size", [1, 12, 2.5, 1e300, Fraction(1, 3)])
def test_a_declared_size_is_read_back_and_changes_nothing_else(size):
    problem = replace(EVERY, size=size)
    again = same(problem)
    assert again.size == float(size)
    assert again.digest == EVERY.digest
    assert to_text(problem).startswith(f"{to_text(EVERY)} size=")
