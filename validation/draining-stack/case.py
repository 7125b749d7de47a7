"""Two joined stages under thrust, with tanks that drain, against one rigid structure (SOURCE.md)."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import angle_between, at, length, read_table, worst

JOINT = np.array([5.5, 0.2, 0.1])  # m


def lever(record, times, force, torque, names):
    """Worst errors of the reactions on a body, which the record has about its centre of mass, structural
    axes."""
    body, side = names
    arm = JOINT - at(record, f"bodies.{body}.mass_centre", times)
    about = torque + np.cross(arm, force)
    found = [at(record, f"joints.interstage.reaction_{side}_{what}", times) for what in ("force", "torque")]
    return worst(found[0] - force) / length(force).max(), worst(found[1] - about) / length(about).max()


def compare(fly, folder):
    """Motion of the zero of the drawing, masses, and the joint's loads on both stages."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    times = truth["time"]

    def of(path):
        return at(record, path, times)

    way = length(truth["place"]).max()
    yield Row("place [of the way]", worst(of("bodies.lower.origin_position") - truth["place"]) / way, 1e-10)
    turn = angle_between(of("bodies.lower.attitude"), truth["attitude"])
    yield Row("attitude [rad]", worst(turn), 1e-9)
    rates = of("bodies.lower.angular_velocity") - truth["angular_velocity"]
    yield Row("angular velocity [of its peak]", worst(rates) / length(truth["angular_velocity"]).max(), 1e-10)
    mass = of("bodies.lower.mass") + of("bodies.upper.mass")
    yield Row("mass [of it]", worst(mass / truth["mass"] - 1), 1e-13)
    for what in ("force", "torque"):
        expected = truth[f"upper_{what}"]
        error = worst(of(f"joints.interstage.{what}") - expected) / length(expected).max()
        yield Row(f"joint {what} against the rigid stack [of its peak]", error, 1e-9)
    for name, side in (("upper", "child"), ("lower", "parent")):
        force, torque = truth[f"{name}_force"], truth[f"{name}_torque"]
        errors = lever(record, times, force, torque, (name, side))
        yield Row(f"{name} stage's own balance: force [of its peak]", errors[0], 1e-9)
        yield Row(f"{name} stage's own balance: torque [of its peak]", errors[1], 1e-9)
    moved = of("bodies.lower.mass_centre")
    yield Row("the centre of mass moves [1 if not]", float(length(moved[-1:] - moved[:1])[0] < 0.1), 0.0)
