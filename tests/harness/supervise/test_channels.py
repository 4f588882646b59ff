"""The control socket between supervisor and reaper: messages, and the descriptors beside them."""

from __future__ import annotations

import os
import socket

import pytest

from harness.supervise.channels import Control


@pytest.mark.skipif(not hasattr(socket, "send_fds"), reason="this system passes no descriptors")
def test_descriptors_come_with_their_message_and_do_not_pile_up() -> None:
    ours, theirs = socket.socketpair()
    sender, receiver = Control(ours), Control(theirs)
    reading, writing = os.pipe()
    sender.send({"load": "x" * 5000})
    for number in range(50):
        sender.send({"start": number}, (reading, writing))
        sender.send({"kill": number})
    started, is_there, seen = [], True, 0
    while seen < 101 and is_there:
        messages, is_there = receiver.receive()
        seen += len(messages)
        started += [message["start"] for message in messages if "start" in message]
        assert len(receiver.descriptors) in (0, 2)
        while receiver.descriptors:
            descriptor = receiver.descriptors.pop()
            assert not os.get_inheritable(descriptor)
            os.close(descriptor)
    assert (seen, started, is_there) == (101, list(range(50)), True)
    assert receiver.receive() == ([], True)
    ours.close()
    assert receiver.receive() == ([], False)
    for end in (theirs.fileno(), reading, writing):
        os.close(end)
    theirs.detach()
