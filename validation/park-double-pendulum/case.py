"""Park's double pendulum in space, beside the equations of the bars' directions; see SOURCE.md."""

from interstage.verify import Row

from ..comparison import at, length, read_table, turned, worst

BARS = ("upper", "lower")
BOUND = 1e-10


def compare(fly, folder):
    """Mass centres, velocities, angular velocities and joint forces."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    errors = differences(record, truth)
    rows = [Row(f"{name} mass centre [m]", worst(errors[f"position.{name}"]), BOUND) for name in BARS]
    for kind in ("velocity", "rate", "force"):
        columns = [name for name in errors if name.startswith(kind)]
        error = max(worst(errors[name]) / length(truth[name]).max() for name in columns)
        label = {"rate": "angular velocity"}.get(kind, kind)
        rows.append(Row(f"{label} [of its peak]", error, BOUND))
    return rows


def differences(record, truth) -> dict:
    """Errors of each column of the truth, inertial axes."""
    times = truth["time"]
    attitude = {name: at(record, f"bodies.{name}.attitude", times) for name in BARS}
    found = {
        "force.support": at(record, "joints.support.force", times),
        "force.joint": turned(attitude["upper"], at(record, "joints.joint.force", times)),
    }
    for name in BARS:
        found[f"position.{name}"] = at(record, f"bodies.{name}.position", times)
        found[f"velocity.{name}"] = at(record, f"bodies.{name}.velocity", times)
        found[f"rate.{name}"] = turned(attitude[name], at(record, f"bodies.{name}.angular_velocity", times))
    return {name: values - truth[name] for name, values in found.items()}
