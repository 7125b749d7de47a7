"""NESC check case 17: a rocket of two stages, to 134.4 s against simulator 04 (SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, worst
from ..nesc import FT, RADIUS, over_ground

BURN = 180000 * 360 * 9.80665 / 17e6
"""Time at which the first stage's propellant is spent [s]: m Isp g0/F."""
LBF, PSF = 4.4482216152605, 4.4482216152605 / FT**2
COAST = 96.79
SECOND = 80000 * 390 * 9.80665 / 5e6
"""Time that the second stage burns [s]."""
BURNOUT, END = 37.38, 134.0
ABOVE = {0.0: 135.0, 1.0: -138.0}
"""How far a flight with another coefficient of the inertia rate is above simulator 04 at the burnout [ft]."""


def differences(record, truth):
    """Altitude [m], place over the ground [m], inertial position [m], velocity [m/s], pitch [deg], pitch rate
    [deg/s] less those of the table."""
    times = truth["time_s"]
    found = over_ground(record, "rocket", times)
    forward = found["attitude"][:, :, 0]
    pitch = np.degrees(np.arcsin(-forward[:, 2]))
    flat = np.stack([truth[f"eiPosition_ft_{axis}"] for axis in "XY"], axis=1) * FT
    speed = np.stack([truth[f"eiVelocity_ft_s_{axis}"] for axis in "XY"], axis=1) * FT
    return {
        "altitude [m]": found["altitude"] - truth["altitudeMsl_ft"] * FT,
        "place over the ground [m]": (found["longitude"] - np.radians(truth["longitude_deg"])) * RADIUS,
        "inertial position [m]": np.hypot(*(at(record, "bodies.rocket.position", times)[:, :2] - flat).T),
        "inertial velocity [m/s]": np.hypot(*(at(record, "bodies.rocket.velocity", times)[:, :2] - speed).T),
        "pitch [deg]": pitch - truth["eulerAngle_deg_Pitch"],
        "pitch rate [deg/s]": np.degrees(found["rate"][:, 1]) - truth["bodyAngularRateWrtEi_deg_s_Pitch"],
    }


BOUNDS = {
    "altitude [m]": (0.01, 0.05),
    "place over the ground [m]": (0.01, 0.1),
    "inertial position [m]": (0.01, 0.1),
    "inertial velocity [m/s]": (1e-3, 1e-3),
    "pitch [deg]": (1e-4, 2e-3),
    "pitch rate [deg/s]": (5e-5, 5e-5),
}
"""To the burnout, and to the end of the table."""


def air(record, truth):
    """Rows of the atmosphere and of its loads on the rocket, before the coast leaves the atmosphere."""
    rows = truth["time_s"] < 100
    times = truth["time_s"][rows]
    force = at(record, "aerodynamics.stack.force", times)
    for what, found, name, bound in (
        ("Mach number", at(record, "bodies.rocket.mach", times), "mach", 2e-6),
        (
            "dynamic pressure",
            at(record, "bodies.rocket.dynamic_pressure", times) / PSF,
            "dynamicPressure_lbf_ft2",
            1e-5,
        ),
        ("axial force of the air", force[:, 0] / LBF, "aeroForce_lbf_X", 1e-5),
        ("normal force of the air", force[:, 2] / LBF, "aeroForce_lbf_Z", 5e-5),
        (
            "pitching moment of the air",
            at(record, "aerodynamics.stack.torque", times)[:, 1] / (LBF * FT),
            "aeroMoment_ftlbf_M",
            5e-5,
        ),
    ):
        yield Row(f"{what} [of its peak]", worst(found - truth[name][rows]) / worst(truth[name]), bound)


def compare(fly, folder):
    """The flight, its events, and two flights with another coefficient of the inertia rate, which miss."""
    truth = read_table(folder / "truth.csv")
    record = fly(folder / "scenario.toml")
    early = truth["time_s"] <= BURNOUT
    for what, apart in differences(record, truth).items():
        first, last = BOUNDS[what]
        yield Row(f"to {BURNOUT} s: {what}", worst(apart[early]), first)
        yield Row(f"to 134.4 s: {what}", worst(apart), last)
    yield from air(record, truth)
    for coefficient, expected in ABOVE.items():
        missed = fly(folder / "scenario.toml", **{"bodies.rocket.inertia_rate": coefficient})
        apart = differences(missed, truth)["altitude [m]"][truth["time_s"] == BURNOUT][0] / FT
        yield Row(
            f"k = {coefficient:g} is off by {expected:g} ft at {BURNOUT} s [ft]", abs(apart - expected), 1.0
        )
    times = {event.name: event.time for event in record.events}
    for name, expected in (
        ("rocket.stage empty", BURN),
        ("coast", BURN),
        ("second_burn", BURN + COAST),
        ("rocket.upper empty", BURN + COAST + SECOND),
    ):
        yield Row(f"event: {name} [s]", abs(times[name] - expected), 1e-9)
