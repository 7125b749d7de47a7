"""The piston of Hyper-X four ways: against plane mechanics on their own, closed forms, and one another
(SOURCE.md)."""

import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.integrate import quad

from interstage.studies.verify import Row

from ..comparison import at, read_table, turned, worst

FT, INCH, POUND = 0.3048, 0.0254, 0.45359237
FORCE = POUND * 9.80665
FILES = {"slider": "scenario.toml", "springs": "springs.toml", "free": "free.toml"}
BODIES = ("hxlv", "rv")
LOADS = ("rv", "wings", "ailerons", "rv_near", "hxlv", "fins", "hxlv_near")
IN_PLANE = {"bodies.hxlv.initial.incidence.beta": 0.0}
AIRLESS = {f"aerodynamics.{name}.factor": 0.0 for name in LOADS} | {
    "gravity.acceleration": [0, 0, 0],
    "phases.apart.until.time": 0.12,
}
LINE = np.array([np.cos(np.radians(4)), 0, np.sin(np.radians(4))])
STATE = {"position [m]": 1e-7, "pitch [rad]": 1e-8, "velocity [m/s]": 3e-7, "pitch rate [rad/s]": 2e-7}
"""Bounds on the states against the truth, whose own error is 1e-9."""
ACROSS = {"slider": 1e-9, "springs": 1e-5}
"""Bounds on the load across the piston, of its peak; the springs' rings through 20 periods."""
STIFFER = (1.0, 8.0, 64.0)
ORDER = 0.15
"""How far from 1 the observed order may be: an oscillation is seen each millisecond only."""


def release(record):
    """Time of the release [s]."""
    (time,) = (event.time for event in record.events if event.name == "apart")
    return time


def states(record, body, times):
    """Place, pitch and rates in the plane of the truth (x north, z down)."""
    place, velocity = (at(record, f"bodies.{body}.{what}", times) for what in ("position", "velocity"))
    nose = turned(at(record, f"bodies.{body}.attitude", times), np.tile([1.0, 0, 0], (len(times), 1)))
    spin = at(record, f"bodies.{body}.angular_velocity", times)
    return {
        "position [m]": np.stack([place[:, 1], -place[:, 2]], axis=1),
        "pitch [rad]": np.arctan2(nose[:, 2], nose[:, 1])[:, None],
        "velocity [m/s]": np.stack([velocity[:, 1], -velocity[:, 2]], axis=1),
        "pitch rate [rad/s]": spin[:, 1:2],
    }


def load_across(record, way, times):
    """Force across the piston on the ball, down, while it is held [N]."""
    if way == "slider":
        return at(record, "joints.ball.force", times)[:, 2]
    return sum(at(record, f"forces.{side}.force", times)[:, 2] for side in ("left", "right"))


def against_plane(fly, folder):
    """Rows of the three ways without sideslip."""
    columns = {
        "position [m]": ("x", "z"),
        "pitch [rad]": ("theta",),
        "velocity [m/s]": ("u", "w"),
        "pitch rate [rad/s]": ("q",),
    }
    for way, file in FILES.items():
        record = fly(folder / file, **IN_PLANE)
        table = folder / f"truth_{way}.csv"
        truth = read_table(table)
        times = truth["time_s"]
        for what, names in columns.items():
            found = [states(record, body, times)[what] for body in BODIES]
            expected = [np.stack([truth[f"{body}_{n}"] for n in names], axis=1) for body in BODIES]
            yield Row(f"{way}, in the plane: {what}", worst(np.subtract(found, expected)), STATE[what])
        expected = float(table.read_text().splitlines()[0].split()[-2])
        yield Row(f"{way}, in the plane: release [s]", abs(release(record) - expected), 1e-9)
        if way in ACROSS:
            held = times < expected
            apart = load_across(record, way, times[held]) - truth["across"][held]
            size = worst(truth["across"][held])
            yield Row(f"{way}, in the plane: load across [of its peak]", worst(apart) / size, ACROSS[way])


def held(record):
    """Rows of which samples lie within the stroke."""
    return record.time < release(record)


def joint_holds(record):
    """Rows of what the slider keeps at zero."""
    rows = held(record)
    apart = record.series["joints.ball.displacement"][rows][:, 1:]
    turn = record.series["joints.ball.rotation"][rows][:, [0, 2]]
    yield Row("slider: displacement across [m]", worst(apart), 1e-13)
    # Both attitudes are normalised to 1e-16; differences of their products to a few of that.
    yield Row("slider: relative roll and yaw [rad]", worst(turn), 1e-14)
    load, torque = (record.series[f"joints.ball.{what}"][rows] for what in ("force", "torque"))
    yield Row("slider: force along what slides [of the force]", worst(load[:, 0]) / worst(load), 1e-12)
    yield Row("slider: torque about what turns [of the torque]", worst(torque[:, 1]) / worst(torque), 1e-12)


def balance(record):
    """Rows of Newton's and Euler's laws for the research vehicle alone: what the joint must bear."""
    rows, series = held(record), record.series
    q = series["bodies.rv.attitude"][rows] * [1, -1, -1, -1]
    body = lambda name: series[f"bodies.rv.{name}"][rows]  # noqa: E731
    mass, inertia = 2800 * POUND, np.array([110, 950, 1000]) * FORCE * FT
    moved = turned(q, body("acceleration") - body("gravity"))
    centre, ball = points()
    line = turned(series["bodies.hxlv.attitude"][rows], np.tile(LINE, (rows.sum(), 1)))
    push = series["devices.piston.force"][rows][:, None] * turned(q, line)
    air = [sum(series[f"aerodynamics.{n}.{what}"][rows] for n in LOADS[:4]) for what in ("force", "torque")]
    spin = body("angular_velocity")
    turning = inertia * body("angular_acceleration") + np.cross(spin, inertia * spin)
    force = mass * moved - push - air[0]
    torque = turning - np.cross(ball - centre, push) - air[1]
    for name, expected in (("force", force), ("torque", torque)):
        found = series[f"joints.ball.reaction_child_{name}"][rows]
        yield Row(
            f"slider: {name} from the motion [of its peak]", worst(found - expected) / worst(found), 1e-9
        )
    pitching = found[:, 1] / (FORCE * FT)
    text = f"{pitching.min():.0f} to {pitching.max():.0f} ft lb; the paper's axis runs from -1000 to 3000"
    outside = float(pitching.min() < -1000 or pitching.max() > 3000)
    yield Row("slider: pitching moment beyond the paper's axis [1 if so]", outside, 0.0, text)


def points():
    """Centre of mass of the research vehicle and the ball, drawing coordinates [m]."""
    table = tomllib.loads((Path(__file__).parent / FILES["slider"]).read_text())
    texts = table["bodies"]["rv"]["mass_centre"], table["joints"]["ball"]["child_at"]
    return [np.array(tomllib.loads(f"x = {text.removesuffix(' in')}")["x"]) * INCH for text in texts]


def alike(one, two):
    """Rows of one piston as slider and revolute against two balls with a row of equal extension."""
    rows = held(one) & held(two)
    for body in BODIES:
        for what, bound in (("position", 1e-9), ("velocity", 1e-9), ("angular_velocity", 1e-10)):
            path = f"bodies.{body}.{what}"
            apart = worst((one.series[path] - two.series[path])[rows])
            yield Row(f"two pistons as the one: {body} {what} [SI]", apart, bound)
    for what in ("force", "torque"):
        path = f"reaction_child_{what}"
        whole = sum(two.series[f"joints.{name}.{path}"] for name in ("left", "right", "equal"))
        first = one.series[f"joints.ball.{path}"]
        apart = worst((whole - first)[rows]) / worst(first[rows])
        yield Row(f"two pistons as the one: {what} [of its peak]", apart, 1e-9)
    strokes = [two.series[f"devices.{side}.stroke"][rows] for side in ("left", "right")]
    yield Row("two pistons: difference of their strokes [m]", worst(strokes[0] - strokes[1]), 1e-13)


def in_line(fly, folder):
    """Rows of the pair on one line without air: work of gas and of a constant force by hand."""
    masses = np.array([2800, 11500]) * POUND
    reduced, stroke = masses.prod() / masses.sum(), 9 * INCH
    area, volume, ratio = 2 * np.pi * INCH**2, 100 * INCH**3, 1.25
    changes = AIRLESS | {"bodies.hxlv.mass_centre": [-16 * FT, 0, -16 * FT * np.tan(np.radians(4))]}
    record = fly(folder / "scenario.toml", **changes)
    last = int(np.argmin(held(record)))
    speed = worst(record.series["pairs.hxlv.rv.relative_speed"][last:])
    yield Row("gas, in line: speed after the stroke, 16 ft/s [of it]", abs(speed / (16 * FT) - 1), 1e-8)
    start = float(record.series["devices.gas.pressure"][0])

    def work(travel):
        return start * volume / (ratio - 1) * (1 - (1 + area * travel / volume) ** (1 - ratio))

    def gone(u):
        # dt/du with s = u^2, which takes the singularity of 1/speed at the start away.
        if u == 0:
            return 2 * np.sqrt(reduced / (2 * start * area))
        return 2 * u / np.sqrt(2 * work(u * u) / reduced)

    taken = quad(gone, 0, np.sqrt(stroke), epsabs=1e-13, epsrel=1e-13)[0]
    yield Row("gas, in line: time of the stroke [s]", abs(release(record) - taken), 1e-9, f"{taken:.4f} s")
    constant = reduced * (16 * FT) ** 2 / (2 * stroke)
    endless = {"devices.gas.pressure": constant / area, "devices.gas.volume": 1e9}
    record = fly(folder / "scenario.toml", **changes | endless)
    rate = 2 * stroke / (16 * FT)
    yield Row(
        "constant force: time, 2 x 9 in/(16 ft/s) [s]", abs(release(record) - rate), 1e-9, f"{rate:.5f} s"
    )
    found = [record.series[f"bodies.{body}.acceleration"][1] for body in BODIES]
    relative, expected = float(np.linalg.norm(found[1] - found[0])) / FT, 16**2 / (2 * 0.75)
    text = f"{relative:.1f} ft/s^2"
    yield Row("constant force: acceleration [of (16 ft/s)^2/18 in]", abs(relative / expected - 1), 1e-9, text)


def without_air(fly, folder):
    """Rows of momentum, and of the work of the gas, of the pair as it is."""
    record = fly(folder / "scenario.toml", **AIRLESS)
    masses, series = np.array([11500, 2800]) * POUND, record.series
    inertia = np.array([[2000, 40000, 40000], [110, 950, 1000]]) * FORCE * FT
    speed = np.stack([series[f"bodies.{body}.velocity"] for body in BODIES])
    spin = np.stack([series[f"bodies.{body}.angular_velocity"] for body in BODIES])
    pushed = speed - speed[:, :1]
    momentum = np.einsum("k,ktc->tc", masses, pushed)
    given = masses[1] * worst(pushed[1])
    yield Row("without air: momentum of the pair [of what the piston gave]", worst(momentum) / given, 1e-10)
    turning = series["system.angular_momentum"] - series["system.angular_momentum"][:1]
    arm = 21 * FT
    yield Row("without air: angular momentum [of the push, 21 ft off]", worst(turning) / (given * arm), 1e-10)
    energy = 0.5 * (np.einsum("k,ktc->t", masses, pushed**2) + np.einsum("kc,ktc->t", inertia, spin**2))
    gas = series["devices.gas.energy"]
    work = gas[0] - gas
    rows = held(record)
    yield Row(
        "without air: kinetic energy, work of the gas [of it]",
        worst((energy - work)[rows]) / worst(work),
        1e-9,
    )


def stiffening(fly, folder):
    """Rows of springs that come nearer to the joint as they grow stiffer, without sideslip."""
    peaks = []
    for factor in STIFFER:
        stiff = factor * 158e3 * FORCE * FT**2
        changes = IN_PLANE | {f"forces.{side}.bending_stiffness": stiff for side in ("left", "right")}
        record = fly(folder / "springs.toml", **changes)
        peaks.append(worst(record.series["joints.ball.displacement"][held(record)][:, 2]))
    shown = ", ".join(f"{1e6 * peak:.3g}" for peak in peaks)
    for k, pair in enumerate(pairwise(peaks)):
        order = float(np.log(pair[0] / pair[1]) / np.log(STIFFER[k + 1] / STIFFER[k]))
        yield Row(
            f"springs: order of the displacement across, {k + 1}",
            abs(order - 1),
            ORDER,
            f"{order:.3f}; {shown} um",
        )


def swings(values):
    """How often a sequence turns round."""
    return int(np.sum(np.diff(np.sign(np.diff(values))) != 0))


def as_the_paper_has_it(slider, springs, free):
    """Rows of what the paper says of its figures."""
    rows = held(slider)
    moment = slider.series["joints.ball.reaction_child_torque"][rows][:, 1]
    bent = springs.series["forces.left.force"][held(springs)][:, 2]
    often, seldom = swings(bent), swings(moment)
    yield Row(
        "load of the springs oscillates, that of the joint does not [1 if not]",
        float(often < 10 or seldom > 2),
        0.0,
        f"{often} and {seldom} turns",
    )
    alpha = [np.interp(slider.time, r.time, r.series["bodies.rv.alpha"]) for r in (slider, springs, free)]
    first = slider.time < 1.0
    near, far = (np.degrees(worst((alpha[k] - alpha[0])[first])) for k in (1, 2))
    text = f"springs {near:.2f} deg, not held {far:.2f} deg"
    yield Row("alpha in the first second: springs as the joint, not so without [1 if not]",
              float(near > 0.2 * far), 0.0, text)  # fmt: skip
    last = np.degrees(abs(alpha[2][-1] - alpha[0][-1]))
    yield Row(
        "control takes the difference away [1 if not]",
        float(last > 0.3 * far),
        0.0,
        f"{last:.2f} deg at the end",
    )
    for name, record in (("slider", slider), ("springs", springs), ("free", free)):
        apart = record.series["joints.ball.displacement"][:, 0]
        yield Row(f"{name}: the ball never comes back [1 if so]", float(np.any(np.diff(apart[1:]) <= 0)), 0.0)


def compare(fly, folder):
    """All of it."""
    yield from against_plane(fly, folder)
    slider = fly(folder / "scenario.toml")
    yield from joint_holds(slider)
    yield from balance(slider)
    yield from alike(slider, fly(folder / "pistons.toml"))
    yield from in_line(fly, folder)
    yield from without_air(fly, folder)
    yield from stiffening(fly, folder)
    yield from as_the_paper_has_it(slider, fly(folder / "springs.toml"), fly(folder / "free.toml"))
    pressure = float(slider.series["bodies.rv.dynamic_pressure"][0]) / (FORCE / FT**2)
    yield Row(
        "dynamic pressure at the start, paper: 1000 psf", abs(pressure - 1000), 5.0, f"{pressure:.1f} psf"
    )
    yield Row(
        "Mach number at the start, paper: nearly 7", abs(float(slider.series["bodies.rv.mach"][0]) - 7), 0.01
    )
    (event,) = (k for k, event in enumerate(slider.events) if event.name == "apart")
    speed = float(slider.before["devices.piston.rate"][event]) / FT
    yield Row(
        "speed at the end of the stroke, paper: about 16 ft/s", abs(speed - 16), 0.5, f"{speed:.2f} ft/s"
    )
    yield Row(
        "duration of the stroke, paper: about 0.1 s",
        abs(release(slider) - 0.1),
        0.02,
        f"{release(slider):.4f} s",
    )
