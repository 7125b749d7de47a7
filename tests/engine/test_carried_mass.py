"""What hangs on joints, which says how stiff springs in their place have to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine_door
import interstage as ist
from engine_door import inertias, instant, lift, mechanism_of, packed, row_table
from interstage.formulations import elimination
from interstage.model import formulation as forms
from interstage.runs.run import fly
from interstage.tree.addresses import replace_leaf
from linkages import KINDS, drawn_linkage
from mechanics import COAST, EPS

ELASTIC = ist.Solver(formulation=forms.Regularized(frequency=1.0))
TURNING: list[Any] = [kind for kind in KINDS if not kind[2]]


def carried(scenario, x=None) -> Any:
    """What hangs on each row (row, lane), and A M^-1 A^T (row, row, lane) at states x (n, lane)."""
    mechanism = mechanism_of(scenario, (1,))
    if x is None:
        return engine_door.carried(mechanism)
    constraints = instant(mechanism, 0.0, x).constraints
    return engine_door.carried(mechanism), elimination.response(inertias(mechanism), constraints)


@pytest.mark.parametrize("ground", [True, False])
def test_no_less_than_what_is_left_when_all_other_rows_hold(ground):
    """The diagonal of (A M^-1 A^T)^-1, in drawn trees of all joints that do not slide, in drawn poses."""
    rng = np.random.default_rng(350)
    kinds = [TURNING[k] for k in rng.permutation(len(TURNING))]
    linkage = drawn_linkage(351, kinds, ground=ground, lanes=40, solver=ELASTIC)
    still = np.zeros_like(linkage.r)
    found, matrix = map(np.asarray, carried(linkage.scenario, packed(linkage.r, still, linkage.q, still)))
    assert np.linalg.cond(np.moveaxis(matrix, -1, 0)).max() < 1e9
    left = np.diagonal(np.linalg.inv(np.moveaxis(matrix, -1, 0)), axis1=1, axis2=2).T
    assert (left <= found * (1 + 1e-6)).all()
    # Nor far more, in the pose that needs most.
    assert (left.max(1) > 0.01 * found[:, 0]).all()


def body(name: str, mass: float, size: float = 1.0) -> ist.Body:
    """A disk of some size [m], whose largest moment of inertia is mass size^2."""
    most = mass * size**2
    return ist.Body(name=name, mass=mass, inertia=[most / 2, most / 2, most], initial=ist.State())


def weld(name: str, parent: str, child: str, parent_at=(0, 0, 0), child_at=(0, 0, 0)) -> ist.Joint:
    return ist.Joint(
        name=name, kind="fixed", parent=parent, child=child, parent_at=parent_at, child_at=child_at
    )


def held(bodies, joints) -> dict[str, tuple[float, float]]:
    """Mass and moment of inertia that each of these fixed joints holds."""
    scenario = ist.Scenario(bodies=tuple(bodies), joints=tuple(joints), phases=COAST, solver=ELASTIC)
    found, table = np.asarray(carried(scenario))[:, 0], row_table(scenario)
    own = {}
    for j, joint in enumerate(joints):
        rows = np.array(table.of_joint(j))
        forces = table.forces[rows]
        assert np.ptp(found[rows[forces]]) == np.ptp(found[rows[~forces]]) == 0
        own[joint.name] = found[rows[forces]][0], found[rows[~forces]][0]
    return own


def test_a_stack_is_parted_at_each_joint():
    """Free, of 1, 2 and 4 kg, 3 m and 5 m apart: reduced masses, and reduced moments about the joints."""
    bodies = [body("a", 1), body("b", 2), body("c", 4)]
    joints = [
        weld("ab", "a", "b", (1, 0, 0), (-2, 0, 0)),
        weld("cb", "c", "b", (-2, 0, 0), (3, 0, 0)),
    ]
    found = held(bodies, joints)
    one, other = 1 + 1 * 1, 2 * (1 + 2**2) + 4 * (1 + 7**2)
    np.testing.assert_allclose(found["ab"], (6 / 7, one * other / (one + other)), rtol=8 * EPS)
    one, other = 4 * (1 + 2**2), 2 * (1 + 3**2) + 1 * (1 + 6**2)
    np.testing.assert_allclose(found["cb"], (12 / 7, one * other / (one + other)), rtol=8 * EPS)


def test_what_hangs_on_the_ground_is_held_whole():
    found = held(
        [body("a", 1), body("b", 2), body("c", 4)],
        [
            weld("b", "ground", "b", (9, 9, 9), (0, 1, 0)),
            weld("a", "a", "b", (0, 0, 1)),
            weld("c", "c", "ground", (0, 3, 0)),
        ],
    )
    expected = {"b": (3, 2 * (1 + 1) + 1 * (1 + 2**2)), "a": (1, 1 + 1), "c": (4, 4 * (1 + 3**2))}
    for name, numbers_of in expected.items():
        np.testing.assert_allclose(found[name], numbers_of, rtol=8 * EPS)


def test_joints_between_the_same_two_bodies_count_as_one():
    bodies = [body("stage", 5000), body("satellite", 50), body("booster", 9000)]
    joints = [weld(f"s{k}", "stage", "satellite") for k in range(4)] + [weld("b", "booster", "stage")]
    found = held(bodies, joints)
    for k in range(4):
        assert found[f"s{k}"][0] == pytest.approx(50 * 14000 / 14050)
    assert found["b"][0] == pytest.approx(9000 * 5050 / 14050)


def test_rings():
    """A ring through the ground holds all that is in it; one that is free the others against its heaviest.
    What hangs on a ring belongs to the body that it hangs on, and rings that only the ground joins are
    apart."""
    names = "abcdefg"
    bodies = [body(name, 2.0**k) for k, name in enumerate(names)]
    ring = [weld("j1", "ground", "a"), weld("j2", "a", "b"), weld("j3", "b", "ground")]
    more = [weld("j4", "b", "c"), weld("j5", "ground", "d"), weld("j6", "d", "e"), weld("j8", "e", "ground")]
    found = held(bodies, [*ring, *more, weld("j7", "f", "g")])
    masses = {name: found[name][0] for name in found}
    expected = {"j1": 7, "j2": 7, "j3": 7, "j4": 4, "j5": 24, "j6": 24, "j7": 32 * 64 / 96, "j8": 24}
    assert masses == pytest.approx(expected)

    heavy = body("h", 1000)
    loop = [weld("j1", "h", "a"), weld("j2", "a", "b"), weld("j3", "b", "h"), weld("j4", "b", "c")]
    found = held([*bodies[:3], heavy], loop)
    assert [found[f"j{k}"][0] for k in (1, 2, 3, 4)] == pytest.approx([7000 / 1007] * 3 + [4 * 1003 / 1007])


def test_lanes():
    """Each lane has what hangs in it."""
    scenario = ist.Scenario(
        bodies=(body("a", 1), body("b", 2)),
        joints=(weld("ab", "a", "b"),),
        phases=COAST,
        solver=ELASTIC,
    )
    leaves = replace_leaf(lift(scenario), "bodies.b.mass", np.array([2.0, 6.0]))
    found = engine_door.carried(mechanism_of(scenario, (1,), leaves=leaves))
    np.testing.assert_allclose(found[0], [2 / 3, 6 / 7], rtol=8 * EPS)


@pytest.mark.parametrize("kind", ["penalty", pytest.param("regularized", marks=pytest.mark.long)])
def test_a_light_link_holds_a_heavy_bob(kind):
    """1000 kg on a link of 50 g, release at rest under 9.81 m/s^2, by default settings: joints give way by
    g/frequency^2, 0.01 mm, and by twice that while they swing, each; the link between swings some more."""
    inertia = [5e-4] * 3, [100.0] * 3
    scenario = ist.Scenario(
        bodies=(
            ist.Body(name="link", mass=0.05, inertia=inertia[0], initial=ist.State(position=[0, 0, -0.5])),
            ist.Body(name="bob", mass=1000, inertia=inertia[1], initial=ist.State(position=[0, 0, -1.5])),
        ),
        joints=(
            ist.Joint(name="top", kind="spherical", parent="ground", child="link", child_at=[0, 0, 0.5]),
            ist.Joint(
                name="low",
                kind="spherical",
                parent="link",
                child="bob",
                parent_at=[0, 0, -0.5],
                child_at=[0, 0, 0.5],
            ),
        ),
        gravity=ist.UniformGravity(acceleration=[0, 0, -9.81]),
        phases=(ist.Phase(name="hanging", until=ist.Trigger(time=0.02)),),
        solver=ist.Solver(formulation=kind),
    )
    record = fly(scenario)
    for joint in ("top", "low"):
        gap = record.series[f"joints.{joint}.violation"].max()
        assert 0.5 * 9.81e-6 < gap < 3 * 9.81e-6


def test_steps_that_are_too_long_are_told():
    """A pendulum's joint at rest swings with frequency sqrt(1 + m d^2/J) along its lateral axes; rk4 bears
    2.78 radians a step."""
    m, d, moment, step = 3.0, 0.4, 0.2, 1e-3
    limit = 2.78 / step / np.sqrt(1 + m * d**2 / moment)
    for frequency, told in ((1.01 * limit, True), (0.99 * limit, False)):
        scenario = ist.Scenario(
            bodies=(
                ist.Body(name="a", mass=m, inertia=[moment] * 3, initial=ist.State(position=[0, 0, -d])),
            ),
            joints=(ist.Joint(name="pin", kind="spherical", parent="ground", child="a", child_at=[0, 0, d]),),
            phases=(ist.Phase(name="p", until=ist.Trigger(time=0.01)),),
            solver=ist.Solver(formulation=forms.Penalty(frequency=frequency), method="rk4", step=step),
        )
        assert any("too long for the springs" in line for line in fly(scenario).warnings) == told
