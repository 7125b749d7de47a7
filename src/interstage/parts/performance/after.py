"""Ideal velocity and velocity losses of bodies, computed from the record after a flight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import law
from .declared import ITEMS, METAS, item_of
from .declared import knows as knows
from .declared import unit_of as unit_of

if TYPE_CHECKING:
    from ...observation.after import Flown
    from ...record.record import Record


def value(batch: Any, path: str, at: str) -> None:
    """Return None, because a batch cannot give these quantities during the run.

    Ideal velocity and losses are computed after the run from the record of each case (`add_to_lanes`).
    """


def add(flown: Flown, bodies: Iterable[int] | None = None) -> None:
    """Add ideal velocity and velocity losses [m/s] to the record of a flight.

    `bodies`: indices of the bodies. Default: bodies with engines, bodies whose ideal velocity or loss is in a
    requirement, and bodies with these quantities in earlier legs.
    """
    scenario, layout = flown.scenario, flown.layout
    if bodies is None:
        named = (item_of(scenario, one.quantity) for one in scenario.requirements)
        bodies = [layout.body(engine.body) for engine in scenario.engines]
        bodies += [item[0] for item in named if item is not None]
        bodies += [
            number
            for number, name in enumerate(layout.bodies)
            if any(f"bodies.{name}.{item}" in flown.record.sums for item in ITEMS)
        ]
    numbers = np.array(sorted(set(bodies)), int)
    if not numbers.size:
        return

    def rates(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
        found = law.rates(mechanism.here(t, x, discrete), numbers)
        return found.reshape(-1, *found.shape[2:])

    found = flown.integral(rates)
    if found is None:
        return
    record = flown.record
    moments = (record.time, np.array([event.time for event in record.events], float))
    samples, events = (found.at(times).reshape(-1, len(ITEMS), len(numbers)) for times in moments)
    for k, body in enumerate(numbers):
        for i, item in enumerate(ITEMS):
            path = f"bodies.{layout.bodies[body]}.{item}"
            if path not in record.series:
                flown.put_sum(path, METAS[item], samples[:, i, k], events[:, i, k])


def add_to_lanes(lanes: Any, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Add ideal velocity and losses to the record of each case of the batch `lanes`, for the bodies of the
    requirements `wanted`.

    A record that is None is skipped.
    """
    items = (item_of(lanes.scenario, each.quantity) for each in wanted)
    bodies = {item[0] for item in items if item is not None}
    for lane, record in enumerate(records):
        if record is not None and bodies:
            add(lanes.flown(lane, record), bodies)
