"""Attitudes that guidance laws ask for, as pure functions of what they see.

`prepare` makes a law ready once, `stance` gives its attitude at an instant, `asked` the angles that it goes
by, for reports."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.rotations import matrix_of, multiply, quaternion_of_matrix, spin_of_sequence
from ...maths.vectors import cross, dot, norm, rotate_back
from ..control.gain_schedule import beside
from . import functions
from .declared import ROTATIONS, AngleGuidance, DirectionGuidance, functions_of
from .stance import AXES, Stance, View

PARALLEL = 1e-9
"""Sine of the angle between body x and the direction wanted of y below which that says nothing."""


class Ready(NamedTuple):
    """A law made ready: as declared, and its numbers and functions by field."""

    law: Any
    functions: dict[str, functions.Ready]


def prepare(law: Any) -> Ready:
    """Make a law ready. Leaves may be traced, and may have lanes."""
    return Ready(law, {name: functions.prepare(one) for name, one in functions_of(law).items()})


def stance(ready: Ready, view: View) -> Stance:
    """The attitude that a law asks for."""
    return _STANCES[type(ready.law)](ready, view)


def asked(ready: Ready, view: View) -> dict[str, Any]:
    """The angles that a law goes by [rad] (*lanes), by field."""
    named = ready.functions.items()
    return {
        name: functions.at(one, view)[0] for name, one in named if not functions.components_of(one.declared)
    }


# --- three angles -------------------------------------------------------------------------------------------


def _by_angles(ready: Ready, view: View) -> Stance:
    law = ready.law
    order = [ROTATIONS[digit] for digit in law.sequence.split("-")]
    values, rates = zip(*(functions.at(ready.functions[name], view) for name in order), strict=True)
    base, turning = AXES[law.axes](view)
    known = turning is not None and all(rate is not None for rate in rates)
    spin, turns = spin_of_sequence(law.sequence, jnp.stack(values), jnp.stack(rates if known else values))
    attitude = multiply(base, turns)
    return Stance(attitude, spin + rotate_back(matrix_of(attitude), turning) if known else None)


# --- directions ---------------------------------------------------------------------------------------------


def pointing(direction: Any, right: Any, moving: Any = None) -> Stance:
    """The attitude with x along a direction (3, ...) and y as near to `right` as that allows; where the two
    are parallel y is across the axis that x is farthest from. moving: rate of the direction, None unknown."""
    size = norm(direction)
    x = direction / size
    along = dot(right, x)
    across = right - along * x
    clear = norm(across) > PARALLEL * norm(right)
    farthest = jnp.argmin(jnp.abs(x), 0)
    axis = jnp.stack([(farthest == k).astype(float) for k in range(3)])
    across = jnp.where(clear, across, cross(axis, x))
    y = across / norm(across)
    z = cross(x, y)
    spin = None
    if moving is not None:
        # Of body axes with columns x, y, z the rates are z . dy/dt, x . dz/dt and y . dx/dt.
        about_y, about_z = -dot(moving, z) / size, dot(moving, y) / size
        about_x = jnp.where(clear, along * about_y / norm(across), 0.0)
        spin = jnp.stack([about_x, about_y, about_z])
    return Stance(quaternion_of_matrix(jnp.stack([x, y, z], 1)), spin)


def _by_direction(ready: Ready, view: View) -> Stance:
    right = jnp.broadcast_to(beside(ready.law.right, view.time), (3, *view.time.shape))
    direction, moving = functions.at(ready.functions["direction"], view)
    return pointing(direction, right, moving)


_STANCES = {AngleGuidance: _by_angles, DirectionGuidance: _by_direction}


# --- kinks and times ----------------------------------------------------------------------------------------


def knots_in_time(ready: Ready, begin: Any) -> list[Any]:
    """Points in flight time [s] (n, *lanes) of tables over time. begin [s] (*lanes): of "elapsed"."""
    return [p for one in ready.functions.values() for p in functions.knots_in_time(one, begin)]


def places(ready: Ready, view: View) -> list[Any]:
    """Where quantities are among the kinks of the tables that go by them."""
    return [p for one in ready.functions.values() for p in functions.place(one, view)]
