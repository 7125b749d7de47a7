"""The boosters of the first Shuttle flight leave: mechanics of its own, and what the report says in words
(SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, read_table, turned, worst

NEEDS = {"coal": 'pip install "interstage[clearance]"'}

FT, G, LBF = 0.3048, 9.80665, 4.4482216152605
SLUG = LBF / FT
BOOSTERS = {"left": -1.0, "right": 1.0}
"""Which way is outboard, along y."""
BODIES = ("orbiter_tank", *BOOSTERS)
WAYS = {"as reported": ("scenario.toml", "truth.csv"), "as built": ("as_built.toml", "truth_as_built.csv")}
BOUNDS = {"place [m]": 1e-7, "axes [1]": 1e-9, "angular velocity [rad/s]": 1e-9}
"""The tolerance of a step is 1e-9, that of the truth 1e-10; places are counted over 5 km."""


def holds(statement, true, note=""):
    """A statement in words."""
    return Row(f"{statement} [1 if not]", float(not true), 0.0, note)


def joints_of(record, side):
    """Names of the joints that hold a booster."""
    return [j.name for j in record.scenario.joints if j.child == side]


def moving(record, times):
    """For each body the columns of the truth: place of the point of the centre of mass at the start (of
    boosters from that of orbiter and tank), x and z axes, angular velocity."""
    first = None
    for body in BODIES:
        q = at(record, f"bodies.{body}.attitude", times)
        centre = record.series[f"bodies.{body}.mass_centre"][0]
        place = at(record, f"bodies.{body}.origin_position", times)
        place = place + turned(q, np.tile(centre, (len(times), 1)))
        axes = [turned(q, np.tile(axis, (len(times), 1))) for axis in np.eye(3)[[0, 2]]]
        spin = at(record, f"bodies.{body}.angular_velocity", times)
        if first is None:
            first = place
            yield body, place - place[0], *axes, spin
        else:
            yield body, place - first, *axes, spin


def told(file):
    """Time of release [s], and time [s] -> (force on left and right, inertial; torques, structural axes)."""
    lines = [line[2:] for line in file.read_text().splitlines() if line.startswith("#")]
    loads = {}
    for line in lines[1:]:
        when, _, values = line.partition("at ")[2].partition(": ")
        numbers = np.array([float(v) for v in values.split()]).reshape(2, 2, 3)
        loads[float(when)] = numbers
    return float(lines[0].split()[-1]), loads


def joint_loads(record, side, row):
    """What all joints together do to a booster about its centre of mass, structural axes: at the start (None)
    or just before an event."""
    values = record.series if row is None else record.before
    k = 0 if row is None else row
    names = joints_of(record, side)
    return [
        sum(values[f"joints.{n}.reaction_child_{what}"][k] for n in names) for what in ("force", "torque")
    ]


def against_truth(name, record, folder):
    """Rows of motion, release and joint loads of one way of attachment."""
    file = folder / WAYS[name][1]
    truth, (released, loads) = read_table(file), told(file)
    times = truth["time"]
    errors = dict.fromkeys(BOUNDS, 0.0)
    for body, place, nose, belly, spin in moving(record, times):
        found = {"place": place, "nose": nose, "belly": belly, "spin": spin}
        error = {what: worst(value - truth[f"{body}.{what}"]) for what, value in found.items()}
        pairs = zip(BOUNDS, (error["place"], max(error["nose"], error["belly"]), error["spin"]), strict=True)
        errors = {what: max(errors[what], value) for what, value in pairs}
    for what, bound in BOUNDS.items():
        yield Row(f"{name}: {what}", errors[what], bound)
    events = {event.name: k for k, event in enumerate(record.events)}
    time = record.events[events["apart"]].time
    yield Row(f"{name}: time of release [s]", abs(time - released), 1e-8, f"{time:.4f} s")
    rows = zip(loads.values(), (None, events["hinged"], events["apart"]), strict=True)
    error, size = [0.0, 0.0], [0.0, 0.0]
    for expected, row in rows:
        for k, side in enumerate(BOOSTERS):
            force, torque = joint_loads(record, side, row)
            values = record.series if row is None else record.before
            q = values[f"bodies.{side}.attitude"][0 if row is None else row]
            pairs = ((turned(q[None], force[None])[0], expected[k, 0]), (torque, expected[k, 1]))
            for n, (one, other) in enumerate(pairs):
                error[n] = max(error[n], worst(one - other))
                size[n] = max(size[n], worst(other))
    for n, what in enumerate(("force", "torque")):
        yield Row(f"{name}: joints on a booster together, {what} [of its peak]", error[n] / size[n], 1e-8)


def statements(record):
    """What section 4.1 of the report says, each as seen from the release."""
    row = next(k for k, event in enumerate(record.events) if event.name == "apart")
    released = record.events[row].time
    times, series = record.time, record.series
    path = "bodies.orbiter_tank.sensed_acceleration"
    step = (record.after[path][row] - record.before[path][row]) / G
    before = record.before[path][row] / G
    told = f"{before[0]:.3f} g + {step[0]:.3f} g, {before[2]:.3f} g + {step[2]:.3f} g"
    yield holds("orbiter and tank: step rise of ax and az at release", step[0] > 0.1 and step[2] > 0.01, told)
    since = times > released + 1e-9
    down = np.cumsum(series[path][since, 2])
    yield holds("orbiter and tank move down all the time after it", np.all(np.diff(down) > 0))
    for side, out in BOOSTERS.items():
        felt = series[f"bodies.{side}.sensed_acceleration"] / G
        felt_before = record.before[f"bodies.{side}.sensed_acceleration"][row] / G
        lit = felt[np.argmin(abs(times - released - 0.1))]
        rise = out * (lit - felt_before)[1], (lit - felt_before)[2]
        note = f"{rise[0]:.3f} g outboard, {rise[1]:.3f} g down"
        yield holds(f"{side}: step of ay (outboard) and az (down) at release", min(rise) > 0.2, note)
        slope = np.diff(length(felt[:, 1:])) / np.diff(times)
        slope[times[:-1] < released + 0.1] = 0.0  # the rise, and the step of the rear joints' release
        fall = float(times[np.argmin(slope)] - released)
        late = length(felt[np.argmin(abs(times - released - 1.0)), 1:][None])[0]
        left = late / length(lit[None, 1:])[0]
        note = f"steepest {fall:.2f} s after, {100 * left:.0f} % left at 1 s"
        yield holds(f"{side}: sharp drop 0.8 s after release", abs(fall - 0.8) < 0.1 and left < 0.25, note)
        gone = series[f"joints.forward_{side}.displacement"][since] * [-1, out, 1] / FT
        note = "behind {:.1f}, outboard {:.1f}, below {:.1f} ft at 4 s".format(*gone[-1])
        grows = np.all(np.diff(gone[times[since] > released + 0.05], axis=0) > 0)
        yield holds(f"{side}: distances along all three axes grow all the time", grows, note)
        (near,) = (c for c in record.closest if c.name == side)
        met = [r for r in record.recontacts if r.name == side]
        note = f"least {near.distance / FT:.3f} ft at {near.time:.2f} s, {' and '.join(near.shapes)}"
        yield holds(f"{side}: no recontact", not met and near.distance > 0, note)
    yield Row(
        "Mach number at the start, table 10: 3.877", abs(series["bodies.orbiter_tank.mach"][0] - 3.877), 5e-3
    )
    pressure = series["bodies.orbiter_tank.dynamic_pressure"][0] / (LBF / FT**2)
    yield Row("dynamic pressure at the start, table 10: 12.83 psf", abs(pressure - 12.83), 0.05)


def by_hand(record):
    """Accelerations and couple from round numbers in pounds and feet, to a hundredth."""
    row = next(k for k, event in enumerate(record.events) if event.name == "apart")
    released = record.events[row].time
    after = record.after["bodies.orbiter_tank.sensed_acceleration"][row] / G
    yield Row("orbiter and tank, ax after release: 1.369e6 of 1.490e6 lbf [g]", abs(after[0] - 0.919), 0.01)
    yield Row("orbiter and tank, az after release: 3.226e5 of 1.490e6 lbf [g]", abs(after[2] - 0.2165), 0.005)
    before = record.before["bodies.orbiter_tank.sensed_acceleration"][row] / G
    # All three together: 1.369e6 + 2 * 30.5e3 lbf on 1.490e6 + 2 * 190.4e3 lb.
    yield Row("all three together, ax before release [g]", abs(before[0] - 0.764), 0.02, f"{before[0]:.4f}")
    times = record.time
    k = int(np.argmin(abs(times - released - 0.3)))
    front, rear = 88400 * np.array([-0.6428, 0.2620, 0.7198]), 88400 * np.array([0.6428, 0.2620, 0.7198])
    at_front, at_rear = np.array([81.21, -0.969, -2.58]), np.array([-51.38, -3.122, -8.28])
    push, couple = front + rear, np.cross(at_front, front) + np.cross(at_rear, rear)
    for side, out in BOOSTERS.items():
        mirror = np.array([1, out, 1])
        felt = record.series[f"bodies.{side}.sensed_acceleration"][k] * mirror / G
        expected = (push + np.array([30400.0, 0, 0])) / 190300
        yield Row(f"{side}: acceleration under its motors [g]", worst(felt - expected), 0.005)
        turning = record.series[f"bodies.{side}.angular_acceleration"][k] * [out, 1, out]
        expected = np.degrees(couple[1:] / 1.15e7)
        note = f"nose away by {-expected[0]:.2f} deg/s^2 down, {expected[1]:.2f} deg/s^2 outboard"
        yield Row(
            f"{side}: couple of its motors [deg/s^2]",
            worst(np.degrees(turning[1:]) - expected),
            0.15,
            note,
        )


def momentum(record):
    """Momentum of the bodies and of the gas that left them, less what gravity gave, over the impulse of the
    separation motors."""
    times, series = record.time, record.series
    rate = np.zeros((len(times), 3))
    inside = np.zeros_like(rate)
    for engine in record.scenario.engines:
        body = engine.body
        q = series[f"bodies.{body}.attitude"]
        tank = engine.grain if engine.kind == "motor" else engine.feeds[0].tank
        elements = next(b.elements for b in record.scenario.bodies if b.name == body)
        place = next(e.at for e in elements if f"{body}.{e.name}" == tank)
        arm = np.asarray(engine.at) - series[f"bodies.{body}.mass_centre"]
        spin = series[f"bodies.{body}.angular_velocity"]
        nozzle = series[f"bodies.{body}.velocity"] + turned(q, np.cross(spin, arm))
        flow = series[f"engines.{engine.name}.mass_flow"][:, None]
        rate += turned(q, series[f"engines.{engine.name}.force"]) - flow * nozzle
        inside += flow * turned(q, np.tile(np.asarray(engine.at) - np.asarray(place), (len(times), 1)))
    for body in BODIES:
        rate += series[f"bodies.{body}.mass"][:, None] * series[f"bodies.{body}.gravity"]
    given = np.cumsum((rate[1:] + rate[:-1]) / 2 * np.diff(times)[:, None], axis=0)
    total = series["system.momentum"] + inside
    impulse = 16 * 18400 * LBF
    # Trapezoids of 1 ms leave up to 4e-6 of it where motors are lit and burn out between two samples.
    yield Row(
        "momentum with the gas [of the separation motors' impulse]",
        worst(total[1:] - total[0] - given) / impulse,
        2e-5,
    )


def loads(reported, built):
    """The loads of the two ways next to each other."""
    for side in BOOSTERS:
        both = [np.concatenate(joint_loads(record, side, None)) for record in (reported, built)]
        apart = max(
            worst((a - b)[part]) / worst(b[part]) for a, b in (both,) for part in (slice(3), slice(3, 6))
        )
        yield Row(f"{side}: both ways carry the same in all [of its peak]", apart, 1e-9)
        axial = float(built.series[f"joints.forward_{side}.force"][0, 0])
        error = abs(axial / both[1][0] - 1)
        yield Row(f"{side}: as built the ball carries all of the thrust [of it]", error, 1e-9)
        shares = [
            float(reported.series[f"joints.{end}_{side}.force"][0, 0]) / LBF for end in ("forward", "aft")
        ]
        note = f"forward {shares[0]:.0f} lbf, aft {shares[1]:.0f} lbf; as built {axial / LBF:.0f} lbf forward"
        sum_error = abs(sum(shares) * LBF / both[0][0] - 1)
        yield Row(f"{side}: as reported the two share it [of it]", sum_error, 1e-9, note)


def sensitivity(fly, folder, nominal):
    """What a centre of mass that lies 3 in lower (z) does to the pitch rate, by hand and as flown."""
    centre = np.asarray(next(b for b in nominal.scenario.bodies if b.name == "orbiter_tank").mass_centre)
    moved = centre + np.array([0, 0, 3 * 0.0254])
    paths = "mass_centre", "elements.propellant.at"
    record = fly(folder / "scenario.toml", **{f"bodies.orbiter_tank.{p}": moved.tolist() for p in paths})
    spins = [r.series["bodies.orbiter_tank.angular_velocity"][-1] for r in (nominal, record)]
    change = float(np.degrees(spins[1] - spins[0])[1])
    # Thrust of 1.369e6 lbf along x then passes 3 in above it; what the boosters do before is left out.
    expected = -np.degrees(1.369e6 * 0.25 / 8.5e7) * (4 - nominal.events[1].time)
    yield Row(
        "pitch rate at 4 s from a centre of mass 3 in lower [of it]",
        abs(change / expected - 1),
        0.2,
        f"{change:.3f} deg/s",
    )


def compare(fly, folder):
    """Both ways against the truth, the report's words, hand calculations, momentum, loads, sensitivity."""
    records = {name: fly(folder / file) for name, (file, _) in WAYS.items()}
    for name, record in records.items():
        yield from against_truth(name, record, folder)
    reported, built = records.values()
    yield from statements(reported)
    yield from by_hand(reported)
    yield from momentum(fly(folder / "scenario.toml", **{"output.interval": 0.001}))
    yield from loads(reported, built)
    yield from sensitivity(fly, folder, reported)
