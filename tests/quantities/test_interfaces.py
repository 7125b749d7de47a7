"""Interfaces: loads at a station in engineers' words, margins and overload, preload, envelopes, and what is
refused."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import compiled_flights, instant, mechanism_of, packed, switches
from interstage.parts.interfaces import after
from interstage.parts.interfaces import quantities as quantities
from interstage.parts.interfaces.shown import tables
from interstage.reading import loads
from interstage.record.envelope import envelope
from interstage.record.record import QuantityMeta
from interstage.report.summary import envelope_table
from interstage.runs.run import fly
from interstage.tree.errors import BadInput
from mechanics import COAST

EXACT = 1e-12
"""Rounding of a sum of a few products of numbers of like size."""

# Two bodies held by one fixed joint; a force F that grows as F0 + F1 t pulls at a point of the second one.
MASSES = 30.0, 10.0
INERTIA = np.array([2.0, 3.0, 4.0])
JOINT = np.array([0.5, 0.1, -0.2])
ARM = np.array([0.4, -0.1, 0.2])
"""From the joint to the centre of mass of the child."""
AT = np.array([0.6, 0.3, 0.1])
"""Where the force acts, child's axes from its centre of mass."""
RATE = np.array([100.0, -30.0, 50.0])
"""Growth of the force [N/s]."""
STATION = np.array([-0.7, 0.4, 0.3])


def text(interfaces: str, until: str = "{ time = 1.0 }", more: str = "", force: str = "") -> str:
    acting = force or f"time = [0.0, 2.0]\nvalue = [[0, 0, 0], {(2 * RATE).tolist()}]"
    return f"""
[bodies.core]
mass = {MASSES[0]}
inertia = [5.0, 6.0, 7.0]
[bodies.core.initial]
position = [0, 0, 0]
[bodies.tank]
mass = {MASSES[1]}
inertia = {INERTIA.tolist()}
[joints.clamp]
kind = "fixed"
parent = "core"
child = "tank"
parent_at = {JOINT.tolist()}
child_at = {(-ARM).tolist()}
parent_frame = {{ euler = "3-2-1", angles = "[30, 20, -10] deg" }}
child_frame = {{ euler = "3-2-1", angles = "[30, 20, -10] deg" }}
[forces.pull]
kind = "force"
body = "tank"
at = {AT.tolist()}
[forces.pull.force]
{acting}
[phases.hold]
until = {until}
{more}
[solver]
tolerance = 1e-12
[output]
interval = 0.1
{interfaces}
"""


def whole_body():
    """The two as one body: centre of mass, inertia about it, and the child's centre of mass, core axes."""
    m, n = MASSES
    place = JOINT + ARM
    centre = n * place / (m + n)

    def moved(mass, inertia, arm):
        return inertia + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))

    parts = moved(m, np.diag([5.0, 6.0, 7.0]), -centre), moved(n, np.diag(INERTIA), place - centre)
    return centre, sum(parts), place


ALLOWED = {"tension": 60.0, "shear": 80.0, "bending": 90.0, "torsion": 70.0, "compression": 500.0}
STOOD = f'joints = ["clamp"]\nat = {STATION.tolist()}\nat_body = "parent"\n'
RINGS = f"""
[interfaces.ring]
{STOOD}axes = "parent"
radius = 0.8
[interfaces.ring.allowables]
factor_of_safety = 1.4
{chr(10).join(f"{kind} = {value}" for kind, value in ALLOWED.items())}
[interfaces.other]
{STOOD}axes = "parent"
on = "parent"
[interfaces.turned]
{STOOD}axes = "child"
axis = [0, 0, 3.0]
frame = {{ euler = "3-2-1", angles = "[0, 90, 0] deg" }}
[interfaces.joint]
{STOOD}
[interfaces.own]
joints = ["clamp"]
"""
SPANS = {
    "until": "{ time = 0.4 }",
    "more": '[phases.rest]\nuntil = { time = 1.0 }\n[phases.free]\nrelease = ["clamp"]\n'
    "until = { time = 1.2 }",
}


@cache
def held() -> Any:
    """The one flight of most tests: the load on the clamp grows, in two phases, until it is released."""
    return fly(loads(text(RINGS, **SPANS)))


def test_the_components_are_those_of_the_wrench_by_hand():
    """Newton and Euler for the two as one body, then for the child alone, which feels the given force and the
    joint's. The force keeps its body axes; the spin is the flight's own."""
    record = held()
    row = 3
    time = record.time[row]
    centre, whole, place = whole_body()
    spin = record.series["bodies.core.angular_velocity"][row]
    given = RATE * time
    moment = np.cross(place + AT - centre, given)
    alpha = np.linalg.solve(whole, moment - np.cross(spin, whole @ spin))
    arm = place - centre
    acceleration = given / sum(MASSES) + np.cross(alpha, arm) + np.cross(spin, np.cross(spin, arm))
    joint_force = MASSES[1] * acceleration - given
    about_centre = np.diag(INERTIA) @ alpha + np.cross(spin, INERTIA * spin) - np.cross(AT, given)
    about_station = about_centre + np.cross(place - STATION, joint_force)
    found = {name: record.series[f"interfaces.ring.{name}"][row] for name in NAMES}
    assert found["force"] == pytest.approx(
        joint_force, rel=1e-9, abs=1e-9 * float(np.linalg.norm(joint_force))
    )
    assert found["moment"] == pytest.approx(
        about_station, rel=1e-9, abs=1e-9 * float(np.linalg.norm(about_station))
    )
    assert found["axial_force"] == pytest.approx(-joint_force[0], rel=1e-9)
    assert found["shear_force"] == pytest.approx(np.hypot(*joint_force[1:]), rel=1e-9)
    bending = np.hypot(*about_station[1:])
    assert found["bending_moment"] == pytest.approx(bending, rel=1e-9)
    assert found["torsion"] == pytest.approx(about_station[0], rel=1e-9)
    mean, swing = -joint_force[0] / (2 * np.pi * 0.8), bending / (np.pi * 0.8**2)
    assert record.series["interfaces.ring.line_load"][row] == pytest.approx(mean + swing, rel=1e-9)
    assert record.series["interfaces.ring.least_line_load"][row] == pytest.approx(mean - swing, rel=1e-9)


NAMES = ("force", "moment", "axial_force", "shear_force", "bending_moment", "torsion")


def test_the_other_side_and_other_axes_say_the_same():
    """Action is reaction, a tension is a tension on both sides, and sizes do not depend on axes."""
    record = held()
    of = lambda name, what: record.series[f"interfaces.{name}.{what}"]  # noqa: E731
    for what in ("force", "moment", "torsion"):
        assert np.array_equal(of("ring", what), -of("other", what))
    for what in ("axial_force", "shear_force", "bending_moment"):
        assert np.array_equal(of("ring", what), of("other", what))
    size = np.abs(of("ring", "force")).max()
    # z of axes turned by 90 deg about y is x of the structure; the two bodies' are parallel while they hold.
    for what in ("axial_force", "shear_force", "bending_moment", "torsion"):
        assert of("turned", what) == pytest.approx(of("ring", what), abs=1e-9 * size)
    turn = Rotation.from_euler("ZYX", [30, 20, -10], degrees=True)
    assert turn.apply(of("joint", "force")) == pytest.approx(of("ring", "force"), abs=EXACT * size)


def test_without_a_station_the_load_is_the_joints_own():
    record = held()
    for mine, its in (("force", "force"), ("moment", "torque")):
        own, joint = record.series[f"interfaces.own.{mine}"], record.series[f"joints.clamp.{its}"]
        assert own == pytest.approx(joint, abs=EXACT * np.abs(joint).max())


def test_margins_are_allowable_over_load_with_its_factor_less_one():
    record = held()
    of = lambda what: record.series[f"interfaces.ring.{what}"][5]  # noqa: E731
    kinds = record.meta["interfaces.ring.margin"].components
    carried = {
        "tension": max(of("axial_force"), 0.0),
        "compression": max(-of("axial_force"), 0.0),
        "shear": of("shear_force"),
        "bending": of("bending_moment"),
        "torsion": abs(of("torsion")),
    }
    ratios = {kind: 1.4 * carried[kind] / ALLOWED[kind] for kind in ALLOWED}
    ratios["combined"] = sum(ratios.values())
    assert set(kinds) == set(ratios)
    assert of("ratio") == pytest.approx([ratios[kind] for kind in kinds], rel=EXACT)
    wanted = [min(1 / ratios[kind] - 1, 999.0) if ratios[kind] else 999.0 for kind in kinds]
    assert of("margin") == pytest.approx(wanted, rel=1e-9)
    assert np.isfinite(record.series["interfaces.ring.margin"]).all()
    # At the start there is no load, and the margin ends at its highest.
    assert (record.series["interfaces.ring.margin"][0] == 999.0).all()


def axial(interface: str, more: str, until: str = "{ time = 1.0 }") -> str:
    """Two bodies in line, pulled apart along x by a force 100 N/s t on the child at its centre of mass: the
    tension of the joint is 75 N/s t, exactly."""
    return f"""
[bodies.core]
mass = 30.0
inertia = [5.0, 6.0, 7.0]
[bodies.core.initial]
position = [0, 0, 0]
[bodies.tank]
mass = 10.0
inertia = [2.0, 3.0, 4.0]
[joints.clamp]
kind = "fixed"
parent = "core"
child = "tank"
parent_at = [1.0, 0, 0]
child_at = [-1.0, 0, 0]
[forces.pull]
kind = "force"
body = "tank"
[forces.pull.force]
time = [0.0, 4.0]
value = [[0, 0, 0], [400, 0, 0]]
[interfaces.ring]
joints = ["clamp"]
{interface}
[phases.hold]
until = {until}
{more}
[solver]
tolerance = 1e-12
"""


CARRIED = 75.0
"""Tension of the joint per time [N/s]: the part of the force that moves the core, 30/40."""


BREAKING = axial(
    "preload = 40.0\nload_fraction = 0.2\n"
    "[interfaces.ring.allowables]\ntension = 90.0\nfactor_of_safety = 1.5",
    "[phases.broken]\nrelease = ['clamp']\nuntil = { elapsed = 1.0 }\n"
    "[events.full.when]\nquantity = 'interfaces.ring.ratio.combined'\nreaches = 1\ndirection = 'rising'\n"
    "[events.gap.when]\nquantity = 'interfaces.ring.gapping_margin'\nreaches = 0\ndirection = 'falling'",
    "{ quantity = 'interfaces.ring.margin.tension', reaches = 0, direction = 'falling' }",
)


@cache
def broken() -> Any:
    with compiled_flights():
        return fly(loads(BREAKING))


def test_overload_lets_go_at_the_exact_time():
    """FS F(t) = allowable at t = 90/(1.5 * 75) s; after that the tank flies on alone."""
    record = broken()
    names = [event.name for event in record.events]
    row = names.index("broken")
    t = record.events[row].time
    assert t == pytest.approx(90 / (1.5 * CARRIED), rel=1e-10)
    assert record.events[names.index("full")].time == pytest.approx(t, rel=1e-10)
    assert record.events[names.index("gap")].time == pytest.approx(40 / (0.8 * CARRIED), rel=1e-10)
    assert record.before["interfaces.ring.axial_force"][row] == pytest.approx(60.0, rel=1e-10)
    assert record.after["interfaces.ring.axial_force"][row] == 0.0
    # Speed of the tank at the end: with the core up to the failure, alone from then on.
    wanted = 100 * t**2 / 2 / 40 + 100 * ((t + 1.0) ** 2 - t**2) / 2 / 10
    assert record.series["bodies.tank.velocity"][-1, 0] == pytest.approx(wanted, rel=1e-10)


@pytest.mark.long
def test_overload_as_an_event_of_dispersed_cases():
    """The allowable is a number of the tree: each case fails at its own time."""
    allowed = np.array([30.0, 60.0, 90.0, 120.0])
    batch = loads(BREAKING).run_batch({"interfaces.ring.allowables.tension": allowed}, threads=1)
    times = batch.event_time[batch.events.index("broken")]
    assert times == pytest.approx(allowed / (1.5 * CARRIED), rel=1e-10)
    # Each carried two thirds of its allowable at most, and then nothing.
    table = batch.envelope()
    most = table[(table["path"] == "interfaces.ring.axial_force") & (table["phase"] == "")]
    assert list(most["case"]) == [0, 1, 2, 3]
    assert np.asarray(most["largest"]) == pytest.approx(allowed / 1.5, rel=1e-9)
    assert np.asarray(most["largest_time"]) == pytest.approx(times, rel=1e-9)


def test_preload_is_used_up_by_the_tension_less_the_part_of_the_bolts():
    """Clamp force P - (1 - phi) T down to zero; the bolts carry P + phi T, and all of T once it gaps."""
    record = broken()
    before = record.time < 0.79
    tension = CARRIED * record.time[before]
    of = lambda what: record.series[f"interfaces.ring.{what}"][before]  # noqa: E731
    closed = 40.0 - 0.8 * tension > 0
    assert not closed[-1]
    assert closed[1]
    assert of("clamp_force") == pytest.approx(np.where(closed, 40.0 - 0.8 * tension, 0), abs=1e-9)
    assert of("bolt_force") == pytest.approx(np.where(closed, 40.0 + 0.2 * tension, tension), abs=1e-9)
    # The bolts go with the joint.
    free = record.time > record.events[-2].time
    for what in ("clamp_force", "bolt_force"):
        assert (record.series[f"interfaces.ring.{what}"][free] == 0).all()
    assert of("gapping_margin")[1:] == pytest.approx(40.0 / (0.8 * tension[1:]) - 1, abs=1e-9)


@pytest.mark.parametrize(("holding", "tension"), [((1, 1, 1), 30.0), ((1, 2, 0), 30.0), ((0, 0, 0), 0.0)])
def test_each_joint_that_lets_go_takes_its_part_of_the_preload(monkeypatch, holding, tension):
    ring = ist.Interface(name="ring", joints=("a", "b", "c"), preload=60.0, load_fraction=0.2)
    axis = jnp.array([1.0, 0, 0])
    load = quantities.Wrench(-tension * axis, 0 * axis, axis, 1.0)
    monkeypatch.setattr(quantities, "wrench", lambda m, n: load)
    body = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "initial": ist.State()}
    joints = tuple(ist.Joint(name=name, kind="fixed", parent="one", child="other") for name in "abc")
    two = tuple(ist.Body(name=name, **body) for name in ("one", "other"))
    new = ist.Replacement(joint="b", kind="spherical")
    phases = (*COAST, ist.Phase(name="later", until=COAST[0].until, release=("a", "b", "c"), replace=(new,)))
    still = np.zeros((3, 2))
    mechanism = mechanism_of(ist.Scenario(bodies=two, joints=joints, interfaces=(ring,), phases=phases))
    x = packed(still, still, np.eye(4)[:, [0, 0]], still)
    found = quantities.bolts(instant(mechanism, 0.0, x, switches(mechanism, modes=np.array(holding))), 0)
    preload = 60.0 * np.mean(np.array(holding) > 0)
    margin = preload / (0.8 * tension) - 1 if tension else 999.0
    assert found == pytest.approx((preload - 0.8 * tension, preload + 0.2 * tension, margin), rel=1e-14)


def test_envelope_has_extremes_with_time_and_phase():
    record = held()
    rows = {(row.path, row.component, row.phase): row for row in envelope(record)}
    for path in ("interfaces.ring.force", "joints.clamp.torque"):
        values = record.series[path]
        for k, axis in enumerate("xyz"):
            row = rows[path, axis, ""]
            steps = record.at_steps((path,))[1][path][:, k]
            both = np.concatenate([values[:, k], steps, record.before[path][:, k], record.after[path][:, k]])
            # Of values that differ by rounding the first counts.
            assert (row.least, row.largest) == pytest.approx((both.min(), both.max()), rel=1e-9)
            assert rows[path, axis, "free"].largest == rows[path, axis, "free"].least == 0.0
    force = rows["interfaces.ring.axial_force", "", ""]
    assert force.largest_phase == "rest"
    assert force.largest_time == pytest.approx(1.0)
    first = rows["interfaces.ring.axial_force", "", "hold"]
    assert first.largest_time == pytest.approx(0.4)
    (shown,) = tables(record, "SI")
    told = [row for row in shown.rows if row[:2] == ["ring", "largest axial force [N]"]]
    assert [row[3:] for row in told] == [["1", "rest"]]
    # The margins at the end of the phase are overrun, and stand out.
    assert {shown.rows[row][1] for row in shown.bad} >= {"smallest combined margin"}
    # The report leaves out what is zero throughout, such as forces after the release, but no margins.
    report = envelope_table(record, "SI")
    left_out = [row for row in rows.values() if row.unit != "1" and row.least == row.largest == 0]
    assert len(left_out) > len({row.path for row in left_out}) > 1
    assert len(report.rows) == len(rows) - len(left_out)
    assert f"omits {len(left_out)} load components" in report.note
    assert any(row[0].startswith("interfaces.ring.margin") for row in report.rows if row[2] == "free")
    frame = ist.Flight(record).envelope()
    assert len(frame) == len(rows)
    assert set(frame["phase"]) == {"", "hold", "rest", "free"}


TWO = """
[bodies.core]
mass = 30.0
inertia = [5.0, 6.0, 7.0]
[bodies.core.initial]
position = [0, 0, 0]
[bodies.tank]
mass = 10.0
inertia = [2.0, 3.0, 4.0]
[joints.left]
kind = "spherical"
parent = "core"
child = "tank"
parent_at = [1.0, 0.5, 0]
child_at = [-1.0, 0.5, 0]
[joints.right]
kind = "spherical"
parent = "core"
child = "tank"
parent_at = [1.0, -0.5, 0]
child_at = [-1.0, -0.5, 0]
[joints.back]
kind = "fixed"
parent = "tank"
child = "core"
parent_at = [-1.0, 0, 0.5]
child_at = [1.0, 0, 0.5]
[forces.pull]
kind = "force"
body = "tank"
at = [0.5, 0.2, 0.1]
force = [100, 20, -30]
[phases.hold]
until = { time = 0.1 }
[interfaces.all]
joints = ["left", "right", "back"]
at = [1.0, 0, 0]
at_body = "parent"
axes = "parent"
[interfaces.front]
joints = ["left", "right"]
axes = "parent"
"""


def test_attachments_are_summed_whichever_way_they_are_declared():
    """Three attachments that repeat each other, one of them from the other side: together they carry what the
    motion of one body asks for, and only a part of them is marked."""
    record = fly(loads(TWO))
    given, at = np.array([100.0, 20, -30]), np.array([2.5, 0.2, 0.1])
    place = np.array([2.0, 0, 0])
    centre = MASSES[1] * place / sum(MASSES)
    about = [
        m * np.diag([0, 1.0, 1.0]) * x**2 for m, x in zip(MASSES, (centre[0], 2 - centre[0]), strict=True)
    ]
    whole = np.diag([5.0, 6.0, 7.0]) + np.diag(INERTIA) + sum(about)
    alpha = np.linalg.solve(whole, np.cross(at - centre, given))
    force = MASSES[1] * (given / sum(MASSES) + np.cross(alpha, place - centre)) - given
    moment = INERTIA * alpha - np.cross(at - place, given) + np.cross(place - [1.0, 0, 0], force)
    assert record.series["interfaces.all.force"][0] == pytest.approx(force, rel=1e-9)
    assert record.series["interfaces.all.moment"][0] == pytest.approx(moment, rel=1e-9)
    assert not record.meta["interfaces.all.force"].note
    assert "left, right" in record.meta["interfaces.front.force"].note
    assert next(tables(record, "SI")).note.endswith("The warnings state the assumed distribution.")


@pytest.mark.parametrize(
    ("shares", "marked"),
    [
        (("left", "right", "other"), {"part"}),
        (("left", "right", "third", "other"), {"part"}),
        (("left", "right", "around", "third"), {"part", "whole"}),
        (("other", "third"), set()),
    ],
)
def test_interfaces_are_marked_where_others_share_around_them(shares, marked):
    """Core and tank by left, right and third; nose on the core by two others, which share among themselves,
    and on the tank by one that closes a loop around."""
    third = """
[bodies.nose]
mass = 1.0
inertia = [1, 1, 1]
"""
    for name, parent, child in (
        ("left", "core", "tank"),
        ("right", "tank", "core"),
        ("third", "core", "nose"),
        ("other", "nose", "core"),
        ("around", "tank", "nose"),
    ):
        third += f'[joints.{name}]\nkind = "spherical"\nparent = "{parent}"\nchild = "{child}"\n'
    third += '[interfaces.part]\njoints = ["left"]\n[interfaces.whole]\njoints = ["left", "right", "clamp"]\n'
    meta: dict[str, Any] = {f"interfaces.{n}.force": QuantityMeta("N", "force") for n in ("part", "whole")}
    record = SimpleNamespace(meta=meta)
    flown: Any = SimpleNamespace(scenario=loads(text("", more=third)), record=record, shared=shares)
    after.add(flown)
    assert {path.split(".")[1] for path, one in meta.items() if one.note} == marked


# --- what is refused


CLAMP = 'joints = ["clamp"]\n'
REFUSALS = [
    ("", "joints", "names no attachment"),
    ('joints = ["clmp"]', "joints", "there is no joint 'clmp'; did you mean 'clamp'"),
    ('joints = ["clamp", "clamp"]', "joints", "lists an attachment twice"),
    (CLAMP + 'at_body = "child"', "at_body", "is set without 'at'"),
    (CLAMP + "axis = [0, 0, 0]", "axis", "the vector is zero"),
    (CLAMP + "frame = { quaternion = [1, 0, 0, 0] }", "frame", "applies to structural axes"),
    (CLAMP + "radius = 0", "radius", "must be more than zero"),
    (CLAMP + 'radius = "2 kg"', "radius", "is in kg"),
    (CLAMP + "preload = -1", "preload", "must not be negative"),
    (CLAMP + "preload = inf", "preload", "is not a finite number"),
    (CLAMP + "load_fraction = 0.2", "load_fraction", "is set without 'preload'"),
    (CLAMP + "preload = 1\nload_fraction = 1.0", "load_fraction", "at least 0 and less than 1"),
    (CLAMP + "allowables = {}", "allowables", "sets no allowable"),
    (CLAMP + "allowables = { tension = 0 }", "tension", "must be more than zero"),
    (CLAMP + "allowables = { shear = 1, factor_of_safety = 0.5 }", "factor_of_safety", "is less than 1"),
    ('forces = ["pull"]', "forces", "there is no bushing or beam 'pull'"),
]


@pytest.mark.parametrize(("lines", "place", "message"), REFUSALS)
def test_a_faulty_interface_is_refused(lines, place, message):
    with pytest.raises(BadInput) as error:
        loads(text(f"[interfaces.ring]\n{lines}\n"))
    found = [p for p in error.value.problems if p.place.startswith("interfaces.ring")]
    assert any(place in p.place and message in p.message for p in found), str(error.value)


def test_attachments_of_different_bodies_are_refused():
    third = """
[bodies.nose]
mass = 1.0
inertia = [1, 1, 1]
[joints.other]
kind = "fixed"
parent = "tank"
child = "nose"
"""
    with pytest.raises(BadInput, match="connect different bodies"):
        loads(text('[interfaces.ring]\njoints = ["clamp", "other"]\n', more=third))


def test_a_size_that_is_to_be_negative_is_refused():
    until = "{ quantity = 'interfaces.ring.shear_force', reaches = -1 }"
    with pytest.raises(BadInput, match="is never negative"):
        loads(text('[interfaces.ring]\njoints = ["clamp"]\n', until=until))


def test_a_margin_that_no_allowable_is_given_for_is_no_quantity():
    until = "{ quantity = 'interfaces.ring.margin.shear', reaches = 0 }"
    ring = '[interfaces.ring]\njoints = ["clamp"]\n[interfaces.ring.allowables]\ntension = 1.0\n'
    with pytest.raises(BadInput, match=r"no component 'shear'. Allowed: tension, combined"):
        loads(text(ring, until=until))
