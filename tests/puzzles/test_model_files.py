"""Files of a format are instances: alone, in folders, in lists, compressed, and changed meanwhile.

The format ``clauses`` is all in this file: a number of variables from 1 to 3, whose sum is 4.
"""

import gzip
import lzma
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import concord
import puzzles.files
from modelling import formats
from modelling.constraints import Linear
from modelling.errors import InputError, InstanceError
from modelling.formats import Format, find_format
from modelling.formats.python_files import find_models
from modelling.problem import Structure
from puzzles import family as families_module
from puzzles import sets
from puzzles.endings import FILES, Files
from puzzles.model_files import ModelFiles
from puzzles.sets.adding import add_file
from puzzles.sets.toml_positions import read_toml


def read(data, source):
    if not data.strip().isdigit():
        raise InstanceError("write a number", f"{source}:1:1")
    n = int(data)
    sums = (Linear(tuple(range(n)), (1,) * n, "==", 4),)
    return Structure(tuple(f"x{i}" for i in range(n)), ((1, 2, 3),) * n, sums).problem()


@pytest.fixture(autouse=True)
def sums(monkeypatch):
    """The format, and its family."""
    module = ModuleType("format_of_sums")
    module.read = read
    monkeypatch.setitem(sys.modules, module.__name__, module)
    made = Format("sums", "sums of four", (".sum", ".s4"), module.__name__, writes=False)
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, made))
    family = ModelFiles(made)
    monkeypatch.setitem(FILES, "sums", Files("", made.endings))
    load = families_module._load_shipped
    monkeypatch.setattr(
        families_module, "_load_shipped", lambda name: family if name == "sums" else load(name)
    )
    return family


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.sum").write_bytes(b"2\n")
    return tmp_path


def test_a_file_is_one_instance_whatever_its_lines(folder):
    (folder / "again.s4").write_bytes(b"\n# no comment here\n")
    (one,) = concord.read("two.sum")
    assert (one.family, one.name, one.source) == ("sums", "two", "two.sum:1")
    assert one.text.startswith("two.sum@")
    assert concord.solve(one, concord.Solutions(None)).count == 3
    (bad,) = sets.instances("again.s4")
    assert (bad.cause, bad.place) == ("write a number", "again.s4:1:1")


@pytest.mark.parametrize(
    ("ending", "pack"),
    [
        (".gz", gzip.compress),
        (".xz", lzma.compress),
        (".lzma", lambda data: lzma.compress(data, lzma.FORMAT_ALONE)),
    ],
)
def test_compressed_files_are_read_by_their_content(folder, ending, pack):
    (folder / f"three.SUM{ending}").write_bytes(pack(b"3"))
    (one,) = concord.read(f"three.SUM{ending}")
    assert one.name == "three"
    assert concord.solve(one, concord.Solutions(None)).count == 3
    (folder / f"cut.sum{ending}").write_bytes(pack(b"3" * 999)[:-9])
    (bad,) = sets.instances(f"cut.sum{ending}")
    assert isinstance(bad, InstanceError)
    assert "the file cannot be read" in str(bad)
    assert bad.place == f"cut.sum{ending}"


def test_a_folder_is_a_set_of_its_files(folder):
    (folder / "deep").mkdir()
    (folder / "deep" / "three.s4").write_bytes(b"3")
    (folder / "README").write_text("no instance")
    (folder / "graph.col").write_text("p edge 2 1\ne 1 2\n")
    assert [(i.family, i.name) for i in concord.read(".")] == [
        ("sums", "deep/three"),
        ("graph_colouring", "graph"),
        ("sums", "two"),
    ]
    assert [i.name for i in concord.read(".", "sums")] == ["deep/three", "two"]


def test_a_name_that_is_no_text_is_refused_and_the_others_are_read(folder):
    try:
        (folder / os.fsdecode(b"bad\xff.sum")).write_bytes(b"2\n")
    except OSError:
        pytest.skip("this file system takes no such name")
    bad, good = sets.instances(".")
    assert "no UTF-8" in bad.cause
    assert "bad\\udcff.sum" in bad.place
    assert good.name == "two"


def test_a_folder_without_instances_says_what_they_end_in(folder):
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match=r"holds no file of a family \(0 files; .*\.sum"):
        concord.read("empty")
    with pytest.raises(InputError, match="holds no file of the family queens"):
        concord.read(".", "queens")


def test_a_list_names_files_from_its_own_folder(folder):
    (folder / "lists").mkdir()
    (folder / "lists" / "a b.sum").write_bytes(b"2")
    (folder / "lists" / "some.txt").write_text(
        "# family: sums\na%20b.sum # first # for its blank\ntwo.sum\nnone.sum\n"
    )
    found = list(sets.instances("lists/some.txt"))
    assert [one.name for one in found[:2]] == ["first", "some:3"]
    assert found[0].text.startswith("lists/a%20b.sum@")
    assert str(found[2]).startswith("lists/some.txt:4:1: no file is called 'none.sum'; a list of ")
    (folder / "lists" / "again.txt").write_text(f"# family: sums\n{found[1].text}\n")
    assert concord.read("lists/again.txt")[0].text == found[1].text


def test_a_file_that_changed_is_refused(folder, sums):
    (one,) = concord.read("two.sum")
    (folder / "two.sum").write_bytes(b"3")
    concord.read("two.sum")  # the new one is an instance too
    from puzzles import model_files

    model_files._find_problem.cache_clear()
    with pytest.raises(InstanceError, match=r"two\.sum is another file than it was"):
        sums.problem(one.text)
    (folder / "list.txt").write_text(f"# family: sums\n{one.text}\n")
    assert "another file than it was" in str(next(sets.instances("list.txt")))


def test_a_file_that_grows_beyond_all_bounds_is_refused(folder, monkeypatch):
    monkeypatch.setattr(puzzles.files, "MOST_DECOMPRESSED", 1000)
    for pack, ending in ((gzip.compress, "gz"), (lzma.compress, "xz")):
        (folder / f"bomb.sum.{ending}").write_bytes(pack(b"1" * 5000))
        (bad,) = sets.instances(f"bomb.sum.{ending}")
        assert "it holds more than 0 MiB once it is decompressed" in str(bad)
    monkeypatch.setattr(puzzles.files, "MOST_BYTES", 1000)
    (folder / "long.sum").write_bytes(b"1" * 5000)
    (bad,) = sets.instances("long.sum")
    assert str(bad).endswith("it holds more than 0 MiB")


def test_files_that_decompress_to_hundreds_of_times_their_bytes_end_at_a_bound(folder, monkeypatch):
    """Read as a whole and line by line; what is as long and no bomb is read."""
    monkeypatch.setattr(puzzles.files, "MOST_EXPANDED", 1 << 16)
    grids = "".join(f"{n:081d}\n" for n in range(4000))
    (folder / "many.txt.gz").write_bytes(gzip.compress(grids.encode()))
    assert sum(1 for _ in puzzles.files.lines_of("many.txt.gz")) == 4000
    for pack, ending in ((gzip.compress, "gz"), (lzma.compress, "xz")):
        for name, text in ((f"bomb.sum.{ending}", b"1"), (f"bomb.txt.{ending}", b"0" * 81 + b"\n")):
            (folder / name).write_bytes(pack(text * (5_000_000 // len(text))))
            *_, last = sets.instances(name)
            assert "more than 200 times what it takes compressed" in str(last)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are those of Unix")
def test_a_named_pipe_is_refused_and_does_not_block(folder):
    os.mkfifo("a.sum")
    (bad,) = sets.instances("a.sum")
    assert str(bad).startswith("a.sum: the file cannot be read: it is a named pipe")
    os.mkfifo("a.txt")
    with pytest.raises(InputError, match=r"^a\.txt cannot be read: it is a named pipe"):
        list(sets.instances("a.txt"))
    for of_programs in ("a.py", "a.toml"):
        os.mkfifo(of_programs)
    with pytest.raises(InputError, match=r"^a\.py cannot be read: it is a named pipe"):
        find_models("a.py")
    with pytest.raises(InputError, match=r"a\.toml cannot be read: it is a named pipe"):
        read_toml(Path("a.toml"))
    with pytest.raises(InputError, match=r"a\.txt cannot be read: it is a named pipe"):
        add_file(Path("a.txt"), "mine")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="such devices are those of Unix")
def test_a_device_without_end_is_refused(folder):
    os.symlink("/dev/zero", "a.txt")
    with pytest.raises(InputError, match=r"^a\.txt cannot be read: it is a device"):
        list(sets.instances("a.txt"))
    with pytest.raises(InputError, match=r"a\.txt cannot be read: it is a device"):
        add_file(Path("a.txt"), "mine")
    assert list(puzzles.files.lines_of(os.devnull)) == []


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="pipes have no names here")
def test_a_pipe_that_a_shell_makes_is_read():
    reading, writing = os.pipe()
    try:
        os.write(writing, b"one\ntwo\n")
        os.close(writing)
        assert list(puzzles.files.lines_of(f"/dev/fd/{reading}")) == ["one\n", "two\n"]
    finally:
        os.close(reading)


def test_xml_in_utf16_is_recognised(folder):
    text = """<?xml version="1.0" encoding="utf-16"?><instance format="XCSP3" type="CSP">
      <variables><var id="x"> 0 1 </var></variables></instance>"""
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        (folder / "wide.xml").write_bytes(text.encode(encoding))
        (one,) = concord.read("wide.xml")
        problem = families_module.family(one.family).problem(one.text)
        assert (one.family, problem.structure.names) == ("xcsp3", ("x",))


def test_a_format_is_found_by_its_name():
    assert find_format("sums").about == "sums of four"
    with pytest.raises(InputError, match="no format is called 'sum'; did you mean 'sums'"):
        find_format("sum")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_files_of_others_with_the_same_ending_are_not_taken(folder, pack):
    """OpenSudoku's files end in .xml, as XCSP3's do."""
    grid = "1234341221434321".replace("2", ".")
    others = f'<opensudoku><game data="{grid}" /></opensudoku>'
    own = '<?xml version="1.0"?>\n<instance format="XCSP3" type="CSP"/>'
    (folder / "a.xml").write_bytes(pack(others.encode()))
    (folder / "b.xml").write_bytes(pack(own.encode()))
    assert families_module.find_by_ending("a.xml") is None
    assert families_module.find_by_ending("b.xml") == "xcsp3"
    assert families_module.find_by_ending("not-there.xml") == "xcsp3"
    (folder / "c.xml.gz").write_bytes(b"\x1f\x8b damaged")
    assert families_module.find_by_ending("c.xml.gz") == "xcsp3"
    (entry,) = concord.read("b.xml")
    assert entry.family == "xcsp3"


def test_what_minizinc_has_added_is_not_shown_beside_the_output(folder):
    declared = (
        "var 1..2: x{}; var 0..9: X_INTRODUCED_0_; constraint int_times(x, x, X_INTRODUCED_0_);"
    )
    for output, shown in ((" :: output_var", "x=2"), ("", "x=2, X_INTRODUCED_0_=4")):
        (folder / "a.fzn").write_text(declared.format(output) + " solve satisfy;")
        (one,) = concord.read("a.fzn")
        assert families_module.family("flatzinc").write(one.text, [2, 4]) == shown
