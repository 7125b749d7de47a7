"""Copies of a body by `count` and `circle`, and the joints, devices and clearances that refer to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from interstage.model.frames import attitude_matrix
from interstage.programs.targets import targets_of
from interstage.reading import load, loads
from interstage.record.sources import source_of
from interstage.runs.run import fly
from interstage.scenario import Scenario
from interstage.tree.addresses import get
from interstage.tree.addresses import set as put
from interstage.tree.errors import BadInput

STAGE = """
[bodies.stage]
mass = "1800 kg"
mass_centre = "[2.5, 0.1, 0] m"
inertia = "[1200, 5200, 5300] kg m^2"
initial = { angular_velocity = "[3, 1, 2] deg/s", velocity = "[7, 0, 0] m/s" }
shapes.tube = { kind = "cylinder", axis = [1, 0, 0], length = "5 m", radius = "0.5 m" }
"""
SATELLITE = """
mass = "24 kg"
mass_centre = "[0.01, 0.02, -0.03] m"
inertia = "[[0.35, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.28]] kg m^2"
products = "tensor"
shapes.box = { kind = "box", size = "[226, 226, 340] mm" }
"""
SPRING = """
kind = "kickoff_spring"
child_at = "[0.01, 0, -0.17] m"
preload = "140 N"
stiffness = "350 N/m"
stroke = "0.34 m"
friction = "5 N"
parent = "stage"
"""
PHASES = """
[phases]
coast = { until = { time = "1 s" } }
free = { release = RELEASE, fire = FIRE, until = { elapsed = "4 s" } }
"""
COPIES = f"""{STAGE}
[bodies.sat]
count = 4
circle = {{ axis = "x" }}
{SATELLITE}
[joints.port]
kind = "fixed"
parent = "stage"
child = "sat"
parent_at = "[5.2, 0, 0.8] m"
child_at = "[0, 0, 0.1] m"
[devices.spring]
child = "sat"
parent_at = "[5.2, 0.01, 0.63] m"
axis = [0, 0.1, 1]
{SPRING}
[clearance.gap]
between = ["stage", "sat.box"]
[pairs.look]
parent = "stage"
child = "sat"
parent_at = "[5.2, 0, 0.8] m"
{PHASES.replace("RELEASE", '["port"]').replace("FIRE", '["spring"]')}"""
QUARTER = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])


def text_of(vector: Any) -> str:
    return str(np.asarray(vector).tolist())


def by_hand() -> str:
    """The scenario with each copy and each member written out. The rotations are quarter turns about x."""
    text = STAGE
    for n in range(1, 5):
        turn = np.linalg.matrix_power(QUARTER, n - 1)
        port, spring, axis = (text_of(turn @ v) for v in ([5.2, 0, 0.8], [5.2, 0.01, 0.63], [0, 0.1, 1]))
        text += f"""
[bodies.sat_{n}]
{SATELLITE}
[joints.port_{n}]
kind = "fixed"
parent = "stage"
child = "sat_{n}"
parent_at = {port}
child_at = "[0, 0, 0.1] m"
parent_frame.matrix = {text_of(turn)}
[devices.spring_{n}]
child = "sat_{n}"
parent_at = {spring}
axis = {axis}
{SPRING}
[clearance.gap_{n}]
between = ["stage", "sat_{n}.box"]
[pairs.look_{n}]
parent = "stage"
child = "sat_{n}"
parent_at = {port}
parent_axis = {text_of(turn @ [1, 0, 0])}
"""
    ports, springs = (str([f"{name}_{n}" for n in range(1, 5)]) for name in ("port", "spring"))
    return text + PHASES.replace("RELEASE", ports).replace("FIRE", springs)


def bare(scenario: Scenario) -> dict[str, Any]:
    """The groups of a scenario without the names of patterns."""
    groups = ("bodies", "joints", "devices", "clearance", "pairs", "phases")
    return {
        group: [
            item.model_copy(update={"pattern": None}) if hasattr(item, "pattern") else item
            for item in sorted(getattr(scenario, group), key=lambda item: item.name)
        ]
        for group in groups
    }


def test_copies_equal_those_written_out_to_the_last_bit():
    assert bare(loads(COPIES)) == bare(loads(by_hand()))


def test_the_flight_of_copies_equals_that_of_those_written_out_to_the_last_bit():
    one, other = (fly(loads(text), False) for text in (COPIES, by_hand()))
    assert one.series.keys() == other.series.keys()
    assert all(np.array_equal(one.series[key], other.series[key], equal_nan=True) for key in one.series)


@pytest.mark.parametrize("seed", range(4))
def test_placed_copies_have_the_mass_properties_of_closed_forms(seed):
    """Mass, centre of mass, and angular momentum (so the inertia) of copies about any of the axes. Reference:
    rotations of SciPy, and the parallel-axis theorem."""
    drawn = np.random.default_rng(seed)
    axis, count, first = drawn.integers(3), int(drawn.integers(2, 6)), drawn.uniform(-180, 180)
    place, offset, spin = drawn.normal(size=3), drawn.normal(size=3), drawn.normal(size=3)
    root = drawn.normal(size=(3, 3))
    inertia = root @ root.T + 3 * np.eye(3)  # principal moments that a body can have
    tilt = Rotation.random(rng=np.random.default_rng(seed))
    text = f"""
bodies.hub = {{ mass = 10, inertia = [1, 1, 1], initial = {{ angular_velocity = {text_of(spin)} }} }}
[bodies.sat]
count = {count}
circle = {{ axis = "{"xyz"[axis]}", first = "{first} deg" }}
mass = 2.5
mass_centre = {text_of(offset)}
inertia = {text_of(inertia)}
products = "tensor"
allow_unphysical_inertia = true
[joints.port]
kind = "fixed"
parent = "hub"
child = "sat"
parent_at = {text_of(place)}
parent_frame.matrix = {text_of(tilt.as_matrix())}
[phases]
all = {{ until = {{ time = "0.01 s" }} }}
"""
    flight = loads(text).run()
    about = np.eye(3)[axis]
    turns = [Rotation.from_rotvec((np.radians(first) + 2 * np.pi * k / count) * about) for k in range(count)]
    centres = np.array([(turn.apply(place + tilt.apply(offset))) for turn in turns])
    mass = 10 + 2.5 * count
    centre = 2.5 * centres.sum(0) / mass
    total = np.eye(3) + 10 * parallel(centre)
    for turn, at in zip(turns, centres, strict=True):
        axes = (turn * tilt).as_matrix()
        total = total + axes @ inertia @ axes.T + 2.5 * parallel(at - centre)
    # Rounding of some hundred operations.
    close = {"rtol": 0, "atol": 1e3 * np.finfo(float).eps * np.abs(total).max() * np.abs(spin).max()}
    assert np.allclose(flight.value("system.mass_centre", "start"), centre, **close)
    assert np.allclose(flight.value("system.angular_momentum", "start"), total @ spin, **close)
    moved = np.cross(spin, centre) * mass
    assert np.allclose(flight.value("system.momentum", "start"), moved, **close)


def parallel(arm: np.ndarray) -> np.ndarray:
    """Inertia of a point of unit mass at `arm`."""
    return arm @ arm * np.eye(3) - np.outer(arm, arm)


@pytest.mark.parametrize(("count", "axis", "first"), [(3, "x", 0), (5, "y", 20), (2, "z", -70)])
def test_copies_leave_a_dispenser_at_rest_with_the_energy_of_their_springs(count, axis, first):
    """Through the axis of an equal number of springs at equal angles, no momentum goes to the dispenser: each
    copy has m v^2 / 2 = F s - k s^2 / 2, along its own direction."""
    k = "xyz".index(axis)
    out = np.roll([0.0, 0.5, 0.0], k)
    text = f"""
bodies.hub = {{ mass = 400, inertia = [50, 60, 70], initial = {{}} }}
[bodies.sat]
count = {count}
circle = {{ axis = "{axis}", first = "{first} deg" }}
mass = 8
inertia = [0.3, 0.2, 0.4]
[joints.port]
kind = "translational"
axis = "{"xyz"[(k + 1) % 3]}"
parent = "hub"
child = "sat"
parent_at = {text_of(out)}
[devices.spring]
kind = "kickoff_spring"
parent = "hub"
child = "sat"
parent_at = {text_of(0.9 * out)}
axis = {text_of(out)}
preload = 120
stiffness = 500
stroke = 0.12
[phases]
push = {{ until = {{ time = "1 s" }} }}
free = {{ release = ["port"], until = {{ elapsed = "1 s" }} }}
"""
    flight = loads(text).run()
    speed = np.sqrt(2 * (120 * 0.12 - 500 * 0.12**2 / 2) / 8)
    for n in range(count):
        turn = Rotation.from_rotvec((np.radians(first) + 2 * np.pi * n / count) * np.eye(3)[k])
        # The tolerance of the integration, relative to the speed, with its errors over some hundred steps.
        velocity = flight.value(f"bodies.sat_{n + 1}.velocity", "end")
        assert np.allclose(velocity, turn.apply(2 * out) * speed, rtol=0, atol=1e-7 * speed)
    assert np.abs(flight.value("bodies.hub.velocity", "end")).max() < 1e-12 * speed


@pytest.mark.parametrize("axes", ["body", "inertial"])
@pytest.mark.parametrize("radius", ["", ', radius = "2 m"'])
def test_a_circle_rotates_inertial_initial_states(axes, radius):
    text = f"""
[bodies.chip]
count = 5
circle = {{ axis = "y", first = "17 deg"{radius} }}
mass = 2
inertia = [1, 2, 2.5]
[bodies.chip.initial]
position = [1, 0.3, -0.2]
velocity = [0.5, 0.1, 0.2]
attitude = {{ euler = "3-2-1", angles = "[10, 20, 30] deg" }}
angular_velocity = [0.1, 0.2, 0.3]
angular_velocity_axes = "{axes}"
"""
    scenario = loads(text + '[phases]\nall = { until = { time = "1 s" } }\n')
    tilt = Rotation.from_euler("ZYX", [10, 20, 30], degrees=True)
    for n, body in enumerate(scenario.bodies):
        state: Any = body.initial
        turn = Rotation.from_euler("y", 17 + 72 * n, degrees=True)
        place = np.array([1, 0.3, -0.2]) + turn.apply([0, 0, 2]) if radius else turn.apply([1, 0.3, -0.2])
        spin = [0.1, 0.2, 0.3] if axes == "body" else turn.apply([0.1, 0.2, 0.3])
        close = {"rtol": 0, "atol": 16 * np.finfo(float).eps}  # rounding of a few products
        assert np.allclose(state.position, place, **close)
        assert np.allclose(state.velocity, turn.apply([0.5, 0.1, 0.2]), **close)
        assert np.allclose(state.angular_velocity, spin, **close)
        assert np.allclose(attitude_matrix(state.attitude), (turn * tilt).as_matrix(), **close)
    flight = scenario.run()
    starts: list[Any] = [body.initial for body in scenario.bodies]
    total = 2 * np.sum([start.velocity for start in starts], 0)
    assert np.allclose(flight.value("system.momentum", "end"), total, rtol=0, atol=1e-12)  # rounding


def test_joints_between_two_bodies_rotate_on_both():
    text = """
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }
bodies.b = { mass = 1, inertia = [1, 1, 1] }
[joints.strut]
kind = "spherical"
count = 3
circle = { axis = "z", radius = "0.5 m", first = "30 deg" }
parent = "a"
child = "b"
parent_at = [0, 0, 1]
child_frame = { euler = "1-2-3", angles = "[90, 0, 0] deg" }
[devices]
bolt = { kind = "explosive_bolt", count = 3, joints = ["strut_#"], impulse = "2 N s", axis = [0, 0, 1] }
nut = { kind = "explosive_bolt", joints = ["strut"] }
[phases]
on = { fire = ["bolt"], until = { time = "1 s" } }
"""
    scenario = loads(text)
    for n, joint in enumerate(scenario.joints):
        turn = Rotation.from_euler("z", 30 + 120 * n, degrees=True)
        close = {"rtol": 0, "atol": 16 * np.finfo(float).eps}  # rounding of a few products
        assert np.allclose(joint.parent_at, np.array([0, 0, 1]) + turn.apply([0.5, 0, 0]), **close)
        assert np.allclose(joint.child_at, turn.apply([0.5, 0, 0]), **close)
        assert np.allclose(attitude_matrix(joint.parent_frame), turn.as_matrix(), **close)
        tilted = (turn * Rotation.from_euler("x", 90, degrees=True)).as_matrix()
        assert np.allclose(attitude_matrix(joint.child_frame), tilted, **close)
    devices: list[Any] = list(scenario.devices)
    assert [one.joints for one in devices[:3]] == [("strut_1",), ("strut_2",), ("strut_3",)]
    assert devices[3].joints == ("strut_1", "strut_2", "strut_3")


REFERENCES = """
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }
[bodies.b]
count = 2
mass = 1
inertia = [1, 1, 1]
initial = { through = "seam", relative_velocity = [0, 0, 0] }
elements.can = { kind = "item", mass = 1, mass_centre = [0, 0, 0] }
[joints.seam]
kind = "fixed"
parent = "a"
child = "b"
parent_at = [0, 1, 0]
[joints.dock]
kind = "fixed"
parent = "a"
child = "b"
parent_at = [0, 1, 0]
active = false
[engines.jet]
kind = "engine"
body = "b"
at = [0, 0, 0]
thrust = 1
massless = true
[legs.both.phases]
on = { replace = { seam = "translational" }, ignite = ["jet"], until = { elapsed = "1 s" } }
off = { release = ["seam"], shut_down = ["jet"], drop = ["b.can"], until = { elapsed = "1 s" } }
again = { attach = ["dock"], until = { elapsed = "1 s" } }
[legs.rest]
after = { leg = "both" }
bodies = ["a", "b"]
joints = ["dock"]
without = ["engines.jet"]
phases.end = { until = { elapsed = "1 s" } }
"""


def test_the_name_of_a_pattern_stands_for_all_members_in_lists_and_actions():
    from interstage.model.expansion import written_out
    from interstage.scenario import repeatable
    from interstage.tree.toml_file import parse

    data = written_out(parse(REFERENCES, None), repeatable())
    assert [entry["initial"]["through"] for name, entry in data["bodies"].items() if name != "a"] == [
        "seam_1",
        "seam_2",
    ]
    on, off, again = data["legs"]["both"]["phases"].values()
    assert on["replace"] == {"seam_1": "translational", "seam_2": "translational"}
    assert on["ignite"] == off["shut_down"] == ["jet_1", "jet_2"]
    assert off["release"] == ["seam_1", "seam_2"]
    assert off["drop"] == ["b_1.can", "b_2.can"]
    assert again["attach"] == ["dock_1", "dock_2"]
    rest = data["legs"]["rest"]
    assert rest["bodies"] == ["a", "b_1", "b_2"]
    assert rest["joints"] == ["dock_1", "dock_2"]
    assert rest["without"] == ["engines.jet_1", "engines.jet_2"]
    assert [entry["body"] for entry in data["engines"].values()] == ["b_1", "b_2"]


def test_paths_lead_to_copies_and_to_all_of_them():
    scenario = loads(COPIES, {"bodies.sat_2.mass": "25 kg", "bodies.sat.mass_centre": "[0, 0, 0] m"})
    masses = {body.name: float(body.mass) for body in scenario.bodies if body.name != "stage"}
    assert masses == {"sat_1": 24, "sat_2": 25, "sat_3": 24, "sat_4": 24}
    assert len(loads(COPIES, {"bodies.sat.count": 6}).joints) == 6
    assert np.array_equal(get(scenario, "joints.port.child_at"), [0, 0, 0.1])
    lifted = put(scenario, "joints.port.child_at.z", 0.2)
    assert {float(joint.child_at[2]) for joint in lifted.joints} == {0.2}
    with pytest.raises(BadInput, match=r"joints\.port\.parent_at: .*differs between the 4 members"):
        put(scenario, "joints.port.parent_at", [0, 0, 0])
    members = targets_of(loads(COPIES), "bodies.sat_*.mass", "vary")
    assert [one.path for one in members] == [f"bodies.sat_{n}.mass" for n in range(1, 5)]
    (whole,) = targets_of(loads(COPIES), "joints.port.child_at.x", "vary")
    assert whole.path == "joints.port.child_at"
    with pytest.raises(BadInput, match=r"differs between the 4 members"):
        targets_of(loads(COPIES), "joints.port.parent_at.y", "vary")


def test_a_saved_scenario_reads_back_with_its_patterns():
    scenario = loads(COPIES)
    again = loads(scenario.to_toml())
    assert again == scenario
    assert get(again, "bodies.sat.mass") == 24
    saved = loads(scenario.to_toml(), {"bodies.sat.mass": 20, "joints.port.child_at": [0, 0, 0.2]})
    assert {float(body.mass) for body in saved.bodies[1:]} == {20}
    with pytest.raises(BadInput, match="differs between the 4 members"):
        loads(scenario.to_toml(), {"joints.port.parent_at": [0, 0, 0.2]})


def test_copies_take_a_row_of_a_mass_table_and_a_source(tmp_path):
    header = "name,mass [kg],x [m],y [m],z [m],Ixx [kg m^2],Iyy [kg m^2],Izz [kg m^2],about\n"
    rows = (
        "sat,24,0,0,0,1,1,1,mass_centre\nsat_2,26,0,0,0,1,1,1,mass_centre\nsat_1,25,0,0,0,1,1,1,mass_centre\n"
    )
    (tmp_path / "mass.csv").write_text(header + rows)
    text = """
bodies.stage = { mass = 100, inertia = [10, 10, 10], initial = {} }
joints.port = { kind = "fixed", parent = "stage", child = "sat", parent_at = [0, 0, 1] }
phases.all = { until = { time = "1 s" } }
bodies.sat = { count = 2, file = "mass.csv"ROW, circle = { axis = "x" } }
[sources]\n"bodies.sat.mass" = { source = "Table of the customer", confidence = "published" }
"""
    for row, masses in (("", [24, 24]), (', row = "sat_#"', [25, 26])):
        (tmp_path / "it.toml").write_text(text.replace("ROW", row))
        scenario = load(tmp_path / "it.toml")
        assert [float(body.mass) for body in scenario.bodies if body.pattern] == masses
        assert source_of(scenario, "bodies.sat_2.mass") is not None


def test_derivatives_and_cases_by_all_copies_are_those_by_each():
    scenario = loads(COPIES)
    path, each = "pairs.stage.sat_1.relative_speed", [f"bodies.sat_{n}.mass" for n in range(1, 5)]
    whole = scenario.derivatives([path], ["bodies.sat.mass"]).by[path]["bodies.sat.mass"]
    parts = scenario.derivatives([path], each).by[path]
    # Sums of rounding over 1e5 operations.
    assert float(whole) == pytest.approx(sum(map(float, parts.values())), rel=1e-9)
    lanes = np.array([22.0, 27.0])
    one = scenario.run_batch({"bodies.sat.mass": lanes})
    other = scenario.run_batch(dict.fromkeys(each, lanes))
    assert np.array_equal(one.value(path), other.value(path))


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("count = 4", "count = -1", "bodies.sat.count", "count = -1 is out of range. Give 1 to 1000 members"),
        ("count = 4", "count = 0", "bodies.sat.count", "count = 0 is out of range. Give 1 to 1000 members"),
        ("count = 4", 'count = "4"', "bodies.sat.count", "the value must be a whole number, got '4'"),
        (
            '{ axis = "x" }',
            '{ axis = "w" }',
            "bodies.sat.circle.axis",
            "'w' is not allowed; allowed: x, y, z",
        ),
        (
            '{ axis = "x" }',
            '{ axis = "x", radius = "1 m" }',
            "bodies.sat.circle.radius",
            "'radius' applies to an inertial initial state only. Set 'circle' with 'radius' on the joint of"
            " the copies, or remove 'radius'",
        ),
        (
            'circle = { axis = "x" }',
            'circle = { axis = "x" }\ninitial = { latitude = 0, longitude = 0 }',
            "bodies.sat.circle",
            "'circle' rotates initial states in inertial axes, but 'initial' is not in inertial axes. Remove"
            " 'circle' and place the copies by joints, or give 'initial' in inertial axes",
        ),
        (
            'circle = { axis = "x" }',
            'circle = { axis = "x" }\ninitial = { position = [1, 0, 0] }',
            "bodies.sat.circle",
            "the position of 'initial' is on the axis of the circle (x), so that all copies coincide. Set"
            " 'radius', or move the position off the axis",
        ),
        (
            '[joints.port]\nkind = "fixed"\nparent = "stage"\nchild = "sat"',
            '[joints.port]\nkind = "fixed"\nparent = "stage"\nchild = "sat_5"',
            "joints.port.child",
            "there is no body 'sat_5'; did you mean 'sat_1' or 'sat_2' or 'sat_3'?",
        ),
    ],
)
def test_faulty_copies_are_refused_at_their_place(old, new, place, message):
    assert COPIES.count(old) == 1 or "count" in old or "axis" in old
    with pytest.raises(BadInput) as caught:
        loads(COPIES.replace(old, new, 1))
    (problem,) = [one for one in caught.value.problems if one.place == place]
    assert problem.message == message
    assert problem.line is not None
    others = {one.place for one in caught.value.problems} - {place}
    assert others <= {"joints.port", "clearance.gap.between"}, others


def test_more_joints_than_copies_are_refused():
    text = COPIES.replace(
        'child = "sat"\nparent_at = "[5.2, 0, 0.8] m"\nchild_at',
        'child = "sat"\ncount = 5\nparent_at = "[5.2, 0, 0.8] m"\nchild_at',
    )
    with pytest.raises(BadInput) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert problem.place == "joints.port.child"
    assert problem.message == "there is no body 'sat_5'; did you mean 'sat_1' or 'sat_2' or 'sat_3'?"


@pytest.mark.parametrize("circle", ["-1e300", '"x"', "[]", "3"])
def test_a_circle_that_is_no_table_is_refused(circle):
    with pytest.raises(BadInput) as caught:
        loads(COPIES.replace('circle = { axis = "x" }', f"circle = {circle}"))
    assert [problem.place for problem in caught.value.problems] == ["bodies.sat.circle"]
