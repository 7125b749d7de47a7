"""Warn of triggers whose quantity is not finite during a flight. A quantity that is not finite cannot cross
its threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..record.record import MAY_BE_INFINITE, Record, pick, resolve
from ..tree.errors import BadInput


def warnings_of(scenario: Any, record: Record) -> list[str]:
    """Return one warning for each trigger whose quantity is not finite while the trigger is watched.

    Triggers of phases are watched in their phases. Triggers of events are watched in the whole flight.
    """
    watched = [(f"phases.{one.name}.until", one.until, one.name) for one in scenario.phases]
    watched += [(f"events.{one.name}.when", one.when, None) for one in scenario.events]
    found = []
    for place, trigger, phase in watched:
        for path in dict.fromkeys(_quantities(trigger)):
            times = _not_finite(record, path, phase)
            if times.size:
                span = (
                    f"from {times[0]:.6g} s to {times[-1]:.6g} s"
                    if times.size > 1
                    else f"at {times[0]:.6g} s"
                )
                why = "The trigger cannot fire at these times. Use a quantity with finite values"
                found.append(f"{place}: {path} is not a finite number {span}. {why}.")
    return found


def _quantities(trigger: Any) -> Iterator[str]:
    if trigger.quantity is not None:
        yield trigger.quantity
    for one in (*(trigger.any or ()), *(trigger.all or ())):
        yield from _quantities(one)


def _not_finite(record: Record, path: str, phase: str | None) -> np.ndarray:
    """Times of the samples [s] at which a quantity is not finite, in a phase or the whole flight."""
    try:
        stem, component = resolve(record, path)
    except BadInput:  # known to the engine alone
        return np.zeros(0)
    if stem not in record.series:
        return np.zeros(0)
    values = pick(record.series[stem], component)
    bad = np.isnan(values) if record.meta[stem].note == MAY_BE_INFINITE else ~np.isfinite(values)
    spans = [(begin, end) for name, begin, end in record.phases if phase in (None, name)]
    inside = np.zeros(len(bad), bool)
    for begin, end in spans:
        inside |= (record.time >= begin) & (record.time <= end)
    return record.time[bad.reshape(len(inside), -1).any(1) & inside]
