"""Joints between bodies that another program integrates: the loads are those of the engine, whichever way
they are computed, and a host that errs is told so."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import instant, mechanism_of, packed, projected, quantities, unpacked
from interstage.joints import Attitude, BadInput, Joint, Joints
from interstage.maths.rotations import matrix_of
from interstage.maths.straight import NotStraight, Tape

EPS = np.finfo(float).eps
MASS, ETA = np.array([1200.0, 300.0]), 7.0
INERTIA = np.stack([[[400.0, 20, 0], [20, 3000, -30], [0, -30, 2900]], np.diag([60.0, 500, 520])], 2)
CENTRE = np.array([[1.0, -0.5], [0.0, 0.1], [0.2, 0.0]])
OPTIONS: dict[str, dict[str, Any]] = {
    "universal": {"angle": "80 deg"},
    "rod": {"length": 2.5},
    "generalized": {"locked": ["tx", "tz", "ry"]},
    "velocity": {"locked": ["tx", "rz"]},
    "rolling": {"radius": 0.5},
}
KINDS = (
    *("fixed", "revolute", "universal", "spherical", "translational", "cylindrical", "planar", "rod"),
    *("generalized", "velocity", "knife_edge", "rolling"),
)
STATE, WRENCH = ("position", "quaternion", "velocity", "rate"), ("force", "torque")


def joint(kind: str = "fixed", name: str = "ring", **options: Any) -> Joint:
    place: dict[str, Any] = {
        "parent_at": [2.0, 0.1, 1.0],
        "child_at": [-1.0, 0.2, 0.3],
        "parent_frame": Attitude(euler="3-2-1", angles=[0.2, -0.3, 0.4]),
    }
    named: dict[str, Any] = {"name": name, "kind": kind, "parent": "a", "child": "b", "assemble": True}
    return Joint(**(named | place | OPTIONS.get(kind, {}) | options))


def drawn() -> dict[str, Any]:
    """A state off the joints, and loads."""
    random = np.random.default_rng(5)
    q = np.array([[1.0], [0], [0], [0]]) + 0.3 * random.normal(size=(4, 2))
    found = {"position": random.normal(size=(3, 2)), "quaternion": q / np.sqrt(np.sum(q * q, 0))}
    found |= {name: random.normal(size=(3, 2)) for name in ("velocity", "rate")}
    return found | {name: 1e3 * random.normal(size=(3, 2)) for name in WRENCH}


def beside(given: dict[str, Any], cases: int) -> dict[str, Any]:
    return {name: np.repeat(array[..., None], cases, -1) for name, array in given.items()}


def held(*joints: Joint, **options: Any) -> Joints:
    usual: dict[str, Any] = {"mass": MASS, "inertia": INERTIA, "mass_centre": CENTRE, "eta": ETA}
    return Joints(["a", "b"], joints or [joint()], **(usual | options))


def engine(*joints: Joint, **solver: Any) -> tuple[Any, Any]:
    """The engine's equations of the same bodies under the loads of `drawn`, and their state."""
    given = drawn()
    force, torque = given["force"], given["torque"]
    bodies = [
        ist.Body(
            name=name, mass=MASS[k], inertia=INERTIA[:, :, k], products="tensor", mass_centre=CENTRE[:, k]
        )
        for k, name in enumerate("ab")
    ]
    loads = [
        load
        for k, name in enumerate("ab")
        for load in (
            ist.Force(name="f" + name, body=name, force=force[:, k], at=CENTRE[:, k], axes="inertial"),
            ist.Torque(name="t" + name, body=name, torque=torque[:, k], axes="body"),
        )
    ]
    scenario = ist.Scenario(
        bodies=tuple(bodies),
        joints=joints,
        forces=tuple(loads),
        phases=(ist.Phase(name="one", until=ist.Trigger(time=1.0)),),
        solver=ist.Solver(**({"stabilization": "baumgarte", "eta": ETA} | solver)),
    )
    rods = [each.length for each in joints if each.kind == "rod"]
    x = packed(*(given[name] for name in ("position", "velocity", "quaternion", "rate")))
    return mechanism_of(scenario, rods=rods), x


def assert_close(found: Any, expected: Any, size: float) -> None:
    """Equal but for the rounding of some thousand operations, with rows of a condition of ten."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e4 * EPS * size)


@pytest.mark.parametrize("kind", KINDS)
def test_loads_are_the_engines(kind):
    given, one = drawn(), joint(kind)
    here = instant(*_with_time(engine(one)))
    names = ("force", "torque", "reaction_parent_force", "reaction_parent_torque", "reaction_child_torque")
    expected = {name: quantities(here, f"joints.ring.{name}")[f"joints.ring.{name}"] for name in names}
    loads = held(one).loads(**given)
    size = 1e3 + max(np.abs(each).max() for each in expected.values())
    assert size > 1e3
    assert_close(loads.joint_force[:, 0], expected["force"], size)
    assert_close(loads.joint_torque[:, 0], expected["torque"], size)
    assert_close(
        loads.torque.T, [expected["reaction_parent_torque"], expected["reaction_child_torque"]], size
    )
    assert_close(loads.force.sum(1), 0, size)
    for alone, among in zip(loads, held(one, cases=2).loads(**beside(given, 2)), strict=True):
        assert_close(among[..., 1], alone, size)


def test_masses_may_gain_and_lose_products_of_inertia():
    """Recorded equations leave out products with zeros. Each call has to use those of its own masses."""
    rng, given = np.random.default_rng(8), drawn()
    joints, several = held(), held(cases=2)
    for place in range(12):
        plain = place % 2
        inertia = np.stack([np.diag(rng.uniform(900, 1100, 3)) + (1 - plain) * 20 for _ in "ab"], 2)
        masses = rng.uniform(1, 9, 2), inertia, plain * rng.normal(size=(3, 2))
        joints.weigh(*masses)
        several.weigh(*masses)
        for alone, among in zip(
            joints.loads(**given), several.loads(**beside(given, 2)), strict=True
        ):  # many cases fly without recorded equations
            assert_close(alone, among[..., 0], np.abs(among).max())


def test_joints_that_come_back_hold_again():
    given, joints = drawn(), held()
    first = joints.loads(**given)
    joints.release("ring")
    assert not joints.loads(**given).force.any()
    joints.attach("ring")
    np.testing.assert_array_equal(joints.loads(**given).force, first.force)
    joints.release("ring")
    joints.restart()
    np.testing.assert_array_equal(joints.loads(**given).force, first.force)


def _with_time(found: tuple[Any, Any]) -> tuple[Any, float, Any]:
    mechanism, x = found
    return mechanism, 0.0, x


@pytest.mark.parametrize("kind", ["fixed", "universal", "rod", "velocity", "rolling"])
def test_projection_is_the_engines(kind):
    """By the straight line, by NumPy, with rows of velocities among the others. Positions off the joint; then
    velocities that it does not allow, at positions that it does."""
    given, guest = {name: drawn()[name] for name in STATE}, held(joint(kind))
    mechanism, x = engine(joint(kind), stabilization="projection")

    def by_engine(x):
        r, v, q, w, *_ = unpacked(mechanism.scenario, projected(mechanism, 0.0, x))
        return r, q, v, w

    found, expected = guest.projected(**given), by_engine(x)
    for own, other in zip(found[:2], expected, strict=False):
        assert_close(own, other, 10)
    for _ in range(20):  # Newton's steps for rows of positions of order 1 off
        found = guest.projected(*found)
    before = found._replace(velocity=given["velocity"], rate=given["rate"])
    closed = packed(before.position, before.velocity, before.quaternion, before.rate)
    for own, other in zip(guest.projected(*before), by_engine(closed), strict=True):
        assert_close(own, other, 10)
    assert np.abs(found.velocity - given["velocity"]).max() > 1e-3


def test_chains_and_the_ground():
    """Three joints, one to the ground: forces on all bodies add up to what the ground gets."""
    given = drawn()
    joints = [joint("spherical"), joint("revolute", "foot", parent="ground", child="a", parent_at=[0, 0, 0])]
    guest = held(*joints)
    loads = guest.loads(**given)
    here = instant(*_with_time(engine(*joints)))
    for k, name in enumerate(("ring", "foot")):
        for which, own in (("force", loads.joint_force), ("torque", loads.joint_torque)):
            path = f"joints.{name}.{which}"
            assert_close(own[:, k], quantities(here, path)[path], np.abs(loads.joint_torque).max())
    guest.release("ring")
    alone = guest.loads(**given)
    assert not alone.force[:, 1].any()
    assert not alone.joint_force[:, 0].any()
    guest.attach("ring")
    assert_close(guest.loads(**given).force, loads.force, np.abs(loads.force).max())
    for name in guest.joints:
        guest.release(name)
    assert not any(each.any() for each in guest.loads(**given))


def test_attachments_that_hold_the_same_share_by_stiffness():
    """Two on one line along x carry a push along it by their stiffnesses, and turn nothing."""
    ends = []
    for name, x, k in (("aft", 1.0, 3e6), ("fore", 2.0, 1e6)):
        stiff: dict[str, Any] = {"stiffness": [k] * 3, "torsional_stiffness": [k] * 3}
        ends.append(joint(name=name, parent_at=[x, 0, 0], child_at=[x - 3, 0, 0], parent_frame=None, **stiff))
    guest = Joints(["a", "b"], ends, mass=[3.0, 1.0], inertia=np.stack([np.eye(3)] * 2, 2))
    still, turned = np.zeros((3, 2)), np.array([[1.0, 1], [0, 0], [0, 0], [0, 0]])
    apart = np.array([[0.0, 3], [0, 0], [0, 0]])
    push = np.array([[8.0, 0], [0, 0], [0, 0]])
    loads = guest.loads(apart, turned, still, still, push, still)
    assert_close(loads.force[0], [-2, 2], 8)
    assert_close(loads.joint_force, [[1.5, 0.5], [0, 0], [0, 0]], 8)
    assert_close(loads.joint_torque, 0, 8)


def test_loops_that_repeat_nothing(monkeypatch):
    """A ball and three rods leave no freedom and repeat no row: by the straight line as by NumPy, where it is
    decided which rows do; with a fourth rod only so."""
    points = ([0.5, 1, 0], [0, -1, 0.5], [0.3, 0, -1]), ([3, 1, 1], [2, -2, 0], [1, 1, -1])
    struts = [
        joint("rod", f"strut{k}", child_at=a, parent_at=b)
        for k, (a, b) in enumerate(zip(*points, strict=True))
    ]
    given, joints = drawn(), [joint("spherical"), *struts]
    guest = held(*joints)
    alone = guest.loads(**given)
    side = held(*joints, cases=2)
    size = np.abs(alone.joint_force).max()
    for one, many in zip(alone, side.loads(**beside(given, 2)), strict=True):
        assert_close(one, many[..., 0], 10 * size)
    state = {name: given[name] for name in STATE}
    for one, many in zip(held(*joints).projected(**state), side.projected(**beside(state, 2)), strict=True):
        assert_close(one, many[..., 0], 100)
    many = held(*joints, joint("rod", "more", child_at=[1, 1, 1]))
    assert np.isfinite(many.loads(**given).force).all()
    monkeypatch.setattr("interstage.joints.equations.place_rows", None)  # of no use once the line is there
    assert_close(guest.loads(**given).force, alone.force, size)
    with pytest.raises(TypeError):
        many.loads(**given)
    monkeypatch.undo()
    path = "joints.strut1.force"
    expected = quantities(instant(*_with_time(engine(*joints))), path)[path]
    assert_close(alone.joint_force[:, 2], expected, 10 * size)


def test_release_by_logic():
    given = drawn()
    guest = held(joint(), joint("spherical", "pin"))
    guest.release("pin")
    guest.release_when("ring", lambda time, loads: time > 1 and loads.joint_force[0, 0] < 1e9)
    loads = guest.loads(**given)
    assert guest.settle(1.0, loads) == ()
    assert guest.settle(1.5, loads) == ("ring",)
    assert guest.settle(1.5, loads) == ()
    assert not guest.holds("ring")
    guest.restart()
    assert guest.holds("ring")
    assert guest.settle(0.0, loads) == ()
    lanes = held(joint(), cases=3)
    lanes.release_when("ring", lambda time, loads: np.array([False, True, False]))
    lanes.settle(0.0)
    force = lanes.loads(**beside(given, 3)).force
    assert lanes.holds("ring").tolist() == [True, False, True]
    assert not force[..., 1].any()
    assert_close(force[..., 2], held(joint()).loads(**given).force, np.abs(force).max())


# --- the first state ----------------------------------------------------------------------------------------


def plain(kind: str = "fixed", **options: Any) -> Joints:
    """Two bodies whose points and frames meet where the second is at (3, 0, 0), not turned."""
    place: dict[str, Any] = {"parent_at": [2, 0, 0], "child_at": [-1, 0, 0], "parent_frame": None}
    others = {name: options.pop(name) for name in ("cases", "active", "driven", "locked") if name in options}
    cases = others.pop("cases", None)
    place = {"assemble": False, "name": "ring"} | place | others | options
    return held(joint(kind, **place), mass_centre=None, cases=cases)


def met(turn: tuple[float, ...] = (1.0, 0, 0, 0), apart: float = 0.0) -> dict[str, Any]:
    """The state of `plain`, the second body turned about its joint point, and moved on."""
    q = np.array([[1.0, 0, 0, 0], turn]).T
    back = np.array(matrix_of(q[:, 1])) @ [1.0, 0, 0]
    return drawn() | {
        "position": np.stack([np.zeros(3), np.array([2 + apart, 0, 0]) + back], 1),
        "quaternion": q,
    }


OVER = (0.0, 1.0, 0.0, 0.0)
AXIS = {"revolute": "z", "translational": "z", "cylindrical": "z", "planar": "y"}


@pytest.mark.parametrize("kind", ["fixed", *AXIS])
def test_a_child_that_is_turned_over_is_refused(kind):
    """All rows hold there, and would hold it so; about the free axis it may be turned by any angle."""
    for ask in (lambda guest, s: guest.loads(**s), lambda guest, s: guest.projected(*(s[n] for n in STATE))):
        for assemble in (False, True):
            with pytest.raises(BadInput, match="rotated by 180 deg from the orientation that"):
                ask(plain(kind, assemble=assemble), met(OVER))
    if kind in ("revolute", "cylindrical", "planar"):
        turn = {"y": (0.6, 0, -0.8, 0), "z": (-0.6, 0, 0, 0.8)}[AXIS[kind]]
        assert np.isfinite(plain(kind).loads(**met(turn)).force).all()


def test_the_first_state_is_on_the_joint_and_later_ones_where_the_host_has_them():
    guest = plain(active=False)
    guest.loads(**met(apart=5.0))
    guest.attach("ring")
    for _ in range(2):
        with pytest.raises(
            BadInput, match=r"child's point is 5 m from the parent's joint point. Allowed: 0\.001"
        ):
            guest.loads(**met(apart=5.0))
    state = guest.projected(*(met(apart=5.0)[name] for name in STATE))
    guest.loads(*state, *(drawn()[name] for name in WRENCH))
    guest.loads(**met(apart=5.0))
    guest.restart()
    guest.attach("ring")
    with pytest.raises(BadInput, match="is 5 m"):
        guest.in_c(*met(apart=5.0).values())
    guest.loads(**met(apart=0.9e-3))
    guest.attach("ring")
    guest.loads(**met(apart=5.0))
    several = plain(cases=3)
    several.release("ring", np.array([True, False, False]))
    off = beside(met(), 3)
    off["position"][0, 1] += [5.0, 0.0, 2.0]
    with pytest.raises(BadInput, match="in case 2, the child's point is 2 m"):
        several.loads(**off)


def test_gaps_are_those_of_the_drawing():
    """A turn of 0.3 rad about a diagonal, points and speeds apart by vectors known; a rod off its length."""
    half = 0.15
    turn = (np.cos(half), *np.sin(half) * np.ones(3) / np.sqrt(3))
    state = met(turn) | {"velocity": np.zeros((3, 2)), "rate": np.zeros((3, 2))}
    state["position"][:, 1] += [0.2, 0.3, 0.6]
    state["velocity"][:, 1], state["rate"][:, 1] = [0.0, 3.0, 4.0], 0.0
    given: dict[str, Any] = {name: state[name] for name in STATE}
    found = plain("fixed", active=False).gaps(**given)
    assert_close([found.gap[0], found.turn[0], found.speed[0], found.spin[0]], [0.7, 0.3, 5.0, 0.0], 10)
    assert_close(plain("spherical").gaps(**given).turn, 0.0, 1)
    tilt = np.arccos(1 - 2 / 3 * (1 - np.cos(0.3)))  # of each axis: cos = (1 + 2 cos 0.3)/3
    assert_close(plain("revolute").gaps(**given).turn, tilt, 10)
    assert_close(plain("rod", length=2.0).gaps(**given).gap, 1.3, 10)
    several = plain("fixed", cases=2).gaps(**beside(given, 2))
    assert_close(several.turn, 0.3, 10)
    turned = {"rz": {"kind": "constant", "value": 2 * half}}
    locked = ["tx", "ty", "tz", "rx", "ry", "rz"]
    driven = plain("generalized", locked=locked, driven=turned)
    about_z = met((np.cos(half), 0, 0, np.sin(half)))
    assert_close(driven.gaps(time=0.0, **{name: about_z[name] for name in STATE}).turn, 0.0, 10)


def offered(**others: Any) -> dict[str, Any]:
    return drawn() | others


def spoilt(name: str, value: Any) -> dict[str, Any]:
    given = drawn()
    given[name] = given[name].copy()
    given[name][1, 1] = value
    return given


def listed(**others: Any) -> Joints:
    return Joints(**({"bodies": ["a", "b"], "joints": [joint()], "mass": MASS, "inertia": INERTIA} | others))


def told(what: str, *given: Any) -> None:
    getattr(held(), what)(*given)


WRONG = {
    "velocity: the value is nan at y of body 'b'": lambda: held().loads(**spoilt("velocity", np.nan)),
    "force: the value is inf at y of body 'b'": lambda: held().loads(**spoilt("force", np.inf)),
    "position: the array has the shape (3,). Give": lambda: held().loads(**offered(position=np.zeros(3))),
    "position: the value is not an array of numbers": lambda: held().loads(**offered(position="here")),
    "position: the array is complex. Give an array of real numbers": lambda: held().loads(
        **offered(position=drawn()["position"] + 0j)
    ),
    "force: the array is a text. Give": lambda: held().loads(**offered(force=drawn()["force"].astype(str))),
    "rate: the array is masked": lambda: held().loads(**offered(rate=np.ma.masked_array(drawn()["rate"]))),
    "and 4 cases": lambda: held(cases=4).loads(**drawn()),
    "rate: the value is nan at y of body 'b' in case 0": lambda: held(cases=2).loads(
        **beside(spoilt("rate", np.nan), 2)
    ),
    "quaternion of body 'a' is zero": lambda: held().loads(**offered(quaternion=np.zeros((4, 2)))),
    "there is no joint 'rimg'; did you mean 'ring'?": lambda: held().release("rimg"),
    "there is no body 'c'": lambda: held(joint(child="c")),
    "'ring' is listed twice": lambda: held(joint(), joint("rod")),
    "parent and child are both 'a'": lambda: held(joint(child="a")),
    "mass: the mass of body 'b' is -1 kg": lambda: held(mass=[1, -1]),
    "inertia of body 'a' has the principal moment 0 kg m^2": lambda: held(inertia=np.zeros((3, 3, 2)) + 0.0),
    "inertia: the inertia of body 'a' is not symmetric": lambda: held(inertia=np.triu(INERTIA.T).T),
    "joints.ring.length: the length of the rod is missing": lambda: held(joint("rod", length=None)),
    "eta: -1 is not allowed": lambda: held(eta=-1),
    "time: the time decreases from 2 s to 1 s": lambda: _settled(2.0, 1.0),
    "time: the time is nan": lambda: _settled(np.nan),
    "where: the function returned 1. Allowed: true or false": lambda: held().release("ring", 1),
    "time: the time is missing": lambda: held(
        joint("generalized", locked=["tx"], driven={"tx": {"kind": "ramp", "rate": 1.0}})
    ).loads(**drawn()),
    "ring are singular in this state": lambda: _turned_over(),
    "rotated by 11.48 deg from its allowed orientation. Allowed: 0.0573 deg": lambda: plain().loads(
        **met((0.995, 0.1, 0, 0))
    ),
    "condition of 'ring': 2.0 is not a function": lambda: told("release_when", "ring", 2.0),
    "cases: 0 is not allowed": lambda: held(cases=0),
    "cases: 2.5 is": lambda: held(cases=2.5),
    "cases: True is": lambda: held(cases=True),
    "cases: -1 is": lambda: held(cases=-1),
    "cases: '3' is": lambda: held(cases="3"),
    "joints: the argument is a value of type Joint": lambda: listed(joints=joint()),
    "joints: the list has a value of type dict": lambda: listed(joints=[{"name": "ring"}]),
    "bodies: the argument is a value of type str": lambda: listed(bodies="ab"),
    "inertia: the inertia of body 'a': no real body has the principal moments 1, 1, 5": lambda: held(
        inertia=np.stack([np.diag([1.0, 1, 5]), np.eye(3)], 2)
    ),
    "mass: the value is nan for body 'b'. Give": lambda: held(mass=[1, np.nan]),
    "eta: True is": lambda: held(eta=True),
    "time: the time is 'now'": lambda: told("settle", "now"),
    "Joint 'ring': kind: 'fixd' is not allowed": lambda: joint("fixd"),
    "Joint 'ring': lenght: unknown key": lambda: joint("rod", lenght=1.0),
}  # fmt: skip


def _settled(*times: float) -> None:
    guest = held()
    for time in times:
        guest.settle(time)


ALONG = np.array([[1.0, np.sqrt(0.5)], [0, -np.sqrt(0.5)], [0, 0], [0, 0]])
"""Attitudes at which axes y of the parent and z of the child lie along each other."""


def _turned_over() -> None:
    held(joint("universal", angle=None, parent_frame=None)).loads(**offered(quaternion=ALONG))


def test_a_joint_that_cannot_hold_is_told_among_cases_and_a_flat_disk_too():
    """Elimination makes finite numbers of rows that are nothing but rounding."""
    given = beside(drawn(), 2)
    given["quaternion"][..., 1] = ALONG
    state = {name: given[name] for name in STATE}
    guest = held(joint("universal", angle=None, parent_frame=None), joint("spherical", "pin"), cases=2)
    for ask in (lambda: guest.loads(**given), lambda: guest.projected(**state)):
        with pytest.raises(
            BadInput, match=r"^joints: the joints ring are singular in this state in case 1: two axes"
        ):
            ask()
    guest.release("ring", np.array([False, True]))
    for found in (guest.loads(**given), guest.projected(**state)):
        assert all(np.isfinite(each).all() and np.abs(each).max(initial=0) < 1e7 for each in found)
    flat: dict[str, Any] = met() | {"position": np.array([[0.0, 0], [0, 0], [0, 0]])}
    for assemble in (False, True):
        disk = plain("rolling", parent_at=[0, 0, 0], child_at=[0, 0, 0], assemble=assemble)
        with pytest.raises(BadInput, match="a disk lies flat"):
            disk.loads(**flat)


@pytest.mark.parametrize("sentence", WRONG)
def test_hosts_that_err_are_told(sentence):
    with pytest.raises(BadInput, match=re.escape(sentence)) as caught:
        WRONG[sentence]()
    assert len(str(caught.value).splitlines()) == 1


def test_neither_jax_nor_a_scenario_is_imported():
    """A host pays for NumPy and the declarations only."""
    modules = "('jax', 'scipy', 'interstage.scenario', 'interstage.engine')"
    code = f"import interstage.joints, sys; print([m for m in {modules} if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_straight_lines():
    """What is known is computed, what occurs twice is noted once, and there is no branch."""
    tape = Tape()
    (a, b), zero = tape.inputs(2), np.zeros(1)[0]
    lines, (first, second) = tape.text([(a + b) * (b + a) * 1.0 + zero * a, 2.0 - a / b])
    assert lines == ["x2 = (i0 + i1)"]
    assert (first, second) == ("(x2 * x2)", "(2.0 - (i0 / i1))")
    run = tape.function([np.sqrt(np.array([a], object))[0], -a, 1.5])
    assert run([4.0, 0.0]) == (2.0, -4.0, 1.5)
    with pytest.raises(NotStraight):
        np.maximum(np.array([a], object), 0.0)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_the_same_as_a_function_in_c(tmp_path):
    """Compiled and called by ctypes, beside the way by Python, after another joint was released."""
    guest = held(joint("rolling", "wheel"), joint("revolute"))
    with pytest.raises(BadInput, match="does not support"):
        guest.c_source()
    guest.release("wheel")
    (tmp_path / "joints.c").write_text(guest.c_source("hinge"))
    library = tmp_path / "joints.so"
    options = ["-std=c99", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o"]
    subprocess.run(["cc", *options, str(library), str(tmp_path / "joints.c"), "-lm"], check=True)
    given, rows = drawn(), 5
    numbers = guest.in_c(*(given[name] for name in (*STATE, *WRENCH)))
    out = np.full(12 + 6 + rows, np.nan)
    pointer = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CDLL(str(library)).hinge
    assert function(numbers.ctypes.data_as(pointer), out.ctypes.data_as(pointer)) == 0
    loads = guest.loads(**given)
    size = np.abs(out[:12]).max()
    assert_close(out[:12].reshape(6, 2), np.concatenate([loads.force, loads.torque]), size)
    assert_close(out[12:15], loads.joint_force[:, 1], size)
    assert_close(out[15:18], loads.joint_torque[:, 1], size)
