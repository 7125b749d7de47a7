"""Attitudes against SciPy's Rotation, which is scalar last and knows nothing of this package."""

from __future__ import annotations

import itertools

import jax
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.maths import rotations
from interstage.model.frames import Attitude
from interstage.programs.program import configure
from interstage.runs.run import fly

configure()
EPS = np.finfo(float).eps
ROUNDING = 32 * EPS
"""Components of unit quaternions and rotation matrices: a dozen products and sums of numbers up to one."""
SEQUENCES = ["-".join(s) for s in itertools.product("123", repeat=3) if s[0] != s[1] != s[2]]


def drawn(count, seed):
    return Rotation.random(count, rng=np.random.default_rng(seed))


def scalar_first(rotation):
    """Quaternions (4, n)."""
    return rotation.as_quat(scalar_first=True).T


def matrices(rotation):
    """Matrices (3, 3, n)."""
    return np.moveaxis(rotation.as_matrix(), 0, -1)


def same_attitude(found, expected):
    """Quaternions are equal up to their sign."""
    np.testing.assert_allclose(np.abs(np.sum(np.asarray(found) * expected, 0)), 1, rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(
        rotations.matrix_of(found), rotations.matrix_of(expected), rtol=0, atol=2 * ROUNDING
    )


def test_matrix_product_and_inverse():
    a, b = drawn(50, 2), drawn(50, 3)
    qa, qb = scalar_first(a), scalar_first(b)
    np.testing.assert_allclose(rotations.matrix_of(qa), matrices(a), rtol=0, atol=ROUNDING)
    same_attitude(rotations.multiply(qa, qb), scalar_first(a * b))
    same_attitude(rotations.conjugate(qa), scalar_first(a.inv()))
    np.testing.assert_allclose(np.sum(rotations.unit_quaternion(3 * qa) ** 2, 0), 1, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angle_sequences_are_body_fixed(sequence):
    angles = np.random.default_rng(4).uniform(-3, 3, (3, 20))
    letters = sequence.replace("-", "").translate(str.maketrans("123", "XYZ"))
    expected = Rotation.from_euler(letters, angles.T)  # capital letters: body-fixed
    same_attitude(rotations.of_sequence(sequence, angles), scalar_first(expected))
    declared = Attitude(euler=sequence, angles=angles[:, 0])
    same_attitude(np.asarray(rotations.quaternion_of(declared))[:, None], scalar_first(expected)[:, :1])


def test_123_angles_of_a_matrix():
    angles = np.random.default_rng(5).uniform(-1, 1, (3, 50)) * np.array([[3.1], [1.5], [3.1]])
    matrix = matrices(Rotation.from_euler("XYZ", angles.T))
    # Near the middle angle's 90 deg its cosine (here at least 0.07) divides the roundings.
    found = rotations.angles_123(matrix)
    np.testing.assert_allclose(found, angles, rtol=0, atol=ROUNDING / np.cos(1.5))


def test_angles_of_the_other_sequence():
    angles = np.random.default_rng(7).uniform(-1.5, 1.5, (3, 50))
    turn = Rotation.from_euler("YZX", angles.T).as_matrix()
    found = rotations.angles_231(np.moveaxis(turn, 0, -1))
    np.testing.assert_allclose(found, angles[[2, 0, 1]], atol=1e-12)


def test_quaternion_of_a_matrix_on_every_branch():
    """Half turns and nearly half turns about each axis, small ones, and any: each square is once the
    largest."""
    rng = np.random.default_rng(6)
    axes = np.concatenate([np.eye(3), rng.standard_normal((20, 3))])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turns = [Rotation.from_rotvec(angle * axes) for angle in (0, 1e-9, 1.0, 3.0, np.pi - 1e-9, np.pi)]
    whole = Rotation.concatenate(turns)
    largest = np.argmax(np.abs(scalar_first(whole)), 0)
    assert set(largest) == {0, 1, 2, 3}
    same_attitude(rotations.quaternion_of_matrix(matrices(whole)), scalar_first(whole))


def test_rate_is_the_derivative_of_a_steady_turn():
    """q(t) = q0 exp(w t / 2) for an angular velocity that is constant in body axes."""
    q0 = scalar_first(drawn(10, 7))
    w = np.random.default_rng(8).standard_normal((3, 10))
    rate = np.linalg.norm(w, axis=0)

    def attitude(t):
        half = 0.5 * rate * t
        turn = jax.numpy.concatenate([jax.numpy.cos(half)[None], jax.numpy.sin(half) * w / rate])
        return rotations.multiply(q0, turn)

    q, qdot = jax.jvp(attitude, (0.7,), (1.0,))
    # Rates of up to about 4 rad/s multiply the roundings.
    np.testing.assert_allclose(rotations.rate(q, w), qdot, rtol=0, atol=4 * ROUNDING)


def test_small_turn_is_right_to_third_order():
    """The turn made is 2 atan(angle/2) about the right axis: angle^3/12 short."""
    q0 = scalar_first(drawn(4, 9))
    direction = np.random.default_rng(10).standard_normal((3, 4))
    direction /= np.linalg.norm(direction, axis=0)
    for angle in (1e-1, 1e-2, 1e-4):
        q = rotations.rotate_slightly(q0, angle * direction)
        exact = Rotation.from_quat(q0.T, scalar_first=True) * Rotation.from_rotvec(angle * direction.T)
        missing = (exact.inv() * Rotation.from_quat(np.asarray(q).T, scalar_first=True)).as_rotvec().T
        expected = (2 * np.arctan(angle / 2) - angle) * direction
        np.testing.assert_allclose(missing, expected, rtol=0, atol=2 * ROUNDING)
        np.testing.assert_allclose(np.sum(np.square(q), 0), 1, rtol=0, atol=ROUNDING)


def test_declared_attitudes_agree():
    turn = drawn(1, 11)[0]
    q = turn.as_quat(scalar_first=True)
    expected = scalar_first(drawn(1, 11))
    forms = (
        Attitude(quaternion=q),
        Attitude(matrix=turn.as_matrix()),
        Attitude(matrix=turn.as_matrix().T, inertial_to_body=True),
        Attitude(euler="3-2-1", angles=turn.as_euler("ZYX")),
        Attitude(euler="3-1-3", angles=turn.as_euler("ZXZ")),
    )
    for form in forms:
        same_attitude(np.asarray(rotations.quaternion_of(form))[:, None], expected)
    np.testing.assert_array_equal(rotations.quaternion_of(None), [1, 0, 0, 0])


def test_a_turn_about_y_goes_all_the_way_round():
    """A hinge about y passes 100 deg, where the middle one of the 1-2-3 angles folds back."""
    swung = ist.ThroughJoint(through="hinge", relative_angular_velocity=[0, 1, 0])
    bodies = tuple(
        ist.Body(name=name, mass=2.0, inertia=[1, 1.2, 1.5], initial=start)
        for name, start in (("a", ist.State()), ("b", swung))
    )
    hinge = ist.Joint(name="hinge", kind="revolute", axis="y", parent="a", child="b")
    phases = (
        ist.Phase(name="turn", until=ist.Trigger(quantity="joints.hinge.rotation.y", reaches="100 deg")),
    )
    record = fly(ist.Scenario(bodies=bodies, joints=(hinge,), phases=phases))
    assert record.events[-1].time == pytest.approx(np.radians(100), abs=1e-9)
