"""TOML text of the scenario of a `Vehicle`. Each function returns the tables of one kind."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .vehicle import BURN, COAST, COUNT, DENSITY, FREE, SPEED, STROKE, Vehicle

RING = 0.4
"""Radius of the circle of the devices in diameters."""
AXIS = "axis = [1, 0, 0]"


def text(vehicle: Vehicle) -> str:
    """Return the complete scenario."""
    parts = [_head(vehicle), *_bodies(vehicle), *_joints(vehicle), *_releases(vehicle)]
    parts += [*_pushers(vehicle), *_outputs(vehicle), *_phases(vehicle), *_requirements(vehicle)]
    return "\n".join([*parts, _sources(vehicle)])


def number(value: float, unit: str) -> str:
    """Return a value with its unit as a TOML text, to four digits."""
    return f'"{value:.4g} {unit}"'


def pairs(vehicle: Vehicle) -> list[tuple[int, str, str, str]]:
    """Return number, name of the separation, lower body and upper body of each joint, from the bottom."""
    names = vehicle.names
    count = len(names) - 1
    return [(k, f"_{k + 1}" if count > 1 else "", names[k], names[k + 1]) for k in range(count)]


def _head(vehicle: Vehicle) -> str:
    count = len(vehicle.masses)
    return f"""\
# {count} bodies that separate from the bottom, in free space. Written by interstage new --from vehicle.
#
# x points forward. Structural coordinates of each body count from the middle of its lower end. The masses and
# the diameter are your answers. Stand-ins are marked "judgement" in the table [sources]: uniform cylinders of
# {DENSITY:g} kg/m^3, and devices for a separation speed of {SPEED:g} m/s. Replace them by your data.

title = "Separation of {count} bodies"
"""


def _bodies(vehicle: Vehicle) -> Iterator[str]:
    radius = vehicle.diameter / 2
    for k, (name, mass) in enumerate(zip(vehicle.names, vehicle.masses, strict=True)):
        length = vehicle.length(k)
        axial, across = mass * radius**2 / 2, mass * (3 * radius**2 + length**2) / 12
        size = f"length = {number(length, 'm')}, radius = {number(radius, 'm')}"
        initial = "" if k else "initial = {}\n"
        yield f"""\
[bodies.{name}]
mass = {number(mass, "kg")}
mass_centre = "[{length / 2:.4g}, 0, 0] m"
inertia = "[{axial:.4g}, {across:.4g}, {across:.4g}] kg m^2"
{initial}shapes.hull = {{ kind = "cylinder", {AXIS}, {size} }}
"""


def _joints(vehicle: Vehicle) -> Iterator[str]:
    for k, end, lower, upper in pairs(vehicle):
        yield f"""\
[joints.seam{end}]
kind = "fixed"
parent = "{lower}"
child = "{upper}"
parent_at = "[{vehicle.length(k):.4g}, 0, 0] m"
"""


def _releases(vehicle: Vehicle) -> Iterator[str]:
    own = {
        "clamp_band": _band(vehicle),
        "bolts": 'kind = "explosive_bolt"\ndelay = "4 ms"',
        "frangible_joint": 'kind = "frangible_joint"\ndelay = "1 ms"',
    }
    for _, end, _, _ in pairs(vehicle):
        yield f'[devices.release{end}]\n{own[vehicle.joined]}\njoints = ["seam{end}"]\n'


def _band(vehicle: Vehicle) -> str:
    """A band whose preload along the ring is several times the force of the devices."""
    tension = 2 * max(vehicle.energy(k) for k in range(len(vehicle.masses) - 1)) / STROKE
    radius = number(vehicle.diameter / 2, "m")
    return f"""\
kind = "clamp_band"
{AXIS}
tension = {number(max(tension, 1e3), "N")}
radius = {radius}
half_angle = "20 deg"
friction = 0.1
delay = "2 ms"
opening_time = "5 ms\""""


def _pushers(vehicle: Vehicle) -> Iterator[str]:
    for k, end, lower, upper in pairs(vehicle):
        if vehicle.pushed == "motors":
            yield _motors(vehicle, k, end, lower)
            continue
        kind = _springs if vehicle.pushed == "springs" else _cylinders
        yield f"""\
[devices.push{end}]
{kind(vehicle.energy(k) / COUNT)}
count = {COUNT}
circle = {{ axis = "x", radius = {number(RING * vehicle.diameter, "m")}, first = "45 deg" }}
parent = "{lower}"
child = "{upper}"
parent_at = "[{vehicle.length(k):.4g}, 0, 0] m"
{AXIS}
stroke = {number(STROKE, "m")}
after = "release{end} released"
"""


def _springs(energy: float) -> str:
    """A spring whose force falls to half over the stroke: its energy is 3/4 of preload times stroke."""
    preload = energy / (0.75 * STROKE)
    return f"""\
kind = "kickoff_spring"
preload = {number(preload, "N")}
stiffness = {number(preload / (2 * STROKE), "N/m")}"""


def _cylinders(energy: float) -> str:
    """A cylinder at 2 MPa whose gas volume doubles over the stroke."""
    pressure, ratio = 2e6, 1.4
    work = pressure * (1 - 0.5 ** (ratio - 1)) / (ratio - 1)
    volume = energy / work
    return f"""\
kind = "pneumatic_pusher"
pressure = {number(pressure / 1e6, "MPa")}
bore = {number(1e3 * math.sqrt(4 * volume / (math.pi * STROKE)), "mm")}
dead_volume = {number(1e6 * volume, "cm^3")}"""


def _motors(vehicle: Vehicle, k: int, end: str, lower: str) -> str:
    thrust = vehicle.masses[k] * SPEED / BURN / COUNT
    at = f"[{vehicle.length(k):.4g}, {0.55 * vehicle.diameter:.4g}, 0] m"
    return f"""\
[engines.retro{end}]
kind = "motor"
body = "{lower}"
count = {COUNT}
circle = {{ axis = "x" }}
at = "{at}"
direction = [-1, 0, 0]
thrust = {{ time = "[0, 0.02, {BURN:g}, {BURN + 0.02:g}] s", value = "[0, {thrust:.4g}, {thrust:.4g}, 0] N" }}
massless = true
"""


def _outputs(vehicle: Vehicle) -> Iterator[str]:
    for _, end, lower, upper in pairs(vehicle):
        if "loads" in vehicle.checks:
            radius = number(vehicle.diameter / 2, "m")
            yield f'[interfaces.ring{end}]\njoints = ["seam{end}"]\n{AXIS}\nradius = {radius}\n'
        if "clearance" in vehicle.checks:
            # Without `after`: the joined bodies touch, and the distance counts from their separation.
            yield f'[clearance.gap{end}]\nbetween = ["{lower}", "{upper}"]\ninterval = "0.05 s"\n'


def _phases(vehicle: Vehicle) -> Iterator[str]:
    yield f'[phases.joined]\nuntil = {{ time = "{COAST:g} s" }}\n'
    for _, end, _, _ in pairs(vehicle):
        motors = [f'"retro{end}_{n}"' for n in range(1, COUNT + 1)]
        ignite = f"ignite = [{', '.join(motors)}]\n" if vehicle.pushed == "motors" else ""
        yield f'[phases.apart{end}]\nfire = ["release{end}"]\n{ignite}until = {{ elapsed = "{FREE:g} s" }}\n'


def _requirements(vehicle: Vehicle) -> Iterator[str]:
    for k, end, lower, upper in pairs(vehicle):
        pair = f"pairs.{lower}.{upper}"
        last = k == len(vehicle.masses) - 2
        at = "end" if last else f"apart_{k + 2}"  # the next separation changes the speed
        load = max(vehicle.energy(k) / STROKE * 4, vehicle.masses[k] * SPEED / BURN * 2)
        tables = {
            "speed": f'quantity = "{pair}.separation_speed"\nmin = "{0.5 * SPEED:g} m/s"\nat = "{at}"',
            "tip_off": f'quantity = "{pair}.tip_off_rate"\nmax = "1 deg/s"\nduring = "apart{end}"',
            "loads": f'quantity = "interfaces.ring{end}.shear_force"\nmax = {number(load, "N")}',
            "clearance": f'quantity = "clearance.gap{end}.recontacts"\nmax = 0\nat = "end"',
        }
        for check in vehicle.checks:
            yield f"[requirements.{check}{end}]\n{tables[check]}\n"


def _sources(vehicle: Vehicle) -> str:
    entries = {
        "bodies.*.inertia": f"stand-in: a uniform cylinder of {DENSITY:g} kg/m^3",
        "bodies.*.mass_centre": "stand-in: the middle of the cylinder",
        "bodies.*.shapes": "stand-in: the cylinder of the inertia",
        "joints.*": "stand-in: the upper end of the lower cylinder",
        "devices.*": f"stand-in: usual times, and sizes for a separation speed of {SPEED:g} m/s",
        "engines.*": f"stand-in: motors for a separation speed of {SPEED:g} m/s",
        "interfaces.*": "stand-in: the radius of the bodies",
        "phases.*": "stand-in: times that show the separation",
        "requirements.*": "stand-in: replace by your requirements",
        "clearance.*": "stand-in: usual interval",
    }
    used = {
        "engines.*": vehicle.pushed == "motors",
        "interfaces.*": "loads" in vehicle.checks,
        "requirements.*": bool(vehicle.checks),
        "clearance.*": "clearance" in vehicle.checks,
    }
    lines = [
        f'"{path}" = {{ source = "{source}", confidence = "judgement" }}'
        for path, source in entries.items()
        if used.get(path, True)
    ]
    return "\n".join(["[sources]", *lines]) + "\n"
