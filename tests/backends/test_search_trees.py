"""The tree of a search has the nodes that the search counts, and is drawn node by node."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree

import pytest

import concord

QUEENS = concord.Instance("queens", "six", "6")


@pytest.mark.parametrize("branching", ["domwdeg", "smallest", "first"])
def test_the_tree_has_the_nodes_and_failures_of_the_search(branching: str) -> None:
    ask = concord.Solutions(None)
    tree = concord.search_tree(QUEENS, ask, branching=branching)
    result = concord.solve(QUEENS, ask, backend=f"propagation:branching={branching}")
    assert len(tree.nodes) == result.statistics["nodes"]
    assert tree.count("failed") == result.statistics["failures"]
    assert tree.count("solution") == result.count == 4
    assert not tree.is_cut


def test_the_children_of_a_node_try_a_value_and_exclude_it() -> None:
    tree = concord.search_tree(concord.read("sudoku-hard")[0], concord.Solutions(2))
    children: dict[int, list[str]] = defaultdict(list)
    for node in tree.nodes[1:]:
        assert node.parent is not None
        children[node.parent].append(node.label)
        assert tree.nodes[node.parent].fate == "open"
    for tried, *excluded in children.values():
        assert excluded in ([], [tried.replace("=", "≠")])


def test_each_better_solution_is_in_the_tree_of_an_optimum() -> None:
    knapsack = concord.generate(1, family="knapsack", items=6)[0]
    tree = concord.search_tree(knapsack)
    assert len(tree.nodes) == concord.solve(knapsack).statistics["nodes"]
    assert tree.count("solution") > 1


def test_a_long_search_is_cut() -> None:
    tree = concord.search_tree(
        concord.Instance("queens", "ten", "10"), concord.Solutions(None), most_nodes=30
    )
    assert (len(tree.nodes), tree.is_cut) == (30, True)
    assert repr(tree).startswith("30 nodes so far, ")


def test_a_tree_of_any_search_is_drawn() -> None:
    tree = concord.SearchTree([(None, "", "open"), (0, "x=1", "failed"), (0, "x<2", "solution")])
    drawn = ElementTree.fromstring(tree._repr_svg_())
    kinds = [part.tag.rpartition("}")[2] for part in drawn]
    assert (kinds.count("circle"), kinds.count("polyline")) == (2, 2)
    assert [part.text for part in drawn if part.tag.endswith("text")] == ["x=1", "x<2"]
    assert (tree.depth, repr(tree)) == (1, "3 nodes, 1 failure, 1 solution, depth 1")
    assert concord.SearchTree([])._repr_svg_().startswith("<svg")


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(concord.ConcordError, match="branching must be one of smallest, domwdeg"):
        concord.search_tree(QUEENS, branching="best")
