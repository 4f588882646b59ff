"""The sets that ship, files, gzip, standard input, and families by name."""

import gzip
import io
import re
import sys
from importlib import resources

import pytest

from modelling.errors import InputError, InstanceError
from modelling.formats import FORMATS
from puzzles.family import Instance, families, family, list_family_names
from puzzles.lines import LineFamily
from puzzles.sets import facts, instances, members, sets, ships
from tests.puzzles.exhaustive_count import count

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
OWN = [s.name for s in sets() if not s.members]
LINES = [s.name for s in sets() if s.family and isinstance(family(s.family), LineFamily)]
PICKED = [name for name in OWN if "made by" not in facts(name) and name not in LINES]
"""Sets picked by hand; for those that were generated see the tests of their making, for ``LINES``
``tests/puzzles/test_known_answers.py``."""


def test_families_by_name():
    assert [f.name for f in families()] == list_family_names()
    assert all(f.about for f in families())
    with pytest.raises(InputError, match=r"no puzzle family is called 'soduku'; did you mean 'su"):
        family("soduku")
    with pytest.raises(InputError, match=f"there are: {', '.join(list_family_names())}"):
        family("zzz")


def test_quickstart_covers_every_family_and_stays_small():
    (quickstart,) = [s for s in sets() if s.name == "quickstart"]
    assert quickstart.members == members("quickstart")
    assert set(quickstart.members) <= set(OWN)
    assert set(members("classics")) == set(LINES)
    families_there = {entry.family for entry in instances("quickstart")}
    classical = {family for one in sets() if one.name in LINES for family in [one.family]}
    assert families_there | classical == {one.family for one in sets() if not one.members}
    assert families_there >= {"sudoku", "queens", "latin", "cryptarithm"}
    assert 60 <= quickstart.number <= 90
    assert quickstart.number == sum(s.number for s in sets() if s.name in quickstart.members)


def test_sets_describe_themselves():
    for one in sets():
        assert one.about, one
        assert one.number > 0
        assert one.family == "" if one.members else one.family in list_family_names()


@pytest.mark.parametrize("name", PICKED)
def test_every_puzzle_of_a_set_has_the_solutions_that_its_remark_tells(name):
    (described,) = [s for s in sets() if s.name == name]
    lines = (resources.files("puzzles.sets") / f"{name}.txt").read_text().splitlines()
    entries = list(instances(name))
    names = [entry.name for entry in entries]
    assert len(set(names)) == len(names) == described.number
    default = {"sudoku-unsatisfiable": 0, "sudoku": 1, "sudoku-sizes": 1}.get(name)
    for entry in entries:
        line = lines[int(entry.source.split(":")[1]) - 1]
        _, shown, why = (part.strip() for part in line.split("#", 2))
        assert shown == entry.name
        assert why, f"{entry.name} does not say why it is there"
        problem = family(entry.family).problem(entry.text)
        assert count(problem) == told(why, default), entry.name


def told(why, default):
    """The number of solutions that a remark tells."""
    if default is not None:
        return default
    number = re.search(r"\b(no|one|\d+) solutions?\b", why)
    assert number, f"no number of solutions in {why!r}"
    return {"no": 0, "one": 1}.get(number[1]) if number[1].isalpha() else int(number[1])


def test_unsatisfiable_sudoku_without_clashing_givens():
    for entry in instances("sudoku-unsatisfiable"):
        assert isinstance(entry, Instance)


def test_the_end_of_a_name_leads_to_it():
    with pytest.raises(InputError, match="did you mean 'sudoku-medium'"):
        instances("medium")
    with pytest.raises(InputError, match="no set and no file is called 'medium'"):
        facts("medium")


def test_unknown_set_names_the_nearest():
    with pytest.raises(InputError, match=r"'quikstart'; did you mean 'quickstart'\?"):
        instances("quikstart")
    with pytest.raises(InputError, match="no set and no file"):
        instances("nowhere/to/be.found")


def test_an_empty_folder_and_an_unknown_family_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"holds no file of a family \(0 files"):
        instances(str(tmp_path))
    with pytest.raises(InputError, match="no puzzle family"):
        instances("queens", "queen")


def write(path, text):
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8", newline="")
    return str(path)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.gz"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files(tmp_path, name, end):
    path = write(tmp_path / name, end.join(["\ufeff# head", EASY, "bad", EASY + " second"]))
    one, bad, two = instances(path)
    assert one == Instance("sudoku", "a:2", EASY, f"{path}:2")
    assert isinstance(bad, InstanceError)
    assert bad.place == f"{path}:3:4"
    assert two.name == "second"


def test_head_declares_the_family_and_the_caller_overrules_it(tmp_path):
    path = write(tmp_path / "q.txt", "# my boards\n# family: queens\n\n8\n")
    assert [entry.family for entry in instances(path)] == ["queens"]
    assert [type(entry) for entry in instances(path, "sudoku")] == [InstanceError]
    path = write(tmp_path / "l.txt", "1" + "." * 15)
    assert [entry.text for entry in instances(path, "latin")] == ["4:1" + "." * 15]
    path = write(tmp_path / "w.txt", "# family: qeens\n8\n")
    with pytest.raises(InputError, match=r"w\.txt: no puzzle family .* did you mean 'queens'"):
        list(instances(path))


def test_empty_files(tmp_path):
    for text in ("", "\n\n", "# nothing\n"):
        (entry,) = instances(write(tmp_path / "e.txt", text))
        assert isinstance(entry, InstanceError)
        assert "no puzzle" in str(entry)


def test_a_file_that_cannot_be_opened(tmp_path):
    path = tmp_path / "loop"
    path.symlink_to(path)
    with pytest.raises(InputError):
        list(instances(str(path)))


def test_damaged_gzip_keeps_what_came_before(tmp_path):
    lines = [f"{EASY} number {k}" for k in range(20_000)]
    whole = gzip.compress("\n".join(lines).encode())
    path = tmp_path / "cut.txt.gz"
    path.write_bytes(whole[: len(whole) // 2])
    *good, last = instances(str(path))
    assert good
    assert all(isinstance(entry, Instance) for entry in good)
    assert isinstance(last, InstanceError)
    assert "damaged" in str(last)


def test_bytes_that_are_no_text_end_in_errors_with_places(tmp_path):
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)) * 40)
    entries = list(instances(str(path)))
    assert entries
    assert all(isinstance(entry, InstanceError) and entry.place for entry in entries)


def test_utf16_with_byte_order_mark(tmp_path):
    path = tmp_path / "wide.txt"
    path.write_bytes(f"{EASY} first\r\n{EASY}\r\n".encode("utf-16"))
    assert [entry.text for entry in instances(str(path))] == [EASY, EASY]


class Input:
    """Standard input with bytes after it."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input(monkeypatch, pack):
    stream = Input(pack(f"{EASY}\n{EASY} two\n".encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    one, two = instances("-")
    assert (one.name, one.source, two.name) == ("stdin:1", "stdin:1", "two")
    assert not stream.buffer.closed


def test_standard_input_that_holds_text(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{EASY}\n"))
    assert [entry.text for entry in instances("-")] == [EASY]


# --- small instances ------------------------------------------------------------------------------


def test_the_set_families_has_small_instances_of_every_family():
    found = {}
    for entry in instances("families"):
        found.setdefault(entry.family, []).append(entry)
    of_files = {"problem", *(one.name for one in FORMATS)}  # they ship no instances
    assert set(found) == set(list_family_names()) - of_files
    assert all(2 <= len(entries) <= 3 for entries in found.values())
    described = next(one for one in sets() if one.name == "families")
    assert described.number == sum(map(len, found.values()))
    assert all(member.endswith(":small") for member in described.members)


def test_small_instances_stand_where_they_stand_in_their_set():
    whole = {entry.name: entry for entry in instances("costas")}
    small = list(instances("costas:small"))
    assert [entry.name for entry in small] == facts("costas")["small"].split()
    assert all(entry == whole[entry.name] for entry in small)
    assert ships("costas:small")
    assert not ships("quickstart:small")
    with pytest.raises(InputError, match="no set and no file is called 'quickstart:small'"):
        instances("quickstart:small")


@pytest.mark.parametrize("name", [one.name for one in sets() if "small" in facts(one.name)])
def test_every_name_of_a_small_instance_is_there(name):
    names = facts(name)["small"].split()
    assert sorted(names) == sorted(entry.name for entry in instances(f"{name}:small"))
