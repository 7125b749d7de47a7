"""EGM96 to degree and order 70 at 20 points, against other formulas with 60 digits, without a flight."""

import csv

import numpy as np

from interstage.environment import gravity, harmonics, planet, world
from interstage.programs.program import configure
from interstage.studies.verify import Row

ALLOWED = 1e-12
"""Relative; the sums reach 2e-15."""
TIME = 4321.0
"""Any time will do [s]: the planet turns."""


def read(folder):
    """Columns of truth.csv as floats, x, y and z of each vector together, by the name without its axis."""
    with (folder / "truth.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    heads = {"position": "", "acceleration": "a", "offset": "d", "difference": "difference_"}
    return {name: np.stack([columns[head + axis] for axis in "xyz"]) for name, head in heads.items()}


def relative(found, truth):
    """The largest error of a vector, over its size."""
    return float((np.linalg.norm(found - truth, axis=0) / np.linalg.norm(truth, axis=0)).max())


def compare(fly, folder):
    """Accelerations and differences, in planet-fixed axes and on a planet that turns."""
    configure()
    truth = read(folder)
    field = gravity.HarmonicGravity(coefficients="EGM96", degree=70)
    still = world.Planet(radius=6378137.0, mu=1.0)
    found = harmonics.acceleration(field, still, 0.0, truth["position"])
    yield Row("acceleration at 20 points [relative]", relative(found, truth["acceleration"]), ALLOWED)
    found = harmonics.difference(field, still, 0.0, truth["position"], truth["offset"])
    yield Row("difference over 1 mm to 1000 km [relative]", relative(found, truth["difference"]), ALLOWED)
    earth = world.Earth(angle=0.3)
    turned = {name: planet.from_fixed(earth, TIME, value) for name, value in truth.items()}
    found = harmonics.acceleration(field, earth, TIME, turned["position"])
    yield Row(
        "acceleration, turned with the Earth [relative]", relative(found, turned["acceleration"]), ALLOWED
    )
