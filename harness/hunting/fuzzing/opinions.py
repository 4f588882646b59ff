"""What several solvers say of one problem that is too large for brute force, and who is wrong.

Claims of independent families that contradict each other are a dispute. The one whose claim fewer
families share is at fault; where as many share the other one, each has a finding.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from backends.interface.registry import evidence_family
from harness.hunting.findings import Answer, Fault
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.playing.lane import Said
from harness.hunting.judging.answers import Wrong
from harness.hunting.judging.asked import Asked
from harness.judge.claims import Claim, find_conflict
from modelling.errors import InputError
from modelling.problem import Problem

FILE = "opinions.json"


@dataclass
class Opinions:
    """Claims by the key of their problem; those that nobody else will speak of are forgotten."""

    draws: Draws
    claims: dict[str, list[Said]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, draws: Draws) -> Opinions:
        """Those that a folder keeps, none if it keeps none."""
        try:
            data = (folder / FILE).read_bytes()
            return cls(draws, msgspec.json.decode(data, type=dict[str, list[Said]]))
        except FileNotFoundError:
            return cls(draws)
        except (msgspec.MsgspecError, OSError) as error:
            raise InputError(
                f"{folder / FILE}: cannot be read ({error}); choose another --out"
            ) from error

    def write(self, folder: Path) -> None:
        """Write them, whole at any moment."""
        beside = folder / f".{FILE}.new"
        beside.write_bytes(msgspec.json.encode(self.claims))
        os.replace(beside, folder / FILE)

    def add(self, said: Iterable[Said]) -> int:
        """Take claims in; how many claims of other families they were compared with."""
        compared = 0
        for one in said:
            there = self.claims.setdefault(one.key, [])
            if one in there:
                continue  # a hunt that was killed has asked it again
            family = evidence_family(one.backend)
            compared += any(evidence_family(other.backend) != family for other in there)
            there.append(one)
        return compared

    def forget(self, passed: int) -> None:
        """Forget the problems up to a number, which every lane has passed, but for disputes."""
        for key in list(self.claims):
            if int(key.partition("/")[2]) <= passed and not any(self._disputes(key)):
                del self.claims[key]

    def find_all(self) -> Iterator[tuple[Asked, Wrong, Answer]]:
        """What was asked of each backend that is at fault in a dispute, what is wrong with its
        answer, and that answer."""
        for key in sorted(self.claims):
            seen: set[str] = set()
            for one, other, conflict in self._disputes(key):
                for wrong, right in self._blame(key, one, other):
                    if wrong.backend not in seen:
                        seen.add(wrong.backend)
                        yield self._describe(wrong, right, conflict)

    def _disputes(self, key: str) -> Iterator[tuple[Said, Said, str]]:
        there = [one for one in self.claims[key] if evidence_family(one.backend)]
        sense = self._sense(key)
        for place, one in enumerate(there):
            for other in there[place + 1 :]:
                conflict = find_conflict(one.claim, other.claim, sense)
                if conflict and evidence_family(one.backend) != evidence_family(other.backend):
                    yield one, other, conflict

    def _sense(self, key: str) -> str | None:
        objective = self._problem(key).structure.objective
        return None if objective is None else objective.sense

    def _problem(self, key: str) -> Problem:
        return self.draws.draw(int(key.partition("/")[2])).problem

    def _blame(self, key: str, one: Said, other: Said) -> list[tuple[Said, Said]]:
        votes = self._count_votes(key, one), self._count_votes(key, other)
        if votes[0] == votes[1]:
            return [(one, other), (other, one)]
        return [(other, one)] if votes[0] > votes[1] else [(one, other)]

    def _count_votes(self, key: str, said: Said) -> int:
        """How many families contradict nothing of what a backend says."""
        sense = self._sense(key)
        return len(
            {
                evidence_family(other.backend)
                for other in self.claims[key]
                if not find_conflict(said.claim, other.claim, sense)
            }
        )

    def _describe(self, wrong: Said, right: Said, conflict: str) -> tuple[Asked, Wrong, Answer]:
        asked = Asked(self._problem(wrong.key), "large", wrong.backend, wrong.question)
        note = f"{conflict}; the other one is said by {right.backend}"
        truth = Answer(count=right.claim.most, objective=right.claim.best, note=note)
        fault = _classify(wrong.claim, right.claim, wrong.question.optimum)
        claimed = Answer(count=wrong.claim.most, objective=wrong.claim.best)
        return asked, Wrong(fault, truth, "agreement", note, right.backend), claimed


def _classify(wrong: Claim, right: Claim, optimum: bool) -> Fault:
    if wrong.most == 0 and right.least:
        return "false unsatisfiable"
    if optimum:
        return "false optimum"
    if wrong.most is not None and right.least > wrong.most:
        return "missing solution"
    return "wrong count"
