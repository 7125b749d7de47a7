"""Masses, mass centres and inertias of all bodies at one instant, where propellant drains or parts are
dropped, and the arms that move with the mass centres.

Points stay where the structure is: only the arms to them change."""

from __future__ import annotations

from typing import Any

from ...engine.layout import Layout
from ...engine.numbers import Numbers, arms, inverted
from ...maths.arrays import jnp, jvp
from . import mass_properties
from .mass_properties import Totals


def first_left(layout: Layout, scenario: Any, lanes: int = 0):
    """Propellant in each tank at the start (tank, *lanes or 1) [kg]."""
    parts = [mass_properties.at_start(body.elements, lanes) for body in scenario.bodies]
    size = jnp.broadcast_shapes(*(part.shape[1:] for part in parts))
    return jnp.concatenate([jnp.broadcast_to(part, (part.shape[0], *size)) for part in parts])


def totals(layout: Layout, numbers: Numbers, left, attached) -> Totals:
    """Mass (body), mass centre (3, body) in drawing coordinates, inertia (3, 3, body) about it, lanes last.

    left (tank, *lanes): propellant in each tank [kg]; attached (element, *lanes): 1 for what is still
    carried."""
    dry = numbers.dry
    found = []
    for k, ready in enumerate(numbers.elements):
        tanks = [t for t, (body, _) in enumerate(layout.tanks) if body == k]
        items = [e for e, (body, _) in enumerate(layout.elements) if body == k]
        own = Totals(dry.mass[k], dry.centre[:, k], dry.inertia[:, :, k])
        now = mass_properties.totals(ready, own, part(left, tanks), part(attached, items))
        found.append(now)
    lanes = jnp.broadcast_shapes(left.shape[1:], *(f.mass.shape for f in found))
    return Totals(
        jnp.stack([jnp.broadcast_to(f.mass, lanes) for f in found]),
        jnp.stack([jnp.broadcast_to(f.centre, (3, *lanes)) for f in found], 1),
        jnp.stack([jnp.broadcast_to(f.inertia, (3, 3, *lanes)) for f in found], 2),
    )


def part(values, numbers: list[int]):
    """Some of (item, *lanes), which follow on each other."""
    return values[numbers[0] : numbers[-1] + 1] if numbers else values[:0]


def rates(layout: Layout, numbers: Numbers, left, attached, drain) -> Totals:
    """Rates of `totals` [.../s] where the tanks change at the rates `drain` (tank, *lanes) [kg/s]."""
    return jvp(lambda now: totals(layout, numbers, now, attached), (left,), (drain,))[1]


def massed(layout: Layout, numbers: Numbers, left, attached) -> Numbers:
    """The numbers with the masses of one instant, and the arms from their mass centres."""
    now = totals(layout, numbers, left, attached)
    pairs = layout.scenario.joints, layout.springs, layout.pushers
    (arm_a, arm_b), (spring_a, spring_b), (push_a, push_b) = (
        arms(layout, of, ends, now.centre) for of, ends in zip(pairs, numbers.ends, strict=True)
    )
    return numbers._replace(
        mass=now.mass,
        inertia=now.inertia,
        inertias=inverted(now.mass, now.inertia, layout.ground),
        centre=now.centre,
        arm_a=arm_a,
        arm_b=arm_b,
        spring_a=spring_a,
        spring_b=spring_b,
        push_a=push_a,
        push_b=push_b,
    )
