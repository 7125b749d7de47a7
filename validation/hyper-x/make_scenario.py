"""Writes the four scenarios: the template with the joint of each, and with an estimate of the aerodynamics.

    python make_scenario.py

The research vehicle is its profile in the plane times a mean width. Each of its ramps has the pressure behind
the oblique shock, or in the Prandtl-Meyer expansion, that turns the free stream of Mach 7 along it (tangent
wedges): Ames Research Staff, NACA Report 1135. Nothing here was set from the results of the flight, but for
the pressure of the gas (see `pressure`).
"""

from pathlib import Path

import numpy as np
from scipy.optimize import brentq

HERE = Path(__file__).resolve().parent
MACH, GAMMA = 7.0, 1.4
FT, INCH, POUND, FORCE = 0.3048, 0.0254, 0.45359237, 0.45359237 * 9.80665
AREA = 39.3 * 144
LENGTH = 143.5
UPPER = [(103.5, 4.14), (40.0, 0.0)]
LOWER = [(35.875, 6.36), (35.875, 12.57), (30.4, 0.0), (41.35, -8.93)]
"""Ramps from the nose aft: length along the axis [in], slope away from it [deg]."""
FRICTION = 0.004
CENTRE_AT = 70.0
"""Station of the centre of mass [in]."""
BASE_PRESSURE = -1 / MACH**2
"""70 % of what vacuum would have, -2/(gamma M^2): a usual estimate for blunt bases at such Mach numbers."""
ALPHAS = [float(a) for a in range(-8, 11, 2)]
TURN = 4.0
"""Line of action below the horizontal [deg]."""
SLOPE = 4 / np.sqrt(MACH**2 - 1)
"""Normal force of a thin surface per angle of attack [1/rad]."""
WING_AREA, WING_AT, WING_ASIDE = 8.0, 132.0, 1.9
WIDTH = AREA / LENGTH
APART = 3 * 13.0
"""Distance at which the vehicles no longer feel each other [in]."""
MASSES = 2800.0, 11500.0
STROKE, SPEED = 9.0, 16.0
BORES, CHAMBER, HEAT_RATIO = 2 * np.pi / 4 * 2.0**2, 100.0, 1.25


def root_of(function, low, high):
    """Where a function is zero between two points."""
    return float(brentq(function, low, high))  # pyright: ignore[reportArgumentType]


def pressure_coefficient(turn):
    """Of a flow at MACH that is turned by an angle [rad], into itself where that is positive."""
    if abs(turn) < 1e-12:
        return 0.0
    if turn > 0:
        ahead = lambda b: (  # noqa: E731
            2 / np.tan(b) * (MACH**2 * np.sin(b) ** 2 - 1) / (MACH**2 * (GAMMA + np.cos(2 * b)) + 2)
        )
        shock = root_of(lambda b: ahead(b) - np.tan(turn), np.arcsin(1 / MACH), np.radians(60))
        return 4 / (GAMMA + 1) * (np.sin(shock) ** 2 - 1 / MACH**2)
    root = np.sqrt((GAMMA + 1) / (GAMMA - 1))
    nu = lambda m: root * np.arctan(np.sqrt(m * m - 1) / root) - np.arctan(np.sqrt(m * m - 1))  # noqa: E731
    behind = root_of(lambda m: nu(m) - nu(MACH) + turn, MACH, 50.0)
    ratio = (1 + (GAMMA - 1) / 2 * MACH**2) / (1 + (GAMMA - 1) / 2 * behind**2)
    return 2 / (GAMMA * MACH**2) * (ratio ** (GAMMA / (GAMMA - 1)) - 1)


def edges(ramps):
    """Stations and depths of the corners from the nose aft [in]."""
    x, z = np.zeros(len(ramps) + 1), np.zeros(len(ramps) + 1)
    for k, (long, slope) in enumerate(ramps):
        x[k + 1], z[k + 1] = x[k] + long, z[k] + long * np.tan(np.radians(slope))
    return x, z


def centroid():
    """Depth of the profile's centroid below the nose [in]."""
    at = np.linspace(0, LENGTH, 20001)
    up, down = -np.interp(at, *edges(UPPER)), np.interp(at, *edges(LOWER))
    return float(np.trapezoid((down**2 - up**2) / 2, at) / np.trapezoid(down - up, at))


def base():
    """Depths of the base's upper and lower edge [in]."""
    return -edges(UPPER)[1][-1], edges(LOWER)[1][-1]


def ramp(long, slope, start, coefficient, side):
    """CA, CN and Cm about the centre of mass of one ramp whose pressure coefficient is given; side -1
    above."""
    x, z = start[0] + long / 2, start[1] + long / 2 * np.tan(np.radians(slope))
    force_x, force_z = -coefficient * long * np.tan(np.radians(slope)), -side * coefficient * long
    arm_x, arm_z = CENTRE_AT - x, side * z - centroid()
    moment = arm_z * force_x - arm_x * force_z
    return -force_x * WIDTH / AREA, -force_z * WIDTH / AREA, moment * WIDTH / AREA / LENGTH


def profile(alpha):
    """CA, CN, Cm of the research vehicle without wings at an angle of attack [deg]."""
    total = np.zeros(3)
    for ramps, side in ((UPPER, -1), (LOWER, 1)):
        for (long, slope), *start in zip(ramps, *edges(ramps)):
            total += ramp(long, slope, start, pressure_coefficient(np.radians(slope + side * alpha)), side)
    high, low = base()
    drag = -BASE_PRESSURE * (low - high) * WIDTH / AREA
    return total + np.array([FRICTION + drag, 0, -drag * ((low + high) / 2 - centroid()) / LENGTH])


def nearness():
    """CA, CN, Cm that go from what `profile` has while the two are mated."""
    high, low = base()
    (long, slope), *start = list(zip(LOWER, *edges(LOWER)))[-1]
    lost = np.array(ramp(long, slope, start, pressure_coefficient(np.radians(slope)), 1))
    drag = -BASE_PRESSURE * (low - high) * WIDTH / AREA
    return -lost - np.array([drag, 0, -drag * ((low + high) / 2 - centroid()) / LENGTH])


def pressure():
    """Of the gas at the start [psi]: over the stroke it does the work of the reduced mass at SPEED."""
    reduced = np.prod(MASSES) / np.sum(MASSES) * POUND
    work = reduced * (SPEED * FT) ** 2 / 2 / (FORCE * INCH)
    grown = 1 + BORES * STROKE / CHAMBER
    return work * (HEAT_RATIO - 1) / CHAMBER / (1 - grown ** (1 - HEAT_RATIO))


def numbers(values):
    """An array as TOML, rounded to what an estimate deserves."""
    values = np.asarray(values, dtype=float)
    if values.ndim == 0:
        return f"{float(f'{values:.5g}') + 0.0!r}"
    return f"[{', '.join(numbers(value) for value in values)}]"


ROD = """\
[devices.{name}]
kind = "piston"
parent = "hxlv"
child = "rv"
parent_at = "[0, {y}, 0] in"
child_at = "[-143.5, {y}, {ball}] in"
axis = [{x}, 0, {z}]
stroke = "9 in"
chamber = "gas"
area = "{area} in^2"
"""
SLEEVE = """\
[joints.{name}]
kind = "generalized"
locked = ["ty", "tz"]
parent = "hxlv"
child = "rv"
parent_at = "[0, {y}, 0] in"
child_at = "[-143.5, {y}, {ball}] in"
parent_frame = {{ euler = "3-2-1", angles = "[0, -4, 0] deg" }}
child_frame = {{ euler = "3-2-1", angles = "[0, -4, 0] deg" }}

"""
EQUAL = """\
# Rods extend alike: with the balls 18 in apart along b_y, x_left - x_right = 18 in a_x . b_y, which this row
# holds at zero.
[joints.equal]
kind = "generalized"
locked = ["rz"]
rotation_pair = "ax.by"
parent = "hxlv"
child = "rv"
child_at = "[-143.5, 0, {ball}] in"
parent_frame = {{ euler = "3-2-1", angles = "[0, -4, 0] deg" }}
child_frame = {{ euler = "3-2-1", angles = "[0, -4, 0] deg" }}

"""
BEAM = """\
[forces.{name}]
kind = "beam_spring"
parent = "hxlv"
child = "rv"
parent_at = "[{back}, {y}, {up}] in"
child_at = "[-143.5, {y}, {ball}] in"
parent_frame = {{ euler = "3-2-1", angles = "[0, -4, 0] deg" }}
child_frame = {{ euler = "3-2-1", angles = "[0, -4, 0] deg" }}
length = "6 in"
bending_stiffness = "158 klbf ft^2"
tip = "pinned"
slides = true
phases = ["pushed"]

"""
PAIR = {"left": -9, "right": 9}
GUIDE = 6.0
"""Length of a rod in front of its guide at the start [in]."""
ON_EACH_SIDE = "TP: roughly 9 in on each side of the centre line"
BESIDE = f"""\
"devices.*.parent_at" = {{ source = "{ON_EACH_SIDE}", confidence = "published" }}
"""
HOLD = BESIDE.replace("devices", "joints")
RODS = f"""\
"forces.*.length" = {{ source = "rod ahead of its guide at the start", confidence = "judgement" }}
"forces.*.bending_stiffness" = {{ source = "steel rods of 2 in", confidence = "judgement" }}
"forces.*.parent_at" = {{ source = "{ON_EACH_SIDE}; length of the rod", confidence = "published" }}
"forces.*.child_at" = {{ source = "as the joint's", confidence = "judgement" }}
"forces.*.*_frame" = {{ source = "TP: 4 deg below the horizontal", confidence = "published" }}
"""


def variants():
    """File -> what takes the places of its joint, pistons and sources in the template."""
    turn = np.radians(TURN)
    ball = centroid() - (LENGTH - CENTRE_AT) * np.tan(turn)
    common = {"ball": f"{ball:.10f}", "x": f"{np.cos(turn):.16f}", "z": f"{np.sin(turn):.16f}"}
    one = ROD.format(name="piston", y=0, area=f"{BORES:.10f}", **common)
    two = "\n".join(ROD.format(name=n, y=y, area=f"{BORES / 2:.10f}", **common) for n, y in PAIR.items())
    sleeves = "".join(SLEEVE.format(name=n, y=y, **common) for n, y in PAIR.items())
    clamp = {"back": f"{-GUIDE * np.cos(turn):.13f}", "up": f"{-GUIDE * np.sin(turn):.13f}"}
    beams = "".join(BEAM.format(name=n, y=y, **clamp, **common) for n, y in PAIR.items())
    many = {"PISTONS": two, "FIRED": '["left", "right"]', "SOURCES": BESIDE}
    single = {"PISTONS": one, "FIRED": '["piston"]', "SOURCES": "", "RELEASE": "", "HELD": "false"}
    return {
        "scenario.toml": single
        | {
            "TITLE": "Hyper-X: one piston as slider and revolute",
            "HELD": "true",
            "RELEASE": 'release = ["ball"]\n',
            "ATTACHMENTS": "",
        },
        "pistons.toml": single
        | many
        | {
            "TITLE": "Hyper-X: two pistons that extend alike",
            "RELEASE": 'release = ["left", "right", "equal"]\n',
            "ATTACHMENTS": sleeves + EQUAL.format(**common),
            "SOURCES": BESIDE + HOLD,
        },
        "springs.toml": single
        | many
        | {
            "TITLE": "Hyper-X: two pistons as springs",
            "ATTACHMENTS": beams,
            "SOURCES": BESIDE + RODS,
        },
        "free.toml": single | {"TITLE": "Hyper-X: pushed, and not held", "ATTACHMENTS": ""},
    }


def estimates():
    """Numbers that all four share."""
    high, low = base()
    ball = centroid() - (LENGTH - CENTRE_AT) * np.tan(np.radians(TURN))
    coefficients = np.array([profile(alpha) for alpha in ALPHAS])
    trim = profile(0.0)[2] * AREA / 144 * LENGTH / (WING_AREA * (WING_AT - CENTRE_AT))
    near = nearness()
    ends = SLOPE * np.radians(np.array([[-35.0, 5.0], [-5.0, 35.0]]))
    swing = SLOPE * np.radians(20.0)
    apart = APART * INCH
    return {
        "AXIS": f"{((low + high) / 2 - ball) / 12:.10f}",
        "CENTRE": f"-{CENTRE_AT:g}, 0, {centroid():.10f}",
        "DEPTH": f"{centroid():.10f}",
        "BALL": f"{ball:.10f}",
        "PRESSURE": f"{pressure():.10f}",
        "ALPHAS": numbers(ALPHAS),
        **dict(zip(("CA", "CN", "CM"), (numbers(column) for column in coefficients.T))),
        "WINGS": numbers(ends),
        "TRIM": numbers(trim),
        "AILERONS": numbers(np.array([-swing, swing]) * WING_ASIDE / 3.8),
        "FINS": numbers([-swing, swing]),
        **dict(zip(("NEAR_CA", "NEAR_CN", "NEAR_CM"), (numbers(value) for value in near))),
        "APART": numbers(-apart),
        "BEHIND": numbers(apart),
    }


def scenarios():
    """File -> text."""
    texts = {}
    for file, own in variants().items():
        through = "left" if file == "pistons.toml" else "ball"
        places = {"FILE": file, "THROUGH": through} | own | estimates()
        text = (HERE / "template.toml").read_text() + places.pop("SOURCES")
        for name, value in places.items():
            text = text.replace(f"@{name}@", value)
        texts[file] = text
    return texts


if __name__ == "__main__":
    for name, content in scenarios().items():
        (HERE / name).write_text(content)
