"""Common functions of the steps of several formulations: moves of a state without its tail, and the stamp of
the contents of a tail.

A state is moved by kicks and drifts in turn, each with values at the middle of its span. A kick changes
velocities by accelerations, and numbers of parts by their rates; a drift changes places by velocities. Where
a centre of mass moves through its structure at R c' (`Mechanism.slope`) that share of the place's rate is
known where accelerations are, and goes with the kicks. A part therefore has order 2 even if it does not
separate places from rates. A part that vibrates should separate them (`contract.HasState.kick`), so that its
energy stays bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...maths import rotations
from ...maths.arrays import jax, jnp
from ..contract import ChangesMass, HasState


def stamp(discrete: Any) -> jax.Array:
    """A number (*cases) that every event changes and that is never zero, in contrast to a tail at the start.
    Values that were stored with another stamp must be computed again."""
    return 1.0 + jnp.sum(discrete.fired, 0)


def bare(mechanism: Any, x) -> jax.Array:
    """The state without its tail."""
    return x[: mechanism.size - mechanism.tail]


def kick_state(mechanism: Any, x, here, slope, h) -> jax.Array:
    """The state with its velocities, and the states of parts except their positions, moved by h [s].

    `slope`: dx/dt of the state `here`. The rates of positions that do not equal velocities come from it.
    """
    r, v, q, w, origin, speed = mechanism.split(x)
    dr, dv, _, dw, _, falling = mechanism.split(slope)
    if mechanism.layout.having(ChangesMass):
        r = r + h * (dr - mechanism.split(here)[1])

    def own(part: HasState, own):
        return part.kick(own, mechanism.own(part.name, slope), h)

    behind = _move_parts(mechanism, x, own)
    return mechanism.pack(r, v + h * dv, q, w + h * dw, origin, speed + h * falling, behind)


def drift_state(mechanism: Any, x, fast, h) -> jax.Array:
    """The state with its positions moved by h [s] at the velocities of another state. Attitudes follow the
    implicit midpoint rule."""
    r, v, q, w, origin, speed = mechanism.split(x)
    _, faster, _, turning, _, falling = mechanism.split(fast)
    q = rotations.turned_midpoint(q, h * turning)

    def own(part: HasState, own):
        return part.drift(own, mechanism.own(part.name, fast), h)

    behind = _move_parts(mechanism, x, own)
    return mechanism.pack(r + h * faster, v, q, w, origin + h * falling, speed, behind)


def normalize_parts(mechanism: Any, x) -> jax.Array:
    """The state with the states of parts normalized."""
    found = {part.name: part.normalize(mechanism, x) for part in mechanism.layout.having(HasState)}
    return mechanism.with_own(x, {k: own for k, own in found.items() if own is not None}, "normalize")


def _move_parts(mechanism: Any, x, move: Callable[[HasState, Any], Any]) -> jax.Array:
    """The numbers of the parts, moved; without a tail."""
    parts = (part for part in mechanism.layout.having(HasState) if part.states)
    return jnp.concatenate([x[:0], *(move(part, mechanism.own(part.name, x)) for part in parts)])
