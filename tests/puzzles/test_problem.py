"""The family of problems that were stated in Python."""

import random

import pytest

import concord
from modelling.errors import InstanceError, ModelError
from puzzles.family import Instance, family
from puzzles.files import LONGEST_PIECE

FAMILY = family("problem")
SUM = concord.problem(
    {"x": range(1, 5), "the y": (1, 3, 4)},
    [concord.AllDifferent(("x", "the y")), concord.Linear(("x", "the y"), (1, 2), "==", 7)],
    objective=concord.Objective("minimize", ("x",), (1,)),
)
TEXT = concord.instance(SUM).text


def test_a_file_of_problems_is_read(tmp_path):
    path = tmp_path / "some.problems"
    path.write_text(f"# family: problem\n# a remark\n{TEXT}  # sum # why\n{TEXT} 0=1\n")
    one, other = concord.read(str(path))
    assert one == Instance("problem", "sum", TEXT, f"{path}:3")
    assert other.name == "some.problems:4"
    assert FAMILY.problem(one.text) == SUM
    assert FAMILY.problem(other.text).domain(0) == (1,)


def test_bad_lines_come_as_errors_with_their_places():
    lines = [f"  {TEXT} 9=1\n", f"{TEXT}\n", "{}\n", f'{{"names":["{"x" * 1000}\n']
    found = list(FAMILY.read(lines, "f.txt"))
    assert [getattr(item, "place", "") for item in found] == [
        "f.txt:1:3",
        "",
        "f.txt:3:1",
        "f.txt:4:1",
    ]
    assert "'9=1' is no position and mask" in found[0].cause
    (cut,) = FAMILY.read(["z" * LONGEST_PIECE, "z\n"], "f.txt")
    assert cut.place == f"f.txt:1:{LONGEST_PIECE}"
    assert f"up to {LONGEST_PIECE} characters" in cut.cause
    draw = random.Random(1)
    rows = {(draw.randrange(10**9), draw.randrange(10**9)) for _ in range(40_000)}
    table = concord.Table(("a", "b"), tuple(sorted(rows)))
    large = concord.instance(concord.problem({"a": range(9), "b": range(9)}, [table])).text
    assert len(large) > LONGEST_PIECE
    (whole,) = FAMILY.read([f"{large}\n"], "in memory")
    assert whole.text == large
    with pytest.raises(InstanceError, match="not the text of a problem"):
        FAMILY.problem("{}")


def test_it_is_checked_by_the_definitions():
    assert FAMILY.check(TEXT, (1, 3)) == []
    assert FAMILY.check(TEXT, (1, 3, 3)) == ["3 values for 2 variables"]
    assert FAMILY.check(TEXT, (5, 1)) == ["x = 5 is not in its domain (1, 2, 3, 4)"]
    assert "Linear(x, the y), is violated by (2, 3)" in FAMILY.check(TEXT, (2, 3))[0]


def test_it_is_drawn_and_written_by_names():
    assert FAMILY.write(TEXT, (1, 3)) == "x=1, 'the y'=3"
    assert FAMILY.render(TEXT).splitlines() == [
        "x        1..4",
        "'the y'  1, 3, 4",
        "AllDifferent(x, 'the y')",
        "Linear(x, 'the y'; coefficients = 1, 2; relation = ==; constant = 7)",
        "minimize 1*x",
    ]
    assert "x       = 1" in FAMILY.render(TEXT, (1, 3))
    empty = concord.instance(concord.problem({})).text
    assert FAMILY.render(empty, ()).startswith("a problem without variables")
    assert FAMILY.write(empty, ()) == ""
    for draw in (FAMILY.write, FAMILY.render):
        with pytest.raises(InstanceError, match="1 values for 2 variables"):
            draw(TEXT, (1,))


def test_a_large_problem_is_drawn_in_part():
    names = [f"v{i}" for i in range(60)]
    pairs = [concord.NotEqual((a, b)) for a in names[:10] for b in names[10:20]]
    problem = concord.problem(
        dict.fromkeys(names, (0, 2, 4)), [concord.AllDifferent(names), *pairs]
    )
    drawn = FAMILY.render(concord.instance(problem).text)
    assert "v39, ...)" in drawn
    assert drawn.endswith("and 61 more constraints")


def test_solutions_by_name():
    result = concord.solve(SUM, concord.Solutions(None, keep=None), backend="brute_force")
    assert result.named(SUM) == [{"x": 1, "the y": 3}]
    assert SUM.named(result.solutions[0]) == {"x": 1, "the y": 3}
    with pytest.raises(ModelError, match="3 values for 2 variables"):
        SUM.named((1, 2, 3))
