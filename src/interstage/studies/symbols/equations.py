"""Derive the matrices H2, M22 and N22 of a multibody system symbolically (P. M. Thompson, AIAA 2011-6277,
eqs 13 to 18 and section VI).

Joints connect the bodies to trees. The root of a tree is the ground, or the first body of a flying tree. The
velocities are computed from the root outward. The velocity v of a centre of mass has components along the
axes of the root. The axes of the root are inertial axes for a tree on the ground, and axes of the first body
for a flying tree. The angular velocity w of a body has components along the axes of this body:

    w_c = T^T w_p + F_c B q',   v_c = v_p - C_p tilde(r_p + F_p s) w_p + C_p F_p s' + C_c tilde(r_c) w_c,

The indices p and c are the inner and the outer body of a joint. T rotates from the axes of the outer body to
the axes of the inner body. C rotates from the axes of a body to the axes of the root. M22 = H2^T M H2 and N22
= H2^T M H2' therefore do not depend on the attitude of a root. N22 includes w x v for rotating axes. The
equations use the same rates as `interstage linearize` in body axes.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from .algebra import Algebra
from .machine import Hold, Hung, Machine


class Equations:
    """Symbolic equations of a multibody system. All matrices are object arrays of polynomials (`algebra`)."""

    def __init__(self, machine: Machine):
        self.machine, self.algebra = machine, Algebra(machine.names)
        self.symbols = [self.algebra.by_name[rate.symbol] for rate in machine.rates]
        self.turned: list[np.ndarray] = []
        """Direction cosines from the axes of each body to the axes of its root (3, 3)."""
        self.velocity: list[np.ndarray] = []
        """Velocities of centres of mass by the rates, axes of the root (3, rate)."""
        self.spin: list[np.ndarray] = []
        """Derivatives of angular velocities with respect to the rates, body axes (3, rate)."""
        self.roots: list[int] = []
        """Index of the body whose axes are the axes of the root; -1 for inertial axes."""
        for k, one in enumerate(machine.hung):
            turned, velocity, spin, root = self._of(k, one)
            self.turned.append(turned)
            self.velocity.append(velocity)
            self.spin.append(spin)
            self.roots.append(root)

    def _of(self, k: int, one: Hung) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        a, hold = self.algebra, one.hold
        if hold is None:
            velocity, spin = (a.zeros(3, len(self.symbols)) for _ in range(2))
            velocity[:, one.rates], spin[:, one.rates] = a.eye(6)[:3], a.eye(6)[3:]
            return a.eye(3), velocity, spin, k
        turned, velocity, spin, root = self._inner(hold.inner)
        on_parent, on_child = (a.elements(frame) for frame in hold.frames)
        between, axes = self._turn(hold)
        to_parent = a.product(on_parent, between, on_child.T)
        turns = a.zeros(3, len(self.symbols))
        turns[:, one.rates.stop - axes.shape[1] : one.rates.stop] = a.product(on_child, axes)
        slide, sliding = self._slide(one.rates, hold, on_parent)
        inner_arm, own_arm = (a.elements(arm) for arm in (hold.inner_arm, hold.own_arm))
        if hold.outward:
            here, w = a.product(turned, to_parent), a.each(a.product(to_parent.T, spin) + turns)
            inner_arm = inner_arm + slide
        else:
            here, w = a.product(turned, to_parent.T), a.product(to_parent, a.each(spin - turns))
            own_arm = own_arm + slide
        v = velocity - a.product(turned, a.tilde(inner_arm), spin) + a.product(here, a.tilde(own_arm), w)
        moved = a.product(turned if hold.outward else here, sliding)
        return here, a.each(v + moved if hold.outward else v - moved), w, root

    def _inner(self, inner: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Of an inner body, or the ground, what each body has."""
        if inner >= 0:
            return self.turned[inner], self.velocity[inner], self.spin[inner], self.roots[inner]
        a, count = self.algebra, len(self.symbols)
        return a.eye(3), a.zeros(3, count), a.zeros(3, count), -1

    def _slide(self, rates: slice, hold: Hold, on_parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far the joint point of the child has moved (3,), and its velocity by the rates (3, rate), both
        in the axes of the joint's parent."""
        a = self.algebra
        slide, sliding = a.zeros(3), a.zeros(3, len(self.symbols))
        for n, (axis, symbol) in enumerate(hold.slides):
            slide = slide + on_parent[:, axis] * a.by_name[symbol]
            sliding[:, rates.start + n] = on_parent[:, axis]
        return a.each(slide), sliding

    def _turn(self, hold: Hold) -> tuple[np.ndarray, np.ndarray]:
        """From the child's joint frame to the parent's (3, 3), and the axes of the free turns in the child's
        (3, turn)."""
        a = self.algebra
        if hold.turn:
            e0, *rest = (a.by_name[name] for name in hold.turn)
            e = np.array(rest, object)
            whole = a.eye(3) * (2 * e0**2 - 1) + np.outer(e, e) * 2 + a.tilde(e) * (2 * e0)
            return a.each(whole), a.eye(3)
        whole = a.eye(3)
        axes: list[np.ndarray] = []
        for axis, cosine, sine, rate in hold.angles:
            turn = self._about(axis, cosine, sine)
            whole = a.product(whole, turn)
            axes = [a.product(turn.T, before) for before in axes]
            axes += [a.eye(3)[:, axis]] if rate else []
        return whole, np.stack(axes, 1) if axes else a.zeros(3, 0)

    def _about(self, axis: int, cosine: str, sine: str) -> np.ndarray:
        a = self.algebra
        c, s = a.by_name[cosine], a.by_name[sine]
        found, (j, k) = a.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
        found[j, j] = found[k, k] = c
        found[j, k], found[k, j] = -s, s
        return found

    # --- reduced equations

    @cached_property
    def mass(self) -> np.ndarray:
        """Return the mass matrix M22 (rate, rate)."""
        return self._sum(self.velocity, self.spin)

    @cached_property
    def gyroscopic(self) -> np.ndarray:
        """Return the gyroscopic matrix N22 (rate, rate)."""
        return self._sum(self.accelerations, self.spun)

    def _sum(self, straight: list[np.ndarray], turning: list[np.ndarray]) -> np.ndarray:
        a = self.algebra
        found = a.zeros(len(self.symbols), len(self.symbols))
        for k, one in enumerate(self.machine.hung):
            mass, inertia = a.by_name[one.mass], a.elements(one.inertia)
            found = found + a.product(self.velocity[k].T, straight[k]) * mass
            found = found + a.product(self.spin[k].T, inertia, turning[k])
        return a.each(found)

    @cached_property
    def accelerations(self) -> list[np.ndarray]:
        """Return the velocity-dependent accelerations of the centres of mass, as a matrix (3, rate) for each
        body. The acceleration is the matrix times the rates.

        The components are along the axes of the root. These axes count as inertial at the time of evaluation.
        """
        a, found = self.algebra, []
        for velocity, root in zip(self.velocity, self.roots, strict=True):
            rate = self._rate(velocity)
            if root >= 0:
                w = a.product(self.spin[root], np.array(self.symbols, object))
                rate = a.each(rate + a.product(a.tilde(w), velocity))
            found.append(rate)
        return found

    @cached_property
    def spun(self) -> list[np.ndarray]:
        """Return the time derivatives of the angular-velocity matrices, (3, rate) for each body."""
        return [self._rate(spin) for spin in self.spin]

    @cached_property
    def loads(self) -> np.ndarray:
        """Return the generalized forces (rate,) of gravity and gyroscopic torques, H2^T [m g; -w x J w].

        Gravity is included only for trees on the ground. For trees that no joint connects to the ground, see
        `weights`.
        """
        a = self.algebra
        found, gravity = a.zeros(len(self.symbols)), a.elements(self.machine.gravity)
        for k, one in enumerate(self.machine.hung):
            w = a.product(self.spin[k], np.array(self.symbols, object))
            own = a.product(a.tilde(w), a.product(a.elements(one.inertia), w))
            found = found - a.product(self.spin[k].T, own)
            if self.roots[k] < 0:
                found = found + a.product(self.velocity[k].T, gravity) * a.by_name[one.mass]
        return a.each(found)

    @cached_property
    def weights(self) -> dict[int, np.ndarray]:
        """Return the generalized forces per component of gravity (rate, 3) for each flying tree, by index of
        its first body.

        The components of gravity are along the axes of this body.
        """
        a, found = self.algebra, {}
        for k, root in enumerate(self.roots):
            if root >= 0:
                own = self.velocity[k].T * a.by_name[self.machine.hung[k].mass]
                found[root] = a.each(found[root] + own) if root in found else own
        return found

    def _rate(self, array: np.ndarray) -> np.ndarray:
        return self.algebra.rate(array, self._changes)

    @cached_property
    def _changes(self) -> dict[str, Any]:
        """Rates of all symbols that change but the rates."""
        a, found = self.algebra, {}
        for one in self.machine.hung:
            hold, own = one.hold, self.symbols[one.rates]
            if hold is None:
                continue
            found |= {symbol: own[n] for n, (_, symbol) in enumerate(hold.slides)}
            for _, cosine, sine, rate in hold.angles:
                if rate:
                    found[cosine] = -a.by_name[sine] * a.by_name[rate]
                    found[sine] = a.by_name[cosine] * a.by_name[rate]
            if hold.turn:
                w = np.array(own[-3:], object)
                e0, *rest = (a.by_name[name] for name in hold.turn)
                e = np.array(rest, object)
                changes = [-(e @ w) / 2, *((w * e0 + a.tilde(e) @ w) / 2)]
                found |= dict(zip(hold.turn, changes, strict=True))
        return found
