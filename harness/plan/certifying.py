"""``--certify``: every backend that can give proofs is asked for them.

A backend gives proofs if it has the option ``proof`` with the word ``check``, and takes it together
with its other options. Its name gets that option, so that a run records what was asked.
"""

from __future__ import annotations

from typing import NamedTuple

from backends.interface import registry
from backends.interface.options import split_unquoted
from harness.plan.experiment import Experiment
from modelling.errors import BackendUnavailable, UnknownBackend
from modelling.wording import join_words


class Certified(NamedTuple):
    """The names of the backends that are asked for proofs, and of those that give none."""

    asked: list[str]
    others: list[str]

    @property
    def text(self) -> str:
        """A sentence for each."""
        said = []
        if self.asked:
            said.append(f"Proofs are asked of {join_words(self.asked)}.")
        if self.others:
            said.append(f"No proofs can be asked of {join_words(self.others)}.")
        return " ".join(said)


def certify(experiment: Experiment, seconds: int | None = None) -> Certified:
    """Have each backend of an experiment asked for proofs that can give them.

    ``seconds`` is the limit of the check of each proof; without it that of the backend holds.
    Raises ``UnknownBackend`` for a name that cannot be read.
    """
    found = Certified([], [])
    names = []
    for name in experiment.names():
        asked = ask_for_proofs(name, seconds)
        (found.asked if asked else found.others).append(registry.label(name))
        names.append(asked or name)
    experiment.backends = names
    return found


def ask_for_proofs(name: str, seconds: int | None = None) -> str:
    """The name of a backend with proofs; empty for one that gives none."""
    head, release, text = registry.split(registry.without_label(name))
    choices = {option.name: option.choices for option in registry.options_of(head)}
    if "check" not in choices.get("proof", ()):
        return ""
    given = {item.partition("=")[0].strip() for item in split_unquoted(text, ",")}
    more = [] if given & {"proof", "check"} else ["proof=check"]
    if seconds is not None and "proof_seconds" not in given:
        more.append(f"proof_seconds={seconds}")
    asked = name if not more else f"{name}{',' if text else ':'}{','.join(more)}"
    plain = registry.without_label(asked)
    if registry.spec(plain).options.get("proof") != "check":
        return ""
    if release is None:  # one that is elsewhere is not made here
        try:
            registry.get(plain)
        except UnknownBackend:  # proofs do not go with its other options
            return ""
        except BackendUnavailable:
            pass  # another check says what is missing
    return asked
