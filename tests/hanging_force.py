"""A user-defined force that never returns in some cases: a flight that hangs."""

from __future__ import annotations

import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

ENDLESS = 3600.0


class Hanging:
    """A force of zero on a body. Its evaluation does not end if `delay` is positive."""

    def __init__(self, body, delay):
        self.body, self.delay = body, delay

    def __call__(self, t, bodies):
        zero = 0 * bodies.position[self.body]
        if isinstance(self.delay, Tracer):
            endless = jax.lax.while_loop(lambda x: jnp.any(x > 0), lambda x: x + 1.0, self.delay * 1.0)
            zero = zero + endless * 0
        elif np.any(np.asarray(self.delay) > 0):
            time.sleep(ENDLESS)
        return {self.body: (zero, zero)}
