"""A nozzle leaves its interstage: another integration, hand calculations, distances, failures (SOURCE.md)."""

from functools import partial
from itertools import pairwise

import numpy as np

from interstage.studies.verify import Row

from .. import walls
from ..comparison import turned, worst
from ..separated import against_table, commented, event, relative

NEEDS = {"coal": 'pip install "interstage[clearance]"'}

LOWER, UPPER, TURNING = 2200.0, 4600.0, 36e3
REDUCED = LOWER * UPPER / (LOWER + UPPER)
CENTRES = np.array([-8.5, 0, 0]), np.array([1.6, 0, 0])
THRUST, MOTOR, CANT = 343e3, 5e3, np.radians(15)
TAIL = np.array([[0, 0.1, 0.5, 1.5, 3, 6], [1, 0.2, 0.03, 0.012, 0.008, 0]])
TRACE = np.array([[0, 0.01, 0.04, 0.55, 0.65], [0, 0, 1, 1, 0]])
PRELOAD, STIFFNESS, STROKE = 16e3, 80e3, 0.1
"""Of all four springs."""
CUT_OFF, APART, RELEASE = 0.5, 2.5, 2.504
WALL = np.array([[-2, 0.83], [-0.15, 0.83], [-0.1, 0.78], [0, 0.78], [0, 0.85], [-2, 0.85]])
NOZZLE = np.array([[-1.7, 0], [-1.7, 0.6], [-0.2, 0.2], [-0.2, 0]])
LIP = np.array([-1.7, 0.6, 0])
SIDES = ("left", "right", "top", "bottom")
NONE = {f"engines.retro_{side}.works": 0 for side in SIDES}
THROUGH_CENTRE = np.degrees(np.arctan(0.9 / 7.5))
"""Cant at which the line of a motor goes through the lower stage's centre of mass."""
TURNED_IN = {
    f"engines.retro_{side}.cant": cant
    for side, cant in zip(
        SIDES,
        (
            [0, np.radians(THROUGH_CENTRE)],
            [0, -np.radians(THROUGH_CENTRE)],
            [np.radians(THROUGH_CENTRE), 0],
            [-np.radians(THROUGH_CENTRE), 0],
        ),
        strict=True,
    )
}


def tail_off(time):
    """Thrust of the lower stage's engine after the cut-off [N]."""
    return THRUST * np.interp(time - CUT_OFF, *TAIL)


def moved(x, v, g, h, springs, after):
    """Way and speed of the stages along one line `after` a time, under the relative acceleration g + h t of
    the other forces, with the springs or without."""
    s = after
    if not springs:
        return x + v * s + g * s**2 / 2 + h * s**3 / 6, v + g * s + h * s**2 / 2
    own = np.sqrt(STIFFNESS / REDUCED)
    rest, slope = (PRELOAD / REDUCED + g) / own**2, h / own**2
    a, b = x - rest, (v - slope) / own
    c, d = np.cos(own * s), np.sin(own * s)
    return rest + slope * s + a * c + b * d, slope + own * (b * c - a * d)


def axial(motors, target, falling=False):
    """Time at which the stages are `target` apart, along one line, with so many motors: in closed form piece
    by piece, in each of which forces are straight lines and the springs push or are spent."""

    def pull(time):
        size = np.interp(time - APART, *TRACE, left=0, right=0)
        return (motors * MOTOR * np.cos(CANT) * size - tail_off(time)) / LOWER

    knots = sorted({RELEASE, *(CUT_OFF + TAIL[0]), *(APART + TRACE[0]), 5.0})
    x, v, springs = 0.0, 0.0, True
    for begin, end in pairwise(t for t in knots if RELEASE <= t <= 5.0):
        start = begin
        while start < end:
            g = pull(start + 1e-12)
            h = (pull(end - 1e-12) - g) / (end - start)
            piece = partial(moved, x, v, g, h, springs)
            reached = STROKE if springs else target
            s = root(
                lambda s, piece=piece, reached=reached: piece(s)[0] - reached,
                end - start,
                falling and not springs,
            )
            if s is not None and not springs:
                return start + s
            x, v = piece(end - start if s is None else s)
            springs = springs and s is None
            start = end if s is None else start + s
    raise ValueError("never comes so far")


def root(function, end, falling):
    """The first place in [0, end] at which a function rises (or falls) through zero, or none."""
    grid = np.linspace(0, end, 401)
    sign = -1 if falling else 1
    values = sign * np.array([function(s) for s in grid])
    through = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
    if not len(through):
        return None
    low, high = grid[through[0]], grid[through[0] + 1]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sign * function(middle) < 0 else (low, middle)
    return high


def drift():
    """Velocity of the stack at the release: full thrust for half a second, then the tail-off."""
    times = np.array([*(CUT_OFF + TAIL[0, :4]), RELEASE])
    tail = np.trapezoid([tail_off(t) for t in times], times)
    return np.array([(THRUST * CUT_OFF + tail) / (LOWER + UPPER), 0, 0])


def pose(record, row):
    """(place of the upper stage's drawing origin in the lower one's drawing, quaternion)."""
    place, q = relative(record, "lower", "upper", row)
    return CENTRES[0] + place - turned(q[None], CENTRES[1][None])[0], q


def room(name, record, end):
    """Distance of the nozzle from the interstage, by the rims of both, up to a time."""
    errors = []
    for row in np.flatnonzero((record.time >= 2.52) & (record.time < end))[::4]:
        found = walls.gap(WALL, NOZZLE, *pose(record, row))
        errors.append(record.series["clearance.nozzle.distance"][row] - found)
    yield Row(f"{name}: room of the nozzle [m]", worst(np.array(errors)), 1e-9)


def radial(record, touch):
    """R - (e + r cos a): a circle of radius r, its middle e off the axis, tilted by a towards the wall."""
    errors, last = [], 0.0
    for row in np.flatnonzero((record.time >= 2.6) & (record.time < touch)):
        origin, q = pose(record, row)
        middle = origin + turned(q[None], np.array([[-1.7, 0, 0]]))[0]
        axis = turned(q[None], np.array([[1.0, 0, 0]]))[0]
        last = 0.83 - abs(middle[1]) - 0.6 * axis[0]
        errors.append(record.series["clearance.nozzle.distance"][row] - last)
    note = f"last one {last:.4f} m"
    yield Row("left fails: 0.83 - e - 0.6 cos a [m]", worst(np.array(errors)), 1e-12, note)


def nominal(record):
    """Accelerations and times by hand."""
    (row,) = np.flatnonzero(np.abs(record.time - 3.0) < 1e-9)
    hand = (tail_off(3.0) - 4 * MOTOR * np.cos(CANT)) / LOWER
    found = record.series["bodies.lower.sensed_acceleration"][row]
    note = f"{-hand:.3f} m/s^2 relative"
    yield Row("all motors: acceleration at 3 s [m/s^2]", worst(found - [hand, 0, 0]), 1e-10, note)
    clear = axial(4, 1.7)
    note = f"{clear - RELEASE:.4f} s after the release"
    yield Row(
        "all motors: time to clear the interstage [s]", abs(event(record, "clear") - float(clear)), 1e-8, note
    )
    (nearest,) = (c for c in record.closest if c.name == "nozzle")
    yield Row("all motors: least room 0.83 - 0.05 - 0.60 m", abs(nearest.distance - 0.18), 1e-9)
    away = record.series["pairs.plume.axial_distance"]
    lit = record.time > 5.3
    share = 1 - np.cos(np.arctan(0.85 / away[lit])) ** 11
    plume = record.series["engines.plume.thrust"][lit] / 31e3
    # Straight lines between points a factor of 1.15 apart: ln(1.15)^2 6/8 of an inverse square.
    note = f"{31e3 * share.max():.0f} N and less"
    yield Row("all motors: plume by its formula [of it]", worst(plume / share - 1), 0.02, note)
    yield Row("all motors: recontacts", float(len(record.recontacts)), 0.0)


def failed(record, file):
    """What one motor less does: rotation by hand, and the touch."""
    spin = record.series["bodies.lower.angular_velocity"][:, 2]
    at = {t: int(np.argmin(abs(record.time - t))) for t in (2.7, 3.5)}
    knots = np.array([2.7, 3.05, 3.15])
    impulse = MOTOR * np.trapezoid(np.interp(knots - APART, *TRACE), knots)
    arm = 0.9 * np.cos(CANT) - 7.5 * np.sin(CANT)
    turn = arm * impulse / TURNING
    yield Row(
        "left fails: rate gained from 2.7 s on, by hand [of it]",
        abs((spin[at[3.5]] - spin[at[2.7]]) / turn - 1),
        1e-9,
    )
    whole = arm * MOTOR * np.trapezoid(TRACE[1], TRACE[0]) / TURNING
    note = f"{np.degrees(whole):.3f} by hand, {np.degrees(spin[at[3.5]]):.3f} deg/s"
    yield Row(
        "left fails: rate without the springs, by hand [of it]",
        float(abs(spin[at[3.5]] / whole - 1)),
        5e-3,
        note,
    )
    time, speed, mass = commented(file, "touches")
    first = record.recontacts[0]
    yield Row("left fails: the nozzle touches at [s]", abs(first.time - time), 1e-6, f"{time:.6f} s")
    yield Row(
        "left fails: speed of approach [m/s]", abs(first.approach_speed - speed), 1e-6, f"{speed:.4f} m/s"
    )
    yield Row(
        "left fails: mass behind it [of it]", abs(first.effective_mass / mass - 1), 1e-6, f"{mass:.1f} kg"
    )
    energy = mass * speed**2 / 2
    yield Row(
        "left fails: energy of approach [of it]", abs(first.energy / energy - 1), 1e-6, f"{energy:.1f} J"
    )
    apart = worst(np.array(first.point_on_b) - LIP)
    # Where on the lip does not matter to first order, so that it is known less well than the distance.
    yield Row("left fails: with its lip [m]", apart, 1e-4)


def compare(fly, folder):
    """All motors, one less, none; and what helps against either."""
    file = folder / "scenario.toml"
    record, less, none = fly(file), fly(file, **{"engines.retro_left.works": 0}), fly(file, **NONE)
    for name, flown, table in (
        ("all motors", record, "truth"),
        ("left fails", less, "failed"),
        ("none", none, "none"),
    ):
        yield from against_table(name, flown, ("lower", "upper"), folder / f"{table}.csv", drift())
    yield from nominal(record)
    yield from room("all motors", record, 3.6)
    yield from failed(less, folder / "failed.csv")
    touch = less.recontacts[0].time
    yield from room("left fails", less, touch)
    yield from radial(less, touch)
    caught = axial(0, 0.0, falling=True)
    first = none.recontacts[0]
    note = f"{caught:.6f} s, {first.approach_speed:.3f} m/s"
    yield Row("none: the lower stage catches up at [s]", abs(first.time - caught), 1e-6, note)
    helped = fly(file, **{"engines.retro_left.works": 0}, **TURNED_IN)
    (nearest,) = (c for c in helped.closest if c.name == "nozzle")
    note = f"{nearest.distance:.4f} m"
    yield Row(
        "left fails, lines through the centre of mass: touches", float(len(helped.recontacts)), 0.0, note
    )
    waited = fly(file, **NONE, **{"phases.tail_off.until.elapsed": 5.0})
    yield Row("none, 5 s after the cut-off: recontacts", float(len(waited.recontacts)), 0.0)
