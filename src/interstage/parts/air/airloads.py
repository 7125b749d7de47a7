"""Compute aerodynamic forces and moments on bodies from coefficients at the present flight state.

The velocity V = (u, v, w) is relative to the atmosphere, in aerodynamic axes (x forward, y right, z down).
Then alpha = atan2(w, u) and sin beta = v/|V| (ISO 1151-1).

Drag acts along -V. Lift acts perpendicular to V in the x-z plane, along (sin alpha, 0, -cos alpha). The x
axis of the wind axes is along V.

The aerodynamics entry selects the point that has the velocity V: the centre of mass or the reference point.
Moments about the reference point are transferred to the centre of mass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...environment.flight_path import angles_of
from ...environment.planet import safe_angle
from ...environment.surroundings import Surroundings, around, layers
from ...environment.surroundings import features as layer_features
from ...exchange.daveml_units import unit as written
from ...maths.arrays import jnp
from ...maths.interpolation import interval, smooth_step
from ...maths.rotations import matrix_of, quaternion_of
from ...maths.vectors import add_axes, cross, norm, product, rotate, rotate_back, transpose
from ...tree.unit_names import parse_unit
from ..control.signals import signals
from . import coefficient_table, function_model
from .declared import ACROSS, NAMES, variable_of

if TYPE_CHECKING:
    from ...engine.here import Here


class Aero(NamedTuple):
    """An aerodynamics entry, prepared for evaluation.

    - model: the entry of the scenario (`declared.Aerodynamics`).
    - tables: prepared coefficients, by name.
    - functions: prepared function model; None if the entry has none.
    - frame: rotation from aerodynamic to structural axes (3, 3, *cases); None if these axes are parallel.
    """

    model: Any
    tables: dict[str, coefficient_table.Ready]
    functions: function_model.Ready | None
    frame: Any


class Splines(NamedTuple):
    """Spline coefficients of the tables of one aerodynamics entry. Each array has the shape (coefficient,
    *points, *cases).

    - tables: arrays by name of the aerodynamic coefficient.
    - functions: arrays by name of the table in the function model.

    See `coefficient_table.numbers_of`.
    """

    tables: dict[str, Any]
    functions: dict[str, Any]


def splines_of(model: Any, lanes: int) -> Splines:
    """Return the spline coefficients of the tables of an aerodynamics entry.

    - model: the entry (`declared.Aerodynamics`).
    - `lanes`: number of case axes of its arrays, 0 or 1.
    """
    coefficients = model.coefficients.by_name()
    tables = {} if model.functions is None else {t.name: t.table for t in model.functions.tables}
    return Splines(*(_numbers_of(each, lanes) for each in (coefficients, tables)))


def _numbers_of(tables: Mapping[str, Any], lanes: int) -> dict[str, Any]:
    found = {name: coefficient_table.numbers_of(table) for name, table in tables.items()}
    return {name: own if lanes else own[..., 0] for name, own in found.items() if own is not None}


def ready_of(model: Any, splines: Splines, lanes: int) -> Aero:
    """Return an aerodynamics entry, prepared for evaluation.

    - model: the entry (`declared.Aerodynamics`).
    - splines: the result of `splines_of` for the entry.
    - `lanes`: number of case axes of its arrays, 0 or 1.
    """
    given = Splines(*({n: own if lanes else own[..., None] for n, own in each.items()} for each in splines))
    coefficients = model.coefficients.by_name().items()
    tables = {name: coefficient_table.prepare(c, given.tables.get(name)) for name, c in coefficients}
    functions = None if model.functions is None else function_model.prepare(model.functions, given.functions)
    frame = None if model.frame is None else matrix_of(quaternion_of(model.frame))
    return Aero(model, tables, functions, frame)


class Airload(NamedTuple):
    """The load of one aerodynamics entry, in the structural axes of the body.

    - force: aerodynamic force [N] (3, *cases).
    - torque: aerodynamic torque about the centre of mass [N m] (3, *cases).
    - coefficients: values of the coefficients by name, in the axes that the entry selects.
    """

    force: Any
    torque: Any
    coefficients: dict[str, Any]


class Stream(NamedTuple):
    """Relative flow at one body, in aerodynamic axes.

    - speed: airspeed [m/s] (*cases).
    - alpha, beta: angle of attack and angle of sideslip [rad] (*cases).
    - `turns`: sin alpha, cos alpha, sin beta, cos beta, each (*cases).
    - rates: angular velocity of the body [rad/s] (3, *cases).
    - pressure: dynamic pressure [Pa] (*cases).
    - wind: velocity of the body relative to the atmosphere [m/s] (3, *cases), inertial axes.
    - density: density of the atmosphere [kg/m^3] (*cases).
    """

    speed: Any
    alpha: Any
    beta: Any
    turns: tuple[Any, Any, Any, Any]
    rates: Any
    pressure: Any
    wind: Any
    density: Any


class Over(NamedTuple):
    """Inputs of the coefficients of one aerodynamics entry.

    - ready: the prepared entry.
    - past: the relative flow.
    - variables: the variables of the coefficients.
    - inputs: the inputs of the function model by name, in the units of the model.
    - weight: factor on the loads (*cases), from the blend range and the phases.
    - acting: whether the loads act (*cases), bool.
    """

    ready: Aero
    past: Stream
    variables: Variables
    inputs: dict[str, Any]
    weight: Any
    acting: Any


def conditions(here: Here) -> dict[str, Over]:
    """Return the inputs of the coefficients of each aerodynamics entry, by name of the entry."""
    signals(here)  # first: a throttle uses these loads, computed from quantities that do not depend on it
    return here.compute_once("air.conditions", lambda: dict(_conditions(here)))


def _conditions(here: Here) -> Iterator[tuple[str, Over]]:
    layout = here.equations.layout
    for ready in here.equations.numbers.own["air"]:
        model = ready.model
        air = _air(here, model)
        past = _stream_past(ready, here.motion, air, layout.bodies.index(model.body))
        variables = Variables(here, ready, air, past)
        weight = _weight(model, variables) * layout.acting(model, here.discrete)
        acting = jnp.broadcast_to(jnp.asarray(weight, float), here.t.shape) > 0
        inputs = dict(_inputs(ready, variables))
        yield model.name, Over(ready, past, variables, inputs, weight, acting)


def _inputs(ready: Aero, variables: Variables) -> Iterator[tuple[str, Any]]:
    for part in ready.model.functions.inputs if ready.functions is not None else ():
        variable = variable_of(ready.model, part.name)
        if variable is not None:
            yield part.name, variables[variable] / factor_of(part.unit)


def airloads(here: Here) -> dict[str, Airload]:
    """Return the load of each aerodynamics entry, by name of the entry."""
    over = conditions(here)
    return here.compute_once("air.loads", lambda: {name: _load(here, each) for name, each in over.items()})


def forces(here: Here) -> Any:
    """Return the aerodynamic forces on all bodies [N] (3, body, *cases), inertial axes."""
    layout = here.equations.layout
    total = jnp.zeros((3, layout.count, *here.t.shape))
    for name, over in conditions(here).items():
        k = layout.body(over.ready.model.body)
        column = (np.arange(layout.count) == k).reshape(-1, *(1,) * here.t.ndim)
        total = total + column * here.compute_once(f"air.force.{name}", partial(_force, here, over))[:, None]
    return total


def _force(here: Here, over: Over) -> Any:
    """Return the force of a declaration (3, *cases), inertial axes. Drag is along the velocity for any
    attitude; other forces are along the declared axes."""
    ready, past, model = over.ready, over.past, over.ready.model
    area, coefficients = model.area * model.factor * over.weight, _coefficients(over)
    force = jnp.zeros_like(past.wind)
    if "CD" in coefficients:
        drag = coefficients["CD"] * past.density * norm(past.wind)
        force = -0.5 * area * drag * past.wind
    others = {name: value for name, value in coefficients.items() if name in ACROSS}
    if others:
        body = here.equations.layout.bodies.index(model.body)
        own = past.pressure * area * _sum_coefficients(model, others, past)[0]
        force = force + rotate(_axes(ready, here.motion, body), own)
    return force


def distances_beyond(over: Over) -> dict[tuple[str, str], Any]:
    """Return the signed distance (*cases) of each variable beyond its table.

    The keys are (table, variable). If the loads do not act, the distances are zero.
    """
    found: dict[tuple[str, str], Any] = {}
    for name, table in over.ready.tables.items():
        found |= {
            (name, v): far for v, far in coefficient_table.distances_beyond(table, over.variables).items()
        }
    if over.ready.functions is not None:
        found |= function_model.distances_beyond(over.ready.functions, over.inputs)
    return _where_acting(over, found)


def places(here: Here, over: Over) -> dict[tuple[str, str], Any]:
    """Return the location (*cases) of each variable among the kinks of its table, by (table, variable).

    The result also contains the locations of the altitude among the layers of the atmosphere, with an empty
    table name. See `interpolation.place`.
    """
    found: dict[tuple[str, str], Any] = {}
    for name, table in over.ready.tables.items():
        found |= {(name, v): place for v, place in coefficient_table.places(table, over.variables).items()}
    if over.ready.functions is not None:
        found |= function_model.places(over.ready.functions, over.inputs)
    assert here.equations.numbers.surroundings is not None
    within = layers(here.equations.numbers.surroundings, over.variables["altitude"])
    return _where_acting(over, found | {("", str(k)): place for k, place in enumerate(within)})


def features(here: Here, over: Over) -> list[Any]:
    """Return the interval between table points that contains each variable (`interpolation.Interval`).

    The list also contains the interval of the blend range. If the flow is computed at the reference point,
    the list also contains the interval of the atmospheric layer at this point.
    """
    found: list[Any] = []
    for table in over.ready.tables.values():
        found += coefficient_table.features(table, over.variables).values()
    if over.ready.functions is not None:
        found += function_model.features(over.ready.functions, over.inputs).values()
    blend = over.ready.model.blend
    if blend is not None:
        ends = jnp.minimum(blend.full, blend.none), jnp.maximum(blend.full, blend.none)
        found.append(interval(jnp.stack(ends), over.variables[blend.over]))
    if over.ready.model.air_at != "mass_centre":
        assert here.equations.numbers.surroundings is not None
        found += layer_features(here.equations.numbers.surroundings, over.variables["altitude"])
    return found


def _where_acting(over: Over, found: dict[Any, Any]) -> dict[Any, Any]:
    return {key: jnp.where(over.acting, value, 0.0) for key, value in found.items()}


class _Air(NamedTuple):
    """The surroundings of several points, and the index of the point of a declaration."""

    surroundings: Surroundings
    place: int


def _air(here: Here, declared) -> _Air:
    """Return the atmosphere at the point of a declaration: the centre of mass or the reference point."""
    body = here.equations.layout.bodies.index(declared.body)
    if declared.air_at == "mass_centre":
        assert here.surroundings is not None
        return _Air(here.surroundings, body)
    arm = here.numbers.arm(declared.reference, body)
    motion = here.motion
    position, velocity = motion.position[:, body], motion.velocity[:, body]
    arm = rotate(motion.rotation[:, :, body], jnp.broadcast_to(arm, position.shape))
    place, rate = (
        here.origin + position + arm,
        here.origin_velocity + velocity + cross(motion.spin[:, body], arm),
    )
    ready = here.equations.numbers.surroundings
    assert ready is not None
    return _Air(around(ready, here.t, place[:, None], rate[:, None]), 0)


def _stream_past(ready: Aero, motion, air: _Air, body: int) -> Stream:
    """Return the flow past a body in the aerodynamic axes of a declaration."""
    turn = _axes(ready, motion, body)
    velocity = rotate_back(turn, air.surroundings.air_velocity[:, air.place])
    u, v, w = velocity
    speed, across = norm(velocity), norm(jnp.stack([u, w]))
    # Ratios of lengths are faster than sines and cosines.
    sa, ca = _ratios(w, u, across)
    sb, cb = _ratios(v, across, speed)
    return Stream(
        speed,
        safe_angle(w, u),
        safe_angle(v, across),
        (sa, ca, sb, cb),
        rotate_back(turn, motion.spin[:, body]),
        air.surroundings.dynamic_pressure[air.place],
        air.surroundings.air_velocity[:, air.place],
        air.surroundings.air.density[air.place],
    )


def _ratios(opposite, adjacent, length):
    """Return sine and cosine of an angle from the sides of its triangle. If both sides are zero, the angle is
    zero."""
    there = length > 0
    safe = jnp.where(there, length, 1.0)
    return jnp.where(there, opposite / safe, 0.0), jnp.where(there, adjacent / safe, 1.0)


def _axes(ready, motion, body):
    """Return the aerodynamic axes of a body in inertial components (3, 3, *cases)."""
    turn = motion.rotation[:, :, body]
    return turn if ready.frame is None else product(turn, add_axes(ready.frame, turn.ndim))


def _load(here: Here, over: Over) -> Airload:
    ready, past, model = over.ready, over.past, over.ready.model
    body = here.equations.layout.bodies.index(model.body)
    coefficients = _coefficients(over)
    force, moment = _sum_coefficients(model, coefficients, past)
    size = past.pressure * model.area * model.factor * over.weight
    force, moment = size * force, size * moment
    if ready.frame is not None:
        frame = add_axes(ready.frame, force.ndim + 1)
        force, moment = rotate(frame, force), rotate(frame, moment)
    if model.reference is not None:
        arm = here.numbers.arm(model.reference, body)
        moment = moment + cross(jnp.broadcast_to(arm, force.shape), force)
    return Airload(force, moment, coefficients)


class Variables(Mapping):
    """Mapping from the name of a variable to its value (*cases), in SI units. Each variable is computed on
    access.
    """

    def __init__(self, here: Here, ready, air: _Air, past: Stream):
        self.here, self.ready, self.t, self.motion = here, ready, here.t, here.motion
        self.surroundings, self.place, self.past, self.signals = *air, past, signals(here)
        self.body = here.equations.layout.bodies.index(ready.model.body)

    def __getitem__(self, name: str) -> Any:
        if name.startswith("relative."):
            return self._relative(name)
        if name in self.signals or name not in _VARIABLES:
            return self.signals[name]
        return _VARIABLES[name](self)

    def __iter__(self):
        return iter((*_VARIABLES, *self.signals))

    def __len__(self) -> int:
        return len(_VARIABLES) + len(self.signals)

    def _relative(self, name):
        """Return the position or attitude of another body relative to this body, in this body's aerodynamic
        axes."""
        _, other, what = name.split(".")
        k = self.here.equations.layout.bodies.index(other)
        turn = _axes(self.ready, self.motion, self.body)
        if what in ("roll", "pitch", "yaw"):
            there = self.motion.rotation[:, :, k]
            yaw, pitch, roll = angles_of("3-2-1", product(transpose(turn), there))
            return {"roll": roll, "pitch": pitch, "yaw": yaw}[what]
        gap = self._origin(k) - self._origin(self.body)
        if what == "distance":
            return norm(gap)
        return rotate_back(turn, gap)["xyz".index(what)]

    def _origin(self, k):
        """Return the origin of a body from the local origin, inertial axes."""
        arm = self.here.numbers.arm(self.here.equations.scenario.bodies[k].origin, k)
        place = self.motion.position[:, k]
        return place + rotate(self.motion.rotation[:, :, k], jnp.broadcast_to(arm, place.shape))


def _total_alpha(past):
    """Return the angle between x and the velocity relative to the atmosphere."""
    sa, ca, sb, cb = past.turns
    return safe_angle(norm(jnp.stack([sb, sa * cb])), ca * cb)


def _roll(past):
    """Return the angle about x, from z, of the velocity component perpendicular to x."""
    sa, _, sb, cb = past.turns
    return safe_angle(sb, sa * cb)


_VARIABLES = {
    "mach": lambda v: v.past.speed / v.surroundings.air.speed_of_sound[v.place],
    "alpha": lambda v: v.past.alpha,
    "beta": lambda v: v.past.beta,
    "total_alpha": lambda v: _total_alpha(v.past),
    "aerodynamic_roll": lambda v: _roll(v.past),
    "altitude": lambda v: v.surroundings.altitude[v.place],
    "airspeed": lambda v: v.past.speed,
    "dynamic_pressure": lambda v: v.past.pressure,
    "reynolds": lambda v: (
        v.surroundings.air.density[v.place]
        * v.past.speed
        * v.ready.model.length
        / v.surroundings.air.viscosity[v.place]
    ),
    "roll_rate": lambda v: v.past.rates[0],
    "pitch_rate": lambda v: v.past.rates[1],
    "yaw_rate": lambda v: v.past.rates[2],
    "time": lambda v: v.t,
}


def _coefficients(over: Over) -> dict[str, Any]:
    """Return the coefficients by name. Coefficients of loads that do not act are zero."""
    ready, found = over.ready, {}
    for name, table in ready.tables.items():
        found[name] = coefficient_table.look_up(table, over.variables)
    if ready.functions is not None:
        outputs = function_model.evaluate(ready.functions, over.inputs)
        factors = {one.name: factor_of(one.unit) for one in ready.model.functions.outputs}
        found |= {link.of: _times(outputs[link.name], factors[link.name]) for link in ready.model.outputs}
    return _where_acting(over, found)


def _times(value: Any, factor: float) -> Any:
    """Return a value in SI. Most outputs are pure numbers, which need no conversion."""
    return value if factor == 1 else value * factor


def factor_of(unit: str) -> float:
    """Return the size of a unit of a function model in SI units."""
    return parse_unit(written(unit))[0] if unit else 1.0


def _sum_coefficients(model, coefficients: dict[str, Any], past: Stream):
    """Return force and moment per dynamic pressure and area (3, *cases), in aerodynamic body axes. The moment
    has the unit m."""
    c = {name: coefficients.get(name, 0.0) for name in NAMES}
    sa, ca, sb, cb = past.turns
    moving = past.speed > 0
    twice = 2 * jnp.where(moving, past.speed, 1.0)
    span = model.length if model.span is None else model.span
    rates = past.rates * jnp.where(moving, 1 / twice, 0.0)
    p, q, r = _from_body(model.axes, rates, (sa, ca, sb, cb))
    p, q, r = p * span, q * model.length, r * span
    side = c["CY"] + c["CYr"] * r
    across = jnp.stack(jnp.broadcast_arrays(0.0 * sa, side, 0.0 * sa))
    if model.axes == "wind":
        across = _to_body("wind", across, (sa, ca, sb, cb))
    force = across + jnp.stack(
        [
            c["CX"] - c["CA"] - c["CD"] * ca * cb + c["CL"] * sa,
            -c["CD"] * sb,
            c["CZ"] - c["CN"] - c["CNq"] * q - c["CD"] * sa * cb - c["CL"] * ca,
        ]
    )
    moment = jnp.stack(
        jnp.broadcast_arrays(
            span * (c["Cl"] + c["Clp"] * p + c["Clr"] * r),
            model.length * (c["Cm"] + c["Cmq"] * q),
            span * (c["Cn"] + c["Cnp"] * p + c["Cnr"] * r),
        )
    )
    return force, _to_body(model.axes, jnp.broadcast_to(moment, force.shape), (sa, ca, sb, cb))


def _to_body(axes: str, vector, turns):
    """Return the components along aerodynamic body axes of a vector in other axes."""
    sa, ca, sb, cb = turns
    x, y, z = vector
    if axes == "wind":
        x, y = cb * x - sb * y, sb * x + cb * y
    if axes != "body":
        x, z = ca * x - sa * z, sa * x + ca * z
    return jnp.stack([x, y, z])


def _from_body(axes: str, vector, turns):
    """Return the components along other axes of a vector in aerodynamic body axes."""
    sa, ca, sb, cb = turns
    x, y, z = vector
    if axes != "body":
        x, z = ca * x + sa * z, ca * z - sa * x
    if axes == "wind":
        x, y = cb * x + sb * y, cb * y - sb * x
    return x, y, z


def _weight(model, variables):
    """Return the weight of the loads, from 0 to 1: a smooth step of the variable of the blend."""
    if model.blend is None:
        return 1.0
    blend = model.blend
    return smooth_step((blend.none - variables[blend.over]) / (blend.none - blend.full))
