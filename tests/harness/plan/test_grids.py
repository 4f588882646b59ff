"""Grids of options and short names, in a name, in a table, and after a shell."""

from __future__ import annotations

import pytest

from backends.interface import registry
from harness.plan.checking import check
from harness.plan.experiment import BackendChoice, Experiment, list_backends
from harness.plan.grids import expand, split_backends, tell_apart
from harness.plan.reading import plan_comparison
from modelling.errors import ExperimentError, UnknownBackend


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cpsat", ["cpsat"]),
        ("cpsat:workers={1,2}", ["cpsat:workers=1", "cpsat:workers=2"]),
        (
            "cpsat:workers={1,2},presolve={on,off}",
            [
                "cpsat:workers=1,presolve=on",
                "cpsat:workers=1,presolve=off",
                "cpsat:workers=2,presolve=on",
                "cpsat:workers=2,presolve=off",
            ],
        ),
        ("a=sat:glucose4,amo={pairwise}", ["a-pairwise=sat:glucose4,amo=pairwise"]),
        (
            'x=clingo:restarts={"L,100",no},heuristic=Vsids',
            [
                'x-_L_100_=clingo:restarts="L,100",heuristic=Vsids',
                "x-no=clingo:restarts=no,heuristic=Vsids",
            ],
        ),
        ("cpsat@9.12:workers={1,2}", ["cpsat@9.12:workers=1", "cpsat@9.12:workers=2"]),
        ("command:dimacs:minisat {file} {answer}", ["command:dimacs:minisat {file} {answer}"]),
        ('exact:note="{1,2}"', ['exact:note="{1,2}"']),
    ],
)
def test_a_grid_is_every_combination_in_its_order(name, expected):
    assert expand(name) == expected


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cpsat:workers={1,2", "not closed"),
        ("cpsat:workers={}", "a value is missing"),
        ("cpsat:workers={1,}", "a value is missing"),
        ("cpsat:" + ",".join(f"a{n}={{1,2}}" for n in range(11)), "2048 backends, and at most"),
    ],
)
def test_what_is_no_grid_is_an_error(name, message):
    with pytest.raises(UnknownBackend, match=message):
        expand(name)


def test_a_table_has_lists_and_an_alias():
    choice = BackendChoice("cpsat", {"workers": [1, 2], "symmetry_level": 0}, alias="fast")
    assert list_backends([choice]) == [
        "fast-1=cpsat:workers=1,symmetry_level=0",
        "fast-2=cpsat:workers=2,symmetry_level=0",
    ]


def experiment(*backends, **more) -> Experiment:
    return Experiment(name="a", sets=["queens"], backends=list(backends), **more)


@pytest.mark.parametrize(
    ("backends", "message"),
    [
        (["a=cpsat", "a=sat"], r"backends\[0\]: two backends have the short name 'a'"),
        (["sat=cpsat"], r"backends\[0\]: .* sat is a backend itself"),
        (["cpsat:workers={1,1}"], r"backends\[0\]: 'cpsat:workers=1' is listed twice"),
        (["cpsat", "cpsat:workers={1,x}"], r"backends\[1\]: cpsat: unknown value of workers 'x'"),
        (["a=nosuch"], "no backend is called 'nosuch'"),
        ([{"name": "cpsat", "options": {"workers": []}}], r"backends\[0\].options: there are none"),
        ([{"name": "cpsat", "alias": "a b"}], "letters, digits"),
    ],
)
def test_faults_have_their_place(backends, message):
    with pytest.raises(ExperimentError, match=message):
        check(experiment(*backends))


def test_a_backend_may_be_compared_with_itself_under_two_names():
    checked = check(experiment("a=propagation", "b=propagation"))
    assert checked.names() == ["a=propagation", "b=propagation"]


def test_a_mapping_names_its_backends():
    planned = plan_comparison(["queens"], {"a": "cpsat", "b": {"name": "sat"}})
    assert check(planned).names() == ["a=cpsat", "b=sat"]
    assert check(plan_comparison(["queens"], {"name": "sat"})).names() == ["sat"]


def test_words_of_a_grid_that_a_shell_took_apart_are_backends(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cpsat:a=1").touch()
    words = ["queens", "cpsat:a=1", "f=cpsat:workers=2", "x.mzn", "cpsat:workers=1", "sudoku:small"]
    others, backends = split_backends(words)
    assert backends == ["f=cpsat:workers=2", "cpsat:workers=1"]
    assert others == ["queens", "cpsat:a=1", "x.mzn", "sudoku:small"]


def test_equal_short_names_get_the_values_that_differ():
    names = ["f=cpsat:workers=1,presolve=on", "f=cpsat:workers=2,presolve=on", "g=cpsat", "sat"]
    assert tell_apart(names) == [
        "f-1=cpsat:workers=1,presolve=on",
        "f-2=cpsat:workers=2,presolve=on",
        "g=cpsat",
        "sat",
    ]


def test_a_backend_is_the_same_with_a_short_name():
    assert registry.label("kept=sat:cadical153,reuse=solver") == "kept"
    assert registry.keeps_state("kept=sat:cadical153,reuse=solver")
    assert registry.known_family("kept=sat:cadical153") == registry.known_family("sat:cadical153")
    assert not registry.is_exact("loose=scip")
    assert registry.label("sat:cadical153") == "sat:cadical153"
    assert registry.spec("kept=sat:cadical153,reuse=solver").text.startswith("sat:extended")
