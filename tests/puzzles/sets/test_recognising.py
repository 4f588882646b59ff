"""A file that nothing names is recognised by its text, or refused without being called a Sudoku."""

import pytest

import concord
from modelling.errors import InputError

JSPLIB = "# a comment\n2 2\n0 3 1 2\n1 4 0 1\n"
MPS = "NAME          LSEU\nROWS\n N  R100118\n L  R118\nCOLUMNS\n    C101  R118  1\n"


def test_a_job_shop_is_recognised(tmp_path):
    path = tmp_path / "la00"
    path.write_text(JSPLIB)
    (one,) = concord.read(str(path))
    assert one.family == "job_shop"
    assert concord.solve(one).objective == 6


def test_a_flexible_job_shop_is_recognised(tmp_path):
    path = tmp_path / "mk00.txt"
    for head in ("2 2", "2 2 1.5"):
        path.write_text(f"{head}\n2 1 1 3 2 1 2 2 1\n1 2 1 4 2 1\n")
        (one,) = concord.read(str(path))
        assert one.family == "flexible_job_shop"
        assert concord.solve(one).objective == 4


CARS = "Some words.\n\n#---\n# Problem 1/2  (the first)\n# Satisfiable\n#---\n2 1 1\n1\n2\n0 2 0\n"
PICTURE = "%% a picture\nrows = 1;\nrow_rules = [| 1 |];\ncols = 1;\ncol_rules = [| 1 |];\n"


def test_files_are_recognised_by_what_is_in_them(tmp_path):
    for name, text, family in (
        ("cars.txt", CARS, "car_sequencing"),
        ("one.dzn", PICTURE, "nonogram"),
    ):
        path = tmp_path / name
        path.write_text(text)
        assert [one.family for one in concord.read(str(path))] == [family]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("lseu.txt.old", MPS, "'.old'.*looks like an integer program in MPS"),
        ("a.cplex", "Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n", "'.cplex'.*LP format"),
        (
            "b.dzn",
            "n = 3;\nrows = [|1,2\n|3,4|];\n",
            "b.dzn is data of a MiniZinc model.* as in model.mzn ",
        ),
        ("h.data", "n = 3;\n", "'.data'.*data of a MiniZinc model: let its name end in .dzn"),
        ("i.py", "import concord\n", "i.py is a program in Python: concord compare --model "),
        ("j.toml", 'sets = ["queens"]\n', "j.toml is an experiment.*: concord run "),
        ("e.txt", "# fractions\n 8 26  9 13\n 5 34  7 68  9 12\n", "'.txt'.*lines of numbers"),
        ("f.json", '{\n "answers": 3\n}\n', "'.json'.*JSON over several lines"),
        ("g.zip", "PK\x03\x04 and more", "'.zip'.*ZIP archive: unpack it"),
        ("k.txt", MPS, "'.txt'.*looks like an integer program in MPS"),
        ("l.txt", "Maximize\n x\nSubject To\n c: x <= 1\nEnd\n", "'.txt'.*in LP format"),
        ("m.txt", "p cnf 2 1\n1 2 0\n", "'.txt'.*DIMACS CNF"),
        ("n", "c words\np wcnf 2 1 3\n3 1 2 0\n", "''.*WCNF"),
        ("o.txt", "* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n", "'.txt'.*OPB"),
        ("p.txt", '<instance format="XCSP3" type="CSP">\n', "'.txt'.*XCSP3"),
        ("q.txt", "int: n = 3;\nvar 1..n: x;\nsolve satisfy;\n", "'.txt'.*MiniZinc or FlatZinc"),
        ("c.lop", "3\n0 1 2\n3 0 1\n2 2 0\n", "'.lop'.*concord families"),
        ("d.cmin", "3 2\n1 2 3\n1 1 0\n", "'.cmin'.*--family"),
    ],
)
def test_what_is_no_grid_is_not_called_one(tmp_path, name, text, says):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=says) as error:
        concord.read(str(path))
    assert "in a row" not in str(error.value)


def test_a_grid_in_a_file_of_any_ending_is_read(tmp_path):
    path = tmp_path / "puzzles.dat"
    path.write_text("1" + "." * 80 + "\n")
    assert [one.family for one in concord.read(str(path))] == ["sudoku"]
