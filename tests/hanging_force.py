"""A user-defined force that never returns in some cases: a flight that hangs."""

from __future__ import annotations

import time

import jax
import numpy as np

ENDLESS = 3600.0


def sleep_if(above: np.ndarray) -> np.ndarray:
    """Sleep for an hour if a number is positive."""
    if np.any(np.asarray(above) > 0):
        time.sleep(ENDLESS)
    return np.zeros(np.shape(above))


class Hanging:
    """A force of zero on a body, which sleeps if `delay` is positive."""

    def __init__(self, body, delay):
        self.body, self.delay = body, delay

    def __call__(self, t, bodies):
        if isinstance(self.delay, jax.core.Tracer):
            shape = jax.ShapeDtypeStruct(np.shape(self.delay), float)
            zero = jax.pure_callback(sleep_if, shape, self.delay, vmap_method="broadcast_all")
        else:
            zero = sleep_if(self.delay)
        force = zero + 0 * bodies.position[self.body]
        return {self.body: (force, force)}
