"""Digests of structures stay what they were: records of older runs refer to them."""

from dataclasses import dataclass

from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Objective, Structure, build_problem
from puzzles.family import family
from puzzles.sets import instances


class Ascending(Constraint):
    """A class of somebody else's."""

    def holds(self, values):
        return sorted(values) == list(values)


@dataclass(frozen=True)
class Parity(Constraint):
    """One with a field."""

    odd: bool = True

    def holds(self, values):
        return sum(values) % 2 == self.odd


@dataclass(frozen=True)
class DifferentUnlessZero(AllDifferent):
    """A subclass of one that is known."""

    def holds(self, values):
        return super().holds([value for value in values if value])


class Residue(Constraint):
    """One with plain attributes."""

    def __init__(self, scope, modulus, remainder):
        super().__init__(scope)
        object.__setattr__(self, "modulus", modulus)
        object.__setattr__(self, "remainder", remainder)

    def holds(self, values):
        return sum(values) % self.modulus == self.remainder


for kind in (Ascending, Parity, DifferentUnlessZero, Residue):
    kind.__module__ = "mine"  # the digest holds it, and how tests are imported may change

SETS = (
    *("cryptarithm", "latin", "queens", "quickstart", "sudoku", "sudoku-12x12", "sudoku-16x16"),
    *("sudoku-25x25", "sudoku-4x4", "sudoku-6x6", "sudoku-easy", "sudoku-sizes"),
)
"""Sets that ship, one or more of each family and size."""


def by_hand():
    """Structures by name: each constraint, each edge, classes of somebody else's, objectives."""
    three = {"x": (-2, 0, 1), "y": (0, 1, 3), "z": (1, 2)}
    constraints = {
        "different": AllDifferent("xyz"),
        "different, none": AllDifferent(()),
        "unequal": NotEqual("xz"),
        "linear": Linear("xy", (2, -1), "<=", 1),
        "linear, zero factor": Linear("xyz", (0, 1, -3), "!=", -1),
        "linear, none": Linear((), (), ">", 0),
        "table": Table("yz", ((0, 1), (3, 2))),
        "table, conflicts": Table("yz", ((0, 1), (3, 2), (0, 1)), allowed=False),
        "table, none": Table((), ()),
        "foreign": Ascending("zx"),
        "foreign with a field": Parity("xyz", False),
        "foreign subclass": DifferentUnlessZero("xy"),
        "foreign with attributes": Residue("xz", 3, 1),
    }
    made = {
        name: build_problem(three, [constraint]).structure
        for name, constraint in constraints.items()
    }
    made["nothing"] = Structure((), (), ())
    made["empty domain"] = Structure(("a", "b"), ((), (5,)), ())
    made["wide"] = build_problem({"w": range(5000)}).structure
    made["objective"] = build_problem(
        three, objective=Objective("minimize", "zx", (1, -4))
    ).structure
    made["empty objective"] = build_problem(
        three, objective=Objective("maximize", (), ())
    ).structure
    made["everything"] = build_problem(
        three, constraints.values(), objective=Objective("maximize", "xyz", (1, 0, 2))
    ).structure
    return made


def of_sets():
    """The first instance of every family and size in the sets that ship, by set and number."""
    made = {}
    for name in SETS:
        seen = set()
        for number, entry in enumerate(instances(name)):
            structure = family(entry.family).problem(entry.text).structure
            if structure.size in seen:
                continue
            seen.add(structure.size)
            made[f"{name} {number}"] = structure
    return made


def digests():
    return {name: made.digest for name, made in (by_hand() | of_sets()).items()}


DIGESTS = {
    "different": "9c8fbfcfa58630788c9357b4cafb2718",
    "different, none": "b42bfa09aa15b02490ab1446b60ca6a0",
    "unequal": "bfa3442c3166273e5e41e03e54f2a68d",
    "linear": "07d80c01e10e7c810283c692d4c20373",
    "linear, zero factor": "c30e73fa475e918e5c3358040b0c8576",
    "linear, none": "9b9d9d538eac27a8691cdd677738e838",
    "table": "1058e096d6ef7b6b5b33068b48ac2f1a",
    "table, conflicts": "70a66ff595c459ba555ec1d1a241c953",
    "table, none": "b51016d89f0b3c9b449ec036d66870ea",
    "foreign": "7c24f03f43cf31e3f04672bf21adbeed",
    "foreign with a field": "e77e094c60347728a9f2461dfb1bdc1f",
    "foreign subclass": "3dee3a3daebb7e2c7295d87573728cf0",
    "foreign with attributes": "9abd30e164e1d33409dd2798a6230966",
    "nothing": "9c6cace0ef522864d391cf68c7f6b74e",
    "empty domain": "586ff3d49122726158b540ad4fc21361",
    "wide": "b0c97e5116bd8f417a386340b3eda5f1",
    "objective": "2bcd876d61fed7f8210406d567de5f73",
    "empty objective": "179250c42972eccf3a03074c0e9a6667",
    "everything": "eade859576e234b4e3bb41e55b352c36",
    "cryptarithm 0": "f48089c9c5bd7a5423264bfc3c07302f",
    "cryptarithm 1": "86c459022168d9ab407910bbc85fda83",
    "cryptarithm 2": "e611fdf0ac52209af95d37e83fd01475",
    "cryptarithm 3": "014e96599a8c5fb7c2d52bb4fc6ea78b",
    "latin 0": "523a2568dcd8f240875a807a682b9356",
    "latin 1": "3a58794d33df0a4beb0c527aa78d6c51",
    "latin 2": "c22fe448040ed45e47872736c93f6bb3",
    "latin 3": "af93d97224b8b9035e19da777d6968c0",
    "latin 4": "8c29efc1452400ab2a3f3797e75d9e08",
    "latin 5": "87a45f35dd3019c0c783214314a8cac6",
    "latin 6": "d0317a53b8b5fcf0f8a7f7369b60a415",
    "queens 0": "0a77fca42d99c7f2943ee6b1eda196ff",
    "queens 1": "77aac4b43ca55710434161807700f59b",
    "queens 2": "e327f01c2e35f9ab947ee2503718f463",
    "queens 3": "e7f1edd732e9e3f06f14aad7b217e1ce",
    "queens 5": "763a08840f7c97ad17e843d114384b3d",
    "queens 8": "55c05cf7c6db4dc362a31e6b96462792",
    "queens 9": "55fc7c13ef8566f5571ec8464897be31",
    "queens 10": "9fa9fb8ec0e2b3dd44f2b1eabe57db69",
    "queens 11": "6905476133d127b9c69fb20c14f0de15",
    "queens 13": "2b1d0417b7b8b45c12ebdc7aecef56bb",
    "quickstart 0": "c3d1e25180b19120baafbf5ae65b70e9",
    "quickstart 20": "cb2791d5ccb8aabbdc59d071730e1867",
    "quickstart 22": "af13898a246abcd69800c18e26647b23",
    "quickstart 37": "1038d233fb08df0ff730ee345b3ed2be",
    "quickstart 39": "e7973f3f53fc545897908386cb9c8435",
    "quickstart 40": "6674c5959dca2cc354e27dd5d27082c9",
    "quickstart 42": "7bb079a53be2724977a4c20788b7ef23",
    "quickstart 48": "6d192a2f0be6811706362ca0acd401c3",
    "quickstart 51": "0a77fca42d99c7f2943ee6b1eda196ff",
    "quickstart 52": "77aac4b43ca55710434161807700f59b",
    "quickstart 53": "e327f01c2e35f9ab947ee2503718f463",
    "quickstart 54": "e7f1edd732e9e3f06f14aad7b217e1ce",
    "quickstart 56": "763a08840f7c97ad17e843d114384b3d",
    "quickstart 59": "55c05cf7c6db4dc362a31e6b96462792",
    "quickstart 60": "55fc7c13ef8566f5571ec8464897be31",
    "quickstart 61": "9fa9fb8ec0e2b3dd44f2b1eabe57db69",
    "quickstart 62": "6905476133d127b9c69fb20c14f0de15",
    "quickstart 64": "2b1d0417b7b8b45c12ebdc7aecef56bb",
    "quickstart 65": "523a2568dcd8f240875a807a682b9356",
    "quickstart 67": "c22fe448040ed45e47872736c93f6bb3",
    "quickstart 68": "af93d97224b8b9035e19da777d6968c0",
    "sudoku 0": "c3d1e25180b19120baafbf5ae65b70e9",
    "sudoku-12x12 0": "6674c5959dca2cc354e27dd5d27082c9",
    "sudoku-16x16 0": "1038d233fb08df0ff730ee345b3ed2be",
    "sudoku-25x25 0": "6d192a2f0be6811706362ca0acd401c3",
    "sudoku-4x4 0": "cb2791d5ccb8aabbdc59d071730e1867",
    "sudoku-6x6 0": "af13898a246abcd69800c18e26647b23",
    "sudoku-easy 0": "c3d1e25180b19120baafbf5ae65b70e9",
    "sudoku-sizes 0": "af13898a246abcd69800c18e26647b23",
    "sudoku-sizes 1": "e7973f3f53fc545897908386cb9c8435",
    "sudoku-sizes 2": "6674c5959dca2cc354e27dd5d27082c9",
    "sudoku-sizes 3": "cb2791d5ccb8aabbdc59d071730e1867",
    "sudoku-sizes 4": "7bb079a53be2724977a4c20788b7ef23",
    "sudoku-sizes 6": "1038d233fb08df0ff730ee345b3ed2be",
    "sudoku-sizes 10": "6d192a2f0be6811706362ca0acd401c3",
}


def test_digests_are_what_they_were():
    assert digests() == DIGESTS
