"""Domains as lines of text: a column for each value, a dot where it has been removed.

x  1 2 . 4
y  . 2 3 .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MOST_VALUES = 40
"""Columns; with more values a domain is shown as ranges."""


class Domains(dict[str, tuple[int, ...]]):
    """The open values of each variable, by its name, ascending.

    ``before`` has the values that were there before, of which the text shows the removed ones as
    dots. All are empty where a contradiction was found.
    """

    def __init__(
        self, values: Mapping[str, Sequence[int]], before: Sequence[Sequence[int]]
    ) -> None:
        super().__init__({name: tuple(open_values) for name, open_values in values.items()})
        self.before = tuple(map(tuple, before))

    @property
    def is_consistent(self) -> bool:
        """Whether each variable has a value left."""
        return all(self.values())

    def __repr__(self) -> str:
        if not self.is_consistent:
            return "a contradiction: no value is left"
        columns = sorted({value for domain in self.before for value in domain})
        wide = max(map(len, self), default=0)
        if len(columns) > MOST_VALUES:
            return "\n".join(f"{name:<{wide}}  {_list_runs(own)}" for name, own in self.items())
        return "\n".join(
            f"{name:<{wide}}  {_draw_row(own, domain, columns)}".rstrip()
            for (name, own), domain in zip(self.items(), self.before, strict=True)
        )


def _draw_row(own: Sequence[int], before: Sequence[int], columns: Sequence[int]) -> str:
    """The values in their columns; a dot for one that is removed, and nothing where none was."""
    cells = []
    for value in columns:
        text = str(value)
        shown = text if value in own else "." if value in before else ""
        cells.append(shown.rjust(len(text)))
    return " ".join(cells)


def _list_runs(values: Sequence[int]) -> str:
    """Ascending values as ``1..4 7 9..12``."""
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return " ".join(str(low) if low == high else f"{low}..{high}" for low, high in runs)
