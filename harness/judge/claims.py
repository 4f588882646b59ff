"""What an answer claims about its instance, and when two claims conflict or one implies another.

Words
-----
claim       what an answer says about the instance: the number of its solutions lies between
            ``least`` and ``most``, the set of them has this digest, the best objective is this
full        the question asked is answered: as many solutions as wanted, or the search exhausted
extra       what an answer says beyond what it was asked or shows: that its solution is the only
            one, where one was asked for; how many it had counted when its time was over
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.record import Row


@dataclass(frozen=True)
class Claim:
    """What one answer says about its instance; None where it says nothing.

    ``digest`` is that of all solutions. ``best`` is the optimum by claim, ``found`` an objective
    that was reached, ``bound`` the best that is possible. ``optima`` counts the best solutions
    (all of them), ``optima_digest`` is theirs.
    """

    least: int = 0
    most: int | None = None
    digest: str | None = None
    best: int | None = None
    found: int | None = None
    bound: int | None = None
    optima: int | None = None
    optima_digest: str | None = None

    @property
    def says_something(self) -> bool:
        """Whether anything is claimed at all."""
        return self.least > 0 or self.most is not None or self.bound is not None


def find_claim(row: Row, shown: int) -> Claim:
    """The claim in an answer, whatever the outcome: what came late is still said.

    A search that was stopped claims the ``shown`` different solutions that hold, and its bound. A
    stated answer shows nothing: it claims all that it says.
    """
    record, question = row.record, row.job.question
    if row.job.role == "stated":
        return Claim(
            least=record.count,
            most=record.count if record.exhausted else None,
            best=record.objective if record.status == "OPTIMUM" else None,
            found=record.objective,
            bound=record.bound,
        )
    least = record.count if is_full(row) else shown
    every = record.exhausted and not _is_beyond(row)
    if not question.optimum:
        return Claim(
            least=least,
            most=record.count if every else None,
            digest=record.digest if every and record.count else None,
        )
    if not record.count:
        return Claim(most=0 if record.exhausted else None, bound=record.bound)
    every = every and question.limit != 1
    return Claim(
        least=least,
        best=record.objective if _is_proven(row) else None,
        found=record.objective if record.solutions else None,
        bound=record.bound,
        optima=record.count if every else None,
        optima_digest=record.digest if every else None,
    )


def find_extra_claim(row: Row, shown: int) -> Claim | None:
    """What an answer says beyond its question or beyond what it shows; None for nothing."""
    record = row.record
    if row.job.role == "stated":
        return None
    if not _is_beyond(row):
        return None if is_full(row) or record.count <= shown else Claim(least=record.count)
    if row.job.question.optimum:
        claim = find_claim(row, shown)
        return replace(claim, optima=record.count, optima_digest=record.digest)
    return Claim(record.count, record.count, record.digest)


def is_full(row: Row) -> bool:
    """Whether the answer settles its question, in time or late."""
    record, limit = row.record, row.job.question.limit
    if row.job.role == "stated":
        return record.status != "UNKNOWN"
    if record.outcome not in ("finished", "timeout", "memout"):
        return False
    if row.job.question.optimum and not _is_proven(row):
        return False
    return record.exhausted or (limit is not None and record.count >= limit)


def _is_proven(row: Row) -> bool:
    """Whether the answer calls its objective the best."""
    return row.record.stopped_by in ("exhausted", "enough")


def _is_beyond(row: Row) -> bool:
    """Whether it says that the instance has only as many solutions as were asked for."""
    record, question = row.record, row.job.question
    if not record.exhausted or question.limit is None or record.count < question.limit:
        return False
    return not question.optimum or question.limit > 1


# --- two claims -----------------------------------------------------------------------------------


def find_conflict(one: Claim, other: Claim, sense: str | None) -> str:
    """Why two claims cannot both be true; empty when they can."""
    for a, b in ((one, other), (other, one)):
        if a.most is not None and b.least > a.most:
            return f"{a.most} solutions and no more, or at least {b.least}"
        if a.best is not None and is_better(b.found, a.best, sense):
            return f"the optimum {a.best}, or {b.found} reached"
        if a.bound is not None and is_better(b.found, a.bound, sense):
            return f"nothing beyond {a.bound}, or {b.found} reached"
    if one.digest and other.digest and one.digest != other.digest:
        return f"{one.least} solutions each, but not the same ones"
    if one.best is not None and other.best is not None and one.best != other.best:
        return f"the optimum {one.best}, or {other.best}"
    if one.optima is not None and other.optima is not None:
        if one.optima != other.optima:
            return f"{one.optima} best solutions, or {other.optima}"
        if one.optima_digest != other.optima_digest:
            return f"{one.optima} best solutions each, but not the same ones"
    return ""


def is_better(value: int | None, than: int, sense: str | None) -> bool:
    """Whether an objective is reached that is better than another one; not without a sense."""
    if value is None or sense is None:
        return False
    return value < than if sense == "minimize" else value > than


def implies(one: Claim, other: Claim, sense: str | None) -> bool:
    """Whether ``other`` is true if ``one`` is; what is shown needs no support."""
    if one.least < other.least:
        return False
    if other.most is not None and (one.most is None or one.most > other.most):
        return False
    if other.digest is not None and one.digest != other.digest:
        return False
    if other.best is not None and one.best != other.best:
        return False
    if other.bound is not None:
        limit = one.bound if one.best is None else one.best
        if limit is None or sense is None or is_better(limit, other.bound, sense):
            return one.most == 0  # without a solution every bound holds
    return other.optima is None or (one.optima, one.optima_digest) == (
        other.optima,
        other.optima_digest,
    )
