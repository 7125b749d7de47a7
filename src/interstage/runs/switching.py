"""Change between point-mass and rigid-body coordinates at the end of a mission leg.

Attitudes and angular velocities then follow from guidance. Motion that is lost or added by the change is
reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from types import MappingProxyType
from typing import Any

import numpy as np

from ..engine.contract import HasState, MovingMass
from ..engine.layout import FREE, Layout
from ..engine.mechanism import Mechanism
from ..engine.minimal_coordinates import flow_of
from ..engine.point import relative_poses
from ..engine.point_coordinates import split_state
from ..engine.switches import upright
from ..maths import rotations
from ..maths.arrays import jnp, jvp
from ..maths.vectors import cross, norm, rotate
from ..programs.program import Program
from ..starts.run_start import RunStart
from .hand_over import Side, hand_over

NONE: Mapping[str, Any] = MappingProxyType({})
SAID = 1e-9
"""Relative change of angular momentum or rotational energy up to which it counts as a rounding error."""


def start_after(
    leg_from: Side, leg_to: Side, t: Any, x: Any, discrete: Any, sums: Mapping[str, Any] = NONE
) -> RunStart:
    """Return the initial state of a leg, also if its coordinates differ from the preceding leg.

    sums: values of time integrals that were computed after the preceding leg, by path (*cases). A leg that
    has such an integral in its state continues from this value. Other arguments: see `hand_over`. The
    function has no side effects.
    """
    if leg_from.layout.point:
        x = turning(leg_from, t, x, discrete)
    found = hand_over(leg_from, leg_to, t, x, discrete)
    if loose(leg_from.mechanism, leg_to.mechanism):
        found = found._replace(x=_at_centres(leg_from.mechanism, leg_to.mechanism, t, x, discrete, found))
    x = _going_on(leg_from.mechanism, leg_to.mechanism, found.x, sums)
    if not leg_to.layout.point:
        return found._replace(x=x)
    to = copy(leg_to.mechanism)
    to.settled = found.reference
    stand = relative_poses(to, x, found.discrete)
    return found._replace(x=x, reference=found.reference._replace(joined=stand))


def loose(old: Mechanism, to: Mechanism) -> tuple[str, ...]:
    """Return the names of models with moving masses that only one of two consecutive legs contains.

    old, to: equations of motion of the preceding leg and of the next leg.
    """
    return tuple(
        name
        for one, other in ((old, to), (to, old))
        for part in one.layout.having(MovingMass)
        if (name := part.name) not in other.parts
    )


def _at_centres(old: Mechanism, to: Mechanism, t: Any, x: Any, discrete: Any, found: RunStart) -> Any:
    """The state of a leg in which masses are part of the bodies that moved relative to them in the leg
    before, or the other way round. Structures stay where they are and keep their rates. Centres of mass are
    where they are without these masses or with them. If all bodies go on, the momentum of all is
    conserved."""
    names = [old.layout.bodies.index(name) for name in to.layout.bodies]
    was, new = old.here(t, x, discrete), to.here(t, found.x, found.discrete)
    r, v, q, w, origin, speed = to.split(found.x)
    turn, centres = rotations.matrix_of(q), (was.numbers.centre, new.numbers.centre)
    moved = rotate(
        turn,
        jnp.broadcast_to(centres[1], r.shape)
        - jnp.broadcast_to(centres[0], was.motion.position[:, : old.layout.count].shape)[:, names],
    )
    r, v = r + moved, v + cross(rotate(turn, w), moved)
    x = to.with_own(to.pack(r, v, q, w, origin, speed), _own_of(to, found.x), "continue_from")
    if len(names) < old.layout.count:
        return x
    lost = _momentum(was) - _momentum(to.here(t, x, found.discrete))
    whole = jnp.sum(_masses(was), 0)
    v = v + (lost / whole)[:, None]
    return to.with_own(to.pack(r, v, q, w, origin, speed), _own_of(to, found.x), "continue_from")


def _own_of(mechanism: Mechanism, x: Any) -> dict[str, Any]:
    return {
        part.name: mechanism.own(part.name, x) for part in mechanism.layout.having(HasState) if part.labels
    }


def _moving_masses(here: Any) -> list[Any]:
    """Masses that move relative to the bodies at an instant: masses, offsets, velocities of each part."""
    found = (part.masses(here) for part in here.equations.layout.having(MovingMass))
    return [each for each in found if each is not None]


def _masses(here: Any) -> Any:
    """Masses of the bodies and of the moving masses [kg] (item, *cases)."""
    own = jnp.broadcast_to(here.numbers.mass, (here.equations.layout.count, *here.t.shape))
    return jnp.concatenate([own, *(each[0] for each in _moving_masses(here))])


def _momentum(here: Any) -> Any:
    """Momentum of the bodies and of the moving masses, relative to the local origin [N s] (3, *cases)."""
    n = here.equations.layout.count
    total = jnp.sum(here.numbers.mass * here.motion.velocity[:, :n], 1)
    for mass, _, velocity in _moving_masses(here):
        total = total + jnp.sum(mass * velocity, 1)
    return total


def told_of_parts(leg: str, old: Mechanism, to: Mechanism, ends: tuple[Any, Any]) -> list[str]:
    """Return one sentence for each model state that is lost or added at the start of a leg.

    - leg: name of the leg.
    - old, to: equations of motion of the preceding leg and of this leg.
    - ends: time, state and switches at the end of the preceding leg, and at the start of this leg.
    """
    found = [_masses_sentence(name, old, to, ends) for name in loose(old, to)]
    bodies = {*old.layout.bodies} & {*to.layout.bodies}
    for mechanism, other, end, begins in ((old, to, ends[0], False), (to, old, ends[1], True)):
        for part in mechanism.layout.having(HasState):
            beside = other.parts.get(part.name)
            if beside is None or {*part.labels} - {*beside.labels}:
                found += part.dropped_notes(mechanism.here(*end), beside, bodies, begins)
    return [f"leg '{leg}': {text}" for text in found]


def _masses_sentence(name: str, old: Mechanism, to: Mechanism, ends: tuple[Any, Any]) -> str:
    """Sentence on masses that no longer move relative to the bodies, or begin to."""
    begins = name in to.parts
    mechanism = to if begins else old
    part = mechanism.parts[name]
    assert isinstance(part, MovingMass)
    masses = part.masses(mechanism.here(*ends[int(begins)]))
    total = float(jnp.sum(masses[0])) if masses is not None else 0.0
    does = (
        "can move relative to their bodies from this time on, and start at rest"
        if begins
        else "do not move relative to their bodies from this time on"
    )
    return f"{part.state_description} ({total:.6g} kg) {does}"


def turning(leg: Side, t: Any, x: Any, discrete: Any) -> Any:
    """Return the state of the bodies at the end of a point-mass leg, with angular velocities.

    The angular velocities follow from the rate of the commanded attitude, which is differentiated along the
    flight with dual numbers.
    """
    mechanism = leg.mechanism
    flow = flow_of(mechanism, leg.table, 0.0)
    own = flow.own(t, x, discrete)
    slope = flow.derivative(t, own, discrete)
    one = np.ones(np.shape(t))
    # Bodies stand still to each other: one rate is that of all.
    _, rate = jvp(lambda t, own: mechanism.split(flow.ordinary(t, own, discrete))[2], (t, own), (one, slope))
    r, _, q, _, origin, origin_velocity = mechanism.split(x)
    spin_body = 2 * rotations.multiply(rotations.conjugate(q), rate)[1:]
    spin = rotate(rotations.matrix_of(q), spin_body)
    point, velocity, *_ = split_state(own)
    v = velocity[:, None] + cross(spin, r - point[:, None])
    return mechanism.pack(r, v, q, spin_body, origin, origin_velocity, mechanism.trailing_state(x))


def new_labels(old: Layout, to: Layout) -> dict[str, list[str]]:
    """Return the names of model states that only the next leg has, by name of the model.

    old, to: layouts of the preceding leg and of the next leg.
    """
    known = {part.name: {*part.labels} for part in old.having(HasState)}
    found = {
        part.name: [label for label in part.labels if label not in known.get(part.name, ())]
        for part in to.having(HasState)
    }
    return {name: labels for name, labels in found.items() if labels}


def _going_on(old: Mechanism, to: Mechanism, x: Any, sums: Mapping[str, Any]) -> Any:
    """The state in which a leg begins with integrals that only it has in the state."""
    found = {}
    for name, labels in new_labels(old.layout, to.layout).items() if sums else ():
        every, own = to.parts[name].labels, to.own(name, x)
        new = upright([label in labels and label in sums for label in every], own)
        values = [jnp.broadcast_to(sums.get(label, 0.0), np.shape(own)[1:]) for label in every]
        found[name] = jnp.where(new, jnp.stack(values), own)
    return to.with_own(x, found, "continue_from")


def stands_apart(layout: Layout, mode: Any) -> tuple[str, ...]:
    """Return the names of the joints that are released at the start of a point-mass leg.

    mode: modes of the joints of the leg (joint,).
    """
    pairs = zip(layout.scenario.joints, np.asarray(mode), strict=True)
    return tuple(joint.name for joint, now in pairs if now == FREE)


def rotation(program: Program, scenario: Any, reference: Any, x: Any, discrete: Any) -> tuple[float, float]:
    """Compute the angular momentum [N m s] and the kinetic energy [J] of all bodies relative to their common
    centre of mass.

    The angular momentum is its magnitude.
    """
    mechanism = program.mechanism(scenario, 0, reference).at(x, discrete)
    numbers, (r, v, q, w, *_) = mechanism.numbers, mechanism.split(x)
    share = numbers.mass / jnp.sum(numbers.mass, 0)
    arm, drift = r - jnp.sum(share * r, 1)[:, None], v - jnp.sum(share * v, 1)[:, None]
    own = rotate(numbers.inertia, w)
    momentum = jnp.sum(numbers.mass * cross(arm, drift) + rotate(rotations.matrix_of(q), own), 1)
    energy = jnp.sum(numbers.mass * jnp.sum(drift**2, 0) + jnp.sum(w * own, 0)) / 2
    return float(norm(momentum)), float(energy)


def switch_report(leg: str, kind: str, before: tuple[float, float], after: tuple[float, float]) -> str:
    """Return a sentence on the motion that a change of coordinates removes or adds; "" if the motion does not
    change.

    - leg: name of the leg.
    - kind: description of the new coordinates, for example "as a point mass".
    - before, after: angular momentum [N m s] and energy [J], see `rotation`.
    """
    size = max(before[0], after[0]), max(before[1], after[1])
    if all(abs(b - a) <= SAID * s for b, a, s in zip(before, after, size, strict=True)):
        return ""
    change = f"angular momentum {before[0]:.4g} -> {after[0]:.4g} N m s"
    energy = f"energy about the centre of mass {before[1]:.4g} -> {after[1]:.4g} J"
    return f"leg '{leg}' begins {kind}. This changes the motion: {change}, {energy}"
