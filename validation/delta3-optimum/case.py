"""The most mass that a Delta III brings to a transfer orbit, found by optimisation of the thrust directions at
some moments from a poor start, against a published optimum; the optimum flown by itself, its orbit, and its
directions beside the published ones.

Of directions that are off by an angle at right angles to an optimum only the square counts: with splines
through few points there is a little less mass than with directions of any form, never more."""

import numpy as np

from interstage import load
from interstage.studies.optimization.declared import read_study
from interstage.studies.verify import Row

from ..comparison import read_table

PAYLOAD, CUT_OFF = 7529.712287, 924.1392029  # kg, s
TARGET = {"semi_major_axis": 24361140.0, "eccentricity": 0.7308}
ANGLES = {"inclination": 28.5, "node": 269.8, "argument_of_periapsis": 130.5}  # deg


def compare(fly, folder):
    """Mass, cut-off and orbit of the optimum, and the angle between its thrust and the published one."""
    study, _ = read_study(folder / "study.toml")
    found = load(folder / "scenario.toml").optimize(study)
    record = fly(found.scenario)

    def last(quantity):
        return record.before[f"bodies.rocket.{quantity}"][-1]

    # Less is a loss; more cannot be, but for what the orbit is missed by and what the published mass errs by.
    yield Row("mass in orbit [kg]", abs(float(last("mass")) - PAYLOAD), 0.01)
    yield Row("cut-off [s]", abs(record.time[-1] - CUT_OFF), 0.01 * 467.21311371054946 * 9.80665 / 110094.0)
    yield Row("semi-major axis [m]", abs(float(last("semi_major_axis")) - TARGET["semi_major_axis"]), 1.0)
    yield Row("eccentricity", abs(float(last("eccentricity")) - TARGET["eccentricity"]), 1e-7)
    for name, value in ANGLES.items():
        yield Row(f"{name} [deg]", abs(float(np.rad2deg(last(name))) - value), 1e-6)
    yield Row("is not to be trusted (0: it is)", float(not found.trusted), 0.0)
