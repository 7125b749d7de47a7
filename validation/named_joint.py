"""Compares a case flown with the generalized joint with the same case flown with the joint's own name.

In the frames of the file the two make the same rows, so they must agree; in turned frames, where other rows
are redundant, they must agree to rounding. The flight is compared with the table of the named case
too.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np

from interstage.scenario import Scenario
from interstage.studies.verify import Row, start_as_declared

from .boxes import ROUNDING, flight_against_table, growth_of
from .comparison import angle_between, length, worst

STATES, SEED = 16, 20161
EPS = float(np.finfo(float).eps)
FACTOR = 100.0  # roundings in the rows and in a solve of six equations, generously
TRAJECTORY = 1e-10
SIZES = {"position": 1.0, "velocity": 3.0, "angular_velocity": 2.0}  # m, m/s, rad/s
KINDS = {
    "accelerations": ("acceleration", "angular_acceleration"),
    "loads": ("reaction_child_force", "reaction_child_torque"),
}


def random_starts(table: dict, random: np.random.Generator) -> dict:
    """Bodies in random states off the constraints, turned so little that no row is lost."""
    bodies = {}
    for name, body in table["bodies"].items():
        initial = {key: random.uniform(-size, size, 3).tolist() for key, size in SIZES.items()}
        attitude = {"euler": "3-2-1", "angles": random.uniform(-0.4, 0.4, 3).tolist()}
        bodies[name] = body | {"initial": initial | {"attitude": attitude}}
    return bodies


def condition(matrix: np.ndarray) -> float:
    """Condition number of the rows' response after scaling its diagonal to one."""
    scale = 1 / np.sqrt(np.diag(matrix))
    return float(np.linalg.cond(matrix * scale[:, None] * scale))


def difference(ours: dict, theirs: dict, names: tuple[str, str]) -> float:
    """Worst difference of a pair of kinds (linear, angular), by the larger of the two at 1 m."""
    worst_yet = 0.0
    stems = {path.rpartition(".")[0] for path in theirs if path.endswith("." + names[0])}
    for stem in stems:
        size = max(float(length(theirs[f"{stem}.{name}"][None])[0]) for name in names)
        apart = max(worst(ours[f"{stem}.{name}"] - theirs[f"{stem}.{name}"]) for name in names)
        worst_yet = max(worst_yet, apart / size)
    return worst_yet


def at_random_states(table: dict, named: dict, what: str) -> list[Row]:
    """Accelerations and loads at random states, in units of eps times the condition number."""
    random, errors = np.random.default_rng(SEED), dict.fromkeys(KINDS, 0.0)
    for _ in range(STATES):
        changed = {
            "bodies": random_starts(named, random),
            "solver": {"stabilization": "baumgarte", "eta": float(random.uniform(0, 10))},
        }
        ours, theirs = (start_as_declared(Scenario.model_validate(t | changed)) for t in (table, named))
        allowed = EPS * condition(theirs["held"])
        for group, names in KINDS.items():
            errors[group] = max(errors[group], difference(ours, theirs, names) / allowed)
    return [
        Row(f"{k} at random states, {what} [eps cond]", v, FACTOR, f"{STATES} states")
        for k, v in errors.items()
    ]


def in_flight(ours, theirs, growth: np.ndarray) -> list[Row]:
    """Both flights, every state and load, by their peaks."""
    allowed = np.maximum(1, growth * ROUNDING / TRAJECTORY)
    rows = []
    for kind in ("position", "velocity", "attitude", "angular_velocity", "force", "torque"):
        error = 0.0
        for path in (p for p in theirs if p.startswith(("bodies.", "joints.")) and p.endswith("." + kind)):
            a, b = ours[path], theirs[path]
            apart = angle_between(a, b) if kind == "attitude" else length(a - b) / (length(b).max() or 1.0)
            error = max(error, worst(apart / allowed))
        rows.append(Row(f"{kind.replace('_', ' ')} in flight [of its peak]", error, TRAJECTORY))
    return rows


def against_named(fly, folder: Path, name: str, arm: float, turned: dict, **changes) -> list[Row]:
    """The generalized joint of `folder` against the case `name` beside it.

    turned: other options of the joint that are redundant; arm [m]: see `boxes.loads`.
    """
    named = folder.parent / name
    tables = [tomllib.loads((f / "scenario.toml").read_text()) for f in (folder, named)]
    other = tables[0] | {"joints": {k: joint | turned for k, joint in tables[0]["joints"].items()}}
    ours, theirs = (fly(f / "scenario.toml", **changes) for f in (folder, named))
    return [
        *at_random_states(*tables, "same frames"),
        *at_random_states(other, tables[1], "turned frames"),
        *in_flight(ours.series, theirs.series, growth_of(named, ours.time)),
        *flight_against_table(ours, named, arm),
    ]
