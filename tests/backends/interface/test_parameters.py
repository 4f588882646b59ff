"""Parameters of a solver's own: looked up in its list, refused with a reason, set, and recorded."""

from __future__ import annotations

import importlib.util

import pytest

from backends.interface import registry
from backends.interface.api import Optimum
from backends.interface.libraries.parameters import Parameter, Parameters
from backends.interface.options import Option, read
from modelling.constraints import AllDifferent, Linear
from modelling.errors import BackendUnavailable, UnknownBackend
from modelling.problem import Objective, build_problem

KNOWN = {
    one.name: one
    for one in (
        Parameter("cut_level", "integer", least=0, most=9),
        Parameter("probing", "switch"),
        Parameter("effort", "number"),
        Parameter("branching", choices=("first", "last")),
        Parameter("note"),
        Parameter("log_file"),
    )
}
TOY = Parameters(
    "toy",
    lambda options: KNOWN,
    {"log_*": "a job writes no files"},
    lambda options: {"probing": "presolve=off"} if options["presolve"] == "off" else {},
    lambda values, options: "toy says no" if values.get("note") == "bad" else "",
)
OPTIONS = (
    Option("presolve", ("auto", "off"), "auto", "work on the model"),
    Option("workers", (), "1", "threads", least=1),
)


def spec(text: str):
    return read("toy", OPTIONS, text, TOY)


def test_values_have_the_types_of_the_list_and_the_name_is_one():
    found = spec("probing=off, --cut-level=3,workers=2,effort=0.50")
    assert found.parameters == {"cut_level": 3, "probing": False, "effort": 0.5}
    assert found.options == {"presolve": "auto", "workers": "2"}
    assert found.text == "toy:workers=2,cut_level=3,effort=0.5,probing=false"
    assert spec(found.text.partition(":")[2]) == found


@pytest.mark.parametrize("note", ["L,100", "say 'x'", 'say "x"', "{a}", ""])
def test_a_value_with_commas_or_quotes_is_read_back(note):
    quote = "'" if '"' in note else '"'
    found = spec(f"note={quote}{note}{quote}")
    assert found.parameters == {"note": note}
    assert spec(found.text.partition(":")[2]).parameters == {"note": note}


def test_a_switch_is_turned_on_by_its_name_with_dashes():
    assert spec("--probing").parameters == {"probing": True}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cut_levle=3", "unknown option 'cut_levle'; did you mean 'cut_level'"),
        ("wokers=3", "unknown option 'wokers'; did you mean 'workers'"),
        ("logfile=3", r"unknown option 'logfile' \(options"),  # no hint at what is refused
        ("cut_level=x", "cut_level takes an integer, not 'x'"),
        ("cut_level=-1", "cut_level takes an integer of at least 0, not -1"),
        ("cut_level=10", "cut_level takes an integer of at most 9, not 10"),
        ("effort=nan", "effort takes a number of at least 0, not nan"),
        ("probing=2", "probing takes true or false, not '2'"),
        ("branching=lst", "branching does not take 'lst'; did you mean 'last'"),
        ("log_file=x", "log_file cannot be set here: a job writes no files"),
        ("presolve=off,probing=on", "presolve=off sets probing already; leave out one"),
        ("note=bad", "toy: toy says no"),
        ("probing=on,--probing", "probing is given twice"),
        ("probing", "unknown option 'probing'"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_near(text, message):
    with pytest.raises(UnknownBackend, match=message):
        spec(text)


def test_at_another_release_only_what_is_refused_is_an_error():
    elsewhere = TOY.elsewhere()
    assert read("toy", OPTIONS, "new_one=3", elsewhere).text == "toy:new_one=3"
    with pytest.raises(UnknownBackend, match="cannot be set here"):
        read("toy", OPTIONS, "log_file=x", elsewhere)


SET = [
    ("ortools", "cpsat:linearization_level=2,symmetry_level=0"),
    ("ortools", 'cpsat:search_branching=PORTFOLIO_SEARCH,ignore_subsolvers="lns,core"'),
    ("ortools", "mathopt:presolve=off,cuts=high"),
    ("clingo", 'clingo:--configuration=trendy,restarts="L,100"'),
    ("clingo", "clingo:--eq-dfs"),
    ("pyscipopt", "scip:branching/scorefac=0.3,presolving/maxrounds=0"),
    ("highspy", "highs:presolve=off"),
    ("z3", "z3:restart_strategy=2"),
    ("z3", "z3:branching.heuristic=chb"),
    ("bitwuzla", "bitwuzla:rewrite-level=1"),
    ("exact", "exact:db-decay=3"),
    ("pychoco", "choco:enable_sat=true,max_dom_size_for_enum=4"),
    ("pytoulbar2", "toulbar2:vac=1"),
    ("sage_wheels", "sat:kissat,restartint=50"),
    ("", "minizinc:gecode,--restart=luby,--nogoods"),
    ("", "xcsp3:ace,varh=Dom"),
    ("", "xcsp3:choco,-f,varh=CHS,-cos"),
    ("", "xcsp3:cosoco,lc=0,--stick"),
]
REFUSED = [
    ("ortools", "cpsat:max_time_in_seconds=3", "time limit"),
    ("ortools", "cpsat:num_workers=3", "the option workers"),
    ("ortools", "cpsat:relative_gap_limit=0.5", "would mean something else"),
    ("clingo", "clingo:--parallel-mode=4", "threads"),
    ("clingo", "clingo:configuration=/tmp/x", "has no configuration"),
    ("clingo", "clingo:heuristic=x", "clingo does not take x for heuristic"),
    ("pyscipopt", "scip:limits/gap=0.1", "would mean something else"),
    ("pyscipopt", "scip:branching/scorefac=7", "SCIP does not take 7.0"),
    ("highspy", "highs:presolve=bad", "HiGHS does not take 'bad'"),
    ("highspy", "highs:log_file=x", "writes no files"),
    ("z3", "z3:branching.heuristic=chb,case_split=1", "leave out one of the two"),
    ("z3", "z3:branching.heuristic=x", "accepted heuristics are"),
    ("bitwuzla", "bitwuzla:nthreads=3", "threads"),
    ("bitwuzla", "bitwuzla:rewrite-level=77", "Bitwuzla says"),
    ("exact", "exact:db-decay=x", "Invalid value for db-decay"),
    ("pytoulbar2", "toulbar2:lds=1", "incomplete"),
    ("pychoco", "choco:lcg=true", "misses solutions"),
    ("pychoco", "choco:lgc=true", "parameters of the solver: 15"),
    ("pumpkin_solver", "pumpkin:seed=3", "experiment.s key solver_seed"),
    ("pumpkin_solver", "pumpkin:restarts=3", "has no parameters of its search"),
    ("sage_wheels", "sat:kissat,restartint=0", "at least 1"),
    ("pysat", "sat:cadical195,restartint=1", "unknown option 'restartint'"),
    ("", "minizinc:gecode,fail=3", "limits of a search"),
    ("", "xcsp3:ace,t=3", "time limit"),
    ("", "xcsp3:choco,-cos", "requires the option"),
    ("", "xcsp3:cosoco,nbcores=3", "threads"),
]


def ensure_here(module: str, name: str) -> None:
    if module and importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    try:
        registry.get(name.partition(",")[0] if ":" in name and "," in name else name.split(":")[0])
    except (BackendUnavailable, UnknownBackend) as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        # A virtual machine starts slowly.
        pytest.param(
            *one, id=one[1], marks=[pytest.mark.once] if one[1].startswith("xcsp3:") else []
        )
        for one in SET
    ],
)
def test_the_answer_is_right_and_its_configuration_has_the_parameters(module, name):
    ensure_here(module, name.replace("--eq-dfs", ""))
    backend = registry.get(name)
    apart = [AllDifferent((0, 1, 2)), Linear((0, 1, 2), (1, 1, 1), "<=", 7)]
    aim = Objective("maximize", (0, 1, 2), (1, 2, 3))
    problem = build_problem(dict.fromkeys("xyz", (1, 2, 3, 4)), apart, objective=aim)
    found = backend.solve(problem, Optimum())
    assert found.objective == 17  # 1 + 2 * 2 + 3 * 4
    for parameter, value in registry.spec(name).parameters.items():
        assert parameter in found.configuration
        assert str(value).lower() in found.configuration.lower()
    assert registry.spec(name).text == backend.name


@pytest.mark.parametrize(("module", "name", "message"), REFUSED, ids=[one[1] for one in REFUSED])
def test_solvers_refuse_with_a_reason(module, name, message, capfd):
    if module and importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    try:
        with pytest.raises(UnknownBackend, match=message):
            registry.spec(name)
    except BackendUnavailable as error:
        pytest.skip(str(error))
    assert capfd.readouterr() == ("", "")


def test_a_parameter_of_cpsat_leaves_out_the_trial_of_auto():
    backend = registry.get("cpsat:symmetry_level=0")
    problem = build_problem(dict.fromkeys("xyz", (1, 2, 3)), [AllDifferent((0, 1, 2))])
    found = backend.solve(problem)
    assert found.configuration == "alldifferent,presolve=on,symmetry_level=0"


def test_parameters_are_listed_with_what_is_refused():
    listed = {one.name: reason for one, reason in registry.list_parameters("cpsat:workers=2")}
    assert len(listed) > 200
    assert listed["linearization_level"] == ""
    assert "option workers" in listed["num_workers"]
    with pytest.raises(UnknownBackend, match="sets no parameters"):
        registry.list_parameters("propagation")
    with pytest.raises(UnknownBackend, match="no backend is called"):
        registry.list_parameters("cpsta")
