"""Park's double pendulum in space, beside the equations of the bars' directions; see SOURCE.md."""

import math

from interstage.studies.verify import Row

from ..comparison import at, length, read_table, turned, worst
from ..convergence import order_rows

BARS = ("upper", "lower")
BOUND = 1e-10
STEP, BRIEF = 1e-3, 3.0  # s
THICK = [0.02, 1 / 12 + 1e-4, 1 / 12 + 1e-4]  # kg m^2
SAMPLES = 20  # in the time of a turn at the largest angular velocity


def compare(fly, folder):
    """Centres of mass, velocities, angular velocities and joint forces."""
    record, truth = fly(folder / "scenario.toml"), read_table(folder / "truth.csv")
    errors = differences(record, truth)
    rows = [Row(f"{name} centre of mass [m]", worst(errors[f"position.{name}"]), BOUND) for name in BARS]
    for kind in ("velocity", "rate", "force"):
        columns = [name for name in errors if name.startswith(kind)]
        error = max(worst(errors[name]) / length(truth[name]).max() for name in columns)
        label = {"rate": "angular velocity"}.get(kind, kind)
        rows.append(Row(f"{label} [of its peak]", error, BOUND))
    return rows


def converge(fly, folder):
    """The staggered procedure: its order, and 20 samples in the shortest period."""
    scenario, truth = folder / "scenario.toml", read_table(folder / "truth.csv")
    early = {name: values[truth["time"] <= BRIEF] for name, values in truth.items()}
    changes = {"solver.formulation": "staggered", "phases.swing.until.time": BRIEF}
    coarse, fine = (
        {
            f"{kind} of {name}": worst(errors[f"{kind}.{name}"])
            for kind in ("position", "velocity")
            for name in BARS
        }
        for errors in (
            differences(fly(scenario, **changes, **{"solver.step": step}), early) for step in (2 * STEP, STEP)
        )
    )
    return [*order_rows("staggered", coarse, fine), stable(fly, scenario, truth)]


def stable(fly, scenario, truth):
    """The largest gap of the whole flight with steps that sample a turn at the largest rate 20 times.

    Bars thick enough that a gap does not spin them up about themselves, which the truth does not feel."""
    rate = max(length(truth[f"rate.{name}"]).max() for name in BARS)
    step = 0.5e-3 * math.floor(2 * math.pi / rate / SAMPLES / 0.5e-3)  # s
    changes = {f"bodies.{name}.inertia": THICK for name in BARS}
    record = fly(scenario, **{"solver.formulation": "staggered", "solver.step": step}, **changes)
    gap = max(worst(at(record, f"joints.{name}.gap", truth["time"])) for name in ("support", "joint"))
    note = "(rate step)^2 of the bars' 1 m"
    return Row(f"staggered: gap in 10 s at {SAMPLES} steps in a turn [m]", gap, (rate * step) ** 2, note)


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
