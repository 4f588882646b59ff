"""Work where no clock looks: in what is not counted, in a child, and while rivals run."""

from __future__ import annotations

import os
from dataclasses import replace
from threading import Thread
from time import sleep

from backends.conformance.liars.forgeries import burn
from backends.conformance.liars.liar import Liar
from backends.interface.api import Ask, Limits, Result
from modelling.problem import Problem, Structure


class WorksInTheDigest(Liar):
    """Takes its time (50 ms) in the digest of the problem, which the clock of a job leaves out.

    Its answers are right; its times are those of an answer that it had before.
    """

    def __init__(self) -> None:
        super().__init__()
        real, seen = Structure.digest, set[int]()

        def digest(structure: Structure) -> str:
            sleep(0.05 if id(structure) not in seen else 0)
            seen.add(id(structure))
            return str(real.__get__(structure, Structure))

        Structure.digest = property(digest)  # type: ignore[assignment]

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, phases={})


class OutlivesItsWorker(Liar):
    """Leaves a process behind that has left its family and its session, and burns on."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                burn(20.0)
            os._exit(0)
        sleep(0.05)
        return result


class AsksItsServant(Liar):
    """Has a process of its own, started while it is loaded, that works for it: 50 ms a job.

    Its answers are right; the CPU time of its worker is that of asking.
    """

    def __init__(self) -> None:
        super().__init__()
        (self._asked, ask), (answer, self._answered) = os.pipe(), os.pipe()
        if os.fork() == 0:
            while os.read(self._asked, 1):
                burn(0.05)
                os.write(self._answered, b".")
            os._exit(0)
        self._ask, self._answer = ask, answer

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        os.write(self._ask, b"?")
        os.read(self._answer, 1)
        return replace(result, phases={})


class BurnsWhileIdle(Liar):
    """A thread that sleeps while its worker has a job, and burns while others have theirs."""

    def __init__(self) -> None:
        super().__init__()
        self._is_asked = False
        Thread(target=self._burn, daemon=True).start()

    def _burn(self) -> None:
        while True:
            sleep(0.02)
            while not self._is_asked:
                burn(0.01)

    def answer(self, problem: Problem, ask: Ask, limits: Limits) -> Result:
        """The honest answer, slowly."""
        self._is_asked = True
        sleep(0.05)
        result = super().answer(problem, ask, limits)
        self._is_asked = False
        return result
