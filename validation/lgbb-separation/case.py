"""Booster and core at staging: against plane mechanics on their own, and against the papers (SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, turned, worst

FT = 0.3048
PSF = 4.4482216152605 / FT**2
BODIES = ("booster", "core")
STATE = {"position [m]": 1e-5, "pitch [rad]": 1e-7, "velocity [m/s]": 1e-5, "pitch rate [rad/s]": 1e-7}
"""Bounds on the states against the truth, whose own error is 1e-7 m and 1e-8 rad."""
AGREED = {
    "dx_ft": 11.0,
    "dz_ft": 7.0,
    "alpha_booster_deg": 4.5,
    "alpha_core_deg": 22.0,
    "dynamic_pressure_psf": 3.0,
    "speed_booster_fps": 4.0,
    "speed_core_fps": 11.0,
}
"""How far the flight is from the readings at the most, rounded up: agreement as found, not as required."""


def states(record, body, times):
    """Place, pitch and rates in the plane of the truth (x north, z down), and what leaves the plane."""
    place, velocity = (at(record, f"bodies.{body}.{what}", times) for what in ("position", "velocity"))
    q = at(record, f"bodies.{body}.attitude", times)
    nose, right = (turned(q, np.tile(axis, (len(times), 1))) for axis in np.eye(3)[:2])
    spin = at(record, f"bodies.{body}.angular_velocity", times)
    found = {
        "position [m]": np.stack([place[:, 1], -place[:, 2]], axis=1),
        "pitch [rad]": np.arctan2(nose[:, 2], nose[:, 1])[:, None],
        "velocity [m/s]": np.stack([velocity[:, 1], -velocity[:, 2]], axis=1),
        "pitch rate [rad/s]": spin[:, 1:2],
    }
    # With x to the north and z down the right wing points east, along inertial x.
    beside = max(worst(place[:, 0]), worst(right - [1, 0, 0]), worst(spin[:, [0, 2]]))
    return found, beside


def against_plane(record, truth):
    """Rows of states, and of the pivot's load on the core."""
    times = truth["time_s"]
    columns = {
        "position [m]": ("x", "z"),
        "pitch [rad]": ("theta",),
        "velocity [m/s]": ("u", "w"),
        "pitch rate [rad/s]": ("q",),
    }
    for body in BODIES:
        found, beside = states(record, body, times)
        for what, names in columns.items():
            expected = np.stack([truth[f"{body}_{name}"] for name in names], axis=1)
            yield Row(f"{body}: {what}", worst(found[what] - expected), STATE[what])
        # 2.5 km of way in a direction that is known to a few roundings, and nothing that brings it back.
        yield Row(f"{body} stays in its plane [m, rad, rad/s]", beside, 1e-9)
    held = times[(times > 0.05) & (times < 1.05)]
    rows = np.isin(times, held)
    load = at(record, "joints.aft.force", held)
    pitch = states(record, "booster", held)[0]["pitch [rad]"][:, 0]
    # The load is along the booster's axes, the truth's along the plane's.
    forward = load[:, 0] * np.cos(pitch) + load[:, 2] * np.sin(pitch)
    down = -load[:, 0] * np.sin(pitch) + load[:, 2] * np.cos(pitch)
    expected = np.stack([truth["pivot_x"], truth["pivot_z"]], axis=1)[rows]
    yield Row(
        "pivot's load on the core [of its peak]",
        worst(np.stack([forward, down], axis=1) - expected) / worst(expected),
        1e-7,
    )


def outcome(record, times):
    """What the papers' figure shows, at given times: distances of the two halves of the pivot along the
    booster's axes, and the rest by the columns of readings.csv."""
    apart = at(record, "joints.aft.displacement", times) / FT
    return {
        "dx_ft": apart[:, 0],
        "dz_ft": apart[:, 2],
        "alpha_booster_deg": np.degrees(at(record, "bodies.booster.alpha", times)),
        "alpha_core_deg": np.degrees(at(record, "bodies.core.alpha", times)),
        "dynamic_pressure_psf": at(record, "bodies.booster.dynamic_pressure", times) / PSF,
        "speed_booster_fps": at(record, "bodies.booster.airspeed", times) / FT,
        "speed_core_fps": at(record, "bodies.core.airspeed", times) / FT,
    }


def against_papers(record, readings):
    """Rows of the largest difference of each quantity; the note has all of them."""
    times = readings["time_s"]
    found = outcome(record, times)
    for what, bound in AGREED.items():
        read = ~np.isnan(readings[what])
        apart = found[what][read] - readings[what][read]
        pairs = zip(times[read], found[what][read], readings[what][read], strict=True)
        note = ", ".join(f"{t:g} s: {here:.1f} ({there:g})" for t, here, there in pairs)
        yield Row(f"reading of the papers: {what}", worst(apart), bound, note)


def compare(fly, folder):
    """The flight against plane mechanics and the papers, its start and events, and what it hangs on."""
    record = fly(folder / "scenario.toml")
    truth, readings = read_table(folder / "truth.csv"), read_table(folder / "readings.csv")
    yield from against_plane(record, truth)
    line = (folder / "truth.csv").read_text().splitlines()[0]
    times = {event.name: event.time for event in record.events}
    yield Row("release of the pivot [s]", abs(times["apart"] - float(line.split()[-2])), 1e-8)
    first = {path: float(record.series[f"bodies.booster.{path}"][0]) for path in ("mach", "dynamic_pressure")}
    yield Row("Mach number at the start, table: 2.84", abs(first["mach"] - 2.84), 0.01)
    yield Row(
        "dynamic pressure at the start, table: 300 psf", abs(first["dynamic_pressure"] / PSF - 300), 1.0
    )
    (row,) = (k for k, event in enumerate(record.events) if event.name == "apart")
    alpha = float(record.before["bodies.booster.alpha"][row])
    yield Row("alpha at the release [deg]", abs(np.degrees(alpha) - 5), 1e-9)
    forward = record.series["joints.forward.displacement"][record.time > 0.2, 2]
    yield Row("the noses open at once [1 if not]", float(np.any(np.diff(forward) <= 0)), 0.0)
    closing = record.series["joints.aft.displacement"][record.time > times["apart"] + 1e-6, 2]
    yield Row("the pivot's halves never close again [1 if not]", float(np.any(np.diff(closing) <= 0)), 0.0)
    yield from against_papers(record, readings)
    alone = fly(folder / "scenario.toml", **{"aerodynamics.booster_near.factor": 0.0})
    changed = outcome(alone, np.array([3.0]))["dz_ft"] - outcome(record, np.array([3.0]))["dz_ft"]
    yield Row("the nearness of the core matters [1 if not]", float(abs(changed[0]) < 10), 0.0)
