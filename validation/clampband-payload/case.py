"""A satellite leaves its clamp band: closed forms, another integration, and distances (SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from .. import walls
from ..comparison import length, turned, worst
from ..separated import against_table, event, relative

NEEDS = {"coal": 'pip install "interstage[clearance]"'}

LBF = 4.4482216152605
STAGE, SATELLITE = 900.0, 100.0
REDUCED = STAGE * SATELLITE / (STAGE + SATELLITE)
RADIUS, TENSION, HALF_ANGLE, FRICTION = 0.295, 10e3, np.radians(20), 0.1
PRELOAD, STIFFNESS, STROKE, IMPULSE = 25 * LBF, 2200.0, 0.025, 0.5
RELEASE = 0.1 + 2e-3 + 6e-3
CENTRE = np.array([0.45, 0.004, -0.002])
SHAKE = np.array([-29.4e3, 39.2e3, 0])
ADAPTER = np.array([[1.3, 0.275], [1.6, 0.275], [1.6, 0.305], [1.57, 0.28], [1.3, 0.28]])
ENVELOPE = np.array([[-0.2, 0], [-0.2, 0.15], [0, 0.15], [0, 0]])
UNLOADED = {"forces.cut_off.force": [0.0, 0.0, 0.0]}
ALIKE = UNLOADED | {"bodies.satellite.mass_centre": [0.45, 0.0, 0.0]}
ON_AXIS = UNLOADED | {
    "bodies.satellite.mass_centre": [0.45, 0.004, 0.0],
    **{f"devices.spring_{k}.strength": 0.0 for k in (2, 3, 4)},
    "devices.spring_1.parent_at": [1.56, 0.0, 0.0],
    "devices.spring_1.child_at": [0.0, 0.0, 0.0],
    "devices.spring_1.contact": "slides",
}
"""One spring on the axis, whose tip slides: its line goes through the stage's centre of mass and passes that
of the satellite."""


def last(record, path):
    """A quantity at the end."""
    return record.series[path][-1]


def by_symmetry(record):
    """All springs alike and the centre of mass on the axis: one coordinate, harmonic until the stroke
    ends."""
    own = np.sqrt(4 * STIFFNESS / REDUCED)
    start, free = IMPULSE / REDUCED, PRELOAD / STIFFNESS
    # s = free (1 - cos) + start/own sin, which reaches the stroke at the first root.
    size, phase = np.hypot(free, start / own), np.arctan2(start / own, free)
    spent = RELEASE + (np.arccos((free - STROKE) / size) - phase) / own
    speed = np.sqrt(start**2 + 4 * (2 * PRELOAD - STIFFNESS * STROKE) * STROKE / REDUCED)
    found = last(record, "pairs.stage.satellite.separation_speed")
    yield Row("all alike: speed [of it]", abs(found / speed - 1), 1e-8, f"{speed:.6f} m/s")
    yield Row("all alike: end of the stroke [s]", abs(event(record, "spring_1 spent") - spent), 1e-8)
    turning = worst(record.series["pairs.stage.satellite.relative_rate"])
    yield Row("all alike: nothing turns [rad/s]", turning, 1e-12)


def by_offset(record):
    """One spring on the axis, the centre of mass d beside it: I w = d m v, and a quadrature for v.

    The line stays on the stage's axis and the satellite's centre of mass moves along it, so that with the
    relative way x the satellite has turned by (m d/I) x, m the reduced mass; where the tip is on the plate
    then is plain geometry, and m v^2/2 is the integral of the force over x."""
    aside, ahead, inertia = 0.004, 0.45, 11.0
    per_way = REDUCED * aside / inertia

    def stroke(x):
        turn = per_way * x
        return x + ahead - (ahead - aside * np.sin(turn)) / np.cos(turn)

    low, high = 0.0, 2 * STROKE
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if stroke(middle) < STROKE else (low, middle)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    x = high * (1 + nodes) / 2
    work = high / 2 * weights @ (PRELOAD - STIFFNESS * stroke(x))
    speed = np.sqrt((IMPULSE / REDUCED) ** 2 + 2 * work / REDUCED)
    rate = per_way * speed
    velocity = last(record, "bodies.satellite.velocity") - last(record, "bodies.stage.velocity")
    spin = last(record, "bodies.satellite.angular_velocity")
    note = f"{np.degrees(rate):.5f} deg/s"
    yield Row("offset from the centre of mass: speed [of it]", worst(velocity - [speed, 0, 0]) / speed, 1e-8)
    yield Row(
        "offset from the centre of mass: tip-off rate [of it]", worst(spin - [0, 0, rate]) / rate, 1e-8, note
    )
    still = worst(last(record, "bodies.stage.angular_velocity"))
    yield Row("offset from the centre of mass: stage does not turn [rad/s]", still, 1e-12)


def balances(name, record, strengths):
    """Momentum, angular momentum and energy from the release to the end."""
    values = {path: series[-1] for path, series in record.series.items()}
    start = SHAKE * 0.05 / (STAGE + SATELLITE)
    momentum = values["system.momentum"] / (STAGE + SATELLITE) - start
    yield Row(f"{name}: velocity of both together [m/s]", worst(momentum), 1e-11)
    yield Row(f"{name}: angular momentum [N m s]", worst(values["system.angular_momentum"]), 1e-10)
    stored = sum(strengths) * (PRELOAD - STIFFNESS * STROKE / 2) * STROKE
    # The impulse acts beside the centre of mass: 1/m and d^2/I of the satellite, and of the stage 1/m.
    inertia = np.diag([9.0, 12.0, 11.0])
    arm = np.cross(-CENTRE, [1, 0, 0])
    given = IMPULSE**2 / 2 * (1 / REDUCED + arm @ np.linalg.solve(inertia, arm))
    moving = values["system.kinetic_energy"] - (STAGE + SATELLITE) / 2 * start @ start
    yield Row(f"{name}: energy [of it]", abs(moving / (stored + given) - 1), 1e-8)


def band(record):
    """Line load, preload and margin of the band at the cut-off, by Newton and Euler."""
    acceleration = SHAKE / (STAGE + SATELLITE)
    # What the joint gives the satellite: its share of the acceleration, less the springs.
    force = SATELLITE * acceleration - np.array([4 * PRELOAD, 0, 0])
    moment = np.cross(CENTRE, SATELLITE * acceleration)
    bending = np.hypot(*moment[1:])
    line = -force[0] / (2 * np.pi * RADIUS) + bending / (np.pi * RADIUS**2)
    preload = TENSION / (2 * RADIUS * np.tan(HALF_ANGLE + np.arctan(FRICTION)))
    first = {path: values[0] for path, values in record.series.items()}
    for what, found, hand in (
        ("axial force", first["interfaces.ring.axial_force"], -force[0]),
        ("bending moment", first["interfaces.ring.bending_moment"], bending),
        ("torsion", first["interfaces.ring.torsion"], moment[0]),
        ("line load", first["interfaces.ring.line_load"], line),
        ("line load by the band", first["devices.band.line_load"], line),
        ("line preload", first["devices.band.line_preload"], preload),
        ("preload left", first["devices.band.preload_left"], preload - line),
    ):
        yield Row(f"at cut-off: {what} [of it]", abs(found / hand - 1), 1e-11, f"{hand:.6g}")
    least = TENSION * line / preload
    yield Row("tension at which it would gap: 2.36 kN", abs(least - 2363.9), 0.1, f"{least:.1f} N")


def room(name, record):
    """Distance of the envelope from the adapter's wall, by the rims of both."""
    errors, found = [], []
    for row in np.flatnonzero((record.time > 0.11) & (record.time < 1.2))[::4]:
        place, q = relative(record, "stage", "satellite", row)
        hinge = place - turned(q[None], CENTRE[None])[0]
        found.append(walls.gap(ADAPTER, ENVELOPE, hinge, q))
        errors.append(record.series["clearance.envelope.distance"][row] - found[-1])
    yield Row(
        f"{name}: room of the envelope [m]",
        worst(np.array(errors)),
        1e-9,
        f"{min(found):.4f} to {max(found):.4f}",
    )


def by_hand(name, record, strengths):
    """Impulse by impulse, as on paper: each spring's share of the momentum at its arm about the centre of
    mass. That the bodies turn while the springs push is left out, a ninth of the rate."""
    speed = length(last(record, "pairs.stage.satellite.relative_velocity"))
    total = REDUCED * speed
    corners = 0.18 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    shares = (total - IMPULSE) * np.array(strengths) / sum(strengths)
    y, z = (corners - CENTRE[1:]).T
    turn = np.array([(shares @ z - IMPULSE * CENTRE[2]) / 12.0, -(shares @ y - IMPULSE * CENTRE[1]) / 11.0])
    spin = last(record, "bodies.satellite.angular_velocity")[1:]
    note = f"{np.degrees(length(turn)):.3f} by hand, {np.degrees(length(spin)):.3f} deg/s"
    yield Row(f"{name}: tip-off rate by hand [of it]", worst(spin - turn) / float(length(turn)), 0.2, note)


def compare(fly, folder):
    """The flight as declared, with one spring weak, and two whose closed forms are known."""
    file = folder / "scenario.toml"
    yield from by_symmetry(fly(file, **ALIKE))
    yield from by_offset(fly(file, **ON_AXIS))
    declared, weak = fly(file), fly(file, **{"devices.spring_1.strength": 0.8})
    yield from band(declared)
    for name, record, table, first in (
        ("declared", declared, "truth.csv", 1.0),
        ("one weak", weak, "weak.csv", 0.8),
    ):
        strengths = [first, 1.0, 1.0, 1.0]
        drift = SHAKE * 0.05 / (STAGE + SATELLITE)
        yield from against_table(name, record, ("stage", "satellite"), folder / table, drift)
        yield from balances(name, record, strengths)
        yield from room(name, record)
        yield from by_hand(name, record, strengths)
        yield Row(f"{name}: rings meet again [times]", float(len(record.recontacts)), 0.0)
