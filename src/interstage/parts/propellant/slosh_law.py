"""Parameters of a slosh mass as functions of the propellant left, and the first lateral mode of a cylinder.
`slosh_models` has the declarations."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.vectors import add_axes, norm
from .slosh_models import ROOT, Pendulum

SHALLOW = 0.1
"""Limit of the liquid depth, in radii. Below this limit, the closed form uses a blended depth that is at
least a quarter of the limit.

Without this blending, the pendulum would become infinitely long at zero depth.
"""


class Law(NamedTuple):
    """Parameters of a slosh mass at one fill level of its tank, each (*cases) if not stated otherwise.

    - `mass` [kg].
    - `base` (3, *cases) [m]: hinge of a pendulum or rest position of a spring mass, structural coordinates.
    - `scale` [m]: length of the pendulum; 1 for a spring mass.
    - `stiffness` [1/s^2], `damping` [1/s]: stiffness of the springs and coefficient of the damper, per mass.
    """

    mass: Any
    base: Any
    scale: Any
    stiffness: Any
    damping: Any


class Ready(NamedTuple):
    """Prepared slosh mass.

    - model, tank: declarations of the slosh model and of its tank.
    - tables: interpolation knots of share, of length or frequency, and of hinge or place. None for a cylinder
      without a table.
    """

    model: Any
    tank: Any
    tables: Any


def prepare(tank: Any) -> Ready | None:
    """Return the prepared slosh mass of a tank; None without slosh. The numeric fields of the tank can be JAX
    tracers and can have case axes.
    """
    model = getattr(tank, "slosh", None)
    if model is None:
        return None
    if not model.is_tabulated:
        return Ready(model, tank, None)
    where = jnp.zeros(1) if model.left is None else model.left
    columns = (model.share, *model.columns().values())
    kind, vector = model.interpolation, len(columns) - 1
    return Ready(
        model,
        tank,
        tuple(
            interpolation.knots(where, column, kind, components=int(k == vector))
            for k, column in enumerate(columns)
        ),
    )


def upright(ready: Ready, like: Any) -> Any:
    """Return the unit vector of the tank's axis (3, *cases), structural axes. The result has the case axes of
    the array `like` (*cases).
    """
    axis = _leaf(ready.tank.axis, like, 1)
    return axis / norm(axis)


def law(ready: Ready, left: Any) -> Law:
    """Return the parameters of a slosh mass. `left` (*cases) [kg]: propellant in its tank."""
    model = ready.model
    swings = isinstance(model, Pendulum)
    ratio, apparent = (_leaf(value, left) for value in (model.damping_ratio, model.acceleration))
    if ready.tables is None:
        share, length, height = cylinder(*_depth(ready, left))
        radius = _leaf(ready.tank.radius, left)
        along, length = upright(ready, left), length * radius
        base = _leaf(ready.tank.bottom, left, 1) + along * (height * radius + (length if swings else 0.0))
        rate = jnp.sqrt(apparent / length)
    else:
        share, second = (interpolation.look_up(table, left) for table in ready.tables[:2])
        base = interpolation.look_up(ready.tables[2], left, 1)
        length, rate = (second, jnp.sqrt(apparent / second)) if swings else (None, second)
    found = Law(
        share * left,
        base,
        length if swings else 1.0,
        0.0 if swings else rate**2,
        2 * ratio * rate,
    )
    lanes = jnp.broadcast_shapes(left.shape, base.shape[1:])
    return Law(*(jnp.broadcast_to(v, (3, *lanes) if n == 1 else lanes) for n, v in enumerate(found)))


def _depth(ready, left):
    """Depth of the liquid in a cylinder, in radii, and the blended depth, which is always above zero."""
    radius = _leaf(ready.tank.radius, left)
    depth = left / (_leaf(ready.tank.density, left) * math.pi * radius**3)
    part = interpolation.clamp(depth / SHALLOW, 0.0, jnp.inf)
    return depth, jnp.where(part < 1, SHALLOW * (part + jnp.where(part < 1, 1 - part, 0.0) ** 4 / 4), depth)


def cylinder(depth: Any, shallow: Any) -> tuple[Any, Any, Any]:
    """Return parameters of the first lateral mode of a liquid in an upright cylinder, which is modelled as a
    pendulum.

    The results are the ratio of slosh mass to liquid mass, the length of the pendulum, and the height of the
    slosh mass at rest above the bottom. Lengths are in radii. `depth`: depth of the liquid, in radii.
    `shallow`: blended depth, in radii, above zero. With x = ROOT depth, the results are 2 tanh x / (x (ROOT^2
    - 1)), 1 / (ROOT tanh x), and depth - 2 tanh(x/2) / ROOT. The hinge is one pendulum length above the mass.

    Source: H. N. Abramson (ed.), The Dynamic Behavior of Liquids in Moving Containers, NASA SP-106, 1966, and
    F. T. Dodge's revision of 2000; docs/decisions/0011-slosh.md has the form and the verification.
    """
    x = ROOT * shallow
    share = 2 * jnp.tanh(x) / (x * (ROOT**2 - 1))
    return share, 1 / (ROOT * jnp.tanh(x)), depth - 2 * jnp.tanh(ROOT * depth / 2) / ROOT


def start(ready: Ready, left: Any) -> tuple[Any, Any]:
    """Return the initial coordinates of a slosh mass and their rates, each (3, *cases), structural axes.

    The coordinates are the direction of a pendulum [1], or the displacement of a spring mass [m]. `left`
    (*cases) [kg]: propellant in the tank.
    """
    along, now = upright(ready, left), law(ready, left)
    away, speed = (_leaf(value, left, 1) for value in (ready.model.displacement, ready.model.velocity))
    away, speed = (v - along * jnp.sum(v * along, 0) for v in (away, speed))
    if not isinstance(ready.model, Pendulum):
        return away, speed
    away = away / now.scale
    way = away - along * jnp.sqrt(1 - jnp.sum(away * away, 0))
    speed = speed / now.scale
    # The motion along the axis follows from the length.
    return way, speed - along * jnp.sum(way * speed, 0) / jnp.sum(way * along, 0)


def at_rest(ready: Ready, left: Any) -> Any:
    """Return the rest position of the slosh mass (3, *cases) [m], structural coordinates.

    `left` (*cases) [kg]: propellant in the tank.
    """
    now = law(ready, left)
    return now.base - upright(ready, left) * now.scale if isinstance(ready.model, Pendulum) else now.base


def _leaf(value, like, components: int = 0):
    return add_axes(jnp.asarray(value, float), components + like.ndim)
