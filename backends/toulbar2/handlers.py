"""The table of all that toulbar2 is given natively: AllDifferent, tables of costs, and sums.

What is over two variables and has a table of some size is said by that table, which is what
toulbar2 reasons best about; a longer sum is a knapsack. Formulas are rewritten to sums.
"""

from __future__ import annotations

from typing import Any

from backends.interface.handlers import Condition, Handler, Handlers
from backends.toulbar2.differences import all_different, not_equal, pairs_are_small, table_is_small
from backends.toulbar2.network import Pose, Recipe
from backends.toulbar2.sums import linear, sums_are_at_least, sums_may_be_denied
from backends.toulbar2.tables import clauses, rows_are_closed, table
from modelling.constraints import AllDifferent, Clauses, Linear, NotEqual, Table
from modelling.rewriting.profile import Guard, Mode


def _handler(
    pose: Pose, when: Guard | None, modes: tuple[Mode, ...] = ("root",), within: Guard | None = None
) -> Handler:
    """Notes what is to be posed: it is posed at each call."""

    def post(recipe: Recipe, constraint: Any, condition: Condition | None = None) -> None:
        recipe.posts.append((pose, constraint, condition))

    return Handler(post, modes, when, repeats=False, arguments="affine", within=within)


HANDLERS: Handlers = {
    AllDifferent: _handler(all_different, pairs_are_small),
    NotEqual: _handler(not_equal, table_is_small),
    Linear: _handler(linear, sums_are_at_least, ("root", "half", "full"), sums_may_be_denied),
    Table: _handler(table, rows_are_closed),
    Clauses: _handler(clauses, None),
}
