"""Records that their worker has forged: what only the supervisor or the judge may say."""

from __future__ import annotations

from typing import Any

from backends.conformance.liars.times import ForgesRecords


class ForgesProof(ForgesRecords):
    """Calls every problem unsatisfiable, by a proof that it says was checked, with its encoding."""

    def forge(self, record: Any) -> Any:
        """An answer with a proof that nobody has seen."""
        record.status, record.stopped_by = "UNSATISFIABLE", "exhausted"
        record.count, record.solutions, record.digest = 0, (), "0" * 32
        record.proof, record.proof_note, record.proof_encoding = "checked", "cake_lpr", "enumerated"
        return record


class AnswersForAnother(ForgesRecords):
    """Says that its record is that of the job after its own, which may be a rival's."""

    def forge(self, record: Any) -> Any:
        """The record of another job."""
        record.job += 1
        return record


class CallsItselfLost(ForgesRecords):
    """Says that no account of its job could be had, as if that were the fault of the harness."""

    def forge(self, record: Any) -> Any:
        """A record without an answer, and without blame."""
        record.outcome, record.status, record.count = "lost", "UNKNOWN", 0
        record.solutions, record.error = (), "the machine was switched off"
        return record


class OwnDigest(ForgesRecords):
    """Says that it was given another problem than its rivals, whose answers then do not compare."""

    def forge(self, record: Any) -> Any:
        """A false answer to a problem of its own."""
        record.instance_digest = "f" * 32
        record.solutions = tuple(tuple(v + 1 for v in one) for one in record.solutions)
        return record


class BlamesItsRivals(ForgesRecords):
    """Answers falsely, and says that a rival has stopped it, and that it is another backend."""

    def forge(self, record: Any) -> Any:
        """The record of a victim."""
        record.hindered = "a signal stopped it, beside propagation, sat"
        record.isolation, record.attempt = "propagation has signalled", 2
        record.backend_family, record.version = "cpsat", "0" * 16
        record.solutions = tuple(tuple(v + 1 for v in one) for one in record.solutions)
        return record


class ForgesUsage(ForgesRecords):
    """Burns 0.1 s of CPU time, and says that it has used none, nor any memory."""

    def forge(self, record: Any) -> Any:
        """The record of one that costs nothing."""
        burn(0.1)
        record.cpu_s, record.peak_memory_mb, record.baseline_memory_mb = 1e-6, 0.001, 0.0
        record.memory_increment_mb = 0.0
        return record


def burn(seconds: float) -> None:
    """Use CPU time."""
    from time import process_time

    until = process_time() + seconds
    while process_time() < until:
        pass
