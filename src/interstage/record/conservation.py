"""Compute the drift of conserved quantities of a flight: momentum, angular momentum and energy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.effect import ALL, effects
from ..tree.names import GROUND
from .record import Record, between_events

if TYPE_CHECKING:
    from ..model.joint import Joint
    from ..scenario import Scenario


@dataclass(frozen=True)
class Drift:
    """Drift of a conserved quantity.

    - what: name of the quantity.
    - time: times (N,) [s].
    - course: drift at these times (N,) or (N, components), in `unit` (SI).
    - scale: size of the terms that add up to the quantity, in `unit`; 0 if no scale is known.
    - measured: text that states which drift a table shows.
    - absolute: magnitude in `unit` below which the tolerance of the integration is absolute, not relative.
    """

    what: str
    time: np.ndarray
    course: np.ndarray
    scale: float
    unit: str
    measured: str = ""
    absolute: float = 0.0

    @property
    def worst(self) -> float:
        """Return the largest magnitude of the drift, in `unit`."""
        return _largest(self.course)

    @property
    def relative(self) -> float:
        """Return the largest magnitude of the drift divided by `scale`; 0 if `scale` is 0."""
        return self.worst / self.scale if self.scale else 0.0


def drifts(record: Record) -> list[Drift]:
    """Return the drift of each quantity that the scenario conserves, if the record contains the quantity."""
    scenario = record.scenario
    if len(record.time) == 0:
        return []
    wanted = (
        ("system.momentum", keeps_momentum, _drift_of_momentum),
        ("system.angular_momentum", keeps_angular_momentum, _drift_of_angular_momentum),
        ("system.energy", keeps_energy, _drift_of_energy),
    )
    return [drift(record, path) for path, keeps, drift in wanted if path in record.series and keeps(scenario)]


def keeps_momentum(scenario: Scenario) -> bool:
    """Return whether the linear momentum of all bodies is conserved.

    The momentum is conserved without gravity, external loads, joints to the ground, and loss of mass.
    """
    return scenario.gravity.kind == "none" and "momentum" not in _changes_conserved(scenario)


def keeps_angular_momentum(scenario: Scenario) -> bool:
    """Return whether the angular momentum about the system's centre of mass is conserved.

    The angular momentum is conserved if no external torque acts. Uniform gravity applies no torque about the
    centre of mass.
    """
    return scenario.gravity.kind in ("none", "uniform") and "angular_momentum" not in _changes_conserved(
        scenario
    )


def keeps_energy(scenario: Scenario) -> bool:
    """Return whether the total energy is constant between events.

    External loads, dampers, and joint axes with prescribed motion or velocity change the energy. A rolling
    disk and an edge without sideslip do no work, so they conserve the energy.
    """
    if _turning(scenario.gravity) or "energy" in _changes_conserved(scenario):
        return False
    return not any(_moves_axis(motion) for joint in scenario.joints for motion in _motions(joint))


def _changes_conserved(scenario: Scenario) -> set[str]:
    """Changes of conserved quantities by the effects and joints of a scenario and by its mass loss."""
    found = set().union(*(effect.changes for effect in effects(scenario)))
    if any(joint.parent == GROUND for joint in scenario.joints):
        found |= {"momentum", "angular_momentum"}
    if any(actions.drop for actions in (*scenario.phases, *scenario.events)):
        found |= ALL
    return found


def _motions(joint: Joint) -> Iterator[tuple[str, Any]]:
    """The prescribed motions of a joint, each with its field."""
    for field in ("driven", "rates"):
        axes = getattr(joint, field)
        yield from ((field, getattr(axes, axis)) for axis in axes.axes()) if axes is not None else ()


def _moves_axis(motion: tuple[str, Any]) -> bool:
    """Whether a prescribed motion moves an axis: not for a constant position or a velocity of zero."""
    field, law = motion
    if field == "driven":
        return law.kind != "constant"
    return law.kind != "constant" or bool(np.any(np.asarray(law.value) != 0))


def _turning(gravity: Any) -> bool:
    """Whether a gravity field has effects beyond its potential at the centres of mass.

    It may rotate with the planet, or its gradient may apply torques to bodies."""
    turns = gravity.kind == "spherical_harmonics" and getattr(gravity, "order", None) != 0
    return turns or bool(getattr(gravity, "gradient_torque", False))


def _largest(values: Any) -> float:
    return float(np.max(np.abs(values), initial=0.0)) if values is not None else 0.0


def _size(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum(vectors**2, axis=-1))


def _momentum_scale(record: Record) -> float:
    """Largest sum of |m v| over the bodies [kg m/s]."""
    total = np.zeros(len(record.time))
    for path, velocity in record.series.items():
        if path.startswith("bodies.") and path.endswith(".velocity"):
            mass = record.series[path.replace(".velocity", ".mass")]
            total += mass * _size(velocity)
    return _largest(total)


def _angular_momentum_scale(record: Record) -> float:
    """Largest sum of |J w| + m |r| |v| over the bodies, r and v from the system's centre of mass [kg
    m^2/s]."""
    bodies = [(body.name, np.asarray(body.inertia)) for body in record.scenario.bodies]

    def series(name, what):
        return record.series[f"bodies.{name}.{what}"]

    mass = np.sum([series(name, "mass") for name, _ in bodies], axis=0)[:, None]
    means = [
        np.sum([series(name, "mass")[:, None] * series(name, what) for name, _ in bodies], axis=0) / mass
        for what in ("position", "velocity")
    ]
    total = np.zeros(len(record.time))
    for name, inertia in bodies:
        arm, speed = (series(name, what) - mean for what, mean in zip(("position", "velocity"), means))
        spin = series(name, "angular_velocity") @ inertia.T
        total += _size(spin) + series(name, "mass") * _size(arm) * _size(speed)
    return _largest(total)


def _drift_of_momentum(record: Record, path: str) -> Drift:
    values, unit = record.series[path], record.meta[path].unit
    scale = _momentum_scale(record)
    return Drift("linear momentum", record.time, _departure(values), scale, unit, absolute=_sizes(record)[0])


def _drift_of_angular_momentum(record: Record, path: str) -> Drift:
    values, unit = record.series[path], record.meta[path].unit
    scale = max(_largest(values), _angular_momentum_scale(record))
    drift = _departure(values)
    return Drift("angular momentum", record.time, drift, scale, unit, absolute=_sizes(record)[1])


def _departure(values: np.ndarray) -> np.ndarray:
    return _size(values - values[0])


def _drift_of_energy(record: Record, path: str) -> Drift:
    """Energy from each event on: an event may remove energy, for example of a spring that stays behind."""
    parts = [record.series.get(f"system.{part}_energy") for part in ("kinetic", "potential")]
    scale = sum(map(_largest, parts)) or _largest(record.series[path])
    stretches = list(_stretches(record, path))
    times = np.concatenate([times for times, _ in stretches])
    course = np.concatenate([values - values[0] for _, values in stretches])
    unit = record.meta[path].unit
    return Drift("energy", times, course, scale, unit, "between events", _sizes(record)[2])


def _sizes(record: Record) -> tuple[float, float, float]:
    """Momentum [kg m/s], angular momentum [kg m^2/s] and energy [J] at the absolute tolerances of the solver.

    For a stack at rest, smaller values are rounding."""
    solver = record.scenario.solver
    speed, rate = (1.0 if v is None else float(v) for v in (solver.velocity_scale, solver.rate_scale))
    mass = sum(_largest(record.series[f"bodies.{body.name}.mass"]) for body in record.scenario.bodies)
    inertia = sum(_largest(body.inertia) for body in record.scenario.bodies)
    return mass * speed, inertia * rate, (mass * speed**2 + inertia * rate**2) / 2


def _stretches(record: Record, path: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Times [s] and values between one event and the next, including both ends."""
    values, times, keep = record.series[path], record.time, between_events(record)
    at = np.array([-np.inf, *(event.time for event in record.events), np.inf])
    for row, (start, end) in enumerate(pairwise(at)):
        if start == end:
            # Simultaneous events: each has the state before and after all of them.
            continue
        inner = keep & (times > start) & (times < end)
        first, last = slice(max(row - 1, 0), row), slice(row, row + 1)
        before = record.before.get(path, values[:0])[last]
        after = record.after.get(path, values[:0])[first]
        stretch = np.concatenate([after, values[inner], before])
        if len(stretch):
            yield np.concatenate([at[1:-1][first], times[inner], at[1:-1][last]]), stretch
