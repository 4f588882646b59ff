"""How files are replaced: as a whole or not at all."""

import sys

import pytest

from puzzles.files import replace_file, replace_text


def test_a_text_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    path = tmp_path / "x.toml"
    replace_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        replace_text(path, "new \udcff")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_until_the_end_of_the_block_the_old_file_is_there(tmp_path):
    path = tmp_path / "some.bin"
    path.write_bytes(b"old")
    with replace_file(path) as beside:
        beside.write_bytes(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_what_is_interrupted_leaves_the_old_file(tmp_path):
    path = tmp_path / "some.bin"
    path.write_bytes(b"old")

    def write_half():
        with replace_file(path) as beside:
            beside.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        replace_text(tmp_path / "nowhere" / "x.txt", "text")


@pytest.mark.skipif(sys.platform == "win32", reason="links and permissions are those of Unix")
def test_a_link_and_the_permissions_stay(tmp_path):
    path, link = tmp_path / "x.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    replace_text(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
