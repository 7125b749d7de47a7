"""The most mass that a Delta III brings to a transfer orbit, found by optimization of the thrust directions
at some moments from a poor start, against a published optimum: the optimum flown by itself, its orbit, and
its directions beside the published ones; by whole flights, by collocation, and by multiple shooting.

Of directions that are off by an angle from an optimum only the square counts: with splines through few
points there is a little less mass than with directions of any form."""

import tomllib

import numpy as np
from scipy.interpolate import CubicSpline

from interstage import Scenario, load
from interstage.model.leg import After, Leg
from interstage.studies.optimization.declared import read_study
from interstage.studies.verify import Row
from interstage.tree.addresses import set as with_leaf

from ..comparison import read_table

NEEDS = {"unopy": 'pip install "interstage[optimize]"'}

PAYLOAD, CUT_OFF, ALLOWED = 7529.712287, 924.1392029, 0.01  # kg, s, kg
THRUST, EXHAUST = 110094.0, 467.21311371054946 * 9.80665  # N, m/s: of the upper stage
IDEAL = 1.1e4
"""Ideal velocity of the ascent [m/s], to a few per cent."""
ORBIT = {"inclination": 28.5, "node": 269.8, "argument_of_periapsis": 130.5}  # deg


def compare(fly, folder):
    """Mass, cut-off and orbit of the optimum, and its thrust directions."""
    study, _ = read_study(folder / "study.toml")
    scenario = load(folder / "scenario.toml")
    found = scenario.optimize(study)
    record = fly(found.scenario)

    def last(quantity):
        return float(record.before[f"bodies.rocket.{quantity}"][-1])

    yield Row("mass in orbit [kg]", abs(last("mass") - PAYLOAD), ALLOWED)
    yield Row("cut-off [s]", abs(record.time[-1] - CUT_OFF), ALLOWED * EXHAUST / THRUST)
    yield Row("semi-major axis [m]", abs(last("semi_major_axis") - 24361140.0), 1.0)
    yield Row("eccentricity", abs(last("eccentricity") - 0.7308), 1e-7)
    for name, value in ORBIT.items():
        yield Row(f"{name} [deg]", abs(np.rad2deg(last(name)) - value), 1e-6)
    # An angle that would be worth what the mass may be off by, all the way.
    worth = np.sqrt(2 * ALLOWED / PAYLOAD * EXHAUST / IDEAL)
    yield Row("thrust compared with the published one [rad]", apart(found, scenario, folder), worth)
    yield Row("is not to be trusted (0: it is)", float(not found.trusted), 0.0)
    yield from collocated(fly, folder, scenario)
    yield from in_legs(fly, folder, scenario)


def collocated(fly, folder, scenario):
    """The same by collocation, with straight lines for the tables, flown by itself."""
    study, _ = read_study(folder / "collocated.toml")
    for name in ("yaw", "pitch"):
        scenario = with_leaf(scenario, f"guidance.steering.{name}.interpolation", "linear")
    found = scenario.optimize(study)
    record = fly(found.scenario)
    mass = float(record.before["bodies.rocket.mass"][-1])
    yield Row("by collocation: mass in orbit [kg]", abs(mass - PAYLOAD), ALLOWED)
    yield Row("by collocation: not to be trusted (0: it is)", float(not found.trusted), 0.0)


def in_legs(fly, folder, scenario):
    """The same by multiple shooting: the phases are legs, whose beginnings are free."""
    study = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
    mission = legs_of(scenario)
    cut_off = study["variables"]["cut_off"]
    cut_off["path"] = f"legs.{mission.legs[-1].name}.{cut_off['path']}"
    study |= {"nodes": [leg.name for leg in mission.legs[1:]]}
    found = mission.optimize(study)
    record = fly(found.scenario)
    mass = float([*record.legs.values()][-1].before["bodies.rocket.mass"][-1])
    yield Row("by multiple shooting: mass in orbit [kg]", abs(mass - PAYLOAD), ALLOWED)
    yield Row("by multiple shooting: not to be trusted (0: it is)", float(not found.trusted), 0.0)


def legs_of(scenario):
    """The scenario as a mission with a leg for each phase."""
    legs, after = [], None
    for phase in scenario.phases:
        name = f"{phase.name}_burn"
        legs.append(Leg(name=name, after=after, coordinates="point", attitude="steering", phases=(phase,)))
        after = After(leg=name)
    # In a mission the time of a table would be that of its leg.
    scenario = with_leaf(scenario, "guidance.steering.since", "start")
    fields = {name: getattr(scenario, name) for name in Scenario.model_fields}
    mission = Scenario(**fields | {"phases": (), "legs": legs, "coordinates": "rigid", "attitude": None})
    mission.check()
    return mission


def apart(found, scenario, folder) -> float:
    """Root mean square over time of the angle between the directions found and the published ones [rad]."""
    steering = scenario.guidance[0]
    moments = np.asarray(steering.yaw.points)
    names = [[one.name for one in found.study.variables if one.name.startswith(a)] for a in ("yaw", "pitch")]
    angles = [CubicSpline(moments, [found[name] for name in several]) for several in names]
    squares = seconds = 0.0
    for k in range(4):
        truth = read_table(folder.parent / "delta3-replay" / f"control_{k}.csv")
        times = np.array(truth["time"])
        yaw, pitch = (angle(times) for angle in angles)
        directions = np.stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), -np.sin(pitch)])
        published = np.stack([truth[axis] for axis in "xyz"])
        off = np.linalg.norm(np.cross(directions, published, axis=0), axis=0)
        squares += np.trapezoid(off**2, times)
        seconds += times[-1] - times[0]
    return float(np.sqrt(squares / seconds))
