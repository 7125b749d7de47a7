"""The thrust directions of an optimal ascent, flown as a point mass, against the states of the optimum
(SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import read_table

PAYLOAD, AXIS, ECCENTRICITY, INCLINATION = 7529.712295971635, 24361140.0, 0.7308, 28.5
STATES = (("end of six solids", "three"), ("end of three solids", "core"), ("end of the core", "upper"))


def compare(fly, folder):
    """Places, velocities and masses at the ends of three phases; mass and orbit at the end of the fourth."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    events = [event.name for event in record.events]

    def of(quantity, event):
        return record.before[f"bodies.rocket.{quantity}"][events.index(event)]

    for k, (what, event) in enumerate(STATES, start=1):
        place = np.array([truth[axis][k] for axis in "xyz"])
        speed = np.array([truth[f"v{axis}"][k] for axis in "xyz"])
        yield Row(f"{what}: place [m]", float(np.linalg.norm(of("position", event) - place)), 1e-3)
        yield Row(f"{what}: velocity [m/s]", float(np.linalg.norm(of("velocity", event) - speed)), 1e-5)
        yield Row(f"{what}: mass [kg]", abs(float(of("mass", event)) - truth["mass"][k]), 1e-7)
    yield Row("mass in orbit [kg]", abs(float(of("mass", "end")) - PAYLOAD), 1e-7)
    yield Row("semi-major axis [m]", abs(float(of("semi_major_axis", "end")) - AXIS), 1.0)
    yield Row("eccentricity", abs(float(of("eccentricity", "end")) - ECCENTRICITY), 1e-7)
    yield Row("inclination [deg]", abs(float(np.rad2deg(of("inclination", "end"))) - INCLINATION), 1e-6)
