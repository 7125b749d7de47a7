"""What a flight should have kept, and how well it did: momentum, angular momentum and energy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .record import Record

if TYPE_CHECKING:
    from .scenario import Scenario

GROUND = "ground"


@dataclass(frozen=True)
class Drift:
    """Largest change of what should stay: `change` in `unit` (SI), and relative to the size of its parts."""

    what: str
    change: float
    relative: float
    unit: str
    measured: str


def drifts(record: Record) -> list[Drift]:
    """The drift of each quantity that this scenario conserves and that the record holds."""
    found = []
    scenario = record.scenario
    if keeps_momentum(scenario):
        found += _drift_of_vector(record, "system.momentum", "linear momentum", _momentum_scale(record))
    if keeps_angular_momentum(scenario):
        values = record.series.get("system.angular_momentum")
        scale = _largest(values)
        found += _drift_of_vector(record, "system.angular_momentum", "angular momentum", scale)
    if keeps_energy(scenario):
        found += _drift_of_energy(record)
    return found


def keeps_momentum(scenario: Scenario) -> bool:
    """No force from outside: no gravity, no given or user's force, nothing attached to the ground."""
    return scenario.gravity.kind == "none" and not _outside(scenario, ("force", "user"))


def keeps_angular_momentum(scenario: Scenario) -> bool:
    """No torque from outside about the system's mass centre; uniform gravity makes none."""
    return scenario.gravity.kind in ("none", "uniform") and not _outside(
        scenario, ("force", "torque", "user")
    )


def keeps_energy(scenario: Scenario) -> bool:
    """Nothing feeds or drains energy between events: no given loads, dampers or driven axes."""
    if any(force.kind in ("force", "torque", "user") for force in scenario.forces):
        return False
    dampers = (*scenario.forces, *scenario.devices)
    if any(np.any(np.asarray(getattr(damper, "damping", 0.0)) != 0) for damper in dampers):
        return False
    return all(joint.driven is None for joint in scenario.joints)


def _outside(scenario: Scenario, kinds: tuple[str, ...]) -> bool:
    grounded = any(GROUND in (getattr(item, "parent", ""), item.child) for item in scenario.joints)
    for force in scenario.forces:
        grounded |= getattr(force, "parent", "") == GROUND
        if force.kind in kinds:
            return True
    return grounded


def _largest(values: Any) -> float:
    return float(np.max(np.abs(values), initial=0.0)) if values is not None else 0.0


def _momentum_scale(record: Record) -> float:
    """Largest sum of |m v| over the bodies [kg m/s]."""
    total = np.zeros(len(record.time))
    for path, velocity in record.series.items():
        if path.startswith("bodies.") and path.endswith(".velocity"):
            mass = record.series[path.replace(".velocity", ".mass")]
            total += mass * np.sqrt(np.sum(velocity**2, axis=-1))
    return _largest(total)


def _drift_of_vector(record: Record, path: str, what: str, scale: float) -> list[Drift]:
    values = record.series.get(path)
    if values is None or len(values) == 0:
        return []
    change = float(np.max(np.sqrt(np.sum((values - values[0]) ** 2, axis=-1))))
    return [Drift(what, change, change / scale if scale else 0.0, record.meta[path].unit, "over the flight")]


def _drift_of_energy(record: Record) -> list[Drift]:
    """Energy between events: an event may take some away, such as a spring's that stays behind."""
    values = record.series.get("system.energy")
    if values is None or len(values) == 0:
        return []
    scale = sum(_largest(record.series.get(f"system.{part}_energy")) for part in ("kinetic", "potential"))
    scale = scale or _largest(values)
    change = max(float(np.max(stretch) - np.min(stretch)) for stretch in _stretches(record, "system.energy"))
    return [Drift("energy", change, change / scale if scale else 0.0, "J", "between events")]


def _stretches(record: Record, path: str) -> list[np.ndarray]:
    """The samples between one event and the next, with the values at its two ends."""
    values, times = record.series[path], record.time
    edges = [-np.inf, *(event.time for event in record.events), np.inf]
    found = []
    for row, (start, end) in enumerate(pairwise(edges)):
        inner = values[(times > start) & (times < end)]
        first = record.after[path][row - 1 : row] if row else values[:0]
        last = record.before[path][row : row + 1]
        stretch = np.concatenate([first, inner, last])
        if len(stretch):
            found.append(stretch)
    return found
