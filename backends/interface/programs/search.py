"""The search of a program: it is started on a text, its lines are read, and it is ended.

Several solutions are found by starting it again on a text that leaves out those that were shown, or
by one start with an option that shows them all.
"""

from __future__ import annotations

from collections.abc import Callable

from backends.interface.api import StoppedBy
from backends.interface.programs.formulas import Formula
from backends.interface.programs.program import Program
from backends.interface.programs.run import Run
from backends.interface.programs.starting import Folder, make_folder
from backends.interface.programs.texts import ExcludingText, Text
from backends.interface.session import Call, Session, SessionReport, Take
from modelling.problem import Assignment, Objective, Problem
from modelling.terms import bounds


class ProgramSearch(Session):
    """One search; see the head of this file. ``write`` is that of what is kept, if it is."""

    run_class = Run

    def __init__(
        self,
        program: Program,
        call: Call,
        write: Callable[[Problem, bool], ExcludingText] | None = None,
    ) -> None:
        self.program = program
        self.call = call
        self.write = program.dialect.write if write is None else write
        self.native = ""
        self.numbers: dict[str, int | float] = {}
        self.bound: int | None = None
        self._run: Run | None = None
        self._folder: Folder | None = None

    def each(self, take: Take) -> StoppedBy:
        """A program that shows all solutions is asked once more without those, unless it says
        itself that it was done: some stop early, or show the last one only."""
        question = "all" if self.program.enumerates and self.call.several else "one"
        text = self._write(False)
        structure = self.call.problem.structure
        on = range(structure.size) if self.call.on is None else self.call.on
        before: set[Assignment] = set()
        while True:
            run = self._start(text, question)
            shown: dict[Assignment, Assignment] = {}
            for values in run:
                output = tuple([values[v] for v in on])
                if output in before:
                    run.fail("it shows a solution again that its problem leaves out")
                if not take(values):
                    self._end(run)
                    return "sink"
                shown[output] = values
            self._end(run)
            if run.is_done or not shown:
                return run.stopped_by
            before.update(shown)
            for values in shown.values():
                text.exclude(values, on)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Any solution is the best for a constant: some solvers do not call that an optimum."""
        least, most = bounds(objective.term, self.call.problem.structure.domains)
        if least == most:
            wanted: list[bool] = []

            def take_one(values: Assignment) -> bool:
                wanted.append(take(values))
                return False

            stopped_by = self.each(take_one)
            return "exhausted" if wanted == [True] else stopped_by
        if not self.program.dialect.optimises:
            return self._improve(objective, take)
        return self._ask_once(self._write(True), "optimum", take)

    def _ask_once(
        self, text: Text, question: str, take: Take, limit: int | None = None
    ) -> StoppedBy:
        """Start the program, and give all that it shows to ``take``."""
        run = self._start(text, question, limit)
        is_wanted = all(map(take, run)) and not run.unwanted
        self._end(run)
        return run.stopped_by if is_wanted else "sink"

    def _improve(self, objective: Objective, take: Take) -> StoppedBy:
        """It is asked again for something better until there is nothing (``Solver.improves``)."""
        text = self._write(False)
        assert isinstance(text, Formula)
        while True:
            run = self._start(text, "one")
            shown = list(run)
            self._end(run)
            if not shown:
                return run.stopped_by
            if not take(shown[0]):
                return "sink"
            text.improve(objective, shown[0])

    def _write(self, optimum: bool) -> ExcludingText:
        with self.call.phases("encode"), self.program.refusing():
            return self.write(self.call.problem, optimum)

    def _start(self, text: Text, question: str, limit: int | None = None) -> Run:
        if self._folder is None:
            self._folder = make_folder()
        self._run = self.run_class(
            self.program, self.call, text, question, self._folder.name, limit
        )
        return self._run

    def _end(self, run: Run) -> None:
        """End a run and keep what there is to say of it; numbers of several runs add up."""
        run.close()
        self._run = None
        self.native = run.native
        for name, number in run.statistics.items():
            self.numbers[name] = self.numbers.get(name, 0) + number
        self.bound = None if run.stopped_by == "exhausted" else run.bound

    def close(self) -> None:
        if self._run is not None:
            self._run.close()
        if self._folder is not None:
            self._folder.cleanup()

    def report(self) -> SessionReport:
        return SessionReport(self.native, self.numbers, bound=self.bound)
