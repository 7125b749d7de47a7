"""Derivatives of quantities of two bodies in legs beside each other, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.environment.world import Earth
from interstage.flight.beside import _along
from interstage.record import across
from interstage.scenario import loads
from interstage.tree.errors import BadInput

G, HELD, ASIDE, FORCE, MASS, ALONG, UP, FAR = 10.0, 0.5, 3.0, 8.0, 2.0, 4.0, 20.0, 17.0
"""Of the mission: the pull [m/s2], how long the two stay together after their apex [s], how far one is beside
the other [m], the force [N] on the ball and its mass [kg], the speeds at the start [m/s], and the place at
which the ball is far [m]."""
MISSION = f"""
planet = {{ kind = "flat" }}
gravity = {{ kind = "uniform", acceleration = [0, 0, -10] }}
[bodies.ball]
mass = {MASS}
inertia = [1, 1, 1]
initial = {{ velocity = [{ALONG}, 0, {UP}] }}
[bodies.ring]
mass = 1
inertia = [1, 1, 1]
[joints.hold]
kind = "fixed"
parent = "ball"
child = "ring"
parent_at = [0, {ASIDE}, 0]
[forces.push]
kind = "force"
body = "ball"
force = [{FORCE}, 0, 0]
axes = "inertial"
phases = ["pushed"]
[legs.up]
phases.rise = {{ until = {{ quantity = "bodies.ball.velocity.z", reaches = 0, direction = "falling" }} }}
phases.over = {{ release = ["hold"], until = {{ elapsed = {HELD} }} }}
[legs.left]
after = {{ leg = "up" }}
bodies = ["ball"]
phases.pushed = {{ until = {{ elapsed = 3 }} }}
events.far = {{ when = {{ quantity = "bodies.ball.position.x", reaches = {FAR}, direction = "rising" }} }}
[legs.right]
after = {{ leg = "up" }}
bodies = ["ring"]
phases.fall = {{ until = {{ elapsed = 4 }} }}
[solver]
tolerance = 1e-12
"""
INPUTS = {
    "bodies.ball.initial.velocity[0]": ALONG,
    "bodies.ball.initial.velocity[2]": UP,
    "forces.push.force[0]": FORCE,
    "bodies.ball.mass": MASS,
    "legs.up.phases.over.until.elapsed": HELD,
    "legs.right.phases.fall.until.elapsed": 4.0,
    "legs.left.events.far.when.reaches": FAR,
}
PAIR = "pairs.ball.ring"


def of_both(along, up, force, mass, held, fall, far):
    """What is known of the two when the ball is far, and where they end."""
    begun, pull = up / G + held, force / mass
    # far = along (begun + t) + pull t^2 / 2
    t = (-along + np.sqrt(along**2 + 2 * pull * (far - along * begun))) / pull
    behind, slower = -pull * t**2 / 2, -pull * t
    distance = np.sqrt(behind**2 + ASIDE**2)
    ends = along * (fall - 3) - pull * 9 / 2
    return {
        "distance": distance,
        "separation.x": behind,
        "relative_velocity.x": slower,
        "relative_speed": -slower,
        "closing_speed": -behind * slower / distance,
        "landing_distance": np.sqrt(ends**2 + ASIDE**2),
    }


def test_derivatives_are_those_of_the_closed_form():
    """Of values at an event whose time moves, with the state of the other body at that time."""
    mission = loads(MISSION)
    values = np.array([*INPUTS.values()])
    exact = of_both(*values)
    # Exact to rounding: a step into the complex plane.
    small = 1e-30
    slopes = [of_both(*(values + 1j * small * row)) for row in np.eye(len(values))]
    at = {name: "end" if name == across.LANDING else "far" for name in exact}
    for moment in ("far", "end"):
        names = [name for name in exact if at[name] == moment]
        found = mission.derivatives([f"{PAIR}.{name}" for name in names], [*INPUTS], moment)
        for name in names:
            path = f"{PAIR}.{name}"
            assert found.values[path] == pytest.approx(exact[name], rel=1e-9)
            mine = [float(found.by[path][one]) for one in INPUTS]
            its = [float(np.imag(one[name])) / small for one in slopes]
            # Flights of some ten steps at a tolerance of 1e-12.
            assert mine == pytest.approx(its, rel=1e-9, abs=1e-9)


def test_a_distance_of_landing_is_solved_for():
    mission = loads(MISSION)
    found = mission.solve("forces.push.force[0]", f"{PAIR}.landing_distance@end = 5 m")
    # (along (4 - 3) - 9 force / (2 mass))^2 + aside^2 = 5^2, the nearest one
    force = found["forces.push.force[0]"]
    assert abs(ALONG - 4.5 * force / MASS) == pytest.approx(4.0, rel=1e-6)


@pytest.mark.parametrize(
    ("of", "at", "said"),
    [
        (f"{PAIR}.separation", "far", "is a vector; name a component: x, y, z"),
        (f"{PAIR}.landing_distance", "far", "is of where the two end|over the ground"),
        (f"{PAIR}.distance", "fare", "there is no event 'fare'; did you mean 'far'"),
    ],
)
def test_what_has_no_derivatives_is_said(of, at, said):
    with pytest.raises(BadInput, match=said):
        loads(MISSION).derivatives([of], ["forces.push.force[0]"], at)


def test_a_quantity_that_names_its_leg_is_asked_for_by_a_moment():
    """In requirements, derivatives and studies alike."""
    path, said = (
        "legs.left.bodies.ball.speed",
        "ask for 'bodies.ball.speed' at a moment of the leg, like at =",
    )
    requirement = f'[requirements]\nfast = {{ quantity = "{path}", at = "end", max = 3 }}\n'
    study = {
        "variables": {"force": {"path": "forces.push.force[0]", "low": 1, "high": 9}},
        "objective": {"maximize": path, "at": "end"},
    }
    mission = loads(MISSION)
    for refused in (
        lambda: loads(MISSION + requirement),
        lambda: mission.derivatives([path], ["forces.push.force[0]"]),
        lambda: mission.optimize(study),
    ):
        with pytest.raises(ist.BadInput, match=said) as caught:
            refused()
        assert len(caught.value.problems) == 1
    with pytest.raises(ist.BadInput, match="there is no leg 'lefd'; did you mean 'left'"):
        mission.derivatives(["legs.lefd.bodies.ball.speed"], ["forces.push.force[0]"])


def test_extremes_of_two_bodies_are_refused():
    study = {
        "variables": {"force": {"path": "forces.push.force[0]", "low": 1, "high": 9}},
        "objective": {"maximize": f"{PAIR}.distance", "take": "max", "during": "fall"},
    }
    with pytest.raises(ist.BadInput, match=r"beside each other; extremes of it have no derivatives"):
        loads(MISSION).optimize(study)


def test_a_body_that_no_longer_flies_is_told():
    """Far is where the ball comes to after the ring has ended."""
    short = {"legs.right.phases.fall.until.elapsed": 0.5}
    mission = loads(MISSION, set=short)
    with pytest.raises(BadInput, match="'ring' flies until"):
        mission.derivatives([f"{PAIR}.distance"], ["forces.push.force[0]"], "far")


def test_distances_over_the_ellipsoid_have_exact_derivatives():
    places = [np.deg2rad([28.5, -80.6]), np.deg2rad([31.0, -72.0])]

    def distance(*of):
        return across.over_ground(Earth(), *of)

    tangents = [np.eye(4)[:2], np.eye(4)[2:]]
    found = _along(distance, places, tangents)
    step = 1e-6
    for k in range(4):
        ends = [
            float(distance(*(p + sign * step * t[:, k] for p, t in zip(places, tangents))))
            for sign in (1, -1)
        ]
        # Of order 2: the third derivative is of the size of the radius; rounding 1e-9 m over the step.
        assert found[k] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-8, abs=1e-2)
