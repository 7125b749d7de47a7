"""Devices that release: when, with what impulse, and what becomes of those that fail."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import interstage as ist

EPS = np.finfo(float).eps
LOCATED = 1e-10
"""Events are located to this [s]."""
STAGE, PAYLOAD = 3.0, 2.0
"""Masses [kg]."""
TURNS = {"stage": np.diag([0.5, 0.4, 0.3]), "payload": np.diag([0.2, 0.3, 0.1])}
"""Tensors of inertia [kg m^2]."""
FIRE, END = 0.5, 1.0
"""When devices are fired, and when flights end [s]."""
BOLTS = "port", "starboard"
AT = {"port": np.array([0.2, 0.1, 0.4]), "starboard": np.array([-0.3, 0.0, 0.4])}
"""Where they hold on the stage [m]; the centre of mass of the payload is 0.9 m above that of the stage."""
ABOVE = np.array([0.0, 0.0, 0.9])


def body(name: str, mass: float, at: Any = (0.0, 0.0, 0.0)) -> ist.Body:
    return ist.Body(
        name=name, mass=mass, inertia=TURNS[name], products="tensor", initial=ist.State(position=at)
    )


def held(
    devices: Any, names: Any = ("port",), kind: Any = "fixed", fire: Any = None, **more: Any
) -> ist.Scenario:
    """A payload on a stage that joints hold at `AT`; all devices, or those of `fire`, are fired at `FIRE`."""
    fire = [d.name for d in devices if isinstance(d, FIRED) and d.after is None] if fire is None else fire
    phases = (
        ist.Phase(name="held", until=ist.Trigger(time=FIRE)),
        ist.Phase(name="apart", fire=fire, until=ist.Trigger(time=END)),
    )
    joints: Any = [
        ist.Joint(
            name=name,
            kind=kind,
            parent="stage",
            child="payload",
            parent_at=AT[name],
            child_at=AT[name] - ABOVE,
        )
        for name in names
    ]
    given = {"phases": phases, "output": ist.Output(interval=0.1)} | more
    bodies = body("stage", STAGE), body("payload", PAYLOAD, ABOVE)
    return ist.Scenario(bodies=bodies, joints=joints, devices=tuple(devices), **given)


FIRED = ist.LinearCharge | ist.ExplosiveBolt | ist.ExplosiveNut | ist.FrangibleJoint | ist.ClampBand
ALIKE = ist.ExplosiveBolt, ist.ExplosiveNut, ist.FrangibleJoint
BAND: dict[str, Any] = {"tension": 2e4, "radius": 0.3, "half_angle": np.radians(20.0), "axis": [0, 0, 1]}


LATE: dict[str, Any] = {"delay": 0.125, "opening_time": 0.0625}


def device(kind: Any, name: str = "cutter", joints: Any = ("port",), **more: Any) -> Any:
    band = BAND if kind is ist.ClampBand else {}
    return kind(name=name, joints=joints, **band | more)


def bolt(**given: Any) -> Any:
    """A bolt of which every number is given, so that all of them are flown by one program."""
    nothing: dict[str, Any] = {"impulse": 0.0, "preload": 0.0, "stiffness": 1e8, "efficiency": 1.0}
    return device(ist.ExplosiveBolt, **nothing | given)


def events(flight: Any) -> dict[str, float]:
    return {str(row["name"]): float(row["time"]) for _, row in flight.events.iterrows()}


# --- when they let go, and whether


@pytest.mark.parametrize(
    "kind", [ist.LinearCharge, ist.ClampBand, *(pytest.param(kind, marks=pytest.mark.long) for kind in ALIKE)]
)
def test_joints_let_go_a_delay_after_the_firing(kind):
    band = kind is ist.ClampBand
    late: dict[str, Any] = LATE if band else {"delay": 0.125}
    more: dict[str, Any] = {"segments": 24} if band else {}
    flight = held([device(kind, **late, **more)]).run()
    name = "cutter cut" if kind is ist.LinearCharge else "cutter released"
    # The delay is a sum of powers of two: no rounding.
    assert events(flight)[name] == FIRE + sum(late.values())
    sides: Any = (("before", 1.0), ("after", 0.0))
    for side, holds in sides:
        assert flight.value("joints.port.active", name, side) == holds
        assert flight.value("devices.cutter.state", name, side) == holds


def test_a_device_that_fails_or_comes_too_late_holds_on_in_its_lane_only():
    """One attachment of two hangs up: the others of its lane release."""
    bolts = [device(ist.ExplosiveBolt, name, (name,), axis=[0, 0, 1], impulse=0.5) for name in BOLTS]
    scenario = held(bolts, BOLTS, "spherical")
    works, delay = np.array([1.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.0, np.inf, 0.25])
    batch = scenario.run_batch({"devices.port.works": works, "devices.port.delay": delay})
    lets_go = (works > 0) & (FIRE + delay < END)
    np.testing.assert_array_equal(batch.value("joints.port.active"), ~lets_go)
    np.testing.assert_array_equal(batch.value("joints.starboard.active"), 0)
    np.testing.assert_array_equal(batch.value("devices.port.impulse"), 0.5 * lets_go)
    flights = [batch.case(lane).run() for lane in (0, 1)]
    for lane, alone in enumerate(flights):
        for path in ("bodies.payload.velocity", "bodies.payload.angular_velocity"):
            np.testing.assert_allclose(batch.value(path)[lane], alone[path][-1], rtol=0, atol=1e-12)
    # What fails changes its own attachment and nothing else: the other goes at the same moment.
    times = [events(alone).get("starboard released") for alone in flights]
    assert times == [FIRE, FIRE]
    assert "port released" not in events(flights[1])


def test_one_device_fires_another():
    """A chain of two bolts, an event, and a spring; the last two wait for devices."""
    chain = [
        device(ist.ExplosiveBolt, "first", ("port",), delay=0.0625),
        device(ist.ExplosiveNut, "second", ("starboard",), after="first released", delay=0.125),
        ist.KickoffSpring(
            name="spring", parent="stage", child="payload", parent_at=[0, 0, 0.4], child_at=[0, 0, -0.5],
            axis=[0, 0, 1], stiffness=200.0, preload=10.0, stroke=0.05, after="second released",
        ),
    ]  # fmt: skip
    follower = ist.Event(name="note", when=ist.Trigger(elapsed=0.03125), after="first released")
    after_spring = ist.Event(name="clear", when=ist.Trigger(elapsed=0.03125), after="spring spent")
    flight = held(chain, BOLTS, "spherical", fire=["first"], events=(follower, after_spring)).run()
    found = events(flight)
    assert found["first released"] == FIRE + 0.0625
    assert found["note"] == FIRE + 0.0625 + 0.03125
    assert found["second released"] == FIRE + 0.0625 + 0.125
    assert found["spring spent"] > found["second released"]
    assert found["clear"] == found["spring spent"] + 0.03125


@pytest.mark.long
def test_a_second_firing_stands_in_for_the_first():
    """A backup event fires the same bolt later: it counts where the first firing fails to come."""
    backup = ist.Event(name="backup", when=ist.Trigger(time=0.75), fire=("cutter",))
    bolt = device(ist.ExplosiveBolt)
    both = events(held([bolt], events=(backup,)).run())
    assert both["cutter released"] == FIRE
    assert events(held([bolt], events=(backup,), fire=[]).run())["cutter released"] == 0.75


# --- impulses


def jumps(flight: Any, event: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Jumps of velocity and of angular velocity of the bodies at an event."""

    def jump(path):
        return flight.value(path, event) - flight.value(path, event, "before")

    names = "stage", "payload"
    return {n: (jump(f"bodies.{n}.velocity"), jump(f"bodies.{n}.angular_velocity")) for n in names}


AXIS = np.array([0.2, -0.1, 1.0])
ALONG = AXIS / np.linalg.norm(AXIS)
POINT = np.array([0.1, 0.3, 0.4])


def direction(point: np.ndarray) -> np.ndarray:
    """Force and moment about the centres of mass, stage and payload, of a unit force on the payload."""
    return np.concatenate([-ALONG, np.cross(point, -ALONG), ALONG, np.cross(point - ABOVE, ALONG)])


def mobility() -> np.ndarray:
    """Inverse of the mass matrix of stage and payload, (12, 12)."""
    whole = np.zeros((12, 12))
    for k, (name, mass) in enumerate((("stage", STAGE), ("payload", PAYLOAD))):
        whole[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.eye(3) / mass
        whole[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.linalg.inv(TURNS[name])
    return whole


def flat(found: dict[str, tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    return np.concatenate([*found["stage"], *found["payload"]])


def test_an_impulse_between_free_bodies():
    size = 1.7
    flight = held([bolt(axis=AXIS, at=POINT, impulse=size)]).run()
    expected = mobility() @ direction(POINT) * size
    np.testing.assert_allclose(flat(jumps(flight, "cutter released")), expected, rtol=0, atol=64 * EPS * 10)
    assert flight.value("devices.cutter.impulse", "cutter released") == size
    assert flight.value("devices.cutter.impulse", "cutter released", "before") == 0
    for path in ("system.momentum", "system.angular_momentum"):
        np.testing.assert_allclose(flight.value(path, "cutter released"), 0, rtol=0, atol=64 * EPS * 10)


def test_a_joint_that_is_free_already_gives_nothing():
    """Of three bolts on one joint two release together, and both push; the third comes when the bodies are
    apart: no gas, and no strain, is left between them."""
    given: dict[str, Any] = {"axis": [0, 0, 1], "at": [0, 0, 0.4], "impulse": 1.5, "preload": 1e3}
    delays = {"port": 0.0, "starboard": 0.0, "late": 0.25}
    flight = held(
        [device(ist.ExplosiveBolt, n, delay=t, stiffness=1e7, **given) for n, t in delays.items()]
    ).run()
    assert events(flight)["late released"] == FIRE + 0.25
    # On one line m v^2 / 2 grows by the energies, from the speed that the impulses give.
    reduced, energy = 1 / (1 / STAGE + 1 / PAYLOAD), 1e3**2 / 2e7
    expected = np.sqrt((2 * 1.5 / reduced) ** 2 + 2 * 2 * energy / reduced)
    speed = flight["pairs.stage.payload.separation_speed"][-1]
    assert speed == pytest.approx(expected, rel=1e-12)
    assert flight["devices.late.impulse"][-1] == 0


def jacobian(point: np.ndarray) -> np.ndarray:
    """Rate of the gap at a point that both bodies share, (3, 12)."""

    def skew(v):
        return np.cross(v, np.eye(3)).T

    return np.hstack([-np.eye(3), skew(point), np.eye(3), -skew(point - ABOVE)])


@cache
def one_of_two(formulation: str) -> Any:
    choice: Any = formulation
    solver = ist.Solver(formulation=choice)
    given = bolt(axis=AXIS, at=POINT, impulse=1.7)
    return held([given], BOLTS, "spherical", solver=solver).run()


@pytest.mark.parametrize(
    "formulation", ["lagrange_multiplier", pytest.param("null_space", marks=pytest.mark.long)]
)
def test_joints_that_hold_bear_the_impulse_of_one_that_lets_go(formulation):
    """Least change of kinetic energy under the rows of the other joint, by a dense matrix of all unknowns."""
    flight = one_of_two(formulation)
    rows, unit = jacobian(AT["starboard"]), direction(POINT) * 1.7
    whole = np.block([[np.linalg.inv(mobility()), -rows.T], [rows, np.zeros((3, 3))]])
    solution = np.linalg.solve(whole, np.concatenate([unit, np.zeros(3)]))
    size = float(np.abs(solution).max())
    np.testing.assert_allclose(
        flat(jumps(flight, "cutter released")), solution[:12], rtol=0, atol=256 * EPS * size
    )
    borne = flight.value("joints.starboard.impulse", "cutter released")
    np.testing.assert_allclose(borne, solution[12:], rtol=0, atol=256 * EPS * size)
    # It goes on holding.
    assert flight["joints.starboard.gap"].max() < 1e-9


@pytest.mark.long
def test_minimal_coordinates_take_the_same_impulse():
    becomes: Any = {"port": "spherical"}
    formulations: Any = (
        {"kind": "lagrange_multiplier"},
        {"kind": "null_space", "road": "closed_form", "form": "reduced", "coordinates": "minimal"},
    )
    flights = [
        held(
            [device(ist.ExplosiveBolt, axis=AXIS, at=POINT, impulse=1.7)],
            BOLTS[:1],
            "fixed",
            solver=ist.Solver(formulation=formulation),
            phases=(
                ist.Phase(name="held", replace=becomes, until=ist.Trigger(time=FIRE)),
                ist.Phase(name="apart", fire=("cutter",), until=ist.Trigger(time=END)),
            ),
        ).run()
        for formulation in formulations
    ]
    one, other = (flat(jumps(flight, "cutter released")) for flight in flights)
    np.testing.assert_allclose(one, other, rtol=0, atol=64 * EPS * 10)


# --- strain energy


@pytest.mark.parametrize("efficiency", [1.0, 0.4])
def test_strain_energy_of_a_bolt_becomes_motion(efficiency):
    """mu v^2 / 2 = eta F^2 / (2 k) on the line of the centres of mass."""
    load, stiffness = 3e4, 2e8
    given = bolt(axis=[0, 0, 1], at=[0, 0, 0.4], preload=load, stiffness=stiffness, efficiency=efficiency)
    flight = held([given]).run()
    energy = load**2 / (2 * stiffness)
    reduced = 1 / (1 / STAGE + 1 / PAYLOAD)
    speed = np.sqrt(2 * efficiency * energy / reduced)
    found = flight.value("pairs.stage.payload.relative_velocity", "cutter released")
    np.testing.assert_allclose(found, [0, 0, speed], rtol=0, atol=64 * EPS * speed)
    assert flight.value("devices.cutter.strain_energy", "apart") == pytest.approx(energy, rel=8 * EPS)
    assert flight.value("devices.cutter.impulse", "cutter released") == pytest.approx(
        reduced * speed, rel=1e-13
    )


@pytest.mark.parametrize("holding", [False, True])
def test_strain_energy_off_the_mass_centres_and_beside_a_joint_that_holds(holding):
    """All of it is motion, whatever lets the bodies move."""
    given = bolt(axis=AXIS, at=POINT, preload=2e4, stiffness=1e8)
    flight = held([given], BOLTS if holding else BOLTS[:1], "spherical" if holding else "fixed").run()
    gained = flight.value("system.kinetic_energy", "cutter released")
    assert gained == pytest.approx(2e4**2 / 2e8, rel=1e-12)


def test_two_bolts_at_once_share_the_motion_alike():
    """Placed like mirror images they do not turn the bodies, and give both their energies."""
    places = np.array([0.25, 0.0, 0.4]), np.array([-0.25, 0.0, 0.4])
    bolts = [
        device(ist.ExplosiveBolt, name, (name,), axis=[0, 0, 1], at=at, preload=1e4, stiffness=1e8)
        for name, at in zip(BOLTS, places, strict=True)
    ]
    flight = held(bolts, BOLTS, "spherical").run()
    assert flight["system.kinetic_energy"][-1] == pytest.approx(2 * 1e4**2 / 2e8, rel=1e-12)
    np.testing.assert_allclose(flight["bodies.payload.angular_velocity"][-1], 0, rtol=0, atol=64 * EPS)


@pytest.mark.long
def test_derivatives_pass_through_a_release():
    """Of what an impulse and strain energy together give, by the impulse, the preload and the delay."""
    size, load, stiffness = 1.7, 3e4, 2e8
    bolt = device(
        ist.ExplosiveBolt, axis=[0, 0, 1], at=[0, 0, 0.4], impulse=size, preload=load, stiffness=stiffness
    )
    paths = "bodies.payload.velocity.z", "bodies.payload.position.z"
    found = held([bolt]).derivatives(
        of=paths, wrt=[f"devices.cutter.{w}" for w in ("impulse", "preload", "delay")]
    )
    # w J^2 / 2 + w K J = E for the part J of the energy after K = `size`, so that (J + K)^2 = K^2 + 2 E / w.
    w, energy = 1 / STAGE + 1 / PAYLOAD, load**2 / (2 * stiffness)
    whole = np.sqrt(size**2 + 2 * energy / w)
    speed, span = whole / PAYLOAD, END - FIRE
    by = {"impulse": size / whole / PAYLOAD, "preload": load / stiffness / w / whole / PAYLOAD, "delay": 0.0}
    assert found.values[paths[0]] == pytest.approx(speed, rel=1e-12)
    for name, expected in by.items():
        path = f"devices.cutter.{name}"
        assert float(found.by[paths[0]][path]) == pytest.approx(expected, rel=1e-10, abs=1e-10)
        late = -speed if name == "delay" else expected * span
        assert float(found.by[paths[1]][path]) == pytest.approx(late, rel=1e-10)


# --- clamp band


def test_preload_of_a_clamp_band():
    """A segment in equilibrium, by its two flanks: unknown normal force N with friction mu N."""
    tension, radius, angle, friction, segments = 2e4, 0.3, np.radians(20.0), 0.1, 24
    # Fired, like the one above that lets go, but so late that it holds throughout.
    late: dict[str, Any] = LATE | {"delay": 2 * END}
    band = device(ist.ClampBand, friction=friction, segments=segments, **late)
    flight = held([band]).run()
    assert flight["joints.port.active"].all()
    # Inwards T/R = 2 N (sin + mu cos); along the axis q = N (cos - mu sin).
    normal = tension / radius / (2 * (np.sin(angle) + friction * np.cos(angle)))
    line = normal * (np.cos(angle) - friction * np.sin(angle))
    for what, expected in {
        "line_preload": line,
        "preload": 2 * np.pi * radius * line,
        "segment_force": 2 * tension * np.sin(np.pi / segments),
    }.items():
        np.testing.assert_allclose(flight[f"devices.cutter.{what}"], expected, rtol=16 * EPS, atol=0)
    # All segments together turn the band once around.
    assert segments * flight["devices.cutter.segment_force"][0] == pytest.approx(
        2 * np.pi * tension, rel=(np.pi / segments) ** 2
    )


@pytest.mark.parametrize(("force", "at"), [([0, 0, 1.0], [0, 0, 0]), ([0.3, 0, 0.5], [0, 0, 0.2])])
def test_a_clamp_band_of_too_little_tension_opens(force, at):
    """A payload pulled by a growing load: the flanges part as the line load passes the preload."""
    growth = 4e4 * np.array(force)
    pull = ist.Force(
        name="pull",
        body="payload",
        at=at,
        axes="inertial",
        force=ist.ForceTable(time=[0, 1], value=np.array([0 * growth, growth])),
    )
    ring = ist.Joint(
        name="ring",
        kind="fixed",
        parent="ground",
        child="payload",
        parent_at=[0, 0, 0.4],
        child_at=[0, 0, -0.5],
    )
    band = device(ist.ClampBand, "band", ("ring",), tension=1e3)
    opening = ist.Trigger(quantity="devices.band.preload_left", reaches=0.0, direction="falling")
    scenario = ist.Scenario(
        bodies=(body("payload", PAYLOAD, ABOVE),),
        joints=(ring,),
        forces=(pull,),
        devices=(band,),
        phases=(
            ist.Phase(name="held", until=opening),
            ist.Phase(name="open", release=("ring",), until=ist.Trigger(elapsed=0.01)),
        ),
    )
    flight = scenario.run()
    radius = BAND["radius"]
    preload = 1e3 / (2 * radius * np.tan(BAND["half_angle"]))
    arm = np.array([0, 0, 0.5]) + at
    moment = np.hypot(*np.cross(arm, growth)[:2])
    expected = preload / (growth[2] / (2 * np.pi * radius) + moment / (np.pi * radius**2))
    assert 0 < expected < 1
    assert events(flight)["open"] == pytest.approx(expected, abs=LOCATED)
