"""Contact forces: distances from surfaces, impacts in closed form and against other integrations, what two
free bodies keep, and what is refused.

All impacts of `bench` are lanes of one program."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.model.convex_pieces import load_coal
from interstage.parts.contacts.shown import touches
from interstage.parts.contacts.surface_distance import nearest, surface
from interstage.programs.program import configure
from interstage.reading import loads
from interstage.record.conservation import keeps_energy
from interstage.record.requirements import evaluate
from interstage.record.results import Flight, open_flight
from interstage.runs.cases import together
from interstage.runs.run import fly
from lanes import as_lanes

pytestmark = pytest.mark.usefixtures("long_flights")

configure()
CLOSE = 1e-8
"""What closed forms are met to, relative to their size: what is asked for, 1e4 times the steps' tolerance."""
BALL, WALL = 2.0, 50.0
REDUCED = BALL * WALL / (BALL + WALL)
BEGINS, END = 0.05, 1.0
STIFF = 1e5
SPEED, ASIDE = 3.0, 1.5
MU, SLIP = 0.15, 0.02
AT_DEPTH = 2e-3
PEAK = SPEED * np.sqrt(REDUCED * STIFF)
"""Of a linear spring [N]."""
TURNLESS = [1e12, 1e12, 1e12]
"""Of bodies whose turning would not be in the closed form [kg m^2]."""


# --- signed distances

SHAPES: dict[str, Any] = {
    "sphere": ist.Sphere(name="s", at=[0.2, -0.3, 0.1], radius=0.7),
    "capsule": ist.Capsule(name="s", at=[0.1, 0.2, -0.4], axis=[1, 2, -1], length=1.1, radius=0.3),
    "cylinder": ist.Cylinder(name="s", at=[-0.3, 0, 0.2], axis=[2, -1, 1], length=1.2, radius=0.5),
    "cone": ist.Cone(name="s", at=[0, 0.1, -0.5], axis=[0, 1, 3], length=1.3, radius=0.6),
    "frustum": ist.Cone(name="s", at=[0, 0, -0.4], axis=[1, 0, 1], length=0.9, radius=0.3, end_radius=0.7),
    "box": ist.Box(
        name="s",
        at=[0.1, 0.1, 0],
        size=[0.8, 1.2, 0.5],
        attitude=ist.Attitude(euler="3-2-1", angles=[0.3, -0.8, 1.2]),
    ),
    "shell": ist.Shell(
        name="s",
        at=[0, 0, -0.5],
        axis=[1, -1, 4],
        stations=[0, 0.7, 0.9, 1.0],
        inner=[0.5, 0.6, 0.4, 0.4],
        outer=[0.7, 0.8, 0.8, 0.75],
    ),
}


def contains(shape: Any, points: np.ndarray) -> np.ndarray:
    """Whether points (3, n) are inside of a shape, by what defines it."""
    arm = points - np.asarray(shape.at)[:, None]
    if shape.kind == "sphere":
        return np.linalg.norm(arm, axis=0) < shape.radius
    if shape.kind == "box":
        turn = Rotation.from_euler("ZYX", shape.attitude.angles).as_matrix()
        return (np.abs(turn.T @ arm) < np.asarray(shape.size)[:, None] / 2).all(0)
    axis = np.asarray(shape.axis) / np.linalg.norm(shape.axis)
    z = axis @ arm
    r = np.linalg.norm(arm - np.outer(axis, z), axis=0)
    if shape.kind == "capsule":
        return np.hypot(r, z - np.clip(z, 0, shape.length)) < shape.radius
    if shape.kind == "shell":
        within = (z > shape.stations[0]) & (z < shape.stations[-1])
        inner, outer = (np.interp(z, shape.stations, edge) for edge in (shape.inner, shape.outer))
        return within & (r > inner) & (r < outer)
    last = getattr(shape, "end_radius", shape.radius)
    along = z / shape.length
    return (along > 0) & (along < 1) & (r < shape.radius + (last - shape.radius) * along)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_distance_is_that_of_the_nearest_surface_and_its_normal_leads_there(kind):
    """Within a ball of that radius nothing changes sides, and the end of the normal is on the surface."""
    shape, rng = SHAPES[kind], np.random.default_rng(5)
    points = rng.uniform(-1, 1, (3, 300))
    found = nearest(surface(shape), np.asarray(points))
    distance, normal = np.asarray(found.distance), np.asarray(found.normal)
    assert ((distance < 0) == contains(shape, points)).all()
    assert 8 < (distance < 0).sum() < 280
    assert np.linalg.norm(normal, axis=0) == pytest.approx(1, abs=1e-14)
    ways = rng.standard_normal((3, 2000))
    ways *= rng.uniform(0, 1 - 1e-9, 2000) ** (1 / 3) / np.linalg.norm(ways, axis=0)
    for k in range(points.shape[1]):
        ball = points[:, k, None] + abs(distance[k]) * ways
        assert (contains(shape, ball) == (distance[k] < 0)).all()
        around = contains(shape, (points - normal * distance)[:, k, None] + 1e-9 * ways)
        assert around.any()
        assert not around.all()


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "cone", "box"])
def test_distances_are_those_of_the_library_that_looks_for_clearance(kind):
    coal, shape = load_coal(), SHAPES[kind]
    radius, length = (float(getattr(shape, key, 0.0)) for key in ("radius", "length"))
    solid = coal.Box(*map(float, getattr(shape, "size", ()))) if kind == "box" else coal.Sphere(radius)
    place, turn = np.asarray(shape.at), np.eye(3)
    if kind == "box":
        turn = Rotation.from_euler("ZYX", shape.attitude.angles).as_matrix()
    elif kind != "sphere":
        axis = np.asarray(shape.axis) / np.linalg.norm(shape.axis)
        turn = Rotation.align_vectors([axis], [[0, 0, 1]])[0].as_matrix()
        place = place + axis * length / 2
        solid = {"capsule": coal.Capsule, "cylinder": coal.Cylinder, "cone": coal.Cone}[kind](radius, length)
    request = coal.DistanceRequest()
    request.gjk_tolerance = 1e-10
    points = np.random.default_rng(8).uniform(-2, 2, (3, 50))
    ours = np.asarray(nearest(surface(shape), np.asarray(points)).distance)
    small = coal.Sphere(1e-3)
    for k in np.flatnonzero(ours > 2e-3):
        result = coal.DistanceResult()
        there = coal.Transform3s(np.eye(3), points[:, k])
        theirs = coal.distance(solid, coal.Transform3s(turn, place), small, there, request, result)
        assert ours[k] - 1e-3 == pytest.approx(theirs, abs=1e-6)  # theirs on curved shapes, see clearance


# --- impacts

AWAY = 40.0
"""Of the tube from the face, along y [m]."""
START: dict[str, Any] = {
    "bodies.ball.initial.position": [1.0, 0, 0],
    "bodies.ball.initial.velocity": [-SPEED, 0, 0],
    "bodies.wall.shapes.face.at": [-0.5, 0, 0],
    "bodies.wall.shapes.face.size": [1.0, 9, 9],
    "bodies.wall.shapes.tube.inner": [0.8, 0.8],
    "contacts.bounce.radius": 0.1,
    "contacts.bounce.stiffness": STIFF,
    "contacts.bounce.exponent": 1.0,
    "contacts.bounce.reference_depth": AT_DEPTH,
    "contacts.bounce.damping": 0.0,
    "contacts.bounce.friction": 0.0,
    "contacts.bounce.slip_speed": SLIP,
}
OBLIQUE = {"bodies.ball.initial.velocity": [-SPEED, ASIDE, 0], "contacts.bounce.friction": MU}
THIN = {"bodies.wall.shapes.face.at": [-0.02, 0, 0], "bodies.wall.shapes.face.size": [0.04, 9, 9]}
FAR = {"bodies.ball.initial.position": [30.0, 0, 0], "bodies.ball.initial.velocity": [-60.0, 0, 0]}
INSIDE = {"bodies.ball.initial.velocity": [SPEED, 0, 0]}
CASES: dict[str, dict[str, Any]] = {
    "elastic": {},
    "soft": {"contacts.bounce.stiffness": 4e4, "contacts.bounce.radius": 0.2},
    "hertz": {"contacts.bounce.exponent": 1.5, "contacts.bounce.damping": 0.2},
    "square": {"contacts.bounce.exponent": 2.0, "contacts.bounce.damping": 0.05},
    "slides": OBLIQUE,
    "sticks": OBLIQUE | {"contacts.bounce.slip_speed": 4.0},
    "fast": THIN | FAR | {"contacts.bounce.radius": 0.0, "contacts.bounce.stiffness": 1e9},
    "outside": {"bodies.ball.initial.position": [1.9, AWAY + 0.35, 0]},
    "inside": INSIDE | {"bodies.ball.initial.position": [0.1, AWAY + 0.4, 0]},
    "late": {"bodies.ball.initial.position": [0.09, 0, 0], "bodies.ball.initial.velocity": [0.0, 0, 0]},
    "narrow": INSIDE
    | {"bodies.ball.initial.position": [0.1, AWAY + 0.3, 0], "bodies.wall.shapes.tube.inner": [0.7, 0.7]},
}
"""Lanes of one program: what each has in place of the numbers of `START`."""


def bench() -> ist.Scenario:
    """A ball before the face of a box, and a tube elsewhere on the same body."""
    face = ist.Box(name="face", at=[-0.5, 0, 0], size=[1, 9, 9])
    tube = ist.Shell(
        name="tube", at=[0, AWAY, -2], axis=[0, 0, 1], stations=[0, 4], inner=[0.8, 0.8], outer=[1, 1]
    )
    ball = ist.State(position=[1, 0, 0])
    contact = ist.Contact(
        name="bounce",
        body="ball",
        points=[0, 0, 0],
        against=("wall",),
        stiffness=STIFF,
        exponent=1.0,
        reference_depth=AT_DEPTH,
        phases=("go",),
    )
    before = ist.Phase(name="before", until=ist.Trigger(time=BEGINS))
    return ist.Scenario(
        bodies=(
            ist.Body(name="wall", mass=WALL, inertia=TURNLESS, initial=ist.State(), shapes=(face, tube)),
            ist.Body(name="ball", mass=BALL, inertia=TURNLESS, initial=ball),
        ),
        contacts=(contact,),
        phases=(before, ist.Phase(name="go", until=ist.Trigger(time=END))),
        requirements=(ist.Requirement(name="peak", quantity="contacts.bounce.normal_force", max="1 kN"),),
        solver=ist.Solver(tolerance=1e-12),
        output=ist.Output(interval=0.1),
    )


def number(path: str, case: str) -> Any:
    return (START | CASES[case])[path]


@cache
def flown() -> Any:
    dispersed = {path: np.array([number(path, case) for case in CASES], float) for path in START}
    return as_lanes(bench(), dispersed, threads=1)


def apart(case: str) -> tuple[np.ndarray, np.ndarray]:
    """Place and velocity of the ball from its wall at the end."""
    x = flown().x[:, list(CASES).index(case)]
    place, speed = (part.reshape(3, 2) @ [-1, 1] for part in (x[:6], x[6:12]))
    return place, speed


def lost(case: str) -> float:
    """Energy lost at the end, which stands last in the state."""
    return flown().x[-1, list(CASES).index(case)]


@pytest.mark.parametrize("case", ["elastic", "soft"])
def test_a_linear_spring_gives_the_speed_back_after_half_of_a_swing(case):
    """Duration pi sqrt(m/k), with the reduced mass."""
    radius, stiffness = (number(f"contacts.bounce.{n}", case) for n in ("radius", "stiffness"))
    place, speed = apart(case)
    assert speed == pytest.approx([SPEED, 0, 0], abs=CLOSE * SPEED)
    swing = np.pi * np.sqrt(REDUCED / stiffness)
    met = (1 - radius) / SPEED
    assert END - met - (place[0] - radius) / SPEED == pytest.approx(swing, rel=CLOSE)


@pytest.mark.parametrize("case", ["hertz", "square"])
def test_losses_leave_what_their_integral_says(case):
    """c (v + v') = ln((1 + c v)/(1 - c v')) at speeds v before and v' after, whatever the exponent: from m v
    dv/dd = -f(d) (1 + c v), in which f comes and goes alike."""
    c, n = (number(f"contacts.bounce.{key}", case) for key in ("damping", "exponent"))
    left: Any = brentq(
        lambda v: c * (SPEED + v) - np.log((1 + c * SPEED) / (1 - c * v)), 0.1, SPEED, xtol=1e-15
    )
    place, speed = apart(case)
    assert speed[0] == pytest.approx(left, rel=CLOSE)
    assert left < 0.95 * SPEED
    gone = 0.5 * REDUCED * (SPEED**2 - left**2)
    assert lost(case) == pytest.approx(gone, rel=CLOSE)

    def slope(_, y):
        depth = max(y[0], 0.0)
        force = STIFF * depth * (depth / AT_DEPTH) ** (n - 1)
        return [y[1], -force * (1 + c * y[1]) / REDUCED]

    def leaves(_, y):
        return y[0]

    leaves.terminal, leaves.direction = True, -1  # type: ignore[attr-defined]
    found = solve_ivp(slope, (0, 1), [0, SPEED], "DOP853", rtol=1e-13, atol=1e-16, events=leaves)
    assert -found.y[1, -1] == pytest.approx(left, rel=CLOSE)
    lasted = END - 0.9 / SPEED - (place[0] - 0.1) / speed[0]
    assert lasted == pytest.approx(found.t[-1], rel=CLOSE)


@pytest.mark.parametrize("case", ["slides", "sticks"])
def test_friction_takes_its_part_of_the_impulse(case):
    """m dv/dt = -mu N tanh(v/s) along the wall and an impulse int N dt = 2 m v_n across it: sinh(v'/s) =
    sinh(v/s) exp(-2 mu v_n/s)."""
    slip, slower = number("contacts.bounce.slip_speed", case), 2 * MU * SPEED
    left = ASIDE - slower
    if case == "sticks":
        left = slip * np.arcsinh(np.sinh(ASIDE / slip) * np.exp(-slower / slip))
    assert apart(case)[1] == pytest.approx([SPEED, left, 0], rel=CLOSE, abs=1e-9)
    gone = 0.5 * REDUCED * (ASIDE**2 - left**2)
    assert lost(case) == pytest.approx(gone, rel=CLOSE)


def test_a_contact_that_begins_to_act_inside_pushes_out():
    """From rest in the depth d, sqrt(k/m) d; before its phase nothing moves."""
    swing = np.sqrt(REDUCED / STIFF)
    place, speed = apart("late")
    assert speed == pytest.approx([0.01 / swing, 0, 0], rel=CLOSE, abs=1e-10)
    left = END - BEGINS - np.pi / 2 * swing
    assert place[0] == pytest.approx(0.1 + 0.01 / swing * left, rel=CLOSE)


def test_a_thin_wall_is_not_passed_by_unseen():
    """4 cm of it, 30 m away, at 60 m/s, where steps are a large part of the flight."""
    assert apart("fast")[1] == pytest.approx([60.0, 0, 0], abs=60 * CLOSE)


@pytest.mark.parametrize("case", ["outside", "inside", "narrow"])
def test_a_ball_meets_a_round_wall_from_either_side(case):
    """Against the motion in the plane under a force along the line to the axis."""
    sign = 1.0 if case == "outside" else -1.0
    wall = 1.0 if case == "outside" else number("bodies.wall.shapes.tube.inner", case)[0]
    touch = wall + sign * 0.1
    place, speed = (number(f"bodies.ball.initial.{what}", case) for what in ("position", "velocity"))

    def slope(_, y, within):
        r = np.hypot(*y[:2])
        return np.concatenate([y[2:], within * STIFF * (touch - r) / REDUCED * y[:2] / r])

    def meets(_, y, within):
        return (1 - 2 * within) * sign * (touch - np.hypot(*y[:2]))

    meets.terminal, meets.direction = True, 1  # type: ignore[attr-defined]
    t, y, within, times = 0.0, np.array([place[0], place[1] - AWAY, *speed[:2]]), 0.0, 0
    while t < END:
        found = solve_ivp(slope, (t, END), y, "DOP853", args=(within,), rtol=3e-14, atol=1e-14, events=meets)
        t, y, within, times = found.t[-1], found.y[:, -1], 1.0 - within, times + 1
    assert times >= 3
    place, speed = apart(case)
    assert lost(case) == pytest.approx(0.0, abs=1e-9)
    # Each impact on a round wall makes what is off larger.
    assert np.array([place[0], place[1] - AWAY, *speed[:2]]) == pytest.approx(y, abs=1e-7)


# --- one flight, its record, and its derivatives


def alone(case: str) -> ist.Scenario:
    """The bench with the numbers of one case."""
    return together(bench(), START | CASES[case])


@cache
def one() -> Any:
    return fly(alone("sticks"))


@pytest.mark.long
def test_a_lane_is_what_the_flight_alone_is():
    s = one().series
    for what, found in zip(("position", "velocity"), apart("sticks"), strict=True):
        alone = (s[f"bodies.ball.{what}"] - s[f"bodies.wall.{what}"])[-1]
        assert found == pytest.approx(alone, abs=1e-11)
    assert s["contacts.bounce.lost"][-1] == pytest.approx(lost("sticks"), rel=1e-11)


def test_the_record_has_the_peak_that_samples_miss(tmp_path):
    record = one()
    assert record.series["contacts.bounce.normal_force"].max() == 0
    time, course = record.courses["contacts.bounce"]
    force = course["normal_force"]
    # Twelve places in each step, of which the impact has four: up to 1/100 of a swing beside the peak.
    assert force.max() == pytest.approx(PEAK, rel=(np.pi / 100) ** 2 / 2)
    swing = np.sqrt(REDUCED / STIFF)
    assert time[force.argmax()] == pytest.approx(0.9 / SPEED + np.pi / 2 * swing, abs=np.pi / 50 * swing)
    assert course["depth"].max() == pytest.approx(SPEED * swing, rel=1e-3)
    assert course["touching"].max() == 1
    (touch,) = touches(record, "bounce")
    assert (touch.start, touch.end - touch.start) == pytest.approx((0.9 / SPEED, np.pi * swing), rel=CLOSE)
    assert touch.lost == pytest.approx(lost("sticks"), rel=CLOSE)
    (warning,) = (text for text in record.warnings if text.startswith("Contact 'bounce'"))
    assert "at 0.3 s" in warning
    assert "proportional to sqrt(stiffness)" in warning
    (margin,) = evaluate(record)
    assert margin.value == force.max()
    Flight(record).save(tmp_path / "one.nc")
    again = open_flight(tmp_path / "one.nc").record
    assert np.array_equal(again.courses["contacts.bounce"][1]["force"], course["force"])
    (row,) = (row for row, event in enumerate(again.events) if event.name == "go")
    rest = fly(alone("sticks"), resume=(again.restart, row))
    assert rest.time[0] == BEGINS
    for path in ("bodies.ball.velocity", "contacts.bounce.lost"):
        assert rest.series[path][-1] == pytest.approx(record.series[path][-1], abs=1e-11)


def test_the_record_of_a_lane_has_it_too():
    record = flown().record(list(CASES).index("sticks"))
    alone, lane = (found.courses["contacts.bounce"][1]["normal_force"] for found in (one(), record))
    assert lane.max() == pytest.approx(alone.max(), rel=CLOSE)
    assert [w for w in record.warnings if w.startswith("Contact 'bounce'")]


def test_a_start_inside_is_said():
    """When the contact begins to act, after the first phase."""
    place, speed = (
        np.array(number(f"bodies.ball.initial.{what}", "sticks")) for what in ("position", "velocity")
    )
    ahead = one().series["contacts.bounce.gap"][0] + 1e-3
    inside = {"bodies.ball.initial.position": place + ahead * speed / np.linalg.norm(speed)}
    record = fly(together(alone("sticks"), inside))
    (warning,) = (text for text in record.warnings if text.startswith("Contact 'bounce'"))
    (row,) = (row for row, event in enumerate(record.events) if event.time == BEGINS)
    depth = record.after["contacts.bounce.depth"][row]
    assert depth > 1e-3
    assert f"at {BEGINS} s, with an initial depth of {depth:.3g} m" in warning
    assert not any("already" in text for text in one().warnings)


def test_touches_between_two_samples_are_told_apart():
    """A ball in a round tube, which it meets again and again, of which no sample is taken."""
    seldom = alone("narrow").model_copy(update={"output": ist.Output(interval=END)})
    found = touches(fly(seldom), "bounce")
    assert len(found) >= 2
    lasts = [one.end - one.start for one in found if one.end < END]
    # Half a swing, but for the roundness of the wall.
    assert lasts == pytest.approx([np.pi * np.sqrt(REDUCED / STIFF)] * len(lasts), rel=0.1)


def test_nothing_touches_in_a_phase_without_the_contact():
    """The ball is in the depth when its phase begins, and still there when it ends."""
    times = {"before": BEGINS, "go": BEGINS + 2e-3, "end": BEGINS + 4e-3}
    phases = tuple(ist.Phase(name=name, until=ist.Trigger(time=time)) for name, time in times.items())
    record = fly(alone("late").model_copy(update={"phases": phases}))
    (touch,) = touches(record, "bounce")
    assert (touch.start, touch.end) == pytest.approx((times["before"], times["go"]), abs=1e-12)
    assert record.series["contacts.bounce.depth"][-1] > 0
    (warning,) = (text for text in record.warnings if text.startswith("Contact 'bounce'"))
    assert "total duration is 0.002 s" in warning


@pytest.mark.long
def test_derivatives_are_those_of_differences():
    """Through the beginning and the end of the contact, whose times move."""
    paths = {
        "contacts.bounce.stiffness": STIFF,
        "contacts.bounce.friction": MU,
        "contacts.bounce.damping": 1.0,
        "contacts.bounce.exponent": 1.0,
        "contacts.bounce.radius": 1.0,
    }
    of = ["bodies.ball.velocity.x", "bodies.ball.velocity.y", "contacts.bounce.lost"]
    base: Any = START | CASES["sticks"] | {"contacts.bounce.damping": 0.1, "contacts.bounce.exponent": 1.5}
    found = together(bench(), base).derivatives(of, list(paths))
    step = 1e-4
    dispersed = {path: np.array([number] * (2 * len(paths) + 1), float) for path, number in base.items()}
    for k, (path, size) in enumerate(paths.items()):
        dispersed[path][[2 * k, 2 * k + 1]] += size * step * np.array([1, -1])
    lanes = as_lanes(bench(), dispersed, threads=1)
    for quantity in of:
        values = lanes.value(quantity)
        for k, (path, size) in enumerate(paths.items()):
            difference = (values[2 * k] - values[2 * k + 1]) / (2 * step)
            # Differences lack their third order: the step squared, of derivatives of the size of the value.
            scale = max(abs(difference), abs(values[-1]))
            assert size * float(found.by[quantity][path]) == pytest.approx(difference, abs=1e-7 * scale), path


@pytest.mark.long
@pytest.mark.parametrize("solver", ["minimal", "simultaneous", "rk4"])
def test_other_ways_to_solve_and_to_step_feel_the_same(solver):
    """Minimal coordinates with a rider on a hinge; implicit steps of order 2; fixed steps of order 4."""
    hinged = solver == "minimal"
    rider = ist.Body(name="rider", mass=0.5, inertia=[0.1, 0.1, 0.1])
    hinge = ist.Joint(name="hinge", kind="revolute", parent="ball", child="rider", parent_at=[0.2, 0, 0])
    light = alone("sticks").bodies[1].model_copy(update={"inertia": 0.1 * np.eye(3)})

    def end(**choice):
        scenario = alone("sticks")
        if hinged:
            parts = {"bodies": (scenario.bodies[0], light, rider), "joints": (hinge,)}
            scenario = scenario.model_copy(update=parts)
        scenario = scenario.model_copy(update={"solver": ist.Solver(**choice)})
        scenario.check()
        record = fly(scenario)
        minimal = isinstance(choice.get("formulation"), dict)
        assert ("contacts.bounce.lost" in record.series) != minimal
        s = record.series
        return np.concatenate([s[f"bodies.ball.{what}"][-1] for what in ("position", "velocity")])

    choices: dict[str, Any] = {
        "minimal": {"tolerance": 1e-12, "formulation": {"kind": "null_space", "coordinates": "minimal"}},
        "simultaneous": {"formulation": "simultaneous", "step": 2e-4},
        "rk4": {"method": "rk4", "step": 1e-4},
    }
    # The impact takes 14 ms: the part of it that a step is, to the order.
    close = {"minimal": 1e-10, "simultaneous": (2e-4 / 14e-3) ** 2, "rk4": (1e-4 / 14e-3) ** 4}
    found, wanted = end(**choices[solver]), end(tolerance=1e-12)
    assert found == pytest.approx(wanted, abs=close[solver])


# --- two bodies in space


def tumbling(**law) -> ist.Scenario:
    """The rim of a nozzle that runs askew into a hollow interstage, inside which it knocks about."""
    walls = ist.Shell(
        name="walls",
        at=[-2, 0, 0],
        axis=[1, 0, 0],
        stations=[0, 1.8, 2.0],
        inner=[0.8, 0.8, 0.7],
        outer=[0.9, 0.9, 0.9],
    )
    bottom = ist.Cylinder(name="bottom", at=[-2.5, 0, 0], axis=[1, 0, 0], length=0.5, radius=0.9)
    lower = ist.Body(
        name="lower",
        mass=40.0,
        mass_centre=[-3, 0.1, 0],
        inertia=[[9, 1, 0], [1, 30, 2], [0, 2, 33]],
        products="tensor",
        shapes=(walls, bottom),
        initial=ist.State(angular_velocity=[0.3, -0.2, 0.4]),
    )
    upper = ist.Body(
        name="upper",
        mass=25.0,
        mass_centre=[1, 0, 0.05],
        inertia=[6, 11, 12],
        initial=ist.State(
            position=[4.0, 0, 0],
            velocity=[-0.5, 0.9, -0.4],
            attitude=ist.Attitude(euler="3-2-1", angles=[0.1, -0.05, 0.3]),
            angular_velocity=[1.5, 0.4, -0.6],
        ),
    )
    ring = ist.Ring(centre=[-1.2, 0, 0], axis=[1, 0, 0], radius=0.5, count=24)
    whole: Any = {
        "stiffness": 1e5,
        "damping": 0.3,
        "friction": 0.25,
        "slip_speed": 0.05,
        "radius": 0.01,
    } | law
    rim = ist.Contact(name="rim", body="upper", ring=ring, against=("lower",), **whole)
    watch = ist.Clearance(name="room", between=("lower.walls", "upper.nozzle"))
    upper = upper.model_copy(
        update={
            "shapes": (ist.Cylinder(name="nozzle", at=[-1.2, 0, 0], axis=[1, 0, 0], length=1, radius=0.5),)
        }
    )
    return ist.Scenario(
        bodies=(lower, upper),
        contacts=(rim,),
        clearance=(watch,),
        phases=(ist.Phase(name="go", until=ist.Trigger(time=0.8)),),
        solver=ist.Solver(tolerance=1e-11),
        output=ist.Output(interval=0.02),
    )


@cache
def tumbled() -> Any:
    return fly(tumbling())


@pytest.mark.long
def test_what_two_bodies_keep_in_a_contact():
    record = tumbled()
    s = record.series
    assert record.courses["contacts.rim"][1]["touching"].max() >= 1
    assert s["contacts.rim.lost"][-1] > 0.01 * s["system.kinetic_energy"][0]
    speeds = 25.0 * np.linalg.norm(s["bodies.upper.velocity"][0])
    assert np.abs(s["system.momentum"] - s["system.momentum"][0]).max() < 1e-12 * speeds
    turns = s["system.angular_momentum"]
    assert np.abs(turns - turns[0]).max() < 1e-12 * np.abs(turns).max()
    whole = s["system.energy"] + s["contacts.rim.lost"]
    assert np.ptp(whole) < 1e-8 * whole[0]
    assert (np.diff(record.courses["contacts.rim"][1]["lost"]) >= -1e-9).all()


def test_what_is_said_of_it():
    record = tumbled()
    (said,) = [text for text in record.warnings if "touches" in text or "Recontact" in text]
    assert said.startswith("Recontact: lower.walls and upper.nozzle touch at")
    assert "Contact 'rim': upper first touches lower" in said
    assert not any("No contact force" in text for text in record.warnings)
    # Coal finds no depth for some of its poses, and for some one of 1.4 m.
    (closest,) = record.closest
    assert closest.time == record.time[-1]
    assert closest.distance == pytest.approx(-0.1851, abs=closest.less_by)
    times, values = record.courses["clearance.room"]
    inside = values["distance"] < -0.01
    speeds = np.diff(values["distance"][inside]) / np.diff(times[inside])
    assert (np.abs(speeds) < 3.0).all()
    assert not keeps_energy(record.scenario)
    assert keeps_energy(tumbling(damping=0.0, friction=0.0))


# --- what is refused

TEXT = """
[bodies.core]
mass = 10
inertia = [1, 1, 1]
initial = {}
[bodies.core.shapes]
tank = { kind = "cylinder", axis = [1, 0, 0], length = 1, radius = 1 }
nose = { kind = "ogive", axis = [1, 0, 0], length = 2, radius = 1 }
[bodies.upper]
mass = 10
inertia = [1, 1, 1]
initial = { position = [5, 0, 0] }
[contacts.rim]
body = "upper"
points = [[1, 0, 0]]
against = ["core.tank"]
stiffness = "1 MN/m"
[phases.go]
until = { time = 1 }
"""
RING = 'ring = { axis = [1, 0, 0], radius = "1 m", count = 12 }'
REFUSED = {
    "body": ('body = "upper"', 'body = "uper"', "contacts.rim.body", "did you mean 'upper'?"),
    "other": ('["core.tank"]', '["cor.tank"]', "contacts.rim.against", "no body 'cor'"),
    "shape": ('["core.tank"]', '["core.tnk"]', "contacts.rim.against", "did you mean 'tank'?"),
    "ogive": ('["core.tank"]', '["core"]', "contacts.rim.against", "kind ogive"),
    "itself": ('["core.tank"]', '["upper"]', "contacts.rim.against", "is the body with the contact points"),
    "two": ('["core.tank"]', '["core.tank", "last"]', "contacts.rim.against", "Declare one contact for each"),
    "none": ('["core.tank"]', "[]", "contacts.rim.against", "is empty"),
    "bare": (
        '"upper"\npoints',
        '"core"\npoints',
        "contacts.rim.against",
        "is the body with the contact points",
    ),
    "both": ("points =", f"{RING}\npoints =", "contacts.rim.points", "'points' and 'ring' are both set"),
    "neither": ("points = [[1, 0, 0]]", "", "contacts.rim.points", "neither 'points' nor 'ring'"),
    "flat": ("[[1, 0, 0]]", "[[1, 0]]", "contacts.rim.points", "3 numbers"),
    "few": ("points = [[1, 0, 0]]", RING.replace("12", "2"), "contacts.rim.ring.count", "3 to 720"),
    "axis": (
        "points = [[1, 0, 0]]",
        RING.replace("[1, 0, 0]", "[0, 0, 0]"),
        "contacts.rim.ring.axis",
        "zero",
    ),
    "soft": ('"1 MN/m"', "0", "contacts.rim.stiffness", "more than zero"),
    "unit": ('"1 MN/m"', '"1 MN"', "contacts.rim.stiffness", "N/m"),
    "pulls": ('"1 MN/m"', '"1 MN/m"\ndamping = -1', "contacts.rim.damping", "negative"),
    "glides": ('"1 MN/m"', '"1 MN/m"\nslip_speed = 0', "contacts.rim.slip_speed", "more than zero"),
    "power": ('"1 MN/m"', '"1 MN/m"\nexponent = 1.5', "contacts.rim.reference_depth", "required"),
    "depth": ('"1 MN/m"', '"1 MN/m"\nreference_depth = 1', "contacts.rim.exponent", "required"),
    "steep": (
        '"1 MN/m"',
        '"1 MN/m"\nexponent = 4\nreference_depth = "1 mm"',
        "contacts.rim.exponent",
        "from 1 (linear force) to 3",
    ),
    "phase": ('"1 MN/m"', '"1 MN/m"\nphases = ["og"]', "contacts.rim.phases", "phases here: go"),
}


WATCHED = """[requirements.soft]
quantity = "contacts.rim.normal_force"
max = "1 kN"
[requirements.other]
quantity = "contacts.rim.normal_farce"
max = 1
"""


def test_a_fault_of_a_contact_is_no_fault_of_what_asks_for_it():
    """A quantity that it would not have either is one, once the contact is mended."""
    with pytest.raises(ist.BadInput) as caught:
        loads(TEXT.replace('["core.tank"]', '["core"]') + WATCHED)
    assert [problem.place for problem in caught.value.problems] == ["contacts.rim.against"]
    with pytest.raises(ist.BadInput) as caught:
        loads(TEXT + WATCHED)
    (problem,) = caught.value.problems
    assert (problem.place, "normal_force" in problem.message) == ("requirements.other.quantity", True)
    with pytest.raises(ist.BadInput) as caught:
        loads(TEXT.replace('"1 MN/m"', "0") + WATCHED)
    assert [problem.place for problem in caught.value.problems] == ["contacts.rim.stiffness"]


def test_the_text_is_good():
    assert loads(TEXT).contacts[0].other == "core"


@pytest.mark.parametrize("case", REFUSED)
def test_one_clear_error(case):
    old, new, place, words = REFUSED[case]
    assert TEXT.count(old) == 1
    with pytest.raises(ist.BadInput) as caught:
        loads(TEXT.replace(old, new))
    (problem,) = caught.value.problems
    assert problem.place == place
    assert words in problem.message
