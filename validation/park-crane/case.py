"""A crane of three links whose tip has a prescribed velocity, rigid and flexible, with the torques that do
the same at its joints; see SOURCE.md."""

import numpy as np
from scipy.integrate import simpson

from interstage import Torque
from interstage.reading import load
from interstage.studies.verify import Row

from ..comparison import at, length, read_table, rows_at, turned, worst
from ..convergence import SLACK, order_rows

LINKS = (1, 2, 3)
LENGTH = np.array([5.0, 3.0, 3.0])  # m
SPEED, FREQUENCY, START = np.array([-0.75, 0.75, 0.375]), np.pi / 4, np.array([6.0, 3, 4])  # of the tip
STEP = 1e-3  # s, of flexible links
BOUND = 1e-10
ROUNDING = 2**-52 * 7.8 * 4 / STEP
"""Of the tip, 7.8 m away, in every step of the flexible crane to the same side [m]."""
WAYS = {"staggered": "staggered", "simultaneous": {"kind": "simultaneous", "treatment": "staggered"}}
MOON = {"gravity.acceleration": [0.0, 0.0, -1.62]}


def compare(fly, folder):
    """The default formulation: rigid links against Lagrange's equations, flexible ones against these."""
    rigid, moon = (fly(folder / "scenario.toml", **gravity) for gravity in ({}, MOON))
    soft, finer = (
        fly(folder / "flexible.toml", **{"output.interval": STEP, "solver.step": step})
        for step in (STEP, STEP / 2)
    )
    yield from lagrange(rigid, read_table(folder / "truth.csv"), "rigid")
    yield from lagrange(moon, read_table(folder / "gravity.csv"), "rigid, on the Moon")
    for name, record in (("rigid", rigid), ("flexible", soft)):
        yield Row(f"{name}: tip off its path [m]", worst(hinges(record)[2] - path(record.time)), ROUNDING)
    yield balance(rigid, rigid, joint_power(rigid), "rigid: torques' work")
    yield balance(moon, moon, joint_power(moon), "rigid, on the Moon: torques' work")
    yield balance(soft, finer, soft.series["joints.tip.power"].ravel(), "flexible: tip's work")
    yield from alike(fly, folder)
    yield from open_loop(fly, folder)


def converge(fly, folder):
    """The paper's procedure and the simultaneous one towards the default, by order of the step."""
    for file, steps in (
        ("scenario.toml", {"staggered": 2 * STEP, "simultaneous": 10 * STEP}),
        ("flexible.toml", {"staggered": STEP, "simultaneous": STEP / 4}),
    ):
        exact = fly(folder / file, **({"solver.step": STEP / 4} if file == "flexible.toml" else {}))
        for kind, step in steps.items():
            coarse, fine = (
                differences(
                    fly(folder / file, **{"solver.formulation": WAYS[kind], "solver.step": part * step}),
                    exact,
                )
                for part in (1, 0.5)
            )
            what = f"{kind}, {'rigid' if file == 'scenario.toml' else 'flexible'}"
            yield from order_rows(what, coarse, fine)


def lagrange(record, table, what):
    """Rigid links against the table: directions, rates, force at the tip and torques, of their peaks."""
    rows = rows_at(record, table["time"])
    along = np.diff([np.zeros((len(record.time), 3)), *hinges(record)], axis=0) / LENGTH[:, None, None]
    turning = np.cross([spin(record, k) for k in LINKS], along)
    found = {
        "directions": (along, "along", 1.0),
        "rates [rad/s]": (turning, "rate", 1.0),
        "joint torques [of their peak]": (torques(record), "torque", None),
    }
    errors = {}
    for name, (values, column, size) in found.items():
        true = np.stack([table[f"{column}{k}"] for k in LINKS])
        errors[name] = worst(values[:, rows] - true) / (size or worst(true))
    off = at(record, "joints.tip.force", table["time"]) - table["force"]
    errors["force at the tip [of its peak]"] = worst(off) / worst(table["force"])
    return [Row(f"{what}: {name}", error, BOUND) for name, error in errors.items()]


def balance(record, finer, power, what):
    """What is fed in is the change of energy, those of gravity and strain among it. Work is Simpson's over
    the samples, off by less than half of them change; energy by less than twice what half of the step
    changes."""
    energy, other = (one.series["system.energy"].ravel() for one in (record, finer))
    work, coarse = (simpson(power[::k], x=record.time[::k]) for k in (1, 2))
    peak = worst(energy - energy[0])
    error, bound = abs(energy[-1] - energy[0] - work), abs(work - coarse) + 2 * abs(energy[-1] - other[-1])
    return Row(f"{what} less the change of energy [of its peak]", error / peak, bound / peak)


def alike(fly, folder):
    """Paths of the joints alike, torques not, as the paper says; and rigid as the stiffness grows."""
    rigid = fly(folder / "scenario.toml")
    soft = [fly(folder / "flexible.toml", **stiffer(factor)) for factor in (1, 4, 16)]
    off = [np.sqrt(np.mean((hinges(one) - hinges(rigid)) ** 2)) for one in soft]
    order = np.log(off[1] / off[2]) / np.log(4)
    yield Row("flexible: paths of the hinges from the rigid ones [of the way]", apart(soft[0], rigid), 2e-3)
    # In the first instants the force goes into the tip's own body.
    later = rigid.time > 0.1
    differ = worst((torques(soft[0]) - torques(rigid))[:, later]) / worst(torques(rigid))
    yield Row("and the share of that in the difference of torques", apart(soft[0], rigid) / differ, 0.02)
    yield Row("paths, order in one over the stiffness less 1", abs(order - 1), SLACK, f"observed {order:.2f}")


def open_loop(fly, folder):
    """The torques at the joints in place of the prescribed velocity."""
    rigid, soft = fly(folder / "scenario.toml"), fly(folder / "flexible.toml", **stiffer(1))
    drive = driven(folder / "scenario.toml", torques(rigid), rigid.time)
    yield Row("rigid, driven by its torques: paths [of the way]", apart(fly(drive), rigid), 1e-6, "spline")
    drive = driven(folder / "scenario.toml", torques(soft), soft.time)
    yield Row("rigid, driven by those of the flexible [of the way]", apart(fly(drive), rigid), 5e-3)
    off = []
    for factor in (4, 16):
        changes = stiffer(factor)
        drive = driven(folder / "flexible.toml", torques(rigid), rigid.time, changes)
        off.append(apart(fly(drive), rigid))
    order = np.log(off[0] / off[1]) / np.log(4)
    yield Row("flexible, 16 times as stiff, driven by those of the rigid [of the way]", off[1], 1e-2)
    yield Row(
        "and its order in one over the stiffness less 1", abs(order - 1), SLACK, f"observed {order:.2f}"
    )


# --- what the rows are made of


def differences(record, exact):
    """From the default formulation: places of hinges, energy, and gaps of the joints, largest."""
    energy = record.series["system.energy"] - exact.series["system.energy"]
    gaps = [worst(at(record, f"joints.hinge{k}.gap", record.time)) for k in LINKS]
    places = worst(hinges(record) - hinges(exact))
    return {"places of hinges [m]": places, "energy [J]": worst(energy), "gap [m]": max(gaps)}


def apart(record, other):
    """Largest distance of hinges or tip, over how far the tip moves."""
    return float(length(hinges(record) - hinges(other)).max() / length(path(4.0) - START))


def path(time):
    """Where the tip is to be (..., 3) [m]."""
    return START + SPEED / FREQUENCY * (1 - np.cos(FREQUENCY * np.asarray(time)))[..., None]


def hinges(record):
    """Places of the second and third hinge and of the tip (3, sample, 3) [m]."""
    if "bodies.outer3.position" in record.series:
        return np.stack([record.series[f"bodies.{name}.position"] for name in ("outer1", "outer2", "outer3")])
    along = np.tile([1.0, 0, 0], (len(record.time), 1))
    links = [turned(record.series[f"bodies.link{k}.attitude"], LENGTH[k - 1] * along) for k in LINKS]
    return np.cumsum(links, 0)


def torques(record):
    """Torques at the hinges that do what the force at the tip does, by virtual power (3, sample, 3) [N m]."""
    found = hinges(record)
    arms = found[2] - np.concatenate([np.zeros_like(found[:1]), found[:2]])
    return np.cross(arms, record.series["joints.tip.force"])


def spin(record, k):
    """Angular velocity of a rigid link, inertial axes [rad/s]."""
    return turned(
        record.series[f"bodies.link{k}.attitude"], record.series[f"bodies.link{k}.angular_velocity"]
    )


def joint_power(record):
    """Of the torques at the hinges of rigid links [W]."""
    relative = np.diff([np.zeros_like(spin(record, 1)), *(spin(record, k) for k in LINKS)], axis=0)
    return np.sum(torques(record) * relative, (0, 2))


def stiffer(factor):
    """Changes that make the links stiffer, with steps that follow their faster motion."""
    scale = {"axial_stiffness": 2e5, "shear_stiffness": [1e5] * 2, "torsional_stiffness": 200.0}
    scale |= {"bending_stiffness": [200.0] * 2}
    found = {
        f"forces.beam{k}.section.{name}": factor * np.asarray(value)
        for k in LINKS
        for name, value in scale.items()
    }
    return found | {"solver.step": STEP / np.sqrt(factor)}


def driven(file, torque, time, changes=None):
    """The crane without the prescribed velocity, driven by torques (3, sample, 3) [N m] at its hinges."""
    scenario = load(file, set=changes or {})
    inner, outer = ("inner", "outer") if len(scenario.bodies) > len(LINKS) else ("link", "link")
    loads = {}
    for k in LINKS:
        loads[f"{inner}{k}"] = loads.get(f"{inner}{k}", 0) + torque[k - 1]
        if k > 1:
            loads[f"{outer}{k - 1}"] = loads.get(f"{outer}{k - 1}", 0) - torque[k - 1]
    motors = tuple(
        Torque(name=f"on_{body}", body=body, axes="inertial", torque={"time": time, "value": value})
        for body, value in loads.items()
    )
    return scenario.model_copy(update={"joints": scenario.joints[:3], "forces": (*scenario.forces, *motors)})
