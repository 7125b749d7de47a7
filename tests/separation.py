"""One scenario that does everything between two stages and a catcher: holds, hinges, locks, releases, pushes,
catches.

Its numbers may be given in any units of mass, length and time, and about any inertial axes; the structure is
one, so that one compiled program flies all of them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.runs import run as simulate

PHASES = ("held", "hinged", "locked", "apart", "caught")
ENDS = (0.4, 0.9, 1.2, 2.2, 2.7)
"""When the phases end [s]."""
SAMPLES = np.linspace(0, ENDS[-1], 28)
TOLERANCE = 1e-11
STEPS = 100
"""Steps of such a flight, each of which may err by the tolerance: the bound of what they pile up."""
DRIFT = STEPS * TOLERANCE
SPENT = ("left spent", "right spent")
ORBIT = {"mu": 3.986e14, "centre": (0.0, -7.0e6, 0.0)}
NO_PULL = {"mu": 1e-30, "centre": (0.0, -7.0e6, 0.0)}


def separation(
    mass: float = 1.0,
    length: float = 1.0,
    time: float = 1.0,
    turn: Any = None,
    names: Any = None,
    reverse: bool = False,
    gravity: dict[str, Any] = NO_PULL,
    shove: float = 0.0,
    tether: float = 250.0,
    stiffness: tuple[float, float] = (900.0, 500.0),
    times: Any = SAMPLES,
    tolerance: float = TOLERANCE,
    simple: bool = False,
) -> ist.Scenario:
    """The scenario; a simple one holds, releases and pushes only, without the catcher and gravity.

    mass, length, time: how many of the scenario's own units are in a kg, a metre and a second. turn: rotation
    of the inertial axes. names: other names. reverse: all lists the other way round. shove [N]: of an
    external force. tether [N/m]: stiffness of a spring between stage and catcher. stiffness [N/m]: of the two
    kick-off springs."""
    rng = np.random.default_rng(300)
    turn = Rotation.identity() if turn is None else turn
    force, speed = mass * length / time**2, length / time
    name = lambda old: (names or {}).get(old, old)  # noqa: E731

    def attitude(rotation):
        return ist.Attitude(quaternion=rotation.as_quat(scalar_first=True))

    def frames() -> dict[str, Any]:
        one = Rotation.random(rng=rng)
        return {"parent_frame": attitude(one), "child_frame": attitude(one * Rotation.random(rng=rng))}

    def body(old, kilograms, initial):
        half = rng.uniform(0.3, 0.6, 3)
        moments = kilograms / 3 * (half @ half - half**2)
        axes = Rotation.random(rng=rng).as_matrix()
        tensor = axes @ np.diag(moments) @ axes.T
        return ist.Body(
            name=name(old),
            mass=mass * kilograms,
            mass_centre=length * rng.uniform(-0.2, 0.2, 3),
            inertia=mass * length**2 * (tensor + tensor.T) / 2,
            products="tensor",
            initial=initial,
        )

    def state(position, velocity, spin) -> ist.State:
        return ist.State(
            position=length * turn.apply(position),
            velocity=speed * turn.apply(velocity),
            attitude=attitude(turn * Rotation.random(rng=rng)),
            angular_velocity=np.array(spin) / time,
        )

    def points(parent, child) -> dict[str, Any]:
        return {"parent_at": length * np.array(parent), "child_at": length * np.array(child)}

    bodies: list[Any] = [
        body("stage", 30.0, state([0.5, 0, 0], [0, 0.3, 0], [0.4, -0.3, 0.5])),
        body("payload", 8.0, None),
        body("catcher", 15.0, state([1.0, 0.8, 2.0], [0.1, 0.3, -0.4], [-0.2, 0.1, 0.3])),
    ]
    clamp = {"name": name("clamp"), "parent": name("stage"), "child": name("payload")}
    joints: list[Any] = [
        ist.Joint(kind="fixed", **clamp, **points([0.2, 0.1, 0.8], [0.1, -0.1, -0.6]), **frames()),
        ist.Joint(
            name=name("latch"),
            kind="spherical",
            active=False,
            parent=name("payload"),
            child=name("catcher"),
            **points([0.1, 0, 0.6], [0, 0.1, -0.5]),
            **frames(),
        ),
    ]
    forces: list[Any] = [
        ist.Spring(
            name=name("tether"),
            parent=name("stage"),
            child=name("catcher"),
            stiffness=tether * force / length,
            free_length=1.5 * length,
            **points([0.4, 0.2, -0.5], [0.1, -0.1, 0.2]),
        ),
        ist.Force(
            name=name("shove"),
            body=name("stage"),
            force=force * np.array([shove, 0, 0]),
            at=length * np.ones(3),
        ),
    ]
    ends = {"parent": name("stage"), "child": name("payload"), "after": name("apart")}
    strokes = (0.15, 0.2)
    devices: list[Any] = [
        ist.KickoffSpring(
            name=name(old),
            **ends,
            **points(at, [0.1 + side, -0.1, -0.6]),
            axis=[0, 0.1, 1] if side > 0 else None,
            stiffness=k * force / length,
            preload=k * stroke * force,
            stroke=stroke * length,
        )
        for old, at, side, k, stroke in zip(
            ("left", "right"),
            ([0.3, 0.1, 0.3], [-0.1, 0.1, 0.2]),
            (0.2, -0.2),
            stiffness,
            strokes,
            strict=True,
        )
    ]
    if simple:
        bodies, joints, forces = bodies[:2], joints[:1], []
    if reverse:
        bodies, joints, forces, devices = (part[::-1] for part in (bodies, joints, forces, devices))
    until = [ist.Trigger(time=time * ENDS[0])]
    until += [ist.Trigger(elapsed=time * (b - a)) for a, b in pairwise(ENDS)]
    revolute, fixed = (ist.Replacement(joint=name("clamp"), kind=kind) for kind in ("revolute", "fixed"))
    actions: list[dict[str, Any]] = [
        {},
        {"replace": (revolute,)},
        {"replace": (fixed,)},
        {"release": (name("clamp"),)},
        {"attach": (name("latch"),)},
    ]
    phases = [
        ist.Phase(name=name(old), until=end, **action)
        for old, end, action in zip(PHASES, until, actions, strict=True)
    ]
    if simple:
        phases = [phases[0], ist.Phase(name=name("apart"), until=until[-2], release=(name("clamp"),))]
    field = ist.InverseSquareGravity(
        mu=gravity["mu"] * length**3 / time**2, centre=length * turn.apply(gravity["centre"])
    )
    return ist.Scenario(
        gravity=ist.NoGravity() if simple else field,
        bodies=tuple(bodies),
        joints=tuple(joints),
        forces=tuple(forces),
        devices=tuple(devices),
        phases=tuple(phases),
        solver=ist.Solver(
            tolerance=tolerance,
            position_scale=length,
            velocity_scale=speed,
            rate_scale=1 / time,
            time_limit=100 * time,
        ),
        output=ist.Output(times=time * np.asarray(times)),
    )


@cache
def flown(**changes) -> Any:
    """The record of a flight."""
    return simulate.fly(separation(**changes))


def at(record, name, path, side="after") -> Any:
    """A quantity just before or after an event."""
    index = [event.name for event in record.events].index(name)
    return getattr(record, side)[path][index]


def time_of(record, name):
    """Time of an event [s]."""
    return next(event.time for event in record.events if event.name == name)
