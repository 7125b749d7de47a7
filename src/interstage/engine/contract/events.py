"""Capabilities of models that act at events, watch values for zero crossings, or take samples."""

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
    """Events that occur at one time, and values that models read at this time.

    - events: all events of the event table.
    - newly: for each event, whether the event occurs now (*cases).
    - due: for each model and index of an item, whether the sample time of the item is reached (*cases).
    - watched: for each model, which watched values have risen through zero (`watches`, *cases).
    - samples: for each model, the values of its sample (`sample_size`, *cases).
    """

    events: Sequence[TableEvent]
    newly: Sequence[Any]
    due: Mapping[str, Mapping[int, Any]]
    watched: Mapping[str, Any]
    samples: Mapping[str, Any]


class HasEvents(HasSwitches):
    """Base class of a model that adds events, or acts at events of the scenario."""

    def actions(self, name: str, declared: Any, number: int) -> Any:
        """Return the actions of this model at an event, or None for no action. The format is defined by the
        model.

        - name: name of the event.
        - declared: phase or event of the scenario with this name; None for other events.
        - number: index of `declared` in its group; -1 for other events."""
        return None

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the events of one device to the event table, if the device belongs to this model.

        - names: index of each event by its name.
        - address: location of the device in the scenario.
        - declared: the device."""

    @property
    def makes(self) -> tuple[str, ...]:
        """Return the names of the events that `events` adds, in order. Events can refer to these names.

        The declaration of the model must list the same names in `Effect.makes`. Default: no names.
        """
        return ()

    def events(self, table: EventTable) -> None:
        """Add the events of this model that do not belong to a device, and conditions without events, to the
        event table.

        The engine calls this method after `events_of` has been called for all devices."""

    def value(self, condition: Condition, here: Here) -> Any:
        """Return the value (*cases) of a condition added by this model. The condition is met when the value
        rises through 0."""
        raise missing(self, "value")

    def ready(self, actions: Any, discrete: Discrete) -> Any:
        """Return whether an event with these actions can occur now (*cases). Default: None; the event can
        always occur.

        - actions: result of the method `actions` for the event.
        - discrete: switches of all models.
        """
        return None


class Watches(HasSwitches):
    """Base class of a model with an array of values that are watched for zero crossings.

    Example: distances of contact points. A rise of a value through zero changes the switches of the model."""

    watches: int = 0
    """Number of watched values. Default: 0."""

    def watched_values(self, here: Here) -> Any:
        """Return the watched values (`watches`, *cases). The switches of the model change when a value rises
        through zero."""
        raise missing(self, "watched_values")

    def watched_armed(self, discrete: Discrete) -> Any:
        """Return which watched values can change the switches in the present state (`watches`, *cases),
        bool."""
        raise missing(self, "watched_armed")

    def longest_step(
        self, mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, value: Any, discrete: Discrete
    ):
        """Return the longest step [s] (*cases) in which no zero crossing can be missed. Default: None (no
        limit).

        - ordinary: function that converts a stepped state and its rates to a state of the mechanism.
        - x, slope: stepped state and its rates at the start of the step.
        - value: watched values at the start of the step (`watches`, *cases)."""
        return


class Sampled(HasSwitches):
    """Base class of a model that takes samples at given times, for example a digital controller."""

    def sampler_path(self, item: int) -> str:
        """Return the scenario path of the sampled item, for example "controls.hold". Default: the model
        name."""
        return self.name

    def next_sample_time(self, item: int, discrete: Discrete) -> Any:
        """Return the time [s] of the next sample of an item (*cases); infinity if no sample follows.

        item: index of the item. At a sample time, all other events occur first, so `sample` reads the state
        after these events."""
        raise missing(self, "next_sample_time")

    @property
    def sample_size(self) -> int:
        """Return the number of values that one sample reads. Default: 0."""
        return 0

    def sample(self, here: Here) -> Any:
        """Return the values that a sample reads from the present state (`sample_size`, *cases)."""
        raise missing(self, "sample")

    def apply_samples(self, mechanism: Mechanism, t: Any, discrete: Discrete, fired: Fired) -> Discrete:
        """Return the switches after the samples at a time t [s].

        The values of the samples are in `fired.samples`. Default: the switches `discrete` do not change.
        """
        return discrete
