"""Names and options of backends, and the small parts that all of them share."""

import sys
from time import perf_counter

import pytest

from backends.interface import encoding_cache, registry
from backends.interface.api import AllOptima, Optimum, Result, Solutions
from backends.interface.encoding_cache import EncodingCache
from backends.interface.shipped import SHIPPED, Clash, ShippedBackend
from modelling.constraints import Linear, NotEqual, Table
from modelling.errors import BackendUnavailable, ContradictoryResult, ModelError, UnknownBackend
from modelling.problem import Objective, build_problem


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("propagatoin", "did you mean 'propagation'"),
        ("propagation:branching=smalest", "did you mean 'smallest'"),
        ("propagation:brnching=first", "did you mean 'branching'"),
        ("propagation:frist", "did you mean 'first'"),
        ("propagation:first,smallest", "branching is given twice"),
        ("brute_force:fast", "unknown option 'fast'"),
        ("py:nowhere", "write py:package.module:attribute"),
        ("py:no_such_module_here:X", "cannot import no_such_module_here"),
        ("py:liars:NoSuch", "liars has no attribute 'NoSuch'"),
        ("py:math:pi", "is not a Backend"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_right_one(name, message):
    with pytest.raises(UnknownBackend, match=message.replace("(", r"\(")):
        registry.get(name)


def test_options_give_the_canonical_name():
    assert registry.get("propagation:smallest").name == "propagation:branching=smallest"
    assert registry.get("propagation:branching=turns").name == "propagation"
    assert registry.get("cpsat:presolve=off,booleans").name == (
        "cpsat:formulation=booleans,presolve=off"
    )


def test_a_backend_of_ones_own_is_found():
    assert registry.get("py:liars:Honest").name == "honest"


def test_a_missing_solver_disables_its_backend_and_nothing_else(monkeypatch):
    real = registry.importlib.util.find_spec
    monkeypatch.setattr(
        registry.importlib.util, "find_spec", lambda n, *a: None if n == "ortools" else real(n, *a)
    )
    found = {info.name: info for info in registry.infos()}
    assert not found["cpsat"].installed
    assert "pip install ortools" in found["cpsat"].hint
    assert found["propagation"].installed


def test_an_import_that_fails_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(BackendUnavailable, match=r"cpsat needs ortools.*pip install ortools"):
        registry.get("cpsat")


# --- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claims",
    [
        {"count": -1, "stopped_by": "exhausted"},
        {"count": 0, "stopped_by": "enough"},
        {"count": 0, "stopped_by": "exhausted", "solutions": ((1,),)},
        {"count": 0, "stopped_by": "exhausted", "objective": 3, "optimising": True},
        {"count": 1, "stopped_by": "exhausted", "objective": 3},
        {"count": 1, "stopped_by": "exhausted", "optimising": True},
    ],
)
def test_a_result_that_contradicts_itself_cannot_be_written(claims):
    with pytest.raises(ContradictoryResult):
        Result(**claims)


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"count": 0, "stopped_by": "exhausted"}, "UNSATISFIABLE"),
        ({"count": 0, "stopped_by": "time"}, "UNKNOWN"),
        ({"count": 0, "stopped_by": "gave_up"}, "UNKNOWN"),
        ({"count": 2, "stopped_by": "time"}, "SATISFIABLE"),
        ({"count": 2, "stopped_by": "exhausted"}, "SATISFIABLE"),
        ({"count": 1, "stopped_by": "exhausted", "optimising": True, "objective": 0}, "OPTIMUM"),
        ({"count": 1, "stopped_by": "time", "optimising": True, "objective": 0}, "SATISFIABLE"),
    ],
)
def test_the_status_follows_from_the_evidence(claims, status):
    assert Result(**claims).status == status


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_a_limit_is_a_positive_integer(bad):
    with pytest.raises(ModelError, match="limit must be an integer"):
        Solutions(bad)
    with pytest.raises(ModelError, match="limit must be an integer"):
        AllOptima(bad)


# --- the collector -------------------------------------------------------------------------------


def test_the_cache_of_encodings_is_bounded():
    cache = EncodingCache(2)
    made = []

    def build(structure):
        made.append(structure)
        return len(made)

    structures = structures_of(1, 2, 3)
    assert cache.get(structures[0], build) == (1, False)
    assert cache.get(structures[0], build) == (1, True)
    cache.get(structures[1], build)
    cache.get(structures[2], build)
    assert cache.get(structures[2], build) == (3, True)
    assert cache.get(structures[0], build) == (4, False)
    never = EncodingCache(0)
    assert [never.get(structures[0], build)[1] for _ in range(2)] == [False, False]


def structures_of(*sizes):
    return [build_problem({"x": range(n)}).structure for n in sizes]


def test_the_cache_keeps_what_its_budget_has_room_for():
    cache = EncodingCache(weigh=lambda encoding: encoding, most=100)
    small = structures_of(*range(1, 31))
    for structure in small:
        cache.get(structure, lambda _: 10)
    assert (len(cache), cache.bytes) == (10, 100)
    assert all(cache.get(s, lambda _: 10)[1] for s in small[20:])
    assert not cache.get(small[19], lambda _: 10)[1]
    (huge,) = structures_of(40)
    cache.get(huge, lambda _: 1000)
    assert (len(cache), cache.bytes) == (1, 1000)  # the newest is kept whatever it weighs
    assert cache.get(huge, lambda _: 1000)[1]


def test_fifty_small_structures_are_all_kept_by_default():
    backend = registry.get("propagation")
    problems = [build_problem({c: range(n) for c in "ab"}, [NotEqual("ab")]) for n in range(2, 52)]
    for _ in range(2):
        reused = [backend.solve(problem).encoding_reused for problem in problems]
    assert all(reused)


def test_the_budget_follows_a_limit_on_memory(monkeypatch):
    monkeypatch.setattr(encoding_cache, "_allowed", [])
    assert 0 < encoding_cache.budget() <= encoding_cache.MOST_BYTES
    encoding_cache.allow_memory(80)
    assert encoding_cache.budget() == 10 << 20
    cache = EncodingCache(weigh=lambda encoding: 4 << 20)
    for structure in structures_of(1, 2, 3, 4):
        cache.get(structure, lambda _: None)
    assert cache.bytes == 8 << 20


def test_a_table_weighs_more_than_its_variables():
    domains = {"x": range(100), "y": range(100)}
    bare = build_problem(domains).structure
    table = build_problem(
        domains, [Table("xy", [(i, j) for i in range(100) for j in range(50)])]
    ).structure
    assert encoding_cache.weight(table) > 20 * encoding_cache.weight(bare)


# --- optima by asking again ----------------------------------------------------------------------

KNAPSACK = build_problem(
    {"x": range(5), "y": range(5), "z": (0, 1)},
    [Linear(("x", "y", "z"), (2, 3, 4), "<=", 12)],
    objective=Objective("maximize", ("x", "y", "z"), (3, 5, 6)),
)


# --- phases --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [Solutions(1), Solutions(None), Optimum(), AllOptima()])
@pytest.mark.parametrize(
    "name", ["propagation", "cpsat", "sat", "sat:reuse=solver", "python_constraint", "brute_force"]
)
def test_phases_fit_into_the_call(name, ask):
    """They lie one after the other, so this holds on any machine, however busy."""
    backend = registry.get(name)
    for _ in range(2):
        begun = perf_counter()
        phases = dict(backend.solve(KNAPSACK, ask).phases)
        took = perf_counter() - begun
        phases.pop("first_solution", None)
        assert 0 < sum(phases.values()) <= took
        assert min(phases.values()) >= 0


# --- names as values -----------------------------------------------------------------------------


def test_a_name_is_read_once_however_it_is_written():
    shortest, in_full = registry.spec("sat:solver"), registry.spec("sat:reuse=solver,extended")
    assert shortest == in_full
    assert (shortest.head, shortest.text) == ("sat", "sat:extended,relay,reuse=solver")
    assert shortest.text == registry.get("sat:solver").name
    assert shortest.options["amo"] == "auto"


@pytest.mark.parametrize(
    ("name", "keeps", "workers"),
    [
        ("sat", False, 1),
        ("sat:solver", True, 1),
        ("sat:direct,glucose4, reuse=solver", True, 1),
        ("sat:reuse=none", False, 1),
        ("cpsat:workers=4,off", False, 4),
        ("py:mine:Patient", False, 1),
        ("of_nobody:reuse=solver,workers=3", True, 3),
        ("of_nobody", False, 1),
    ],
)
def test_what_keeps_its_solver_and_how_many_threads_it_takes(name, keeps, workers):
    """The last two are of plug-ins that are not installed, as records of elsewhere name them."""
    assert registry.keeps_state(name) is keeps
    assert registry.workers(name) == workers


@pytest.mark.parametrize("name", ["sat:solvre", "cpsta", "propagation:branching=first,first"])
def test_what_is_no_name_is_refused_without_making_a_backend(name):
    with pytest.raises(UnknownBackend):
        registry.spec(name)


# --- backends that cannot share a process ---------------------------------------------------------


def _clashing_pair(monkeypatch, since=""):
    """Two that ship, say, of which the second one's library breaks the first one's."""
    one = ShippedBackend("one", "backends.brute_force", "", "cp", "pytest", "toy_one")
    clash = Clash(("one",), "they export the same symbols", since)
    other = ShippedBackend(
        "other", "backends.propagation", "", "cp", "pytest", "toy_other", clashes=(clash,)
    )
    monkeypatch.setattr(registry, "SHIPPED", (*SHIPPED, one, other))


@pytest.mark.parametrize(("here", "asked"), [("one", "other"), ("other", "one")])
def test_backends_that_clash_are_not_loaded_into_one_process(monkeypatch, here, asked):
    _clashing_pair(monkeypatch)
    assert registry.get(here)
    assert registry.get(asked)  # none of their libraries has been imported yet
    monkeypatch.setitem(sys.modules, f"toy_{here}", sys)
    assert registry.get(here)
    said = f"{asked} cannot be loaded into this process, where toy_{here} is: they export the same"
    with pytest.raises(BackendUnavailable, match=said):
        registry.get(asked)
    assert registry.get("brute_force")


def test_a_clash_is_one_of_some_releases(monkeypatch):
    _clashing_pair(monkeypatch, since="9999.1")
    monkeypatch.setitem(sys.modules, "toy_one", sys)
    assert registry.get("other")
    assert registry.numbers_of("1.15.1rc2") == (1, 15, 1)
    assert registry.numbers_of("1.9") < registry.numbers_of("1.15")


def test_every_clash_is_with_one_that_ships():
    names = {entry.name for entry in SHIPPED}
    for entry in SHIPPED:
        for clash in entry.clashes:
            assert clash.why
            assert names.issuperset(clash.others)


def test_who_is_not_exact_says_so_itself_and_is_no_evidence():
    for entry in SHIPPED:
        if not registry.missing(entry):
            exact = getattr(registry.get(entry.name), "exact", True)
            assert registry.is_exact(entry.name) == exact
            assert (registry.evidence_family(entry.name) is None) != exact
    assert not registry.is_exact("scip")
    assert registry.evidence_family("command:opb:/usr/bin/scip") is None
    assert registry.evidence_family("py:cpsat:x") is None
    assert registry.evidence_family("cpsat:presolve=on") == "cpsat"
