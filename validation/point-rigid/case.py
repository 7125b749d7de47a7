"""A point-mass flight beside the rigid flight of the same vehicle, as its inertia and moments vanish
(SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import angle_between

SIZES = 0.5 ** np.arange(1, 5)
"""Lengths of the vehicle beside the declared ones."""
CHANGED = {
    "": {},
    "other numbers: ": {
        "engines.main.thrust": 200e3,
        "bodies.top.mass": 1600.0,
        "wind.velocity": (-15.0, 10.0, 0.0),
        "bodies.stage.initial.velocity_ned": (-20.0, 60.0, -150.0),
    },
}
ORDER, LEFT, SEEN = 0.03, 1e-4, 0.5
"""Bounds: of the order; of what is left at the size zero, as a part of what is apart at the largest one; and
what the control must have left (SOURCE.md)."""
UNITS = {"position": "m", "velocity": "m/s", "attitude": "rad"}


def shrunk(size, offset):
    """Inputs of the vehicle with its lengths times a size; offset: of the engine from the axis [m]. Forces,
    masses and the moments of the fins stay; a hold of less inertia needs less damping for its stiffness."""

    def at(x, y=0.0):
        return (size * x, y, 0.0)

    def inertia(*moments):
        return tuple(size**2 * moment for moment in moments)

    return {
        "bodies.stage.mass_centre": at(4.0),
        "bodies.stage.inertia": inertia(2e3, 2e4, 2e4),
        "bodies.stage.elements.fuel.radius": 0.8 * size,
        "bodies.stage.elements.fuel.density": 1100.0 / size**3,
        "bodies.stage.elements.fuel.bottom": at(1.5),
        "bodies.top.mass_centre": at(1.0),
        "bodies.top.inertia": inertia(500.0, 1e3, 1e3),
        "joints.ring.parent_at": at(7.0),
        "engines.main.at": (0.0, offset, 0.0),
        "aerodynamics.air.reference": at(6.0),
        "controls.hold.kd": 0.4 * size,
    }


def apart(fly, folder, size, offset, **changes):
    """By how much the rigid stage is off the point at the end, by quantity, as vectors."""
    inputs = shrunk(size, offset) | changes
    file = folder / "scenario.toml"
    point = fly(file, coordinates="point", attitude="turn", **inputs).series
    rigid = fly(file, **inputs).series
    found = {
        name: rigid[f"bodies.stage.{name}"][-1] - point[f"bodies.stage.{name}"][-1]
        for name in ("position", "velocity")
    }
    pair = [series["bodies.stage.attitude"][-1:] for series in (point, rigid)]
    return found | {"attitude": angle_between(*pair)}


def at_zero(sizes, values):
    """Values of the polynomial through them, at the size zero (Neville's scheme)."""
    rows = list(values)
    for k in range(1, len(rows)):
        pairs = zip(rows[:-1], rows[1:], sizes, sizes[k:], strict=False)
        rows = [(a * y - b * x) / (y - x) for a, b, x, y in pairs]
    return rows[0]


def compare(fly, folder):
    """The order in which both come together, and what is left; and that an offset which stays is seen."""
    for name, changes in CHANGED.items():
        found = [apart(fly, folder, size, 0.05 * size, **changes) for size in SIZES]
        for what, unit in UNITS.items():
            values = [one[what] for one in found]
            sizes = [float(np.linalg.norm(value)) for value in values]
            order = np.log2(sizes[-2] / sizes[-1])
            note = f"{sizes[0]:.3g} to {sizes[-1]:.3g} {unit}"
            yield Row(f"{name}{what}: order in the size, off 1", abs(float(order) - 1), ORDER, note)
            left = float(np.linalg.norm(at_zero(SIZES, values))) / sizes[0]
            yield Row(f"{name}{what}: left at the size zero [1]", left, LEFT)
    stays = [apart(fly, folder, size, 0.05)["velocity"] for size in SIZES[:3]]
    left = np.linalg.norm(at_zero(SIZES, stays)) / np.linalg.norm(stays[0])
    yield Row("control: an offset that stays is not left (0: it is)", float(left < SEEN), 0.0, f"{left:.2g}")
