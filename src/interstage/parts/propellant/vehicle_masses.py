"""Masses, centres of mass and inertias of all bodies at one time. Draining tanks and jettisons are
included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.layout import Layout
from ...engine.numbers import Numbers, Totals
from ...maths.arrays import jnp, jvp
from . import tank_masses
from .elements import Container

if TYPE_CHECKING:
    from .flown import Streams


def of(layout: Layout) -> Streams:
    """Return the model of mass items and engines in a layout."""
    part: Any = layout.parts["streams"]
    return part


def first_left(layout: Layout, scenario: Any, lanes: int = 0):
    """Return the propellant in each tank at the start [kg], (tank, *cases), or (tank, 1) if the cases do not
    differ.

    `lanes`: number of case axes, 0 or 1.
    """
    parts = [tank_masses.at_start(body.elements, lanes) for body in scenario.bodies]
    size = jnp.broadcast_shapes(*(part.shape[1:] for part in parts))
    return jnp.concatenate([jnp.broadcast_to(part, (part.shape[0], *size)) for part in parts])


def totals(layout: Layout, numbers: Numbers, left, attached) -> Totals:
    """Return the mass properties of all bodies.

    Mass (body) [kg], centre of mass (3, body) [m] in structural coordinates, and inertia (3, 3, body) [kg
    m^2] about this centre. Case axes follow the axes in parentheses.

    `left` (tank, *cases) [kg]: propellant in each tank. `attached` (element, *cases): 1 if the mass item is
    still carried, otherwise 0.
    """
    dry = numbers.dry
    found = []
    for k, ready in enumerate(numbers.own["streams"].elements):
        tanks = _tanks(layout, k)
        items = [e for e, (body, _) in enumerate(of(layout).elements) if body == k]
        own = Totals(dry.mass[k], dry.centre[:, k], dry.inertia[:, :, k])
        now = tank_masses.totals(ready, own, part(left, tanks), part(attached, items))
        found.append(now)
    lanes = jnp.broadcast_shapes(left.shape[1:], *(f.mass.shape for f in found))
    return Totals(
        jnp.stack([jnp.broadcast_to(f.mass, lanes) for f in found]),
        jnp.stack([jnp.broadcast_to(f.centre, (3, *lanes)) for f in found], 1),
        jnp.stack([jnp.broadcast_to(f.inertia, (3, 3, *lanes)) for f in found], 2),
    )


def _tanks(layout: Layout, body: int) -> list[int]:
    """Indices of the tanks of a body."""
    return [t for t, (k, _) in enumerate(of(layout).tanks) if k == body]


def centre(layout: Layout, numbers: Numbers, body: int, left):
    """Return the centre of mass of one body with all mass items (3, *cases) [m], structural coordinates.

    `left` (tank, *cases) [kg]: propellant in each tank of the scenario.
    """
    dry, ready = numbers.dry, numbers.own["streams"].elements[body]
    own = Totals(dry.mass[body], dry.centre[:, body], dry.inertia[:, :, body])
    return tank_masses.totals(ready, own, part(left, _tanks(layout, body))).centre


def propellant_of(layout: Layout, numbers: Numbers, body: int, left):
    """Return the propellant in all mass items of one body [kg] (*cases).

    `left` (tank, *cases) [kg]: propellant in each tank of the scenario.
    """
    ready, own = numbers.own["streams"].elements[body], part(left, _tanks(layout, body))
    return sum(
        tank_masses.left_in(ready, own, e)
        for e, element in enumerate(ready.elements)
        if isinstance(element, Container)
    )


def drain_rate(layout: Layout, body: int, drain):
    """Return the rate of the propellant mass of one body [kg/s] (*cases).

    `drain` (tank, *cases) [kg/s]: rate of the propellant in each tank of the scenario.
    """
    return jnp.sum(part(drain, _tanks(layout, body)), 0)


def part(values, numbers: list[int]):
    """Return the rows of `values` (item, *cases) from the first to the last index in `numbers`. The indices
    must be consecutive.
    """
    return values[numbers[0] : numbers[-1] + 1] if numbers else values[:0]


def rates(layout: Layout, numbers: Numbers, left, attached, drain) -> Totals:
    """Return the time derivatives of the results of `totals`.

    `drain` (tank, *cases) [kg/s]: rate of the propellant in each tank.
    """
    return jvp(lambda now: totals(layout, numbers, now, attached), (left,), (drain,))[1]


def laden(layout: Layout, scenario: Any, dry: Totals, lanes: int) -> Totals:
    """Return the mass properties of the bodies with all mass items at the start.

    `dry`: mass properties without mass items. `lanes`: number of case axes.
    """
    found = []
    for k, body in enumerate(scenario.bodies):
        own = Totals(dry.mass[k], dry.centre[:, k], dry.inertia[:, :, k])
        left = tank_masses.at_start(body.elements, lanes)
        found.append(tank_masses.totals(tank_masses.prepare(body.elements), own, left))
    return Totals(
        *(
            jnp.stack(jnp.broadcast_arrays(*parts), axis)
            for axis, parts in enumerate(zip(*found, strict=True))
        )
    )
