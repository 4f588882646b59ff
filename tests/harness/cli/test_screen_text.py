"""What a backend has written changes nothing on the screen but the line that it stands on."""

from harness.cli.screen import Screen


def test_an_error_shows_no_control_signs(capsys):
    Screen().report_fault("py:a:B: 1 of 2 wrong: a\0b\x1b[31mc\u202ed\u2066e\nsecond")
    said = capsys.readouterr().err
    assert not {"\0", "\x1b", "\u202e", "\u2066"} & set(said)
    assert said.splitlines()[1] == "second"
