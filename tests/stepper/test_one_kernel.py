"""What the compiler of one kernel does with what it cannot hold."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from interstage.programs.program import configure, fast_program


def test_an_argument_that_turns_out_idle_does_not_end_the_process():
    """The compiler of one kernel aborts on one that it finds behind a mask that is false throughout."""
    configure()
    none = jnp.zeros(4, bool)

    def counted(x, idle):
        return jax.lax.while_loop(lambda c: c[0] < 5, lambda c: c + jnp.where(none & (idle > 0), 2.0, 1.0), x)

    found = fast_program(counted, {})(jnp.ones(4), jnp.ones(4))
    np.testing.assert_array_equal(found, np.full(4, 5.0))


@pytest.mark.parametrize(("most", "kernel"), [(8, True), (7, False)])
def test_more_equations_than_one_kernel_is_to_hold_are_dispatched(most, kernel):
    """Eight: a loop and its test; in it a branch, a comparison, a conversion, one sum or two products."""
    configure()
    calls = []

    def function(x):
        calls.append(x)

        def once(x):
            return jax.lax.cond(x > 1.0, lambda x: x + x, lambda x: x * x * x, x)

        return jax.lax.while_loop(lambda x: x < 9.0, once, x)

    program = fast_program(function, {}, most=most)
    assert float(program(np.asarray(1.5))) == 12.0
    (made,) = program._made.values()
    assert made.kernel is kernel
    assert len(calls) == 1  # traced once, whichever way it is compiled


@pytest.mark.parametrize("most", [8, 0])
def test_arguments_that_nothing_reads_are_not_compiled(most):
    """One of them may be a result all the same."""
    configure()
    program = fast_program(lambda x, unread, result, y: (x - y, result), {}, most=most)
    for x in (1.0, 5.0):  # compiled, and called again
        assert program(*map(np.asarray, (x, 2.0, 3.0, 4.0))) == (x - 4.0, 3.0)
    (made,) = program._made.values()
    assert made.read == (0, 2, 3)
