"""Common functions of the formulations with their own steps. The functions move a state without its tail, and
compute the stamp that shows whether a tail is still valid.

A state is moved alternately by kicks and drifts, each with values at the middle of its time span. A kick
changes velocities by accelerations, and states of models by their rates. A drift changes positions by
velocities.

A centre of mass may move through its structure at R c' (`Mechanism.slope`). This part of the position rate is
known together with the accelerations, and is therefore added in the kicks. A model has order 2 even if it
does not separate positions from rates. A model with vibrations should separate them
(`contract.HasState.kick`), so that its energy stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...maths import rotations
from ...maths.arrays import jax, jnp
from ..contract import ChangesMass, HasState


def stamp(discrete: Any) -> jax.Array:
    """Return a number (*cases) that changes at every event. The number is never zero; the stamp in the tail
    is zero at the start.

    If the stamp in the tail differs, the values of the tail must be computed again.
    """
    return 1.0 + jnp.sum(discrete.fired, 0)


def bare(mechanism: Any, x) -> jax.Array:
    """Return the state x without its tail."""
    return x[: mechanism.size - mechanism.tail]


def kick_state(mechanism: Any, x, here, slope, h) -> jax.Array:
    """Return the state x with changed velocities and model states after a step of h [s], without its tail.
    Positions do not change.

    slope: dx/dt of the state `here`. If centres of mass move through their structures, positions also change
    by the difference between their rates and the velocities.
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
    """Return the state x with positions moved by h [s] at the velocities of the state `fast`, without its
    tail.

    Attitudes follow the implicit midpoint rule.
    """
    r, v, q, w, origin, speed = mechanism.split(x)
    _, faster, _, turning, _, falling = mechanism.split(fast)
    q = rotations.turned_midpoint(q, h * turning)

    def own(part: HasState, own):
        return part.drift(own, mechanism.own(part.name, fast), h)

    behind = _move_parts(mechanism, x, own)
    return mechanism.pack(r + h * faster, v, q, w, origin + h * falling, speed, behind)


def normalize_parts(mechanism: Any, x) -> jax.Array:
    """Return the state x with normalized states of models."""
    found = {part.name: part.normalize(mechanism, x) for part in mechanism.layout.having(HasState)}
    return mechanism.with_own(x, {k: own for k, own in found.items() if own is not None}, "normalize")


def _move_parts(mechanism: Any, x, move: Callable[[HasState, Any], Any]) -> jax.Array:
    """The numbers of the parts, moved; without a tail."""
    parts = (part for part in mechanism.layout.having(HasState) if part.states)
    return jnp.concatenate([x[:0], *(move(part, mechanism.own(part.name, x)) for part in parts)])
