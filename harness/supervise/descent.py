"""Who descends from a worker, without looking at every process of the machine each time.

Looking at a process costs about 0.02 ms, listing the numbers of all that there are a twentieth of
it for each. So the numbers are listed, and looked at is only what can have another parent than
last time:

new         a number that was not in the last listing
orphan      its parent is not there any more, so Linux has given it to another
member      of the tree that is asked for; its number may be another process's by now

What remains is a number that changed hands between two listings and was no member before. For its
sake everything is looked at again, a few at a time and slowly.
"""

from __future__ import annotations

from time import perf_counter

from harness.supervise.process_tree import Seen, look_at, pids

_LIST_SHARE = 4
"""Listing takes a fifth of the time at the most: it counts when there are thousands."""

_CHECK_SHARE = 50
_CHECKED_AT_ONCE = 100


class Descent:
    """What is known of who descends from whom; one serves all workers of a session."""

    def __init__(self) -> None:
        self._seen: dict[int, Seen] = {}
        self._children: dict[int, set[int]] = {}
        self._listed: set[int] = set()
        self._unchecked: list[int] = []
        self._list_at = self._check_at = 0.0

    def members(self, root: int, *, now: bool = False) -> dict[int, Seen]:
        """``root`` and all that descends from it, as they are at this moment.

        What has been started since the last listing may be missing where listing takes long;
        with ``now`` it is not.
        """
        looked_at = set(self._tree(root))
        for pid in looked_at:
            self._look(pid)
        if now or perf_counter() >= self._list_at:
            self._list()
        if perf_counter() >= self._check_at:
            self._check()
        members = self._tree(root)
        for pid in members:
            if pid not in looked_at:
                self._look(pid)
        return {pid: self._seen[pid] for pid in members if pid in self._seen}

    def _tree(self, root: int) -> list[int]:
        members = [root]
        for pid in members:  # grows while it is walked
            # The root is nobody's child: numbers that changed hands could lead round in a circle.
            members += self._children.get(pid, set()) - {root}
        return members

    def _list(self) -> None:
        began = perf_counter()
        there = set(pids())
        gone, new = self._listed - there, there - self._listed
        self._listed = there
        for pid in gone:
            self._note(pid, None)
        # Processes without a parent, or with one outside a container, are children of 0.
        orphans = [self._children[parent] for parent in self._children.keys() - there - {0}]
        for pid in new.union(*orphans):
            self._look(pid)
        ended = perf_counter()
        self._list_at = ended + _LIST_SHARE * (ended - began)

    def _check(self) -> None:
        began = perf_counter()
        if not self._unchecked:
            self._unchecked = list(self._listed)
        for pid in self._unchecked[-_CHECKED_AT_ONCE:]:
            self._look(pid)
        del self._unchecked[-_CHECKED_AT_ONCE:]
        ended = perf_counter()
        self._check_at = ended + _CHECK_SHARE * (ended - began)

    def _look(self, pid: int) -> None:
        seen = look_at(pid)
        if seen is None and pid in self._seen:
            self._listed.discard(pid)  # whoever has the number next is new
        self._note(pid, seen)

    def _note(self, pid: int, seen: Seen | None) -> None:
        before = self._seen.pop(pid, None)
        if before is not None:
            self._children[before.parent].discard(pid)
            if not self._children[before.parent]:
                del self._children[before.parent]
        if seen is not None:
            self._seen[pid] = seen
            self._children.setdefault(seen.parent, set()).add(pid)
