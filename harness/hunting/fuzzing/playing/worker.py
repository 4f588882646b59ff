"""A process that plays the rounds of one lane: what runs in it.

It gets an ``Order``, and then numbers of rounds; after each number it answers with a ``Played``.
Standard output and standard error belong to the solver.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import sys
from pathlib import Path

import msgspec

from backends.interface import registry
from backends.interface.api import load_ahead
from backends.interface.shipped import PROGRAMS, SHIPPED
from harness.hunting.fuzzing.files.playing import FILES, FilePlayer, is_format
from harness.hunting.fuzzing.files.reading import find_format
from harness.hunting.fuzzing.playing.process import BOARD, Order, Played, write_board
from harness.hunting.fuzzing.playing.rounds import Note, Player, get_backend
from harness.supervise.processes import die_with_parent
from harness.supervise.worker import limit_address_space, receive, send

HEADROOM_MB = 4096.0
"""Addresses that the backend may use beyond those in use once it is loaded."""


def starts_programs(name: str) -> bool:
    """Whether the backend has programs do its work."""
    head = registry.split(name)[0]
    return head == PROGRAMS.name or any(one.process for one in SHIPPED if one.name == head)


def make_player(order: Order, note: Note) -> Player | FilePlayer:
    """Who plays the rounds of a solver's lane, or of a format's."""
    lane, folder = order.lane, Path(order.folder)
    if is_format(lane.backend):
        return FilePlayer(order.seed, lane, folder, note, order.lost, order.instances)
    given = order.seed, lane, folder, note, order.lost, order.is_guided, order.instances
    return Player(*given, order.questions)


def _load(name: str) -> None:
    """Import the solver, or the reader."""
    if is_format(name):
        find_format(name.removeprefix(FILES)).load_ahead()
    else:
        load_ahead(get_backend(name))


def main() -> None:
    """Play on the descriptors that end the command line."""
    requests, answers, memory, parent = (int(word) for word in sys.argv[-4:])
    for descriptor in (requests, answers, memory):
        os.set_inheritable(descriptor, False)
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    board = mmap.mmap(memory, BOARD.size)
    payloads = receive(requests)
    order = msgspec.json.decode(next(payloads), type=Order)
    sys.path[:] = order.path
    lane = order.lane
    try:
        _load(lane.backend)
    except BaseException as error:  # whatever the import of somebody's file raises
        said = " ".join(str(error).split())
        send(answers, msgspec.json.encode(Played(lane, error=f"{type(error).__name__}: {said}")))
        return
    if not starts_programs(lane.backend):  # which have limits of their own, and inherit this one
        with contextlib.suppress(OSError, ValueError):  # where a system has no such limit
            limit_address_space(HEADROOM_MB)

    def note(number: int, question: int, comparisons: int) -> None:
        write_board(board, number, question, comparisons)

    player = make_player(order, note)
    for payload in payloads:
        player.said.clear()
        for _ in range(msgspec.json.decode(payload, type=int)):
            player.play()
        sys.stdout.flush()
        send(answers, msgspec.json.encode(Played(lane, player.said)))
