"""Whether a backend answers an instance faster when it has been asked about it before.

Each repeat of a job runs in a worker that has not seen its instance, so the times of the repeats
should be alike. Where they are not, an answer was kept somewhere, on disk say, and the median over
the repeats would be the time of looking it up: then only the first time counts.

Words
-----
first sight  the first time that a backend is asked about an instance, in the order of execution
gain         what later sights take over the first: the geometric mean over the instances of the
             ratio of the median of the later times to the first one. 1 is no gain, 0.1 ten times
             faster
shared gain  what all backends gain alike, since the machine was slow at first, say: that of the
             other backend that gains least, and never more than 1. One that keeps answers cannot
             excuse another

Honest backends show little gain. The first job of each worker is slower than the others, but in
each round that falls upon another instance; what is compiled and kept on disk at the first start of
all is paid for in warm-ups or while the backend is loaded. So two things must come together: a gain
beyond ``MOST_GAIN`` of the shared one, and that the first sight is the longest of all more often
than chance would have it. If times are alike, the first of k is the longest on one instance of k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from harness.statistics import RESOLUTION, binomial_tail, geometric_mean

MOST_GAIN = 0.7
"""Later sights that take a smaller part of the first one are suspicious."""

CHANCE = 0.05
"""And if the first sight is the longest so often that alike times would not be as often as this."""

Times = Mapping[str, Sequence[Sequence[float]]]
"""For each backend and instance the seconds of its repeats, in their order."""


@dataclass(frozen=True)
class Gain:
    """What a backend gains by later sights.

    ``longest`` of ``instances`` took longest at first sight; ``chance`` is the probability of so
    many if times are alike, ``shared`` what all gain.
    """

    ratio: float
    shared: float
    instances: int
    longest: int
    chance: float

    @property
    def is_systematic(self) -> bool:
        """Whether only first sights should count."""
        return self.ratio < MOST_GAIN * self.shared and self.chance <= CHANCE


def gains(times: Times) -> dict[str, Gain]:
    """The gain of each backend that was asked about an instance more than once."""
    repeated = {
        name: [seconds for seconds in instances if len(seconds) > 1]
        for name, instances in times.items()
    }
    ratios = {name: _ratio(instances) for name, instances in repeated.items() if instances}
    found = {}
    for name, ratio in ratios.items():
        others = [other for one, other in ratios.items() if one != name]
        shared = min(1.0, max(others, default=1.0))
        instances = repeated[name]
        longest = sum(seconds[0] > max(seconds[1:]) for seconds in instances)
        # Where some have fewer repeats than others, as if all had as few.
        chance = binomial_tail(longest, len(instances), 1 / min(map(len, instances)))
        found[name] = Gain(ratio, shared, len(instances), longest, chance)
    return found


def _ratio(instances: Sequence[Sequence[float]]) -> float:
    return geometric_mean(
        [
            max(median(seconds[1:]), RESOLUTION) / max(seconds[0], RESOLUTION)
            for seconds in instances
        ]
    )
