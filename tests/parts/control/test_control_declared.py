"""Control laws as declared: what they read and are called, what is refused, laws of the user's own."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from burning import throttled
from interstage.parts.control import declared as control
from interstage.parts.control import gain_schedule
from interstage.parts.control import laws as control_laws
from interstage.programs.targets import targets_of
from interstage.reading import loads
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from interstage.tree.units import UnitError
from mechanics import EPS

# Any: called as files call them, with texts and tables that the validation turns into fields.
PID: Any = control.PID
RateHold: Any = control.RateHold
AttitudeHold: Any = control.AttitudeHold
UserControl: Any = control.UserControl


def test_needs_and_signals():
    schedule = {"over": "bodies.b.dynamic_pressure", "points": [0, 1], "value": [1, 2]}
    loop = PID(name="loop", measured="x", rate="v", target=0, kp=schedule, ki=schedule, kd=1)
    assert control.needs(loop) == ("x", "v", "bodies.b.dynamic_pressure")
    for gain in ("ki", "kd", "bias"):
        alone = PID(**{"name": "loop", "measured": "x", "rate": "v", "target": 0, "kd": 1, gain: schedule})
        assert control.needs(alone) == ("x", "v", "bodies.b.dynamic_pressure")
    assert control.signals(loop) == ("controls.loop",)
    hold = AttitudeHold(name="hold", body="b", angles=[0, 0, 0], kp=1, kd=schedule)
    assert control.needs(hold) == (
        *(f"bodies.b.attitude.{k}" for k in range(4)),
        *(f"bodies.b.angular_velocity.{k}" for k in "xyz"),
        "bodies.b.dynamic_pressure",
    )
    assert control.signals(hold) == ("controls.hold.x", "controls.hold.y", "controls.hold.z")
    assert [control.states(law) for law in (loop, hold)] == [1, 0]
    assert control_laws.off_command(loop, np.zeros(4)).tolist() == [0] * 4
    off = RateHold(name="hold", body="b", gain=1, off_value=[1, 2, 3])
    np.testing.assert_array_equal(
        control_laws.off_command(off, np.zeros(4)), np.array([[1], [2], [3]]) * np.ones(4)
    )


def test_a_target_by_itself_is_in_the_unit_of_what_is_measured():
    """It may be varied, where its unit is not given either."""
    scenario = loads(throttled(1.0, 1.0, "velocity.x") + "[phases.push]\nuntil = { time = 1 }\n")
    (target,) = targets_of(scenario, "controls.throttle.target", "")
    assert target.read("1 km/s") == pytest.approx(1000.0)
    with pytest.raises(UnitError):
        target.read("1 km")


class Bang:
    """A relay, of one command or of three."""

    def __init__(self, strength, axes=1):
        self.strength, self.axes = strength, axes

    def __call__(self, t, measured):
        push = self.strength * jnp.sign(measured["x"]) + 0 * t
        return push if self.axes == 1 else jnp.stack([push] * int(self.axes))


def test_laws_of_the_users_own():
    options = {"name": "relay", "class": "test_control_declared:Bang", "measures": ["x"], "limit": 2}
    measured = {"x": np.array([-1.0, 0, 4])}
    law = UserControl(**options, parameters={"strength": 3.0})
    assert control.needs(law) == ("x",)
    assert tree.get(law, "parameters.strength") == 3
    found = control_laws.command(control_laws.prepare(law), np.zeros(3), measured)
    np.testing.assert_array_equal(found, [-2, 0, 2])
    vector = UserControl(**options, parameters={"strength": 1.0, "axes": 3}, outputs="vector")
    found = control_laws.command(control_laws.prepare(vector), np.zeros(3), measured)
    np.testing.assert_array_equal(found, [[-1, 0, 1]] * 3)
    with pytest.raises(
        BadInput, match=r"controls\.relay\.class: test_control_declared:Bang does not accept its parameters"
    ):
        control_laws.prepare(UserControl(**options))
    with pytest.raises(BadInput, match="cannot import 'nowhere:Law'"):
        control_laws.prepare(UserControl(**options | {"class": "nowhere:Law"}))
    wrong = UserControl(**options, parameters={"strength": 1.0, "axes": 2})
    with pytest.raises(
        BadInput, match=r'returned an array \(2, 3\), but an array \(3,\) is expected\. .*"scalar"'
    ):
        control_laws.command(control_laws.prepare(wrong), np.zeros(3), measured)


# --- refusals ----------------------------------------------------------------------------------------------

BASE: dict[Any, Any] = {
    PID: {"name": "c", "measured": "x", "target": 0},
    RateHold: {"name": "c", "body": "b", "gain": 1},
    AttitudeHold: {"name": "c", "body": "b", "angles": [0, 0, 0], "kp": 1},
    UserControl: {"name": "c", "class": "a:B"},
}
SCHEDULE = {"over": "q", "points": [0, 2, 1], "value": [1, 2, 3]}
REFUSED = [
    (PID, {"period": 0}, "period: the period 0 s is not above zero"),
    (PID, {"period": "-1 s"}, "period: the period -1 s"),
    (PID, {"kd": 1}, "rate: 'rate' is required with kd"),
    (PID, {"rate": "v"}, "kd: 'kd' is required with rate"),
    (PID, {"lower": 1}, "lower: 'lower' and 'upper' must be set together"),
    (PID, {"lower": 2, "upper": 1}, "lower: 2 is more than upper, 1"),
    (
        PID,
        {"lower": 0, "upper": 1, "limit": 1},
        "limit: 'limit' is set together with 'lower' and 'upper'",
    ),
    (PID, {"limit": 0}, "limit: 0 must be more than zero"),
    (PID, {"limit": [1, 2, 3]}, "limit: 'limit' has 3 numbers, but the law has one command"),
    (PID, {"off_value": [1, 2]}, "off_value: 'off_value' has 2 numbers, but the law has one command"),
    (PID, {"kp": SCHEDULE}, "kp.points: 'points' does not increase: 1 follows 2. Sort the entries"),
    (PID, {"kp": SCHEDULE | {"value": [1, 2]}}, "value: 'value' has 2 rows, but 'points' has 3"),
    (PID, {"kp": {"over": "q", "points": [1], "value": [1]}}, "points: 'points' has fewer than 2 points"),
    (PID, {"kp": "5"}, "kp: '5' is a text without a unit"),
    (PID, {"target": {"time": [1, 0], "value": [1, 2]}}, "target.time: the times do not increase"),
    (RateHold, {"gain": [1, 2]}, "gain: 'gain' has 2 numbers for the axes. Give one number for all axes"),
    (RateHold, {"limit": [1, 2]}, "limit: 'limit' has 2 numbers for the axes"),
    (
        RateHold,
        {"gain": {"over": "q", "points": [0, 1], "value": [[1, 2], [3, 4]]}},
        "gain.value: 'value' has 2 numbers for the axes",
    ),
    (RateHold, {"target": [1, 2]}, "target: expected 3 numbers, got 2 numbers"),
    (AttitudeHold, {"axes": "body"}, "axes: 'body' is not allowed; allowed: inertial, local_level, lvlh"),
    (
        AttitudeHold,
        {"sequence": "3-3-1"},
        "sequence: '3-3-1' is not a rotation sequence",
    ),
    (AttitudeHold, {"sequence": "x-y-z"}, "sequence: 'x-y-z' is not a rotation sequence"),
    (AttitudeHold, {"kd": [1, 2, 3, 4]}, "kd: 'kd' has 4 numbers for the axes"),
    (UserControl, {"class": "a.b"}, "'a.b' does not name a class. Write package.module:Class"),
    (UserControl, {"limit": [1, 2, 3]}, "limit: 'limit' has 3 numbers, but the law has one command"),
]


@pytest.mark.parametrize(("kind", "options", "message"), REFUSED)
def test_refused(kind, options, message):
    with pytest.raises(BadInput) as caught:
        kind(**BASE[kind] | options)
    assert message in str(caught.value)


def test_gains_with_units():
    """Texts of any unit are SI afterwards; a schedule of one column stands for all axes."""
    law = PID(name="c", measured="x", target="2 deg", kp="0.5 1/deg", limit="10 deg")
    assert tree.get(law, "kp") == pytest.approx(0.5 * 180 / np.pi, rel=4 * EPS)
    assert tree.get(law, "limit") == pytest.approx(np.radians(10), rel=4 * EPS)
    assert float(law.target.magnitude) == pytest.approx(np.radians(2), rel=4 * EPS)
    assert str(law.target) == "2 deg"
    schedule: Any = gain_schedule.AxisSchedule
    column = schedule(over="q", points=["1 kPa", "2 kPa"], value=[1, 2])
    np.testing.assert_array_equal(column.value, [[1], [2]])
    np.testing.assert_array_equal(column.points, [1e3, 2e3])
    assert column == schedule(over="q", points=np.array([1e3, 2e3]), value=np.array([1.0, 2.0]))
