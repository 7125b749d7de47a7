"""The constraints and forces of AIAA 2011-6277, sections IV and V, each beside the paper's own equations,
which are written out here: Table 2 with eqs 5, 9, 14, 15 and 19, and the generalized forces. States are
drawn, and move; nothing is compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import instant, mechanism_of, packed, quantities, share
from interstage.reading import loads
from mechanics import COAST, EPS, drawn_body

ROUNDED = 1e4 * EPS
"""Of the largest: products and solutions of some dozens of terms of bodies whose masses differ by 5."""
I3, O3 = np.eye(3), np.zeros((3, 3))


def tilde(a):
    """The matrix of a x."""
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])


def about(axis, angle):
    """Turn by an angle about a unit vector."""
    return Rotation.from_rotvec(angle * np.asarray(axis)).as_matrix()


def near(found, truth, scale=0.0):
    truth = np.asarray(truth)
    bound = ROUNDED * max(float(np.max(np.abs(truth), initial=0.0)), scale)
    np.testing.assert_allclose(found, truth, rtol=0, atol=bound)


# --- section IV: constraints


class Entry(NamedTuple):
    """A row of Table 2: the joint that says it, what of it holds (point, turns: "", "perpendicular",
    "parallel"), and the angle between the two axes [rad]."""

    kind: Any
    options: dict[str, Any]
    point: bool
    turns: str
    angle: float = np.pi / 2


TABLE_2 = {
    "spherical": Entry("spherical", {}, True, ""),
    "perpendicular": Entry("generalized", {"locked": ("rx",)}, False, "perpendicular"),
    "perpendicular, held at 70 deg": Entry(
        "generalized", {"locked": ("rx",), "angle": np.radians(70)}, False, "perpendicular", np.radians(70)
    ),
    "parallel": Entry("generalized", {"locked": ("rx", "ry")}, False, "parallel"),
    "spherical + perpendicular": Entry("universal", {"axes": "yz"}, True, "perpendicular"),
    "spherical + perpendicular, held at 30 deg": Entry(
        "universal", {"axes": "yz", "angle": np.radians(30)}, True, "perpendicular", np.radians(30)
    ),
    "spherical + parallel": Entry("revolute", {"axis": "z"}, True, "parallel"),
}


class Two:
    """Two drawn bodies b and c on an entry, in motion, and its terms as Table 2 has them: Phi_q, H1, H2, H2',
    of q' = [v_b, w_b, v_c, w_c]."""

    def __init__(self, entry: Entry, seed: int, at: Any = None):
        self.entry, self.at = entry, at  # the two angles, where they are not drawn
        rng = self.rng = np.random.default_rng(seed)
        self.bodies = [drawn_body(rng, name, initial=ist.State()) for name in "bc"]
        self.frames = Rotation.random(2, rng=rng)
        frame_b, frame_c = self.frames.as_matrix()
        self.p, self.s = rng.uniform(-1, 1, (2, 3))
        # g and h are fixed in b, f in c: of ay.bz, of axes yz, and of what turns about z.
        self.g, self.f = frame_b[:, 1], frame_c[:, 2]
        self.gh = frame_b[:, :2]
        self.turn_b = Rotation.random(rng=rng).as_matrix()
        self.turn_c = self.turn_b @ self._relative(frame_b, frame_c)
        self.r_b = rng.uniform(-1, 1, 3)
        self.arm_p = self.p - self.bodies[0].mass_centre
        self.arm_s = self.s - self.bodies[1].mass_centre
        apart = np.zeros(3) if entry.point else rng.uniform(-1, 1, 3)
        self.r_c = self.r_b + self.turn_b @ self.arm_p - self.turn_c @ self.arm_s + apart
        self._terms()

    def _relative(self, frame_b, frame_c):
        """c's components to b's, such that the entry holds."""
        if not self.entry.turns:
            turn = Rotation.random(rng=self.rng)
            self.angles = turn.as_euler("XYZ")
            return frame_b @ turn.as_matrix() @ frame_c.T
        first, last = self.angles = self.rng.uniform(-3, 3, 2) if self.at is None else np.array(self.at)
        tilt = about([1, 0, 0], self.entry.angle - np.pi / 2)  # of z from y
        if self.entry.turns == "parallel":
            return frame_b @ about([0, 0, 1], last) @ frame_c.T
        return frame_b @ about([0, 1, 0], first) @ tilt @ about([0, 0, 1], last) @ frame_c.T

    def _terms(self):
        """What of the entry the equations are made of: axes B and directions Y, and rates that are drawn."""
        turns = self.entry.turns
        self.a_cb = a_cb = self.turn_c.T @ self.turn_b
        self.beta_p, self.beta_s = self.turn_b @ tilde(self.arm_p), self.turn_c @ tilde(self.arm_s)
        self.to_point = np.hstack([I3, -self.beta_p, -I3, self.beta_s])
        if turns == "parallel":
            self.axes, self.y = self.f[:, None], tilde(self.f) @ a_cb @ self.gh
        elif turns == "perpendicular":
            self.axes = np.stack([self.f, a_cb @ self.g], 1)
            self.y = (tilde(self.f) @ a_cb @ self.g)[:, None]
        else:
            self.axes, self.y = I3, np.zeros((3, 0))
        free = self.axes.shape[1]
        # By v_b, w_b and the rates, of c's angular velocity below.
        self.of_w = np.hstack([O3, I3, np.zeros((3, free))])
        self.of_c = np.hstack([O3, a_cb, self.axes]) if turns else np.hstack([O3, O3, I3])
        self.rates = self.rng.standard_normal(6 + free)
        self.w_b, self.w_c = self.of_w @ self.rates, self.of_c @ self.rates
        self.a_cb_rate = -tilde(self.w_c - a_cb @ self.w_b) @ a_cb
        self._transformation(free)
        self._jacobian()

    def _transformation(self, free):
        """H2 and its rate, and the velocities."""
        of_v, of_w, of_c = np.hstack([I3, np.zeros((3, 3 + free))]), self.of_w, self.of_c
        axes_rate = np.zeros((3, free))
        if self.entry.turns == "perpendicular":
            axes_rate[:, 1] = self.a_cb_rate @ self.g
        of_c_rate = np.hstack([O3, self.a_cb_rate if self.entry.turns else O3, axes_rate])
        if self.entry.point:
            beta_p_rate = self.turn_b @ tilde(self.w_b) @ tilde(self.arm_p)
            beta_s_rate = self.turn_c @ tilde(self.w_c) @ tilde(self.arm_s)
            of_vc = of_v - self.beta_p @ of_w + self.beta_s @ of_c
            of_vc_rate = -beta_p_rate @ of_w + beta_s_rate @ of_c + self.beta_s @ of_c_rate
            self.h2 = np.vstack([of_v, of_w, of_vc, of_c])
            self.h2_rate = np.vstack([0 * of_v, 0 * of_w, of_vc_rate, of_c_rate])
        else:  # c's velocity is one more of the reduced ones
            own = np.vstack([np.zeros((6, 3)), I3, O3])
            self.h2 = np.hstack([np.vstack([of_v, of_w, 0 * of_v, of_c]), own])
            self.h2_rate = np.hstack([np.vstack([0 * of_v, 0 * of_w, 0 * of_v, of_c_rate]), 0 * own])
            self.rates = np.append(self.rates, self.rng.standard_normal(3))
        self.v_b, self.v_c = (self.h2 @ self.rates)[:3], (self.h2 @ self.rates)[6:9]

    def _jacobian(self):
        """Phi_q and its right inverse H1."""
        y, point = self.y, self.entry.point
        own, zero = y @ np.linalg.inv(y.T @ y), np.zeros((3, y.shape[1]))
        jacobian, right = [np.zeros((0, 12))], [np.zeros((12, 0))]
        if point:
            jacobian.append(self.to_point)
            right.append(np.vstack([O3, O3, -I3, O3]))
        if self.entry.turns:
            jacobian.append(np.hstack([zero.T, -y.T @ self.a_cb, zero.T, y.T]))
            right.append(np.vstack([zero, zero, self.beta_s @ own if point else zero, own]))
        self.jacobian, self.h1 = np.vstack(jacobian), np.hstack(right)

    @property
    def ends(self) -> dict[str, Any]:
        """Bodies and frames of what is between them."""
        said = [ist.Attitude(quaternion=q) for q in self.frames.as_quat(scalar_first=True)]
        return {"parent": "b", "child": "c", "parent_frame": said[0], "child_frame": said[1]}

    @property
    def scenario(self) -> ist.Scenario:
        """The same in Interstage, with drawn loads."""
        joint = ist.Joint(
            name="j",
            kind=self.entry.kind,
            parent_at=self.p,
            child_at=self.s,
            **self.ends,
            **self.entry.options,
        )
        forces = []
        for body in self.bodies:
            at, on = body.mass_centre, body.name
            force, torque = np.random.default_rng(len(forces)).normal(size=(2, 3))
            forces += [
                ist.Force(name=f"push_{on}", body=on, at=at, force=10 * force, axes="inertial"),
                ist.Torque(name=f"turn_{on}", body=on, torque=torque),
            ]
        return ist.Scenario(bodies=self.bodies, joints=(joint,), forces=forces, phases=COAST)

    def found(self, *forces: Any):
        """Interstage's instant of this state, with other forces where some are given."""
        scenario = self.scenario
        if forces:
            scenario = scenario.model_copy(update={"forces": forces})
        q = Rotation.from_matrix([self.turn_b, self.turn_c]).as_quat(scalar_first=True).T
        r, v = np.stack([self.r_b, self.r_c], 1), np.stack([self.v_b, self.v_c], 1)
        state = packed(r, v, q, np.stack([self.w_b, self.w_c], 1))
        lengths = [one.free_length for one in forces if isinstance(one, ist.Spring)]
        return instant(mechanism_of(scenario, springs=lengths), 0.0, state)

    def loads(self):
        """M and Q of Newton's and Euler's equations (eq 1), the gyroscopic torque included."""
        mass = np.zeros((12, 12))
        given = []
        for k, (body, w) in enumerate(zip(self.bodies, (self.w_b, self.w_c), strict=True)):
            inertia = np.asarray(body.inertia)
            mass[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * I3
            mass[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia
            force, torque = np.random.default_rng(2 * k).normal(size=(2, 3))
            given += [10 * force, torque - tilde(w) @ inertia @ w]
        return mass, np.concatenate(given)


@pytest.mark.parametrize("name", TABLE_2)
def test_constraints_of_table_2(name):
    """Phi_q H2 = 0 and Phi_q H1 = I (eqs 5 and 9); accelerations by the reduced equations (eqs 14 and 15);
    the loads of the joint by eq 19."""
    two = Two(TABLE_2[name], 300 + list(TABLE_2).index(name))
    near(two.jacobian @ two.h2, np.zeros((len(two.jacobian), two.h2.shape[1])), 1.0)
    near(two.jacobian @ two.h1, np.eye(len(two.jacobian)))
    mass, given = two.loads()
    reduced = two.h2.T @ mass @ two.h2
    second = np.linalg.solve(reduced, two.h2.T @ (given - mass @ two.h2_rate @ two.rates))
    acceleration = two.h2 @ second + two.h2_rate @ two.rates
    here = two.found()
    found = np.asarray(here.acceleration)
    scale = np.max(np.abs(two.h2_rate @ two.rates))
    near(np.concatenate([found[:, 0], found[:, 1]]), acceleration, scale)
    # The paper has M q'' + Phi_q^T lambda = Q: the load on c is minus that.
    multipliers = two.h1.T @ (given - mass @ acceleration)
    force, torque = np.zeros(3), -two.y @ multipliers[3 * two.entry.point :]
    if two.entry.point:
        force = multipliers[:3]
    told = quantities(here, "joints.j.force", "joints.j.torque_child")
    frame_b, frame_c = two.frames.as_matrix()
    big = np.max(np.abs(mass @ acceleration))
    near(told["joints.j.force"], (two.turn_b @ frame_b).T @ force, big)
    near(told["joints.j.torque_child"], frame_c.T @ torque, big)


def test_a_point_on_a_line_and_in_a_plane():
    """X^T Phi of the spherical constraint, X fixed in the inertial frame: a body on a line, or in a plane, of
    the ground. v = beta_s w + X' s' with the free directions X'."""
    for n, free in enumerate((1, 2)):
        rng = np.random.default_rng(310 + n)
        body = drawn_body(rng, "c", initial=ist.State())
        frame, turn = Rotation.random(rng=rng), Rotation.random(rng=rng)
        at, own = rng.uniform(-1, 1, (2, 3))
        x, along = np.split(frame.as_matrix(), [3 - free], axis=1)  # held, and free
        a, arm = turn.as_matrix(), own - body.mass_centre
        said = ist.Attitude(quaternion=frame.as_quat(scalar_first=True))
        joint = ist.Joint(
            name="j", kind="generalized", locked=("tx", "ty")[: 3 - free], parent="ground", child="c",
            parent_at=at, child_at=own, parent_frame=said,
        )  # fmt: skip
        rates = rng.standard_normal(3 + free)
        w = rates[:3]
        h2 = np.vstack([np.hstack([a @ tilde(arm), along]), np.hstack([I3, np.zeros((3, free))])])
        h2_rate = np.zeros_like(h2)
        h2_rate[:3, :3] = a @ tilde(w) @ tilde(arm)
        jacobian = x.T @ np.hstack([-I3, a @ tilde(arm)])
        near(jacobian @ h2, np.zeros((3 - free, 3 + free)), 1.0)
        push = ist.Force(name="push", body="c", at=[0.3, -0.2, 0.5], force=[3, 5, -4])
        scenario = ist.Scenario(bodies=(body,), joints=(joint,), forces=(push,), phases=COAST)
        r = at + along @ rng.uniform(-1, 1, free) - a @ arm
        v = h2[:3] @ rates
        state = packed(*(np.stack([part], 1) for part in (r, v, turn.as_quat(scalar_first=True), w)))
        here = instant(mechanism_of(scenario), 0.0, state)
        inertia = np.asarray(body.inertia)
        mass = np.block([[body.mass * I3, O3], [O3, inertia]])
        # A point force (section V): [A F; r x F].
        torque = tilde([0.3, -0.2, 0.5] - body.mass_centre) @ [3, 5, -4]
        given = np.concatenate([a @ [3, 5, -4], torque - tilde(w) @ inertia @ w])
        second = np.linalg.solve(h2.T @ mass @ h2, h2.T @ (given - mass @ h2_rate @ rates))
        near(np.asarray(here.acceleration)[:, 0], h2 @ second + h2_rate @ rates)
        multipliers = np.linalg.pinv(jacobian).T @ (given - mass @ (h2 @ second + h2_rate @ rates))
        force = quantities(here, "joints.j.force")["joints.j.force"]
        near(force, np.append(multipliers, np.zeros(free)), np.max(np.abs(given)))


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_bodies_held_at_30_deg(kind):
    """Frames of a joint that are turned by 30 deg: accelerations and loads of bodies that move, by Newton's
    and Euler's equations of each."""
    two = Two(Entry("revolute", {"axis": "z"}, True, "parallel"), 320)
    two.entry = Entry(kind, {}, True, "parallel")
    two.frames = Rotation.concatenate([Rotation.identity(), Rotation.from_euler("Y", -30, degrees=True)])
    frame_c = two.frames[1].as_matrix()
    spin = 0.0 if kind == "fixed" else 0.9
    two.turn_c = two.turn_b @ frame_c.T
    near(np.degrees(np.arccos(two.turn_b[:, 0] @ two.turn_c[:, 0])), 30.0)
    two.w_c = frame_c @ (two.w_b + np.array([0, 0, spin]))
    two.r_c = two.r_b + two.turn_b @ two.arm_p - two.turn_c @ two.arm_s
    at_point = two.v_b + two.turn_b @ np.cross(two.w_b, two.arm_p)
    two.v_c = at_point - two.turn_c @ np.cross(two.w_c, two.arm_s)
    here = two.found()
    told = quantities(here, "joints.j.force", "joints.j.torque")
    force, torque = two.turn_b @ told["joints.j.force"], two.turn_b @ told["joints.j.torque"]
    mass, given = two.loads()
    on_b, on_c = -two.turn_b.T @ force, two.turn_c.T @ force
    held = [
        -force,
        np.cross(two.arm_p, on_b) - two.turn_b.T @ torque,
        force,
        np.cross(two.arm_s, on_c) + two.turn_c.T @ torque,
    ]
    found = np.asarray(here.acceleration)
    whole = np.concatenate([found[:, 0], found[:, 1]])
    near(mass @ whole, given + np.concatenate(held))
    # Accelerations of the common point, and of the turns against each other.
    ends = []
    for k, (turn, w, arm) in enumerate(((two.turn_b, two.w_b, two.arm_p), (two.turn_c, two.w_c, two.arm_s))):
        turned = np.cross(found[3:, k], arm) + np.cross(w, np.cross(w, arm))
        ends.append(found[:3, k] + turn @ turned)
    near(ends[0], ends[1])
    relative = frame_c.T @ found[3:, 1] - found[3:, 0] - tilde(two.w_b) @ [0, 0, spin]
    near(relative[: 3 if kind == "fixed" else 2], np.zeros(3)[: 3 if kind == "fixed" else 2], 10.0)
    near(told["joints.j.torque"][2] * (kind == "revolute"), 0.0, np.max(np.abs(told["joints.j.torque"])))


# --- section V: generalized forces


def test_translational_spring_damper():
    """Q = d_q^T f u, here with the sign by which a stretched one pulls its ends together."""
    two = Two(TABLE_2["parallel"], 330)
    spring = ist.Spring(
        name="s", parent="b", child="c", parent_at=two.p, child_at=two.s, stiffness=40.0, damping=3.0,
        free_length=0.4,
    )  # fmt: skip
    line = two.r_b + two.turn_b @ two.arm_p - two.r_c - two.turn_c @ two.arm_s
    length = np.linalg.norm(line)
    velocity = np.concatenate([two.v_b, two.w_b, two.v_c, two.w_c])
    pull = 40.0 * (length - 0.4) + 3.0 * (line / length) @ two.to_point @ velocity
    near(share(two.found(spring), "springs").T.ravel(), -two.to_point.T @ line / length * pull)


ANGLES = {
    "one axis": ("spherical + parallel", None),
    "two axes": ("spherical + perpendicular", (0.7, -1.1)),
    "two axes, the second at 90 deg": ("spherical + perpendicular", (0.7, np.pi / 2)),
    "two axes, the second at -90 deg": ("spherical + perpendicular", (-2.0, -np.pi / 2)),
    "two axes, the second at 150 deg": ("spherical + perpendicular", (2.9, np.radians(150))),
    "two axes, held at 30 deg": ("spherical + perpendicular, held at 30 deg", (-1.0, 2.0)),
    "three axes": ("spherical", None),
}


@pytest.mark.parametrize("name", ANGLES)
def test_rotational_spring_dampers(name):
    """Q = theta_q^T n with theta_q = B^+ [0, -A, 0, I], again with the sign that brings back."""
    entry, at = ANGLES[name]
    two = Two(TABLE_2[entry], 340 + len(name), at)
    turns, frame_c = two.entry.turns, two.frames[1].as_matrix()
    stiffness, damping, free = (
        np.array([7.0, 5.0, 3.0]),
        np.array([0.4, 0.9, 0.6]),
        np.array([0.2, -0.3, 0.1]),
    )
    if turns == "parallel":
        sequence, angles, axes = "3", two.angles[1:], two.axes
    elif turns == "perpendicular":
        sequence, angles, axes = "2-3", two.angles, two.axes[:, ::-1]
    else:
        _, second, third = two.angles
        last = about([0, 0, 1], third).T
        columns = [last @ about([0, 1, 0], second).T @ [1, 0, 0], last @ [0, 1, 0], [0, 0, 1]]
        sequence, angles, axes = "1-2-3", two.angles, frame_c @ np.transpose(columns)
    n = len(angles)
    k, c, free = stiffness[:n], damping[:n], free[:n]
    spring = ist.TorsionSpring(
        name="t", sequence=sequence, stiffness=k, damping=c, free_angles=free, **two.ends
    )
    to_rates = np.linalg.pinv(axes) @ np.hstack([O3, -two.a_cb, O3, I3])
    velocity = np.concatenate([two.v_b, two.w_b, two.v_c, two.w_c])
    given = -to_rates.T @ (k * (angles - free) + c * (to_rates @ velocity))
    here = two.found(spring)
    near(quantities(here, "forces.t.angle")["forces.t.angle"], angles)
    near(share(here, "torsion").T.ravel(), given)


PUSHED = """
[bodies.a]
mass = 4
mass_centre = [0.2, -0.1, 0.3]
inertia = [2, 3, 4]
initial = { attitude = { euler = "3-2-1", angles = "[30, 40, 50] deg" } }
[engines.main]
kind = "engine"
body = "a"
at = [-1.1, 0.2, 0]
thrust = 50
massless = true
ignited = true
gimbal = { pitch = "controls.hold.y", yaw = "controls.hold.z" }
[controls.hold]
kind = "rate"
body = "a"
gain = 0.5
[forces.wheel]
kind = "torque"
body = "a"
torque = [0.1, -0.2, 0.3]
[phases.fly]
until = { time = "1 s" }
"""


def test_thrust_and_control_torques():
    """Point forces and torques (section V) of an engine that a law turns: what they do, their slopes by
    thrust and command, and what the law makes of rates. Axes of the body."""
    inputs = ["engines.main.thrust", "controls.hold", "forces.wheel.torque"]
    linear: Any = loads(PUSHED).linearize(inputs=inputs)
    arm, inverse = np.array([-1.3, 0.3, -0.3]), np.diag([1 / 2, 1 / 3, 1 / 4])
    # Along x; a pitch about y turns it to -z, a yaw about z to y.
    force = np.stack([[1.0, 0, 0], [0, 0, 0], [0, 0, -50], [0, 50, 0]], 1)
    pushes = np.hstack([force / 4, O3]), inverse @ np.hstack([np.cross(arm, force.T).T, I3])
    near(linear.B[6:9], pushes[0])
    near(linear.B[9:12], pushes[1])
    near(linear.rates[6:9], [50 / 4, 0, 0])
    near(linear.rates[9:12], inverse @ (tilde(arm) @ [50, 0, 0] + [0.1, -0.2, 0.3]))
    near(linear.A[9:12, 9:12], -0.5 * pushes[1][:, 1:4])
