"""Guidance laws: the attitudes that they ask for against the quantities of flights and SciPy's rotations,
their rates against differences, bodies that follow them, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from bad_input.edits import refused
from engine_door import derivative, flow_of, instant, mechanism_of, packed, quantities, start_of
from interstage.parts.guidance import shown
from interstage.parts.guidance.checks import notes
from interstage.reading import loads
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import EPS

RADIUS = 6378137.0
LANES = 7
WORLD = """
planet = { kind = "earth", angle = 0.3 }
gravity = "zonal"
wind = { kind = "steady", velocity = [12.0, -7.0, 1.0] }
[atmosphere]
kind = "table"
altitude = [-1e5, 1e6]
density = [1.25, 1.25]
temperature = [280.0, 280.0]
"""
BODY = """
[bodies.b]
mass = 10.0
inertia = [4.0, 5.0, 6.0]
initial = { latitude = 0.1, longitude = 0.2, altitude = "5 km", velocity_ned = [100.0, 900.0, -300.0] }
"""
PHASES = "[phases.first]\nuntil = { time = 4 }\n[phases.second]\nuntil = { time = 9 }\n"


def law(text: str, name: str = "law") -> Any:
    return loads(f'{WORLD}{BODY}{PHASES}[guidance.{name}]\nbody = "b"\n{text}')


def states(seed: int, lanes: int = LANES) -> dict[str, np.ndarray]:
    """Random places over the Earth, velocities of flight, attitudes: position, velocity (3, lanes)."""
    rng = np.random.default_rng(seed)
    place = rng.standard_normal((3, lanes))
    position = place / np.linalg.norm(place, axis=0) * (RADIUS + rng.uniform(1e4, 3e5, lanes))
    return {"position": position, "velocity": rng.uniform(-4e3, 4e3, (3, lanes))}


def turned(at: dict[str, np.ndarray], q: Any) -> np.ndarray:
    """The engine's state of one body in such places, with attitudes q (4, lanes)."""
    none = np.zeros((3, 1, q.shape[1]))
    return packed(none, none, np.asarray(q)[:, None], none, at["position"], at["velocity"])


def here(scenario: Any, at: dict[str, np.ndarray], t: Any = 0.0, q: Any = None) -> Any:
    lanes = at["position"].shape[1]
    q = np.array([[1.0], [0], [0], [0]]) * np.ones(lanes) if q is None else q
    return moment(mechanism_of(scenario, (lanes,)), t, turned(at, q), {0: 0.0})


def moment(mechanism: Any, t: Any, x: Any, events: dict[int, float]) -> Any:
    """An instant at which events have happened, by their numbers."""
    before = instant(mechanism, t, x)
    times = np.full(before.discrete.event_time.shape, np.inf)
    for number, at in events.items():
        times[number] = at
    return instant(mechanism, t, x, before.discrete._replace(event_time=times, fired=np.isfinite(times)))


def stood(scenario: Any, at: dict[str, np.ndarray], t: Any = 0.0, *paths: str) -> tuple[Any, dict[str, Any]]:
    """The stance of the law at such states, and quantities of the body where it stands like that."""
    stance = here(scenario, at, t)["guidance"]["law"]
    return stance, quantities(here(scenario, at, t, stance.quaternion), *paths)


def rotation(q: Any) -> Rotation:
    return Rotation.from_quat(np.asarray(q).T, scalar_first=True)


def apart(a: Rotation, b: Rotation) -> float:
    """The largest angle between attitudes."""
    return (a.inv() * b).magnitude().max()


ROUNDING = 100 * EPS
"""Of products of a few rotations."""


# --- three angles, against the quantities of a body that stands so ------------------------------------------


@pytest.mark.parametrize(("axes", "quantity"), [("local_level", "level_angles"), ("lvlh", "lvlh_angles")])
def test_angles_are_those_of_the_quantities(axes, quantity):
    scenario = law(f'kind = "angles"\naxes = "{axes}"\nyaw = "40 deg"\npitch = "-25 deg"\nroll = "160 deg"')
    _, found = stood(
        scenario, states(1), 3.0, f"bodies.b.{quantity}", "guidance.law.error", "guidance.law.pitch"
    )
    wanted = np.radians([[40.0], [-25.0], [160.0]]) * np.ones(LANES)
    np.testing.assert_allclose(found[f"bodies.b.{quantity}"], wanted, atol=ROUNDING)
    np.testing.assert_allclose(found["guidance.law.error"], 0, atol=ROUNDING)
    np.testing.assert_allclose(found["guidance.law.pitch"], np.radians(-25.0), rtol=EPS)


def test_angles_over_the_wind_are_bank_sideslip_and_incidence():
    """Bank about the velocity, minus the sideslip about z, the angle of attack about y."""
    scenario = law(
        'kind = "angles"\naxes = "air_velocity"\nsequence = "1-3-2"\nroll = 0.7\nyaw = -0.1\npitch = 0.3'
    )
    _, found = stood(scenario, states(2), 3.0, *(f"bodies.b.{name}" for name in ("alpha", "beta", "bank")))
    for name, value in (("alpha", 0.3), ("beta", 0.1), ("bank", 0.7)):
        np.testing.assert_allclose(found[f"bodies.b.{name}"], value, atol=ROUNDING)


def test_angles_over_the_inertial_velocity():
    """Without angles x is along it, and y is level."""
    at = states(3)
    stance, _ = stood(law('kind = "angles"\naxes = "inertial_velocity"'), at, 3.0, "time")
    x, y = (rotation(stance.quaternion).apply(axis) for axis in np.eye(3)[:2])
    np.testing.assert_allclose(x, (at["velocity"] / np.linalg.norm(at["velocity"], axis=0)).T, atol=ROUNDING)
    level = quantities(here(law('kind = "angles"\naxes = "local_level"'), at, 3.0), "guidance.law.attitude")
    down = rotation(level["guidance.law.attitude"]).apply([0, 0, 1])
    np.testing.assert_allclose(np.sum(y * down, 1), 0, atol=ROUNDING)
    z = rotation(stance.quaternion).apply([0, 0, 1])
    assert (np.sum(z * down, 1) > 0).all()


@pytest.mark.parametrize("sequence", ["3-2-1", "1-2-3", "2-1-3"])
def test_angles_over_inertial_and_planet_fixed_axes(sequence):
    angles = {"3": 0.4, "2": -1.1, "1": 2.5}
    said = f'sequence = "{sequence}"\nyaw = 0.4\npitch = -1.1\nroll = 2.5'
    letters = "".join("XYZ"[int(digit) - 1] for digit in sequence.split("-"))
    turn = Rotation.from_euler(letters, [angles[digit] for digit in sequence.split("-")])
    for axes, over in (("inertial", 0.0), ("planet", 0.3 + 50 * 7.292115e-5)):
        stance, _ = stood(law(f'kind = "angles"\naxes = "{axes}"\n{said}'), states(4), 50.0, "time")
        assert apart(rotation(stance.quaternion), Rotation.from_euler("Z", over) * turn) < ROUNDING


def test_hand_worked_attitude():
    """Over the equator at the prime meridian, with inertial x up, y east and z north: heading east, nose
    up."""
    at = {"position": np.array([[7e6], [0], [0]]), "velocity": np.array([[0.0], [7e3], [0]])}
    scenario = tree.set(
        law('kind = "angles"\naxes = "local_level"\nyaw = "90 deg"\npitch = "90 deg"'), "planet.angle", 0
    )
    stance, _ = stood(scenario, at, 0.0, "time")
    columns = rotation(stance.quaternion).as_matrix()[0]
    np.testing.assert_allclose(
        columns, np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]).T @ np.eye(3), atol=ROUNDING
    )


# --- functions ----------------------------------------------------------------------------------------------

TABLE = 'pitch = { points = "[0, 2, 5, 8] s", value = "[90, 80, 20, 30] deg", interpolation = "cubic" }'
SPLINE = CubicSpline([0, 2, 5, 8], np.radians([90, 80, 20, 30]))


def test_tables_and_polynomials_over_time_and_quantities():
    at = states(5, 1)
    t = np.array([[0.5, 3.0, 7.9, 20.0]])
    many = {name: np.repeat(value, 4, 1) for name, value in at.items()}
    found = here(law(f'kind = "angles"\n{TABLE}'), many, t[0])
    np.testing.assert_allclose(
        quantities(found, "guidance.law.pitch")["guidance.law.pitch"],
        SPLINE(np.minimum(t[0], 8)),
        atol=ROUNDING,
    )
    said = 'yaw = { coefficients = ["90 deg", "-0.5 deg/s", 0.01] }\n'
    said += 'roll = { over = "bodies.b.altitude", points = "[0, 150, 400] km", value = [0.0, 1.0, -1.0]'
    said += ', interpolation = "linear" }'
    at = states(5)
    found = quantities(
        here(law(f'kind = "angles"\n{said}'), at, 3.0),
        "guidance.law.yaw",
        "guidance.law.roll",
        "bodies.b.altitude",
    )
    np.testing.assert_allclose(found["guidance.law.yaw"], np.radians(90 - 1.5) + 0.09, rtol=4 * EPS)
    wanted = np.interp(found["bodies.b.altitude"], [0, 150e3, 400e3], [0, 1, -1])
    np.testing.assert_allclose(found["guidance.law.roll"], wanted, atol=ROUNDING)


@pytest.mark.parametrize("axes", ["inertial", "planet", "local_level"])
def test_rates_are_those_of_differences(axes):
    """Of bodies that move evenly, whose level turns as they do; in body axes."""
    scenario = law(f'kind = "angles"\naxes = "{axes}"\nroll = {{ coefficients = [0.1, 0.05] }}\n{TABLE}')
    at, t, h = states(6), 3.0, 1e-3

    def stance(later: float) -> Any:
        moved = {**at, "position": at["position"] + later * at["velocity"]}
        return here(scenario, moved, t + later)["guidance"]["law"]

    ahead, behind = (rotation(stance(step).quaternion) for step in (h, -h))
    turning = rotation(stance(0.0).quaternion).inv().apply((ahead * behind.inv()).as_rotvec() / (2 * h))
    # A central difference: h^2 by third derivatives of angles of order one over seconds, and rounding over h.
    np.testing.assert_allclose(np.asarray(stance(0.0).spin).T, turning, atol=10 * (h * h + EPS / h))


def test_no_rate_where_it_is_not_known():
    said = 'roll = { over = "bodies.b.mach", points = [0, 9], value = [0, 1] }'
    for text in (f'kind = "angles"\n{said}', 'kind = "angles"\naxes = "air_velocity"'):
        assert here(law(text), states(7))["guidance"]["law"].spin is None


def test_elapsed_counts_from_its_moment():
    """Not begun it is zero."""
    at = states(8, 1)
    scenario = law(f'kind = "angles"\nsince = "second"\n{TABLE}')
    mechanism, x = mechanism_of(scenario, (1,)), turned(at, np.array([[1.0], [0], [0], [0]]))
    for events, t, wanted in (({0: 0.0}, 3.0, 0.0), ({0: 0.0, 1: 4.0}, 7.5, 3.5)):
        stance = moment(mechanism, t, x, events)["guidance"]["law"]
        turn = Rotation.from_euler("Y", SPLINE(wanted))
        assert apart(rotation(stance.quaternion), turn) < ROUNDING
        rate = SPLINE(wanted, 1) if len(events) > 1 else 0.0
        np.testing.assert_allclose(np.asarray(stance.spin)[:, 0], [0, rate, 0], atol=ROUNDING)


# --- directions ---------------------------------------------------------------------------------------------


def test_direction_along_a_spline_of_vectors():
    rng = np.random.default_rng(9)
    points, vectors = np.array([0.0, 1.0, 3.0, 4.0, 6.0]), rng.normal([3, 0, 0], 1.0, (5, 3))
    rows = ", ".join(str(list(map(float, row))) for row in vectors)
    text = 'kind = "direction"\nright = [0.3, -2.0, 0.4]\n[guidance.law.direction]\n'
    text += f"points = {points.tolist()}\nvalue = [{rows}]\ninterpolation = 'cubic'"
    scenario, spline, h = law(text), CubicSpline(points, vectors), 1e-4
    t = np.array([0.3, 2.2, 3.0, 5.9])
    at = {name: np.repeat(value, 4, 1) for name, value in states(9, 1).items()}
    stance = here(scenario, at, t)["guidance"]["law"]
    body = rotation(stance.quaternion)
    wanted = spline(t) / np.linalg.norm(spline(t), axis=1)[:, None]
    np.testing.assert_allclose(body.apply([1, 0, 0]), wanted, atol=ROUNDING)
    # y has no part across the plane of x and the direction to the right, and points that way.
    across = np.cross(wanted, [0.3, -2.0, 0.4])
    y = body.apply([0, 1, 0])
    np.testing.assert_allclose(np.sum(y * across, 1), 0, atol=ROUNDING)
    assert (y @ [0.3, -2.0, 0.4] > 0).all()
    ahead, behind = (rotation(here(scenario, at, t + s)["guidance"]["law"].quaternion) for s in (h, -h))
    turning = body.inv().apply((ahead * behind.inv()).as_rotvec() / (2 * h))
    np.testing.assert_allclose(np.asarray(stance.spin).T, turning, atol=100 * (h * h + EPS / h))


def test_direction_to_the_right_itself():
    """Says nothing of y, which is across x all the same."""
    text = 'kind = "direction"\nright = [0, 0, 1]\n'
    text += "direction = { points = [0, 1], value = [[0, 0, 2], [0, 0, 3]] }"
    stance = here(law(text), states(10))["guidance"]["law"]
    matrix = rotation(stance.quaternion).as_matrix()
    np.testing.assert_allclose(matrix @ [1, 0, 0], np.tile([0.0, 0, 1], (LANES, 1)), atol=ROUNDING)
    np.testing.assert_allclose(stance.spin, 0, atol=ROUNDING)


# --- gravity turn -------------------------------------------------------------------------------------------

TURN = 'kind = "gravity_turn"\nazimuth = "70 deg"\nkick = "4 deg"\nkick_at = "10 s"\n'
TURN += 'kick_rate = "2 deg/s"\nsettle = "6 s"'
AZIMUTH = np.radians(70)


def still(text: str) -> Any:
    """A law in air without wind."""
    return tree.set(law(text), "wind", {"kind": "none"})


def test_gravity_turn_before_and_in_the_kick():
    """Up first, with y to the right of the azimuth; then over at the rate, and there until it settles."""
    for t, tilt in ((0.0, 0.0), (10.0, 0.0), (11.5, 3.0), (12.0, 4.0)):
        paths = ("bodies.b.level_angles", "guidance.law.tilt")
        stance, found = stood(law(TURN), states(11), t, *paths)
        np.testing.assert_allclose(
            found["guidance.law.tilt"], np.radians(tilt), atol=1e-9 if tilt == 0 else ROUNDING
        )
        if tilt:
            wanted = np.array([[AZIMUTH], [np.pi / 2 - np.radians(tilt)], [0.0]]) * np.ones(LANES)
            # Yaw and roll are ill-determined by the inverse of the tilt.
            np.testing.assert_allclose(
                found["bodies.b.level_angles"], wanted, atol=ROUNDING / np.radians(tilt)
            )
        level = law('kind = "angles"\naxes = "local_level"\nyaw = "70 deg"')
        right = rotation(here(level, states(11), t)["guidance"]["law"].quaternion).apply([0, 1, 0])
        np.testing.assert_allclose(rotation(stance.quaternion).apply([0, 1, 0]), right, atol=ROUNDING)


def test_a_kick_below_the_level_is_refused():
    law(TURN.replace('"4 deg"', '"89 deg"'))
    with pytest.raises(BadInput, match=r"kick: 400 deg from the vertical is not above the horizon"):
        law(TURN.replace('"4 deg"', '"400 deg"'))


def test_gravity_turn_goes_along_the_velocity():
    """Without incidence once it has settled, or from the beginning; up at rest."""
    for text, t in ((TURN, 18.0), (TURN, 400.0), ('kind = "gravity_turn"\nazimuth = 1.0', 0.0)):
        _, found = stood(law(text), states(12), t, "bodies.b.total_alpha")
        np.testing.assert_allclose(found["bodies.b.total_alpha"], 0, atol=1e-7)  # of 1 - cos, rounded
    at = states(12)
    at["velocity"] = np.cross([0, 0, 7.292115e-5], at["position"].T).T
    for text in (TURN, 'kind = "gravity_turn"\nazimuth = 1.0'):
        stance, found = stood(still(text), at, 0.0, "bodies.b.airspeed", "guidance.law.tilt")
        assert (found["bodies.b.airspeed"] == 0).all()
        np.testing.assert_allclose(found["guidance.law.tilt"], 0, atol=1e-9)
        assert np.isfinite(stance.spin).all()


@pytest.mark.parametrize(("kick", "t"), [(TURN, 18.0), ('kind = "gravity_turn"\nazimuth = 1.0\n', 0.0)])
def test_gravity_turn_in_a_fixed_plane_keeps_its_azimuth(kick, t):
    """x is the part of the velocity relative to the air in the vertical plane of the azimuth."""
    at = states(12)
    stance, _ = stood(law(f'{kick}\nplane = "fixed"'), at, t, "bodies.b.azimuth")
    level = law('kind = "angles"\naxes = "local_level"\nyaw = ' + ("1.0" if t == 0 else '"70 deg"'))
    moment = here(level, at, t)
    level_axes = rotation(moment["guidance"]["law"].quaternion)
    x = level_axes.inv().apply(rotation(stance.quaternion).apply([1, 0, 0]))
    np.testing.assert_allclose(x[:, 1], 0, atol=ROUNDING)
    velocity = level_axes.inv().apply(np.asarray(moment.surroundings.air_velocity)[:, 0].T)
    wanted = velocity[:, [0, 2]] / np.linalg.norm(velocity[:, [0, 2]], axis=1)[:, None]
    np.testing.assert_allclose(x[:, [0, 2]], wanted, atol=ROUNDING)


@pytest.mark.parametrize(
    ("end", "turned", "wanted"),
    [(289.0, "free", "330 deg (41 deg off)"), (327.0, "free", ""), (289.0, "fixed", "")],
)
def test_a_gravity_turn_that_leaves_its_azimuth_gets_a_warning(end, turned, wanted):
    """By where it has steered last: in the second phase another law does."""
    text = f'kind = "gravity_turn"\nazimuth = "330 deg"\nplane = "{turned}"'
    phases = [SimpleNamespace(name="one", attitude=None), SimpleNamespace(name="two", attitude="other")]
    flown = {"coordinates": "point", "attitude": "law", "phases": phases, "guidance": law(text).guidance}
    names = ("azimuth", "ground_speed", "flight_path_angle")
    values = (np.radians([0.0, 300.0, end, 200.0]), np.array([0.0, 500.0, 800.0, 900.0]), np.full(4, 0.5))
    series = {f"bodies.b.{name}": value for name, value in zip(names, values, strict=True)}
    spans = [("one", 0.0, 20.0), ("two", 20.0, 30.0)]
    record: Any = SimpleNamespace(
        scenario=SimpleNamespace(**flown), series=series, time=np.array([0.0, 10.0, 19.0, 30.0]), phases=spans
    )
    said = [*notes(record)]
    assert len(said) == bool(wanted)
    assert all(wanted in one and "289 deg at 19 s" in one for one in said)


@pytest.mark.parametrize("plane", ["free", "fixed"])
@pytest.mark.parametrize("t", [3.0, 11.0, 14.0, 17.9, 30.0])
def test_rate_of_a_gravity_turn_is_that_of_free_fall(t, plane):
    at, h, scenario = states(13), 1e-3, still(f'{TURN}\nplane = "{plane}"')
    falling = quantities(here(scenario, at, t), "bodies.b.gravity")["bodies.b.gravity"]

    def stance(later: float) -> Any:
        place = at["position"] + later * at["velocity"] + later**2 / 2 * falling
        moved = {"position": place, "velocity": at["velocity"] + later * falling}
        return here(scenario, moved, t + later)["guidance"]["law"]

    ahead, behind = (rotation(stance(step).quaternion) for step in (h, -h))
    turning = rotation(stance(0.0).quaternion).inv().apply((ahead * behind.inv()).as_rotvec() / (2 * h))
    # A central difference, h^2/6 by third derivatives: up to 6 rad/s^3 where it settles through half a turn.
    np.testing.assert_allclose(np.asarray(stance(0.0).spin).T, turning, atol=h * h + 100 * EPS / h)


# --- tangent steering ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("c", "d"), [(1.0, 0.0), (1.5, -0.3)])
def test_tangent_steering(c, d):
    """Over the level and in an inertial plane; the denominator of the second goes through zero."""
    text = f'kind = "tangent"\na = 2.0\nb = -0.25\nc = {c}\nd = {d}\n'
    level, plane = text + "azimuth = 0.8", text + 'axes = "inertial"\nforward = [1, 2, 0.5]\nup = [0, 0.2, 3]'
    up = np.array([0, 0.2, 3]) / np.linalg.norm([0, 0.2, 3])
    forward = np.array([1, 2, 0.5]) - (up @ [1, 2, 0.5]) * up
    forward /= np.linalg.norm(forward)
    for t in (0.0, 4.0, 6.0, 9.0):
        elevation = np.arctan2(2 - 0.25 * t, c + d * t)
        stance, found = stood(
            law(level), states(14), t, "guidance.law.elevation", "guidance.law.level_angles"
        )
        np.testing.assert_allclose(found["guidance.law.elevation"], elevation, rtol=4 * EPS, atol=EPS)
        turn = Rotation.from_euler("ZY", [0.8, elevation])
        base = rotation(
            here(law('kind = "angles"\naxes = "local_level"'), states(14), t)["guidance"]["law"].quaternion
        )
        assert apart(rotation(stance.quaternion), base * turn) < ROUNDING
        fixed = here(law(plane), states(14), t)["guidance"]["law"]
        x, y = (rotation(fixed.quaternion).apply(axis) for axis in np.eye(3)[:2])
        np.testing.assert_allclose(
            x - np.cos(elevation) * forward, np.sin(elevation) * np.tile(up, (LANES, 1)), atol=ROUNDING
        )
        np.testing.assert_allclose(y, np.tile(np.cross(forward, up), (LANES, 1)), atol=ROUNDING)
        h = 1e-4
        rate = (
            np.arctan2(2 - 0.25 * (t + h), c + d * (t + h)) - np.arctan2(2 - 0.25 * (t - h), c + d * (t - h))
        ) / (2 * h)
        np.testing.assert_allclose(
            fixed.spin, np.array([[0], [rate], [0]]) * np.ones(LANES), atol=h * h + EPS / h
        )


# --- incidence ----------------------------------------------------------------------------------------------


def test_incidence_is_that_of_the_quantities():
    text = 'kind = "incidence"\nbeta = -0.1\nbank = 2.0\n'
    text += 'alpha = { over = "bodies.b.mach", points = [0, 20], value = [0.7, 0.2] }'
    _, found = stood(
        law(text), states(15), 3.0, *(f"bodies.b.{name}" for name in ("alpha", "beta", "bank", "mach"))
    )
    np.testing.assert_allclose(
        found["bodies.b.alpha"], np.interp(found["bodies.b.mach"], [0, 20], [0.7, 0.2]), atol=ROUNDING
    )
    np.testing.assert_allclose(found["bodies.b.beta"], -0.1, atol=ROUNDING)
    np.testing.assert_allclose(found["bodies.b.bank"], 2.0, atol=ROUNDING)


# --- bodies that follow -------------------------------------------------------------------------------------

TORQUE = 0.5 * 1.25 * 900.0**2 * 0.01
"""Torque per command [N m] of the bodies that follow, at 900 m/s."""


KP = 1.0


def steered(name: str, law: str, more: str = "") -> str:
    """A body at 900 m/s over flat ground, without forces, whose commands are torques about its axes."""
    tables = "".join(
        f'coefficients.{moment} = {{ axes = [{{ variable = "controls.{name}.{axis}", points = [-1, 1] }}],'
        ' values = [-1.0, 1.0], interpolation = "linear" }\n'
        for moment, axis in zip(("Cl", "Cm", "Cn"), "xyz", strict=True)
    )
    return f"""
[bodies.{name}]
mass = 10.0
inertia = [4.0, 4.0, 4.0]
initial = {{ velocity = [900, 0, 0], attitude = {{ euler = "3-2-1", angles = "[0, 90, 0] deg" }} }}
[aerodynamics.{name}]
body = "{name}"
area = 0.01
length = 1.0
span = 1.0
{tables}
[controls.{name}]
kind = "attitude"
body = "{name}"
follows = "{law}"
kp = {KP}
kd = 0.05
{more}"""


FOLLOWING = f"""
planet = {{ kind = "flat", up = [0, 0, -1], north = [1, 0, 0] }}
[atmosphere]
kind = "table"
altitude = [-1e5, 1e5]
density = [1.25, 1.25]
temperature = [280.0, 280.0]
{steered("one", "programme")}
{steered("two", "other", 'period = "10 ms"')}
[guidance.programme]
kind = "angles"
body = "one"
axes = "local_level"
pitch = {{over = "time", points = "[0, 2, 5, 8] s", value = "[90, 80, 20, 30] deg", interpolation = "cubic" }}
[guidance.other]
kind = "incidence"
body = "two"
alpha = {{ points = "[0, 2, 5, 8] s", value = "[90, 80, 20, 30] deg", interpolation = "cubic" }}
bank = 0.3
reversals = {{ quantity = "time", about = 3.0, corridor = 2.0, duration = 2.0, first = "left" }}
[guidance.nobody]
kind = "angles"
body = "two"
roll = {{ over = "time", points = "[0, 1.23, 5] s", value = [0, 1, 0], interpolation = "linear" }}
[phases.all]
until = {{ time = 8 }}
[solver]
tolerance = 1e-10
"""


@pytest.fixture(scope="module")
def following() -> Any:
    return loads(FOLLOWING)


def lag() -> float:
    """The most by which a hold lags behind where the start is forgotten: what it takes to turn the inertia as
    the spline turns, over the stiffness; twice, for what the bend changes meanwhile, and between samples."""
    return 2 * 4.0 * max(abs(SPLINE(t, 2)) for t in np.linspace(0, 8, 100)) / (TORQUE * KP)


@pytest.mark.long
def test_bodies_follow_a_programme(following):
    """A continuous hold and a sampled one, to what their stiffness allows; the recorded error is that of the
    recorded attitude. The bank begins on the wrong side of its corridor of time, and goes over again at its
    end, each time at an even rate."""
    flight = following.run()
    t = flight.data["time"].values
    side = np.interp(t, [0, 2, 5, 7], [-1, 1, 1, -1])
    np.testing.assert_allclose(flight.data["guidance/other"]["bank"].values, 0.3 * side, atol=1e-12)
    # Without a known rate a hold lags behind by kd/kp of it.
    turning = max(abs(SPLINE(t, 1))) + 0.3
    for name, law, wanted, most in (
        ("one", "programme", Rotation.from_euler("Y", SPLINE(t)[:, None]), lag()),
        (
            "two",
            "other",
            Rotation.from_euler("XY", np.stack([0.3 * side, SPLINE(t)], 1)),
            0.05 / KP * turning + lag(),
        ),
    ):
        turn = rotation(flight.data[f"bodies/{name}"]["attitude"].values.T)
        error = (turn.inv() * wanted).magnitude()
        # Damped by more than half of its frequency of 36 rad/s, the start is forgotten after a second.
        assert error[t > 1].max() < most
        np.testing.assert_allclose(flight.data[f"guidance/{law}"]["error"].values, error, atol=1e-9)
    assert lag() < np.radians(0.1)
    figures = dict.fromkeys(figure.key for figure in shown.figures(flight.record, "SI"))
    assert list(figures) == ["guidance"]


@pytest.mark.long
def test_derivatives_by_the_programme(following):
    """Of where it points at the end, by an angle of the table, against differences."""
    of, wrt, step = "bodies.one.level_angles.pitch", "guidance.programme.pitch.value", 1e-4
    found = following.derivatives([of], [wrt]).by[of][wrt]
    ends = []
    for sign in (1, -1):
        value = tree.get(following, wrt) + sign * step * np.array([0, 0, 1, 0])
        ends.append(tree.set(following, wrt, value).run().value(of, "end"))
    # Central differences: step^2 by a third derivative of order one, and the steps' tolerance over the step.
    np.testing.assert_allclose(found[2], (ends[0] - ends[1]) / (2 * step), atol=step**2 + 1e-10 / step)


def test_a_law_that_nobody_follows_costs_nothing(following):
    """No expression in what is compiled, and no step that must end where its table bends."""
    kept = tuple(law for law in following.guidance if law.name != "nobody")
    counts, corners = [], []
    for scenario in (following, following.model_copy(update={"guidance": kept})):
        first = start_of(scenario)
        mechanism = mechanism_of(scenario, begun=first)
        rate = jax.make_jaxpr(lambda x: derivative(mechanism, 0.0, x, first.discrete))  # noqa: B023
        counts.append(len(rate(first.x).jaxpr.eqns))
        corners.append(float(flow_of(mechanism).corner(np.array(1.0), 0.0, first.discrete)))
    assert counts[0] == counts[1] > 100
    assert corners == [2.0, 2.0]


# --- what is refused ----------------------------------------------------------------------------------------

NOBODY = '[guidance.nobody]\nkind = "angles"\nbody = "two"\nroll'


FLAT = 'planet = { kind = "flat", up = [0, 0, -1], north = [1, 0, 0] }'


def other(kind: str, said: str) -> str:
    """A law of another kind in its place."""
    return f'[guidance.nobody]\nkind = "{kind}"\nbody = "two"\n{said}\n# '


def directed(vectors: str, more: str = "") -> str:
    """A law by directions in its place; what is left of its line is a comment."""
    own = f"direction = {{ points = [0, 1], value = {vectors} }}"
    return f'[guidance.nobody]\nkind = "direction"\nbody = "two"\n{more}\n{own}\n# '


REFUSED = [
    (
        'body = "one"\naxes = "local_level"',
        'body = "on"',
        "guidance.programme.body",
        "no body 'on'; did you mean 'one'",
    ),
    ('axes = "local_level"', 'axes = "lvlh"', "guidance.programme.axes", "the planet is flat"),
    (
        'axes = "local_level"',
        'axes = "level"',
        "guidance.programme.axes",
        "did you mean 'local_level'?",
    ),
    ('axes = "local_level"', 'sequence = "3-1-3"', "guidance.programme.sequence", "each once, like 3-2-1"),
    (
        'axes = "local_level"',
        'since = "al"',
        "guidance.programme.since",
        "no phase, event or device's event 'al'",
    ),
    ('axes = "local_level"', 'axs = "lvlh"', "guidance.programme.axs", "did you mean 'axes'?"),
    (
        'over = "time", points = "[0, 2, 5, 8] s"',
        "points = [0, 2, 5]",
        "guidance.programme.pitch.value",
        "4 rows, but 'points' has 3",
    ),
    (
        'over = "time", points = "[0, 2, 5, 8] s"',
        "points = [0, 2, 2, 8]",
        "guidance.programme.pitch.points",
        "does not increase",
    ),
    (
        '[90, 80, 20, 30] deg", interpolation = "cubic" }\n[guidance.o',
        '[90, 80, 20, 30] m", interpolation = "cubic" }\n[guidance.o',
        "guidance.programme.pitch.value",
        "allowed: rad",
    ),
    (
        'over = "time", points = "[0, 2, 5, 8]',
        'over = "bodies.one.mahc", points = "[0, 2, 5, 8]',
        "guidance.programme.pitch.over",
        "did you mean 'bodies.one.mach'",
    ),
    (
        'over = "time", points = "[0, 2, 5, 8]',
        'over = "bodies.one.speed.x", points = "[0, 2, 5, 8]',
        "guidance.programme.pitch.over",
        "bodies.one.speed",
    ),
    (
        'over = "time", points = "[0, 2, 5, 8] s"',
        'over = "guidance.programme.error", points = [0, 2, 5, 8]',
        "guidance.programme",
        "depends on the attitude of guidance.programme",
    ),
    (
        'over = "time", points = "[0, 2, 5, 8] s"',
        'over = "bodies.one.axial_load_factor", points = [0, 2, 5, 8]',
        "controls.one.follows",
        "depends on forces that it controls",
    ),
    (
        'follows = "programme"',
        'follows = "program"',
        "controls.one.follows",
        "no guidance 'program'; did you mean 'programme'",
    ),
    (
        'follows = "programme"',
        'follows = "other"',
        "controls.one.follows",
        "'other' gives the attitude of 'two'",
    ),
    (
        'follows = "programme"',
        'angles = [0, 0, 0]\nfollows = "programme"',
        "controls.one.angles",
        "'angles' and 'follows' are both set",
    ),
    ('follows = "programme"', "", "controls.one.angles", "neither angles nor follows"),
    (
        'follows = "programme"',
        'axes = "lvlh"\nfollows = "programme"',
        "controls.one.axes",
        "applies to the key 'angles' only",
    ),
    (
        'planet = { kind = "flat", up = [0, 0, -1], north = [1, 0, 0] }',
        "",
        "guidance.programme.axes",
        "needs a planet",
    ),
    (
        '[guidance.nobody]\nkind = "angles"\nbody = "two"\nroll',
        '[guidance.nobody]\nkind = "angels"\nbody = "two"\nroll',
        "guidance.nobody",
        "did you mean 'angles'",
    ),
    (
        NOBODY,
        other("gravity_turn", "azimuth = 0\nkick = 0"),
        "guidance.nobody.kick",
        "must be more than zero",
    ),
    (NOBODY, other("gravity_turn", ""), "guidance.nobody.azimuth", "is required"),
    (NOBODY, other("tangent", "a = 1"), "guidance.nobody.azimuth", "is required with axes"),
    (
        NOBODY,
        other("tangent", 'a = 1\naxes = "inertial"\nup = [0, 0, 1]'),
        "guidance.nobody.forward",
        "is required",
    ),
    (
        NOBODY,
        other("tangent", 'a = 1\naxes = "inertial"\nup = [0, 0, 1]\nforward = [0, 0, 2]'),
        "guidance.nobody.forward",
        "parallel to up",
    ),
    (NOBODY, other("tangent", "a = 1\nazimuth = 1\nup = [0, 0, 1]"), "guidance.nobody.up", "Remove this key"),
    ('quantity = "time"', 'quantity = "tim"', "guidance.other.reversals.quantity", "no quantity 'tim'"),
    (
        'over = "time", points = "[0, 2, 5, 8] s"',
        'over = "time", points = "[0, 2, 5, 8] km"',
        "guidance.programme.pitch.points",
        "is m, which does not fit time. Give values in s",
    ),
    (
        'over = "time", points = "[0, 2, 5, 8] s"',
        'over = "bodies.one.speed", points = "[0, 2, 5, 8] s"',
        "guidance.programme.pitch.points",
        "is s, which does not fit bodies.one.speed. Give values in m/s",
    ),
    (
        'points = "[0, 2, 5, 8] s", value = "[90, 80, 20, 30] deg", interpolation = "cubic" }\n[guidance.o',
        'coefficients = ["90 deg", "-1 deg/s", "0.1 deg/s"] }\n[guidance.o',
        "guidance.programme.pitch.coefficients",
        "the unit of entry 3 is rad/s, which does not fit time. Give values in rad/s^2",
    ),
    ("about = 3.0", 'about = "3 m"', "guidance.other.reversals.about", "does not fit time. Give values in s"),
    ("corridor = 2.0", 'corridor = "2 m"', "guidance.other.reversals.corridor", "Give values in s"),
    ("corridor = 2.0, ", "", "guidance.other.reversals.corridor", "is required"),
    ("duration = 2.0", "duration = 0", "guidance.other.reversals.duration", "must be more than zero"),
    (FLAT, "", "guidance.other.kind", "needs a planet"),
    (FLAT, f'attitude = "programm"\n{FLAT}', "attitude", "no guidance 'programm'; did you mean"),
    (NOBODY, directed("[[1, 0, 0], [1, 1, 0]]", "right = [0, 0, 0]"), "guidance.nobody.right", "zero vector"),
    (
        NOBODY,
        directed("[[1, 0, 0], [0, 0, 0]]"),
        "guidance.nobody.direction.value",
        "the vector in row 2 is zero",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), REFUSED, ids=lambda text: None)
def test_one_clear_error(old, new, place, words):
    found = refused(FOLLOWING, old, new, place, words)
    assert len(found.problems) <= 6, str(found)
