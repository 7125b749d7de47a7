"""A plane three-link arm whose tip has a prescribed velocity, with and without its turn; see SOURCE.md."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, turned, worst

BOUND = 1e-10


def level(x, y):
    """Vectors (rows, 3) in the plane."""
    return np.stack([x, y, np.zeros_like(x)], axis=1)


def inertial(record, k, times):
    """Force on link k at its inner hinge, inertial axes."""
    force = at(record, f"joints.hinge{k}.force", times)
    return force if k == 1 else turned(at(record, f"bodies.link{k - 1}.attitude", times), force)


def links(record, table):
    """Largest errors over the links: of their directions [rad], rates [rad/s] and hinge forces [peak]."""
    times, errors = table["time"], []
    for k in (1, 2, 3):
        angle, rate = table[f"angle{k}"], table[f"rate{k}"]
        along = turned(at(record, f"bodies.link{k}.attitude", times), np.tile([1.0, 0, 0], (len(times), 1)))
        spin = at(record, f"bodies.link{k}.angular_velocity", times)
        hinge = level(table[f"hinge{k}x"], table[f"hinge{k}y"])
        errors.append(
            (
                worst(along - level(np.cos(angle), np.sin(angle))),
                worst(spin - np.stack([0 * rate, 0 * rate, rate], axis=1)),
                worst(inertial(record, k, times) - hinge) / worst(hinge),
            )
        )
    return np.max(errors, axis=0)


def tip(record, table):
    """Errors at the tip, each of its peak (of 1 N m, where there is no torque): force, torque, power."""
    times, force, torque = table["time"], level(table["fx"], table["fy"]), table["torque"]
    power = np.sum(force * level(table["vx"], table["vy"]), axis=1) + torque * table["rate3"]
    return (
        worst(at(record, "joints.tip.force", times) - force) / worst(force),
        worst(at(record, "joints.tip.torque", times)[:, 2] - torque) / max(worst(torque), 1.0),
        worst(at(record, "joints.tip.power", times) - power) / worst(power),
    )


def rows(record, table, what):
    """One flight against its table."""
    names = ("direction of the links [rad]", "rate of the links [rad/s]", "force in the hinges [of its peak]")
    names += tuple(f"{name} at the tip [of its peak]" for name in ("force", "torque", "power"))
    errors = (*links(record, table), *tip(record, table))
    return [Row(f"{what}: {name}", float(error), BOUND) for name, error in zip(names, errors)]


def compare(fly, folder):
    """Inverse kinematics where the last link's rate is prescribed too, one freedom left where it is not."""
    return [
        *rows(fly(folder / "scenario.toml"), read_table(folder / "truth.csv"), "with its turn"),
        *rows(fly(folder / "free.toml"), read_table(folder / "free.csv"), "without"),
    ]
