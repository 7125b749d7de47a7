"""Checks of devices that push or hold along a line: what fires them, and the gas that drives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.errors import Problem, unknown
from .declared import FiredPusher, GasChamber, Piston, check_expansion

if TYPE_CHECKING:
    from ...scenario import Scenario


def pusher_problems(scenario: Scenario, devices: tuple[str, ...], partial: bool) -> Iterator[Problem]:
    """All that is wrong with pushers whose declarations are valid one by one. devices: names that may be
    referred to. partial: some declarations are left out, so that nothing follows from what is not there."""
    fired = {name for item in (*scenario.phases, *scenario.events) for name in item.fire}
    for device in scenario.devices:
        if isinstance(device, FiredPusher) and device.after is None and device.name not in fired:
            if not partial:
                yield from _delayed(device)
                yield from _awaited(scenario, device)
        elif isinstance(device, FiredPusher):
            yield from _fired_again(scenario, device)
    chambers = {d.name: d for d in scenario.devices if isinstance(d, GasChamber)}
    pistons = [d for d in scenario.devices if isinstance(d, Piston)]
    # What is left out may have been a chamber; what is here, and is none, is no chamber.
    here = {device.name for device in scenario.devices}
    known = [*chambers, *(name for name in devices if name not in here)]
    lost = [p for p in pistons if p.chamber is not None and p.chamber not in known]
    for piston in lost:
        yield from unknown(f"devices.{piston.name}.chamber", str(piston.chamber), known, "gas chamber")
    for name, chamber in chambers.items():
        driven = [p for p in pistons if p.chamber == name]
        if not driven and not partial and not lost:
            text = f'drives nothing; name it in a piston, chamber = "{name}", or remove it'
            yield Problem(f"devices.{name}", text)
        yield from _expansion(chamber, driven)


def _delayed(device: FiredPusher) -> Iterator[Problem]:
    """A delay counts from a firing."""
    if isinstance(device.delay, np.ndarray) and (device.delay > 0).any():
        yield Problem(f"devices.{device.name}.delay", f"counts from the firing, and {UNFIRED}")


def _awaited(scenario: Scenario, device: FiredPusher) -> Iterator[Problem]:
    """What waits for a firing that never comes."""
    for group in ("events", "devices"):
        for item in getattr(scenario, group):
            if getattr(item, "after", None) == device.signals[0]:
                place = f"{group}.{item.name}.after"
                yield Problem(place, f"can never happen: '{device.name}' pushes from the start, {UNFIRED}")


def _fired_again(scenario: Scenario, device: FiredPusher) -> Iterator[Problem]:
    """Phases that fire what its `after` has fired before them, or with them."""
    phases = [phase.name for phase in scenario.phases]
    first = phases.index(device.after) if device.after is not None and device.after in phases else len(phases)
    for phase in scenario.phases[first:]:
        if device.name in phase.fire:
            text = f"'{device.name}' was fired before, by its own after = \"{device.after}\"; keep one of the"
            yield Problem(f"phases.{phase.name}.fire", f"{text} two")


UNFIRED = "nothing fires it; name it in fire of a phase or event, or give it an after"


def _expansion(chamber: GasChamber, driven: list[Piston]) -> Iterator[Problem]:
    """Gas that all its pistons together let expand to the ambient pressure before the ends of their
    strokes."""
    swept: Any = 0.0
    for piston in driven:
        numbers: tuple[Any, ...] = piston.area, piston.stroke, piston.strength
        if not all(isinstance(number, np.ndarray) for number in numbers):
            return
        area, stroke, strength = np.broadcast_arrays(*numbers)
        swept = swept + np.where(strength > 0, area * stroke, 0.0)  # a missing one takes no gas
    if driven and isinstance(chamber.volume, np.ndarray):
        for found in check_expansion(chamber, chamber.volume, swept):
            first = driven[0].name
            yield Problem(f"devices.{first}.stroke", f"{found}, counted with all pistons of its chamber")
