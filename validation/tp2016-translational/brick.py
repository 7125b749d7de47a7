"""One brick on a joint to the ground, in closed form: what TP-2016 test cases 4, 5 and 7 share.

Each case hands in the motion that its joint leaves free as a function of time; the centre of mass's path and
the joint load follow by kinematics and Newton-Euler, with no differential equation solved. Everything is
computed by mpmath with 40 digits, in slug, ft, lbf, rad and s; the table that is written is SI. P is the
brick's joint point."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import mpmath
from mpmath import matrix, mp, mpf

mp.dps = 40
FT = mpf("0.3048")  # m, exact
LBF = mpf("4.4482216152605")  # N, exact
TIMES = [mpf(k / 20) for k in range(201)]  # s, the float64 sampling times


def vector(*words: str) -> matrix:
    """Decimal strings to a column."""
    return matrix([mpf(w) for w in words])


def cross(a: matrix, b: matrix) -> matrix:
    """a x b."""
    return matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def turn(axis: int, angle: mpf) -> matrix:
    """Rotation matrix about a coordinate axis (0, 1, 2): brick to inertial."""
    i, j, r = (axis + 1) % 3, (axis + 2) % 3, mpmath.eye(3)
    r[i, i] = r[j, j] = mpmath.cos(angle)
    r[j, i] = mpmath.sin(angle)
    r[i, j] = -r[j, i]
    return r


@dataclass(frozen=True)
class Free:
    """The free motion at one time: angle about the axis with its rates, and P's inertial path [ft, s]."""

    angle: mpf
    rate: mpf
    acceleration: mpf
    at: matrix
    velocity: matrix
    push: matrix  # acceleration of P


@dataclass(frozen=True)
class Brick:
    """A brick with principal axes along its own, and a force fixed in it.

    centre: centre of mass from P [ft]; force [lbf]; arm: from the centre of mass to the force's point [ft];
    axis: the coordinate axis (0, 1, 2) it may turn about; free: the free motion in closed form."""

    mass: mpf
    inertia: matrix
    centre: matrix
    force: matrix
    arm: matrix
    axis: int
    free: Callable[["Brick", mpf], Free]

    def spin(self, amount: mpf) -> matrix:
        """A vector of that amount along the axis of rotation."""
        return matrix([amount if k == self.axis else mpf(0) for k in range(3)])

    def momentum(self, w: matrix) -> matrix:
        """J w."""
        return matrix([j * x for j, x in zip(self.inertia, w)])

    def centre_at(self, t: mpf) -> matrix:
        """The centre of mass, inertial [ft]."""
        now = self.free(self, t)
        return now.at + turn(self.axis, now.angle) * self.centre

    def load(self, t: mpf) -> tuple[matrix, matrix]:
        """Joint force [lbf] and torque [ft lbf] on the brick at P, brick axes."""
        now, c = self.free(self, t), self.centre
        w, alpha = self.spin(now.rate), self.spin(now.acceleration)
        acceleration = turn(self.axis, now.angle).T * now.push + cross(alpha, c) + cross(w, cross(w, c))
        force = self.mass * acceleration - self.force
        torque = (
            self.momentum(alpha) + cross(w, self.momentum(w)) + cross(c, force) - cross(self.arm, self.force)
        )
        return mpmath.chop(force, mpf("1e-30")), mpmath.chop(torque, mpf("1e-30"))

    def row(self, t: mpf) -> list[mpf]:
        """One line of the truth, SI, in the order of `columns`."""
        now = self.free(self, t)
        r = turn(self.axis, now.angle)
        speed = now.velocity + r * cross(self.spin(now.rate), self.centre)
        attitude = [mpmath.cos(now.angle / 2), *self.spin(mpmath.sin(now.angle / 2))]
        force, torque = self.load(t)
        values = [t, *(self.centre_at(t) * FT), *(speed * FT), *attitude, *self.spin(now.rate)]
        for turned in (r, mpmath.eye(3)):
            values += [*(turned * force * LBF), *(turned * torque * LBF * FT)]
        return [*values, *(now.at * FT)]


def columns() -> list[str]:
    """Names of the table's columns; SI, inertial axes unless SOURCE.md says otherwise."""
    names = ["time"] + [f"brick.{kind}.{a}" for kind in ("position", "velocity") for a in "xyz"]
    names += [f"brick.attitude.{a}" for a in "wxyz"] + [f"brick.angular_velocity.{a}" for a in "xyz"]
    kinds = ("force", "torque", "force_child", "torque_child", "displacement")
    return names + [f"joint.{kind}.{a}" for kind in kinds for a in "xyz"]


def rates(function: Callable[[mpf], matrix], t: mpf, order: int) -> matrix:
    """Derivative of a vector function of time, by differences with 40 digits."""
    return matrix([mpmath.diff(lambda time, k=k: function(time)[k], t, order) for k in range(3)])


def check(brick: Brick) -> None:
    """Newton and Euler at a few times, from the path's numerical derivatives."""

    def spun(t: mpf) -> matrix:
        now = brick.free(brick, t)
        return turn(brick.axis, now.angle) * brick.momentum(brick.spin(now.rate))

    worst = [mpf(0), mpf(0)]
    for t in [mpf(k) / 7 + mpf("0.01") for k in range(0, 70, 9)]:
        r = turn(brick.axis, brick.free(brick, t).angle)
        force, torque = brick.load(t)
        moment = torque - cross(brick.centre, force) + cross(brick.arm, brick.force)
        pulled = brick.mass * rates(brick.centre_at, t, 2) - r * (force + brick.force)
        turned = rates(spun, t, 1) - r * moment
        left = (mpmath.norm(pulled) / mpmath.norm(force), mpmath.norm(turned) / mpmath.norm(torque))
        worst = [max(pair) for pair in zip(worst, left)]
    print(
        f"Newton to {mpmath.nstr(worst[0], 2)} of the joint force, Euler to {mpmath.nstr(worst[1], 2)}",
        end=" ",
    )
    print("of its torque")


def make(folder: Path, brick: Brick) -> None:
    """Write truth.csv with 17 significant digits; print the checks for `--check`."""
    lines = [",".join(columns())]
    lines += [",".join(f"{float(x):.17g}" for x in brick.row(t)) for t in TIMES]
    (folder / "truth.csv").write_text("\n".join(lines) + "\n")
    end, load = brick.free(brick, TIMES[-1]), brick.load(TIMES[-1])
    print(
        f"angle {float(end.angle):.6f} rad, rate {float(end.rate):.6f} rad/s, angular acceleration", end=" "
    )
    print(f"{float(end.acceleration):.6f} rad/s^2 at 10 s; joint point {[float(x) for x in end.at]} ft")
    print(f"load in brick axes {[float(x) for x in load[0]]} lbf, {[float(x) for x in load[1]]} ft lbf")
    if "--check" in sys.argv:
        check(brick)
