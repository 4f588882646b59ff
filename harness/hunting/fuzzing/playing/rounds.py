"""One round of a hunt: a problem is drawn, a solver is configured and asked, and judged.

This runs in the process of the solver. The parent learns from a board, which outlives a crash,
which question of which round is being asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter

from backends.conformance.oracle import Oracle, make_oracle, narrow
from backends.interface import registry
from backends.interface.api import Backend, Limits, Refused, Result
from harness.hunting.findings import Answer
from harness.hunting.fuzzing import guidance, novelty
from harness.hunting.fuzzing.causes import find_cause, name_folder, reduce
from harness.hunting.fuzzing.coverage import find_placed, list_cells
from harness.hunting.fuzzing.drawing.configurations import draw_name, list_items
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.drawing.mutations import give, mutate
from harness.hunting.fuzzing.drawing.problems import Drawn, is_small
from harness.hunting.fuzzing.drawing.questions import (
    EVERY,
    MANY,
    OPTIMUM,
    draw_one_question,
    draw_questions,
    limit_name,
    loosen,
)
from harness.hunting.fuzzing.playing.contradictions import Contradiction, draw_related
from harness.hunting.fuzzing.playing.lane import Lane, Said
from harness.hunting.judging.answers import (
    STOPPED,
    Wrong,
    describe_claim,
    describe_error,
    describe_loss,
    find_wrong,
    is_same,
    make_finding,
    make_row,
)
from harness.hunting.judging.asked import UNLIMITED, Asked
from harness.hunting.judging.relations import find_broken_relation, find_worse
from harness.job import Question
from harness.judge.claims import find_claim
from modelling.errors import BackendUnavailable, ModelError, UnknownBackend, Unsupported
from modelling.problem import Structure
from modelling.text import from_text, to_text

MUTATED = 0.15
"""The share of rounds with a candidate that is made of problems in the corpus."""

SETTLED = 5
"""Rounds of a guided hunt with the same settings: a solver that is set anew costs time."""

DRAWS = 3
"""Draws of questions for each that is asked beyond the first: one that was asked is drawn again."""

RELATED, RELATED_LARGE = 0.15, 0.6
"""How often a guided hunt asks related problems: they add little where brute force judges."""

MOST_FOLDERS = 3
"""Findings of one cause that get a folder; the others are counted."""

Again = Callable[[Asked], tuple[Wrong, Answer] | None]
"""What is wrong with the answer to a question, if anything is."""

Note = Callable[[int, int, int], None]
"""Is given the round, the question that is asked next, and how many comparisons were made."""


@dataclass
class Player:
    """Plays the rounds of a lane, one after the other.

    ``lost`` has questions at which the process ended before, as ``round/question``, with how that
    was: they are not asked again, and are findings. Without ``is_guided`` every problem is drawn.
    With it at most ``questions`` are asked about a problem that brute force judges.
    """

    seed: int
    lane: Lane
    folder: Path
    note: Note
    lost: dict[str, Answer] = field(default_factory=dict)
    is_guided: bool = True
    instances: tuple[str, ...] = ()
    questions: int = 1
    said: list[Said] = field(default_factory=list)

    @cached_property
    def draws(self) -> Draws:
        """What is drawn for all lanes alike."""
        return Draws(self.seed, self.instances)

    def play(self) -> None:
        """The next round."""
        lane, started = self.lane, perf_counter()
        lane.rounds += 1
        self._asked = 0
        rng = random.Random(f"hunt/{self.seed}/{lane.backend}/{lane.rounds}")
        name, backend = self._configure(self._stream_of_settings(rng))
        drawn = self._draw(rng, list_items(name, lane.backend))
        if self.accepts(backend, Asked(drawn.problem, drawn.origin, name, EVERY)):
            _Round(self, rng, drawn, name, backend).run()
        lane.seconds += perf_counter() - started

    def next_question(self) -> str:
        """The question that is asked next, as ``round/question``."""
        self._asked += 1
        self.lane.questions += 1
        self.note(self.lane.rounds, self._asked, self.lane.comparisons)
        return f"{self.lane.rounds}/{self._asked}"

    def _draw(self, rng: random.Random, items: list[str]) -> Drawn:
        lane = self.lane
        if not self.is_guided:
            lane.fresh += 1
            return self.draws.draw(lane.fresh)
        candidates = list(guidance.draw_candidates(rng, self.draws, lane.fresh))
        is_shared = bool(candidates[0].key)
        if not is_shared and lane.corpus and rng.random() < MUTATED:
            one, other = (from_text(novelty.choose(rng, lane.corpus).text) for _ in range(2))
            candidates.append(Drawn(mutate(rng, one, other), "mutated"))
        drawn, slots = guidance.choose_drawn(candidates, items, lane.features)
        guidance.count_features(slots, lane.features)
        if is_shared:
            lane.fresh = guidance.find_next_shared(self.draws, lane.fresh)
        return drawn

    def accepts(self, backend: Backend, asked: Asked) -> bool:
        """Whether the backend takes the problem; what it raises there is a finding."""
        try:
            verdict = backend.accepts(asked.problem)
        except Exception as error:
            self.report(asked, *describe_error(error), backend)
            return False
        self.lane.refused += isinstance(verdict, Refused)
        return not isinstance(verdict, Refused)

    def _stream_of_settings(self, rng: random.Random) -> random.Random:
        """The stream from which the round draws its settings; a guided hunt begins the same one
        again for some rounds."""
        if not self.is_guided:
            return rng
        lane = self.lane
        return random.Random(f"settings/{self.seed}/{lane.backend}/{lane.rounds // SETTLED}")

    def _configure(self, rng: random.Random) -> tuple[str, Backend]:
        """A configured backend; as the user named it where what was drawn does not go together."""
        name = draw_name(rng, self.lane.backend)
        try:
            return name, get_backend(name)
        except (UnknownBackend, BackendUnavailable, Unsupported):
            return self.lane.backend, get_backend(self.lane.backend)

    def report(
        self,
        asked: Asked,
        wrong: Wrong,
        claimed: Answer,
        backend: Backend,
        ask: Again | None = None,
    ) -> None:
        """Keep a finding, after what is not needed for it was taken away; ``ask`` asks again."""
        smaller = asked
        if wrong.authority in ("oracle", "check"):
            ask = ask_again
        if ask is not None and claimed.outcome in ("finished", "error"):
            smaller, wrong, claimed = self._reduce(asked, wrong, claimed, ask)
        cause = str(find_cause(smaller, wrong, self.lane.backend))
        self.lane.wrong[cause] = number = self.lane.wrong.get(cause, 0) + 1
        if number <= MOST_FOLDERS:
            version = str(getattr(backend, "version", ""))
            folder = self.folder / name_folder(cause) / str(number)
            with suppress(ModelError):  # a problem without a text is counted alone
                make_finding(smaller, wrong, claimed, version).write(folder)

    def _reduce(
        self, asked: Asked, wrong: Wrong, claimed: Answer, ask: Again
    ) -> tuple[Asked, Wrong, Answer]:
        last = wrong, claimed

        def is_faulty(smaller: Asked) -> bool:
            nonlocal last
            found = ask(smaller)
            if found is None or not is_same(found[0], wrong):
                return False
            last = found
            return True

        self.note(self.lane.rounds, self._asked, self.lane.comparisons)
        reduced = reduce(asked, self.lane.backend, is_faulty)
        return reduced, *last


@lru_cache(maxsize=32)
def get_backend(name: str) -> Backend:
    """The backend of a name; the last ones are kept."""
    return registry.get(name)


@lru_cache(maxsize=256)
def is_usable(name: str) -> bool:
    """Whether a backend answers a problem of one variable without raising."""
    problem = Structure(("x",), ((0, 1),), ()).problem()
    try:
        get_backend(name).solve(problem, EVERY.ask(), UNLIMITED)
    except Exception:
        return False
    return True


def ask_again(asked: Asked) -> tuple[Wrong, Answer] | None:
    """What is wrong with the answer to a question, if anything is; asked within this process."""
    try:
        backend = get_backend(asked.backend)
        if isinstance(backend.accepts(asked.problem), Refused):
            return None
        oracle = make_oracle(asked.problem) if is_small(asked.problem) else None
    except Exception:  # another fault than the one that is sought
        return None
    try:
        result = backend.solve(asked.problem, asked.question.ask(), asked.limits)
    except (Unsupported, MemoryError):
        return None
    except Exception as error:
        return describe_error(error)
    wrong = find_wrong(asked, oracle, result, backend)
    return None if wrong is None else (wrong, describe_claim(result, wrong.note))


@dataclass
class _Round:
    """The questions about one problem."""

    player: Player
    rng: random.Random
    drawn: Drawn
    name: str
    backend: Backend

    def run(self) -> None:
        """Ask, judge, and note what was new."""
        problem, rng = self.drawn.problem, self.rng
        self.placed = find_placed(problem.structure)
        self.items = list_items(self.name, self.player.lane.backend)
        self.gain = 0
        oracle = make_oracle(problem) if is_small(problem) else None
        has_objective = problem.structure.objective is not None
        optimises = bool(getattr(self.backend, "optimises", True))
        first: tuple[Asked, Result] | None = None
        is_brief = self.player.is_guided and oracle is not None
        if is_brief:
            questions = iter([draw_one_question(rng, has_objective, optimises)])
        else:
            questions = draw_questions(rng, has_objective, optimises, oracle is not None)
        for question, limits in questions:
            asked = Asked(problem, self.drawn.origin, self.name, question, limits)
            result = self._ask(asked, oracle)
            if result is not None and asked.is_limited:
                self._ask_longer(asked, result)
            elif result is not None and first is None:
                first = asked, result
        if is_brief and oracle is not None:
            self._ask_more(asked, oracle)
        share = RELATED if is_brief else RELATED_LARGE
        if first is not None and rng.random() < share:
            self._ask_related(*first, oracle)
        if self.gain and problem.structure.size:
            self._keep()

    def _ask(self, asked: Asked, oracle: Oracle | None) -> Result | None:
        """The answer, judged; None where there is none, or a wrong one."""
        lane, place = self.player.lane, self.player.next_question()
        ask_name = _name_ask(asked)
        for cell in list_cells(self.placed, self.items, ask_name):
            lane.cells[cell] = lane.cells.get(cell, 0) + 1
        lost = self.player.lost.get(place)
        if lost is not None:
            self._report(asked, *describe_loss(lost))
            return None
        try:
            result = self.backend.solve(asked.problem, asked.question.ask(), asked.limits)
        except Unsupported:
            lane.refused += 1
            return None
        except MemoryError:
            lane.unanswered += 1
            return None
        except Exception as error:  # whatever a backend raises here is a fault of its own
            if self.name == lane.backend or is_usable(self.name):
                self._report(asked, *describe_error(error))
            else:  # the settings that were drawn do not go together
                lane.refused += 1
            return None
        lane.comparisons += 1
        is_timed = limit_name(asked.limits) == "time"  # which differs from call to call
        lane.unanswered += not is_timed and result.stopped_by in STOPPED
        try:
            wrong = find_wrong(asked, oracle, result, self.backend)
        except Exception as error:  # an answer whose form nobody has thought of
            wrong = Wrong("wrong count", Answer(), "check", f"cannot be judged: {error}"[:2000])
            self._report(asked, wrong, Answer(note=wrong.note))
            return None
        if wrong is not None:
            self._report(asked, wrong, describe_claim(result, wrong.note))
            return None
        if not is_timed:
            self._learn(ask_name, result)
        if oracle is None and self.drawn.key and asked.problem is self.drawn.problem:
            self.player.said.append(_make_claim(self.drawn.key, asked, result))
        return result

    def _report(self, asked: Asked, wrong: Wrong, claimed: Answer) -> None:
        self.player.report(asked, wrong, claimed, self.backend)

    def _learn(self, ask_name: str, result: Result) -> None:
        seen = self.player.lane.seen
        given = self.placed, ask_name, self.items or [""], result
        for trait in novelty.find_traits(*given, keeps_state=registry.keeps_state(self.name)):
            if trait not in seen:
                seen.add(trait)
                self.gain += 1

    def _ask_more(self, asked: Asked, oracle: Oracle) -> None:
        """Different further questions; every second one with values given to some variables."""
        problem, rng, most = asked.problem, self.rng, self.player.questions
        has_objective = problem.structure.objective is not None
        optimises = bool(getattr(self.backend, "optimises", True))
        seen = {_tell_apart(asked)}
        for place in range(DRAWS * (most - 1)):
            posed = give(rng, problem) if place % 2 else problem
            drawn = draw_one_question(rng, has_objective, optimises)
            more = Asked(posed, asked.origin, asked.backend, *drawn)
            if len(seen) >= most or _tell_apart(more) in seen:
                continue
            seen.add(_tell_apart(more))
            if posed is problem:
                self._ask(more, oracle)
            elif self.player.accepts(self.backend, more):
                self._ask(more, narrow(oracle, posed))

    def _ask_longer(self, asked: Asked, result: Result) -> None:
        """The same question within wider limits."""
        limits = asked.limits
        if limits.nodes is None and limits.conflicts is None:
            return  # how much is done within a time differs from call to call
        longer = replace(asked, limits=loosen(limits))
        answer = self._ask(longer, None)
        wrong = None if answer is None else find_worse(result, answer, asked)
        if wrong is not None and answer is not None:
            self._report(longer, wrong, describe_claim(answer, wrong.note))

    def _ask_related(self, asked: Asked, result: Result, oracle: Oracle | None) -> None:
        """Problems whose answers follow from those to this one."""
        state = self.rng.getstate()
        related = draw_related(self.rng, self.drawn.problem, result)
        if related is None:
            return
        optimum = self.drawn.problem.structure.objective is not None and self.rng.random() < 0.5
        optimum = optimum and bool(getattr(self.backend, "optimises", True)) and not related.lost
        question = OPTIMUM if optimum else EVERY if oracle is not None else Question(MANY + 1, None)
        answers = []
        for problem in related.problems:
            if isinstance(self.backend.accepts(problem), Refused):
                self.player.lane.refused += 1
                return
            small = is_small(problem) and oracle is not None
            posed = Asked(problem, f"{asked.origin}, {related.name}", self.name, question)
            answer = self._ask(posed, make_oracle(problem) if small else None)
            if answer is None:
                return
            answers.append(answer)
        if oracle is not None:
            return  # each answer was compared with the oracle, to which a relation adds nothing
        if optimum:
            posed = replace(asked, question=OPTIMUM)
            again = self._ask(posed, None)
            if again is None:
                return
            result, asked = again, posed
        self.player.lane.comparisons += 1
        wrong = find_broken_relation(asked, result, related, answers)
        if wrong is not None:
            repeat = Contradiction(related.name, state, self.backend).ask
            claimed = describe_claim(result, wrong.note)
            self.player.report(asked, wrong, claimed, self.backend, repeat)

    def _keep(self) -> None:
        try:
            text = to_text(self.drawn.problem)
        except ModelError:
            return
        novelty.keep(self.player.lane.corpus, text, self.gain)


def _tell_apart(asked: Asked) -> tuple[Question, Limits, tuple[int, ...]]:
    """What makes a question about the same structure another one; a seed alone does not."""
    return asked.question, replace(asked.limits, seed=None), asked.problem.masks


def _name_ask(asked: Asked) -> str:
    """The question in words, with the limit that is tight, and whether variables are given."""
    problem = asked.problem
    given = "given" if problem.masks != problem.structure.full_masks else ""
    return " ".join(filter(None, (asked.question.text, limit_name(asked.limits), given)))


def _make_claim(key: str, asked: Asked, result: Result) -> Said:
    """What an answer claims about the problem, to be compared with what others claim."""
    claim = find_claim(make_row(asked, result), len(set(result.solutions)))
    return Said(key, asked.backend, asked.question, claim)
