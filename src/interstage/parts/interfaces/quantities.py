"""Output quantities of interfaces: forces and moments at a station, ratios to allowables, margins, line loads
and bolt loads.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.numbers import in_frame
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jax, jnp
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import add_axes, cross, dot, norm, product, rotate
from ...model.attachments import column
from ...quantities.joints import joint_load
from ...record.record import QuantityMeta
from ..bushings.flown import wrenches
from .declared import HIGHEST_MARGIN, Interface

COMBINED = "combined"


class Wrench(NamedTuple):
    """The load at the station of an interface. Arrays have the shape (3, *cases) and the axes of the
    interface.

    - force [N], moment [N m]: on the body that the key `on` selects.
    - axis: unit vector along the axial direction, from the parent to the child.
    - sign: 1 if the load acts on the child, -1 if it acts on the parent.
    """

    force: jax.Array
    moment: jax.Array
    axis: jax.Array
    sign: float

    @property
    def axial(self):
        """The axial force [N] (*cases), positive in tension. In tension, the force on the child is opposite
        to the axis.
        """
        return -self.sign * dot(self.force, self.axis)

    @property
    def shear(self):
        """The magnitude of the force perpendicular to the axis [N] (*cases)."""
        return norm(self.force - dot(self.force, self.axis) * self.axis)

    @property
    def bending(self):
        """The magnitude of the moment perpendicular to the axis [N m] (*cases)."""
        return norm(self.moment - self.torsion * self.axis)

    @property
    def torsion(self):
        """The moment about the axis [N m] (*cases)."""
        return dot(self.moment, self.axis)


def interface_quantities(layout: Layout) -> Makers:
    """Return the functions that make the quantities of each interface, by path. Interfaces with a missing
    attachment are omitted.
    """
    return {
        f"interfaces.{interface.name}": partial(_of, layout, n)
        for n, interface in enumerate(layout.scenario.interfaces)
        if complete(layout, interface)
    }


def _of(layout: Layout, n: int) -> dict[str, Quantity]:
    interface = layout.scenario.interfaces[n]
    body = getattr(first(layout, interface), interface.on)
    axes, at = f"axes of {interface.name}", f"station of {interface.name}"
    of = partial(wrench, n=n)

    def scalar(unit, text, value):
        return scalar_quantity(unit, text, value, at)

    found = {
        "force": vector_quantity("N", f"force on {body}", axes, at, lambda m: of(m).force),
        "moment": vector_quantity("N m", f"moment on {body}", axes, at, lambda m: of(m).moment),
        "axial_force": scalar("N", "axial force (tension positive)", lambda m: of(m).axial),
        "shear_force": scalar("N", "shear force", lambda m: of(m).shear),
        "bending_moment": scalar("N m", "bending moment", lambda m: of(m).bending),
        "torsion": scalar("N m", f"torsion on {body}", lambda m: of(m).torsion),
    }
    if interface.radius is not None:
        found["line_load"] = scalar(
            "N/m", "largest line load (tension positive)", lambda m: line_load(m, n, 1.0)
        )
        found["least_line_load"] = scalar(
            "N/m", "smallest line load (tension positive)", lambda m: line_load(m, n, -1.0)
        )
    if interface.preload is not None:
        found["clamp_force"] = scalar("N", "clamp force left", lambda m: bolts(m, n).clamp)
        found["bolt_force"] = scalar("N", "force of the bolts", lambda m: bolts(m, n).bolt)
        found["gapping_margin"] = scalar("1", "margin against gapping", lambda m: bolts(m, n).margin)
    if interface.allowables is not None:
        kinds = (*interface.allowables.limited_loads(), COMBINED)
        for name, text, value in (
            ("ratio", "load times factor of safety, over the allowable", ratios),
            ("margin", "margin of safety", margins),
        ):
            meta = QuantityMeta("1", text, "", kinds, at)
            found[name] = Quantity(meta, lambda m, value=value: value(m, n))
    return found


def first(layout: Layout, interface: Interface) -> Any:
    """Return the first attachment of an interface. This attachment defines the two bodies, the default
    station and the frames.
    """
    group, names = ("joints", interface.joints) if interface.joints else ("forces", interface.forces)
    return next(item for item in getattr(layout.scenario, group) if item.name == names[0])


def complete(layout: Layout, interface: Interface) -> bool:
    """Return whether all attachments of an interface are in the mechanism."""
    springs = {spring.name for spring in layout.items("bushings")}
    return set(interface.joints) <= set(layout.joints) and set(interface.forces) <= springs


# --- the load


class _Attached(NamedTuple):
    """The load of an attachment on its child, (3, *cases), inertial axes.

    - force [N], torque [N m]
    - point [m], from the local origin
    - reversed: whether the child is the parent of the first attachment"""

    force: Any
    torque: Any
    point: Any
    reversed: bool


def wrench(m: Here, n: int) -> Wrench:
    """Return the load at the station of an interface. n: index of the interface."""
    layout, interface = m.equations.layout, m.equations.scenario.interfaces[n]
    chosen = layout.scenario.interfaces[n]
    parts = list(_attachment_loads(m, chosen))
    station = _station(m, chosen, interface)
    force, moment = jnp.zeros((3, *m.t.shape)), jnp.zeros((3, *m.t.shape))
    for part in parts:
        sign = -1.0 if part.reversed else 1.0
        force = force + sign * part.force
        moment = moment + sign * (part.torque + cross(part.point - station, part.force))
    sign = 1.0 if chosen.on == "child" else -1.0
    frame = _axes(m, chosen, interface)
    axis = jnp.broadcast_to(add_axes(jnp.asarray(interface.axis), 1 + m.t.ndim), force.shape)
    return Wrench(in_frame(frame, sign * force), in_frame(frame, sign * moment), axis / norm(axis), sign)


def _attachment_loads(m: Here, chosen: Interface):
    layout = m.equations.layout
    parent = first(layout, chosen).parent
    for name in chosen.joints:
        j = layout.joints.index(name)
        load = joint_load(m, j, "force"), joint_load(m, j, "torque")
        yield _Attached(*load, _end(m, ("joint", j), "child"), layout.scenario.joints[j].parent != parent)
    for name in chosen.forces:
        k = [spring.name for spring in layout.items("bushings")].index(name)
        force, torque = (column(part, k, 1) for part in wrenches(m["bushings"]))
        point = _end(m, ("spring", k), "child")
        yield _Attached(force, torque, point, layout.items("bushings")[k].parent != parent)


def _place(layout: Layout, chosen: Interface) -> tuple[str, int]:
    """Return the first attachment as ("joint" or "spring", index)."""
    if chosen.joints:
        return "joint", layout.joints.index(chosen.joints[0])
    return "spring", [spring.name for spring in layout.items("bushings")].index(chosen.forces[0])


def _end(m: Here, place: tuple[str, int], end: str):
    """Return the point of an attachment on one of its bodies, from the local origin, inertial axes [m]."""
    kind, number = place
    layout = m.equations.layout
    item = layout.scenario.joints[number] if kind == "joint" else layout.items("bushings")[number]
    pairs = m.pairs if kind == "joint" else m["bushings"].pairs
    assert pairs is not None
    arm = pairs.arm_a if end == "parent" else pairs.arm_b
    body = layout.columns.end(item, end)
    return m.motion.position[:, body] + column(arm, number, 1)


def _station(m: Here, chosen: Interface, interface: Interface):
    """Return the station from the local origin, inertial axes [m]."""
    end = chosen.at_body or chosen.on
    if chosen.at is None:
        return _end(m, _place(m.equations.layout, chosen), end)
    layout = m.equations.layout
    name = getattr(first(layout, chosen), end)
    body = layout.body(name)
    shape = (3, *m.t.shape)
    if body == layout.count:  # structural coordinates of the ground are inertial
        return jnp.broadcast_to(add_axes(jnp.asarray(interface.at), len(shape)), shape)
    arm = jnp.broadcast_to(m.mechanism.numbers.arm(interface.at, body), shape)
    return m.motion.position[:, body] + rotate(m.motion.rotation[:, :, body], arm)


def _axes(m: Here, chosen: Interface, interface: Interface):
    """Return the axes of the components in inertial axes (3, 3, *cases)."""
    layout = m.equations.layout
    place, number = _place(layout, chosen)
    end = "parent" if chosen.axes.startswith("parent") else "child"
    body = layout.body(getattr(first(layout, chosen), end))
    turn = m.motion.rotation[:, :, body]
    if not chosen.axes.endswith("_joint"):
        attitude = interface.frame
    elif place == "joint":
        return column(m.frame_a if end == "parent" else m.frame_b, number, 2)
    else:
        springs = [f for f in m.equations.scenario.forces if f.kind in ("bushing", "beam_spring")]
        attitude = getattr(springs[number], f"{end}_frame")
    if attitude is None:
        return turn
    return product(turn, add_axes(matrix_of(quaternion_of(attitude)), turn.ndim))


# --- meaning -----


def line_load(m: Here, n: int, side: float):
    """Return the largest or smallest line load of a thin ring [N/m] (*cases).

    With the axial force N, the bending moment M and the radius R, the line load is N/(2 pi R) +- M/(pi R^2).
    The formula follows from the second moment of area pi R^3 t of the ring.

    - n: index of the interface.
    - side: 1 for the largest line load around the ring, -1 for the smallest.
    """
    load, radius = wrench(m, n), m.equations.scenario.interfaces[n].radius
    return load.axial / (2 * math.pi * radius) + side * load.bending / (math.pi * radius**2)


class Bolts(NamedTuple):
    """Bolt loads of an interface with preload, each (*cases).

    - clamp: remaining clamp force [N].
    - bolt: force of the bolts [N].
    - margin: margin of safety against gapping.
    """

    clamp: jax.Array
    bolt: jax.Array
    margin: jax.Array


def bolts(m: Here, n: int) -> Bolts:
    """Return the bolt loads of an interface with the preload P under an external tension T.

    T is the axial force N. With a ring of radius R, T is N + 2 M/R, the uniform tension that is equal to the
    largest local tension. While the joint is clamped, the bolts carry phi T, and the clamp force decreases by
    (1 - phi) T, where phi is `load_fraction`. If several joints share the preload, each has an equal share of
    P. The share is lost when the joint is released.

    n: index of the interface. Source: NASA-STD-5020A, appendix A.
    """
    interface, load = m.equations.scenario.interfaces[n], wrench(m, n)
    tension = load.axial
    if interface.radius is not None:
        tension = tension + 2 * load.bending / interface.radius
    relief = (1 - interface.load_fraction) * tension
    held = _attached_fraction(m, m.equations.layout.scenario.interfaces[n])
    preload = held * interface.preload
    left = preload - relief
    bolt = jnp.where(left > 0, preload + interface.load_fraction * tension, tension)
    some = held > 0
    # A released interface cannot gap, and keeps the margin without load.
    margin = _margin(relief, jnp.where(some, preload, interface.preload))
    return Bolts(some * jnp.maximum(left, 0.0), some * bolt, margin)


def _attached_fraction(m: Here, chosen: Interface):
    """Return the fraction of attached joints, from 0 to 1. This fraction is also the fraction of the
    bolts."""
    joints = [m.equations.layout.joints.index(name) for name in chosen.joints]
    if not joints or chosen.forces:
        return jnp.ones_like(m.t)
    return jnp.mean(jnp.stack([m.discrete.mode[j] > 0 for j in joints]).astype(float), 0)


def ratios(m: Here, n: int):
    """Return the ratio of each load, multiplied by the factor of safety, to its allowable (limited load + 1,
    *cases).

    The last entry is the sum of the ratios (linear interaction). The linear interaction is conservative
    compared with curved interactions. n: index of the interface.
    """
    allowables, load = m.equations.scenario.interfaces[n].allowables, wrench(m, n)
    assert allowables is not None
    carried = {
        "tension": jnp.maximum(load.axial, 0.0),
        "compression": jnp.maximum(-load.axial, 0.0),
        "shear": load.shear,
        "bending": load.bending,
        "torsion": jnp.abs(load.torsion),
    }
    found = [
        allowables.factor_of_safety * carried[kind] / getattr(allowables, kind)
        for kind in allowables.limited_loads()
    ]
    return jnp.stack(jnp.broadcast_arrays(*found, sum(found)))


def margins(m: Here, n: int):
    """Return the margins of safety (limited load + 1, *cases). A margin is the inverse of the ratio, minus 1,
    and at most `HIGHEST_MARGIN`. n: index of the interface.
    """
    return _margin(ratios(m, n), 1.0)


def _margin(load, allowed):
    """Return allowed/load - 1. The margin is at most `HIGHEST_MARGIN`, for a small, zero or opposite load,
    and -1 for a zero allowable."""
    least = allowed / (1 + HIGHEST_MARGIN)
    small = load <= least
    safe = small & ((allowed > 0) | (load < 0))
    return jnp.where(safe, HIGHEST_MARGIN, allowed / jnp.where(small, 1.0, load) - 1)
