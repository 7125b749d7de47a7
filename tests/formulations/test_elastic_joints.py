"""Penalty and regularized joints: the law of their springs, and how motion comes near to that of rigid ones.

The rigid joints are those of the default formulation, which `test_formulations` holds against an oracle."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from engine_door import carried, derivative, inertias, instant, lift, mechanism_of, packed, quickly
from interstage.formulations import elimination
from interstage.model import formulation as forms
from interstage.runs.run import fly
from interstage.tree.addresses import replace_leaf
from mechanics import COAST, EPS, drawn_body
from orders import slope

HALVINGS = 5
STIFFNESS = 2e5 * 2.0 ** np.arange(HALVINGS)
"""[N/m, and N m/rad]: axes of bodies of some kilograms swing with 300 to 3000 rad/s."""
FITTED = 0.1
"""Of an order: the next terms, and the phases in which swings are met, move it by up to 0.03; another order,
of rows with a wrong stiffness or damping, is a half off."""
DURATION, STEP = 0.25, 2.5e-5
"""[s]. A step turns the fastest swing by less than 0.1, and its error is below 1e-4 of the swing's."""
GRAVITY = 9.8


def double_pendulum(choice: Any) -> ist.Scenario:
    """Two drawn bodies, hinged to the ground and to each other askew."""
    rng = np.random.default_rng(330)
    bodies = tuple(drawn_body(rng, name, mass_centre=[0, 0, 0], initial=ist.State()) for name in "ab")
    joints = (
        ist.Joint(
            name="pin", kind="revolute", axis="y", parent="ground", child="a", child_at=[-0.4, 0.1, 0.2]
        ),
        ist.Joint(
            name="ball",
            kind="universal",
            parent="a",
            child="b",
            parent_at=[0.5, 0, -0.1],
            child_at=[-0.3, 0, 0.3],
        ),
    )
    return ist.Scenario(
        gravity=ist.UniformGravity(acceleration=[0, 0, -GRAVITY]),
        bodies=bodies,
        joints=joints,
        phases=COAST,
        solver=ist.Solver(formulation=choice),
    )


def sledge(choice: Any) -> ist.Scenario:
    """A drawn body that neither moves along its y axis nor turns about its x axis, on a slope."""
    body = drawn_body(np.random.default_rng(332), "a", mass_centre=[0, 0, 0], initial=ist.State())
    runners = ist.Joint(
        name="runners", kind="velocity", locked=("ty", "rx"), axes_of="child", parent="ground", child="a"
    )
    return ist.Scenario(
        gravity=ist.UniformGravity(acceleration=[2, 3, -9]),
        bodies=(body,),
        joints=(runners,),
        phases=COAST,
        solver=ist.Solver(formulation=choice),
    )


def sliding() -> np.ndarray:
    """The sledge under way."""
    q = np.array([[1.0], [0], [0], [0]])
    return packed(np.zeros((3, 1)), np.array([[1.0], [0], [0.3]]), q, np.array([[0.0], [2], [3]]))


def start() -> np.ndarray:
    """Both bodies unturned, their joints closed, at rest."""
    r = np.array([[0.4, -0.1, -0.2], [1.2, -0.1, -0.6]]).T
    q = np.tile([[1.0], [0], [0], [0]], (1, 2))
    return packed(r, np.zeros((3, 2)), q, np.zeros((3, 2)))


@cache
def flown(kind: str, system: Any = double_pendulum) -> Any:
    """States (n, lane) after each hundredth of the duration, and multipliers there (row, lane), with one lane
    for each stiffness; x-z positions of the centres of mass by classical Runge-Kutta steps."""
    given: Any = {"stiffness": 1.0, "torsional_stiffness": 1.0, "frequency": 400.0}
    choices = {
        "rigid": forms.LagrangeMultiplier(),
        "penalty": forms.Penalty(**given),
        "regularized": forms.Regularized(**given),
    }
    scenario = system(choices[kind])
    x = start() if system is double_pendulum else sliding()
    leaves, lanes = lift(scenario), 1 if kind == "rigid" else HALVINGS
    if kind != "rigid":
        for field in ("stiffness", "torsional_stiffness"):
            leaves = replace_leaf(leaves, f"solver.formulation.{field}", jnp.asarray(STIFFNESS))

    @quickly
    def program(leaves, x):
        mechanism = mechanism_of(scenario, (lanes,), leaves=leaves)
        slope = partial(derivative, mechanism, 0.0)

        def step(_, x):
            """By the classical Runge-Kutta method; its stages share one compilation of the slope."""

            def stage(before, part):
                rate = slope(x + STEP * part[0] * before)
                return rate, part[1] * rate

            stages = jnp.array([[0.0, 1 / 6], [0.5, 1 / 3], [0.5, 1 / 3], [1.0, 1 / 6]])
            return x + STEP * jnp.sum(jax.lax.scan(stage, jnp.zeros_like(x), stages)[1], 0)

        def stretch(x, _):
            x = jax.lax.fori_loop(0, round(DURATION / STEP / 100), step, x)
            now = instant(mechanism, 0.0, x)
            return x, (x, now.multipliers, now.rows.g)

        return jax.lax.scan(stretch, x, length=100)[1]

    return [np.asarray(field) for field in program(leaves, np.tile(x[:, None], (1, lanes)))]


def slope_of(errors) -> float:
    """The order in 1/stiffness, fitted over all halvings: good to `FITTED`."""
    return slope(1 / STIFFNESS, errors)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["penalty", "regularized"])
def test_motion_converges_with_order_one(kind):
    x, _, g = flown(kind)
    rigid, *_ = flown("rigid")
    positions = slice(0, 6)
    errors = np.abs(x[:, positions] - rigid[:, positions]).max(axis=(0, 1))
    assert slope_of(errors) == pytest.approx(1.0, abs=FITTED)
    assert slope_of(np.abs(g).max(axis=(0, 1))) == pytest.approx(1.0, abs=FITTED)


@pytest.mark.parametrize("kind", [pytest.param("penalty", marks=pytest.mark.long), "regularized"])
def test_rows_of_velocities_converge_with_order_one(kind):
    """Positions, attitudes and velocities, and the loads once the springs have taken them up."""
    x, lam, _ = flown(kind, sledge)
    rigid, loads, _ = flown("rigid", sledge)
    assert slope_of(np.abs(x - rigid).max(axis=(0, 1))) == pytest.approx(1.0, abs=FITTED)
    assert slope_of(np.abs(lam - loads)[50:].max(axis=(0, 1))) == pytest.approx(1.0, abs=FITTED)


@pytest.mark.long
def test_loads_converge_where_they_are_damped_only():
    """Undamped springs swing about their loads for ever, as far as the load itself."""
    half = slice(50, None)
    rigid = flown("rigid")[1]
    damped, swinging = (
        np.abs(flown(kind)[1] - rigid)[half].max(axis=(0, 1)) for kind in ("regularized", "penalty")
    )
    assert slope_of(damped) == pytest.approx(1.0, abs=0.15)
    assert swinging.min() > 0.3 * np.abs(rigid).max()


def test_penalty_keeps_energy():
    """Kinetic, of gravity, and of the springs k g^2 / 2: constant to the steps' error, and not without the
    last."""
    x, _, g = flown("penalty")
    scenario = double_pendulum(forms.Penalty())
    masses, inertias = zip(*((float(b.mass), np.asarray(b.inertia)) for b in scenario.bodies))
    r, v, _, w = np.split(x[:, :26], [6, 12, 20], axis=1)
    r, v, w = (field.reshape(100, 3, 2, HALVINGS) for field in (r, v, w))
    rigid = sum(
        m * (np.sum(v[:, :, k] ** 2, 1) / 2 + GRAVITY * r[:, 2, k])
        + np.einsum("til,ij,tjl->tl", w[:, :, k], j, w[:, :, k]) / 2
        for k, (m, j) in enumerate(zip(masses, inertias))
    )
    springs = np.sum(g**2, 1) * STIFFNESS / 2
    size = np.ptp(sum(m * GRAVITY * r[:, 2, k] for k, m in enumerate(masses)))
    assert np.ptp(rigid + springs, axis=0).max() < 1e-6 * size
    assert np.ptp(rigid, axis=0).min() > 1e-5 * size


# --- stiffness that is suggested


def sprung(choice, x, t=0.0) -> Any:
    """Rows, multipliers, what hangs on each row, and A M^-1 A^T, of the double pendulum."""
    scenario = double_pendulum(choice)

    mechanism = mechanism_of(scenario)
    now = instant(mechanism, t, x)
    response = elimination.response(inertias(mechanism), now.constraints)
    found = now.rows, now.multipliers, carried(mechanism), response
    return [jax.tree.map(np.asarray, field) for field in found]


def off_the_constraints() -> np.ndarray:
    rng = np.random.default_rng(331)
    return start() + 0.05 * rng.standard_normal(start().shape) * (np.arange(32) < 26)


def test_law_of_a_regularized_joint():
    choice = forms.Regularized(stiffness=3e4, torsional_stiffness=200.0, damping=50.0, torsional_damping=2.0)
    rows, lam, *_ = sprung(choice, off_the_constraints())
    force = np.array([True] * 6 + [False] * 3)
    expected = -np.where(force, 3e4, 200.0) * rows.g - np.where(force, 50.0, 2.0) * rows.gdot
    np.testing.assert_allclose(lam, expected, rtol=8 * EPS, atol=0)


def test_suggested_stiffness_and_damping():
    """k = frequency^2 m, with the mass that hangs on the axis, and damping that is critical for the axis by
    itself."""
    rows, lam, masses, response = sprung(forms.Regularized(frequency=300.0), off_the_constraints())
    damping = 2 * 300.0 * np.sqrt(masses / np.diag(response))
    expected = -(masses * 300.0**2 * rows.g + damping * rows.gdot)
    np.testing.assert_allclose(lam, expected, rtol=8 * EPS, atol=8 * EPS * np.abs(expected).max())
    rows, lam, masses, _ = sprung(forms.Penalty(frequency=300.0), off_the_constraints())
    np.testing.assert_allclose(lam, -masses * 300.0**2 * rows.g, rtol=8 * EPS, atol=0)


def test_law_of_rows_of_velocities():
    """The stiffness times gdot/frequency, whatever the damping."""
    given: Any = {"stiffness": 3e4, "torsional_stiffness": 200.0, "frequency": 50.0}
    damped = forms.Regularized(**given, damping=7.0, torsional_damping=7.0)
    for choice in (forms.Penalty(**given), forms.Regularized(**given), damped):
        x = sliding() + np.linspace(0.1, 0.2, len(sliding()))
        now = instant(mechanism_of(sledge(choice)), 0.0, x)
        expected = -np.array([3e4, 200.0]) * now.rows.gdot / 50.0
        np.testing.assert_allclose(now.multipliers, expected, rtol=8 * EPS)


def test_suggested_frequency_comes_from_the_step():
    def settled(**options) -> Any:
        return ist.Solver(**options).settled_formulation

    fixed = {"method": "rk4", "step": "2 ms"}
    assert settled(formulation="regularized", **fixed).frequency == pytest.approx(
        forms.RADIANS_PER_STEP / 2e-3
    )
    assert settled(formulation="penalty").frequency == forms.ADAPTIVE_FREQUENCY
    assert settled(formulation=forms.Penalty(frequency=70.0), **fixed).frequency == 70.0
    assert settled() == forms.LagrangeMultiplier()


@pytest.mark.parametrize("kind", ["penalty", "regularized"])
def test_baumgarte_is_refused(kind):
    with pytest.raises(ist.BadInput, match="models joints as springs"):
        ist.Solver(formulation=kind, stabilization="baumgarte")  # pyright: ignore[reportArgumentType]


# --- capture


def test_springs_catch_bodies_without_an_impulse():
    """Two bodies that fly apart are attached: velocities do not jump, and the springs make them one."""
    bodies = (
        ist.Body(name="a", mass=3, inertia=[1, 2, 2.5], initial=ist.State(angular_velocity=[0.1, 0, 0.2])),
        ist.Body(
            name="b",
            mass=1,
            inertia=[0.2, 0.3, 0.4],
            initial=ist.State(position=[1, 0, 0], velocity=[0.3, 0.1, 0]),
        ),
    )
    scenario = ist.Scenario(
        bodies=bodies,
        joints=(
            ist.Joint(
                name="hook",
                kind="fixed",
                parent="a",
                child="b",
                parent_at=[0.5, 0, 0],
                child_at=[-0.5, 0, 0],
                active=False,
            ),
        ),
        phases=(
            ist.Phase(name="free", until=ist.Trigger(time=0.1)),
            ist.Phase(name="held", until=ist.Trigger(time=0.4), attach=("hook",)),
        ),
        solver=ist.Solver(formulation=forms.Regularized(frequency=200.0)),
    )
    record = fly(scenario)
    assert any("a spring (natural frequency 200 rad/s" in line for line in record.warnings)
    held = next(row for row, event in enumerate(record.events) if event.name == "held")
    for name in "ab":
        for rate in ("velocity", "angular_velocity"):
            path = f"bodies.{name}.{rate}"
            np.testing.assert_array_equal(record.after[path][held], record.before[path][held])
    assert (record.after["joints.hook.impulse"][held] == 0).all()
    # Critically damped for 0.3 s, of which each axis needs some times 1/200 s; the bodies then spin as one.
    rate = record.series["joints.hook.violation_rate"]
    assert record.after["joints.hook.violation_rate"][held] > 0.1
    assert rate[-1] < 1e-4
    for path in ("system.momentum", "system.angular_momentum"):
        size = np.abs(record.series[path]).max()
        np.testing.assert_allclose(
            record.series[path], record.series[path][:1].repeat(len(rate), 0), rtol=0, atol=1e-8 * size
        )
