"""Values of a pair of bodies when its separation devices are spent, as in the table Separation of a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..engine.layout import Layout
from ..maths.connected import Connected
from ..model.effect import effects
from ..quantities.catalogue import catalogue
from ..record.record import Record, pick, resolve
from ..record.requirements import Wanted, value_of
from ..report.summary import separations
from ..runs.responses_of_cases import CaseResponses
from ..tree.names import GROUND
from .asked import DEVICES_SPENT


class PairDevices(NamedTuple):
    """Separation devices between the two sides of a pair of bodies.

    - names: names of the devices that have a state.
    - joints: names of the joints between the two bodies.
    - certain: whether each case has exactly these devices between the two sides. Otherwise the devices depend
      on the order of the releases in each case.
    """

    names: tuple[str, ...]
    joints: tuple[str, ...]
    certain: bool


def pair_devices(scenario: Any, parent: str, child: str) -> PairDevices:
    """Return the separation devices between the two sides of a pair of bodies with a releasing joint."""
    pair, known = {parent, child}, catalogue(scenario)
    reachable = dict(zip((j.name for j in scenario.joints), Layout(scenario).reachable, strict=True))
    stacks, permanent = Connected(), Connected()
    between, attached = [], False
    for joint in scenario.joints:
        ends = {joint.parent, joint.child}
        attached |= not joint.active and len(reachable[joint.name]) > 1
        if ends == pair:
            between.append(joint.name)
        elif GROUND not in ends:
            stacks.join(*ends)
            if joint.active and 0 not in reachable[joint.name]:
                permanent.join(*ends)
    one_stack = stacks.head(parent) == stacks.head(child)
    devices, certain = [], not (one_stack or attached or any(one.holds for one in effects(scenario)))
    for device in scenario.devices:
        ends = [getattr(device, end, "") for end in ("parent", "child")]
        if f"devices.{device.name}.state" in known and _are_across(stacks, ends, (parent, child), one_stack):
            devices.append(device.name)
            certain &= _are_across(permanent, ends, (parent, child), False)
    return PairDevices(tuple(devices), tuple(between), certain)


def _are_across(stacks: Connected, ends: Sequence[str], pair: tuple[str, str], direct: bool) -> bool:
    """Whether the ends of a device are on the two sides of a pair. direct: only the two bodies count."""
    head = str if direct else stacks.head
    return {head(end) for end in ends} == {head(body) for body in pair}


def value_when_spent(record: Record, response: Any) -> float:
    """Return the value of a response at `DEVICES_SPENT` in one flight.

    The value is that of the end of the flight if a device still pushes there. It is NaN if the pair was not
    released, or if the flight ended early while a device pushes.
    """
    _, one, other, _ = response.quantity.split(".", 3)
    for parent, child, _, row in separations(record):
        if {parent, child} == {one, other}:
            if row is None:
                return value_of(record, Wanted(response.quantity, "end", None, "after", None))
            path, component = resolve(record, response.quantity)
            return float(pick(record.after[path][row : row + 1], component)[0])
    return np.nan


def needed_for(scenario: Any, responses: Sequence[Any]) -> list[Any]:
    """Return the quantities that `value_when_spent` reads from a record, as plain responses."""
    if not any(map(is_when_spent, responses)):
        return []
    paths = [f"joints.{one.name}.active" for one in scenario.joints]
    paths += [f"devices.{one.name}.state" for one in scenario.devices]
    known = catalogue(scenario)
    return [_plain(path, "end") for path in paths if path in known]


class SpentResponses:
    """Responses at `DEVICES_SPENT` in a group of cases, from arrays of the integration steps.

    refused: indices of the cases that were not flown.
    """

    def __init__(self, cases: CaseResponses, scenario: Any, events: Sequence[str], refused: Collection[int]):
        self._cases, self._scenario, self._events = cases, scenario, events
        self._refused = [*refused]

    def parts(self, response: Any) -> list[Any]:
        """Return the plain responses from which a response follows; none if it needs the records."""
        _, parent, child, _ = response.quantity.split(".", 3)
        found = pair_devices(self._scenario, parent, child)
        spent = [f"{name} spent" for name in found.names]
        if not spent or not found.certain or not set(spent) <= set(self._events):
            return []
        states = [f"devices.{name}.state" for name in found.names]
        held = [f"joints.{name}.active" for name in found.joints]
        at_events = [(path, event) for event in spent for path in ("time", response.quantity, *held)]
        at_end = [(path, "end") for path in (response.quantity, *states, *held)]
        return [_plain(path, at) for path, at in (*at_end, *at_events)]

    def values(self, response: Any) -> np.ndarray | None:
        """Return the values of a response (case,); None if it needs the records of the cases."""
        parts = self.parts(response)
        found = self._cases.values(parts)
        if not parts or any(one is None for one in found):
            return None
        columns: dict[tuple[str, str], Any] = {
            (p.quantity, p.at): values for p, values in zip(parts, found, strict=True)
        }
        events = list(dict.fromkeys(p.at for p in parts if p.at != "end"))
        at_end = [p.quantity for p in parts if p.at == "end"]
        held = [path for path in at_end if path.endswith(".active")]
        states = [columns[path, "end"] for path in at_end if path.endswith(".state")]
        time = np.stack([columns["time", event] for event in events])
        occurred = np.isfinite(time)
        at_end_states = np.stack(states)
        # If a flight ended early, only its record shows whether the devices push.
        unknown = np.asarray((~occurred & np.isnan(at_end_states)).any(0))
        unknown[self._refused] = False
        if bool(unknown.any()):
            return None
        unfinished = ~occurred & ~(at_end_states <= 0)
        last = np.where(occurred, time, -np.inf).argmax(0)

        def at_last(path: str) -> np.ndarray:
            return np.choose(last, [columns[path, event] for event in events])

        pushes = unfinished.any(0)
        attached = sum((np.where(pushes, columns[path, "end"], at_last(path)) for path in held), np.zeros(1))
        values = np.where(pushes, columns[response.quantity, "end"], at_last(response.quantity))
        late = ~pushes & ((attached > 0) | ~occurred.any(0))  # the devices were spent before the release
        if bool(late.any()):
            return None
        return np.where(attached > 0, np.nan, values)


def _plain(quantity: str, at: str) -> Any:
    return SimpleNamespace(quantity=quantity, at=at, during=None, side="after", take=None)


def is_when_spent(response: Any) -> bool:
    """Return whether a response is evaluated when the devices of its pair are spent."""
    return response.at == DEVICES_SPENT
