"""Quantities that a mission's tables stand on: stacks, thrust over weight, distances to sites."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from geographiclib.geodesic import Geodesic

import interstage as ist
from engine_door import instant, lift, mechanism_of, quantities, quickly, start_of, switches
from interstage.environment import world
from interstage.environment.atmosphere import USStandard1976
from mechanics import COAST, EPS

DEG = np.pi / 180
G0 = 9.80665


def ring() -> ist.Scenario:
    """Four bodies joined in a row, a to d; two engines on b, canted against each other, and one on d that
    pushes the other way."""
    bodies = tuple(
        ist.Body(name=name, mass=mass, inertia=[1, 1, 1], initial=ist.State(position=[k, 0, 0]))
        for k, (name, mass) in enumerate(zip("abcd", (1.0, 2.0, 4.0, 8.0), strict=True))
    )
    joints = tuple(
        ist.Joint(name=f"{one}{other}", kind="spherical", parent=one, child=other, parent_at=[0.5, 0, 0])
        for one, other in ("ab", "bc", "cd")
    )
    engine: dict[str, Any] = {
        "kind": "engine",
        "massless": True,
        "at": [0, 0, 0],
        "ignited": True,
    }
    engines = (
        ist.Engine(name="left", body="b", thrust=100.0, direction=[1, 1, 0], **engine),
        ist.Engine(name="right", body="b", thrust=100.0, direction=[1, -1, 0], **engine),
        ist.Engine(name="back", body="d", thrust=30.0, direction=[-1, 0, 0], **engine),
    )
    return ist.Scenario(
        bodies=bodies,
        joints=joints,
        engines=engines,
        phases=COAST,
        gravity=ist.UniformGravity(acceleration=[0, 0, -2.0]),
    )


MODES = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [1, 1, 1, 0]])
"""Which joints hold, of each lane: all, those of b with c and c with d, the first and the last, none."""
STACKS = [
    {"abcd"},
    {"a", "bcd"},
    {"ab", "cd"},
    {"a", "b", "c", "d"},
]


@pytest.fixture(scope="module")
def joined() -> tuple[Any, Any]:
    mechanism = mechanism_of(ring(), (4,), leaves=lift(ring()))
    x = np.repeat(np.asarray(start_of(ring()).x)[:, None], 4, 1)
    return mechanism, (x, switches(mechanism, (4,), modes=MODES))


PATHS = [f"bodies.{b}.{name}" for b in "abcd" for name in ("stack_mass", "thrust_to_weight")]


def by_hand() -> dict[str, np.ndarray]:
    mass = dict(zip("abcd", (1.0, 2.0, 4.0, 8.0), strict=True))
    push = {"b": 100 * np.sqrt(2), "d": -30.0}
    found = {path: np.zeros(4) for path in PATHS}
    for lane, stacks in enumerate(STACKS):
        for stack in stacks:
            for body in stack:
                whole = sum(mass[b] for b in stack)
                found[f"bodies.{body}.stack_mass"][lane] = whole
                thrust = abs(sum(push.get(b, 0.0) for b in stack))
                found[f"bodies.{body}.thrust_to_weight"][lane] = thrust / (2.0 * whole)
    return found


def test_stacks_are_what_joints_join(joined):
    mechanism, (x, switched) = joined
    found = quantities(instant(mechanism, 0.0, x, switched), *PATHS)
    for path, wanted in by_hand().items():
        np.testing.assert_allclose(found[path], wanted, rtol=8 * EPS, atol=1e-13, err_msg=path)


def test_a_trigger_sees_the_same_stacks(joined):
    """Traced, where which joints hold is not there yet."""
    mechanism, (x, switched) = joined

    @quickly
    def traced(x, switched):
        return quantities(instant(mechanism, 0.0, x, switched), *PATHS)

    found = traced(x, switched)
    for path, wanted in by_hand().items():
        np.testing.assert_allclose(found[path], wanted, rtol=8 * EPS, atol=1e-13, err_msg=path)


def one_body(start: Any, **more: Any) -> ist.Scenario:
    body = ist.Body(name="b", mass=2, inertia=[1, 2, 2], initial=start)
    return ist.Scenario(bodies=(body,), phases=COAST, **more)


def told(declared: ist.Scenario, *names: str) -> list[float]:
    found = quantities(
        instant(mechanism_of(declared), 0.0, start_of(declared).x), *(f"bodies.b.{n}" for n in names)
    )
    return [float(value) for value in found.values()]


def test_distances_to_sites():
    sites = (
        ist.Site(name="pad", latitude="28.5 deg", longitude="-80.5 deg"),
        ist.Site(name="here", latitude=0.3, longitude=1.0),
    )
    start = ist.OverGround(latitude=0.3, longitude=1.0, altitude=3e5, speed=10.0)
    found = told(one_body(start, planet=world.Earth(), sites=sites), "range_to.pad", "range_to.here")
    wanted = Geodesic.WGS84.Inverse(0.3 / DEG, 1.0 / DEG, 28.5, -80.5)["s12"]
    assert found[0] == pytest.approx(wanted, abs=1e-3)  # Vincenty's own 0.1 mm
    assert found[1] == pytest.approx(0.0, abs=1e-3)
    flat = one_body(
        ist.OverGround(north=100.0, east=50.0, altitude=9.0),
        planet=world.FlatGround(),
        sites=(ist.Site(name="pad", north=-200.0, east=450.0),),
    )
    assert told(flat, "range_to.pad") == pytest.approx([500.0], rel=8 * EPS)


def test_sites_need_ground_of_their_kind():
    sites = (ist.Site(name="pad", north=1.0, east=2.0),)
    start = ist.State(position=[7e6, 0, 0])
    for planet, said in ((None, "planet"), (world.Earth(), "round")):
        with pytest.raises(ist.BadInput, match=f"sites.pad: .*{said}"):
            one_body(start, planet=planet, sites=sites).check()


def test_an_event_over_a_site():
    """Flown level over flat ground: 40 m from the pad after 3 s."""
    declared = one_body(
        ist.State(position=[0, 0, 5.0], velocity=[20.0, 0, 0]),
        planet=world.FlatGround(),
        sites=(ist.Site(name="pad", north=0.0, east=100.0),),
    )
    until = ist.Trigger(quantity="bodies.b.range_to.pad", reaches="40 m", direction="falling")
    flight = declared.model_copy(update={"phases": (ist.Phase(name="coast", until=until),)}).run()
    assert flight.record.events[-1].time == pytest.approx(3.0, abs=1e-9)


def test_loads_of_a_body_in_the_air():
    start = ist.OverGround(
        latitude=0.2,
        longitude=0.0,
        altitude=9e3,
        speed=300.0,
        incidence=ist.Incidence(alpha=0.06, beta=-0.08),
    )
    push = ist.Force(name="push", body="b", force=[3.0, -4.0, 12.0], axes="body", at=[0, 0, 0])
    declared = one_body(start, planet=world.Earth(), atmosphere=USStandard1976(), forces=(push,))
    q, product, load = told(declared, "dynamic_pressure", "q_alpha", "load_factor")
    assert product == pytest.approx(q * np.arccos(np.cos(0.06) * np.cos(0.08)), rel=1e-12)
    assert load == pytest.approx(13.0 / 2 / G0, rel=1e-12)
