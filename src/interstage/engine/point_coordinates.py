"""Flight as one point mass (3-DOF): the stepper integrates the common centre of mass. All other modules use
states of the mechanism, with all bodies around the point in the attitude that guidance commands.

The stepped state has the point's offset from the local origin [m], its velocity relative to the origin [m/s],
and position and velocity of the origin, 3 components each. The states of models follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.vectors import add_axes, cross, norm
from .flow import Flow
from .here import Here
from .mechanism import Discrete, rounding_change
from .point import PointHere, drift, point_of, stood


class PointFlow(Flow):
    """Hybrid system of one scenario whose bodies fly as a point mass; see `stepper.problem.Hybrid`. The
    module describes the stepped state.
    """

    def own(self, t, x, discrete: Discrete):
        """Convert the state x of the mechanism to the stepped state of the point."""
        mechanism = self.mechanism
        place, velocity = point_of(mechanism, x, discrete)
        _, _, _, _, origin, origin_velocity = mechanism.split(x)
        return jnp.concatenate([place, velocity, origin, origin_velocity, mechanism.trailing_state(x)])

    def ordinary(self, t, x, discrete: Discrete):
        """Convert the stepped state x of the point to the state of the mechanism at time t [s]."""
        return self.here(t, x, discrete).x

    def error_form(self, x, attitude: Any = (0.0, 0.0, 0.0, 0.0)):
        """Return a stepped state of the point, or an error of such a state, in the shape of a mechanism
        state.

        The columns of the first body have the offset and velocity of the point; the columns of other bodies
        are zero. attitude (4,): entries of all quaternions. Default: zeros.
        """
        place, velocity, origin, origin_velocity, behind = split_state(x)
        n, lanes = self.mechanism.layout.count, place.shape[1:]
        others = jnp.zeros((3, n - 1, *lanes))
        r, v = (jnp.concatenate([part[:, None], others], 1) for part in (place, velocity))
        q = jnp.broadcast_to(add_axes(jnp.asarray(attitude), 2 + len(lanes)), (4, n, *lanes))
        return self.mechanism.pack(r, v, q, jnp.zeros_like(r), origin, origin_velocity, behind)

    def here(self, t, x, discrete: Discrete, shaken: Any = None) -> Here:
        """Return the values at one time for a stepped state x of the point; see `Flow.here`."""
        if shaken is not None:
            x = jnp.where(shaken, self._shaken(x), x)
        place, velocity, *origin, behind = split_state(x)
        return stood(self.mechanism, t, place, velocity, origin, behind, discrete)

    def _shaken(self, x):
        """An own state that is changed within its possible rounding."""
        *vectors, behind = split_state(x)
        length, speed, _ = self.mechanism.scales()
        pairs = zip(vectors, (length, speed) * 2, strict=True)
        sizes = [jnp.broadcast_to(scale + norm(vector), vector.shape) for vector, scale in pairs]
        own = self.mechanism.sizes_of(behind)
        return x + rounding_change(jnp.concatenate([*sizes, own]))

    def rate(self, here: Here, x):
        """Return the time derivative of a stepped state x of the point: the acceleration is the sum of all
        forces divided by the total mass.

        If the common centre of mass moves relative to the structures at c, the position changes at v + c. The
        velocity then changes at a + w x c, as for single bodies (`Mechanism.slope`).
        """
        assert isinstance(here, PointHere)
        mechanism = here.equations
        place, velocity, origin, origin_velocity, behind = split_state(x)
        second, moved = here.pull, drift(here, place)
        if moved is not None:
            velocity, second = velocity + moved, second + cross(here.motion.spin[:, 0], moved)
        rates = mechanism.rates_behind(here, here.acceleration)
        rates = jnp.zeros_like(behind) if rates is None else rates
        # In the shape of offsets of bodies, so that what their weights need of it is there once.
        fall = mechanism.fall(here.t, origin[:, None])[:, 0]
        return jnp.concatenate([velocity, second, origin_velocity, fall, rates])

    def _project(self, t, x, discrete: Discrete):
        """The end of a step, with its local origin near the point."""
        mechanism, x = self.mechanism, self.error_form(x, rotations.IDENTITY)
        r = mechanism.split(x)[0]
        roots = add_axes(np.arange(r.shape[1]) == 0, r.ndim - 1)
        roots = jnp.broadcast_to(jnp.asarray(roots), r.shape[1:])
        x = mechanism.rebase(mechanism.normalize_state(x), mechanism.scenario.gravity, roots)
        r, v, _, _, origin, origin_velocity = mechanism.split(x)
        return jnp.concatenate([r[:, 0], v[:, 0], origin, origin_velocity, mechanism.trailing_state(x)])

    def fire(self, t, x, discrete: Discrete, hit, measured):
        """Return the stepped state of the point and the switches after events; see `Flow.fire`.

        The commanded attitude is computed again here. In each stage of a step, this would take a quarter of
        the time.
        """
        found, after = super().fire(t, self.ordinary(t, x, discrete), discrete, hit, measured)
        return self.own(t, found, after), after


def split_state(x) -> tuple[Any, ...]:
    """Return the components of a stepped state of the point: offset and velocity of the point, position and
    velocity of the local origin (3, *cases) each, and the states that follow.
    """
    return x[:3], x[3:6], x[6:9], x[9:12], x[12:]
