"""Springs about axes where they know no angle: starts that are refused, and flights that end or say so."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine_door import admitted, instant_as_declared, share
from interstage.reading import loads
from interstage.tree.errors import BadInput

GROUNDED = """
[bodies.b]
mass = 2
inertia = [0.3, 0.5, 0.4]
initial = { attitude = { euler = "1-2-3", angles = "[ANGLES] deg" } }

[forces.f]
kind = "KIND"
parent = "ground"
child = "b"
MORE

[phases.coast]
until = { time = "1 s" }
"""
TORSION = 'sequence = "SEQUENCE"\nstiffness = [STIFFNESS]'
STARTS = {
    "three axes": ("10, 90, 0", "torsion_spring", "1-2-3", "lock", "0.5 to 179.5 deg"),
    "three axes near it": ("10, -89.7, 0", "torsion_spring", "1-2-3", "lock", "179.7 deg"),
    "three axes, the first again": ("10, 0, 0", "torsion_spring", "1-2-1", "lock", "bushing"),
    "two axes, parallel": ("0, 0, 90", "torsion_spring", "1-2", "lock", "'ground'"),
    "one axis, turned over": ("180, 0, 0", "torsion_spring", "3", "lock", "0 to 179.5 deg"),
    "half a turn": ("0, 0, 180", "torsion_spring", "3", "rounding errors", "parent_frame"),
    "half a turn of a bushing": (
        "0, 180, 0",
        "bushing",
        "",
        "the two frames is 180 deg",
        "179.5 deg",
    ),
}


def grounded(angles, kind, sequence):
    more = "torsional_stiffness = [1, 2, 3]"
    if sequence:
        stiffness = ", ".join("321"[: len(sequence.split("-"))])
        more = TORSION.replace("SEQUENCE", sequence).replace("STIFFNESS", stiffness)
    return GROUNDED.replace("ANGLES", angles).replace("KIND", kind).replace("MORE", more)


@pytest.mark.parametrize("name", STARTS)
def test_starts_without_an_angle_are_refused(name):
    angles, kind, sequence, *words = STARTS[name]
    with pytest.raises(BadInput) as caught:
        admitted(loads(grounded(angles, kind, sequence)))
    (problem,) = caught.value.problems
    assert problem.place == "forces.f"
    assert all(word in problem.message for word in words), problem.message


@pytest.mark.parametrize(
    ("angles", "sequence"),
    [("10, 85, 0", "1-2-3"), ("0, 90, 0", "1-2"), ("0, 100, 0", "2"), ("0, 0, 180", "1-3")],
)
def test_other_starts_are_not(angles, sequence):
    """The last of these resists no turn about z."""
    text = grounded(angles, "torsion_spring", sequence)
    admitted(loads(text.replace("[3, 2]", "[3, 0]") if sequence == "1-3" else text))


def test_a_panel_that_is_folded_by_half_a_turn():
    """As docs/catalogue.md has it: frames turned by 90 deg, a spring at rest where the panel is unfolded."""
    text = grounded("0, 0, 180", "torsion_spring", "3")
    text = (
        text.replace("[3]", "[2]")
        + """
[forces.f.parent_frame]
euler = "1-2-3"
angles = "[0, 0, 90] deg"
"""
    )
    scenario = loads(text, set={"forces.f.free_angles": "[-90] deg"})
    torque = share(instant_as_declared(scenario), "torsion")[3:, 0]
    np.testing.assert_allclose(torque, [0, 0, -2 * np.pi], rtol=0, atol=1e-14)  # some roundings
    admitted(scenario)


@cache
def passed() -> Any:
    """Weak springs about bodies that turn by themselves, one of them towards a lock."""

    def one(name, rate, force):
        return f"""
[bodies.{name}]
mass = 2
inertia = [0.3, 0.5, 0.4]
initial = {{ attitude = {{ euler = "1-2-3", angles = "[4, 0, 0] deg" }}, angular_velocity = {rate} }}

[forces.of_{name}]
{force}
"""

    ends = 'parent = "ground"\nchild = "{}"\n'
    hinge = 'sequence = "1"\nstiffness = [0.01]'
    three = 'sequence = "1-2-3"\nstiffness = [0.01, 0.01, 0.01]'
    text = one("wheel", "[5, 0, 0]", 'kind = "torsion_spring"\n' + ends.format("wheel") + hinge)
    text += one(
        "mount",
        "[5, 0, 0]",
        'kind = "bushing"\n' + ends.format("mount") + "torsional_stiffness = [0.01, 0, 0]",
    )
    stop = 'kind = "hinge_stop"\njoint = "pin"\naxis = "x"\nupper = "80 deg"\nstiffness = 0.1'
    text += one("door", "[-5, 0, 0]", stop)
    text += one("gimbal", "[0, 2, 0]", 'kind = "torsion_spring"\n' + ends.format("gimbal") + three)
    cross = 'sequence = "1-2"\nstiffness = [0.5, 0.8]\ndamping = [0.05, 0.02]\nfree_angles = [0.3, -0.2]'
    text += one("cross", "[0, 0, 0]", 'kind = "torsion_spring"\n' + ends.format("cross") + cross).replace(
        'attitude = { euler = "1-2-3", angles = "[4, 0, 0] deg" }, angular_velocity = [0, 0, 0]',
        'through = "hooke", rotation = "[10, 60, 0] deg", relative_angular_velocity = [0.35, 2.6, 0.6062]',
    )
    text += '[joints.hooke]\nkind = "universal"\naxes = "xy"\nassemble = true\n' + ends.format("cross")
    text += '[joints.pin]\nkind = "revolute"\naxis = "x"\nassemble = true\n' + ends.format("door")
    return loads(text + '[phases.coast]\nuntil = { time = "1 s" }\n').run()


def test_a_flight_ends_at_a_lock_and_says_so():
    """At 89.5 deg; the turn about y is at 2 rad/s but for what the spring does, less than 1 % of it."""
    flight = passed()
    outcome = flight.record.outcome
    assert not flight.record.completed
    assert "forces.of_gimbal reached its gimbal lock" in outcome
    assert "below 0.5 deg" in outcome or "above 179.5 deg" in outcome
    assert "use a bushing" in outcome
    assert flight.time[-1] == pytest.approx(np.radians(89.5) / 2, rel=0.01)
    assert all(np.all(np.isfinite(series[:-1])) for series in flight.record.series.values())


def test_cases_of_a_batch_say_so():
    """In the words of a flight alone, whatever is asked: of the case, its record, a study of all."""
    path = "bodies.gimbal.initial.angular_velocity.y"
    batch = passed().scenario.run_batch({path: [2.0, 0.1]}, progress=False)
    assert batch.completed.tolist() == [False, True]
    told, reached = batch.outcome(0)
    assert (told, reached) == (passed().record.outcome, False)
    assert batch.record(0).outcome == told
    assert batch.outcome(1)[1]
    judged = passed().scenario.sweep({path: [2.0, 0.1]})
    assert judged.outcomes[0] == told


@pytest.mark.parametrize("name", ["wheel", "mount", "door"])
def test_half_turns_of_a_flight_are_told(name):
    (told,) = [text for text in passed().record.warnings if text.startswith(f"forces.of_{name}:")]
    assert "180 deg" in told or "half a turn" in told
    time = float(told.partition(" s")[0].rpartition(" ")[2])
    assert np.radians(175) / 5 < time < np.radians(225) / 5


def test_two_axes_swing_through_90_deg():
    """Lagrange's equations of a body on a universal joint, of angular velocity (a' cos b, b', a' sin b),
    with springs and dampers about both axes, by SciPy."""
    flight = passed()
    jx, jy, jz = 0.3, 0.5, 0.4

    def slopes(t, state):
        a, b, momentum, rate = state
        c, s = np.cos(b), np.sin(b)
        about = momentum / (jx * c * c + jz * s * s)
        push = about**2 * (jz - jx) * s * c - 0.8 * (b + 0.2) - 0.02 * rate
        return [about, rate, -0.5 * (a - 0.3) - 0.05 * about, push / jy]

    found = flight.record.series["forces.of_cross.angle"]
    first = np.radians([10, 60])
    # What the start was put to: the part of the angular velocity that the joint allows.
    spin = flight.record.series["bodies.cross.angular_velocity"][0]
    about = spin[0] / np.cos(first[1])
    begin = [*first, about * (jx * 0.25 + jz * 0.75), spin[1]]
    how = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}
    truth = solve_ivp(slopes, (0, flight.time[-1]), begin, t_eval=flight.time, **how).y[:2].T
    assert truth[0, 1] < np.pi / 2 < truth[-1, 1]
    # A hundred times the tolerance of its steps.
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-7)
