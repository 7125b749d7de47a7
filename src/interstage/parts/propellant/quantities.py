"""Quantities of engines, of elements of mass, and of bodies that have some."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Items, Quantity, makers, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from ...maths.vectors import cross, dot, norm
from ...model.attachments import select
from ...record.record import QuantityMeta
from ..control.signals import signals
from . import slosh, slosh_law
from .engines import Motor
from .masses import of as structure
from .slosh import Sloshing
from .slosh_models import Pendulum
from .streams import Streams

TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


def mass_quantities(layout: Layout) -> Makers:
    """Quantities of engines, of elements of mass, and of the bodies that have some."""
    elements = {
        _path(layout, *place): partial(_of_element, layout, *place) for place in structure(layout).elements
    }
    changing = dict.fromkeys(body for body, _ in structure(layout).elements)
    bodies = {f"bodies.{layout.bodies[k]}": partial(_of_body, k, layout.bodies[k]) for k in changing}
    return bodies | elements | makers("engines", layout.scenario.engines, _of_engine)


def _path(layout: Layout, body: int, place: int) -> str:
    return f"bodies.{layout.bodies[body]}.elements.{layout.scenario.bodies[body].elements[place].name}"


def _of_engine(e: int, engine: Any) -> dict[str, Quantity]:
    """Quantities of engine or motor e."""
    axes, of = f"{engine.body} structure axes", partial(_item, e)
    burning = partial(_burning, isinstance(engine, Motor))
    found = {
        "thrust": scalar_quantity("N", "thrust", of(_thrust)),
        "mass_flow": scalar_quantity("kg/s", "mass flow", of(_mass_flow)),
        "force": vector_quantity("N", f"thrust on {engine.body}", axes, "nozzle exit", of(_force)),
        "fraction": scalar_quantity("1", "start transient times tail-off", of(_fraction)),
        "burning": scalar_quantity("1", "state (1 burning, 0 not)", lambda m: burning(m, e)),
    }
    if engine.gimbal is not None:
        names = engine.gimbal.pitch, engine.gimbal.yaw
        meta = QuantityMeta("rad", "gimbal angles, without the cant", "", ("pitch", "yaw"))
        found["gimbal"] = Quantity(meta, lambda m: _angles(m, names))
    return found


def _of_element(layout: Layout, body: int, place: int) -> dict[str, Quantity]:
    """Quantities of an element of a body's mass."""
    number = structure(layout).elements.index((body, place))
    carried = scalar_quantity("1", "state (1 carried, 0 dropped)", _item(number, _attached))
    if (body, place) not in structure(layout).tanks:
        return {"attached": carried}
    tank = structure(layout).tanks.index((body, place))
    left = _item(tank, _left)
    return {"left": scalar_quantity("kg", "propellant left", left), "attached": carried}


def slosh_quantities(layout: Layout) -> Makers:
    """Quantities of the slosh masses, with those of their tanks."""
    return {_path(layout, *place): partial(_of_slosh, layout, *place) for place in structure(layout).sloshing}


def _of_slosh(layout: Layout, body: int, place: int) -> dict[str, Quantity]:
    number = structure(layout).sloshing.index((body, place))
    axes, of = f"{layout.bodies[body]} structure axes", partial(_item, number)
    found = {
        "slosh_mass": scalar_quantity("kg", "slosh mass", of(_slosh_mass)),
        "slosh_displacement": vector_quantity(
            "m",
            "displacement of the slosh mass",
            axes,
            "its place of rest",
            of(_slosh_displacement),
        ),
        "slosh_velocity": vector_quantity(
            "m/s",
            "velocity of the slosh mass relative to the body",
            axes,
            "",
            of(_slosh_velocity),
        ),
        "slosh_force": vector_quantity(
            "N", "force of the slosh mass on the tank", axes, "slosh mass", of(_slosh_force)
        ),
    }
    tank: Any = layout.scenario.bodies[body].elements[place]
    if isinstance(tank.slosh, Pendulum):
        found["slosh_angle"] = scalar_quantity(
            "rad", "angle of the pendulum from the tank's axis", of(_slosh_angle)
        )
    return found


def _of_body(k: int, name: str) -> dict[str, Quantity]:
    """What a body with elements of mass has besides."""
    axes, of = f"{name} structure axes", partial(_item, k)
    tensor = QuantityMeta("kg m^2", "inertia tensor", axes, TENSOR, "mass centre")
    return {
        "mass_rate": scalar_quantity("kg/s", "rate of the mass", of(_mass_rate)),
        "mass_centre": vector_quantity(
            "m",
            "mass centre",
            axes,
            "drawing zero",
            of(_mass_centre),
        ),
        "inertia": Quantity(tensor, of(_inertia)),
    }


def streams_of(m: Here) -> Streams:
    """The engines at work, of which there are some, or tanks."""
    return m["streams"]


def sloshing_of(m: Here) -> Sloshing:
    """The slosh masses, of which there are some."""
    return m["slosh"]


def _slosh_force(m: Here, k):
    return select(slosh.force(m.mechanism, sloshing_of(m), m.motion, m.acceleration), k, 1)


def _slosh_mass(m: Here, k):
    return select(sloshing_of(m).mass, k, 0)


def _slosh_displacement(m: Here, k):
    return select(sloshing_of(m).apart, k, 1)


def _slosh_velocity(m: Here, k):
    return select(sloshing_of(m).speed, k, 1)


def _slosh_angle(m: Here, k):
    """Between the pendulum and the tank's axis, from its bottom on; exact for small angles and large ones."""
    hanging = select(sloshing_of(m).coordinate, k, 1)
    places = [structure(m.equations.layout).sloshing[n] for n in k]
    ready = [m.mechanism.numbers.own["streams"].elements[body].slosh[place] for body, place in places]
    axes = [jnp.broadcast_to(slosh_law.upright(one, m.t), (3, *m.t.shape)) for one in ready]
    along = jnp.stack(axes, 1)
    return jnp.arctan2(norm(cross(along, hanging)), -dot(along, hanging))


def _item(number: int, function: Any) -> Items:
    return Items(function, (number,))


def _thrust(m: Here, k):
    return select(streams_of(m).thrust, k, 0)


def _mass_flow(m: Here, k):
    return select(streams_of(m).flow, k, 0)


def _fraction(m: Here, k):
    return select(streams_of(m).fraction, k, 0)


def _angles(m: Here, names):
    commands = signals(m)
    return jnp.stack([jnp.zeros_like(m.t) if name is None else commands[name] for name in names])


def _attached(m: Here, k):
    return select(m.discrete.own["streams"].attached, k, 0)


def _left(m: Here, k):
    return select(m.equations.own("streams", m.x), k, 0)


def _mass_rate(m: Here, k):
    return select(streams_of(m).mass_rate, k, 0)


def _mass_centre(m: Here, k):
    return select(m.mechanism.numbers.centre, k, 1)


def _force(m: Here, k):
    found = streams_of(m)
    return select(found.direction, k, 1) * select(found.thrust, k, 0)


def _burning(motor: bool, m: Here, e: int):
    """A motor burns while its trace lasts, an engine from its ignition to the end of its tail-off."""
    burns = streams_of(m).fraction[e] > 0
    if not motor:
        own = m.discrete.own["streams"]
        burns = burns | ((m.t >= own.ignited[e]) & jnp.isinf(own.cut[e]))
    return jnp.where(burns, 1.0, 0.0)


def _inertia(m: Here, k):
    own = select(m.mechanism.numbers.inertia, k, 2)
    return jnp.stack([own["xyz".index(a), "xyz".index(b)] for a, b in TENSOR])
