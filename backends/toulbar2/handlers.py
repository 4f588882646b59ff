"""The table of all that toulbar2 is given natively: AllDifferent, tables of costs, and sums.

What is over two variables and has a table of some size is said by that table, which is what
toulbar2 reasons best about; a longer sum is a knapsack. Formulas are rewritten to sums.
"""

from __future__ import annotations

from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import handler
from backends.toulbar2.differences import all_different, not_equal, pairs_are_small, table_is_small
from backends.toulbar2.sums import linear, sums_are_at_least, sums_may_be_denied
from backends.toulbar2.tables import clauses, rows_are_closed, table
from modelling.constraints import AllDifferent, Clauses, Linear, NotEqual, Table

HANDLERS: Handlers = {
    AllDifferent: handler(all_different, pairs_are_small, modes=("root",)),
    NotEqual: handler(not_equal, table_is_small, modes=("root",)),
    Linear: handler(linear, sums_are_at_least, within=sums_may_be_denied),
    Table: handler(table, rows_are_closed, modes=("root",)),
    Clauses: handler(clauses, modes=("root",)),
}
