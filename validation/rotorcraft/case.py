"""The rotorcraft of AIAA 2011-6277 (section VI, Figure 4e): blades that flap, or flap and lag, in vacuum and
with air on them; ground resonance by the equations of Coleman and Feingold (NACA Report 1351), and that of
Hammond's helicopter (1974) with a damper that fails, beside what others found for it."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from interstage.studies.verify import Row, linear_about

from ..comparison import worst
from .equations import Air, Hub, Rotor, lagging, resonance

BLADES = [f"hinge_{k}" for k in range(1, 5)]
ROTOR = {"shaft": "shaft", "blades": BLADES}
TURN = {"shaft": "shaft", "period": "turn"}
COUNT, OFFSET, LENGTH, MASS, SPEED = 4, 0.3, 5.7, 60.0, 40.0
EDGE = OFFSET / (OFFSET + LENGTH)
ARM, WIDE = LENGTH / 2, 0.5
MOMENT = MASS * LENGTH**2 / 3
RATIO = 3 * EDGE / (2 * (1 - EDGE))
BLADE = MASS, [ARM, 0, 0], [0.5, 162.45, 162.95]
MIDDLE, FUSELAGE = (80.0, [0, 0, 0], [4, 4, 6]), (2000.0, [0.1, 0, -1.5], [1200, 4000, 3500])
AZIMUTH = 0.4
ROUNDED = 1e-9
"""Of a rate: rounding, times conditions of some thousands."""
DEFECTIVE = 1e-6
"""Of multipliers, of which some are defective at 1."""
INTEGRATED = 1e-8
"""Of multipliers that are not: a monodromy to 1e-12, times conditions of some thousands."""
GROUND = Hub(
    COUNT,
    MASS * ARM,
    MOMENT + WIDE,
    OFFSET,
    (1500.0 + 80.0 + COUNT * MASS,) * 2,
    (6e5, 9e5),
    (3e3, 4e3),
)
DAMPER = 400.0
SPEEDS = 5.0, 15.0, 20.0, 25.0, 28.0, 33.0, 45.0
SLUG, FOOT, POUND = 14.593902937206364, 0.3048, 4.4482216152605
HAMMOND = Hub(
    4,
    65 * SLUG * FOOT,
    800 * SLUG * FOOT**2,
    FOOT,
    ((550 + 26) * SLUG, (225 + 26) * SLUG),
    (85000 * POUND / FOOT,) * 2,
    (3500 * POUND / FOOT, 1750 * POUND / FOOT),
)
HIS_DAMPER = 3000 * FOOT * POUND
RPM = np.pi / 30
STABLE, GROWS = 125.0, 250.0
"""Speeds [rpm] of the published flights with one damper inoperative: one dies out, one grows."""
SWINGS = {
    "forces.damper_1.angle": (-0.45, 0.20, 0.03),
    "forces.damper_2.angle": (-0.75, 0.52, 0.05),
    "forces.damper_3.angle": (-0.27, 0.46, 0.03),
    "forces.damper_4.angle": (-1.81, 1.51, 0.08),
}
"""Least and largest lag [rad] of the limit cycle at 250 rpm, and how well that can be read: centres of rings
of about seven pixels, three pixels; the figure counts lag against ours."""
SWAY = 0.313, 0.012
"""Largest displacement of the hub across [m], likewise."""
PITCH, TWIST, INFLOW, SLOPE, DRAG, CHORD = np.radians(6), np.radians(2), 9.1, 5.7, 0.01, 0.4
HOVER = Air((0.6, 5.7), CHORD, (PITCH + TWIST, PITCH - TWIST), SLOPE, DRAG, INFLOW)
RADIUS, DENSITY, WEIGHT = 6.0, 1.225, 9.81
FLAPPING = 60.0, [3.0, 0, 0], [0.5, 180.0, 180.5]
AHEAD = Air((0.0, RADIUS), CHORD, (np.radians(2),) * 2, SLOPE, 0.0, 2.0, wind=(24.0, 0.0, 0.0))
ADVANCE = 24.0 / (SPEED * RADIUS)
CYCLIC = np.radians(1)
TILTED = Air((0.0, RADIUS), CHORD, (0.0, 0.0), SLOPE, 0.0, 0.0, (CYCLIC, 0.0))
SMALL = 2 * CYCLIC**2
"""Of angles: what their second order adds."""
FLOWN = 1e-8
"""Of angles [rad]: a tolerance of 1e-10 over eight turns."""
FOLLOWED = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-11}
LOCK = DENSITY * SLOPE * CHORD * RADIUS**4 / (180 + 60 * 9.0)


def compare(fly, folder):
    """Blades in vacuum, ground resonance, Hammond's helicopter, a hover, and flapping in forward flight."""
    yield from vacuum(folder / "scenario.toml")
    yield from flapping(folder / "flap.toml")
    yield from grounded(folder / "resonance.toml")
    yield from hammond(fly, folder / "hammond.toml")
    yield from hover(folder / "hover.toml")
    yield from helicopter(folder / "helicopter.toml")
    yield from forward(fly, folder / "forward.toml")


def vacuum(scenario):
    """Blades that flap and lag: against each other, and over a turn."""
    linear = linear_about(scenario, rotor=ROTOR)
    yield Row("coordinates that are not 7 + n L", abs(len(linear.names) / 2 - (7 + 2 * COUNT)), 0.0)
    yield Row("A at six azimuths, of its largest entry", linear.spread, 1e-11)
    for name, axis, ratio in (("flap", "y", 1 + RATIO), ("lag", "z", RATIO * MOMENT / (MOMENT + WIDE))):
        own = [
            mode.eigenvalue
            for mode in linear.modes
            if mode.shares[linear.names.index(f"joints.hinge_1.rotation.{axis}.differential")] > 0.4
        ]
        off = abs(own[0].imag / SPEED - np.sqrt(ratio)) if len(own) == 1 else np.inf
        yield Row(f"frequency of differential {name}, of the rotor's", off, ROUNDED)
    yield from over_a_turn(scenario, linear, Rotor(BLADE, COUNT, "yz", OFFSET, MIDDLE, FUSELAGE))


def flapping(scenario):
    """Five blades that flap alone: those modes that leave the hub alone have two turns more, or fewer, than a
    blade by itself; the others over a turn."""
    count = 5
    rotor = {"shaft": "shaft", "blades": [f"hinge_{k}" for k in range(1, 1 + count)]}
    linear = linear_about(scenario, rotor=rotor)
    yield Row("flap alone: coordinates that are not 7 + n", abs(len(linear.names) / 2 - (7 + count)), 0.0)
    sizes = np.abs(linear.eigenvalues) / SPEED
    for turns in (2 - np.sqrt(1 + RATIO), 2 + np.sqrt(1 + RATIO)):
        off = np.min(np.abs(sizes - turns))
        yield Row(f"flap alone: frequency {turns:.4f} of the rotor's", off, ROUNDED)
    yield from over_a_turn(
        scenario, linear, Rotor(BLADE, count, "y", OFFSET, MIDDLE, FUSELAGE), "flap alone: "
    )


def over_a_turn(scenario, linear, own, what=""):
    """Multipliers of a turn from multi-blade coordinates, and by Kane's equations."""
    turn = linear_about(scenario, rotor=TURN)
    wanted = np.exp(linear.eigenvalues * turn.period)
    away = [np.min(np.abs(wanted - mode.multiplier)) for mode in turn.modes if not mode.stays]
    yield Row(f"{what}multipliers of a turn, from multi-blade coordinates", max(away), DEFECTIVE)
    truth = own.multipliers(AZIMUTH, SPEED)
    truth = truth[np.abs(truth - 1) > 1e-3]
    away = [np.min(np.abs(turn.multipliers - one)) for one in truth]
    yield Row(f"{what}multipliers of a turn, by Kane's equations", max(away), INTEGRATED)


def grounded(scenario):
    """Ground resonance over the speed of the rotor."""
    growing = 0
    for speed in SPEEDS:
        one = linear_about(scenario, rotor=ROTOR, **{"joints.shaft.driven.rz.rate": speed})
        truth, found = resonance(GROUND, DAMPER, speed), one.eigenvalues
        off = max(np.min(np.abs(found - value)) for value in truth) / np.max(np.abs(truth))
        yield Row(f"eigenvalues at {speed:g} rad/s, of the largest", off, ROUNDED)
        same = any(mode.grows for mode in one.modes) == bool(np.any(truth.real > 0))
        yield Row(f"ground resonance at {speed:g} rad/s that is not told", float(not same), 0.0)
        growing += int(np.any(truth.real > 0))
    yield Row("speeds that all are stable, or none", float(growing in (0, len(SPEEDS))), 0.0)


def hammond(fly, scenario):
    """Hammond's helicopter: with all dampers stable at all speeds, as published; with one inoperative by the
    equations of each blade, dying out and growing where published flights do, and its limit cycle."""
    worst_growth = -np.inf
    for rpm in (20.0, 200.0, 255.0, 400.0):
        rate = {"joints.shaft.driven.rz.rate": rpm * RPM}
        one = linear_about(scenario, rotor=ROTOR, **rate)
        truth = resonance(HAMMOND, HIS_DAMPER, rpm * RPM)
        off = max(np.min(np.abs(one.eigenvalues - value)) for value in truth) / np.max(np.abs(truth))
        yield Row(f"Hammond at {rpm:g} rpm: eigenvalues, of the largest", off, ROUNDED)
        worst_growth = max(worst_growth, *one.eigenvalues.real)
    yield Row("Hammond, all dampers: growth at 20 to 400 rpm [1/s]", max(0.0, worst_growth), 0.0)
    failed = {"forces.damper_4.damping": "[0] N m s/rad"}
    for rpm, grows in ((STABLE, False), (GROWS, True)):
        turn = linear_about(scenario, rotor=TURN, **failed, **{"joints.shaft.driven.rz.rate": rpm * RPM})
        truth = lagging(HAMMOND, [HIS_DAMPER] * 3 + [0.0], rpm * RPM)
        off = max(np.min(np.abs(turn.multipliers - one)) for one in truth)
        yield Row(f"Hammond, one damper out, {rpm:g} rpm: multipliers", off, INTEGRATED)
        told = bool(np.max(np.abs(turn.multipliers)) > 1)
        yield Row(f"Hammond, one damper out, {rpm:g} rpm: not as published", float(told != grows), 0.0)
    yield from limit_cycle(fly, scenario, failed)


def limit_cycle(fly, scenario, failed):
    """What Hammond's helicopter does in the end at 250 rpm, released 0.1 m along x, beside a published
    flight."""
    times = np.linspace(25.0, 28.0, 601)
    released = {"bodies.mast.initial.displacement": [0.1, 0.0, 0.0], "phases.turn.until.time": times[-1]}
    record = fly(scenario, **failed, **released, **{"output.times": times})
    late = record.time >= times[0]
    for path, (least, most, read) in SWINGS.items():
        found = np.asarray(record.series[path])[late]
        off = max(abs(found.min() - least), abs(found.max() - most))
        yield Row(f"Hammond, limit cycle at 250 rpm: {path.split('.')[1]} [rad]", off, read)
    sway = np.abs(np.asarray(record.series["bodies.carriage.position"])[late, 1]).max()
    yield Row("Hammond, limit cycle at 250 rpm: hub across [m]", abs(sway - SWAY[0]), SWAY[1])


def hover(scenario):
    """A rotor that hovers: coning and lag, modes in multi-blade coordinates, and thrust."""
    find = [f"joints.{hinge}.rotation.{axis}" for hinge in BLADES for axis in "yz"]
    linear = linear_about(
        scenario, "trim", find=find, rotor=ROTOR, outputs=[f"forces.air_{k}.lift" for k in range(1, 5)]
    )
    own = Rotor(BLADE, 1, "yz", OFFSET, speed=SPEED, air=HOVER)
    rest = np.zeros(2)
    angles = fsolve(lambda q: own.second(q, rest).real, [-0.05, -0.03], xtol=1e-14)
    found = np.array([linear.trimmed[name] for name in find]).reshape(COUNT, 2)
    yield Row("hover: coning and lag [rad]", worst(found - angles), ROUNDED)
    rotating = np.linalg.eigvals(own.slopes(angles, rest))
    turned = [value + 1j * SPEED * n for value in rotating for n in (-1, 0, 1)]
    modes = [mode.eigenvalue for mode in linear.modes]
    off = max(np.min(np.abs(np.concatenate([modes, np.conj(modes)]) - value)) for value in turned)
    yield Row("hover: eigenvalues, of the rotor's speed", off / SPEED, ROUNDED)


def helicopter(scenario):
    """Thompson's machine hovers: how heavy it may be, the torque of its engine, and its modes over a turn,
    of which one is that of air resonance."""
    sought = ["forces.engine.torque.z", "bodies.fuselage.mass"]
    find = [f"joints.{hinge}.rotation.{axis}" for hinge in BLADES for axis in "yz"]
    linear = linear_about(scenario, "trim", find=[*find, *sought], rotor=ROTOR)

    def own(torque, mass):
        body = mass, [0, 0, -1.5], FUSELAGE[2]
        return Rotor(BLADE, COUNT, "yz", OFFSET, MIDDLE, body, air=HOVER, torque=torque)

    def left(x):
        q, u = np.array([*np.zeros(7), *np.tile(x[:2], COUNT)]), np.zeros(15)
        u[6] = SPEED
        rates = own(1e4 * x[2], 1e3 * x[3]).second(q, u).real
        return [*rates[7:9], rates[6], rates[2] - WEIGHT]

    x = fsolve(left, [-0.02, -0.03, 1.0, 2.0], xtol=1e-14)
    angles = np.array([linear.trimmed[name] for name in find]).reshape(COUNT, 2)
    yield Row("helicopter: coning and lag [rad]", worst(angles - x[:2]), ROUNDED)
    for name, wanted in zip(sought, (1e4 * x[2], 1e3 * x[3]), strict=True):
        yield Row(f"helicopter: {name}, of itself", abs(linear.trimmed[name] / wanted - 1), ROUNDED)
    truth = own(1e4 * x[2], 1e3 * x[3]).multipliers(0.0, SPEED, x[:2])
    found = np.exp(linear.eigenvalues * 2 * np.pi / SPEED)
    away = [np.min(np.abs(found - one)) for one in truth[np.abs(truth - 1) > 1e-3]]
    yield Row("helicopter: multipliers of a turn, by Kane's equations", max(away), INTEGRATED)
    lag = [mode for mode in linear.modes if mode.grows and abs(mode.eigenvalue) > SPEED / 4]
    yield Row("helicopter: air resonance that is not told", float(len(lag) != 1), 0.0)


def forward(fly, scenario):
    """A blade that flaps about the axis: the flight by Kane's equations, Glauert's first harmonics in forward
    flight, and the flap that follows cyclic pitch a quarter of a turn later."""
    turn = 2 * np.pi / SPEED
    times = turn * np.linspace(7, 8, 65)
    still = {"wind.velocity": [0.0, 0.0, 0.0], "forces.air.pitch": 0.0, "forces.air.inflow": 0.0}
    tilted = still | {"forces.air.cyclic": [CYCLIC, 0.0]}
    for name, changes, air in (("forward", {}, AHEAD), ("cyclic", tilted, TILTED)):
        record = fly(scenario, **changes, **{"output.times": times})
        flap = -np.interp(times, record.time, np.asarray(record.series["joints.flap.rotation"])[:, 1])
        own = Rotor(FLAPPING, 1, "y", 0.0, speed=SPEED, air=air)

        def slope(t, x, own=own):
            return [x[1], own.second(x[:1], x[1:], SPEED * t).real[0]]

        truth = -solve_ivp(slope, (0, times[-1]), [0, 0], t_eval=times, **FOLLOWED).y[0]
        yield Row(f"{name}: flap over a turn [rad]", worst(flap - truth), FLOWN)
        phases = SPEED * times[:-1]
        mean, cosine, sine = (
            2 * np.mean(flap[:-1] * one) for one in (0.5 + 0 * phases, np.cos(phases), np.sin(phases))
        )
        if name == "cyclic":
            yield Row("cyclic: flap at the pitch's own azimuth, of it", abs(cosine) / CYCLIC, SMALL)
            yield Row("cyclic: flap a quarter later, of the pitch", abs(sine / CYCLIC - 1), SMALL)
            continue
        for text, found, wanted in zip(
            ("coning a0", "a1", "b1"), (mean, -cosine, -sine), glauert(), strict=True
        ):
            yield Row(f"forward: {text} by Glauert, of itself", abs(found / wanted - 1), ADVANCE**2)


def glauert():
    """Coning and first harmonics of a blade hinged at the axis, where higher ones are left out: Johnson,
    "Helicopter Theory" (1980), section 5-5, with the disk along the wind."""
    theta, inflow, mu = np.radians(2), 2.0 / (SPEED * RADIUS), ADVANCE
    coning = LOCK / 8 * (theta * (1 + mu**2) - 4 / 3 * inflow)
    back = mu * (8 / 3 * theta - 2 * inflow) / (1 - mu**2 / 2)
    return coning, back, 4 / 3 * mu * coning / (1 + mu**2 / 2)
