"""Drawn systems: trees and loops of bodies on joints of every kind, all their numbers drawn for each lane.

The bodies are put down first, and the joints are then fitted between them in a pose that they allow; so loops
close by themselves. What each joint leaves free is written out in `linkages.KINDS` and here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import lift
from interstage.tree.addresses import replace_leaf
from linkages import KINDS
from mechanics import AXES, COAST

RADIUS, ANGLE = 0.4, 0.9
"""Of rolling disks [m], and held by some joints [rad]."""
PLAIN = ist.Attitude(quaternion=[1.0, 0.0, 0.0, 0.0])
LOOSE = [
    ("rod", {}),
    ("universal", {"axes": "xz", "angle": ANGLE}),
    ("generalized", {"locked": ("tx", "rz"), "angle": ANGLE}),
    ("velocity", {"locked": ("ty", "rx"), "axes_of": "child"}),
    ("velocity", {"locked": ("tx", "tz"), "rates": ist.PrescribedRates(tz=ist.SpeedConstant(value=0.3))}),
    ("knife_edge", {"axis": "x"}),
    ("rolling", {"radius": RADIUS}),
]
"""Joints that carry no body on a tree's branch, or hold another angle than a right one."""
CLOSING = [("spherical", {}), ("rod", {}), ("universal", {"axes": "yz"}), ("cylindrical", {"axis": "x"})]


class Structure(NamedTuple):
    """Joints as (parent, child, kind, options), bodies by number, the ground as the number after the last.
    replaced: types that some joints get at events, by the number of the joint."""

    bodies: int
    joints: tuple[tuple[int, int, Any, dict], ...]
    replaced: dict[int, tuple[Any, dict]] = {}  # noqa: RUF012

    @property
    def ground(self) -> bool:
        """Whether any joint is on the ground."""
        return any(parent == self.bodies for parent, *_ in self.joints)


def tree(rng, bodies: int, kinds, ground: bool) -> list:
    """Joints of a tree, the last kind first: every body but the first on an earlier one, either of them the
    parent, or on the ground; the first only there."""
    kinds, found = list(kinds), []
    for k in range(bodies):
        if k == 0 and not ground:
            continue
        other = bodies if k == 0 or (ground and rng.random() < 0.2) else int(rng.integers(k))
        ends = (k, other) if other < bodies and rng.random() < 0.5 else (other, k)
        found.append((*ends, *kinds.pop()[:2]))
    return found


def loops(rng, bodies: int, kinds) -> list:
    """Joints between any two bodies."""
    ends = [rng.choice(bodies, 2, replace=False) for _ in kinds]
    return [(int(a), int(b), *kind) for (a, b), kind in zip(ends, kinds)]


def structures() -> dict[str, Structure]:
    """Trees and loops of 2 to 12 bodies in which every kind of joint stands at least once."""
    rng = np.random.default_rng(300)
    # One joint of each kind with a tree form, in an order of its own.
    every = {KINDS[k][0]: KINDS[k] for k in rng.permutation(len(KINDS))}
    kinds = [every[kind] for kind in rng.permutation(list(every))]
    spin = ist.DrivenAxes(
        tx=ist.LinearHarmonic(amplitude=0.2, frequency=3.0),
        rz=ist.AngularHarmonic(amplitude=0.4, frequency=2.0),
    )
    driven = ("generalized", {"locked": ("tx", "ty", "rx", "ry", "rz"), "driven": spin})
    small = tree(rng, 2, [driven, kinds[0]], True)
    loop = tree(rng, 5, [LOOSE[1], LOOSE[5], LOOSE[6], kinds[1]], False) + loops(rng, 5, CLOSING[:2])
    large = tree(rng, 12, [*kinds[2:], *LOOSE[:5], kinds[0]], True) + loops(rng, 12, CLOSING[:1])
    changing = [("rod", {}), ("spherical", {}), ("revolute", {"axis": "z"}), ("fixed", {})]
    switched = tree(rng, 4, changing, True)
    twice = [
        (0, 1, "fixed", {}),
        (0, 1, "fixed", {}),
        (1, 2, "revolute", {"axis": "z"}),
        (2, 1, "revolute", {"axis": "x"}),
    ]
    return {
        "two bodies": Structure(2, tuple(small)),
        "a loop": Structure(5, tuple(loop)),
        "twelve bodies": Structure(12, tuple(large)),
        "redundant": Structure(3, tuple(twice)),
        "switching": Structure(4, tuple(switched), {0: ("spherical", {}), 1: ("cylindrical", {"axis": "z"})}),
    }


def declared_system(structure: Structure) -> Any:
    """The scenario of a structure, with numbers that stand for those to be drawn."""
    name = lambda k: "ground" if k == structure.bodies else f"b{k}"  # noqa: E731
    joints = tuple(
        ist.Joint(
            name=f"j{j}",
            kind=kind,
            parent=name(a),
            child=name(b),
            parent_frame=PLAIN,
            child_frame=PLAIN,
            **options,
        )
        for j, (a, b, kind, options) in enumerate(structure.joints)
    )
    bodies = tuple(
        ist.Body(name=f"b{k}", mass=1, inertia=np.eye(3), products="tensor", initial=ist.State())
        for k in range(structure.bodies)
    )
    phases = COAST
    if structure.replaced:
        new = tuple(
            ist.Replacement(joint=f"j{j}", kind=kind, **options)
            for j, (kind, options) in structure.replaced.items()
        )
        phases = (*COAST, ist.Phase(name="later", until=ist.Trigger(time=2.0), replace=new, release=("j2",)))
    return ist.Scenario(bodies=bodies, joints=joints, phases=phases)


class Drawn(NamedTuple):
    """Numbers of a structure, lanes last: the scenario's leaves; masses (body) and inertias (lane, body, 3,
    3); positions, quaternions (component, body) and drawn velocities; lengths of rods (row); generalized
    forces (6, body with ground); the length that weighs torques against forces [m]."""

    leaves: Any
    mass: np.ndarray
    inertia: np.ndarray
    r: np.ndarray
    q: np.ndarray
    v: np.ndarray
    w: np.ndarray
    rods: np.ndarray
    force: np.ndarray
    sharing: np.ndarray


def drawn(structure: Structure, plain: Any, rng, lanes: int, spread: float) -> Drawn:
    """Draw the numbers; masses and sizes of the bodies range over 10^-spread to 10^spread."""
    n = structure.bodies
    mass = 3 * 10 ** rng.uniform(-spread, spread, (n, lanes))
    half = 10 ** rng.uniform(-spread / 2, spread / 2, (n, lanes, 1)) * rng.uniform(0.2, 0.6, (n, lanes, 3))
    moments = mass[..., None] / 3 * (np.sum(half**2, -1, keepdims=True) - half**2)
    principal = Rotation.random(n * lanes, rng=rng).as_matrix().reshape(n, lanes, 3, 3)
    inertia = principal * moments[:, :, None] @ np.swapaxes(principal, -1, -2)
    centre = rng.uniform(-0.5, 0.5, (n + 1, lanes, 3))
    centre[n] = 0
    at = 1.5 * rng.standard_normal((n + 1, lanes, 3))
    at[n] = 0
    turn = [Rotation.random(lanes, rng=rng) for _ in range(n)] + [Rotation.identity(lanes)]
    leaves = lift(plain)
    sharing = 10 ** rng.uniform(-0.5, 0.5, lanes)
    put = lambda tree, path, value: replace_leaf(tree, path, jnp.asarray(np.moveaxis(value, 0, -1)))  # noqa: E731
    leaves = put(leaves, "solver.sharing_length", sharing)
    for k in range(n):
        leaves = put(leaves, f"bodies.b{k}.mass", mass[k])
        leaves = put(leaves, f"bodies.b{k}.inertia", inertia[k])
        leaves = put(leaves, f"bodies.b{k}.mass_centre", centre[k])
    rods = []
    for j, (a, b, kind, options) in enumerate(structure.joints):
        shift, between = pose(rng, kind, options, lanes)
        frame_a = Rotation.random(lanes, rng=rng)
        frame_b = frame_a * between
        point_a = 0.5 * (at[a] + at[b]) + 0.5 * rng.standard_normal((lanes, 3))
        point_b = point_a + frame_a.apply(shift)
        for end, k, point, frame in (("parent", a, point_a, frame_a), ("child", b, point_b, frame_b)):
            own = turn[k].inv()
            leaves = put(leaves, f"joints.j{j}.{end}_at", centre[k] + own.apply(point - at[k]))
            quaternion = (own * frame).as_quat(scalar_first=True)
            leaves = put(leaves, f"joints.j{j}.{end}_frame.quaternion", quaternion)
        if kind == "rod":
            rods.append(np.linalg.norm(shift, axis=-1))
    force = 10 * rng.standard_normal((6, n + structure.ground, lanes)) * np.mean(mass)
    last = lambda field: np.moveaxis(np.stack(field), (0, 1, 2), (1, 2, 0))  # noqa: E731
    q = last([t.as_quat(scalar_first=True) for t in turn[:n]])
    v, w = rng.standard_normal((2, 3, n, lanes))
    length = np.stack(rods) if rods else np.zeros((0, lanes))
    return Drawn(leaves, mass, np.swapaxes(inertia, 0, 1), last(at[:n]), q, v, w, length, force, sharing)


def pose(rng, kind: str, options: dict, lanes: int):
    """A shift [m] and turn of the child's joint frame from the parent's that a joint allows."""
    shift, turned = rng.uniform(-1, 1, (lanes, 3)), Rotation.random(lanes, rng=rng)
    if kind in ("rod", "velocity", "knife_edge"):
        return shift, turned
    if kind == "rolling":
        # A disk of some tilt on the plane z = 0, its axle the child's z axis.
        tilt, spin = rng.uniform(0.5, 2.5, lanes), rng.uniform(-3, 3, (2, lanes))
        turned = Rotation.from_euler("ZXZ", np.stack([spin[0], tilt, spin[1]], -1))
        shift[:, 2] = RADIUS * np.sin(tilt)
        return shift, turned
    if options.get("driven") is not None:
        return np.zeros((lanes, 3)), Rotation.identity(lanes)
    if "angle" in options:
        a, b = options["axes"] if kind == "universal" else "xy"
        shift[:] = 0 if kind == "universal" else shift * (np.array(list(AXES)) != "x")
        return shift, held_at(rng, AXES.index(a), AXES.index(b), options["angle"], lanes)
    slides, turns = next((s, t) for name, given, s, t in KINDS if (name, given) == (kind, options))
    shift = shift * np.array([axis in slides for axis in AXES])
    if turns == "xyz":
        return shift, turned
    turned = Rotation.identity(lanes)
    for axis in turns:
        turned = turned * Rotation.from_rotvec(
            np.outer(rng.uniform(-3, 3, lanes), np.eye(3)[AXES.index(axis)])
        )
    return shift, turned


def held_at(rng, a: int, b: int, angle: float, lanes: int):
    """Turns that leave the angle between the parent's axis a and the child's axis b."""
    e, c = np.eye(3)[a], np.eye(3)[b]
    about = Rotation.from_rotvec(np.outer(rng.uniform(-3, 3, lanes), e))
    # From the child's axis on the parent's to the angle, between turns about both.
    across = np.cross(e, c) if a != b else np.eye(3)[(a + 1) % 3]
    offset = angle - (np.pi / 2 if a != b else 0.0)
    own = Rotation.from_rotvec(np.outer(rng.uniform(-3, 3, lanes), c))
    return about * Rotation.from_rotvec(np.tile(offset * across, (lanes, 1))) * own
