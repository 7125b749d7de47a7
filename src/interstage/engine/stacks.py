"""Stack the declared values of items of one kind: one array (component, item, *cases) for each value.

A compiled program has these arrays as arguments, in place of thousands of single values. The size of the
program is therefore independent of the number of bodies and joints.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..environment import wind
from ..maths.arrays import is_traced, jnp, lax
from ..maths.rotations import IDENTITY, of_sequence, quaternion_of_matrix, unit_quaternion
from ..maths.vectors import add_axes, transpose
from ..model.attachments import select
from ..model.initial import ThroughJoint, is_plain
from .contract import Stacked
from .layout import Layout

MOST_TRACED = 8
"""Largest number of traced values that are inserted into an array one by one."""


class Ends(NamedTuple):
    """Points of attachments on the parents and on the children, each (3, item) [m], structural
    coordinates.
    """

    parent_at: Any
    child_at: Any


class States(NamedTuple):
    """Initial states of the bodies that are declared in inertial axes only, in the order of the bodies.

    - position [m], velocity [m/s], angular_velocity [rad/s]: (3, item).
    - attitude: see `stacked_attitudes`.
    - origin: origins of the bodies [m] (3, item), structural coordinates.
    """

    position: Any
    velocity: Any
    angular_velocity: Any
    attitude: dict[str, Any]
    origin: Any


class Relative(NamedTuple):
    """Initial states of the bodies that are declared relative to another body, in the order of these bodies,
    each (3, item).

    For the meaning see `model.initial.ThroughJoint`.
    """

    displacement: Any
    rotation: Any
    velocity: Any
    angular_velocity: Any


class Stacks(NamedTuple):
    """Stacked values of a scenario.

    - mass (body) [kg], inertia (3, 3, body) [kg m^2], centre (3, body) [m]: mass properties of the bodies.
    - about (3, body) [m]: reference points of the inertias; None if all are the centres of mass.
    - joint: joint points. parent_frame, child_frame: joint frames, see `stacked_attitudes`.
    - states, relative: initial states.
    - own: values of models, by their names.
    - wind: wind table; None without a planet.
    """

    mass: Any
    inertia: Any
    about: Any
    centre: Any
    joint: Ends
    parent_frame: dict[str, Any]
    child_frame: dict[str, Any]
    states: States
    relative: Relative
    own: dict[str, Any]
    wind: Any = None


def stacks(layout: Layout, scenario: Any, lanes: int = 0) -> Stacks:
    """Return the stacked values of a scenario with the structure of `layout`. The stacked values have `lanes`
    (0 or 1) case axes.
    """
    bodies, joints = scenario.bodies, scenario.joints
    about = None
    if any(b.inertia_about is not None for b in bodies):
        points = [b.mass_centre if b.inertia_about is None else b.inertia_about for b in bodies]
        about = stack_items(points, lanes, (3,))
    return Stacks(
        mass=stack_items([b.mass for b in bodies], lanes),
        inertia=stack_items([b.inertia for b in bodies], lanes, (3, 3)),
        about=about,
        centre=stack_items([b.mass_centre for b in bodies], lanes, (3,)),
        joint=ends(joints, lanes),
        parent_frame=stacked_attitudes([j.parent_frame for j in joints], lanes),
        child_frame=stacked_attitudes([j.child_frame for j in joints], lanes),
        states=_states([b for b in bodies if is_plain(b.initial)], lanes),
        relative=_relative([bodies[k].initial for k, _ in layout.child_bodies], lanes),
        own={part.name: part.stack_numbers(scenario, lanes) for part in layout.having(Stacked)},
        wind=None if scenario.planet is None else wind.table_of(scenario.wind),
    )


def ends(pairs, lanes: int) -> Ends:
    """Return the points of attachments. `lanes`: number of case axes, 0 or 1."""
    return Ends(*(stack_items([getattr(p, end) for p in pairs], lanes, (3,)) for end in Ends._fields))


def _states(bodies, lanes) -> States:
    starts = [body.initial for body in bodies]
    position, velocity, angular_velocity = (
        stack_items([getattr(s, name) for s in starts], lanes, (3,)) for name in States._fields[:3]
    )
    attitude = stacked_attitudes([s.attitude for s in starts], lanes)
    origin = stack_items([b.origin for b in bodies], lanes, (3,))
    return States(position, velocity, angular_velocity, attitude, origin)


def _relative(starts, lanes) -> Relative:
    names = "displacement", "rotation", "relative_velocity", "relative_angular_velocity"
    given = [s if isinstance(s, ThroughJoint) else None for s in starts]
    return Relative(
        *(
            stack_items([np.zeros(3) if s is None else getattr(s, n) for s in given], lanes, (3,))
            for n in names
        )
    )


def stack_items(items, lanes: int, shape: tuple[int, ...] = ()) -> Any:
    """Return items of shape (*shape, *cases) as one array (*shape, item, *cases).

    `lanes`: number of case axes, 0 or 1. An item may have no case axis, or a case axis of size one. If no
    item is traced, the result is a NumPy array.
    """
    if not items:
        return np.zeros((*shape, 0, *(1,) * lanes))
    ndim, axis = len(shape) + lanes, len(shape)
    traced = {k for k, item in enumerate(items) if is_traced(item)}
    wide = [add_axes(i if k in traced else np.asarray(i, float), ndim) for k, i in enumerate(items)]
    size = np.broadcast_shapes(*(i.shape for i in wide))
    if len(traced) > MOST_TRACED or len(traced) == len(items):
        return jnp.stack([jnp.broadcast_to(i, size) for i in wide], axis)
    known = [np.broadcast_to(0.0 if k in traced else i, size) for k, i in enumerate(wide)]
    whole = np.stack(known, axis)
    for k in sorted(traced):
        value = jnp.broadcast_to(wide[k], size)
        whole = lax.dynamic_update_index_in_dim(whole, value, k, axis)
    return whole


# --- attitudes


NONE, QUATERNION, MATRIX, TURNED = "none", "quaternion", "matrix", "transposed matrix"


def _way(attitude) -> str:
    """The form in which an attitude is declared: one of the names above, or the sequence of its angles."""
    if attitude is None:
        return NONE
    if attitude.quaternion is not None:
        return QUATERNION
    if attitude.euler is not None:
        return attitude.euler
    return TURNED if attitude.inertial_to_body else MATRIX


def _ways(attitudes) -> dict[str, list[int]]:
    """The attitudes of each form."""
    found: dict[str, list[int]] = {}
    for k, attitude in enumerate(attitudes):
        found.setdefault(_way(attitude), []).append(k)
    return found


def stacked_attitudes(attitudes, lanes: int) -> dict[str, Any]:
    """Return the values of declared attitudes, stacked separately for each form of declaration (quaternion,
    matrix, ...). Omitted attitudes have no entry.
    """
    found = {}
    for way, places in _ways(attitudes).items():
        some = [attitudes[k] for k in places]
        if way == QUATERNION:
            found[way] = stack_items([a.quaternion for a in some], lanes, (4,))
        elif way in (MATRIX, TURNED):
            found[way] = stack_items([a.matrix for a in some], lanes, (3, 3))
        elif way != NONE:
            found[way] = stack_items([a.angles for a in some], lanes, (3,))
    return found


def quaternions(attitudes, stack: dict[str, Any], lanes: int):
    """Return the unit quaternions (4, item, *cases) of declared attitudes.

    - attitudes: declarations, from which the form is read.
    - stack: their values, from `stacked_attitudes`.
    - `lanes`: number of case axes, 0 or 1.
    """
    ways = _ways(attitudes)
    if not ways:
        return jnp.zeros((4, 0, *(1,) * lanes))
    parts: list[Any] = [_quaternions(way, stack.get(way), len(at), lanes) for way, at in ways.items()]
    size = jnp.broadcast_shapes(*(part.shape[2:] for part in parts))
    whole = jnp.concatenate([jnp.broadcast_to(part, (*part.shape[:2], *size)) for part in parts], 1)
    return select(whole, np.argsort([k for places in ways.values() for k in places]), 1)


def _quaternions(way: str, values, count: int, lanes: int):
    if way == NONE:
        return jnp.broadcast_to(add_axes(jnp.asarray(IDENTITY), 2 + lanes), (4, count, *(1,) * lanes))
    if way == QUATERNION:
        return unit_quaternion(jnp.asarray(values))
    if way == MATRIX:
        return quaternion_of_matrix(jnp.asarray(values))
    if way == TURNED:
        return quaternion_of_matrix(transpose(jnp.asarray(values)))
    return of_sequence(way, jnp.asarray(values))
