"""The Langley Glide-Back Booster from the pad to orbit and back over the site, in one run, beside what
its papers say of the flight (SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

FT, DEG, PSF, NM, LBM = 0.3048, np.pi / 180, 47.88025898, 1852.0, 0.45359237


def at(leg, body, row=-1):
    """Quantities of a body at a sample of a leg, in the units of the papers."""
    units = {
        "altitude": FT, "ground_speed": FT, "speed": FT, "flight_path_angle": DEG, "mach": 1.0,
        "dynamic_pressure": PSF, "range_to.launch": NM, "inertial_flight_path_angle": DEG, "mass": LBM,
        "inclination": DEG,
    }  # fmt: skip
    return {name: float(leg.series[f"bodies.{body}.{name}"][row]) / unit for name, unit in units.items()}


def beside(where, found, published):
    """Rows of values beside those of the papers: name, value, bound."""
    for name, value, bound in published:
        yield Row(f"{where}: {name}", abs(found[name] - value), bound, f"{found[name]:.6g}, paper {value:g}")


def ascent(record):
    """Rows of the first stage: what was found for the staging, and what comes out on the way there."""
    leg = record.legs["ascent"]
    yield from beside("staging, met", at(leg, "booster"), [
        ("altitude", 82022.0, 0.5), ("ground_speed", 2774.0, 0.5), ("flight_path_angle", 66.48, 0.005),
    ])  # fmt: skip
    yield from beside("staging", at(leg, "booster"), [("mach", 2.84, 0.01), ("dynamic_pressure", 300.0, 1.0)])
    yield Row("staging: mass of the booster, table 2 [lbm]", abs(897.9814 * 32.174049 - booster(leg)), 30.0)
    most = int(np.argmax(leg.series["bodies.booster.dynamic_pressure"]))
    found = at(leg, "booster", most) | {"time": float(leg.time[most])}
    yield from beside("highest pressure", found, [
        ("time", 54.0, 0.5), ("altitude", 32000.0, 50.0), ("mach", 1.37, 0.01),
        ("dynamic_pressure", 750.0, 1.0),
    ])  # fmt: skip
    load = float(leg.series["bodies.booster.axial_load_factor"].max())
    yield Row("ascent: axial load [g]", abs(load - 3.4), 0.2, f"{load:.3g}, paper 3.4")


def booster(leg):
    """Mass of the booster at the end [lbm]."""
    return float(leg.series["bodies.booster.mass"][-1]) / LBM


def insertion(record):
    """Rows of the second and third stage: the orbit that was asked for, and when."""
    leg = record.legs["insertion"]
    yield from beside("cut-off, asked for", at(leg, "core"), [
        ("altitude", 911420.0, 200.0), ("speed", 25409.0, 0.5), ("inclination", 90.0, 0.01),
        ("inertial_flight_path_angle", 0.0, 0.2),
    ])  # fmt: skip
    yield from beside("cut-off", {"time": float(leg.time[-1])}, [("time", 384.9, 1.0)])
    left = float(leg.series["bodies.core.elements.third.left"][-1]) / LBM
    yield Row("cut-off: propellant is left [1 if not]", float(left <= 0), 0.0, f"{left:.3g} lbm of 2976")
    burnout = next(event.time for event in leg.events if event.name == "coast")
    row = int(np.searchsorted(leg.time, burnout))
    yield from beside("second stage spent", at(leg, "core", row) | {"time": burnout}, [
        ("time", 222.0, 0.5), ("altitude", 503000.0, 2000.0),
    ])  # fmt: skip
    load = float(leg.series["bodies.core.axial_load_factor"].max())
    yield Row("insertion: axial load [g]", abs(load - 6.0), 0.2, f"{load:.3g}, paper 6.0")


def back(record):
    """Rows of the booster's return: the numbers of the papers, for which its schedule was found, and their
    limits."""
    leg = record.legs["return"]
    found = at(leg, "booster")
    yield from beside("over the site", found, [("altitude", 46070.0, 50.0), ("mach", 0.57, 0.005)])
    yield Row("over the site, 356 s after the staging [nm]", found["range_to.launch"], 0.1)
    top = int(np.argmax(leg.series["bodies.booster.altitude"]))
    high = at(leg, "booster", top)
    yield from beside("apogee", high, [("altitude", 157200.0, 50.0), ("ground_speed", 770.0, 1.0)])
    again = float(leg.series["bodies.booster.ground_speed"][top:].max()) / FT
    yield Row("second peak of the speed [ft/s]", abs(again - 1735), 1.0, f"{again:.5g}, paper 1735")
    far = float(leg.series["bodies.booster.range_to.launch"].max()) / NM
    yield Row("greatest range [nm]", abs(far - 20.3), 0.05, f"{far:.4g}, paper 20.3")
    yield from limits(leg)


def limits(leg):
    """Rows of what the papers do not let the return exceed."""
    since = leg.time - leg.time[0]
    alpha, mach, load, pressure = (
        leg.series[f"bodies.booster.{name}"] for name in ("alpha", "mach", "load_factor", "dynamic_pressure")
    )
    # All of the load, of which the paper's is the part across.
    yield Row("return: load factor [g]", float(load.max()), 2.3)
    allowed = np.interp(mach, [1.2, 1.6], [20.0, 48.0])
    over = float(np.max(alpha / DEG - allowed))
    yield Row("return: angle of attack above 20 deg to Mach 1.2, 48 deg from 1.6 [deg]", max(over, 0.0), 0.0)
    thin = pressure[(since >= 25) & (since <= 108)].max() / PSF
    yield Row("return: dynamic pressure from 25 to 108 s [psf]", float(thin), 10.0)
    yield Row("return: dynamic pressure from then on [psf]", float(pressure[since > 108].max() / PSF), 200.0)


def compare(fly, folder):
    """The mission beside the papers."""
    record = fly(folder / "scenario.toml")
    yield Row("all legs are flown [1 if not]", float(not record.completed), 0.0)
    yield from ascent(record)
    yield from insertion(record)
    yield from back(record)
