"""Air on blades: against quadrature by turned sections, closed forms of blade-element theory, refusals."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad_vec
from scipy.spatial.transform import Rotation

from engine_door import component, instant, mechanism_of, packed, quantities, share
from interstage.parts.blade_elements.checks import notes
from interstage.reading import loads
from interstage.tree.errors import BadInput
from mechanics import EPS

DENSITY, SPEED = 1.1, 40.0
AIR = f"""
[planet]
kind = "flat"
[gravity]
kind = "none"
[atmosphere]
kind = "table"
altitude = [-1000.0, 3000.0]
temperature = [280.0, 280.0]
density = [{DENSITY}, {DENSITY}]
"""
BODY = """
[bodies.blade]
mass = 60
mass_centre = [2.9, 0.1, -0.05]
inertia = [1.5, 160, 161]
[bodies.blade.initial]
"""
SLOPE, DRAG, CHORD, ROOT, TIP = 5.7, 0.011, 0.4, 0.9, 5.8
PLAIN = {
    "root": f"[{ROOT}, 0, 0]",
    "tip": f"[{TIP}, 0, 0]",
    "leading": "[0, 1, 0]",
    "chord": CHORD,
    "lift_slope": SLOPE,
    "profile_drag": DRAG,
}
ODD = PLAIN | {
    "root": "[0.7, 0.05, 0.02]",
    "tip": "[5.6, -0.1, 0.3]",
    "leading": "[0.3, -1, 0.2]",
    "up": "[0, 0, 1]",
    "chord": "[0.5, 0.3]",
    "twist": '"[6, -4] deg"',
    "pitch": '"7 deg"',
    "inflow": 4.0,
}
"""A blade that turns to the right: twisted, tapered, oblique."""


def blade(keys: Any = PLAIN, tail: str = "", **changes: Any) -> Any:
    given = "\n".join(f"{name} = {value}" for name, value in ({"body": '"blade"'} | keys | changes).items())
    return loads(
        f'{AIR}{BODY}\n[forces.air]\nkind = "blade_element"\n{given}\n{tail}\n'
        '[phases.fly]\nuntil = { time = "1 s" }\n'
    )


def state(turn: Any = (0.0, 0.0, 0.0), spin: Any = (0.0, 0.0, SPEED), velocity: Any = (0.0, 0.0, 0.0)) -> Any:
    """The blade turned by a rotation vector, whose drawing's origin moves with a velocity [m/s, inertial
    axes], and its angular velocity [rad/s, body axes]."""
    whole, centre = Rotation.from_rotvec(turn), np.array([2.9, 0.1, -0.05])
    xyzw = whole.as_quat()
    r = whole.apply(centre)
    v = np.asarray(velocity) + whole.apply(np.cross(spin, centre))
    columns = (r, v, np.array([xyzw[3], *xyzw[:3]]), np.array(spin, float))
    return packed(*(column[:, None] for column in columns))


def lift_coefficient(alpha: Any) -> Any:
    """As the law has it: a alpha up to 15 deg."""
    return SLOPE * np.sin(alpha) * np.cos(alpha) * (1 + 2 / 3 * np.sin(alpha) ** 2)


def strips(
    scenario: Any, spin: Any, through: Any, density: float = DENSITY, linear: bool = False
) -> np.ndarray:
    """Force [N] and torque about the mass centre [N m], body axes, by quadrature of sections that are turned
    by matrices. through: velocity of the drawing's origin through the air [m/s], body axes; linear: lift by
    the angle of attack itself."""
    air, centre = scenario.forces[0], np.array([2.9, 0.1, -0.05])
    along = air.tip - air.root
    span = along / np.linalg.norm(along)
    lead = air.leading - (air.leading @ span) * span
    lead = lead / np.linalg.norm(lead)
    up = np.cross(span, lead)
    if air.up is not None and up @ air.up < 0:
        up = -up

    def strip(x: float) -> np.ndarray:
        place = air.root + x * along
        chord = air.chord[0] + x * (air.chord[-1] - air.chord[0])
        pitch = air.pitch + air.twist[0] + x * (air.twist[-1] - air.twist[0])
        hand = span if np.cross(span, lead) @ up > 0 else -span
        turned = Rotation.from_rotvec(pitch * hand)
        ahead, above = turned.apply(lead), turned.apply(up)
        wind = -(through + np.cross(spin, place)) - air.inflow * up
        wind = wind - (wind @ span) * span
        speed = np.linalg.norm(wind)
        if speed == 0:
            return np.zeros(6)
        alpha = np.arctan2(wind @ above, -wind @ ahead)
        lifting = np.cross(hand, wind / speed) * -1
        cl = SLOPE * alpha if linear else lift_coefficient(alpha)
        load = density / 2 * speed**2 * chord * (cl * lifting + air.profile_drag * wind / speed)
        return np.concatenate([load, np.cross(place - centre, load)]) * np.linalg.norm(along)

    return quad_vec(strip, 0.0, 1.0, epsabs=1e-13, epsrel=1e-13)[0]


def loads_on(scenario: Any, x: Any) -> np.ndarray:
    """Force [N, body axes of a blade that is not turned] and torque [N m]."""
    return np.asarray(share(instant(mechanism_of(scenario), 0.0, x), "blade_elements"))[:, 0]


def test_against_quadrature_in_odd_motion():
    """Turned, twisted, tapered, in wind and in reverse flow; lift acts across the air, drag along it."""
    turn, spin, velocity = np.array([0.3, -0.5, 0.8]), np.array([0.7, -1.2, -30.0]), np.array([20.0, -9.0, 4])
    wind = '[wind]\nkind = "steady"\nvelocity = [-10.0, 5.0, 1.5]\n'
    scenario = blade(ODD, tail=wind, stations=24)
    here = instant(mechanism_of(scenario), 0.0, state(turn, spin, velocity))
    blowing = np.array([5.0, -10.0, 1.5])  # east is x, north y
    whole = Rotation.from_rotvec(turn)
    wanted = strips(scenario, spin, whole.inv().apply(velocity - blowing))
    found = np.asarray(share(here, "blade_elements"))[:, 0]
    wanted[:3] = whole.apply(wanted[:3])
    assert np.abs(found - wanted).max() < 1e-11 * np.abs(wanted).max()  # the quadrature's own
    power = -np.sum(wanted[:3] * (velocity - blowing + whole.apply(np.cross(spin, [2.9, 0.1, -0.05]))))
    power -= wanted[3:] @ spin
    assert abs(component(here, "forces.air.power") / power - 1) < 1e-11


def test_few_stations_suffice():
    """Gauss and Legendre: a plain blade exactly with two stations, a twisted one to a part that falls with
    each station by a factor; that of the default is beyond what the law is good for."""
    spin = np.array([0.0, 0.0, SPEED])
    plain = blade(pitch="0.1", inflow=0.0, stations=2)
    wanted = strips(plain, spin, np.zeros(3))
    assert np.abs(loads_on(plain, state())[:3] - wanted[:3]).max() < 100 * EPS * np.abs(wanted).max()
    wanted = strips(blade(ODD), -spin, np.zeros(3))
    off = [
        np.abs(loads_on(blade(ODD, stations=n), state(spin=-spin)) - wanted).max() / np.abs(wanted).max()
        for n in range(4, 13)
    ]
    assert np.polyfit(np.arange(4, 13), np.log(off), 1)[0] < -np.log(4)
    assert off[4] < 1e-9  # of eight stations


def test_hover_by_the_closed_form():
    """CT = sigma a/2 (theta/3 - lambda/2) and CQ = sigma a/2 (theta lambda/3 - lambda^2/2) + sigma cd/8, of
    small angles: what is left falls with their third and fourth power."""
    tip, sigma = SPEED * TIP, CHORD / (np.pi * TIP)
    disk = DENSITY * np.pi * TIP**2 * tip**2
    off = []
    for size in 0.5 ** np.arange(4):
        theta, inflow = 0.16 * size, 0.06 * size
        scenario = blade(pitch=theta, inflow=inflow * tip, root="[0, 0, 0]", profile_drag=0, stations=40)
        found = loads_on(scenario, state())
        about = found[5] + 2.9 * found[1] - 0.1 * found[0]
        thrust = sigma * SLOPE / 2 * (theta / 3 - inflow / 2)
        torque = sigma * SLOPE / 2 * (theta * inflow / 3 - inflow**2 / 2)
        off.append([abs(found[2] / disk - thrust), abs(-about / (disk * TIP) - torque)])
    slopes = np.log2(np.array(off[:-1]) / np.array(off[1:]))
    assert np.allclose(slopes[-1], [3, 4], atol=0.15)
    dragged = blade(root="[0, 0, 0]")
    found = loads_on(dragged, state())
    about = found[5] + 2.9 * found[1] - 0.1 * found[0]
    assert abs(-about / (disk * TIP) / (sigma * DRAG / 8) - 1) < 100 * EPS


def test_lift_is_slope_times_angle_up_to_15_degrees():
    alpha = np.radians(15)
    assert abs(lift_coefficient(alpha) / (SLOPE * alpha) - 1) < 3e-3
    scenario = blade(pitch=alpha, profile_drag=0)
    found = loads_on(scenario, state())[:3]
    assert abs(found[2] / strips(scenario, [0, 0, SPEED], np.zeros(3), linear=True)[2] - 1) < 3e-3


HINGE = 0.3
"""Of the flap hinge from the axis [m]."""


def hinged(count: str = "", **changes: Any) -> Any:
    """A blade that flaps and lags on a hub driven at a constant rate; its drawing begins at the hinges."""
    keys = PLAIN | {"root": f"[{ROOT - HINGE}, 0, 0]", "tip": f"[{TIP - HINGE}, 0, 0]"} | changes
    given = "\n".join(f"{name} = {value}" for name, value in keys.items())
    return loads(
        f"""{AIR}
[bodies.hub]
mass = 80
inertia = [4, 4, 6]
initial = {{ through = "shaft" }}
[joints.shaft]
kind = "generalized"
locked = ["tx", "ty", "tz", "rx", "ry", "rz"]
parent = "ground"
child = "hub"
driven = {{ rz = {{ kind = "ramp", rate = {SPEED} }} }}
[bodies.blade]
mass = 60
mass_centre = [2.85, 0, 0]
inertia = [0.5, 162.45, 162.95]
initial = {{ through = "hinge" }}
[joints.hinge]
kind = "universal"
axes = "yz"
parent = "hub"
child = "blade"
parent_at = [{HINGE}, 0, 0]
[forces.air]
kind = "blade_element"
body = "blade"
{given}
[phases.turn]
until = {{ time = "1 s" }}
"""
    )


def test_flap_and_lag_damping():
    """At no pitch flap and lag do not know each other: flap is damped by lift and drag, (a + cd) rho c/2
    Omega times the integral of r (r - e)^2, lag by twice the drag, along the blade with a root cut out."""
    linear = hinged().linearize()
    flap, lag = 162.45 + 60 * 2.85**2, 162.95 + 60 * 2.85**2
    arms = np.polynomial.Polynomial([-HINGE, 1]) ** 2 * np.polynomial.Polynomial([0, 1])
    whole = arms.integ()(TIP) - arms.integ()(ROOT)
    rate = DENSITY * CHORD / 2 * SPEED * whole
    names = [f"joints.hinge.rotation_rate.{axis}" for axis in "yz"]
    place = [linear.names.index(name) for name in names]
    found = linear.A[np.ix_(place, place)]
    wanted = -np.diag([rate * (SLOPE + DRAG) / flap, 2 * rate * DRAG / lag])
    assert np.abs(found - wanted).max() < 1e3 * EPS * np.abs(wanted).max()


def test_lock_number():
    """Without an offset or a cutout flap is damped by gamma/16 of the critical: exactly, as at no pitch."""
    scenario = hinged(profile_drag=0, root=f"[{-HINGE}, 0, 0]")
    frequency = np.sqrt(1 + HINGE * 60 * 2.85 / (162.45 + 60 * 2.85**2))
    arms = np.polynomial.Polynomial([-HINGE, 1]) ** 2 * np.polynomial.Polynomial([0, 1])
    gamma = DENSITY * SLOPE * CHORD / (162.45 + 60 * 2.85**2) * 8 * arms.integ()(TIP) / 2
    modes = [m for m in scenario.linearize().modes if m.oscillates]
    flap = SPEED * (-gamma / 16 + 1j * np.sqrt(frequency**2 - (gamma / 16) ** 2))
    assert min(abs(m.eigenvalue - flap) for m in modes) < 1e4 * EPS * SPEED


def test_cyclic_pitch_goes_with_the_azimuth():
    frame = '{ euler = "3-2-1", angles = "[30, 180, 0] deg" }'
    scenario = blade(
        pitch=0.1, cyclic="[0.02, -0.05]", swashplate='"ground"', swashplate_frame=frame, stations=4
    )
    mechanism = mechanism_of(scenario)
    for azimuth in np.radians([0.0, 40.0, 190.0]):
        here = instant(mechanism, 0.0, state([0, 0, azimuth]))
        over = (
            Rotation.from_euler("ZYX", [30, 180, 0], degrees=True)
            .inv()
            .apply([np.cos(azimuth), np.sin(azimuth), 0])
        )
        wanted = 0.1 + 0.02 * over[0] - 0.05 * over[1]
        assert abs(component(here, "forces.air.pitch") - wanted) < 10 * EPS


def test_it_stands_still_without_a_load():
    """And its derivatives are numbers: a rotor that begins to turn."""
    found = loads_on(blade(pitch=0.1), state(spin=(0, 0, 0)))
    assert np.all(found == 0)
    linear = blade(pitch=0.1).linearize()
    assert np.isfinite(linear.A).all()


def test_lanes():
    """Cases that differ by numbers have what each has by itself."""
    scenario = blade(ODD)
    lanes = np.concatenate([state(spin=(0, 0, -30)), state(spin=(1, 2, -40))]).reshape(2, -1).T
    both = quantities(
        instant(mechanism_of(scenario, (2,)), 0.0, lanes), "forces.air.force", "forces.air.lift"
    )
    for k, spin in enumerate(((0, 0, -30), (1, 2, -40))):
        one = quantities(instant(mechanism_of(scenario), 0.0, state(spin=spin)), *both)
        for path, value in one.items():
            assert np.allclose(both[path][..., k], value, rtol=100 * EPS, atol=1e-10)


def test_a_stalled_blade_is_told():
    """After a flight: lift without stall would be too much."""
    found = {"forces.air.alpha": np.radians([3.0, -16.0, 22.0, 9.0])}
    record = SimpleNamespace(scenario=blade(), series=found, time=np.array([0.0, 0.5, 1.0, 1.5]))
    (told,) = notes(record)  # type: ignore[arg-type]
    assert told.startswith("air: the angle of attack at three quarters of the span is 22 deg at 1 s")
    assert "in 2 of 4 samples" in told
    found["forces.air.alpha"] = np.radians([14.0, -14.0, 0.0, 0.0])
    assert [*notes(record)] == []  # type: ignore[arg-type]


def test_it_needs_air():
    text = f"{BODY}\n[forces.air]\nkind = 'blade_element'\nbody = 'blade'\n"
    text += "\n".join(f"{name} = {value}" for name, value in PLAIN.items())
    with pytest.raises(BadInput) as error:
        loads(text + '\n[phases.fly]\nuntil = { time = "1 s" }\n').check()
    assert "forces.air: the model needs a planet" in str(error.value)
    assert "forces.air: the model needs an atmosphere" in str(error.value)


def test_the_ground_is_no_blade():
    with pytest.raises(BadInput, match="there is no body 'ground'"):
        blade(PLAIN | {"swashplate": '"ground"'}, body='"ground"')
