"""The runner of studies: which rows it keeps, measures and reports, and how it ends."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace

import msgspec

from modelling.errors import InputError
from results.studies.markdown import join_page, list_loads, list_table
from results.studies.runner import Fault, Known, Options, Study, option


class Row(msgspec.Struct):
    """One measurement."""

    name: str
    value: int = 0


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    for name in chosen.only or "abc":
        if name not in known:
            yield Row(name, chosen.value)


STUDY = Study(
    "room.sample",
    "A sample.\n\nMore of it.",
    Row,
    key=lambda row: row.name,
    measure=measure,
    report=lambda rows, chosen: f"{chosen.command}: {', '.join(row.name for row in rows)}\n",
    faults=lambda rows: [row.name for row in rows if row.value > 8],
    options=(option("--value", 1), option("--only", [])),
)


def values(study, folder):
    return {row.name: row.value for row in study.read(folder)}


def test_rows_are_written_with_their_command_and_table(tmp_path, capsys):
    assert STUDY.main(["--value", "2", "--out", str(tmp_path)]) == 0
    content = json.loads((tmp_path / "sample.json").read_bytes())
    command = "python -m results.studies.room.sample --value 2 --out results/reference/sample"
    assert content["command"] == command
    assert {"machine", "versions", "rows"} < set(content)
    assert (tmp_path / "sample.md").read_text() == f"{command}: a, b, c\n"
    captured = capsys.readouterr()
    assert command in captured.out
    assert '"name":"c"' in captured.err


def test_what_is_measured_again_takes_its_place(tmp_path):
    keeping = replace(STUDY, keeps=True)
    for study, expected in ((keeping, {"a": 1, "b": 2, "c": 1}), (STUDY, {"b": 2})):
        study.main(["--out", str(tmp_path)])
        study.main(["--only", "b", "--value", "2", "--out", str(tmp_path)])
        assert values(study, tmp_path) == expected


def test_resumption_measures_what_is_missing(tmp_path):
    STUDY.main(["--only", "b", "--out", str(tmp_path)])
    STUDY.main(["--value", "2", "--resume", "--out", str(tmp_path)])
    assert values(STUDY, tmp_path) == {"a": 2, "b": 1, "c": 2}
    replace(STUDY, resumes=True).main(["--value", "3", "--out", str(tmp_path)])
    assert values(STUDY, tmp_path) == {"a": 2, "b": 1, "c": 2}


def test_a_line_that_was_cut_off_is_measured_again(tmp_path):
    study = replace(STUDY, data="rows.jsonl", resumes=True)
    study.main(["--out", str(tmp_path)])
    path = tmp_path / "rows.jsonl"
    path.write_bytes(path.read_bytes()[:-3])
    assert study.main(["--value", "2", "--out", str(tmp_path)]) == 0
    assert values(study, tmp_path) == {"a": 1, "b": 1, "c": 2}


def test_older_files_are_read_and_others_refused(tmp_path, capsys):
    path = tmp_path / "sample.json"
    for text in ('[{"name": "a"}]', '{"machine": {}, "costs": [{"name": "a"}]}'):
        path.write_text(text)
        assert values(STUDY, tmp_path) == {"a": 0}
    path.write_text('{"measured": {}}')
    assert STUDY.main(["--resume", "--out", str(tmp_path)]) == 2
    assert "name another --out" in capsys.readouterr().err


def test_exit_statuses(tmp_path, capsys):
    assert STUDY.main(["--value", "9"]) == 1

    def faulty(chosen, known):
        yield Row("a")
        yield Fault("b differs")

    def stopped(chosen, known):
        yield Row("a")
        raise KeyboardInterrupt

    def refused(chosen, known):
        raise InputError("no such folder")
        yield

    assert replace(STUDY, measure=faulty).main([]) == 1
    assert "b differs" in capsys.readouterr().err
    for study in (replace(STUDY, measure=stopped), replace(STUDY, measure=stopped, at_once=True)):
        assert study.main(["--out", str(tmp_path)]) == 130
        assert values(study, tmp_path) == {"a": 0}
        study.save(tmp_path, [], argparse.Namespace(command=""))
    assert "--resume continues" in capsys.readouterr().err
    assert replace(STUDY, measure=refused).main([]) == 2


def test_rows_of_a_run_are_written_at_once(tmp_path, capsys):
    assert replace(STUDY, at_once=True).main(["--out", str(tmp_path)]) == 0
    assert values(STUDY, tmp_path) == {"a": 1, "b": 1, "c": 1}
    assert capsys.readouterr().err == ""


def test_a_page_has_parts_with_a_blank_line_between_them():
    table = list_table("backend | s:", ["sat | 1"])
    assert join_page("# Title", "", table, []) == (
        "# Title\n\n| backend | s |\n|---|---:|\n| sat | 1 |\n"
    )
    loads = [("tests", "sat"), ("", "z3"), ("tests", "cpsat"), ("tests", "sat")]
    assert list_loads(loads) == ["Measured with tests: sat, cpsat."]
