"""Capabilities of effects that act at events, watch values of their own, or take samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..answers import missing
from .state import HasSwitches

if TYPE_CHECKING:
    from ..event_table import Condition, EventTable, TableEvent
    from ..here import Here
    from ..mechanism import Mechanism
    from ..state import Discrete


class Fired(NamedTuple):
    """The events of one instant.

    `events`: all events of the table. `newly`: which of them occur now (*cases) each. `due`: for each part,
    the reached times by item. `watched`: for each part, which values have risen through zero (`watches`,
    *cases). `samples`: for each part, the values of its sample (`sample_size`, *cases)."""

    events: Sequence[TableEvent]
    newly: Sequence[Any]
    due: Mapping[str, Mapping[int, Any]]
    watched: Mapping[str, Any]
    samples: Mapping[str, Any]


class HasEvents(HasSwitches):
    """A part that adds events, or acts at events of the scenario."""

    def actions(self, name: str, declared: Any, number: int) -> Any:
        """Return what the part does at the event `name`, or None for nothing.

        declared, number: the phase or event of the scenario and its index; None and -1 for other events."""
        return None

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the events of the device `declared` to the table, if it belongs to this part.

        names: indices of all events by name. address: location of the device in the scenario."""

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of the events that `events` adds, in order, so that other events may wait for them.

        The declarations list them as `Effect.makes`."""
        return ()

    def events(self, table: EventTable) -> None:
        """Add its other events to the table, after those of all devices, and conditions without events."""

    def value(self, condition: Condition, here: Here) -> Any:
        """Return the value of a condition of its own (*cases), which rises through zero when it is met."""
        raise missing(self, "value")

    def ready(self, actions: Any, discrete: Discrete) -> Any:
        """Return whether an event with these actions can occur now (*cases), or None for always."""
        return None


class Watches(HasSwitches):
    """A part that watches many values at once, for example the distances of contact points."""

    watches: int = 0
    """Number of these values."""

    def watched_values(self, here: Here) -> Any:
        """Return the values (`watches`, *cases), which rise through zero when its switches change."""
        raise missing(self, "watched_values")

    def watched_armed(self, discrete: Discrete) -> Any:
        """Return which of these values count at present (`watches`, *cases)."""
        raise missing(self, "watched_armed")

    def longest_step(
        self, mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, value: Any, discrete: Discrete
    ):
        """Return the longest step [s] (*cases) that passes none of its events unseen, or None for any.

        ordinary: converts stepped states like x, with the rates `slope`, to states of the mechanism. value:
        the watched values (`watches`, *cases)."""
        return


class Sampled(HasSwitches):
    """A part that takes samples at times of its own, for example a digital controller."""

    def sampler_path(self, item: int) -> str:
        """Return the path of the sampler of a condition of the kind "due", for example "controls.hold"."""
        return self.name

    def next_sample_time(self, item: int, discrete: Discrete) -> Any:
        """Return the next time of a condition of its own [s] (*cases); inf for never.

        The sample follows all other events of its instant, so `sample` reads the state after them."""
        raise missing(self, "next_sample_time")

    @property
    def sample_size(self) -> int:
        """Number of values that a sample reads."""
        return 0

    def sample(self, here: Here) -> Any:
        """Return the values that a sample reads (`sample_size`, *cases)."""
        raise missing(self, "sample")

    def apply_samples(self, mechanism: Mechanism, t: Any, discrete: Discrete, fired: Fired) -> Discrete:
        """Return the switches after samples, from the values in `fired.samples`."""
        return discrete
