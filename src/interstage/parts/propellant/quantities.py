"""Output quantities of engines, of mass items, and of bodies with mass items."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.joined import body_masses, over_stack
from ...engine.layout import Layout
from ...engine.quantity import Items, Quantity, makers, scalar_quantity, vector_quantity
from ...environment import gravity_field
from ...environment.gravity import NoGravity
from ...maths.arrays import jnp
from ...maths.vectors import cross, dot, norm, rotate
from ...model.attachments import pick, select
from ...record.record import QuantityMeta
from ..control.signals import signals
from . import slosh, slosh_law
from .engines import Motor
from .slosh import Sloshing
from .slosh_models import Pendulum
from .streams import Streams
from .vehicle_masses import of as structure

TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


def mass_quantities(layout: Layout) -> Makers:
    """Return the output quantities of engines, of mass items, and of bodies with mass items."""
    elements = {
        _path(layout, *place): partial(_of_element, layout, *place) for place in structure(layout).elements
    }
    changing = dict.fromkeys(body for body, _ in structure(layout).elements)
    bodies = {f"bodies.{layout.bodies[k]}": partial(_of_body, k, layout.bodies[k]) for k in changing}
    if layout.scenario.engines and not isinstance(layout.scenario.gravity, NoGravity):
        bodies |= {
            f"bodies.{body}": _and(bodies, f"bodies.{body}", k) for k, body in enumerate(layout.bodies)
        }
    return bodies | elements | makers("engines", layout.scenario.engines, _of_engine)


def _and(bodies: dict[str, Any], path: str, k: int) -> Any:
    """Function for the quantities of a body with mass items, with thrust over weight if there are
    engines."""
    own = bodies.get(path, dict)
    return lambda: (
        own()
        | {
            "thrust_to_weight": scalar_quantity(
                "1", "thrust divided by the weight of the stack", _item(k, _over_weight)
            )
        }
    )


def _path(layout: Layout, body: int, place: int) -> str:
    return f"bodies.{layout.bodies[body]}.elements.{layout.scenario.bodies[body].elements[place].name}"


def _of_engine(e: int, engine: Any) -> dict[str, Quantity]:
    """Quantities of engine or motor e."""
    axes, of = f"{engine.body} structural axes", partial(_item, e)
    burning = partial(_burning, isinstance(engine, Motor))
    found = {
        "thrust": scalar_quantity("N", "thrust", of(_thrust)),
        "mass_flow": scalar_quantity("kg/s", "mass flow", of(_mass_flow)),
        "force": vector_quantity("N", f"thrust on {engine.body}", axes, "nozzle exit", of(_force)),
        "fraction": scalar_quantity("1", "product of start transient and tail-off", of(_fraction)),
        "burning": scalar_quantity("1", "state (1 burning, 0 not)", lambda m: burning(m, e)),
    }
    if engine.gimbal is not None:
        names = engine.gimbal.pitch, engine.gimbal.yaw
        meta = QuantityMeta("rad", "gimbal angles, without the cant", "", ("pitch", "yaw"))
        found["gimbal"] = Quantity(meta, lambda m: _angles(m, names))
    return found


def _of_element(layout: Layout, body: int, place: int) -> dict[str, Quantity]:
    """Quantities of a mass item."""
    number = structure(layout).elements.index((body, place))
    carried = scalar_quantity("1", "state (1 carried, 0 jettisoned)", _item(number, _attached_flag))
    if (body, place) not in structure(layout).tanks:
        return {"attached": carried}
    tank = structure(layout).tanks.index((body, place))
    left = _item(tank, _propellant_left)
    return {"left": scalar_quantity("kg", "propellant left", left), "attached": carried}


def slosh_quantities(layout: Layout) -> Makers:
    """Return the output quantities of the slosh masses, grouped with their tanks."""
    return {_path(layout, *place): partial(_of_slosh, layout, *place) for place in structure(layout).sloshing}


def _of_slosh(layout: Layout, body: int, place: int) -> dict[str, Quantity]:
    number = structure(layout).sloshing.index((body, place))
    axes, of = f"{layout.bodies[body]} structural axes", partial(_item, number)
    found = {
        "slosh_mass": scalar_quantity("kg", "slosh mass", of(_slosh_mass)),
        "slosh_displacement": vector_quantity(
            "m",
            "displacement of the slosh mass",
            axes,
            "its rest position",
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
    """Additional quantities of a body with mass items."""
    axes, of = f"{name} structural axes", partial(_item, k)
    tensor = QuantityMeta("kg m^2", "inertia tensor", axes, TENSOR, "centre of mass")
    return {
        "mass_rate": scalar_quantity("kg/s", "rate of change of the mass", of(_mass_rate)),
        "mass_centre": vector_quantity(
            "m",
            "centre of mass",
            axes,
            "drawing zero",
            of(_mass_centre),
        ),
        "inertia": Quantity(tensor, of(_inertia)),
    }


def streams_of(m: Here) -> Streams:
    """Return the thrusts and streams at one time. The scenario must have engines or tanks."""
    return m["streams"]


def sloshing_of(m: Here) -> Sloshing:
    """Return the slosh masses at one time. The scenario must have slosh masses."""
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
    """Angle of the pendulum from its rest direction. It is exact for small and large angles."""
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


def _over_weight(m: Here, k):
    """Magnitude of the total thrust on the stack of a body over the weight of the stack."""
    found, layout = streams_of(m), m.equations.layout
    owners = np.array([layout.body(engine.body) for engine in layout.scenario.engines])
    turn = pick(m.motion.rotation, owners, 2)
    thrusts = rotate(turn, found.direction) * found.thrust
    own = [jnp.sum(pick(thrusts, np.flatnonzero(owners == n), 1), 1) for n in range(layout.count)]
    mass = body_masses(m)
    scenario, places = m.equations.scenario, m.origin[:, None] + m.motion.position[:, : layout.count]
    pull = gravity_field.acceleration(scenario.gravity, scenario.planet, m.t, places)
    thrust, weight = (over_stack(m, each, k) for each in (jnp.stack(own, 1), mass * pull))
    return norm(thrust) / norm(weight)


def _fraction(m: Here, k):
    return select(streams_of(m).fraction, k, 0)


def _angles(m: Here, names):
    commands = signals(m)
    return jnp.stack([jnp.zeros_like(m.t) if name is None else commands[name] for name in names])


def _attached_flag(m: Here, k):
    return select(m.discrete.own["streams"].attached, k, 0)


def _propellant_left(m: Here, k):
    return select(m.own("streams"), k, 0)


def _mass_rate(m: Here, k):
    return select(streams_of(m).mass_rate, k, 0)


def _mass_centre(m: Here, k):
    return select(m.mechanism.numbers.centre, k, 1)


def _force(m: Here, k):
    found = streams_of(m)
    return select(found.direction, k, 1) * select(found.thrust, k, 0)


def _burning(motor: bool, m: Here, e: int):
    """State of an engine or motor. A motor burns during its trace, an engine from its ignition to the end of
    its tail-off."""
    burns = streams_of(m).fraction[e] > 0
    if not motor:
        own = m.discrete.own["streams"]
        burns = burns | ((m.t >= own.ignited[e]) & jnp.isinf(own.cut[e]))
    return jnp.where(burns, 1.0, 0.0)


def _inertia(m: Here, k):
    own = select(m.mechanism.numbers.inertia, k, 2)
    return jnp.stack([own["xyz".index(a), "xyz".index(b)] for a, b in TENSOR])
