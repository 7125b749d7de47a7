"""Minimal coordinates: the maps between own and ordinary states, the equations in them, and flights that let
go, catch, hinge and lock; composites with them.

Oracles: the constraint rows, which minimal coordinates do not use; LAPACK's solution of the equations of
all bodies with multipliers, [M, -A^T; A, 0] [udot; lam] = [f; -gamma], seen through automatic differentiation
of the map; and flights in ordinary coordinates.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import TURN, flow_of, inertias, instant, joints, mechanism_of, side_by_side, switches
from interstage.formulations import composite
from interstage.formulations.null_space_dense import flat, jacobian, lanes_first, mass_matrix
from interstage.maths.arrays import jvp
from interstage.maths.dual import along
from interstage.runs import run as simulate
from interstage.sensitivities.derivatives import derivatives
from interstage.stepper.problem import FINISHED
from interstage.tree import addresses as tree
from lanes import as_lanes
from linkages import KINDS, drawn_linkage, general, state_of
from mechanics import EPS, drawn_attitude, drawn_body, quaternion_rate
from stepping import rods

MINIMAL: Any = {"kind": "null_space", "coordinates": "minimal"}
ROUNDINGS = 200
"""Roundings that sums along nine joints and over their rows may pile up; their square root is what is met."""


def swinging(amplitude, phase):
    return {"amplitude": amplitude, "phase": phase, "offset": -amplitude * np.sin(phase)}


# All are zero at time zero, so that a linkage drawn without them is one with them at rest.
DRIVES = {
    "tx": ist.LinearHarmonic(frequency=3.0, **swinging(0.4, 0.3)),
    "tz": ist.LinearRamp(value=0.0, rate=-0.7),
    "rx": ist.AngularHarmonic(frequency=1.7, **swinging(1.5, 0.4)),
    "ry": ist.AngularRamp(value=0.0, rate=0.8),
    "rz": ist.AngularHarmonic(frequency=2.1, **swinging(0.9, -0.4)),
}
TIME = 0.37


def driven(locked, slides, turns, **options):
    axes = {axis: DRIVES[axis] for axis in locked.split() if axis in DRIVES}
    return (*general(locked, driven=ist.DrivenAxes(**axes), **options), slides, turns)


DRIVEN = (
    driven("tx ty tz rx ry rz", "", ""),
    driven("tx rx", "yz", "yz"),
    driven("tz ry rz", "xy", "x"),
)
SHUFFLED = np.random.default_rng(60).permutation(len(KINDS))
TREES = {
    f"kinds {k}": (61 + k, tuple(KINDS[i] for i in group), k % 2 == 0)
    for k, group in enumerate(np.array_split(SHUFFLED, 3))
}
TREES["driven"] = 64, (*DRIVEN, KINDS[1]), False
"""Every kind of joint once, and driven ones, on trees with and without the ground; three lanes each."""


COMPOSITE = next(name for name, (_, kinds, _) in TREES.items() if KINDS[0] in kinds)
"""The one with a fixed joint."""


@cache
def drawn_tree(name) -> Any:
    """Its seed, bodies as drawn, equations, and flow in own states."""
    seed, kinds, ground = TREES[name]
    linkage = drawn_linkage(seed, kinds, ground, solver=ist.Solver(formulation=MINIMAL))
    mechanism = mechanism_of(linkage.scenario, linkage.r.shape[2:])
    return seed, linkage, mechanism, flow_of(mechanism)


@cache
def studied(name) -> Any:
    """A tree in own states whose free entries are drawn, three of them. By NumPy: a program of all this would
    take long to compile, and the flights below are compiled."""
    seed, linkage, mechanism, flow = drawn_tree(name)
    lanes = linkage.r.shape[2:]
    discrete, t = switches(mechanism, lanes), np.full(lanes, TIME)
    coordinates, still = flow.coordinates, np.zeros_like(linkage.r)
    posed = state_of(linkage, still, still)
    at_rest = coordinates.own(0 * t, posed, discrete)
    drawn = posed + 0.5 * np.random.default_rng(seed).standard_normal(posed.shape)
    drawn = coordinates.normalize(coordinates.own(t, drawn, discrete), discrete)
    own = coordinates.keep_locked(at_rest, drawn, discrete)

    def ordinary(t, own):
        return coordinates.ordinary(t, own, discrete)

    slope = flow.derivative(t, own, discrete)
    x, along = jvp(ordinary, (t, own), (np.ones_like(t), slope))
    again = coordinates.own(t, x, discrete)
    other = with_other_signs(x)
    put_back = coordinates.keep_locked(own, coordinates.own(t, other, discrete), discrete)
    whole = _whole(mechanism, t, x, discrete, name == COMPOSITE)
    return (
        whole
        | {"own": own, "again": again, "x": x, "along": along, "same": ordinary(t, again)}
        | {"other": other, "put_back": ordinary(t, put_back)}
    )


@pytest.mark.parametrize("name", TREES)
def test_joints_side_by_side(name):
    """All joints at once, as linear analysis has them, against one after another: states, and how they change
    along directions."""
    s, (_, linkage, mechanism, flow) = studied(name), drawn_tree(name)
    lanes = linkage.r.shape[2:]
    t, discrete = np.full(lanes, TIME), switches(mechanism, lanes)
    one, other = flow.coordinates, side_by_side(flow.coordinates)
    directions = np.random.default_rng(7).standard_normal((*s["own"].shape, 3))
    directions[: len(s["own"]) // 3, :, 0] = 0.0
    found = {}
    for which in (one, other):
        x, change = along(
            lambda own, which=which: which.ordinary(t, own, discrete), [s["own"]], [directions], 3
        )
        back = along(lambda x, which=which: which.own(t, x, discrete), [x], [directions], 3)
        found[which] = (x, change, *back)
    # Some tens of bodies and turns, of a few metres and radians each.
    for a, b in zip(found[one], found[other], strict=True):
        np.testing.assert_allclose(b, a, rtol=0, atol=1e4 * EPS * max(1.0, float(np.max(np.abs(a)))))


def with_other_signs(x):
    """A state with the signs of every other quaternion reversed: the same attitudes."""
    bodies = (len(x) - 6) // 13
    signs = np.ones((len(x), 1))
    signs[6 * bodies : 10 * bodies] = np.tile(1 - 2 * (np.arange(bodies) % 2), 4)[:, None]
    return x * signs


def _whole(mechanism, t, x, discrete, composed):
    """The rows, the equations of all bodies, lanes first, and what composites make of them."""
    here = instant(mechanism, t, x, discrete)
    rows, given = here.rows, (inertias(here), here.wrench, here.constraints)
    _, v, q, w, origin, origin_velocity = mechanism.split(x)
    return {
        "composed": composite.solve(None, *given, joints(here)) if composed else None,
        "g": rows.g,
        "gdot": rows.gdot,
        "gamma": lanes_first(rows.gamma),
        "mass": mass_matrix(inertias(here), x.shape[1:]),
        "jacobian": jacobian(here.constraints, v.shape[1]),
        "force": flat(here.wrench, v.shape[1]),
        "motion": (v, q, w, origin_velocity, mechanism.fall(t, origin)),
    }


@pytest.mark.parametrize("name", TREES)
def test_maps_undo_each_other(name):
    """Back and forth: the same state, signs of quaternions included, with angles but for two whole turns."""
    s = studied(name)
    bodies = (len(s["x"]) - 6) // 13
    rounding = ROUNDINGS * EPS * np.abs(s["x"]).max()
    off = s["again"] - s["own"]
    off[6 * bodies : 10 * bodies] -= 2 * TURN * np.round(off[6 * bodies : 10 * bodies] / (2 * TURN))
    assert np.abs(off).max() < rounding
    assert np.abs(s["same"] - s["x"]).max() < rounding


@pytest.mark.parametrize("name", TREES)
def test_locked_entries_put_back_leave_the_signs(name):
    """An own state with the locked entries of another of the same pose stands for the same quaternions, also
    where the other's have the other sign: a loop's correction must not make attitudes jump."""
    s = studied(name)
    assert np.abs(s["put_back"] - s["other"]).max() < ROUNDINGS * EPS * np.abs(s["x"]).max()


@pytest.mark.parametrize("name", TREES)
def test_own_states_satisfy_the_rows(name):
    """Whatever the free entries, and whatever drives prescribe."""
    s = studied(name)
    rounding = ROUNDINGS * EPS * np.abs(s["x"]).max()
    assert np.abs(s["g"]).max() < rounding
    assert np.abs(s["gdot"]).max() < rounding


@cache
def solved(name):
    """Accelerations (6, body, lane), multipliers (row, lane), and the largest condition number."""
    s = studied(name)
    found, conditions = [], []
    for a, mass, force, gamma in zip(
        *(s[key] for key in ("jacobian", "mass", "force", "gamma")), strict=True
    ):
        whole = np.block([[mass, -a.T], [a, np.zeros((len(a), len(a)))]])
        found.append(np.linalg.solve(whole, np.concatenate([force, -gamma])))
        conditions.append(np.linalg.cond(whole))
    size = s["mass"].shape[1]
    both = np.stack(found, 1)
    udot = np.swapaxes(both[:size].reshape(-1, 6, both.shape[1]), 0, 1)
    return udot, both[size:], max(conditions)


@pytest.mark.parametrize("name", TREES)
def test_equations(name):
    """q2'' by the reduced equations, carried through the map, is the motion of all bodies under all rows."""
    s, (udot, _, condition) = studied(name), solved(name)
    v, q, w, *rest = s["motion"]
    parts = v, udot[:3], quaternion_rate(q, w), udot[3:], *rest
    expected = np.concatenate([np.reshape(part, (-1, v.shape[2])) for part in parts])
    bound = ROUNDINGS * EPS * condition * np.abs(expected).max()
    assert bound < 1e-8 * np.abs(expected).max()
    assert np.abs(s["along"] - expected).max() < bound


def test_loads_of_composites():
    """Bodies on a fixed joint as one, the others with multipliers: the same motion, and all loads."""
    (udot, lam, condition), composed = solved(COMPOSITE), studied(COMPOSITE)["composed"]
    for found, expected in zip(composed, (udot, lam), strict=True):
        bound = ROUNDINGS * EPS * condition * np.abs(expected).max()
        assert np.abs(found[:, : udot.shape[1]] - expected).max() < bound


# --- flights: held, let go, hinged by a capture, hooked to the ground, held again ---------------------------

TOLERANCE = 1e-11
STEPS = 100
"""Steps of such a flight, each of which may err by the tolerance."""
ENDS = {"held": 0.2, "apart": 0.08, "hinged": 0.2, "hooked": 0.3, "locked": 0.2}
"""How long the phases last [s]."""


def rod_on_a_base(formulation: Any = "lagrange_multiplier") -> Any:
    """A base that flies free, and a rod on it; a fixed joint that releases, and catches as a hinge and as a
    fixed one."""
    rng = np.random.default_rng(66)
    start = ist.State(
        position=[0.3, 0.2, 1.0],
        velocity=[0.4, -0.3, 0.5],
        attitude=drawn_attitude(rng),
        angular_velocity=[0.9, -1.3, 0.7],
    )
    frames: list[Any] = [
        {"parent_frame": drawn_attitude(rng), "child_frame": drawn_attitude(rng)} for _ in range(2)
    ]
    points = rng.uniform(-0.5, 0.5, (4, 3))
    clamp: Any = {"parent": "base", "child": "rod", "parent_at": points[0], "child_at": points[1]}
    hook: Any = {"parent": "ground", "child": "base", "parent_at": points[2], "child_at": points[3]}
    actions: dict[str, Any] = {
        "apart": {"release": ("clamp",)},
        "hinged": {"replace": (ist.Replacement(joint="clamp", kind="revolute", axis="y"),)},
        "hooked": {"attach": ("hook",)},
        "locked": {"replace": (ist.Replacement(joint="clamp", kind="fixed"),)},
    }
    return ist.Scenario(
        bodies=(drawn_body(rng, "base", initial=start), drawn_body(rng, "rod")),
        joints=(
            ist.Joint(name="clamp", kind="fixed", **clamp, **frames[0]),
            ist.Joint(name="hook", kind="spherical", active=False, **hook, **frames[1]),
        ),
        gravity=ist.UniformGravity(acceleration=[0, 0, -9.81]),
        phases=tuple(
            ist.Phase(name=name, until=ist.Trigger(elapsed=last), **actions.get(name, {}))
            for name, last in ENDS.items()
        ),
        solver=ist.Solver(formulation=formulation, tolerance=TOLERANCE),
    )


BASE = "bodies.base.initial.angular_velocity"
CASES = ({}, {BASE: np.array([-0.6, 0.4, 1.9]), "phases.held.until.elapsed": np.array(0.26)})


@cache
def ends(way, number):
    """The state at the end of a case."""
    moved = rod_on_a_base(MINIMAL if way == "minimal" else way)
    for path, value in CASES[number].items():
        moved = tree.replace_leaf(moved, path, value)
    cursor = simulate.prepare(moved).fly()[2]
    assert cursor.status == FINISHED
    return np.asarray(cursor.x)


@pytest.mark.parametrize("way", ["minimal", pytest.param("composite", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "number", [pytest.param(k, marks=[] if k == 1 else [pytest.mark.long]) for k in range(len(CASES))]
)
def test_flights_are_those_of_all_bodies(way, number):
    """Two captures by a joint that has released before, and one by a joint to the ground: the same states,
    signs of quaternions included."""
    true = ends("lagrange_multiplier", number)
    assert np.abs(ends(way, number) - true).max() < STEPS * TOLERANCE * np.abs(true).max()


# --- lanes, and derivatives through a flight ----------------------------------------------------------------

RATE, UNTIL = "bodies.rod0.initial.angular_velocity", "phases.swing.until.elapsed"
STEP = 1e-3
MOVES = np.array([-2, -1, 1, 2]) * STEP
DIFFERENCES = np.array([1, -8, 8, -1]) / (12 * STEP)
"""Order 4."""
START = rods(1, "lagrange_multiplier").bodies[0].initial.angular_velocity
LAST = 0.1
LANES = {
    RATE: START + np.outer([0, 0.8, *MOVES, 0, 0, 0, 0], [1.0, 0, 0]),
    UNTIL: np.array([0.3, 0.4, *[0.3] * 4, *0.3 + MOVES]),
}
"""A case, quite another one, and the first with one of two numbers moved."""
OUTPUTS = tuple(
    f"bodies.rod0.{quantity}.{axis}"
    for quantity in ("position", "velocity", "angular_velocity")
    for axis in "xyz"
)


def caught(formulation) -> Any:
    """A rod on a ball joint that is released, and caught again by a hinge."""
    phases = (
        ist.Phase(name="swing", until=ist.Trigger(elapsed=0.3)),
        ist.Phase(name="apart", until=ist.Trigger(elapsed=LAST), release=("joint0",)),
        ist.Phase(
            name="hinged",
            until=ist.Trigger(elapsed=LAST),
            replace=(ist.Replacement(joint="joint0", kind="revolute", axis="y"),),
        ),
    )
    drawn = rods(1, formulation, step=None, tolerance=TOLERANCE)
    return drawn.model_copy(update={"phases": phases})


@cache
def in_lanes(way):
    """Positions, velocities and body rates (9, lane) at the end."""
    record = as_lanes(caught(MINIMAL if way == "minimal" else way), LANES, threads=1, samples=False)
    assert (record.status == FINISHED).all()
    assert record.time == pytest.approx(LANES[UNTIL] + 2 * LAST, abs=8 * EPS)
    return np.concatenate([record.x[:6], record.x[10:13]])


@pytest.mark.long
def test_lanes_with_events_at_different_times():
    true = in_lanes("lagrange_multiplier")
    assert np.abs(in_lanes("minimal") - true).max() < STEPS * TOLERANCE * np.abs(true).max()


@pytest.mark.long
def test_derivatives_through_a_flight():
    """Forward, through the release and the capture, against differences of flights."""
    found = derivatives(caught(MINIMAL), OUTPUTS, (RATE, UNTIL), side="after")
    flown = in_lanes("minimal")
    slopes = {RATE: flown[:, 2:6] @ DIFFERENCES, UNTIL: flown[:, 6:] @ DIFFERENCES}
    for path, expected in slopes.items():
        exact = np.array([np.ravel(found.by[name][path])[0] for name in OUTPUTS])
        assert np.abs(exact).max() > 0.1
        # Truncation: STEP^4 times fifth derivatives, a few hundred times the first ones at most.
        bound = 300 * STEP**4 * np.abs(exact).max() + STEPS * TOLERANCE * np.abs(flown).max() / STEP
        np.testing.assert_allclose(exact, expected, rtol=0, atol=bound, err_msg=path)
