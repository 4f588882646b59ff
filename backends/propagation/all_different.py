"""AllDifferent beyond rivals: too few values for the variables, and hidden values.

``State.remove_fixed_value`` removes a fixed value from the other variables. This propagator looks
at the constraint as a whole:

pigeonhole     fewer values than variables are open in all: a contradiction
tight          exactly as many values as variables: each value must be taken
hidden value   a value that is open for one variable only, where the constraint is tight; that
               variable takes it (a *single* in the Haskell posts). With values to spare a value
               may stay unused, so the rule does not fire.
"""

from __future__ import annotations

from backends.propagation.state import State


class AllDifferentPropagator:
    """One AllDifferent; wakes when any of its domains changes."""

    __slots__ = ("scope",)

    def __init__(self, scope: tuple[int, ...]) -> None:
        self.scope = scope

    def propagate(self, state: State) -> bool:
        domains = state.domains
        once = twice = 0
        for variable in self.scope:
            domain = domains[variable]
            twice |= once & domain
            once |= domain
        spare = once.bit_count() - len(self.scope)
        if spare < 0:
            return False
        hidden = once & ~twice
        if spare or not hidden:
            return True
        for variable in self.scope:
            domain = domains[variable]
            value = domain & hidden
            if value and value != domain:
                if value & (value - 1):  # two values that only this variable can take
                    return False
                state.narrow(variable, value)
        return True
