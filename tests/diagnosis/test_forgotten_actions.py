"""What a scenario declares to act and never does: known before a flight, or reported after it with how near
the triggers came. References: the declarations themselves, and closed forms of uniform motions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from interstage.diagnosis.plausibility import remarks
from interstage.parts.pushers.checks import held_throughout
from interstage.reading import load, loads

ROOT = Path(__file__).parents[2]
BODY = "mass = 10, inertia = [1, 1, 1]"
STACK = f"""
gravity = "none"
bodies.stage = {{ {BODY}, initial = {{}} }}
bodies.satellite = {{ {BODY} }}
joints.band = {{ kind = "fixed", parent = "stage", child = "satellite", parent_at = [0, 0, 1] }}
[devices.spring]
kind = "kickoff_spring"
parent = "stage"
child = "satellite"
stiffness = 4e3
preload = 400
stroke = 0.1
[phases]
joined = {{ until = {{ time = 1 }} }}
"""
RELEASED = 'apart = { release = ["band"], until = { elapsed = 1 } }\n'
HELD = "apart = { until = { elapsed = 1 } }\n"
BOLT = '[devices.bolt]\nkind = "explosive_bolt"\njoints = ["band"]\n'


def texts(text: str) -> list[str]:
    return remarks(loads(text))


def test_a_spring_whose_joint_nothing_releases_is_reported_with_the_joint():
    assert texts(STACK + RELEASED) == []
    (text,) = texts(STACK + HELD)
    assert text.startswith(
        "spring cannot move: joint band between 'stage' and 'satellite' is never released."
    )


@pytest.mark.parametrize(
    "other",
    [
        HELD + BOLT + 'after = "apart"\n',
        HELD + '[events.late]\nwhen = { time = 1.5 }\nrelease = ["band"]\n',
        HELD.replace("until", 'replace = { band = "spherical" }, until'),
    ],
    ids=["by a bolt", "by an event", "by another joint"],
)
def test_a_joint_that_is_released_in_another_way_is_no_reason_for_a_warning(other):
    assert texts(STACK + other) == []


def test_a_chain_of_fixed_joints_holds_and_a_hinge_in_it_does_not():
    """Of 200 chains drawn at random, by a breadth-first search of another kind: powers of the adjacency."""
    rng = np.random.default_rng(7)
    names = [f"b{k}" for k in range(6)]
    head = 'gravity = "none"\nphases.p = { release = [%s], until = { time = 1 } }\n'
    bodies = "".join(f"bodies.{n} = {{ {BODY}, initial = {{}} }}\n" for n in names)
    for _ in range(200):
        pairs = [tuple(rng.choice(6, 2, replace=False)) for _ in range(6)]
        kinds = rng.choice(["fixed", "revolute"], 6, p=[0.8, 0.2])
        gone = rng.random(6) < 0.3
        joints = "".join(
            f'joints.j{k} = {{ kind = "{kind}", parent = "{names[a]}", child = "{names[b]}" }}\n'
            for k, ((a, b), kind) in enumerate(zip(pairs, kinds, strict=True))
        )
        joints = joints.replace('kind = "revolute"', 'kind = "revolute", axis = "x"')
        released = ", ".join(f'"j{k}"' for k in np.flatnonzero(gone))
        from interstage.tree.toml_file import parse

        scenario = _unchecked(parse((head % released) + bodies + joints, None))
        held = np.eye(6, dtype=int)
        for (a, b), kind, loose in zip(pairs, kinds, gone, strict=True):
            if kind == "fixed" and not loose:
                held[a, b] = held[b, a] = 1
        reached = np.linalg.matrix_power(held, 6) > 0
        for a in range(6):
            for b in range(6):
                found = held_throughout(scenario, names[a], names[b])
                assert (a == b) or bool(found) == reached[a, b]


def _unchecked(data):
    from interstage.scenario import Scenario

    return Scenario.model_validate(data)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (
            "clearance.gap.after",
            '[clearance.gap]\nbetween = ["stage", "satellite"]\nafter = "bolt released"\n',
        ),
        ("devices.nut.after", BOLT.replace("bolt]", "nut]") + 'after = "bolt released"\n'),
    ],
)
def test_what_waits_for_a_device_that_nothing_fires_is_refused_in_every_field(field, text):
    with pytest.raises(ist.BadInput, match=rf"{field}: the event cannot occur.* 'bolt released' never"):
        loads(STACK + HELD + BOLT + text).check()


def test_joints_that_nothing_attaches_and_laws_that_steer_nothing_are_reported():
    text = STACK + RELEASED
    text += '[joints.hook]\nkind = "spherical"\nparent = "stage"\nchild = "satellite"\nactive = false\n'
    text += '[controls.hold]\nkind = "rate"\nbody = "stage"\ngain = [1, 1, 1]\n'
    found = texts(text)
    assert len(found) == 2
    assert found[0].startswith(
        "joints.hook has active = false, and no phase, event or latch attaches the joint"
    )
    assert found[1].startswith("controls.hold has no effect")


def test_a_mission_is_warned_of_what_no_leg_does_although_some_legs_do_not_have_it():
    """The fall of the booster has no engine of the upper stage, so that this leg cannot contradict."""
    text = (ROOT / "examples" / "mission.toml").read_text()
    assert (text.count('ignite = ["engine"], '), texts(text)) == (1, [])
    (said,) = texts(text.replace('ignite = ["engine"], ', ""))
    assert said.startswith("engine is never ignited.")


def test_no_example_has_such_a_warning():
    for path in sorted((ROOT / "examples").glob("*.toml")):
        assert remarks(load(path)) == [], path.name


# --- after a flight -----------------------------------------------------------------------------------------

TURNS = f"""
gravity = "none"
solver = {{ time_limit = "3 s" }}
bodies.a = {{ {BODY}, initial = {{ angular_velocity = [0, 0, -0.1] }} }}
bodies.b = {{ {BODY}, initial = {{ angular_velocity = [0, 0, 0.4] }} }}
joints.pin = {{ kind = "revolute", axis = "z", parent = "a", child = "b" }}
devices.hook = {{ kind = "hinge_release", joint = "pin", angle = "-30 deg" }}
devices.jam = {{ kind = "hinge_release", joint = "pin", angle = "20 deg", works = 0 }}
events.wrong = {{ when = {{ quantity = "joints.pin.rotation.z", reaches = "-20 deg" }}, release = ["pin"] }}
events.near = {{ when = {{ quantity = "joints.pin.rotation.z", reaches = "90 deg" }}, ignite = [] }}
events.next = {{ after = "wrong", when = {{ elapsed = "1 s" }} }}
events.came = {{ when = {{ quantity = "joints.pin.rotation.z", reaches = "10 deg" }} }}
events.abort = {{ when = {{ quantity = "joints.pin.rotation.z", reaches = "170 deg" }}, ends = true }}
phases.turn = {{ until = {{ time = "1 s" }} }}
phases.wait = {{ until = {{ quantity = "bodies.b.angular_velocity.z", reaches = "1 rad/s" }} }}
phases.last = {{ release = ["pin"], until = {{ elapsed = "1 s" }} }}
"""


@pytest.fixture(scope="module")
def turning():
    return loads(TURNS).run()


def test_a_trigger_with_the_wrong_sign_is_reported_with_its_range_and_threshold(turning):
    """0.5 rad/s for 3 s: 85.944 deg."""
    (text,) = [t for t in turning.record.warnings if t.startswith("events.wrong ")]
    assert "joints.pin.rotation.z ranged from 0 to 85.944 deg; " in text
    assert "the threshold is -20 deg" in text
    assert "Check the sign" in text
    assert "release pin; events.next (waits for wrong)." in text


def test_an_angle_more_than_half_a_turn_from_its_threshold_is_reported_as_it_turned():
    """0.5 rad/s for 5 s: 143.24 deg, not -216.76 deg."""
    flight = loads(f"""
gravity = "none"
bodies.b = {{ {BODY}, initial = {{ angular_velocity = [0, 0, 0.5] }} }}
joints.pin = {{ kind = "revolute", axis = "z", parent = "ground", child = "b" }}
devices.hook = {{ kind = "hinge_release", joint = "pin", angle = "-60 deg", direction = "falling" }}
phases.turn = {{ until = {{ time = "5 s" }} }}
""").run()
    (text,) = [t for t in flight.record.warnings if t.startswith("event 'hook released' ")]
    assert "ranged from 0 to 143.24 deg; " in text
    assert "Check the sign" in text


def test_a_value_that_moved_only_by_rounding_is_reported_so():
    """Two welded bodies under an off-axis force: their separation speed is zero by constraint."""
    flight = loads(f"""
gravity = "none"
bodies.a = {{ {BODY}, initial = {{}} }}
bodies.b = {{ {BODY} }}
joints.weld = {{ kind = "fixed", parent = "a", child = "b", parent_at = [0.3, 0.2, 1.2] }}
forces.push = {{ kind = "force", body = "a", at = [0.4, 0.1, -1], force = [10, 20, 300] }}
events.apart = {{ when = {{ quantity = "pairs.a.b.separation_speed", reaches = 0, direction = "rising" }} }}
events.turned = {{ when = {{ quantity = "bodies.a.speed", reaches = 0, direction = "falling" }} }}
phases.fly = {{ until = {{ time = "0.2 s" }} }}
""").run()
    (still, moved) = (t for t in flight.record.warnings if t.startswith("events."))
    assert still.endswith(
        "The quantity stayed at the threshold within rounding errors and did not cross the threshold."
    )
    assert "rounding" not in moved


def test_each_trigger_that_did_not_come_is_reported_once_and_no_other(turning):
    said = [t.split(" did not occur")[0] for t in turning.record.warnings if "did not occur" in t]
    assert sorted(said) == ["event 'hook released'", "events.near", "events.wrong"]
    (near,) = [t for t in turning.record.warnings if t.startswith("events.near ")]
    assert "the threshold is 90 deg; the nearest value was 85.944 deg at 3 s" in near


def test_the_time_limit_names_the_phase_its_trigger_and_how_near_it_came(turning):
    text = turning.record.outcome
    assert text.startswith("Ended early at the time limit of 3 s, before the end of phase 'wait':")
    assert "bodies.b.angular_velocity.z ranged from" in text
    assert "the threshold is 57.296 deg/s" in text
    assert ": last. Not executed: release pin" in text


FALLS = f"""
planet = {{ kind = "flat" }}
gravity = {{ kind = "uniform", acceleration = "[0, 0, -9.80665] m/s^2" }}
bodies.a = {{ {BODY}, initial = {{ altitude = "10 m", velocity_ned = "[1, 0, 0] m/s" }} }}
bodies.b = {{ {BODY} }}
joints.pin = {{ kind = "fixed", parent = "a", child = "b", parent_at = [0, 0, 1] }}
devices.bolt = {{ kind = "explosive_bolt", joints = ["pin"], after = "late" }}
events.waits = {{ after = "late", when = {{ elapsed = "1 s" }}, release = ["pin"] }}
events.next = {{ after = "waits", when = {{ elapsed = "1 s" }} }}
events.fired = {{ after = "bolt released", when = {{ elapsed = "1 s" }} }}
events.behind = {{ after = "fired", when = {{ elapsed = "1 s" }} }}
events.tenth = {{ when = {{ time = "0.1 s" }}, ENDS }}
phases.fall = {{ until = {{ time = "5 s" }} }}
phases.late = {{ until = {{ elapsed = "5 s" }} }}
"""


def test_a_flight_that_ends_early_lists_what_did_not_begin():
    """The impact comes before the second phase, for which an event and a bolt wait."""
    record = loads(FALLS.replace(", ENDS", "")).run().record
    assert record.outcome.startswith("Ended early")
    (text,) = [text for text in record.warnings if "did not begin: late." in text]
    for name in ("events.waits", "devices.bolt", "events.next", "events.fired", "events.behind"):
        assert f"{name} (waits for " in text
    assert not any("did not occur" in text for text in record.warnings)


def test_an_event_whose_awaited_event_never_occurs_has_a_line():
    """An event ends the flight before the phase; what waits for a waiting event is named in its line."""
    record = loads(FALLS.replace("ENDS", "ends = true")).run().record
    assert record.completed
    said = [text for text in record.warnings if "did not occur" in text]
    wanted = (
        (
            "events.waits",
            "because events.waits waits for phase 'late'",
            " release pin; events.next (waits for waits).",
        ),
        (
            "events.fired",
            "because events.fired waits for 'bolt released'",
            " events.behind (waits for fired).",
        ),
    )
    for text, (name, reason, lost) in zip(said, wanted, strict=True):
        assert text.startswith(f"{name} did not occur, {reason}")
        assert text.endswith(lost)
