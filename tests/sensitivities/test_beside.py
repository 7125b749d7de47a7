"""Derivatives of quantities of two bodies in concurrent legs, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.environment.world import Earth
from interstage.reading import loads
from interstage.record import across
from interstage.record.requirements import evaluate
from interstage.sensitivities.concurrent import _along
from interstage.tree.errors import BadInput

G, HELD, ASIDE, FORCE, MASS, ALONG, UP, FAR = 10.0, 0.5, 3.0, 8.0, 2.0, 4.0, 20.0, 17.0
"""Of the mission: the pull [m/s2], how long the two stay together after their apex [s], how far one is beside
the other [m], the force [N] on the ball and its mass [kg], the speeds at the start [m/s], and the place at
which the ball is far [m]."""
MISSION = f"""
ground = "ignore"
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
method = "dopri5"
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


@pytest.mark.long
def test_a_distance_of_landing_is_solved_for():
    mission = loads(MISSION)
    found = mission.solve("forces.push.force[0]", f"{PAIR}.landing_distance@end = 5 m")
    # (along (4 - 3) - 9 force / (2 mass))^2 + aside^2 = 5^2, the nearest one
    force = found["forces.push.force[0]"]
    assert abs(ALONG - 4.5 * force / MASS) == pytest.approx(4.0, rel=1e-6)


@pytest.mark.parametrize(
    ("of", "at", "said"),
    [
        (f"{PAIR}.separation", "far", "is a vector. Use one of its components x, y, z"),
        (f"{PAIR}.landing_distance", "far", "only at the final time of each flight|needs a planet"),
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
        "Use 'bodies.ball.speed' at an event of the leg, for example at =",
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
    with pytest.raises(ist.BadInput, match=r"in concurrent legs, have no derivatives"):
        loads(MISSION).optimize(study)


def test_a_body_that_no_longer_flies_is_told():
    """Far is where the ball comes to after the ring has ended."""
    short = {"legs.right.phases.fall.until.elapsed": 0.5}
    mission = loads(MISSION, set=short)
    with pytest.raises(BadInput, match="the flight of body 'ring' ends at"):
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


HAT, HUT, SPEED, TOGETHER, ALONE, PUSH = 1.0, 1.0, 1.0, 1.0, 1.0, 4.0
"""Of the mission below: what the two drop [kg], the speed of the second [m/s], how long they fly in one leg,
and in each of their own [s], and the force on the second in its last one [N]."""
TWINS = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, 0] }}
[bodies.a]
mass = 2
inertia = [1, 1, 1]
initial = {{ position = [0, 0, 0] }}
[bodies.a.elements.hat]
kind = "item"
mass = {HAT}
mass_centre = [1, 0, 0]
[bodies.b]
mass = 2
inertia = [1, 1, 1]
initial = {{ position = [10, 0, 0], velocity = [{SPEED}, 0, 0] }}
[bodies.b.elements.hut]
kind = "item"
mass = {HUT}
mass_centre = [3, 0, 0]
[forces.push]
kind = "force"
body = "b"
force = [{PUSH}, 0, 0]
phases = ["pd"]
[legs.both]
phases.begin = {{ until = {{ elapsed = {TOGETHER} }} }}
[legs.a1]
after = {{ leg = "both" }}
bodies = ["a"]
phases.pa = {{ until = {{ elapsed = {ALONE} }} }}
[legs.a2]
after = {{ leg = "a1" }}
phases.pb = {{ drop = ["a.hat"], until = {{ elapsed = 1 }} }}
[legs.b1]
after = {{ leg = "both" }}
phases.pc = {{ until = {{ elapsed = {ALONE} }} }}
[legs.b2]
after = {{ leg = "b1" }}
phases.pd = {{ drop = ["b.hut"], until = {{ elapsed = 1 }} }}
[requirements]
apart = {{ quantity = "pairs.a.b.distance", at = "a1 end", min = 0 }}
own = {{ quantity = "bodies.a.position.x", at = "a1 end", max = 1 }}
dropped = {{ quantity = "bodies.a.position.x", during = "pb", max = -0.1 }}
[solver]
method = "dopri5"
"""
TWIN = "pairs.a.b"
OWN_ELAPSED = "legs.a1.phases.pa.until.elapsed"
NUMBERS = {
    "bodies.a.elements.hat.mass": HAT,
    "bodies.b.elements.hut.mass": HUT,
    "bodies.b.initial.velocity[0]": SPEED,
    "legs.both.phases.begin.until.elapsed": TOGETHER,
}
LATER = "legs.b1.phases.pc.until.elapsed"
EXACT = 1e-12
"""Of coasts along a line, in steps of any length: rounding, of numbers of the size of ten."""


def twins_apart(dropped, hat, hut, speed, together):
    """How far apart they are as their first legs of their own end, when some have dropped what they drop:
    their centres of mass go on, but for what is gone on one side."""
    distance = 10 + speed * (together + ALONE)
    distance += hat / (2 + hat) if "a" in dropped else 0.0
    return distance - (3 * hut / (2 + hut) if "b" in dropped else 0.0)


@pytest.mark.parametrize(
    ("at", "side", "set", "dropped"),
    [
        pytest.param("a1 end", "before", {}, "", marks=pytest.mark.long),
        pytest.param("a1 end", "after", {}, "b", marks=pytest.mark.long),
        pytest.param("pb", "before", {}, "", marks=pytest.mark.long),
        pytest.param("pb", "after", {}, "ab", marks=pytest.mark.long),
        pytest.param("b1 end", "before", {}, "", marks=pytest.mark.long),
        pytest.param("b1 end", "after", {}, "a", marks=pytest.mark.long),
        pytest.param("pd", "before", {}, "", marks=pytest.mark.long),
        ("pd", "after", {}, "ab"),
        ("a1 end", "before", {LATER: 2.0}, ""),
        pytest.param("a1 end", "after", {LATER: 2.0}, "", marks=pytest.mark.long),
        pytest.param("pb", "before", {LATER: 2.0}, "", marks=pytest.mark.long),
        pytest.param("pb", "after", {LATER: 2.0}, "a", marks=pytest.mark.long),
    ],
)
def test_the_end_of_a_leg_is_of_the_leg_that_ends(at, side, set, dropped):
    """Also where a leg of the other body ends at the same time, which then is as before or after all that
    happens to it: values, batches and derivatives."""
    mission, path = loads(TWINS, set=set), f"{TWIN}.distance"
    numbers = np.array([*NUMBERS.values()])
    exact = twins_apart(dropped, *numbers)
    small = 1e-30
    slopes = [np.imag(twins_apart(dropped, *(numbers + 1j * small * row))) / small for row in np.eye(4)]
    found = mission.derivatives([path], [*NUMBERS], at, side)
    assert found.values[path] == pytest.approx(exact, rel=EXACT)
    assert [float(found.by[path][one]) for one in NUMBERS] == pytest.approx(slopes, abs=10 * EXACT)
    assert mission.run(progress=False).value(path, at, side) == pytest.approx(exact, rel=EXACT)
    batch = mission.run_batch({"bodies.b.initial.velocity[0]": np.array([SPEED, 2 * SPEED])})
    both = [exact, exact + SPEED * (TOGETHER + ALONE)]
    assert batch.value(path, at, side=side) == pytest.approx(both, rel=EXACT)
    if set:
        found = mission.derivatives([path], [OWN_ELAPSED], at, side)
        assert float(found.by[path][OWN_ELAPSED]) == pytest.approx(SPEED, rel=EXACT)


@pytest.mark.parametrize(
    ("at", "side"),
    [
        ("a1 end", "before"),
        *(
            pytest.param(at, side, marks=pytest.mark.long)
            for at in ("pb", "b1 end")
            for side in ("before", "after")
        ),
        pytest.param("a1 end", "after", marks=pytest.mark.long),
        pytest.param("pd", "before", marks=pytest.mark.long),
        ("pd", "after"),
    ],
)
def test_an_event_that_moves_against_a_jump_of_the_other_body_is_refused(at, side):
    other = "b" if at in ("a1 end", "pb") else "a"
    said = rf"{OWN_ELAPSED}: .* the event '{at}' relative to a discontinuity of body '{other}' at the"
    with pytest.raises(BadInput, match=said):
        loads(TWINS).derivatives([f"{TWIN}.distance"], [OWN_ELAPSED], at, side)


@pytest.mark.long
def test_what_happens_to_the_other_body_and_changes_nothing_of_what_is_asked_does_no_harm():
    """A force that begins changes the rate of the speed at once, and that of the distance later."""
    mission = loads(TWINS.replace('drop = ["b.hut"], ', ""))
    for side in ("before", "after"):
        found = mission.derivatives([f"{TWIN}.distance"], [OWN_ELAPSED], "a1 end", side)
        assert float(found.by[f"{TWIN}.distance"][OWN_ELAPSED]) == pytest.approx(SPEED, rel=EXACT)
        with pytest.raises(BadInput, match="a discontinuity of body 'b' at the same time"):
            mission.derivatives([f"{TWIN}.relative_speed"], [OWN_ELAPSED], "a1 end", side)


def test_requirements_at_the_end_of_a_leg_see_the_leg_that_ends():
    """And those during what follows see no more of it."""
    flown = loads(TWINS).run(progress=False)
    found = {one.name: one for one in evaluate(flown.record)}
    assert found["own"].value == pytest.approx(0.0, abs=EXACT)
    numbers = NUMBERS.values()
    assert found["apart"].value == pytest.approx(twins_apart("b", *numbers), rel=EXACT)
    assert found["dropped"].value == pytest.approx(-HAT / (2 + HAT), rel=EXACT)
