"""Guidance laws from a user's Python class, with data that change at samples and an integrated state."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ...maths.arrays import jax, jnp
from ...maths.vectors import norm
from ...model import user_class
from ...tree.errors import BadInput, Problem
from .declared import CALLS

if TYPE_CHECKING:
    from ...engine.here import Here
    from .laws import Ready
    from .stance import View


class State(NamedTuple):
    """State that the methods of a user's law receive. An entry that the law does not use is None.

    - kept: data from the method `start`, which the method `sample` changes. The data can be any tree of
      arrays with the case axes last.
    - moving: state from the method `begin` (*shape, *cases), integrated with the method `rates`.
    """

    kept: Any
    moving: Any


class Kept(NamedTuple):
    """Data that the law stores between samples.

    - time: time of the last sample [s] (*cases).
    - own: data of the user's law.
    - due: time of the next sample [s] (*cases); infinite if no sample follows.
    """

    time: Any
    own: Any
    due: Any


def method(law: Any, name: str) -> Any:
    """Return a method of the user's object. Raises BadInput if the class does not have this method. name:
    name of the method.
    """
    named = user_class.Named(law.class_path, f"guidance.{law.name}.class", CALLS[name], name)
    return user_class.construct(named, law.parameters)


def _fault(law: Any, fault: str) -> BadInput:
    return BadInput(Problem(f"guidance.{law.name}.class", f"{law.class_path} {fault}"))


def attitude(ready: Ready, view: View) -> Any:
    """Return the commanded attitude of a user's law as a unit quaternion (4, *cases), body to inertial
    axes.
    """
    law, state = ready.law, State(None if view.memory is None else view.memory.own, view.moving)
    found = method(law, "__call__")(view.time, _inputs(law.measures, view), state)
    quaternion = _fit_shape(law, "__call__", found, (4, *view.time.shape))
    return quaternion / norm(quaternion)


def _fit_shape(law: Any, name: str, value: Any, shape: tuple[int, ...]) -> Any:
    try:
        return user_class.fit_result(value, shape)
    except ValueError as error:
        raise _fault(law, f"{error}. Signature: {name}{CALLS[name]}") from None


def _inputs(names: tuple[str, ...], view: View) -> dict[str, Any]:
    """Position and velocity of the body, inertial axes; time since the event of the law; and quantities."""
    own = {"position": view.position, "velocity": view.velocity, "elapsed": view.elapsed}
    return own | {name: view.read(name) for name in names}


# --- integrated states --------------------------------------------------------------------------------------


def size(law: Any) -> int:
    """Return the number of integrated states of a law; 0 for a law without integrated states."""
    shape = getattr(law, "moving", None)
    return 0 if shape is None else prod(shape)


def initial_states(law: Any, time: Any) -> Any:
    """Return the initial integrated states as a flat array (state, *cases). time: flight time [s]
    (*cases).
    """
    return _flat(law, "begin", method(law, "begin")(time), time)


def rates(ready: Ready, view: View) -> Any:
    """Return the rates of change of the integrated states (state, *cases). view: inputs of the law."""
    law, state = ready.law, State(None if view.memory is None else view.memory.own, view.moving)
    found = method(law, "rates")(view.time, _inputs(law.measures, view), state)
    return _flat(law, "rates", found, view.time)


def reshape(law: Any, numbers: Any) -> Any:
    """Return the integrated states in the shape that the law declares (*shape, *cases). numbers: flat array
    (state, *cases).
    """
    return numbers.reshape(*law.moving, *numbers.shape[1:])


def _flat(law: Any, name: str, value: Any, time: Any) -> Any:
    lanes = time.shape
    found = jnp.asarray(value, float)
    if found.shape == tuple(law.moving):
        found = found.reshape(*law.moving, *(1,) * len(lanes))
    if found.shape[: len(law.moving)] != tuple(law.moving) or len(found.shape) != len(law.moving) + len(
        lanes
    ):
        wanted = (*law.moving, *lanes)
        text = (
            f"returned an array {found.shape} from {name}, but the shape {wanted} is expected. Signature:"
            f" {name}{CALLS[name]}"
        )
        raise _fault(law, text)
    return jnp.broadcast_to(found, (*law.moving, *lanes)).reshape(size(law), *lanes)


# --- samples ------------------------------------------------------------------------------------------------

OWN_ROWS = 3 + 3 + 1
"""The number of inputs of every sample: position (3), velocity (3), and time since the event of the law."""


def count(law: Any) -> int:
    """Return the number of inputs of a sample, including the integrated states."""
    return OWN_ROWS + len(law.measures) + len(law.samples) + size(law)


def rows(ready: Ready, view: View, here: Here) -> Any:
    """Return the inputs of a sample in one array (`count`, *cases). view: inputs of the law."""
    law, lanes = ready.law, here.t.shape
    seen = _inputs((*law.measures, *law.samples), view)
    found = [
        jnp.broadcast_to(row if k < 2 else row[None], (3 if k < 2 else 1, *lanes))
        for k, row in enumerate(seen.values())
    ]
    moving = [] if view.moving is None else [view.moving.reshape(size(law), *lanes)]
    return jnp.concatenate([*found, *moving])


def nothing(law: Any, time: Any, due: Any) -> Kept:
    """Return the stored data before the first sample. time: flight time [s] (*cases). due: time of the first
    sample [s] (*cases).
    """
    own = method(law, "start")(time)
    lanes = time.shape

    def wide(leaf: Any) -> Any:
        leaf = jnp.asarray(leaf)
        if leaf.shape[leaf.ndim - len(lanes) :] == lanes:
            return leaf
        return jnp.broadcast_to(leaf.reshape(*leaf.shape, *(1,) * len(lanes)), (*leaf.shape, *lanes))

    return Kept(time, jax.tree.map(wide, own), due)


def take_sample(law: Any, kept: Kept, time: Any, found: Any, begin: Any) -> Kept:
    """Return the stored data after a sample.

    - kept: data stored at the last sample.
    - time: flight time [s] (*cases).
    - found: inputs of the sample from `rows` (`count`, *cases).
    - begin: time at which the law began [s] (*cases).

    Raises BadInput if the user's method returns data of another structure or shape than before.
    """
    names = (*law.measures, *law.samples)
    seen = {"position": found[:3], "velocity": found[3:6], "elapsed": found[6]}
    seen |= {name: found[OWN_ROWS + k] for k, name in enumerate(names)}
    moving = reshape(law, found[OWN_ROWS + len(names) :]) if size(law) else None
    new = method(law, "sample")(time, seen, State(kept.own, moving))
    if jax.tree.structure(new) != jax.tree.structure(kept.own):
        raise _fault(
            law, "returned one structure from sample and another from start. Return the same structure"
        )

    def same(one: Any, other: Any) -> Any:
        if jnp.shape(one) not in (jnp.shape(other), jnp.shape(other)[: jnp.ndim(one)]):
            text = f"returned an array {jnp.shape(one)} from sample, but {jnp.shape(other)} from start"
            raise _fault(law, f"{text}. Keep the shape, with the case axes last")
        extra = (1,) * (jnp.ndim(other) - jnp.ndim(one))
        return jnp.broadcast_to(jnp.reshape(one, (*jnp.shape(one), *extra)), jnp.shape(other))

    number = jnp.round((kept.due - begin) / law.period)
    due = begin + (number + 1) * law.period
    return Kept(time + jnp.zeros_like(due), jax.tree.map(same, new, kept.own), due)
