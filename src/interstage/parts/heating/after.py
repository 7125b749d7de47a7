"""Compute heat loads after a flight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import law
from .declared import LOAD, METAS, in_flight, number_of
from .declared import knows as knows
from .declared import unit_of as unit_of

if TYPE_CHECKING:
    from ...observation.after import Flown
    from ...record.record import Record


def value(batch: Any, path: str, at: str) -> None:
    """Return None, because heat loads of a batch are computed with the records of its cases."""


def add(flown: Flown, only: set[int] | None = None) -> None:
    """Compute heat loads of a flight, and add them to its record.

    only: indices of the heated points. Default: all points whose heat load is not a state.
    """
    declared = flown.layout.scenario.heating
    known = in_flight(flown.layout.scenario)
    numbers = [k for k in range(len(declared)) if k not in known and (only is None or k in only)]
    if not numbers:
        return

    def rates(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
        return law.fluxes(mechanism.here(t, x, discrete), numbers)

    found = flown.integral(rates)
    if found is None:
        return
    record = flown.record
    samples, events = (
        found.at(times) for times in (record.time, np.array([event.time for event in record.events], float))
    )
    for k, number in enumerate(numbers):
        path = f"heating.{declared[number].name}.{LOAD}"
        flown.put_sum(path, METAS[LOAD], samples[:, k], events[:, k])


def add_to_lanes(lanes: Any, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Compute the requested heat loads of a chunk of cases, and add them to the records of the cases.

    - `lanes`: the chunk, with its recorded states.
    - records: one record for each case; None for a case without record.
    - wanted: requirements and responses that name a heat load.
    """
    numbers = (number_of(lanes.scenario, each.quantity) for each in wanted)
    asked = {number for number in numbers if number is not None}
    for lane, record in enumerate(records):
        if record is not None and asked:
            add(lanes.flown(lane, record), asked)
