"""Two bodies held together by two fixed joints: their motion, and how these share loads; see SOURCE.md."""

import tomllib

import numpy as np

from interstage.scenario import Scenario
from interstage.studies.verify import Row

from ..comparison import at, euler_matrix, worst

TIMES = np.linspace(0, 10, 21)
WHOLE, TURNING, PUSH, TORQUE = 400.0, 440.0, 800.0, 30.0  # kg, kg m^2 about z, N, N m
PAYLOAD, MOMENT, FROM_CENTRE = 100.0, 40.0, 1.5  # kg, kg m^2 about z, m
ARM = np.array([0.6, 0.0, 0.2])  # m, from half way between the joints to the payload's centre of mass
PLACES = {"left": 0.4, "right": -0.4}  # m, along y
ROTATION, TURN_RATE = 0.8, TORQUE / TURNING  # rad/s, rad/s^2
FOOT = 0.3048
STIFF = {
    "left": {"stiffness": [2e7, 1e7, 3e7], "torsional_stiffness": [1e5, 2e5, 5e5]},
    "right": {"stiffness": [1e7, 4e7, 1e7], "torsional_stiffness": [2e5, 1e5, 1e5]},
}
TURNED = {"euler": "3-2-1", "angles": [0.7, -0.4, 1.1]}
MOTION, LOADS = 1e-10, 1e-11


def compare(fly, folder):
    """The motion, and the loads by three rules, in turned frames and in another unit of length."""
    table = tomllib.loads((folder / "scenario.toml").read_text())
    single = {**table, "joints": {"left": table["joints"]["left"]}}
    equal, once = fly(folder / "scenario.toml"), fly(Scenario.model_validate(single))
    forces_only = {name: {"stiffness": both["stiffness"]} for name, both in STIFF.items()}
    by_length = {
        name: both | {"torsional_stiffness": 0.25 * np.array(both["stiffness"])}
        for name, both in forces_only.items()
    }
    return [
        *motion_rows(equal, once),
        *load_rows(equal, "equal stiffness, 1 m", alike(1.0)),
        *load_rows(flown(fly, table, sharing_length=0.25), "equal stiffness, 0.25 m", alike(0.25)),
        *load_rows(flown(fly, table, STIFF), "given stiffnesses", STIFF),
        *load_rows(flown(fly, table, forces_only, 0.5), "given stiffnesses, 0.5 m", by_length),
        *load_rows(flown(fly, table, frames=TURNED), "turned frames", alike(1.0), TURNED),
        *in_feet(fly, table, equal),
    ]


def alike(length: float) -> dict:
    """Equal stiffness, torques weighed by a length [m]."""
    return {name: {"stiffness": np.ones(3), "torsional_stiffness": np.full(3, length**2)} for name in PLACES}


def flown(fly, table: dict, stiffness: dict | None = None, sharing_length: float = 1.0, frames=None):
    """A flight with stiffnesses of the joints, another length, or other frames on both sides of them."""
    joints = {name: joint | (stiffness or {}).get(name, {}) for name, joint in table["joints"].items()}
    if frames is not None:
        joints = {n: joint | {"parent_frame": frames, "child_frame": frames} for n, joint in joints.items()}
    solver = table["solver"] | {"sharing_length": sharing_length}
    return fly(Scenario.model_validate(table | {"joints": joints, "solver": solver}))


def turning(times):
    """Angle [rad] and rate [rad/s] of the whole about z."""
    return ROTATION * times + TURN_RATE * times**2 / 2, ROTATION + TURN_RATE * times


def motion_rows(record, once) -> list[Row]:
    """The closed form, and the same flight with one joint only."""
    angle, rate = turning(TIMES)
    height, zero = PUSH / WHOLE * TIMES**2 / 2, np.zeros_like(TIMES)
    place = np.stack([FROM_CENTRE * np.cos(angle), FROM_CENTRE * np.sin(angle), height], axis=1)
    errors = {
        "position": worst(at(record, "bodies.payload.position", TIMES) - place),
        "angular velocity": worst(
            at(record, "bodies.payload.angular_velocity", TIMES) - np.stack([zero, zero, rate], axis=1)
        ),
    }
    rows = [Row(f"{name} of the payload [m or rad/s]", error, 1e-9) for name, error in errors.items()]
    for kind in ("position", "velocity", "attitude", "angular_velocity"):
        error = max(
            worst(at(record, path, TIMES) - at(once, path, TIMES))
            for path in (f"bodies.stage.{kind}", f"bodies.payload.{kind}")
        )
        rows.append(Row(f"{kind.replace('_', ' ')}: two joints compared with one", error, MOTION))
    return rows


def together() -> tuple[np.ndarray, np.ndarray]:
    """Force [N] on the payload and moment [N m] about the point half way between the joints, body axes."""
    _, rate = turning(TIMES)
    ones = np.ones_like(rate)
    acceleration = [-(rate**2) * FROM_CENTRE, TURN_RATE * FROM_CENTRE * ones, PUSH / WHOLE * ones]
    force = PAYLOAD * np.stack(acceleration, axis=1)
    return force, np.cross(ARM, force) + np.array([0, 0, MOMENT * TURN_RATE])


def share(stiffness: dict) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Force and torque of each joint on the payload (time, 3), body axes.

    Both joints stand on a line along y, at the places y. A force along x (or z) goes with the one turn that
    displaces the joints along it, about z (or x): k are the stiffnesses of the two along the force, c those
    about the turn. About the elastic centre, sum k y / sum k, force and turn do not disturb each other. The
    force along y and the turn about y stand alone.
    """
    force, moment = together()
    y = np.array([PLACES[name] for name in PLACES])
    k, c = (
        np.array([stiffness[n][kind] for n in PLACES], float) for kind in ("stiffness", "torsional_stiffness")
    )
    forces, torques = np.zeros((2, len(TIMES), 3)), np.zeros((2, len(TIMES), 3))
    forces[:, :, 1] = np.outer(k[:, 1] / k[:, 1].sum(), force[:, 1])
    torques[:, :, 1] = np.outer(c[:, 1] / c[:, 1].sum(), moment[:, 1])
    for along, about, sign in ((0, 2, -1.0), (2, 0, 1.0)):  # z x y = -x, x x y = z
        centre = (k[:, along] * y).sum() / k[:, along].sum()
        bending = (k[:, along] * (y - centre) ** 2).sum() + c[:, about].sum()
        turn = (moment[:, about] - sign * centre * force[:, along]) / bending
        shares = np.outer(k[:, along] / k[:, along].sum(), force[:, along])
        forces[:, :, along] = shares + sign * np.outer(k[:, along] * (y - centre), turn)
        torques[:, :, about] = np.outer(c[:, about], turn)
    return {name: (forces[i], torques[i]) for i, name in enumerate(PLACES)}


def load_rows(record, what: str, stiffness: dict, frames: dict | None = None) -> list[Row]:
    """Forces and torques of both joints against the closed form, by the largest of each kind."""
    expected = share(stiffness)
    rows = []
    for index, kind in enumerate(("force", "torque")):
        peak = max(worst(loads[index]) for loads in expected.values())
        error = 0.0
        for name, loads in expected.items():
            found = at(record, f"joints.{name}.{kind}", TIMES)
            if frames is not None:
                found = found @ euler_matrix(frames["euler"], np.degrees(frames["angles"])).T
            error = max(error, worst(found - loads[index]))
        rows.append(Row(f"{what}: {kind} [of the largest]", error / peak, LOADS))
    return rows


def in_feet(fly, table: dict, metric) -> list[Row]:
    """The same numbers in feet, kilograms and seconds: loads must be those in metres, times 1/0.3048 or its
    square.

    Rules that weigh forces and torques alike without a length would not pass.
    """
    unit = 1 / FOOT
    bodies = {
        name: scaled(body, {"mass_centre": unit, "inertia": unit**2})
        for name, body in table["bodies"].items()
    }
    joints = {name: scaled(j, {"parent_at": unit, "child_at": unit}) for name, j in table["joints"].items()}
    forces = {name: scaled(f, {"force": unit, "torque": unit**2}) for name, f in table["forces"].items()}
    solver = table["solver"] | {"sharing_length": unit}
    changed = {"bodies": bodies, "joints": joints, "forces": forces, "solver": solver}
    record = fly(Scenario.model_validate(table | changed))
    rows = []
    for kind, factor in (("force", unit), ("torque", unit**2)):
        ours, theirs = (
            np.stack([at(r, f"joints.{name}.{kind}", TIMES) for name in PLACES]) for r in (record, metric)
        )
        error = worst(ours / factor - theirs) / worst(theirs)
        rows.append(Row(f"in feet: {kind} [of the largest]", error, LOADS))
    return rows


def scaled(part: dict, factors: dict) -> dict:
    """A table with some entries, texts like "[1, 2, 3] m", as numbers times a factor."""
    numbers = {}
    for key in factors.keys() & part.keys():
        inside = part[key][1 : part[key].index("]")]
        numbers[key] = [float(x) * factors[key] for x in inside.split(",")]
    return part | numbers
