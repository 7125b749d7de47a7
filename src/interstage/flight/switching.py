"""From bodies that fly as one point to rigid ones and back, at the end of a leg: attitudes and rates that
guidance gives, and what of the motion is dropped or added."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.layout import FREE, Layout
from ..engine.minimal_coordinates import flow_of
from ..engine.point import joined
from ..maths import rotations
from ..maths.arrays import jnp, jvp
from ..maths.vectors import cross, norm, rotate
from .program import Program

SAID = 1e-9
"""Part of the angular momentum, or of the energy of rotation, below which a change is rounding."""


def turning(program: Program, scenario: Any, reference: Any, t: Any, x: Any, discrete: Any) -> Any:
    """The state of bodies that have flown as a point, with the angular velocities at which guidance turned
    them: the rate of the attitude that it asked for along the flight, by dual numbers."""
    mechanism = program.mechanism(scenario, 0, reference)
    flow = flow_of(mechanism, program.table, 0.0)
    own = flow.own(t, x, discrete)
    slope = flow.derivative(t, own, discrete)
    one = np.ones_like(np.asarray(t, float))
    # Bodies stand still to each other: one rate is that of all.
    _, rate = jvp(lambda t, own: mechanism.split(flow.ordinary(t, own, discrete))[2], (t, own), (one, slope))
    r, _, q, _, origin, origin_velocity = mechanism.split(x)
    spin_body = 2 * rotations.multiply(rotations.conjugate(q), rate)[1:]
    spin = rotate(rotations.matrix_of(q), spin_body)
    point, velocity = mechanism.split(own)[0][:, :1], mechanism.split(own)[1][:, :1]
    v = velocity + cross(spin, r - point)
    return mechanism.pack(r, v, q, spin_body, origin, origin_velocity, mechanism.behind(x))


def stands_apart(layout: Layout, mode: Any) -> tuple[str, ...]:
    """Joints between bodies of a leg as a point that do not hold as it begins. mode (joint): of its own
    joints."""
    pairs = zip(layout.scenario.joints, np.asarray(mode), strict=True)
    return tuple(joint.name for joint, now in pairs if now == FREE)


def as_point(program: Program, scenario: Any, reference: Any, x: Any, discrete: Any) -> Any:
    """What is settled, with how the bodies of a leg as a point stand to each other as it begins."""
    return reference._replace(joined=joined(program.mechanism(scenario, 0, reference), x, discrete))


def rotation(program: Program, scenario: Any, reference: Any, x: Any, discrete: Any) -> tuple[float, float]:
    """Angular momentum [N m s] about the common mass centre, and energy [J] of the motion relative to it."""
    mechanism = program.mechanism(scenario, 0, reference).at(x, discrete)
    numbers, (r, v, q, w, *_) = mechanism.numbers, mechanism.split(x)
    share = numbers.mass / jnp.sum(numbers.mass, 0)
    arm, drift = r - jnp.sum(share * r, 1)[:, None], v - jnp.sum(share * v, 1)[:, None]
    own = rotate(numbers.inertia, w)
    momentum = jnp.sum(numbers.mass * cross(arm, drift) + rotate(rotations.matrix_of(q), own), 1)
    energy = jnp.sum(numbers.mass * jnp.sum(drift**2, 0) + jnp.sum(w * own, 0)) / 2
    return float(norm(momentum)), float(energy)


def told(leg: str, kind: str, before: tuple[float, float], after: tuple[float, float]) -> str:
    """What a switch of coordinates drops or adds, in a sentence; empty where that is nothing."""
    size = max(before[0], after[0]), max(before[1], after[1])
    if all(abs(b - a) <= SAID * s for b, a, s in zip(before, after, size, strict=True)):
        return ""
    change = f"angular momentum {before[0]:.4g} -> {after[0]:.4g} N m s"
    energy = f"energy about the mass centre {before[1]:.4g} -> {after[1]:.4g} J"
    return f"leg '{leg}' begins {kind}: {change}, {energy}"
