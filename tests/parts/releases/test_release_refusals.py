"""Devices that release or catch, declared wrongly: each is refused with its place, its value and a remedy."""

from __future__ import annotations

import pytest

import interstage as ist
from interstage.diagnosis.plausibility import unfired_devices
from interstage.reading import loads

TEXT = """
[bodies.stage]
mass = 3
inertia = [1, 1, 1]
initial = { position = [0, 0, 0] }
[bodies.payload]
mass = 2
inertia = [1, 1, 1]
[bodies.hatch]
mass = 1
inertia = [1, 1, 1]

[joints.clamp]
kind = "fixed"
parent = "stage"
child = "payload"
[joints.hinge]
kind = "revolute"
axis = "y"
parent = "payload"
child = "hatch"
[joints.lock]
kind = "fixed"
parent = "payload"
child = "hatch"
active = false

[devices.band]
kind = "clamp_band"
joints = ["clamp"]
axis = [0, 0, 1]
tension = "20 kN"
radius = "0.3 m"
half_angle = "20 deg"
friction = 0.1
segments = 24
[devices.bolt]
kind = "explosive_bolt"
joints = ["hinge"]
after = "band released"
axis = [0, 0, 1]
at = [0, 0, 0]
impulse = "2 N s"
preload = "9 kN"
stiffness = "100 MN/m"
efficiency = 0.5
[devices.catch]
kind = "latch"
joint = "lock"
quantity = "joints.hinge.rotation.y"
reaches = "60 deg"
[forces.end]
kind = "hinge_stop"
joint = "hinge"
axis = "y"
upper = "80 deg"
stiffness = 100

[phases.held]
until = { time = 1 }
[phases.apart]
fire = ["band"]
until = { time = 2 }
[events.clear]
after = "bolt released"
when = { elapsed = 0.1 }
"""
HOOK = '[devices.hook]\nkind = "hinge_release"\njoint = "{joint}"\nangle = "5 deg"\n'
RAIL = '[devices.rail]\nkind = "rail"\nlugs = {lugs}\nend = [1, 0, 0]\n'


def lug(name: str, parent: str, kind: str = 'generalized"\nlocked = ["ty", "tz"]#') -> str:
    return f'[joints.{name}]\nkind = "{kind}"\nparent = "{parent}"\nchild = "hatch"\nactive = false\n'


CASES = {
    "no-joint": ('joints = ["clamp"]', "joints = []", "devices.band.joints", "at least one"),
    "unknown-joint": ('joints = ["clamp"]', 'joints = ["clamps"]', "devices.band.joints", "'clamp'"),
    "joint-twice": (
        'joints = ["hinge"]\nafter = "band released"\naxis = [0, 0, 1]\nat = [0, 0, 0]',
        'joints = ["hinge", "hinge"]\nafter = "band released"\naxis = [0, 0, 1]',
        "devices.bolt.joints",
        "more than once",
    ),
    "two-joints-of-a-band": (
        'joints = ["clamp"]',
        'joints = ["clamp", "hinge"]',
        "devices.band.joints",
        "Name one joint",
    ),
    "works-by-half": ("segments = 24", "works = 0.5", "devices.band.works", "1 if the device works"),
    "negative-delay": ("segments = 24", 'delay = "-1 ms"', "devices.band.delay", "negative"),
    "delay-not-a-number": ("segments = 24", "delay = nan", "devices.band.delay", "not a finite number"),
    "impulse-without-axis": ("axis = [0, 0, 1]\nat", "at", "devices.bolt.impulse", "Set 'axis'"),
    "band-without-axis": ("axis = [0, 0, 1]\ntension", "tension", "devices.band.axis", "required"),
    "zero-axis": ("axis = [0, 0, 1]\nat", "axis = [0, 0, 0]\nat", "devices.bolt.axis", "vector is zero"),
    "impulse-in-newtons": ('impulse = "2 N s"', 'impulse = "2 N"', "devices.bolt.impulse", "N s"),
    "stiffness-without-preload": ('preload = "9 kN"', "", "devices.bolt.stiffness", "Set 'preload'"),
    "more-than-all-energy": ("efficiency = 0.5", "efficiency = 1.5", "devices.bolt.efficiency", "0 to 1"),
    "negative-preload": ('preload = "9 kN"', 'preload = "-9 kN"', "devices.bolt.preload", "negative"),
    "one-point-two-joints": (
        'joints = ["hinge"]',
        'joints = ["hinge", "lock"]',
        "devices.bolt.at",
        "one point",
    ),
    "preload-of-a-band": ("segments = 24", 'preload = "1 kN"', "devices.band.preload", "tension"),
    "two-segments": ("segments = 24", "segments = 2", "devices.band.segments", "at least 3"),
    "flat-wedge": ('half_angle = "20 deg"', 'half_angle = "89 deg"', "devices.band.half_angle", "89 deg"),
    "sticking-wedge": ("friction = 0.1", "friction = 0.4", "devices.band.friction", "stick"),
    "wait-for-nothing": (
        'after = "band released"',
        'after = "band cut"',
        "devices.bolt.after",
        "no phase, event or device's event 'band cut'",
    ),
    "wait-for-itself": (
        'after = "band released"',
        'after = "bolt released"',
        "devices.bolt.after",
        "'bolt released' comes from the device that waits for this event",
    ),
    "event-waits-for-an-unfired-device": (
        'after = "band released"',
        "",
        "events.clear.after",
        "cannot occur",
    ),
    "circle-of-event-and-device": (
        'after = "band released"',
        'after = "clear"',
        "devices.bolt.after",
        "cannot occur",
    ),
    "fire-a-latch": ('fire = ["band"]', 'fire = ["band", "catch"]', "phases.apart.fire", "cannot be fired"),
    "latch-of-a-joint-that-holds": (
        "active = false\n\n[devices.band]",
        "[devices.band]",
        "devices.catch.joint",
        "active = false",
    ),
    "latch-on-no-quantity": (
        'quantity = "joints.hinge.rotation.y"',
        'quantity = "joints.hinge.rotation.w"',
        "devices.catch",
        "Allowed: x",
    ),
    "latch-in-metres": (
        'reaches = "60 deg"',
        'reaches = "60 cm"',
        "devices.catch.reaches",
        "cannot be compared",
    ),
    "hinge-that-does-not-turn": (
        "[forces.end]",
        HOOK.format(joint="lock") + "[forces.end]",
        "devices.hook.joint",
        "revolute",
    ),
    "hinge-unknown": (
        "[forces.end]",
        HOOK.format(joint="hinges") + "[forces.end]",
        "devices.hook.joint",
        "'hinge'",
    ),
    "stop-about-another-axis": (
        'axis = "y"\nupper',
        'axis = "z"\nupper',
        "forces.end.axis",
        "rotates about y",
    ),
    "stop-without-an-end": ('upper = "80 deg"', "", "forces.end.upper", "neither"),
    "stop-turned-round": (
        'upper = "80 deg"',
        'upper = "80 deg"\nlower = "90 deg"',
        "forces.end.upper",
        "80 deg is less than lower, 90 deg",
    ),
    "stop-that-is-never-reached": ('upper = "80 deg"', 'upper = "200 deg"', "forces.end.upper", "200 deg"),
    "stop-behind-that-is-never-reached": (
        'upper = "80 deg"',
        'lower = "-180 deg"',
        "forces.end.lower",
        "-180 deg is out of range",
    ),
    "hinge-of-more-than-a-turn": (
        "[forces.end]",
        HOOK.format(joint="hinge").replace("5 deg", "-370 deg") + "[forces.end]",
        "devices.hook.angle",
        "-370 deg is a full revolution or more",
    ),
    "stop-of-no-joint": ('joint = "hinge"\naxis', 'joint = "hinges"\naxis', "forces.end.joint", "'hinge'"),
    "rail-without-lugs": (
        "[forces.end]",
        RAIL.format(lugs="[]") + "[forces.end]",
        "devices.rail.lugs",
        "at least one",
    ),
    "rail-that-holds-along": (
        "[forces.end]",
        RAIL.format(lugs='["hinge"]') + "[forces.end]",
        "devices.rail.lugs",
        "does not slide along the x axis",
    ),
    "rail-on-two-bodies": (
        "[forces.end]",
        RAIL.format(lugs='["one", "two"]') + lug("one", "stage") + lug("two", "payload") + "[forces.end]",
        "devices.rail.lugs",
        "different parents (payload, stage)",
    ),
}


def test_the_scenario_without_a_fault_is_taken():
    scenario = loads(TEXT)
    assert loads(scenario.to_toml()) == scenario


def test_a_device_that_never_acts_is_told_and_taken():
    """For margins alone it may stand there; others wait for it in vain."""
    assert [*unfired_devices(loads(TEXT))] == []
    lonely = TEXT.replace('after = "band released"\n', "").split("[events.clear]")[0]
    (said,) = unfired_devices(loads(lonely))
    assert said.startswith(
        'Device bolt is never fired, so its joints are never released. Set fire = ["bolt"]'
    )
    spare = '[devices.charge]\nkind = "frangible_joint"\njoints = ["spare"]\nafter = "band released"\n'
    (said,) = unfired_devices(
        loads(TEXT.replace("[forces.end]", lug("spare", "payload") + spare + "[forces.end]"))
    )
    assert said.startswith("Device charge has no joint to release")
    assert "spare" in said


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_at_its_place(name):
    old, new, place, words = CASES[name]
    assert TEXT.count(old) == 1
    with pytest.raises(ist.BadInput) as refused:
        loads(TEXT.replace(old, new))
    said = [f"{problem.place}: {problem.message}" for problem in refused.value.problems]
    assert any(words in text and (place is None or text.startswith(place)) for text in said), said


@pytest.mark.parametrize(
    ("device", "moment"),
    [
        ('kind = "parachute"\nbody = "payload"\ndrag_area = -1\nafter = "start"\n', "late deployed"),
        ('kind = "rail"\nlugs = ["one", "two"]\nend = [1, 0]\n', "late: two off"),
        ('kind = "piston"\nparent = "stage"\nchild = "payload"\nstroke = -1\npush = 1\n', "late fired"),
    ],
)
def test_what_waits_for_a_faulty_device_is_not_judged(device, moment):
    """What it does is known once it is mended."""
    waiting = f'[events.after]\nafter = "{moment}"\nwhen = {{ elapsed = 1 }}\n'
    with pytest.raises(ist.BadInput) as error:
        loads(f"{TEXT}[devices.late]\n{device}{waiting}")
    assert {problem.place.rpartition(".")[0] for problem in error.value.problems} == {"devices.late"}
    with pytest.raises(ist.BadInput, match=f"events.after.after: there is no phase or event '{moment}'"):
        loads(TEXT + waiting)
