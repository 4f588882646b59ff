"""The tree of a search has the nodes that the search counts, and is drawn node by node."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

import concord
from puzzles.drawing.search_trees import read_trace

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
    ruler = concord.Instance("golomb", "five", "5")
    tree = concord.search_tree(ruler, concord.Optimum())
    found = concord.solve(ruler, concord.Optimum(), backend="propagation:pure")
    assert len(tree.nodes) == found.statistics["nodes"]
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
    with pytest.raises(concord.ConcordError, match="branching must be one of turns, smallest"):
        concord.search_tree(QUEENS, branching="best")


# --- trees as files --------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["pure", pytest.param("compiled", marks=pytest.mark.once)])
def test_a_traced_search_is_the_tree_of_that_search(form: str, tmp_path: Path) -> None:
    file, ask = tmp_path / "a tree, of queens.jsonl", concord.Solutions(None)
    name = f'propagation:form={form},trace="{file}"'
    result = concord.solve(QUEENS, ask, backend=name)
    tree = read_trace(file)
    assert tree.nodes == concord.search_tree(QUEENS, ask).nodes
    assert result.statistics["nodes"] == len(tree.nodes)
    assert not tree.is_cut
    assert concord.get_backend(name).name == name


def test_a_trace_ends_after_ten_thousand_nodes(tmp_path: Path) -> None:
    file = tmp_path / "tree.jsonl"
    ten = concord.Instance("queens", "ten", "10")
    result = concord.solve(
        ten, concord.Solutions(None), backend=f"propagation:pure,branching=first,trace={file}"
    )
    header = json.loads(file.read_text().partition("\n")[0])
    assert header == {"trace": 1, "nodes": result.statistics["nodes"], "recorded": 10_000}
    assert read_trace(file).is_cut


def test_a_trace_without_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(concord.ConcordError, match=r"trace=.*No such file or directory"):
        concord.solve(QUEENS, backend=f"propagation:trace={tmp_path}/none/tree.jsonl")


HEADER = '{"trace": 1, "nodes": 2}\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("{}\n", ":1: no line of a search tree: Object missing required field `trace`"),
        (HEADER + "{\n", ":2: no line of a search tree"),
        (HEADER + "{}\n" + '{"parent": 1}\n', ":3: the parent 1 is not a node before this one"),
        (HEADER + '{"fate": "lost"}\n', ":2: no line of a search tree: Invalid enum value"),
    ],
)
def test_what_is_no_tree_is_an_error(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "tree.jsonl"
    file.write_text(text)
    with pytest.raises(concord.ConcordError, match=said):
        read_trace(file)
