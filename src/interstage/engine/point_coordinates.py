"""Flight as one mass point (3-DOF): the stepper integrates the common mass centre, and everything else sees
ordinary states, with all bodies around it in the attitude that guidance asks for.

Own states have the shape of ordinary ones: the columns of the first body hold the point, those of the others
are zero, and what parts have in the state is the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.vectors import cross, widened
from .flow import Flow
from .here import Here
from .mechanism import Discrete
from .point import PointHere, drift, point_of, stood


class PointFlow(Flow):
    """The hybrid system of one scenario whose bodies fly as a point; see `stepper.problem.Hybrid`. States
    are own ones but where ordinary ones are named."""

    def own(self, t, x, discrete: Discrete):
        """The own state of an ordinary one."""
        mechanism = self.mechanism
        place, velocity = point_of(mechanism, x, discrete)
        _, _, _, _, origin, origin_velocity = mechanism.split(x)
        return self._packed(place, velocity, origin, origin_velocity, mechanism.behind(x))

    def ordinary(self, t, x, discrete: Discrete):
        """The ordinary state of an own one."""
        return self.here(t, x, discrete).x

    def here(self, t, x, discrete: Discrete) -> Here:
        """The instant of an own state."""
        r, v, _, _, *origin = self.mechanism.split(x)
        return stood(self.mechanism, t, r[:, 0], v[:, 0], origin, self.mechanism.behind(x), discrete)

    def _packed(self, place, velocity, origin, origin_velocity, behind, quaternion: Any = rotations.IDENTITY):
        n, lanes = self.mechanism.layout.count, place.shape[1:]
        others = jnp.zeros((3, n - 1, *lanes))
        r, v = (jnp.concatenate([part[:, None], others], 1) for part in (place, velocity))
        q = jnp.broadcast_to(widened(jnp.asarray(quaternion), 2 + len(lanes)), (4, n, *lanes))
        return self.mechanism.pack(r, v, q, jnp.zeros_like(r), origin, origin_velocity, behind)

    def rate(self, here: Here, x):
        """The sum of all forces over the whole mass; where the mass centre moves through the structures at c,
        the place changes at v + c, and the velocity at a + w x c, as for single bodies
        (`Mechanism.slope`)."""
        assert isinstance(here, PointHere)
        mechanism = here.equations
        r, v, _, _, origin, origin_velocity = mechanism.split(x)
        velocity, second = v[:, 0], here.pull
        moved = drift(here, r[:, 0])
        if moved is not None:
            velocity, second = velocity + moved, second + cross(here.motion.spin[:, 0], moved)
        behind = mechanism.rates_behind(here, here.acceleration)
        fall = mechanism.fall(here.t, origin)
        return self._packed(velocity, second, origin_velocity, fall, behind, np.zeros(4))

    def _projected(self, t, x, discrete: Discrete):
        """The end of a step, its local origin near the point."""
        mechanism = self.mechanism
        r = mechanism.split(x)[0]
        roots = widened(np.arange(r.shape[1]) == 0, r.ndim - 1)
        roots = jnp.broadcast_to(jnp.asarray(roots), r.shape[1:])
        return mechanism.rebased(mechanism.tidied(x), mechanism.scenario.gravity, roots)

    def fire(self, t, x, discrete: Discrete, hit, measured):
        """State and switches after conditions were met. The attitude that guidance asks for is worked out
        here once more: with what is seen at every stage of a step it would take a quarter of the step."""
        found, after = super().fire(t, self.ordinary(t, x, discrete), discrete, hit, measured)
        return self.own(t, found, after), after
