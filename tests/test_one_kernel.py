"""What the compiler of one kernel does with what it cannot hold."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from interstage.flight.program import configure, fast_program


def test_an_argument_that_turns_out_idle_does_not_end_the_process():
    """The compiler of one kernel aborts on one that it finds behind a mask that is false throughout."""
    configure()
    none = jnp.zeros(4, bool)

    def counted(x, idle):
        return jax.lax.while_loop(lambda c: c[0] < 5, lambda c: c + jnp.where(none & (idle > 0), 2.0, 1.0), x)

    found = fast_program(counted, {})(jnp.ones(4), jnp.ones(4))
    np.testing.assert_array_equal(found, np.full(4, 5.0))
