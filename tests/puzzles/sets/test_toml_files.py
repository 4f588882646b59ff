"""What a path leads to that is no TOML file."""

from __future__ import annotations

import pytest

from modelling.errors import ExperimentError
from puzzles.sets.toml_positions import read_toml


def test_a_folder_says_which_files_it_has(tmp_path):
    with pytest.raises(ExperimentError, match=r"is a folder; name a TOML file$"):
        read_toml(tmp_path)
    (tmp_path / "a.toml").touch()
    with pytest.raises(ExperimentError, match=r"name a TOML file \(there are: .*a.toml\)$"):
        read_toml(tmp_path)


def test_a_binary_file_says_where_it_is_no_text(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"x = 1\n\xff")
    with pytest.raises(ExperimentError, match=r"not TOML: it is not text in UTF-8 \(byte 7\)"):
        read_toml(tmp_path / "a.toml")
