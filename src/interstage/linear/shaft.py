"""Find the joint that turns a rotor, and its azimuth and rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..model.motion import AngularRamp
from ..tree.errors import BadInput, Problem
from ..tree.sentences import count_text
from ..tree.similar_names import near
from .coordinates import Tree

if TYPE_CHECKING:
    from ..studies.linearize.result import Linear

TURNS = 1e-6
"""Largest rate [rad/s] at which a rotor counts as at rest."""
STEADY = 1e-6
"""Largest acceleration of a steady rotor, relative to the square of its rate. This acceleration is the error
of a trim."""


class Shaft(NamedTuple):
    """Joint that turns a rotor.

    - joint: name of the joint.
    - coordinate: index of the free angle, or None for an angle that is driven at a constant rate.
    - value, rate: driven angle at time zero [rad] and its rate [rad/s].
    """

    joint: str
    coordinate: int | None
    value: float = 0.0
    rate: float = 0.0


class Turning(NamedTuple):
    """Motion of a rotor shaft: azimuth [rad] and rate [rad/s]."""

    azimuth: float
    rate: float


def shaft_of(tree: Tree, scenario: Any, name: str) -> Shaft:
    """Return the joint `name` as a shaft. Raises BadInput if the joint cannot be a shaft.

    - tree: tree of bodies and joints.
    - scenario: scenario with the data of driven joints.
    """
    joints = tree.layout.joints
    if name not in joints:
        raise BadInput(Problem("shaft", f"there is no joint '{name}'; {near(name, joints, 'joints')}"))
    if name in {joints[j] for j in tree.restricting}:
        text = f"joint '{name}' carries a flexible body and has no angle coordinate"
        fix = "Attach the flexible body to a rigid body that the shaft turns"
        raise BadInput(Problem("shaft", f"{text}. {fix}"))
    own = [k for k, one in enumerate(tree.coordinates) if one.name.startswith(f"joints.{name}.")]
    angles = [k for k in own if tree.coordinates[k].kind == "angle"]
    turns = [k for k in own if tree.coordinates[k].unit == "rad"]
    if len(angles) == len(turns) == 1:
        return Shaft(name, angles[0])
    driven = scenario.joints[joints.index(name)].driven
    ramps = [getattr(driven, axis) for axis in ("rx", "ry", "rz")] if driven is not None else []
    steady = [one for one in ramps if isinstance(one, AngularRamp)]
    if not turns and len(steady) == 1 and sum(one is not None for one in ramps) == 1:
        return Shaft(name, None, float(steady[0].value), float(steady[0].rate))
    text = f"joint '{name}' is not a shaft, because it has {count_text(len(turns), 'free rotations')}"
    text += f" and {count_text(len(steady), 'rotations')} with a prescribed constant rate"
    raise BadInput(Problem("shaft", f"{text}. Give the joint that turns the rotor about one axis"))


def turning(tree: Tree, shaft: Shaft, linear: Linear) -> Turning:
    """Return azimuth and rate of the rotor at an operating point. Raises BadInput if the rotor does not turn
    steadily.
    """
    if shaft.coordinate is None:
        found, faster = Turning(shaft.value + shaft.rate * linear.time, shaft.rate), 0.0
    else:
        one, names = tree.coordinates[shaft.coordinate], linear.names
        if one.name not in names or one.rate not in names:
            text = f"{one.name} is a dependent coordinate of a closed loop. Set --coordinate {one.name}"
            raise BadInput(Problem("shaft", text))
        place, rate = names.index(one.name), names.index(one.rate)
        found = Turning(float(linear.x0[place]), float(linear.x0[rate]))
        faster = float(linear.rates[rate])
    if abs(found.rate) <= TURNS:
        text = f"joint '{shaft.joint}' does not turn {linear.moment}. Choose a time at which the rotor turns"
        raise BadInput(Problem("shaft", text))
    if abs(faster) > STEADY * found.rate**2:
        text = (
            f"joint '{shaft.joint}' turns at {found.rate:.6g} rad/s and accelerates by {faster:.3g} rad/s^2"
        )
        text += f" {linear.moment}. Choose a time at which the rotor turns steadily"
        raise BadInput(Problem("shaft", text))
    return found
